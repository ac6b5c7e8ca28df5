// Threads that ask for the same value again and again, where a register could hold it.
#include "pairs.h"

using namespace pairs;

// Two sums that lie in memory all along: the compiler cannot know that one is not where the other is.
__global__ void register_sums_before(const float* x, float* sums, float* squares, int n, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < count; ++k) {
        float v = x[k * n + i];
        sums[i] += v;  // fault: register_sums
        squares[i] += v * v;
    }
}
__global__ void register_sums_after(const float* x, float* sums, float* squares, int n, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = sums[i], square = squares[i];
    for (int k = 0; k < count; ++k) {
        float v = x[k * n + i];
        sum += v;
        square += v * v;
    }
    sums[i] = sum;
    squares[i] = square;
}
void sums(Suite& suite) {
    const int n = scaled(1 << 18), count = 32;
    Array<float> x(n * count, unit), out(2 * n);
    suite.pair(
        "register_sums", out, [&] { register_sums_before<<<blocks(n, 256), 256>>>(x, out, out + n, n, count); },
        [&] { register_sums_after<<<blocks(n, 256), 256>>>(x, out, out + n, n, count); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < count; ++k) {
                double v = x.at(k * n + i % n);
                sum += i < n ? v : v * v;
            }
            return sum;
        });
}

// Coefficients that are asked for again after every store.
constexpr int kTerms = 32, kPoints = 8;
__global__ void register_polynomial_before(const float* x, const float* terms, float* out, int n) {
    int first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += threads) {
        float v = x[i], sum = 0;
#pragma unroll
        for (int k = 0; k < kTerms; ++k) sum = sum * v + terms[k];  // fault: register_polynomial
        out[i] = sum;
    }
}
__global__ void register_polynomial_after(const float* x, const float* terms, float* out, int n) {
    int first = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float kept[kTerms];
#pragma unroll
    for (int k = 0; k < kTerms; ++k) kept[k] = terms[k];
    for (int i = first; i < n; i += threads) {
        float v = x[i], sum = 0;
#pragma unroll
        for (int k = 0; k < kTerms; ++k) sum = sum * v + kept[k];
        out[i] = sum;
    }
}
void polynomial(Suite& suite) {
    const int n = scaled(1 << 21);
    Array<float> x(n, unit), terms(kTerms, [](int k) { return unit(k + 17); }), out(n);
    suite.pair(
        "register_polynomial", out, [&] { register_polynomial_before<<<n / kPoints / 256, 256>>>(x, terms, out, n); },
        [&] { register_polynomial_after<<<n / kPoints / 256, 256>>>(x, terms, out, n); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < kTerms; ++k) sum = sum * x.at(i) + terms.at(k);
            return sum;
        });
}

// A tiled product whose threads make one element each, and ask shared memory twice for every product. With eight
// elements of a column, what comes from the right serves eight times.
__global__ void register_product_before(const float* a, const float* b, float* c, int n, int depth) {
    __shared__ float left[32][32], right[32][32];
    int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int start = 0; start < depth; start += 32) {
        left[threadIdx.y][threadIdx.x] = a[row * depth + start + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(start + threadIdx.y) * n + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 32; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];  // fault: register_product
        __syncthreads();
    }
    c[row * n + column] = sum;
}
__global__ void register_product_after(const float* a, const float* b, float* c, int n, int depth) {
    __shared__ float left[32][32], right[32][32];
    int column = blockIdx.x * 32 + threadIdx.x;
    float sums[8] = {};
    for (int start = 0; start < depth; start += 32) {
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            int y = threadIdx.y * 8 + j;
            left[y][threadIdx.x] = a[(blockIdx.y * 32 + y) * depth + start + threadIdx.x];
            right[y][threadIdx.x] = b[(start + y) * n + column];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 32; ++k) {
            float shared_by_all = right[k][threadIdx.x];
#pragma unroll
            for (int j = 0; j < 8; ++j) sums[j] += left[threadIdx.y * 8 + j][k] * shared_by_all;
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < 8; ++j) c[(blockIdx.y * 32 + threadIdx.y * 8 + j) * n + column] = sums[j];
}
void product(Suite& suite) {
    const int n = 768, depth = scaled(128);
    Array<float> a(n * depth, unit), b(depth * n, [](int i) { return unit(i + 99); }), c(n * n);
    dim3 grid(n / 32, n / 32);
    suite.pair(
        "register_product", c, [&] { register_product_before<<<grid, dim3(32, 32)>>>(a, b, c, n, depth); },
        [&] { register_product_after<<<grid, dim3(32, 4)>>>(a, b, c, n, depth); },
        [&](int i) {
            double sum = 0;
            for (int k = 0; k < depth; ++k) sum += a.at(i / n * depth + k) * b.at(k * n + i % n);
            return sum;
        });
}

int main(int argc, char** argv) {
    Suite suite(argc, argv);
    sums(suite);
    polynomial(suite);
    product(suite);
    return suite.status();
}
