// An array that kernels write and read in its place, then copied back in parts.
#include "fourfold.cuh"

__global__ void blur(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0;
    for (int i = -1; i <= 1; ++i) sum += surf2Dread<int>(from, (x + i) * int(sizeof(int)), y, cudaBoundaryModeClamp);
    surf2Dwrite(sum, to, x * int(sizeof(int)), y);
}

int main() {
    constexpr int width = 45, height = 14;
    const std::vector<int> values = numbers<int>(width * height, -10, 10);
    std::vector<int> expected(values.size()), found(values.size());
    for (int i = 0; i < width * height; ++i)
        for (int d = -1; d <= 1; ++d)
            expected[i] += values[i / width * width + std::min(std::max(i % width + d, 0), width - 1)];
    const cudaChannelFormatDesc channel = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
    cudaArray_t arrays[2];
    cudaSurfaceObject_t surfaces[2];
    for (int i = 0; i < 2; ++i) {
        CHECK(cudaMallocArray(&arrays[i], &channel, width, height, cudaArraySurfaceLoadStore));
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = arrays[i];
        CHECK(cudaCreateSurfaceObject(&surfaces[i], &resource));
    }
    CHECK(cudaMemcpy2DToArray(arrays[0], 0, 0, values.data(), width * sizeof(int), width * sizeof(int), height,
                              cudaMemcpyHostToDevice));
    blur<<<dim3(2, 2), dim3(32, 8)>>>(surfaces[0], surfaces[1], width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy2DFromArray(found.data(), width * sizeof(int), arrays[1], 0, 0, width * sizeof(int), height,
                                cudaMemcpyDeviceToHost));
    for (int i = 0; i < 2; ++i) {
        CHECK(cudaDestroySurfaceObject(surfaces[i]));
        CHECK(cudaFreeArray(arrays[i]));
    }
    return same("sums of three", found, expected);
}
