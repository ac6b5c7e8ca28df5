// The occupancy calls.
#include "scope/runtime/cudart/guard.h"
#include "scope/runtime/cudart/registration.h"
#include "scope/runtime/service/launch/functions.h"

namespace tilescope::runtime {
namespace {

// `name`: of the call, which it is told by if it fails.
cudaError active_blocks(int* blocks, const void* function, int threads, std::size_t dynamic_shared, unsigned flags,
                        const char* name = __builtin_FUNCTION()) {
    return on_device(
        [&](Runtime& runtime) {
            constexpr unsigned kDisableCachingOverride = 1;
            if (blocks == nullptr || threads <= 0 || (flags & ~kDisableCachingOverride) != 0)
                return Status::kInvalidValue;
            return active_blocks(runtime, function_at(function), static_cast<std::uint64_t>(threads), dynamic_shared,
                                 *blocks);
        },
        name);
}

}  // namespace

TILESCOPE_API cudaError cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                                      std::size_t dynamic_shared) {
    return active_blocks(blocks, function, threads, dynamic_shared, 0);
}

TILESCOPE_API cudaError cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                               int threads, std::size_t dynamic_shared,
                                                                               unsigned flags) {
    return active_blocks(blocks, function, threads, dynamic_shared, flags);
}

TILESCOPE_API cudaError cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function, int blocks,
                                                                  int threads) {
    return on_device([&](Runtime& runtime) {
        if (bytes == nullptr || blocks <= 0 || threads <= 0) return Status::kInvalidValue;
        return available_shared(runtime, function_at(function), static_cast<std::uint64_t>(blocks),
                                static_cast<std::uint64_t>(threads), *bytes);
    });
}

}  // namespace tilescope::runtime
