// WarpRun: the progress of a resident warp, what it waits for, and when it continues.
//
// Guarantees: plain data; Gpc defines the steps.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scope/observers/hierarchy/record/traffic.h"
#include "scope/observers/hierarchy/scheduler/warp_requests.h"

namespace tilescope::observers {

struct RunningBlock;

// What each of its turns needs stands first, in one of the host's cache lines.
struct alignas(64) WarpRun {                               // geometry: a cache line of the host
    static constexpr std::uint32_t kNobody = 0xffffffffu;  // numeric: all bits

    Request request;  // the one at `at`, unless that is the end
    std::uint32_t at = 0, end = 0;
    std::uint32_t next = kNobody;  // in its bucket
    std::uint16_t sm = 0;          // its own, of the GPC's
    std::uint8_t slot = 0;         // in its block
    std::uint8_t scheduler = 0;    // likewise, of the SM's
    bool has_turn : 1 = false;     // it is in a bucket
    bool begins : 1 = false;       // its turn is to begin
    bool issues : 1 = false;       // it wants its scheduler's slots, or has them
    bool awaits : 1 = false;       // loads that no response has been given for
    bool has_waited : 1 = false;   // for the SM's pipe, which is its now
    bool stops : 1 = false;        // it waits for what it has requested before it goes on
    bool is_held : 1 = false;      // at a meeting of the block
    bool has_passed : 1 = false;   // with what it asked of shared memory before its next request
    bool has_ended = false;
    std::uint64_t when = 0;                // its turn
    std::uint64_t loads_arrive = 0;        // the last of them
    const std::uint64_t* words = nullptr;  // BlockTraffic::words
    std::uint64_t age = 0;                 // the older, the lower
    std::uint64_t others_arrive = 0;       // the last of those that are not local memory's
    std::uint64_t chained = 0;             // its instructions need each other until then
    std::uint64_t began = 0, since = 0;    // its life; what it waits for now
    RunningBlock* block = nullptr;         // its own
    const Request* here = nullptr;         // where `request` lies

    bool has_more() const { return at != end; }
    // To the request at `to`.
    void go_to(std::uint32_t to, const WarpRequests& requests) {
        at = to;
        if (has_more()) take(requests.at(slot, at));
    }
    // To the one behind it.
    void go_on(const WarpRequests& requests) {
        ++at;
        if (!has_more()) return;
        if (at % WarpRequests::kChunk != 0) return take(here[1]);
        requests.expect(slot, at + WarpRequests::kChunk);
        take(requests.at(slot, at));
    }
    // The host is told that its turn comes soon.
    void expect_turn() const {
        constexpr std::size_t kHostLine = 64;  // geometry: as above
        __builtin_prefetch(this);
        __builtin_prefetch(reinterpret_cast<const char*>(this) + kHostLine);
    }
    // Likewise of what it requests, and of its next request.
    void expect_request() const {
        __builtin_prefetch(words + request.shape);
        __builtin_prefetch(here + 1);
    }

private:
    void take(const Request& one) {
        here = &one;
        request = one;
        __builtin_prefetch(words + request.shape);
    }
};
static_assert(sizeof(WarpRun) == 2 * 64);  // geometry: two of the host's cache lines; there are many

// What few turns of a warp need.
struct WarpPast {
    std::uint64_t older = 0;      // than since WarpRun::began, by what went by without a clock
    std::uint64_t swaps = 0;      // when its first loop of compare-and-swap since a barrier began; 0: none
    float speed = 1, credit = 0;  // of its requests that go by: beside others, and what is left of it
};

}  // namespace tilescope::observers
