#include <cmath>

#include "scope/observers/counting.h"

namespace tilescope::observers {

const std::vector<ObserverRow>& counting_observers() {
    // Never destroyed: a program's exit handlers may launch.
    static const auto* const kRows = new std::vector<ObserverRow>{
        {"coalescing", "how many 32-byte sectors does each global request touch?", &make_coalescing},
        {"local", "how many sectors do local arrays and spills touch?", &make_local_coalescing},
        {"banks", "how many passes does each shared request take through the banks?", &make_banks},
        {"constants", "how many distinct constant addresses does each warp read at once?", &make_constants},
        {"texels", "how many sectors do fetches of textures and accesses of surfaces touch?", &make_texels},
        {"reuse", "how often does a block ask for the same byte of global memory?", &make_reuse},
        {"sharing", "which shared bytes are read by a thread that did not write them?", &make_sharing},
        {"meetings", "do barriers order threads that meet in global memory?", &make_meetings},
        {"caches", "which sectors do L1 and L2 have, and what does DRAM read and write?", &make_caches},
        {"split-copies", "which copies of aligned records did the compiler split?", &make_split_copies},
        {"passes", "how many passes through L1 and lines does each global request take?", &make_passes},
        {"padding", "which products take zeros that the kernel put into its tiles itself?", &make_padding},
    };
    return *kRows;
}

std::uint64_t scaled(const LaunchProfile& launch, std::uint64_t count) {
    if (!launch.sampled || launch.blocks_run == 0) return count;
    const std::uint64_t blocks = std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * static_cast<double>(blocks) /
                                                   static_cast<double>(launch.blocks_run)));
}

}  // namespace tilescope::observers
