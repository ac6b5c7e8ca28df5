// Like NVIDIA/cuda-samples 3_CUDA_Features/binaryPartitionCG/binaryPartitionCG.cu; flags: -std=c++14
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <helper_cuda.h>
#include <stdio.h>
namespace cg = cooperative_groups;
__global__ void split(int* in, int* odds, int* sums, unsigned int size) {
    cg::thread_block cta = cg::this_thread_block();
    cg::grid_group grid = cg::this_grid();
    cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
    for (int i = grid.thread_rank(); i < size; i += grid.size()) {
        int elem = in[i];
        auto subTile = cg::binary_partition(tile32, elem & 1);
        int sum = cg::reduce(subTile, elem, cg::plus<int>());
        if (subTile.thread_rank() == 0) {
            if (elem & 1) atomicAdd(odds, subTile.size());
            atomicAdd(&sums[elem & 1], sum);
        }
        cg::sync(tile32);
    }
}
int main(int argc, const char** argv) {
    findCudaDevice(argc, argv);
    int *h, *h_odds, *h_sums, *d, *d_odds, *d_sums, threads = 0, blocks = 0;
    unsigned int n = 1024 * 4;
    checkCudaErrors(cudaMallocHost(&h, sizeof(int) * n));
    checkCudaErrors(cudaMallocHost(&h_odds, sizeof(int)));
    checkCudaErrors(cudaMallocHost(&h_sums, sizeof(int) * 2));
    int want[3] = {};
    for (unsigned i = 0; i < n; i++) h[i] = rand() % 50, want[h[i] & 1] += h[i], want[2] += h[i] & 1;
    cudaStream_t stream;
    checkCudaErrors(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    checkCudaErrors(cudaMalloc(&d, sizeof(int) * n));
    checkCudaErrors(cudaMalloc(&d_odds, sizeof(int)));
    checkCudaErrors(cudaMalloc(&d_sums, sizeof(int) * 2));
    checkCudaErrors(cudaMemcpyAsync(d, h, sizeof(int) * n, cudaMemcpyHostToDevice, stream));
    checkCudaErrors(cudaMemsetAsync(d_odds, 0, sizeof(int), stream));
    checkCudaErrors(cudaMemsetAsync(d_sums, 0, 2 * sizeof(int), stream));
    checkCudaErrors(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, split, 0, 0));
    split<<<4, 256, 0, stream>>>(d, d_odds, d_sums, n);
    checkCudaErrors(cudaMemcpyAsync(h_odds, d_odds, sizeof(int), cudaMemcpyDeviceToHost, stream));
    checkCudaErrors(cudaMemcpyAsync(h_sums, d_sums, 2 * sizeof(int), cudaMemcpyDeviceToHost, stream));
    checkCudaErrors(cudaStreamSynchronize(stream));
    bool ok = h_sums[0] == want[0] && h_sums[1] == want[1] && *h_odds == want[2] && threads % 32 == 0 && blocks > 0;
    printf("%s\n", ok ? "PASS" : "FAIL");
    checkCudaErrors(cudaFreeHost(h));
    checkCudaErrors(cudaFreeHost(h_odds));
    checkCudaErrors(cudaFreeHost(h_sums));
    checkCudaErrors(cudaFree(d));
    checkCudaErrors(cudaFree(d_odds));
    checkCudaErrors(cudaFree(d_sums));
    checkCudaErrors(cudaStreamDestroy(stream));
    return !ok;
}
