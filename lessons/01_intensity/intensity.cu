// How many operations does a kernel do for each byte that it asks for?
//
//   intensity naive      the matrix product as the formula says
//   intensity thirty_six 36 operations on 7 values of 4 bytes
//
// Build it alone: nvcc -std=c++17 intensity.cu
#include "../lesson.h"

constexpr int kWidth = 128;

// One thread, one element of P = M · N. Each step reads two values of 4 bytes and does two operations with them.
__global__ void naive(const float* M, const float* N, float* P) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < kWidth; ++k) {
        sum += M[row * kWidth + k] * N[k * kWidth + col];  // [inner]
    }
    P[row * kWidth + col] = sum;
}

// Six values read, one written: 28 bytes. Eighteen multiplications, each with an addition, each
// needing the one before.
__global__ void thirty_six(const float* in, float* out, int threads) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a = in[i], b = in[i + threads], c = in[i + 2 * threads];
    float x = in[i + 3 * threads], y = in[i + 4 * threads], sum = in[i + 5 * threads];
    for (int step = 0; step < 6; ++step) {
        sum = sum * a + x;
        sum = sum * b + y;
        sum = sum * c + x;
    }
    out[i] = sum;
}

static int product() {
    const std::size_t elements = std::size_t{kWidth} * kWidth;
    const std::vector<float> M = eighths(elements, 1), N = eighths(elements, 2);
    std::vector<float> want(elements);
    for (int row = 0; row < kWidth; ++row)
        for (int k = 0; k < kWidth; ++k)
            for (int col = 0; col < kWidth; ++col)
                want[row * kWidth + col] += M[row * kWidth + k] * N[k * kWidth + col];
    float *d_M = to_device(M), *d_N = to_device(N), *d_P = device_buffer<float>(elements);
    const dim3 block(16, 16), grid(kWidth / 16, kWidth / 16);
    launch("naive", [&] { naive<<<grid, block>>>(d_M, d_N, d_P); });
    Verdict verdict;
    verdict.equal("naive", to_host(d_P, elements), want);
    return verdict.status();
}

static int operations() {
    constexpr int kThreads = 4096;
    const std::vector<float> in(6 * kThreads, 0.5f);  // every step is exact
    float sum = 0.5f;
    for (int step = 0; step < 18; ++step) sum = sum * 0.5f + 0.5f;
    float *d_in = to_device(in), *d_out = device_buffer<float>(kThreads);
    launch("thirty_six", [&] { thirty_six<<<kThreads / 256, 256>>>(d_in, d_out, kThreads); });
    Verdict verdict;
    verdict.equal("thirty_six", to_host(d_out, kThreads), std::vector<float>(kThreads, sum));
    return verdict.status();
}

int main(int argc, char** argv) {
    const char* variant = argc > 1 ? argv[1] : "naive";
    if (is(variant, "naive")) return product();
    if (is(variant, "thirty_six")) return operations();
    std::fprintf(stderr, "usage: %s [naive|thirty_six]\n", argv[0]);
    return 1;
}
