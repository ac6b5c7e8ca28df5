// Every way to reach memory: spaces, caches, textures, asynchronous copies, vectors, and calls the system answers.
#include <assert.h>
#include <cuda_pipeline.h>
#include <stdio.h>

#include <type_traits>

__constant__ float table[64];
__constant__ int scalar;
__device__ float counter;
__device__ int list[4] = {1, 2, 3, 4};
__managed__ int shared_with_host = 5;
extern __shared__ float dynamic[];

struct alignas(16) Body {
    float x, y, z, mass;
};

static_assert(sizeof(float3) == 12 && alignof(float4) == 16 && alignof(double2) == 16 && alignof(char4) == 4, "");
static_assert(std::is_trivially_copyable<float4>::value, "");

__global__ void spaces(float* o, const float* a, int n) {
    __shared__ float tile[64];
    __shared__ Body bodies[8];
    float mine[8];
    for (int i = 0; i < 8; ++i) mine[i] = a[i];
    tile[threadIdx.x] = a[threadIdx.x];
    dynamic[threadIdx.x] = a[threadIdx.x];
    if (threadIdx.x < 8) bodies[threadIdx.x] = Body{1, 2, 3, 4};
    __syncthreads();
    if (threadIdx.x != 0) return;
    o[0] = tile[n] + dynamic[n] + mine[n & 7] + table[n] + scalar + counter + list[n & 3] + bodies[n & 7].mass;
    atomicAdd(&counter, 1.0f);
    o[1] = warpSize + gridDim.x + blockDim.y + blockIdx.z;
    o[2] = (float)__isShared(tile) + (float)__isGlobal(o) + (float)__cvta_generic_to_shared(tile);
    shared_with_host = n;
}

__global__ void caches(float* o, const float4* v, const int2* w, const unsigned char* b, const double* d) {
    const float4 x = __ldg(v), y = __ldcg(v + 1);
    const int2 z = __ldcs(w);
    o[0] = x.x + y.w + z.y + __ldg(b) + (float)__ldca(d) + (float)__ldcv(d + 1);
    __stcs(o + 1, 1.0f);
    __stcg(o + 2, 2.0f);
    __stwt(o + 3, 3.0f);
    __stwb(reinterpret_cast<float4*>(o) + 1, make_float4(1, 2, 3, 4));
}

__global__ void copies(float* o, const float* a) {
    __shared__ float4 tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], a + 4 * threadIdx.x, sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    o[threadIdx.x] = tile[63 - threadIdx.x].x;
}

__global__ void textures(cudaTextureObject_t t, float* o, float4* v, unsigned char* b) {
    o[0] = tex1Dfetch<float>(t, 3) + tex1D<float>(t, 0.5f) + tex2D<float>(t, 1.5f, 2.5f) + tex3D<float>(t, 1, 2, 3);
    v[0] = tex2D<float4>(t, 1.5f, 2.5f);
    b[0] = tex1Dfetch<unsigned char>(t, 3);
    o[1] = tex2DLayered<float>(t, 1.0f, 2.0f, 3) + tex2DLod<float>(t, 1.0f, 2.0f, 0.0f);
}

struct Adder {
    float by;
    __host__ __device__ float operator()(float x) const { return x + by; }
};

template <class F>
__global__ void apply(float* p, F f) {
    p[threadIdx.x] = f(p[threadIdx.x]);
}

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__global__ void calls(int* o, int n) {
    printf("%d of %d, %f\n", threadIdx.x, n, 0.5);
    assert(n > 0);
    int* more = (int*)malloc(sizeof(int) * n);
    if (more != nullptr) more[0] = n;
    o[0] = more[0] + fibonacci(n);
    free(more);
    Body* body = new Body{1, 2, 3, 4};
    o[1] = (int)body->mass;
    delete body;
    memset(o + 2, 0, 16);
    memcpy(o + 6, o + 2, 16);
    if (n > 1000) __trap();
}

int main() {
    float *p = nullptr, *q = nullptr;
    cudaMalloc(&p, 256);
    cudaMalloc(&q, 256);
    cudaMemset(p, 0, 256);
    spaces<<<1, 64, 256>>>(q, p, 3);
    apply<<<1, 32>>>(p, Adder{2.0f});
    float host[64] = {};
    cudaMemcpyToSymbol(table, host, sizeof host);
    cudaMemcpyFromSymbol(host, counter, sizeof(float));
    cudaFree(p);
    cudaFree(q);
    return shared_with_host == 5 ? 0 : 1;
}
