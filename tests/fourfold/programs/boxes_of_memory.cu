// Three dimensions: pitched memory, copies of boxes between places, and a stencil of neighbours in depth.
#include "fourfold.cuh"

__global__ void below(cudaPitchedPtr from, cudaPitchedPtr to, int width, int height, int depth) {
    const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    if (x >= width || y >= height) return;
    const auto at = [&](const cudaPitchedPtr& p, int k) {
        return (int*)((char*)p.ptr + (k * height + y) * p.pitch) + x;
    };
    *at(to, z) = *at(from, z) * 2 - (z > 0 ? *at(from, z - 1) : 0);
}

int main() {
    constexpr int width = 13, height = 9, depth = 6, count = width * height * depth;
    std::vector<int> values = numbers<int>(count, -50, 50), found(count), expected(count);
    const cudaExtent extent{width * sizeof(int), height, depth};
    cudaPitchedPtr a, b;
    CHECK(cudaMalloc3D(&a, extent));
    CHECK(cudaMalloc3D(&b, extent));
    CHECK(cudaMemset3D(b, 0xff, extent));
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(values.data(), width * sizeof(int), width, height);
    copy.dstPtr = a, copy.extent = extent, copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    below<<<depth, dim3(16, 16)>>>(a, b, width, height, depth);
    copy = cudaMemcpy3DParms{};
    copy.srcPtr = b, copy.srcPos = make_cudaPos(2 * sizeof(int), 1, 1);
    copy.dstPtr = make_cudaPitchedPtr(found.data(), width * sizeof(int), width, height),
    copy.dstPos = make_cudaPos(0, 0, 2);
    copy.extent = make_cudaExtent(10 * sizeof(int), 7, 4), copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    const auto at = [&](int x, int y, int z) { return (z * height + y) * width + x; };
    for (int z = 0; z < 4; ++z)
        for (int y = 0; y < 7; ++y)
            for (int x = 0; x < 10; ++x)
                expected[at(x, y, z + 2)] = 2 * values[at(x + 2, y + 1, z + 1)] - values[at(x + 2, y + 1, z)];
    CHECK(cudaFree(a.ptr));
    CHECK(cudaFree(b.ptr));
    return same("box", found, expected);
}
