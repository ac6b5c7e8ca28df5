// Options priced by the formula of Black and Scholes, and by random paths drawn with two generators, held against it.
#include <curand_kernel.h>

#include <cmath>

#include "program.cuh"

struct Option {
    float spot, strike, years;
};
constexpr float kRate = 0.03f, kVolatility = 0.25f;
constexpr unsigned long long kSeed = 20240229ULL;

__device__ float below(float d) { return 0.5f * erfcf(-d * 0.70710678f); }
__global__ void closed_form(const Option* options, int count, float* calls, float* puts) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        const Option o = options[i];
        const float root = kVolatility * sqrtf(o.years), discounted = o.strike * expf(-kRate * o.years);
        const float d1 = (logf(o.spot / o.strike) + (kRate + 0.5f * kVolatility * kVolatility) * o.years) / root;
        const float d2 = d1 - root;
        calls[i] = o.spot * below(d1) - discounted * below(d2);
        puts[i] = discounted * below(-d2) - o.spot * below(-d1);
    }
}

template <typename State>
__global__ void set_up(State* states) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(kSeed, i, 0, &states[i]);
}
__device__ float2 two_normals(curandStatePhilox4_32_10_t* state, float2* more) {
    const float4 four = curand_normal4(state);
    *more = make_float2(four.z, four.w);
    return make_float2(four.x, four.y);
}
__device__ float2 two_normals(curandStateXORWOW_t* state, float2* more) {
    *more = curand_normal2(state);
    return curand_normal2(state);
}
// A block an option. Each draw serves twice, as it is and with its sign turned.
template <typename State>
__global__ void random_paths(State* states, const Option* options, int rounds, double* sums) {
    __shared__ double parts[128];
    State own = states[blockIdx.x * blockDim.x + threadIdx.x];
    const Option o = options[blockIdx.x];
    const float drift = (kRate - 0.5f * kVolatility * kVolatility) * o.years, root = kVolatility * sqrtf(o.years);
    double sum = 0;
    for (int r = 0; r < rounds; ++r) {
        float2 draws[2];
        draws[0] = two_normals(&own, &draws[1]);
        for (const float2& d : draws) {
            sum += fmaxf(o.spot * expf(drift + root * d.x) - o.strike, 0.0f);
            sum += fmaxf(o.spot * expf(drift - root * d.x) - o.strike, 0.0f);
            sum += fmaxf(o.spot * expf(drift + root * d.y) - o.strike, 0.0f);
            sum += fmaxf(o.spot * expf(drift - root * d.y) - o.strike, 0.0f);
        }
    }
    parts[threadIdx.x] = sum;
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = parts[0];
    states[blockIdx.x * blockDim.x + threadIdx.x] = own;
}

template <typename State>
int simulate(const char* what, const Option* options, const std::vector<Option>& known,
             const std::vector<double>& expected) {
    const int count = static_cast<int>(known.size()), rounds = 16, threads = 128;
    State* states;
    double* sums;
    CHECK(cudaMalloc(&states, count * threads * sizeof(State)));
    CHECK(cudaMalloc(&sums, count * sizeof(double)));
    set_up<<<count, threads>>>(states);
    random_paths<<<count, threads>>>(states, options, rounds, sums);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const std::vector<double> found = to_host(sums, count);
    bool close = true;
    for (int i = 0; i < count; ++i) {
        const double price = found[i] / (threads * rounds * 8.0) * std::exp(-kRate * known[i].years);
        close &= std::abs(price - expected[i]) < 0.01 * known[i].spot;
    }
    CHECK(cudaFree(states));
    CHECK(cudaFree(sums));
    return verdict(what, close);
}

int main() {
    std::vector<Option> options;
    std::vector<double> calls, puts;
    for (int i = 0; i < 6; ++i) options.push_back({90.0f + 5 * i, 100.0f, 0.25f + 0.25f * i});
    for (const Option& o : options) {
        const double root = kVolatility * std::sqrt(o.years), discounted = o.strike * std::exp(-kRate * o.years);
        const double d1 = (std::log(o.spot / o.strike) + (kRate + kVolatility * kVolatility / 2) * o.years) / root;
        const auto under = [](double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); };
        calls.push_back(o.spot * under(d1) - discounted * under(d1 - root));
        puts.push_back(calls.back() - o.spot + discounted);  // parity
    }
    const int count = static_cast<int>(options.size());
    Option* o = to_device(options);
    float *c, *p;
    CHECK(cudaMalloc(&c, count * sizeof(float)));
    CHECK(cudaMalloc(&p, count * sizeof(float)));
    closed_form<<<1, 32>>>(o, count, c, p);
    CHECK(cudaGetLastError());
    const std::vector<float> found_calls = to_host(c, count), found_puts = to_host(p, count);
    bool close = true;
    for (int i = 0; i < count; ++i)
        close &= std::abs(found_calls[i] - calls[i]) < 1e-3 && std::abs(found_puts[i] - puts[i]) < 1e-3;
    const int status = verdict("closed form", close) |
                       simulate<curandStatePhilox4_32_10_t>("paths drawn by Philox", o, options, calls) |
                       simulate<curandStateXORWOW_t>("paths drawn by XORWOW", o, options, calls);
    CHECK(cudaFree(o));
    CHECK(cudaFree(c));
    CHECK(cudaFree(p));
    return status;
}
