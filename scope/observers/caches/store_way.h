// StoreWay: when stores of an SM leave it for L2, and how long the next one has to wait.
//
// Owns: when all that was sent has left. Guarantees: a line takes its time and each of its sectors, less where all of
// it is written (bench/hardware/ways.cu); what waits to leave is limited, and a store that finds no room keeps the
// pipe. Does not model: who is sent first; a store leaves when it comes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "scope/observers/caches/figures.h"

namespace tilescope::observers {

class StoreWay {
public:
    // A line with so many whole sectors and so many in part goes in at `time`; gives when it can.
    std::uint64_t send(const CacheFigures& figures, unsigned whole, unsigned in_part, std::uint64_t time) {
        const double cycles =
            figures.store_line_cycles + whole * figures.store_sector_cycles + in_part * figures.store_part_cycles;
        const auto now = static_cast<double>(time);
        const double late = left_ - now - kWaiting * cycles;
        if (late > 0) time += static_cast<std::uint64_t>(late);
        left_ = std::max(left_, now) + cycles;
        return time;
    }

private:
    // Lines that wait: as many as a warp's next store can join (bench/hardware/joined_stores.cu, November 2026).
    static constexpr double kWaiting = 16;

    double left_ = 0;
};

}  // namespace tilescope::observers
