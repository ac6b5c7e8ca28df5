// Rows with a pitch: allocated, filled, copied in both directions and from one to another, in parts.
#include "fourfold.cuh"

__global__ void mark(float* at, std::size_t pitch, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) reinterpret_cast<float*>(reinterpret_cast<char*>(at) + y * pitch)[x] += y * 100 + x;
}

int main() {
    constexpr int width = 37, height = 20;
    const std::vector<float> values = numbers<float>(width * height, -1, 1);
    float *a = nullptr, *b = nullptr;
    std::size_t pa = 0, pb = 0;
    CHECK(cudaMallocPitch((void**)&a, &pa, width * sizeof(float), height));
    CHECK(cudaMallocPitch((void**)&b, &pb, width * sizeof(float), height));
    CHECK(cudaMemset2D(b, pb, 0, width * sizeof(float), height));
    CHECK(cudaMemcpy2D(a, pa, values.data(), width * sizeof(float), width * sizeof(float), height,
                       cudaMemcpyHostToDevice));
    mark<<<dim3(2, 3), dim3(32, 8)>>>(a, pa, width, height);
    CHECK(cudaMemcpy2D(b + 3, pb, a, pa, (width - 3) * sizeof(float), height - 5, cudaMemcpyDeviceToDevice));
    std::vector<float> first(values.size()), second(values.size()), expected(values.size()), shifted(values.size());
    CHECK(cudaMemcpy2D(first.data(), width * sizeof(float), a, pa, width * sizeof(float), height,
                       cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy2D(second.data(), width * sizeof(float), b, pb, width * sizeof(float), height,
                       cudaMemcpyDeviceToHost));
    for (int i = 0; i < width * height; ++i) expected[i] = values[i] + (i / width * 100 + i % width);
    for (int i = 0; i < width * (height - 5); ++i)
        if (i % width >= 3) shifted[i] = expected[i - 3];
    std::printf("pitch %zu\n", pa);
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    return same("marked", first, expected) + same("a part of it", second, shifted);
}
