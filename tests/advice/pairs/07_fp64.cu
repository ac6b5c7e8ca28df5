// Doubles that nobody meant: a literal without its f, a function of math.h, a sum.
#include "pairs.h"

using namespace pairs;

// Two literals in a chain of steps: there and back between the precisions in each.
constexpr int kSteps = 16;
__global__ void fp64_literal_before(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    for (int k = 0; k < kSteps; ++k) v = v * 0.98 + 0.015;  // fault: fp64_literal
    out[i] = v;
}
__global__ void fp64_literal_after(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    for (int k = 0; k < kSteps; ++k) v = v * 0.98f + 0.015f;
    out[i] = v;
}
void literal(Suite& suite) {
    const int n = scaled(1 << 21);
    Array<float> x(n, unit), out(n);
    suite.pair(
        "fp64_literal", out, [&] { fp64_literal_before<<<blocks(n, 256), 256>>>(x, out, n); },
        [&] { fp64_literal_after<<<blocks(n, 256), 256>>>(x, out, n); },
        [&](int i) {
            double v = x.at(i);
            for (int k = 0; k < kSteps; ++k) v = v * 0.98 + 0.015;
            return v;
        });
}

// A sum of Gaussians, whose exponents have become doubles through one factor.
constexpr int kCentres = 6;
__global__ void fp64_function_before(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kCentres; ++k) {
        float d = x[i] - k * 0.2f;
        sum += exp(-2.5 * d * d);  // fault: fp64_function
    }
    out[i] = sum;
}
__global__ void fp64_function_after(const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < kCentres; ++k) {
        float d = x[i] - k * 0.2f;
        sum += expf(-2.5f * d * d);
    }
    out[i] = sum;
}
void function(Suite& suite) {
    const int n = scaled(3 << 19);
    Array<float> x(n, unit), out(n);
    suite.pair(
        "fp64_function", out, [&] { fp64_function_before<<<blocks(n, 256), 256>>>(x, out, n); },
        [&] { fp64_function_after<<<blocks(n, 256), 256>>>(x, out, n); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < kCentres; ++k) sum += std::exp(-2.5 * std::pow(x.at(i) - k * 0.2, 2));
            return sum;
        });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    literal(suite);
    function(suite);
    return suite.status();
}
