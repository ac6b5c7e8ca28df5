// Kernels launched by calls: by a list of addresses, with attributes, in clusters, and from a template.
#include <cooperative_groups.h>

#include "fourfold.cuh"

template <class T>
__global__ void combine(const T* a, T scale, T* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] * scale + T(i);
}
__global__ void ranks(int* out) {
    const auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0) out[blockIdx.x] = cluster.block_rank() * 100 + cluster.num_blocks();
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
    const Buffer<int> out(8);
    int* to = out;
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2, attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t configuration{};
    configuration.gridDim = dim3(8), configuration.blockDim = dim3(32);
    configuration.attrs = &attribute, configuration.numAttrs = 1;
    CHECK(cudaLaunchKernelEx(&configuration, ranks, to));
    std::vector<int> expected;
    for (int i = 0; i < 8; ++i) expected.push_back(i % 2 * 100 + 2);
    return bad + same("clusters", out.host(), expected);
}
