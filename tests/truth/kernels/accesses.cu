// What the assembler makes of accesses besides products: merged stores, parts of vectors, uniform atomics, values that a
// thread reads back. Every kernel is one question.
#include "truth.h"

struct Four { double a, b, c, d; };
struct Three { float x, y, z; };
struct Quad { float x, y, z, w; };
struct Pair { double x, y; };

// Stores of neighbouring members.
__global__ void store_four_doubles(const double* in, double* out) {
    __shared__ Four cells[128];
    int t = threadIdx.x;
    double v = in[blockIdx.x * 128 + t];
    cells[t] = {v, v * 2, v * 3, v * 4};
    __syncthreads();
    Four f = cells[127 - t];
    out[blockIdx.x * 128 + t] = f.a + f.b * f.c + f.d;
}
__global__ void store_quads(const float* in, float* out) {
    __shared__ Quad cells[128];
    int t = threadIdx.x;
    float v = in[blockIdx.x * 128 + t];
    cells[t] = {v, v * 2, v * 3, v * 4};
    __syncthreads();
    Quad f = cells[127 - t];
    out[blockIdx.x * 128 + t] = f.x + f.y * f.z + f.w;
}
__global__ void store_threes(const float* in, float* out) {
    __shared__ Three cells[128];
    int t = threadIdx.x;
    float v = in[blockIdx.x * 128 + t];
    cells[t] = {v, v * 2, v * 3};
    __syncthreads();
    Three f = cells[127 - t];
    out[blockIdx.x * 128 + t] = f.x + f.y * f.z;
}
// Three of four: a wide load reaches over the gap, a store does not.
__global__ void three_of_four(const float* in, float* out) {
    __shared__ float cells[512];
    int t = threadIdx.x;
    float v = in[blockIdx.x * 128 + t];
    cells[t * 4] = v;
    cells[t * 4 + 1] = v * 2;
    cells[t * 4 + 2] = v * 3;
    __syncthreads();
    int u = 127 - t;
    out[blockIdx.x * 128 + t] = cells[u * 4] + cells[u * 4 + 1] * cells[u * 4 + 2];
}
// Two of four, neither aligned: nothing merges.
__global__ void middle_two(const float* in, float* out) {
    __shared__ float cells[512];
    int t = threadIdx.x;
    float v = in[blockIdx.x * 128 + t];
    cells[t * 4 + 1] = v;
    cells[t * 4 + 2] = v * 3;
    __syncthreads();
    int u = 127 - t;
    out[blockIdx.x * 128 + t] = cells[u * 4 + 1] * cells[u * 4 + 2];
}
// Something between the two stores: to global memory, to other shared memory.
__global__ void store_between(const float* in, float* out) {
    __shared__ float cells[256], others[128];
    int t = threadIdx.x;
    float v = in[blockIdx.x * 128 + t];
    cells[t * 2] = v;
    others[127 - t] = v;
    cells[t * 2 + 1] = v * 3;
    __syncthreads();
    out[blockIdx.x * 128 + t] = cells[t ^ 5] + cells[(t + 77) & 127] + others[t];
}
__global__ void halves(const unsigned short* in, unsigned* out) {
    __shared__ unsigned short cells[512];
    int t = threadIdx.x;
    unsigned short v = in[blockIdx.x * 128 + t];
    cells[t * 4] = v;
    cells[t * 4 + 1] = v ^ 3;
    cells[t * 4 + 2] = v + 5;
    cells[t * 4 + 3] = v * 7;
    __syncthreads();
    int u = 127 - t;
    out[blockIdx.x * 128 + t] = cells[u * 4] + cells[u * 4 + 1] * 3 + cells[u * 4 + 2] * 5 + cells[u * 4 + 3];
}
// Cleared by many threads, several elements each.
__global__ void cleared(const int* keys, int* out, int n) {
    __shared__ int bins[1024];
    for (int i = 0; i < 4; ++i) bins[threadIdx.x * 4 + i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&bins[keys[i] * 3 & 1023], 1);
    __syncthreads();
    for (int i = 0; i < 4; ++i) atomicAdd(&out[threadIdx.x & 255], bins[threadIdx.x * 4 + i]);
}
// Parts of vectors from global and shared memory.
__global__ void part_xy(const float4* in, float* out) {
    float4 v = in[blockIdx.x * 128 + threadIdx.x];
    out[blockIdx.x * 128 + threadIdx.x] = v.x + v.y;
}
__global__ void part_xz(const float4* in, float* out) {
    float4 v = in[blockIdx.x * 128 + threadIdx.x];
    out[blockIdx.x * 128 + threadIdx.x] = v.x + v.z;
}
__global__ void part_w(const float4* in, float* out) {
    float4 v = in[blockIdx.x * 128 + threadIdx.x];
    out[blockIdx.x * 128 + threadIdx.x] = v.w;
}
__global__ void part_xyz(const float4* in, float* out) {
    float4 v = in[blockIdx.x * 128 + threadIdx.x];
    out[blockIdx.x * 128 + threadIdx.x] = v.x + v.y * v.z;
}
__global__ void part_shared_xz(const float4* in, float* out) {
    __shared__ float4 cells[128];
    cells[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    __syncthreads();
    float4 v = cells[127 - threadIdx.x];
    out[blockIdx.x * 128 + threadIdx.x] = v.x + v.z;
}
__global__ void part_shared_y(const float4* in, float* out) {
    __shared__ float4 cells[128];
    cells[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    __syncthreads();
    float4 v = cells[127 - threadIdx.x];
    out[blockIdx.x * 128 + threadIdx.x] = v.y;
}
// Structs in global memory: what a pointer points to is not known to be aligned.
__global__ void global_quads(const Quad* in, Quad* out) {
    Quad q = in[blockIdx.x * 128 + threadIdx.x];
    out[blockIdx.x * 128 + threadIdx.x] = {q.w, q.z, q.y, q.x};
}
// A local array: neighbours that the thread writes and reads at an index of its own.
__global__ void local_neighbours(const int* in, float* out) {
    float stack[64];
    int t = threadIdx.x, at = in[blockIdx.x * 128 + t] & 15;
    for (int i = 0; i < 64; ++i) stack[i] = i * 0.5f;
    stack[at * 4] = t;
    float sum = 0;
    for (int k = 0; k < 4; ++k) sum += stack[(at ^ 5) * 4 + k] * (k + 1);
    out[blockIdx.x * 128 + t] = sum;
}
// Loops that the assembler unrolls: rows read along k.
template <int N, int ROWS>
__global__ void rows_along(const float* in, float* out) {
    __shared__ float cells[32 * ROWS * N / 4];
    for (int i = threadIdx.x; i < 32 * ROWS * N / 4; i += 128) cells[i] = in[i];
    __syncthreads();
    float sum[ROWS] = {};
    const float* mine = cells + threadIdx.x / 16 * ROWS * N;
#pragma unroll 1
    for (int k = 0; k < N; ++k)
        for (int r = 0; r < ROWS; ++r) sum[r] += mine[r * N + k] * sum[(r + 1) % ROWS] + 1.0f;
    float total = 0;
    for (int r = 0; r < ROWS; ++r) total += sum[r];
    out[blockIdx.x * 128 + threadIdx.x] = total;
}
template <int N, int ROWS>
__global__ void rows_plain(const float* in, float* out) {
    __shared__ float cells[32 * ROWS * N / 4];
    for (int i = threadIdx.x; i < 32 * ROWS * N / 4; i += 128) cells[i] = in[i];
    __syncthreads();
    float sum[ROWS] = {};
    const float* mine = cells + threadIdx.x / 16 * ROWS * N;
    for (int k = 0; k < N; ++k)
        for (int r = 0; r < ROWS; ++r) sum[r] += mine[r * N + k] * sum[(r + 1) % ROWS] + 1.0f;
    float total = 0;
    for (int r = 0; r < ROWS; ++r) total += sum[r];
    out[blockIdx.x * 128 + threadIdx.x] = total;
}
// A value that the thread stored itself.
__global__ void read_back(const float* in, float* out) {
    __shared__ float cells[128];
    cells[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
    float own = cells[threadIdx.x];
    __syncthreads();
    out[blockIdx.x * 128 + threadIdx.x] = own + cells[127 - threadIdx.x];
}
// The address of an atomic is the same for all lanes by its making, or is not known to be.
enum Op { kAdd, kMin, kMax, kAnd, kOr, kXor, kExch, kInc, kAddOne, kAddFloat, kAdd64, kAddOne64 };
template <int OP, class T>
__device__ T update(T* p, T v) {
    if constexpr (OP == kAdd || OP == kAddFloat || OP == kAdd64) return atomicAdd(p, v);
    if constexpr (OP == kMin) return atomicMin(p, v);
    if constexpr (OP == kMax) return atomicMax(p, v);
    if constexpr (OP == kAnd) return atomicAnd(p, v);
    if constexpr (OP == kOr) return atomicOr(p, v);
    if constexpr (OP == kXor) return atomicXor(p, v);
    if constexpr (OP == kExch) return atomicExch(p, v);
    if constexpr (OP == kInc) return atomicInc(p, 1000000u);
    if constexpr (OP == kAddOne || OP == kAddOne64) return atomicAdd(p, T(1));
    return v;
}
template <int OP, class T>
__global__ void uniform_reduction(const unsigned* in, T* out) {
    update<OP, T>(&out[4], T(in[blockIdx.x * 128 + threadIdx.x]));
}
template <int OP, class T>
__global__ void uniform_atomic(const unsigned* in, T* out) {
    T old = update<OP, T>(&out[4], T(in[blockIdx.x * 128 + threadIdx.x]));
    if (old == T(12345678)) out[8] = 1;
}
template <int OP, class T>
__global__ void uniform_partial(const unsigned* in, T* out) {
    if (threadIdx.x % 3 == 0) update<OP, T>(&out[4], T(in[blockIdx.x * 128 + threadIdx.x]));
}
template <int OP, class T>
__global__ void partial_atomic(const unsigned* in, T* out) {
    if (threadIdx.x % 3 != 0) return;
    T old = update<OP, T>(&out[4], T(in[blockIdx.x * 128 + threadIdx.x]));
    if (old == T(12345678)) out[8] = 1;
}
template <int OP, class T>
__global__ void by_warp(const unsigned* in, T* out) {
    update<OP, T>(&out[threadIdx.x / 32], T(in[blockIdx.x * 128 + threadIdx.x]));
}
template <int OP, class T>
__global__ void by_block(const unsigned* in, T* out) {
    update<OP, T>(&out[blockIdx.x], T(in[blockIdx.x * 128 + threadIdx.x]));
}
template <int OP, class T>
__global__ void loaded_address(const unsigned* in, T* out) {
    update<OP, T>(&out[in[blockIdx.x] & 63], T(in[blockIdx.x * 128 + threadIdx.x]));
}
template <int OP, class T>
__global__ void shared_uniform(const unsigned* in, T* out) {
    __shared__ T cell[4];
    if (threadIdx.x < 4) cell[threadIdx.x] = 0;
    __syncthreads();
    update<OP, T>(&cell[1], T(in[blockIdx.x * 128 + threadIdx.x]));
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = cell[1];
}
template <int OP, class T>
__global__ void shared_uniform_result(const unsigned* in, T* out) {
    __shared__ T cell[4];
    if (threadIdx.x < 4) cell[threadIdx.x] = 0;
    __syncthreads();
    T old = update<OP, T>(&cell[1], T(in[blockIdx.x * 128 + threadIdx.x]));
    if (old == T(12345678)) out[500] = 1;
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = cell[1];
}

#define ATOMIC(kernel, OP, T) CASE(#kernel "_" #OP, reinterpret_cast<T*>(cells), 512, (kernel<OP, T><<<64, 128>>>(keys, reinterpret_cast<T*>(cells))))

int main() {
    float *in = floats(1 << 17), *out = floats(1 << 14);
    double* doubles = device_buffer<double>(1 << 14, [](size_t i) { return double(value(i)); });
    unsigned* keys = device_buffer<unsigned>(1 << 16, [](size_t i) { return unsigned(value(i) * 256); });
    unsigned short* shorts = device_buffer<unsigned short>(1 << 14, [](size_t i) { return (unsigned short)(value(i) * 256); });
    double* cells = device_buffer<double>(512, [](size_t) { return 0.0; });
    const int n = 64 * 128;
    CASE("store_four_doubles", (double*)out, n, (store_four_doubles<<<64, 128>>>(doubles, (double*)out)));
    CASE("store_quads", out, n, (store_quads<<<64, 128>>>(in, out)));
    CASE("store_threes", out, n, (store_threes<<<64, 128>>>(in, out)));
    CASE("three_of_four", out, n, (three_of_four<<<64, 128>>>(in, out)));
    CASE("middle_two", out, n, (middle_two<<<64, 128>>>(in, out)));
    CASE("store_between", out, n, (store_between<<<64, 128>>>(in, out)));
    CASE("halves", (unsigned*)out, n, (halves<<<64, 128>>>(shorts, (unsigned*)out)));
    CASE("cleared", (int*)out, 256, (cleared<<<64, 256>>>((int*)keys, (int*)out, 1 << 16)));
    CASE("part_xy", out, n, (part_xy<<<64, 128>>>((float4*)in, out)));
    CASE("part_xz", out, n, (part_xz<<<64, 128>>>((float4*)in, out)));
    CASE("part_w", out, n, (part_w<<<64, 128>>>((float4*)in, out)));
    CASE("part_xyz", out, n, (part_xyz<<<64, 128>>>((float4*)in, out)));
    CASE("part_shared_xz", out, n, (part_shared_xz<<<64, 128>>>((float4*)in, out)));
    CASE("part_shared_y", out, n, (part_shared_y<<<64, 128>>>((float4*)in, out)));
    CASE("global_quads", out, n, (global_quads<<<16, 128>>>((Quad*)in, (Quad*)out)));
    CASE("local_neighbours", out, n, (local_neighbours<<<64, 128>>>((int*)keys, out)));
    CASE("rows_along_16_2", out, n, (rows_along<16, 2><<<64, 128>>>(in, out)));
    CASE("rows_along_64_4", out, n, (rows_along<64, 4><<<64, 128>>>(in, out)));
    CASE("rows_plain_16_2", out, n, (rows_plain<16, 2><<<64, 128>>>(in, out)));
    CASE("rows_plain_64_4", out, n, (rows_plain<64, 4><<<64, 128>>>(in, out)));
    CASE("read_back", out, n, (read_back<<<64, 128>>>(in, out)));
    ATOMIC(uniform_reduction, kAdd, unsigned);
    ATOMIC(uniform_reduction, kMin, unsigned);
    ATOMIC(uniform_reduction, kMax, unsigned);
    ATOMIC(uniform_reduction, kAnd, unsigned);
    ATOMIC(uniform_reduction, kOr, unsigned);
    ATOMIC(uniform_reduction, kXor, unsigned);
    ATOMIC(uniform_reduction, kInc, unsigned);
    ATOMIC(uniform_reduction, kAddOne, unsigned);
    ATOMIC(uniform_reduction, kAddFloat, float);
    ATOMIC(uniform_reduction, kAdd64, unsigned long long);
    ATOMIC(uniform_reduction, kAddOne64, unsigned long long);
    ATOMIC(uniform_atomic, kAdd, unsigned);
    ATOMIC(uniform_atomic, kMax, unsigned);
    ATOMIC(uniform_atomic, kAddOne, unsigned);
    ATOMIC(uniform_atomic, kAddOne64, unsigned long long);
    ATOMIC(uniform_atomic, kAddFloat, float);
    ATOMIC(uniform_partial, kAdd, unsigned);
    ATOMIC(uniform_partial, kMax, unsigned);
    ATOMIC(uniform_partial, kAddOne, unsigned);
    ATOMIC(partial_atomic, kAdd, unsigned);
    ATOMIC(partial_atomic, kAddOne, unsigned);
    ATOMIC(by_warp, kAdd, unsigned);
    ATOMIC(by_block, kMax, unsigned);
    ATOMIC(loaded_address, kAdd, unsigned);
    ATOMIC(loaded_address, kAddOne, unsigned);
    ATOMIC(shared_uniform, kAdd, unsigned);
    ATOMIC(shared_uniform, kMax, unsigned);
    ATOMIC(shared_uniform, kOr, unsigned);
    ATOMIC(shared_uniform, kAddOne, unsigned);
    ATOMIC(shared_uniform, kExch, unsigned);
    ATOMIC(shared_uniform_result, kAdd, unsigned);
    ATOMIC(shared_uniform_result, kMax, unsigned);
    ATOMIC(shared_uniform_result, kAddOne, unsigned);
    return 0;
}
