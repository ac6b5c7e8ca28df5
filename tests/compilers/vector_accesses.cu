// 60 ways to load, store and copy vectors. Each kernel runs once with one block of 64 threads, and does one thing, so
// that its accesses are those of the way it spells them.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>
#include <cstring>

constexpr int kThreads = 64;
#define T threadIdx.x
#define FLOAT4(value) (reinterpret_cast<float4*>(&(value))[0])
#define CONST_FLOAT4(value) (reinterpret_cast<const float4*>(&(value))[0])

struct __align__(16) Half8 {
    __half2 a, b, c, d;
};
struct __align__(8) Pair {
    float key;
    int value;
};
struct __align__(16) Particle {
    float4 place, speed;
};
struct Packet {
    float4 v;
    int n;
};
template <typename E, int N>
struct __align__(sizeof(E) * N) Vector {
    E of[N];
    __device__ E& operator[](int i) { return of[i]; }
    __device__ const E& operator[](int i) const { return of[i]; }
};
union Bits {
    float4 v;
    unsigned u[4];
};
struct alignas(16) Words {
    unsigned w[4];
};

// Shared memory as an array of scalars.
__global__ void k01_shared_assign(const float* a, float* y) {
    __shared__ float s[256];
    *(float4*)&s[T * 4] = *(const float4*)&a[T * 4];
    __syncthreads();
    y[T] = s[255 - T];
}
__global__ void k02_shared_by_value(const float* a, float* y) {
    __shared__ float s[256];
    float4 t = *(const float4*)&a[T * 4];
    *(float4*)&s[T * 4] = t;
    __syncthreads();
    y[T] = s[255 - T];
}
__global__ void k03_shared_by_members(const float* a, float* y) {
    __shared__ float s[256];
    float4 t = reinterpret_cast<const float4*>(a)[T];
    s[T * 4] = t.x;
    s[T * 4 + 1] = t.y;
    s[T * 4 + 2] = t.z;
    s[T * 4 + 3] = t.w;
    __syncthreads();
    y[T] = s[255 - T];
}
__global__ void k04_shared_aligned(const float* a, float* y) {
    __shared__ __align__(16) float s[256];
    *(float4*)&s[T * 4] = *(const float4*)&a[T * 4];
    __syncthreads();
    y[T] = s[255 - T];
}
__global__ void k05_shared_macro(float* a, float* y) {
    __shared__ float s[64][4];
    FLOAT4(s[T][0]) = FLOAT4(a[T * 4]);
    __syncthreads();
    y[T] = s[63 - T][1];
}
__global__ void k06_shared_rows(const float* a, float* y) {
    __shared__ float s[16][20];
    FLOAT4(s[T / 4][T % 4 * 4]) = CONST_FLOAT4(a[T * 4]);
    __syncthreads();
    y[T] = s[T % 16][T / 16];
}
__global__ void k07_shared_to_global(const float* a, float* y) {
    __shared__ float s[256];
    s[T] = a[T], s[T + 64] = a[T + 64], s[T + 128] = a[T + 128], s[T + 192] = a[T + 192];
    __syncthreads();
    reinterpret_cast<float4*>(y)[T] = *reinterpret_cast<float4*>(&s[T * 4]);
}
__global__ void k08_shared_to_registers(const float* a, float* y) {
    __shared__ float s[256];
    s[T] = a[T], s[T + 64] = a[T + 64], s[T + 128] = a[T + 128], s[T + 192] = a[T + 192];
    __syncthreads();
    const float4 t = *reinterpret_cast<const float4*>(&s[T * 4]);
    y[T] = t.x + t.y + t.z + t.w;
}
__global__ void k09_shared_dynamic(const float* a, float* y) {
    extern __shared__ float dynamic[];
    *reinterpret_cast<float4*>(&dynamic[T * 4]) = reinterpret_cast<const float4*>(a)[T];
    __syncthreads();
    y[T] = dynamic[255 - T];
}
__global__ void k10_shared_bytes(const float* a, float* y) {
    __shared__ char bytes[1024];
    *reinterpret_cast<float4*>(&bytes[T * 16]) = reinterpret_cast<const float4*>(a)[T];
    __syncthreads();
    y[T] = *reinterpret_cast<float*>(&bytes[(63 - T) * 4]);
}
__global__ void k11_shared_half2(const __half* a, __half* y) {
    __shared__ __half s[128];
    *(__half2*)&s[T * 2] = *(const __half2*)&a[T * 2];
    __syncthreads();
    y[T] = s[127 - T];
}
__global__ void k12_shared_half8_by_float4(const __half* a, __half* y) {
    __shared__ __half s[512];
    *reinterpret_cast<float4*>(&s[T * 8]) = *reinterpret_cast<const float4*>(&a[T * 8]);
    __syncthreads();
    y[T] = s[511 - T];
}
__global__ void k13_shared_half8_by_uint4(const __half* a, __half* y) {
    __shared__ __half s[64][8];
    *reinterpret_cast<uint4*>(s[T]) = *reinterpret_cast<const uint4*>(a + T * 8);
    __syncthreads();
    y[T] = s[63 - T][2];
}
__global__ void k14_shared_half8_struct(const __half* a, __half* y) {
    __shared__ __half s[512];
    *reinterpret_cast<Half8*>(s + T * 8) = *reinterpret_cast<const Half8*>(a + T * 8);
    __syncthreads();
    y[T] = s[511 - T];
}
__global__ void k15_shared_bf162(const __nv_bfloat16* a, __nv_bfloat16* y) {
    __shared__ __nv_bfloat16 s[128];
    *reinterpret_cast<__nv_bfloat162*>(&s[T * 2]) = *reinterpret_cast<const __nv_bfloat162*>(&a[T * 2]);
    __syncthreads();
    y[T] = s[127 - T];
}
__global__ void k16_shared_char4(const unsigned char* a, unsigned char* y) {
    __shared__ unsigned char s[256];
    *reinterpret_cast<uchar4*>(&s[T * 4]) = *reinterpret_cast<const uchar4*>(&a[T * 4]);
    __syncthreads();
    y[T] = s[255 - T];
}
__global__ void k17_shared_words_of_bytes(const unsigned char* a, unsigned* y) {
    __shared__ unsigned char s[256];
    *reinterpret_cast<unsigned*>(&s[T * 4]) = *reinterpret_cast<const unsigned*>(&a[T * 4]);
    __syncthreads();
    y[T] = *reinterpret_cast<unsigned*>(&s[252 - T * 4]);
}
__global__ void k18_shared_double2(const double* a, double* y) {
    __shared__ double s[128];
    *reinterpret_cast<double2*>(&s[T * 2]) = *reinterpret_cast<const double2*>(&a[T * 2]);
    __syncthreads();
    y[T] = s[127 - T];
}
__global__ void k19_shared_float2(const float* a, float* y) {
    __shared__ float s[128];
    *reinterpret_cast<float2*>(&s[T * 2]) = *reinterpret_cast<const float2*>(&a[T * 2]);
    __syncthreads();
    y[T] = s[127 - T];
}
__global__ void k20_shared_reference(const float* a, float* y) {
    __shared__ float s[256];
    float4& to = reinterpret_cast<float4&>(s[T * 4]);
    to = reinterpret_cast<const float4&>(a[T * 4]);
    __syncthreads();
    y[T] = s[255 - T];
}
__global__ void k21_shared_to_shared(const float* a, float* y) {
    __shared__ float s[256], r[256];
    s[T] = a[T], s[T + 64] = a[T + 64], s[T + 128] = a[T + 128], s[T + 192] = a[T + 192];
    __syncthreads();
    *reinterpret_cast<float4*>(&r[T * 4]) = *reinterpret_cast<float4*>(&s[252 - T * 4]);
    __syncthreads();
    y[T] = r[255 - T];
}
__global__ void k22_shared_member_of_cast(const float* a, float* y) {
    __shared__ float s[256];
    s[T] = a[T], s[T + 64] = a[T + 64], s[T + 128] = a[T + 128], s[T + 192] = a[T + 192];
    __syncthreads();
    y[T] = ((float4*)&s[T * 4])->x + ((float4*)&s[T * 4])->y + ((float4*)&s[T * 4])->z + ((float4*)&s[T * 4])->w;
}
__global__ void k23_shared_make(const float* a, float* y) {
    __shared__ float s[256];
    FLOAT4(s[T * 4]) = make_float4(a[T], a[T + 64], a[T + 128], a[T + 192]);
    __syncthreads();
    y[T] = s[255 - T];
}
__global__ void k24_shared_zero(const float* a, float* y) {
    __shared__ float s[256];
    FLOAT4(s[T * 4]) = make_float4(0, 0, 0, 0);
    __syncthreads();
    y[T] = s[255 - T] + a[T];
}
// Shared memory as an array of vectors.
__global__ void k25_shared_of_float4(const float4* a, float4* y) {
    __shared__ float4 s[64];
    s[T] = a[T];
    __syncthreads();
    y[T] = s[63 - T];
}
__global__ void k26_shared_of_float4_one_member(const float4* a, float* y) {
    __shared__ float4 s[64];
    s[T] = a[T];
    __syncthreads();
    y[T] = s[63 - T].y;
}
__global__ void k27_shared_of_pairs(const Pair* a, Pair* y) {
    __shared__ Pair s[64];
    s[T] = a[T];
    __syncthreads();
    y[T] = s[63 - T];
}
__global__ void k28_shared_of_particles(const Particle* a, Particle* y) {
    __shared__ Particle s[64];
    s[T] = a[T];
    __syncthreads();
    y[T] = s[63 - T];
}
// Global memory.
__global__ void k29_global_cast(const float* a, float* y) {
    reinterpret_cast<float4*>(y)[T] = reinterpret_cast<const float4*>(a)[T];
}
__global__ void k30_global_restrict(const float4* __restrict__ a, float4* __restrict__ y) { y[T] = a[T]; }
__global__ void k31_global_scaled(const float4* a, float4* y) {
    float4 v = a[T];
    v.x *= 2, v.y *= 2, v.z *= 2, v.w *= 2;
    y[T] = v;
}
__global__ void k32_global_ldg(const float4* a, float4* y) { y[T] = __ldg(&a[T]); }
__global__ void k33_global_ldg_half2(const __half2* a, __half2* y) { y[T] = __hadd2(__ldg(&a[T]), __ldg(&a[T + 64])); }
__global__ void k34_global_offset(const float* a, float* y) {
    *reinterpret_cast<float4*>(y + 64 + T * 4) = *reinterpret_cast<const float4*>(a + 128 + T * 4);
}
__global__ void k35_global_reference(const float* a, float* y) {
    reinterpret_cast<float4&>(y[T * 4]) = reinterpret_cast<const float4&>(a[T * 4]);
}
__global__ void k36_global_members_of_reference(const float* a, float* y) {
    const float4& v = reinterpret_cast<const float4&>(a[T * 4]);
    y[T] = v.x + v.y + v.z + v.w;
}
__device__ float sum_of(float4 v) { return v.x + v.y + v.z + v.w; }
__global__ void k37_global_argument(const float4* a, float* y) { y[T] = sum_of(a[T]); }
__device__ float4 at(const float* a, int i) { return *reinterpret_cast<const float4*>(a + i); }
__global__ void k38_global_returned(const float* a, float4* y) { y[T] = at(a, T * 4); }
template <typename V, typename E>
__device__ void copy_as(const E* from, E* to) {
    *reinterpret_cast<V*>(to) = *reinterpret_cast<const V*>(from);
}
__global__ void k39_global_template_int4(const int* a, int* y) { copy_as<int4>(a + T * 4, y + T * 4); }
__global__ void k40_global_template_vector(const float* a, float* y) {
    copy_as<Vector<float, 4>>(a + T * 4, y + T * 4);
}
__global__ void k41_global_vector_elements(const float* a, float* y) {
    Vector<float, 4> v = *reinterpret_cast<const Vector<float, 4>*>(a + T * 4);
#pragma unroll
    for (int i = 0; i < 4; ++i) v[i] = v[i] * 2 + 1;
    *reinterpret_cast<Vector<float, 4>*>(y + T * 4) = v;
}
__global__ void k42_global_vector_half8(const __half* a, __half* y) {
    auto v = *reinterpret_cast<const Vector<__half, 8>*>(a + T * 8);
#pragma unroll
    for (int i = 0; i < 8; ++i) v[i] = v[i] + v[i];
    *reinterpret_cast<Vector<__half, 8>*>(y + T * 8) = v;
}
__global__ void k43_global_union(const float4* a, float4* y) {
    Bits bits;
    bits.v = a[T];
    for (int i = 0; i < 4; ++i) bits.u[i] ^= 0x80000000u;
    y[T] = bits.v;
}
__global__ void k44_global_union_of_shared(const float4* a, float* y) {
    __shared__ Bits s[64];
    s[T].v = a[T];
    __syncthreads();
    y[T] = __uint_as_float(s[63 - T].u[T % 4]);
}
__global__ void k45_global_memcpy_vectors(const float4* a, float4* y) {
    float4 v;
    memcpy(&v, &a[T], sizeof v);
    v.x += 1;
    memcpy(&y[T], &v, sizeof v);
}
__global__ void k46_global_pairs(const Pair* a, Pair* y) {
    Pair p = a[T];
    p.value += 1;
    y[T] = p;
}
__global__ void k47_global_particles(Particle* y, float step) {
    Particle p = y[T];
    p.place.x += step * p.speed.x, p.place.y += step * p.speed.y, p.place.z += step * p.speed.z;
    y[T] = p;
}
__global__ void k48_global_packets(const Packet* a, float4* y) { y[T] = a[T].v; }
__global__ void k49_global_char4(const uchar4* a, uchar4* y) {
    const uchar4 v = a[T];
    y[T] = make_uchar4(v.z, v.y, v.x, v.w);
}
__global__ void k50_global_short4(const short4* a, short4* y) {
    short4 v = a[T];
    v.x += v.y;
    y[T] = v;
}
__global__ void k51_global_double2(const double2* a, double2* y) {
    const double2 v = a[T];
    y[T] = make_double2(v.y, v.x);
}
__global__ void k52_global_loop(const float4* a, float4* y, int n) {
    for (int i = T; i < n; i += kThreads) y[i] = a[i];
}
__global__ void k53_global_unrolled(const float4* a, float4* y) {
    float4 v[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) v[i] = a[T + i * kThreads];
#pragma unroll
    for (int i = 0; i < 4; ++i) y[T + i * kThreads] = v[i];
}
__global__ void k54_registers_of_floats(const float* a, float* y) {
    float r[8];
    FLOAT4(r[0]) = CONST_FLOAT4(a[T * 8]);
    FLOAT4(r[4]) = CONST_FLOAT4(a[T * 8 + 4]);
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) sum += r[i] * r[i];
    y[T] = sum;
}
__global__ void k55_registers_to_global(const float* a, float* y) {
    float r[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) r[i] = a[T + 64 * i] * 2;
    FLOAT4(y[T * 4]) = FLOAT4(r[0]);
}
__global__ void k56_global_half2_of_uint4(const uint4* a, float* y) {
    const uint4 v = a[T];
    const __half2* h = reinterpret_cast<const __half2*>(&v);
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const float2 f = __half22float2(h[i]);
        sum += f.x + f.y;
    }
    y[T] = sum;
}
__global__ void k57_local_of_float4(const float4* a, float4* y, int which) {
    float4 local[8];
    for (int i = 0; i < 8; ++i) local[i] = a[T + i];
    y[T] = local[which];
}
__global__ void k58_global_words(const Words* a, Words* y) {
    Words v = a[T];
#pragma unroll
    for (unsigned& w : v.w) w = ~w;
    y[T] = v;
}
__global__ void k59_group_copy(const float4* a, float4* y) {
    __shared__ float4 s[64];
    const auto block = cooperative_groups::this_thread_block();
    cooperative_groups::memcpy_async(block, s, a, sizeof s);
    cooperative_groups::wait(block);
    y[T] = s[63 - T];
}
__global__ void k60_volatile_pairs(const volatile float* a, volatile float* y) {
    const float x = a[T * 2], z = a[T * 2 + 1];
    y[T * 2] = z;
    y[T * 2 + 1] = x;
}

