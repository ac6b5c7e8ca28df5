// How many blocks does an SM hold? Asked of the CUDA runtime, for a kernel that does next to nothing with its memory.
//
//   occupancy THREADS BYTES    blocks of so many threads and bytes of shared memory; 256 and 8192 if not said
//   occupancy product TILE     the tiled product's 8 bytes of shared memory a thread: TILE 8, 16 or 32
//
// Build it alone: nvcc -std=c++17 occupancy.cu
#include "../lesson.h"

// Turns the values of a block round, by way of shared memory.
__global__ void turn_round(const float* in, float* out) {
    extern __shared__ float cells[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cells[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = cells[blockDim.x - 1 - threadIdx.x];
}

int main(int argc, char** argv) {
    const bool product = argc > 1 && is(argv[1], "product");
    const int tile = product && argc > 2 ? std::atoi(argv[2]) : 16;
    const int threads = product ? tile * tile : argc > 1 ? std::atoi(argv[1]) : 256;
    const int bytes = product ? 2 * static_cast<int>(sizeof(float)) * threads : argc > 2 ? std::atoi(argv[2]) : 8192;
    if (threads < 1 || threads > 1024 || bytes < threads * static_cast<int>(sizeof(float))) {
        std::fprintf(stderr, "usage: %s [THREADS BYTES|product TILE], 1 to 1024 threads, 4 bytes a thread or more\n",
                     argv[0]);
        return 1;
    }
    // More than 48 KB of a block have to be allowed first.
    CHECK(cudaFuncSetAttribute(turn_round, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    int blocks = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, turn_round, threads, bytes));
    cudaFuncAttributes kernel;
    CHECK(cudaFuncGetAttributes(&kernel, turn_round));
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    figure("blocks of an SM", blocks);
    figure("threads of an SM", blocks * threads);
    figure("threads an SM could hold", device.maxThreadsPerMultiProcessor);
    figure("registers of a thread", kernel.numRegs);

    const int n = 4096 * threads;
    const std::vector<float> in = eighths(n);
    std::vector<float> want(n);
    for (int i = 0; i < n; ++i) want[i] = in[i / threads * threads + threads - 1 - i % threads];
    float *d_in = to_device(in), *d_out = device_buffer<float>(n);
    launch("turn_round", [&] { turn_round<<<n / threads, threads, bytes>>>(d_in, d_out); });
    Verdict verdict;
    verdict.equal("turn_round", to_host(d_out, n), want);
    return verdict.status();
}
