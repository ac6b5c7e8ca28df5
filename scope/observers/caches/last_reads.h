// LastReads: what an SM's last load has asked of L2, for the next one to go along with.
//
// Owns: those reads, by line. Guarantees: the rules that an H100 showed (bench/hardware/queued_reads.cu, November
// 2026): what a load asks for waits for more sectors of the same lines, whichever warp wants them, until nobody has
// come for a few cycles, and then leaves line by line; a load that asks for other lines sends it off, one that L1
// answers does not; and a load of more than 16 sectors goes by itself. Does not model: what is asked for in another
// window of the replay.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace tilescope::observers {

class LastReads {
public:
    static constexpr unsigned kMostSectors = 16;  // of a load that others may go along with

    // What L2 is asked: of a slice's asks, which one.
    struct Place {
        std::uint64_t line = ~std::uint64_t{0};
        std::uint32_t slice = 0, index = 0;
    };

    // The next load begins.
    void begin(bool may_join) {
        may_join_ = may_join;
        count_ = asked_ = 0;
    }
    // What waits of this line at `time`; null if nothing does.
    const Place* find(std::uint64_t line, std::uint64_t time) const {
        if (!may_join_) return nullptr;
        for (unsigned i = 0; i < waiting_count_; ++i)
            if (waiting_[i].line == line)
                return time <= ended_ + kWaits + kTenthsPerLine * i / 10 ? &waiting_[i] : nullptr;
        return nullptr;
    }
    // The load has asked for something, or gone along with that.
    void put(const Place& place) {
        ++asked_;
        if (may_join_ && count_ < kMostSectors) reads_[count_++] = place;
    }
    // L1 is done with the load.
    void end(std::uint64_t time) {
        if (asked_ == 0) return;
        std::copy_n(reads_.begin(), count_, waiting_.begin());
        waiting_count_ = count_;
        ended_ = time;
    }
    // All has left.
    void forget() { waiting_count_ = 0; }

private:
    // Cycles. Loads of a warp that follow each other at once are joined and those 13 cycles apart are not; of 2, 3 and
    // 4 the one with which one load between and blocks of two and four warps come out as on the card. And what a line
    // takes to leave: of 4, 8 and 16 lines that are asked for again behind a load that hits, 2, 4 and 10 are joined.
    static constexpr std::uint64_t kWaits = 3, kTenthsPerLine = 19;

    std::array<Place, kMostSectors> reads_{}, waiting_{};  // of the load at work, of the one before
    unsigned count_ = 0, asked_ = 0, waiting_count_ = 0;
    bool may_join_ = false;
    std::uint64_t ended_ = 0;  // when L1 was done with the load before
};

}  // namespace tilescope::observers