int main() {
    char *a, *y;
    cudaMalloc(&a, 1 << 14), cudaMalloc(&y, 1 << 14);
    cudaMemset(a, 0, 1 << 14), cudaMemset(y, 0, 1 << 14);
#define RUN(kernel, from, to) kernel<<<1, kThreads, 1024>>>((from*)a, (to*)y)
    RUN(k01_shared_assign, float, float), RUN(k02_shared_by_value, float, float);
    RUN(k03_shared_by_members, float, float), RUN(k04_shared_aligned, float, float);
    RUN(k05_shared_macro, float, float), RUN(k06_shared_rows, float, float);
    RUN(k07_shared_to_global, float, float), RUN(k08_shared_to_registers, float, float);
    RUN(k09_shared_dynamic, float, float), RUN(k10_shared_bytes, float, float);
    RUN(k11_shared_half2, __half, __half), RUN(k12_shared_half8_by_float4, __half, __half);
    RUN(k13_shared_half8_by_uint4, __half, __half), RUN(k14_shared_half8_struct, __half, __half);
    RUN(k15_shared_bf162, __nv_bfloat16, __nv_bfloat16), RUN(k16_shared_char4, unsigned char, unsigned char);
    RUN(k17_shared_words_of_bytes, unsigned char, unsigned), RUN(k18_shared_double2, double, double);
    RUN(k19_shared_float2, float, float), RUN(k20_shared_reference, float, float);
    RUN(k21_shared_to_shared, float, float), RUN(k22_shared_member_of_cast, float, float);
    RUN(k23_shared_make, float, float), RUN(k24_shared_zero, float, float);
    RUN(k25_shared_of_float4, float4, float4), RUN(k26_shared_of_float4_one_member, float4, float);
    RUN(k27_shared_of_pairs, Pair, Pair), RUN(k28_shared_of_particles, Particle, Particle);
    RUN(k29_global_cast, float, float), RUN(k30_global_restrict, float4, float4);
    RUN(k31_global_scaled, float4, float4), RUN(k32_global_ldg, float4, float4);
    RUN(k33_global_ldg_half2, __half2, __half2), RUN(k34_global_offset, float, float);
    RUN(k35_global_reference, float, float), RUN(k36_global_members_of_reference, float, float);
    RUN(k37_global_argument, float4, float), RUN(k38_global_returned, float, float4);
    RUN(k39_global_template_int4, int, int), RUN(k40_global_template_vector, float, float);
    RUN(k41_global_vector_elements, float, float), RUN(k42_global_vector_half8, __half, __half);
    RUN(k43_global_union, float4, float4), RUN(k44_global_union_of_shared, float4, float);
    RUN(k45_global_memcpy_vectors, float4, float4), RUN(k46_global_pairs, Pair, Pair);
    k47_global_particles<<<1, kThreads>>>((Particle*)y, 0.5f);
    RUN(k48_global_packets, Packet, float4), RUN(k49_global_char4, uchar4, uchar4);
    RUN(k50_global_short4, short4, short4), RUN(k51_global_double2, double2, double2);
    k52_global_loop<<<1, kThreads>>>((float4*)a, (float4*)y, 256);
    RUN(k53_global_unrolled, float4, float4), RUN(k54_registers_of_floats, float, float);
    RUN(k55_registers_to_global, float, float), RUN(k56_global_half2_of_uint4, uint4, float);
    k57_local_of_float4<<<1, kThreads>>>((float4*)a, (float4*)y, 3);
    RUN(k58_global_words, Words, Words), RUN(k59_group_copy, float4, float4);
    RUN(k60_volatile_pairs, float, float);
    puts(cudaDeviceSynchronize() == cudaSuccess ? "PASS" : "FAIL");
    cudaFree(a), cudaFree(y);
}
