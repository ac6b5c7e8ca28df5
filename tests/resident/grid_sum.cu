// A sum over the whole grid in one launch: every block adds up its share, the grid meets, block 0 adds up the blocks.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void grid_sum(const int* in, int n, int* of_block, int* out) {
    const cg::grid_group grid = cg::this_grid();
    __shared__ int all;
    if (threadIdx.x == 0) all = 0;
    __syncthreads();
    int sum = 0;
    for (int i = static_cast<int>(grid.thread_rank()); i < n; i += static_cast<int>(grid.size())) sum += in[i];
    atomicAdd(&all, sum);
    __syncthreads();
    if (threadIdx.x == 0) of_block[blockIdx.x] = all;
    grid.sync();
    // Once more for all blocks: each finds the same total.
    int total = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) total += of_block[b];
    grid.sync();
    if (threadIdx.x == 0) out[blockIdx.x] = total;
}

int main() {
    int per_sm = 0, sms = 0, cooperative = 0;
    cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, grid_sum, 64, 0);
    const int blocks = sms;
    int n = 100000;
    std::vector<int> host(n);
    long expected = 0;
    for (int i = 0; i < n; ++i) expected += host[i] = i % 7;
    int *in, *of_block, *out;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&of_block, blocks * sizeof(int));
    cudaMalloc(&out, blocks * sizeof(int));
    cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    void* arguments[] = {&in, &n, &of_block, &out};
    cudaError_t error =
        cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid_sum), dim3(blocks), dim3(64), arguments, 0, nullptr);
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    std::vector<int> totals(blocks);
    cudaMemcpy(totals.data(), out, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    bool right = error == cudaSuccess && cooperative == 1;
    for (const int total : totals) right = right && total == expected;
    std::printf("sum %d of %ld\n", totals[0], expected);

    // The same with launch attributes.
    cudaMemset(out, 0, blocks * sizeof(int));
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(64);
    config.attrs = &attribute;
    config.numAttrs = 1;
    const int* const_in = in;
    error = cudaLaunchKernelEx(&config, grid_sum, const_in, n, of_block, out);
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    cudaMemcpy(totals.data(), out, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    right = right && error == cudaSuccess;
    for (const int total : totals) right = right && total == expected;

    // One block more than fit at once.
    error = cudaLaunchCooperativeKernel(reinterpret_cast<void*>(grid_sum), dim3(per_sm * sms + 1), dim3(64), arguments,
                                        0, nullptr);
    right = right && error == cudaErrorCooperativeLaunchTooLarge && cudaGetLastError() == error;
    std::printf("one more than %d × %d blocks: %s\n", sms, per_sm, cudaGetErrorString(error));
    std::printf(right ? "PASS\n" : "FAIL\n");
    return right ? 0 : 1;
}
