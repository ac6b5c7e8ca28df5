// One loop, three places under the roofline.
//
//   roofline slope [STEPS]     a step for each value if not said, and a thread for every four values
//   roofline under [BLOCKS]    a sixteenth of the values by few threads: 4 blocks if not said
//   roofline roof [STEPS]      many steps for each value: 2048 if not said
//
// Build it alone: nvcc -std=c++17 roofline.cu
#include "../lesson.h"

constexpr int kThreads = 256;

__device__ float4 step(float4 x, float a, float b) {
    return {a * x.x + b, a * x.y + b, a * x.z + b, a * x.w + b};  // [step]
}

// A value costs 8 bytes of global memory, 4 in and 4 out, and a step x = a * x + b is 2 FLOP: steps / 4 FLOP per byte.
// Threads take four values at a time, and every stride-th four, so that any number of threads does the whole work.
__device__ void work(const float4* in, float4* out, int n, int steps, float a, float b) {
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += stride) {
        float4 x = in[i];  // [load]
#pragma unroll 16
        for (int k = 0; k < steps; ++k) x = step(x, a, b);
        out[i] = x;  // [store]
    }
}

// One piece of code under three names, so that a chart can tell the points apart.
__global__ void slope(const float4* in, float4* out, int n, int steps, float a, float b) {
    work(in, out, n, steps, a, b);
}
__global__ void under(const float4* in, float4* out, int n, int steps, float a, float b) {
    work(in, out, n, steps, a, b);
}
__global__ void roof(const float4* in, float4* out, int n, int steps, float a, float b) {
    work(in, out, n, steps, a, b);
}

int main(int argc, char** argv) {
    const char* variant = argc > 1 ? argv[1] : "slope";
    const int number = argc > 2 ? std::atoi(argv[2]) : 0;
    const bool many = is(variant, "slope"), few = is(variant, "under");
    if (!many && !few && !is(variant, "roof")) {
        std::fprintf(stderr, "usage: %s [slope [STEPS]|under [BLOCKS]|roof [STEPS]]\n", argv[0]);
        return 1;
    }
    constexpr int kBlocksAtOnce = 1056;  // that an H200 holds: 8 on each of 132 SMs
    const int n = many ? 1 << 24 : few ? 1 << 20 : kBlocksAtOnce * 4 * kThreads;
    const int steps = few ? 1 : number > 0 ? number : many ? 1 : 2048;
    const int blocks = few ? (number > 0 ? number : 4) : n / 4 / kThreads;

    const std::vector<float> in = eighths(n);
    float *d_in = to_device(in), *d_out = device_buffer<float>(n);
    float4 *in4 = reinterpret_cast<float4*>(d_in), *out4 = reinterpret_cast<float4*>(d_out);
    // With a = -1 and b = 1 a step turns x into 1 - x, and the next one turns that back into x: exact, easy to check.
    launch(variant, [&] {
        if (many)
            slope<<<blocks, kThreads>>>(in4, out4, n, steps, -1.0f, 1.0f);
        else if (few)
            under<<<blocks, kThreads>>>(in4, out4, n, steps, -1.0f, 1.0f);
        else
            roof<<<blocks, kThreads>>>(in4, out4, n, steps, -1.0f, 1.0f);
    });
    std::vector<float> want = in;
    if (steps % 2 == 1)
        for (float& x : want) x = 1.0f - x;
    Verdict verdict;
    verdict.equal(variant, to_host(d_out, n), want);
    return verdict.status();
}
