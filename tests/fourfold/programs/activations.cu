// Functions over vectors, chosen by type: relu, gelu, silu, tanh; one kernel for all.
#include "fourfold.cuh"

struct Relu {
    __host__ __device__ static float of(float x) { return x > 0 ? x : 0; }
};
struct Gelu {
    __host__ __device__ static float of(float x) { return 0.5f * x * (1 + erff(x * 0.70710678f)); }
};
struct Silu {
    __host__ __device__ static float of(float x) { return x / (1 + expf(-x)); }
};
struct Tanh {
    __host__ __device__ static float of(float x) { return tanhf(x); }
};

template <class Function>
__global__ void map(const float4* in, float4* out, int vectors) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < vectors; i += gridDim.x * blockDim.x) {
        float4 x = in[i];
        x.x = Function::of(x.x), x.y = Function::of(x.y), x.z = Function::of(x.z), x.w = Function::of(x.w);
        out[i] = x;
    }
}

template <class Function>
int check(const char* what, const std::vector<float>& values, void (*kernel)(const float4*, float4*, int)) {
    std::vector<float> expected;
    for (const float x : values) expected.push_back(Function::of(x));
    const Buffer<float> in(values), out(values.size());
    kernel<<<3, 96>>>((const float4*)in.at, (float4*)out.at, static_cast<int>(values.size() / 4));
    return near(what, out.host(), expected);
}

int main() {
    const std::vector<float> values = numbers<float>(2000, -6, 6);
    return check<Relu>("relu", values, map<Relu>) + check<Gelu>("gelu", values, map<Gelu>) +
           check<Silu>("silu", values, map<Silu>) + check<Tanh>("tanh", values, map<Tanh>);
}
