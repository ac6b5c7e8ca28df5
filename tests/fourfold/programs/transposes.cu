// A matrix turned: straight, through a tile, through a padded tile, and a square one in its place.
#include "fourfold.cuh"

template <int Padding>
__global__ void through_tile(const int* in, int* out, int width, int height) {
    __shared__ int tile[32][32 + Padding];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (x < width && y + i < height) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (x < height && y + i < width) out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
}

__global__ void straight(const int* in, int* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

__global__ void in_place(int* data, int side) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side || x <= y) return;
    const int kept = data[y * side + x];
    data[y * side + x] = data[x * side + y];
    data[x * side + y] = kept;
}

int main() {
    constexpr int width = 70, height = 45, side = 40;
    const std::vector<int> values = numbers<int>(width * height, 0, 1000000);
    std::vector<int> expected(values.size()), square(side * side);
    for (int i = 0; i < width * height; ++i) expected[i % width * height + i / width] = values[i];
    for (int i = 0; i < side * side; ++i) square[i % side * side + i / side] = values[i];
    const Buffer<int> in(values), a(values.size()), b(values.size()), c(values.size()),
        d(std::vector<int>(values.begin(), values.begin() + side * side));
    straight<<<dim3(5, 6), dim3(16, 8)>>>(in, a, width, height);
    through_tile<0><<<dim3(3, 2), dim3(32, 8)>>>(in, b, width, height);
    through_tile<1><<<dim3(3, 2), dim3(32, 8)>>>(in, c, width, height);
    in_place<<<dim3(3, 5), dim3(16, 8)>>>(d, side);
    return same("straight", a.host(), expected) + same("tile", b.host(), expected) +
           same("padded", c.host(), expected) + same("in place", d.host(), square);
}
