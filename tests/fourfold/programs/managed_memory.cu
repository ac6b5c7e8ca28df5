// Memory of both sides, allocated and as variables, with hints; the host reads what kernels write.
#include "fourfold.cuh"

__managed__ int counter = 40;
__managed__ float weights[4] = {1, 2, 3, 4};

__global__ void weigh(float* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= weights[i % 4];
    if (i == 0) counter += 2;
}

int main() {
    constexpr int n = 120;
    float* x = nullptr;
    CHECK(cudaMallocManaged((void**)&x, n * sizeof(float), cudaMemAttachGlobal));
    const std::vector<float> values = numbers<float>(n, -1, 1);
    std::vector<float> expected;
    for (int i = 0; i < n; ++i) x[i] = values[i], expected.push_back(values[i] * (i % 4 == 2 ? 10 : i % 4 + 1));
    weights[2] = 10;
    const cudaMemLocation here{cudaMemLocationTypeDevice, {0}};
    CHECK(cudaMemAdvise(x, n * sizeof(float), cudaMemAdviseSetPreferredLocation, here));
    CHECK(cudaMemPrefetchAsync(x, n * sizeof(float), here, 0, 0));
    weigh<<<2, 64>>>(x, n);
    CHECK(cudaDeviceSynchronize());
    cudaPointerAttributes about;
    CHECK(cudaPointerGetAttributes(&about, x));
    const std::vector<float> found(x, x + n);
    const int bad = same("weighed", found, expected) + same("counter", std::vector<int>{counter}, {42}) +
                    verdict("managed", about.type == cudaMemoryTypeManaged);
    CHECK(cudaFree(x));
    return bad;
}
