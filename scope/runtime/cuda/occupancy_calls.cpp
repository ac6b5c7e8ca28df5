// The occupancy calls.
#include <algorithm>

#include "scope/runtime/cuda/guard.h"
#include "scope/runtime/service/launch/functions.h"

namespace tilescope::runtime::driver {
namespace {

using SharedOfBlock = std::size_t (*)(int threads);

constexpr unsigned kDisableCachingOverride = 1;

Code give_blocks(int* blocks, void* function, int threads, std::size_t dynamic_shared, unsigned flags,
                 const char* name = __builtin_FUNCTION(), const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) {
            if (blocks == nullptr || threads <= 0 || (flags & ~kDisableCachingOverride) != 0)
                return Status::kInvalidValue;
            return active_blocks(runtime, runtime.modules().by_handle(function), static_cast<std::uint64_t>(threads),
                                 dynamic_shared, *blocks);
        },
        name, from);
}

struct BestBlock {
    int threads = 0, blocks_per_sm = 0;
};

// The largest block with which an SM holds the most threads, in whole warps from the largest down.
Status find_best(Runtime& runtime, const FunctionName& name, SharedOfBlock shared_of, std::size_t dynamic_shared,
                 int limit, BestBlock& best) {
    FunctionFacts facts;
    if (const Status status = ask_function(runtime, name, facts); status != Status::kOk) return status;
    const int warp = static_cast<int>(runtime.session().device().warp_size);
    int most = static_cast<int>(facts.max_threads);
    if (limit > 0) most = std::min(most, limit);
    for (int threads = (most + warp - 1) / warp * warp; threads > 0; threads -= warp) {
        const int tried = std::min(threads, most);
        int blocks = 0;
        const std::size_t shared = shared_of != nullptr ? shared_of(tried) : dynamic_shared;
        const Status status = active_blocks(runtime, name, static_cast<std::uint64_t>(tried), shared, blocks);
        if (status != Status::kOk) return status;
        if (blocks * tried > best.blocks_per_sm * best.threads) best = {tried, blocks};
    }
    return Status::kOk;
}

Code give_best(int* grid, int* block, void* function, SharedOfBlock shared_of, std::size_t dynamic_shared, int limit,
               unsigned flags, const char* name = __builtin_FUNCTION(),
               const void* from = __builtin_return_address(0)) {
    return on_context(
        [&](Runtime& runtime) {
            if (grid == nullptr || block == nullptr || (flags & ~kDisableCachingOverride) != 0)
                return Status::kInvalidValue;
            BestBlock best;
            const Status status =
                find_best(runtime, runtime.modules().by_handle(function), shared_of, dynamic_shared, limit, best);
            if (status != Status::kOk) return status;
            *block = best.threads;
            *grid = best.blocks_per_sm * static_cast<int>(runtime.session().device().sm_count);
            return Status::kOk;
        },
        name, from);
}

}  // namespace

TILESCOPE_DRIVER Code cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void* function, int threads,
                                                                  std::size_t dynamic_shared) {
    return give_blocks(blocks, function, threads, dynamic_shared, 0);
}
TILESCOPE_DRIVER Code cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, void* function, int threads,
                                                                           std::size_t dynamic_shared, unsigned flags) {
    return give_blocks(blocks, function, threads, dynamic_shared, flags);
}
TILESCOPE_DRIVER Code cuOccupancyMaxPotentialBlockSize(int* grid, int* block, void* function, SharedOfBlock shared_of,
                                                       std::size_t dynamic_shared, int limit) {
    return give_best(grid, block, function, shared_of, dynamic_shared, limit, 0);
}
TILESCOPE_DRIVER Code cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, void* function,
                                                                SharedOfBlock shared_of, std::size_t dynamic_shared,
                                                                int limit, unsigned flags) {
    return give_best(grid, block, function, shared_of, dynamic_shared, limit, flags);
}
TILESCOPE_DRIVER Code cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, void* function, int blocks,
                                                              int threads) {
    return on_context([&](Runtime& runtime) {
        if (bytes == nullptr || blocks <= 0 || threads <= 0) return Status::kInvalidValue;
        return available_shared(runtime, runtime.modules().by_handle(function), static_cast<std::uint64_t>(blocks),
                                static_cast<std::uint64_t>(threads), *bytes);
    });
}

std::span<const Entry> occupancy_calls() {
    static const Entry kCalls[] = {
        TILESCOPE_THERE(cuOccupancyMaxActiveBlocksPerMultiprocessor),
        TILESCOPE_THERE(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags),
        TILESCOPE_THERE(cuOccupancyMaxPotentialBlockSize),
        TILESCOPE_THERE(cuOccupancyMaxPotentialBlockSizeWithFlags),
        TILESCOPE_THERE(cuOccupancyAvailableDynamicSMemPerBlock),
    };
    return kCalls;
}

}  // namespace tilescope::runtime::driver
