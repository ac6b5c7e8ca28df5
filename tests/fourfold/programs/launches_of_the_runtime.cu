// Kernels launched by calls: by a list of addresses, with attributes, and from a template; of all three dimensions.
#include "fourfold.cuh"

template <class T>
__global__ void combine(const T* a, T scale, T* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] * scale + T(i);
}
__global__ void ranks(int* out) {
    const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
}

template <class T>
int check(const char* what) {
    int n = 90;
    const std::vector<T> values = numbers<T>(n, -9, 9);
    std::vector<T> expected;
    for (int i = 0; i < n; ++i) expected.push_back(static_cast<T>(values[i] * 3 + i));
    const Buffer<T> in(values), out(n);
    T *from = in, *to = out, scale = 3;
    void* arguments[] = {&from, &scale, &to, &n};
    CHECK(cudaLaunchKernel((const void*)combine<T>, dim3(3), dim3(32), arguments, 0, 0));
    return same(what, out.host(), expected);
}

int main() {
    int bad = check<int>("int") + check<long long>("long") + check<double>("double");
    constexpr int blocks = 2 * 3 * 2, threads = 4 * 3 * 5;
    const Buffer<int> out(blocks * threads);
    int* to = out;
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributePriority;
    attribute.val.priority = 0;
    cudaLaunchConfig_t configuration{};
    configuration.gridDim = dim3(2, 3, 2), configuration.blockDim = dim3(4, 3, 5);
    configuration.attrs = &attribute, configuration.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&configuration, ranks, to));
    std::vector<int> expected;
    for (int i = 0; i < blocks * threads; ++i) expected.push_back(i / threads * 1000 + i % threads);
    return bad + same("ranks", out.host(), expected);
}
