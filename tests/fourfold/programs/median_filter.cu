// The middle of nine neighbours by a network of exchanges in registers.
#include <algorithm>

#include "fourfold.cuh"

__device__ __forceinline__ void order(unsigned& a, unsigned& b) {
    const unsigned low = min(a, b);
    b = max(a, b);
    a = low;
}

__global__ void median(const unsigned* in, unsigned* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= width - 1 || y >= height - 1) return;
    unsigned v[9];
#pragma unroll
    for (int i = 0; i < 9; ++i) v[i] = in[(y + i / 3 - 1) * width + x + i % 3 - 1];
#pragma unroll
    for (int round = 0; round < 9; ++round)
#pragma unroll
        for (int i = round % 2; i < 8; i += 2) order(v[i], v[i + 1]);
    out[y * width + x] = v[4];
}

int main() {
    constexpr int width = 40, height = 30;
    const std::vector<unsigned> image = numbers<unsigned>(width * height, 0, 4000);
    std::vector<unsigned> expected(image.size());
    for (int y = 1; y < height - 1; ++y)
        for (int x = 1; x < width - 1; ++x) {
            unsigned v[9];
            for (int i = 0; i < 9; ++i) v[i] = image[(y + i / 3 - 1) * width + x + i % 3 - 1];
            std::nth_element(v, v + 4, v + 9);
            expected[y * width + x] = v[4];
        }
    const Buffer<unsigned> in(image), out(image.size());
    median<<<dim3(2, 4), dim3(32, 8)>>>(in, out, width, height);
    return same("medians", out.host(), expected);
}
