#include "scope/session/warp_work.h"

#include <algorithm>

namespace tilescope {

void add_warp_work(const machine::Program& program, const machine::GridResult& result, LaunchProfile& launch) {
    if (!launch.work) launch.work.emplace();
    WarpWork& work = *launch.work;
    const double all = static_cast<double>(launch.grid[0]) * launch.grid[1] * launch.grid[2];
    const double scale = launch.sampled && launch.blocks_run != 0 ? all / static_cast<double>(launch.blocks_run) : 1;
    for (std::size_t b = 0; b < std::min(program.work.size(), result.counts.size()); ++b) {
        const machine::BlockWork& block = program.work[b];
        const double runs = static_cast<double>(result.counts[b].runs) * scale;
        work.instructions += runs * block.instructions;
        work.fp32 += runs * block.multiply_adds();
        work.integer += runs * block.integers();
        work.fp64 += runs * block.fp64;
        work.special += runs * block.special;
        work.memory += runs * block.memory;
        work.global_waits += runs * block.global_waits;
        work.local_waits += runs * block.local_waits;
        work.shared_waits += runs * block.shared_waits;
        work.constant_waits += runs * block.constant_waits;
        work.atomic_waits += runs * block.atomic_waits;
        work.steps += runs * block.steps;
    }
}

}  // namespace tilescope
