#include "tests/models/nvidia_occupancy.h"

#include <cuda_occupancy.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>

namespace tilescope::models {
namespace {

cudaOccDeviceProp properties_of(const Device& device) {
    cudaOccDeviceProp properties;
    properties.computeMajor = static_cast<int>(device.compute_major);
    properties.computeMinor = static_cast<int>(device.compute_minor);
    properties.maxThreadsPerBlock = static_cast<int>(device.max_threads_per_block);
    properties.maxThreadsPerMultiprocessor = static_cast<int>(device.max_threads_per_sm);
    properties.regsPerBlock = static_cast<int>(device.registers_per_block);
    properties.regsPerMultiprocessor = static_cast<int>(device.registers_per_sm);
    properties.warpSize = static_cast<int>(device.warp_size);
    properties.sharedMemPerBlock = device.shared_bytes_per_block;
    properties.sharedMemPerMultiprocessor = device.shared_bytes_per_sm;
    properties.numSms = static_cast<int>(device.sm_count);
    properties.sharedMemPerBlockOptin = device.shared_bytes_per_block_optin;
    properties.reservedSharedMemPerBlock = device.shared_bytes_reserved;
    return properties;
}

// A kernel for which the program asked for all the dynamic shared memory that it may have.
cudaOccFuncAttributes attributes_of(const Device& device, const KernelResources& kernel) {
    cudaOccFuncAttributes attributes;
    attributes.maxThreadsPerBlock = INT_MAX;
    attributes.numRegs = static_cast<int>(kernel.registers_per_thread);
    attributes.sharedSizeBytes = kernel.static_shared_bytes;
    attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    const std::uint64_t limit = device.shared_bytes_per_block_optin;
    attributes.maxDynamicSharedSizeBytes = limit > kernel.static_shared_bytes ? limit - kernel.static_shared_bytes : 0;
    attributes.numBlockBarriers = static_cast<int>(kernel.barriers);
    return attributes;
}

cudaOccDeviceState state_of(const KernelResources& kernel) {
    cudaOccDeviceState state;
    if (kernel.carveout_percent) state.carveoutConfig = static_cast<int>(*kernel.carveout_percent);
    return state;
}

std::uint32_t limit(int blocks) { return blocks == INT_MAX ? kUnlimited : static_cast<std::uint32_t>(blocks); }

}  // namespace

NvidiaAnswer nvidia_occupancy(const Device& device, const KernelResources& kernel) {
    const cudaOccDeviceProp properties = properties_of(device);
    const cudaOccFuncAttributes attributes = attributes_of(device, kernel);
    const cudaOccDeviceState state = state_of(kernel);
    cudaOccResult result{};
    const cudaOccError status = cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state,
                                                                        static_cast<int>(kernel.threads_per_block),
                                                                        kernel.dynamic_shared_bytes);
    EXPECT_EQ(status, CUDA_OCC_SUCCESS);
    NvidiaAnswer answer;
    answer.blocks = static_cast<std::uint32_t>(result.activeBlocksPerMultiprocessor);
    answer.by_threads = limit(result.blockLimitWarps);
    answer.by_blocks = limit(result.blockLimitBlocks);
    answer.by_registers = limit(result.blockLimitRegs);
    answer.by_shared = limit(result.blockLimitSharedMem);
    answer.by_barriers = limit(result.blockLimitBarriers);
    unsigned factors = result.limitingFactors;
    // The header looks at barriers last and lets the earlier flags stand even where barriers then admit fewer blocks.
    if ((factors & OCC_LIMIT_BARRIERS) != 0 &&
        answer.blocks < std::min({answer.by_threads, answer.by_blocks, answer.by_registers, answer.by_shared}))
        factors = OCC_LIMIT_BARRIERS;
    if ((factors & OCC_LIMIT_WARPS) != 0) answer.limiters.push_back(SmResource::kThreads);
    if ((factors & OCC_LIMIT_BLOCKS) != 0) answer.limiters.push_back(SmResource::kBlocks);
    if ((factors & OCC_LIMIT_REGISTERS) != 0) answer.limiters.push_back(SmResource::kRegisters);
    if ((factors & OCC_LIMIT_SHARED_MEMORY) != 0) answer.limiters.push_back(SmResource::kShared);
    if ((factors & OCC_LIMIT_BARRIERS) != 0) answer.limiters.push_back(SmResource::kBarriers);
    answer.registers_per_block = static_cast<std::uint64_t>(result.allocatedRegistersPerBlock);
    answer.shared_per_block = result.allocatedSharedMemPerBlock;
    return answer;
}

std::uint64_t nvidia_block_size(const Device& device, const KernelResources& kernel) {
    const cudaOccDeviceProp properties = properties_of(device);
    const cudaOccFuncAttributes attributes = attributes_of(device, kernel);
    const cudaOccDeviceState state = state_of(kernel);
    int grid = 0, block = 0;
    EXPECT_EQ(cudaOccMaxPotentialOccupancyBlockSize(&grid, &block, &properties, &attributes, &state,
                                                    static_cast<std::size_t>(kernel.dynamic_shared_bytes)),
              CUDA_OCC_SUCCESS);
    return static_cast<std::uint64_t>(block);
}

}  // namespace tilescope::models
