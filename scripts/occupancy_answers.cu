// What the CUDA runtime of a real GPU answers to cudaOccupancyMaxActiveBlocksPerMultiprocessor, as the CSV that
// tests/models/occupancy_h200.csv holds (3,000 rows of it, picked at random):
//
//   nvcc -std=c++17 -arch=sm_90 scripts/occupancy_answers.cu -o answers && ./answers > answers.csv
#include <cuda_runtime.h>

#include <cstdio>
#include <random>

// Registers grow with `Values`; `Barriers` is how many named barriers the kernel may use.
template <int Values, int Barriers, int Shared>
__global__ void kernel(float* data, int n) {
    __shared__ char shared[Shared];
    float value[Values];
#pragma unroll
    for (int i = 0; i < Values; ++i) value[i] = data[threadIdx.x + i * n];
    if (threadIdx.x < Shared) shared[threadIdx.x] = value[0];
    for (int round = 0; round < n; ++round) {
#pragma unroll
        for (int i = 0; i < Values; ++i) value[i] = value[i] * value[(i + 1) % Values] + value[(i + 7) % Values];
    }
    if (Barriers == 1) __syncthreads();
    if (Barriers > 1) asm volatile("bar.sync %0, 128;" ::"n"(Barriers - 1));
    float sum = shared[(threadIdx.x + 1) % Shared];
#pragma unroll
    for (int i = 0; i < Values; ++i) sum += value[i];
    data[threadIdx.x] = sum;
}

struct Row {
    const void* function;
    int barriers;
};

template <int Values, int Barriers, int Shared>
Row row() {
    return {reinterpret_cast<const void*>(kernel<Values, Barriers, Shared>), Barriers};
}

int main() {
    const Row rows[] = {row<1, 1, 64>(),      row<4, 0, 1024>(), row<10, 1, 7168>(),  row<20, 1, 128>(),
                        row<30, 1, 4000>(),   row<40, 1, 64>(),  row<55, 1, 40000>(), row<80, 1, 64>(),
                        row<110, 1, 49152>(), row<160, 1, 64>(), row<4, 4, 64>(),     row<4, 8, 64>(),
                        row<4, 16, 64>(),     row<30, 3, 2000>()};
    std::mt19937 random(7);
    std::printf("threads,registers,static,dynamic,carveout,barriers,blocks\n");
    for (const Row& row : rows)
        for (const int carveout : {-1, 0, 5, 10, 25, 50, 60, 75, 100})
            for (const int most : {20'000, 49'152, 100'000, 180'000}) {
                cudaFuncAttributes attributes{};
                if (cudaFuncGetAttributes(&attributes, row.function) != cudaSuccess) return 1;
                cudaFuncSetAttribute(row.function, cudaFuncAttributePreferredSharedMemoryCarveout, carveout);
                // More than the function may have is refused, and then is no row either.
                if (cudaFuncSetAttribute(row.function, cudaFuncAttributeMaxDynamicSharedMemorySize, most) !=
                    cudaSuccess)
                    continue;
                for (int i = 0; i < 60; ++i) {
                    int threads = 1 + static_cast<int>(random() % 1030);
                    if (i % 2 != 0) threads = (threads + 31) / 32 * 32;
                    const int dynamic = i % 5 == 0 ? 0 : static_cast<int>(random() % (1U << (4 + random() % 15)));
                    int blocks = 0;
                    if (dynamic > most || cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, row.function, threads,
                                                                                        dynamic) != cudaSuccess)
                        continue;
                    std::printf("%d,%d,%zu,%d,", threads, attributes.numRegs, attributes.sharedSizeBytes, dynamic);
                    if (carveout < 0)
                        std::printf("-");
                    else
                        std::printf("%d", carveout);
                    std::printf(",%d,%d\n", row.barriers, blocks);
                }
            }
    return 0;
}
