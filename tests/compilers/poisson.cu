// Poisson's distribution: mean, variance and third moment of what curand_poisson() gives, for means on all of its ways.
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>

constexpr int kOfEach = 16, kThreads = 8 * 64;

template <class State>
__device__ void begin(State* state, unsigned i) {
    curand_init(1234, i, 0, state);
}
__device__ void begin(curandStateSobol32_t* state, unsigned i) {
    unsigned vectors[32];
    for (int k = 0; k < 32; ++k) vectors[k] = 0x80000000u >> k;
    curand_init(vectors, i * kOfEach + 1, state);
}
__device__ void begin(curandStateScrambledSobol64_t* state, unsigned i) {
    unsigned long long vectors[64];
    for (int k = 0; k < 64; ++k) vectors[k] = 0x8000000000000000ull >> k;
    curand_init(vectors, 0x123456789abcdefull, i * kOfEach, state);
}

template <class State>
__global__ void kernel(double mean, double* moments) {
    State state;
    begin(&state, blockIdx.x * blockDim.x + threadIdx.x);
    for (int i = 0; i < kOfEach; ++i) {
        const double x = curand_poisson(&state, mean) - mean;
        atomicAdd(moments, x);
        atomicAdd(moments + 1, x * x);
        atomicAdd(moments + 2, x * x * x);
    }
}

template <class State>
void run(const char* name) {
    double* moments;
    cudaMallocManaged(&moments, 3 * sizeof(double));
    for (const double mean : {0.5, 63.0, 100.0, 3000.0, 1e5}) {
        moments[0] = moments[1] = moments[2] = 0;
        kernel<State><<<8, 64>>>(mean, moments);
        const bool ran = cudaDeviceSynchronize() == cudaSuccess;
        const double count = double(kOfEach) * kThreads, variance = moments[1] / count;
        // In units of what so many numbers leave open.
        const double off = moments[0] / count / std::sqrt(mean / count);
        const double spread = (variance / mean - 1) / std::sqrt((2 + 1 / mean) / count);
        const double skew =
            (moments[2] / count - mean) / std::sqrt((15 * mean * mean * mean + 60 * mean * mean) / count);
        const bool good = ran && std::fabs(off) < 4 && std::fabs(spread) < 4 && std::fabs(skew) < 4;
        std::printf("%s %s, mean %g: off by %.2f, %.2f and %.2f\n", good ? "PASS" : "FAIL", name, mean, off, spread,
                    skew);
    }
}

int main() {
    run<curandStateXORWOW_t>("XORWOW");
    run<curandStatePhilox4_32_10_t>("Philox");
    run<curandStateMRG32k3a_t>("MRG32k3a");
    run<curandStateSobol32_t>("Sobol");
    run<curandStateScrambledSobol64_t>("scrambled Sobol");
}
