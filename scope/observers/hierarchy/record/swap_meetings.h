// SwapMeetings: how long warps of a block keep each other that update words of shared memory by loops of
// compare-and-swap.
//
// A try fails where another warp has changed the word since it was loaded, and so the updates of a word follow each
// other at an interval, whoever makes them (bench/hardware/shared_swaps.cu). Here a block's warps run one after the
// other: all of them are taken to make their first tries since the last barrier together, as many as a warp has lanes,
// then as many again, and so on. A warp goes on when as many updates as the word with the most had are done, of these
// tries and of those before.
// Owns: how often each word is updated in each such round. Guarantees: between barriers, the last warp has waited for
// all others. Does not model: which warp is first; that warps drift apart.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/machine/access.h"
#include "scope/observers/hierarchy/record/swap_rules.h"

namespace tilescope::observers {

class SwapMeetings {
public:
    // `swap` times a try and how closely updates of a word follow each other; a warp that waits for memory is taken to
    // wait for `turn_cycles`.
    void set_rules(const SwapRules& swap, std::uint64_t turn_cycles, std::size_t warps);
    // A block begins, or its warps have met at a barrier.
    void forget();

    // One loop of a warp as requests of its own, all alike but for when the warp may go on: others go through the banks
    // meanwhile.
    struct Loop {
        std::uint64_t requests = 1;
        std::uint32_t passes = 0;                       // of each; tries that fail among them
        machine::WarpClock clock;                       // of each, without others
        std::uint64_t from_cycles = 0, due_cycles = 0;  // since the warp's first loop: after its loop before, and this

        std::uint64_t due(std::uint64_t request) const {
            return from_cycles + (due_cycles - from_cycles) * (request + 1) / requests;
        }
    };
    // `now` is the warp's clock when it comes to a loop of `tries`, at most one for each lane, that are `passes`
    // through the banks.
    Loop meet(unsigned warp, const machine::Access& access, const machine::WarpClock& now, std::uint64_t tries,
              std::uint64_t passes);

private:
    static constexpr std::size_t kFirst = 1024, kMost = 1 << 20;  // numeric: places of our table, powers of two
    static constexpr std::uint64_t kMaxRequests = 8;              // numeric: of a loop, our resolution
    static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};  // numeric: all bits

    // In ticks of its clock, but for rounds and updates.
    struct Warp {
        std::uint64_t epoch = 0;             // what follows is of this one
        std::uint64_t begin = 0, tries = 0;  // of its first loop; so many until now
        std::uint64_t due = 0, waited = 0;   // when it may go on, from the first on; how long it has waited for that
        std::uint64_t round = kNowhere, behind = 0;  // the one it is in; updates of those before
    };
    struct Round {
        std::uint32_t most = 0, warps = 0;  // updates of the word that has the most; that came to it
    };
    struct Word {
        std::uint64_t epoch = 0, key = 0;
        std::uint32_t updates = 0;
    };
    Round& round_of(Warp& warp, std::uint64_t tries);
    // Of a word in a round, one more; 0 where there is no room.
    std::uint32_t count(std::uint64_t key);
    Word& place_of(std::uint64_t key);
    void grow();

    SwapRules rules_;
    std::uint64_t turn_cycles_ = 0;
    std::uint64_t epoch_ = 1;
    std::vector<Warp> warps_;
    std::vector<Round> rounds_;
    std::vector<Word> words_;
    std::size_t used_ = 0;
};

}  // namespace tilescope::observers
