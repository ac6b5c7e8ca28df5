// The sum of two matrices, plainly and through shared memory: what is used once cannot be used again.
//
//   no_reuse                 plain, then shared
//   no_reuse shared_first    the other way round: whoever goes first also pays for the first launch
//
// Build it alone: nvcc -std=c++17 no_reuse.cu
#include "../lesson.h"

constexpr int kWidth = 1024, kTile = 32, kElements = kWidth * kWidth;

__global__ void plain(const float* A, const float* B, float* C) {
    const int column = blockIdx.x * kTile + threadIdx.x, row = blockIdx.y * kTile + threadIdx.y;
    C[row * kWidth + column] = A[row * kWidth + column] + B[row * kWidth + column];  // [plain]
}

// Every thread reads back the two values that it has just put down itself. Nobody needs anybody else's.
__global__ void shared(const float* A, const float* B, float* C) {
    __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
    const int column = blockIdx.x * kTile + threadIdx.x, row = blockIdx.y * kTile + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = A[row * kWidth + column];
    b_tile[threadIdx.y][threadIdx.x] = B[row * kWidth + column];
    __syncthreads();
    C[row * kWidth + column] = a_tile[threadIdx.y][threadIdx.x] + b_tile[threadIdx.y][threadIdx.x];  // [shared]
}

int main(int argc, char** argv) {
    const std::vector<float> A = eighths(kElements, 1), B = eighths(kElements, 2);
    std::vector<float> want(kElements);
    for (int i = 0; i < kElements; ++i) want[i] = A[i] + B[i];
    const float *d_A = to_device(A), *d_B = to_device(B);
    const dim3 block(kTile, kTile), grid(kWidth / kTile, kWidth / kTile);
    Verdict verdict;
    const auto run = [&](const char* name, void (*kernel)(const float*, const float*, float*)) {
        float* d_C = device_buffer<float>(kElements);
        launch(name, [&] { kernel<<<grid, block>>>(d_A, d_B, d_C); });
        verdict.equal(name, to_host(d_C, kElements), want);
    };
    const bool shared_first = argc > 1 && is(argv[1], "shared_first");
    if (shared_first) run("shared", shared);
    run("plain", plain);
    if (!shared_first) run("shared", shared);
    return verdict.status();
}
