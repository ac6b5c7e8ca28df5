// SmMissesInFlight: the reads of an SM's last load, which the next load may join.
//
// Owns: those reads, by line. Guarantees: these rules, measured on an H100 (bench/hardware/queued_reads.cu, November
// 2026). A load's reads wait some cycles for more sectors of the same lines, from any warp, and then leave line by
// line. A load of other lines sends them off, one that hits L1 does not. A load of many sectors never waits. Does not
// model: reads of another window of the simulation.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "scope/observers/hierarchy/misses_in_flight/miss_rules.h"

namespace tilescope::observers {

class SmMissesInFlight {
public:
    static constexpr unsigned kMaxSectors = 32;  // numeric: room for those of a load that others may go along with

    explicit SmMissesInFlight(const MissRules& rules)
        : max_sectors_(std::min(rules.queued_sectors, kMaxSectors)),
          wait_(rules.queue_wait),
          line_tenths_(rules.queue_line_tenths) {}
    unsigned max_sectors() const { return max_sectors_; }

    // Of the requests of a slice, which one.
    struct Place {
        std::uint64_t line = ~std::uint64_t{0};
        std::uint32_t slice = 0, index = 0;
    };

    // The next load begins. `repeats_lines`: it comes to a line more than once, and requests it once.
    void begin(bool may_join, bool repeats_lines = false) {
        may_join_ = may_join;
        repeats_lines_ = repeats_lines;
        count_ = requested_ = 0;
    }
    // What waits of this line at `time`; null if nothing does.
    const Place* find(std::uint64_t line, std::uint64_t time) const {
        for (unsigned i = 0; repeats_lines_ && i < count_; ++i)
            if (reads_[i].line == line) return &reads_[i];
        if (!may_join_) return nullptr;
        for (unsigned i = 0; i < waiting_count_; ++i)
            if (waiting_[i].line == line)
                return time <= ended_ + wait_ + line_tenths_ * i / kTenths ? &waiting_[i] : nullptr;
        return nullptr;
    }
    // The load has requested something, or gone along with that.
    void put(const Place& place) {
        ++requested_;
        const unsigned most = repeats_lines_ ? kMaxSectors : max_sectors_;
        if ((may_join_ || repeats_lines_) && count_ < most) reads_[count_++] = place;
    }
    // L1 is done with the load.
    void end(std::uint64_t time) {
        if (requested_ == 0) return;
        waiting_count_ = may_join_ ? std::min(count_, max_sectors_) : 0;
        std::copy_n(reads_.begin(), waiting_count_, waiting_.begin());
        ended_ = time;
    }
    // All has left.
    void forget() { waiting_count_ = 0; }

private:
    static constexpr std::uint64_t kTenths = 10;  // numeric: of a cycle

    unsigned max_sectors_;
    std::uint64_t wait_, line_tenths_;                    // cycles, and tenths of one for each line
    std::array<Place, kMaxSectors> reads_{}, waiting_{};  // of the load at work, of the one before
    unsigned count_ = 0, requested_ = 0, waiting_count_ = 0;
    bool may_join_ = false, repeats_lines_ = false;
    std::uint64_t ended_ = 0;  // when L1 was done with the load before
};

}  // namespace tilescope::observers
