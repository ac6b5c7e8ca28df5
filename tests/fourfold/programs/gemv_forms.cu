// A matrix and a vector: a thread a row, a warp a row, and columns added with atomics.
#include "fourfold.cuh"

__global__ void thread_a_row(const float* a, const float* x, float* y, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int i = 0; i < columns; ++i) sum += a[row * columns + i] * x[i];
    y[row] = sum;
}

__global__ void warp_a_row(const float* __restrict__ a, const float* __restrict__ x, float* __restrict__ y, int rows,
                           int columns) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize, lane = threadIdx.x % warpSize;
    if (row >= rows) return;
    float sum = 0;
    for (int i = lane; i < columns; i += warpSize) sum += a[row * columns + i] * __ldg(&x[i]);
    for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0) y[row] = sum;
}

__global__ void turned(const float* a, const float* x, float* y, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    float sum = 0;
    for (int row = blockIdx.y; row < rows; row += gridDim.y) sum += a[row * columns + column] * x[row];
    atomicAdd(&y[column], sum);
}

int main() {
    constexpr int rows = 150, columns = 90;
    const std::vector<float> a = numbers<float>(rows * columns, -1, 1), x = numbers<float>(rows, -1, 1, 8);
    std::vector<float> y(rows), z(columns);
    for (int i = 0; i < rows * columns; ++i) {
        y[i / columns] += a[i] * x[i % columns];
        z[i % columns] += a[i] * x[i / columns];
    }
    const Buffer<float> da(a), dx(x), first(rows), second(rows), third(columns);
    thread_a_row<<<3, 64>>>(da, dx, first, rows, columns);
    warp_a_row<<<(rows + 3) / 4, 128>>>(da, dx, second, rows, columns);
    turned<<<dim3(3, 1), 32>>>(da, dx, third, rows, columns);
    return near("a thread a row", first.host(), y) + near("a warp a row", second.host(), y) +
           near("turned", third.host(), z);
}
