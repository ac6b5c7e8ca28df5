// The compute capability that kernels see is the one that the runtime names.
#include <cstdio>

__global__ void look(int* seen) {
#ifdef __CUDA_ARCH__
    *seen = __CUDA_ARCH__;
#else
    *seen = 0;
#endif
}

int main() {
    int *device_seen = nullptr, seen = 0, major = 0, minor = 0;
    cudaDeviceProp properties;
    if (cudaMalloc(&device_seen, sizeof(int)) != cudaSuccess) return 1;
    look<<<1, 1>>>(device_seen);
    if (cudaMemcpy(&seen, device_seen, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
    cudaGetDeviceProperties(&properties, 0);
    std::printf("%s: %d.%d, kernels see %d\n", properties.name, properties.major, properties.minor, seen);
    return seen == 100 * major + 10 * minor && properties.major == major && properties.minor == minor ? 0 : 1;
}
