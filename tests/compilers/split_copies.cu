// Copies of aligned records that clang splits, and accesses that look alike and are apart in the source. Each kernel
// runs once with one block of 64 threads.
#include <cstdio>

constexpr int kThreads = 64;
#define T threadIdx.x

struct __align__(16) Node {
    int left, right;
    float key;
    short depth;
    char flag;
};
struct __align__(16) Span {
    float* start;
    int length;
};
// Copies itself by members: the source writes four accesses.
struct __align__(16) ByMembers {
    float x, y, z, w;
    __device__ ByMembers& operator=(const ByMembers& other) {
        x = other.x;
        w = other.w;
        return *this;
    }
};
// One line and column for the compiler: a copy, and accesses that are apart.
#define COPY_AND_PARTS(to, from)  \
    do {                          \
        float4 all = *(from);     \
        (to)[0] = all.x + all.w;  \
        (to)[256] = (from)[64].x; \
        (to)[512] = (from)[64].w; \
    } while (0)

// The compiler splits these.
__global__ void split_record(const Node* a, Node* y) {
    Node node = a[T];
    node.key += 1;
    y[T] = node;
}
__global__ void split_pointer(const Span* a, Span* y) {
    Span span = a[T];
    span.length += 1;
    y[T] = span;
}
__global__ void split_in_shared(const int* a, int* y) {
    __shared__ Node nodes[kThreads];
    Node node = {a[T], a[T + 64], 1.0f, 2, 3};
    nodes[T] = node;
    __syncthreads();
    node = nodes[63 - T];
    y[T] = node.left + node.depth;
}
// These stay whole: what to do where it splits.
__global__ void whole_record(const Node* a, Node* y) {
    Node node;
    *(int4*)&node = *(const int4*)&a[T];
    node.key += 1;
    *(int4*)&y[T] = *(const int4*)&node;
}
__global__ void whole_vector(const float4* a, float4* y) {
    float4 v = a[T];
    v.x += v.w;
    y[T] = v;
}
__global__ void whole_twice(const float4* a, float4* y) {
#pragma unroll
    for (int i = 0; i < 4; ++i) y[T + i * kThreads] = a[T + i * kThreads];
}
struct __align__(16) Long {
    float4 v[12];
};
__global__ void whole_long(const Long* a, Long* y) { y[T] = a[T]; }
// The source has several accesses.
__global__ void apart_members(const float4* a, float* y) { y[T] = a[T].x + a[T].w; }
__global__ void apart_elements(const float* a, float* y) { y[T] = a[T * 4] + a[T * 4 + 3]; }
__global__ void apart_by_operator(const ByMembers* a, ByMembers* y) { y[T] = a[T]; }
__global__ void apart_in_macro(const float4* a, float* y) { COPY_AND_PARTS(y + T, a + T); }
__global__ void apart_stores(float4* y, float v) { y[T].x = v, y[T].w = v; }
__global__ void apart_unaligned(const float3* a, float3* y) { y[T] = a[T]; }

int main() {
    char *a, *y;
    cudaMalloc(&a, 1 << 15), cudaMalloc(&y, 1 << 15);
    cudaMemset(a, 0, 1 << 15), cudaMemset(y, 0, 1 << 15);
#define RUN(kernel, from, to) kernel<<<1, kThreads>>>((from*)a, (to*)y)
    RUN(split_record, Node, Node), RUN(split_pointer, Span, Span), RUN(split_in_shared, int, int);
    RUN(whole_record, Node, Node), RUN(whole_vector, float4, float4), RUN(whole_twice, float4, float4);
    RUN(whole_long, Long, Long), RUN(apart_members, float4, float), RUN(apart_elements, float, float);
    RUN(apart_by_operator, ByMembers, ByMembers), RUN(apart_in_macro, float4, float);
    apart_stores<<<1, kThreads>>>((float4*)y, 1.0f);
    RUN(apart_unaligned, float3, float3);
    puts(cudaDeviceSynchronize() == cudaSuccess ? "PASS" : "FAIL");
    cudaFree(a), cudaFree(y);
}
