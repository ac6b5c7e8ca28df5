// Kernels that read and write the host's own memory: allocated for it, and registered.
#include "fourfold.cuh"

__global__ void reverse(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[n - 1 - i] = in[i];
}

int main() {
    constexpr int n = 1024;
    int *mapped = nullptr, *on_device = nullptr, *registered = nullptr;
    CHECK(cudaHostAlloc((void**)&mapped, n * sizeof(int), cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer((void**)&on_device, mapped, 0));
    const std::vector<int> values = numbers<int>(n, 0, 1000000), expected(values.rbegin(), values.rend());
    alignas(4096) static int own[n];
    std::memcpy(own, values.data(), sizeof own);
    CHECK(cudaHostRegister(own, n * sizeof(int), cudaHostRegisterMapped));
    CHECK(cudaHostGetDevicePointer((void**)&registered, own, 0));
    reverse<<<4, 256>>>(registered, on_device, n);
    CHECK(cudaDeviceSynchronize());
    cudaPointerAttributes about;
    CHECK(cudaPointerGetAttributes(&about, mapped));
    const int bad = same("reversed", std::vector<int>(mapped, mapped + n), expected) +
                    verdict("of the host", about.type == cudaMemoryTypeHost);
    CHECK(cudaHostUnregister(own));
    CHECK(cudaFreeHost(mapped));
    return bad;
}
