// CUDA's vector types: making, operators, loads by four, dim3.
#include <cstdint>

#include "idioms.cuh"

__host__ __device__ inline float4 operator+(float4 a, float4 b) {
    return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
__host__ __device__ inline float4 operator*(float s, float4 a) {
    return make_float4(s * a.x, s * a.y, s * a.z, s * a.w);
}
__host__ __device__ inline float4& operator+=(float4& a, const float4& b) { return a = a + b; }
__host__ __device__ inline bool operator==(float4 a, float4 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}
__host__ __device__ inline float4 scaled(int i) {
    float4 v = 2.0f * make_float4(i, i + 0.5f, -i, 1);
    v += make_float4(1, 2, 4, 8);
    return v;
}
__global__ void four(float4* out) { out[threadIdx.x] = scaled(threadIdx.x); }
IDIOM(operators_for_float4) {
    Buffer<float4> out(32);
    four<<<1, 32>>>(out);
    report.expect(out, scaled);
}

__global__ void by_four(const float* in, float* out) {
    float4 v = reinterpret_cast<const float4*>(in)[threadIdx.x];
    v.x += v.w, v.y *= 2;
    reinterpret_cast<float4*>(out)[threadIdx.x] = v;
}
IDIOM(loads_by_four) {
    Buffer<float> in(128), out(128);
    for (int i = 0; i < 128; ++i) in[i] = i * 0.75f;
    by_four<<<1, 32>>>(in, out);
    report.expect(out, [&](int i) { return i % 4 == 0 ? in[i] + in[i + 3] : i % 4 == 1 ? in[i] * 2 : in[i]; });
}

__global__ void makes(uint8_t* out) {
    const int i = threadIdx.x;
    const uchar4 a = make_uchar4(i, i + 1, i + 2, 255);
    const short2 b = make_short2(-i, i * 300);
    const int3 c = make_int3(i, -i, i * i);
    const ulonglong2 d = make_ulonglong2(1ull << i, ~0ull >> i);
    const double2 e = make_double2(i / 3.0, -0.0);
    const char3 f = make_char3(1, 2, 3);
    const ushort4 g = make_ushort4(i, 65535, 7, i * 2);
    const longlong4 h = make_longlong4(i, -i, 5, 1ll << 40);
    uint8_t* p = out + i * 128;
    memcpy(p, &a, 4), memcpy(p + 4, &b, 4), memcpy(p + 8, &c, 12), memcpy(p + 24, &d, 16), memcpy(p + 40, &e, 16);
    memcpy(p + 56, &f, 3), memcpy(p + 64, &g, 8), memcpy(p + 72, &h, 32);
}
IDIOM(every_make_function) {
    Buffer<uint8_t> out(16 * 128);
    makes<<<1, 16>>>(out);
    report.add(out);
}

struct Sizes {
    size_t size, alignment;
};
template <class T>
__host__ __device__ Sizes sizes_of() {
    return {sizeof(T), alignof(T)};
}
__host__ __device__ inline void all_sizes(Sizes* s) {
    const Sizes all[] = {sizes_of<char2>(), sizes_of<char3>(),  sizes_of<short4>(),  sizes_of<int3>(),
                         sizes_of<int4>(),  sizes_of<float2>(), sizes_of<float3>(),  sizes_of<float4>(),
                         sizes_of<uint2>(), sizes_of<long2>(),  sizes_of<double2>(), sizes_of<double3>(),
                         sizes_of<dim3>(),  sizes_of<uchar1>(), sizes_of<ulong1>(),  sizes_of<longlong2>(),
                         sizes_of<uint3>()};
    for (int i = 0; i < 17; ++i) s[i] = all[i];
}
__global__ void device_sizes(Sizes* out) { all_sizes(out); }
IDIOM(sizes_on_both_sides) {
    Buffer<Sizes> out(17);
    Sizes host[17];
    device_sizes<<<1, 1>>>(out);
    all_sizes(host);
    report.add(out);
    report.check(std::memcmp(host, out.get(), sizeof host) == 0);
}

__global__ void three_dimensions(int* out) {
    const dim3 at(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                  blockIdx.z * blockDim.z + threadIdx.z);
    const uint3 extent = {gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z};
    const unsigned linear = (at.z * extent.y + at.y) * extent.x + at.x;
    out[linear] = at.x + 100 * at.y + 10000 * at.z;
}
IDIOM(grid_of_three_dimensions) {
    Buffer<int> out(8 * 6 * 4);
    const dim3 block(4, 3, 2);
    dim3 grid = {2, 2, 1};
    grid.z = 4 / block.z;
    three_dimensions<<<grid, block>>>(out);
    report.expect(out, [](int i) { return i % 8 + 100 * (i / 8 % 6) + 10000 * (i / 48); });
}

IDIOM(dim3_from_numbers) {
    const dim3 a, b(7), c{2, 3};
    const dim3 from = make_uint3(4, 5, 6);
    uint3 back = from;
    for (const unsigned x : {a.x, a.y, a.z, b.x, b.y, c.y, c.z, from.z, back.y}) report.value(x);
    report.check(a.x == 1 && a.z == 1 && b.y == 1 && c.y == 3 && c.z == 1 && back.z == 6);
}

struct Particle {
    float4 position;
    float3 velocity;
    int id;
};
__global__ void particles(Particle* p) {
    Particle mine = p[threadIdx.x];
    mine.position.x = fmaf(mine.velocity.x, 0.5f, mine.position.x);
    mine.position.w = mine.id;
    p[threadIdx.x] = mine;
}
IDIOM(structs_of_vectors) {
    Buffer<Particle> p(20);
    for (int i = 0; i < 20; ++i) p[i] = {make_float4(i, 2, 3, 4), make_float3(i * 2, 1, 0), i};
    particles<<<1, 20>>>(p);
    report.add(p);
    for (int i = 0; i < 20; ++i) report.check(p[i].position.x == 2 * i && p[i].position.w == i);
}

template <class T>
struct VectorOf;
template <>
struct VectorOf<float> {
    using Two = float2;
};
template <>
struct VectorOf<double> {
    using Two = double2;
};
template <class T>
__global__ void swap_pairs(T* data) {
    using Two = typename VectorOf<T>::Two;
    Two v = reinterpret_cast<Two*>(data)[threadIdx.x];
    const T x = v.x;
    v.x = v.y, v.y = x;
    reinterpret_cast<Two*>(data)[threadIdx.x] = v;
}
IDIOM(vector_type_from_a_trait) {
    Buffer<float> f(64);
    Buffer<double> d(64);
    for (int i = 0; i < 64; ++i) f[i] = i, d[i] = -i;
    swap_pairs<<<1, 32>>>(f.get());
    swap_pairs<<<1, 32>>>(d.get());
    report.expect(f, [](int i) { return i ^ 1; });
    report.expect(d, [](int i) { return -(i ^ 1); });
}

__global__ void components(int* out, int4 v) {
    const int* p = &v.x;
    int sum = 0;
    for (int k = 0; k < 4; ++k) sum += p[(k + threadIdx.x) % 4] << k;
    out[threadIdx.x] = sum;
}
IDIOM(components_by_index) {
    Buffer<int> out(4);
    components<<<1, 4>>>(out, make_int4(1, 2, 3, 4));
    report.expect(out, [](int t) {
        int sum = 0;
        for (int k = 0; k < 4; ++k) sum += ((k + t) % 4 + 1) << k;
        return sum;
    });
}

__constant__ float4 palette[3] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
__device__ int2 corner = {3, 4};
__global__ void initialised(float* out) {
    const float4 v = palette[threadIdx.x % 3];
    out[threadIdx.x] = v.x * corner.x + v.w * corner.y;
}
IDIOM(vectors_in_initialised_memory) {
    Buffer<float> out(9);
    initialised<<<1, 9>>>(out);
    report.expect(out, [](int i) { return (i % 3 * 4 + 1) * 3 + (i % 3 * 4 + 4) * 4; });
}
