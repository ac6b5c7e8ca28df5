// Dot products and norms in double: one atomic addition a block, and one by compare and swap as before Pascal.
#include "fourfold.cuh"

__device__ double add_by_swap(double* address, double value) {
    unsigned long long* word = (unsigned long long*)address;
    unsigned long long old = *word, assumed;
    do {
        assumed = old;
        old = atomicCAS(word, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void dot(const double* x, const double* y, int count, double* result, double* norm) {
    __shared__ double cache[64], squares[64];
    double sum = 0, square = 0;
    for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < count; i += blockDim.x * gridDim.x) {
        sum += x[i] * y[i];
        square = fma(x[i], x[i], square);
    }
    cache[threadIdx.x] = sum, squares[threadIdx.x] = square;
    __syncthreads();
    for (int i = blockDim.x / 2; i != 0; i /= 2) {
        if (threadIdx.x < i)
            cache[threadIdx.x] += cache[threadIdx.x + i], squares[threadIdx.x] += squares[threadIdx.x + i];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        atomicAdd(result, cache[0]);
        add_by_swap(norm, squares[0]);
    }
}

int main() {
    constexpr int count = 3000;
    const std::vector<double> x = numbers<double>(count, -1, 1, 3), y = numbers<double>(count, -1, 1, 4);
    double product = 0, square = 0;
    for (int i = 0; i < count; ++i) product += x[i] * y[i], square += x[i] * x[i];
    const Buffer<double> dx(x), dy(y), result(1), norm(1);
    dot<<<1, 64>>>(dx, dy, count, result, norm);
    int bad = near("one block", result.host(), {product}, 1e-10) + near("its norm", norm.host(), {square}, 1e-10);
    dot<<<7, 64>>>(dx, dy, count, result, norm);
    const double twice = result.host()[0];
    return bad + verdict("seven blocks", std::fabs(twice - 2 * product) < 1e-9);
}
