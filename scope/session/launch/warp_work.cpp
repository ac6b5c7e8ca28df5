#include "scope/session/launch/warp_work.h"

#include <algorithm>

namespace tilescope {

void add_warp_work(const machine::Program& program, const machine::GridResult& result, LaunchProfile& launch) {
    if (!launch.work) launch.work.emplace();
    WarpWork& work = *launch.work;
    const double all = static_cast<double>(launch.grid[0]) * launch.grid[1] * launch.grid[2];
    const double scale = launch.sampled && launch.blocks_run != 0 ? all / static_cast<double>(launch.blocks_run) : 1;
    for (std::size_t b = 0; b < std::min(program.work.size(), result.counts.size()); ++b) {
        work.add(program.work[b].on_pipes(), static_cast<double>(result.counts[b].runs) * scale);
    }
}

}  // namespace tilescope
