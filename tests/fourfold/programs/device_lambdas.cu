// Functions without names in kernels: kept, given on, and with what they captured.
#include "fourfold.cuh"

template <class Function>
__device__ void each(int count, Function&& function) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) function(i);
}
template <class Outer, class Inner>
__device__ auto composed(Outer outer, Inner inner) {
    return [=](float x) { return outer(inner(x)); };
}

__global__ void run(const float* in, float* out, int* even, float shift, int count) {
    __shared__ int counted;
    if (threadIdx.x == 0) counted = 0;
    __syncthreads();
    const auto shifted = [shift](float x) { return x + shift; };
    const auto both = composed(shifted, [](float x) { return x * x; });
    each(count, [&](int i) {
        out[i] = both(in[i]);
        if (int(in[i]) % 2 == 0) atomicAdd(&counted, 1);
    });
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(even, counted);
}

int main() {
    constexpr int count = 300;
    const std::vector<int> whole = numbers<int>(count, 0, 50);
    const std::vector<float> values(whole.begin(), whole.end());
    std::vector<float> expected;
    int even = 0;
    for (const int x : whole) expected.push_back(x * x + 0.5f), even += x % 2 == 0;
    const Buffer<float> in(values), out(count);
    const Buffer<int> counted(1);
    run<<<2, 64>>>(in, out, counted, 0.5f, count);
    return same("values", out.host(), expected) + same("even", counted.host(), {even});
}
