// StorePath: when an SM's stores leave for L2, which of them merge, and how long the next one waits.
//
// Owns: the lines that wait to leave. Guarantees: a line takes its time plus that of each sector, less if all of it is
// written (bench/hardware/ways.cu). The number of waiting lines is limited, and a store without a place blocks the
// pipe. A store merges with a waiting line of any warp. A scheduler's last line waits for more stores of the same
// scheduler, until that stores to another line or some cycles have passed. So repeated stores of one scheduler to the
// same lines leave once. Stores that alternate between two lines leave one by one, unless others keep the path busy.
// An H200 does the same (bench/hardware/joined_stores.cu, November 2026). Does not model: why hot lines don't merge
// there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "scope/observers/hierarchy/lines.h"
#include "scope/observers/hierarchy/record/traffic.h"
#include "scope/observers/hierarchy/store_path/hot_lines.h"
#include "scope/observers/hierarchy/store_path/store_path_rules.h"

namespace tilescope::observers {

class StorePath {
public:
    static constexpr unsigned kMaxLines = 64;  // numeric: room for those that wait

    // A scheduler's next store, of all these lines; `lines` tells them from others.
    void begin(unsigned scheduler, std::uint64_t lines, std::uint64_t time);

    struct Taken {
        std::uint64_t time = 0;    // when it could go in
        unsigned new_sectors = 0;  // that were not on their way
    };
    // A line of it. masks: as Piece has them. What leaves meanwhile goes into `sent`.
    Taken take(const StorePathRules& rules, StoresSent& sent, unsigned scheduler, std::uint64_t line,
               const Piece& piece, const std::uint64_t* masks, std::uint64_t time);
    // A line's sectors whose last store L1 does not know yet to have left by then. What leaves meanwhile goes into
    // `sent`.
    unsigned leaving(const StorePathRules& rules, StoresSent& sent, std::uint64_t line, std::uint64_t time);
    // All that waits leaves.
    void end(const StorePathRules& rules, StoresSent& sent);

private:
    struct Waiting {
        std::array<std::uint32_t, kSectorsPerLine> bytes{};  // of each sector, that are written
        std::uint64_t may_leave = 0;
        std::uint8_t sectors = 0, scheduler = 0;
    };

    struct Left {
        std::uint64_t line = 0, time = 0;
        std::uint8_t sectors = 0;
    };
    static unsigned hash(std::uint64_t line) {
        return static_cast<unsigned>(line * kHash >> 56);  // numeric: the upper eight bits
    }
    void leave(const StorePathRules& rules, StoresSent& sent, std::uint64_t time);
    // Places, from begin_ up to end_: the first line that waits, or the one that may leave soonest.
    unsigned find(std::uint64_t line) const;
    unsigned next() const;
    std::uint64_t leaves_at(unsigned place) const;
    void send(const StorePathRules& rules, StoresSent& sent, unsigned place);
    unsigned enter(std::uint64_t line);
    unsigned count() const { return end_ - begin_; }

    // As they came, from begin_ up to end_. Most leave as they came, and then none has to move.
    std::array<std::uint64_t, 2 * std::size_t{kMaxLines}> lines_{};
    std::array<Waiting, 2 * std::size_t{kMaxLines}> waiting_{};
    unsigned begin_ = 0, end_ = 0;
    std::array<std::uint8_t, 256> alike_{};  // numeric: lines that wait, by their hashes: most are not among them
    std::array<Left, 8> left_{};             // numeric: the last ones, from `last_left_` round
    unsigned last_left_ = 0;
    double free_ = 0;                                // when the way is
    std::array<std::uint64_t, kSchedulers> last_{};  // by scheduler, what it stored to
};

}  // namespace tilescope::observers
