// The language in device code: classes, unions, literals, control flow that C++ has beyond a plain loop.
// options: --compile-flags=--expt-relaxed-constexpr
#include <array>
#include <cstdint>
#include <initializer_list>
#include <new>

#include "idioms.cuh"

struct Animal {
    int legs;
    __device__ explicit Animal(int n) : legs(n) {}
    __device__ virtual int sound(int i) const { return i; }
    __device__ virtual ~Animal() {}
};
struct Cow : Animal {
    __device__ Cow() : Animal(4) {}
    __device__ int sound(int i) const override { return 2 * i + legs; }
};
struct Hen : Animal {
    __device__ Hen() : Animal(2) {}
    __device__ int sound(int i) const override { return 100 - i * legs; }
};
__global__ void virtual_calls(int* out) {
    const int i = threadIdx.x;
    Animal* animal = nullptr;
    if (i % 3 == 0)
        animal = new Cow;
    else if (i % 3 == 1)
        animal = new Hen;
    else
        animal = new Animal(8);
    out[i] = animal->sound(i);
    delete animal;
}
IDIOM(virtual_functions_of_heap_objects) {
    Buffer<int> out(64);
    virtual_calls<<<1, 64>>>(out);
    report.expect(out, [](int i) { return i % 3 == 0 ? 2 * i + 4 : i % 3 == 1 ? 100 - 2 * i : i; });
}

union Word {
    unsigned u;
    float f;
    unsigned char bytes[4];
};
__global__ void unions(unsigned* out) {
    Word w;
    w.f = 1.0f + threadIdx.x;
    Word swapped;
    for (int k = 0; k < 4; ++k) swapped.bytes[k] = w.bytes[3 - k];
    out[threadIdx.x] = swapped.u;
}
IDIOM(union_of_float_and_bytes) {
    Buffer<unsigned> out(32);
    unions<<<1, 32>>>(out);
    report.expect(out, [](int i) {
        float f = 1.0f + i;
        unsigned u;
        std::memcpy(&u, &f, 4);
        return __builtin_bswap32(u);
    });
}

struct Packed {
    unsigned red : 5, green : 6, blue : 5;
    int level : 7;
    unsigned char tail;
};
__global__ void bit_fields(Packed* out) {
    Packed p = {};
    p.red = threadIdx.x;
    p.green = threadIdx.x * 3;
    p.blue = ~threadIdx.x;
    p.level = -static_cast<int>(threadIdx.x);
    p.tail = p.red + p.blue;
    out[threadIdx.x] = p;
}
IDIOM(bit_fields_as_on_the_host) {
    Buffer<Packed> out(40);
    bit_fields<<<1, 40>>>(out);
    report.add(out);
    for (int i = 0; i < 40; ++i) report.check(out[i].level == -i && out[i].green == (i * 3 & 63));
}

struct alignas(16) Quad {
    float x, y, z;
};
struct __align__(8) Pair {
    int a, b;
};
__global__ void aligned(int* out) {
    __shared__ Quad quads[4];
    __shared__ Pair pairs[3];
    out[0] = sizeof(Quad);
    out[1] = sizeof(Pair);
    out[2] = reinterpret_cast<uintptr_t>(&quads[1]) % 16;
    out[3] = reinterpret_cast<uintptr_t>(&pairs[1]) % 8;
    out[4] = alignof(Quad);
}
IDIOM(aligned_types) {
    Buffer<int> out(5);
    aligned<<<1, 1>>>(out);
    const int expected[] = {16, 8, 0, 0, 16};
    report.expect(out, [&](int i) { return expected[i]; });
}

struct Limits {
    static constexpr int most = 40;
    static const int least = -3;
    enum Kind : unsigned char { small, large = 200 };
};
enum class Mode : int16_t { off = -1, on = 7 };
__global__ void members(int* out) {
    const int i = threadIdx.x;
    out[i] = (i > Limits::most ? Limits::most : i) + Limits::least + (i % 2 ? Limits::large : Limits::small) +
             static_cast<int>(i % 3 ? Mode::on : Mode::off);
}
IDIOM(static_members_and_enums) {
    Buffer<int> out(64);
    members<<<1, 64>>>(out);
    report.expect(out, [](int i) { return (i > 40 ? 40 : i) - 3 + (i % 2 ? 200 : 0) + (i % 3 ? 7 : -1); });
}

typedef int (*Operation)(int, int);
__device__ int plus(int a, int b) { return a + b; }
__device__ int times(int a, int b) { return a * b; }
__device__ Operation operations[2] = {plus, times};
__device__ Operation one_operation = times;
__global__ void by_pointer(int* out, Operation given) {
    const int i = threadIdx.x;
    out[i] = operations[i % 2](i, 3) + given(i, 10);
}
IDIOM(function_pointers_through_a_symbol) {
    Buffer<int> out(32);
    Operation given;
    cudaMemcpyFromSymbol(&given, one_operation, sizeof given);
    by_pointer<<<1, 32>>>(out, given);
    report.expect(out, [](int i) { return (i % 2 ? i * 3 : i + 3) + i * 10; });
}

struct Counted {
    int value;
    __device__ explicit Counted(int v) : value(v) {}
    __device__ ~Counted() { value = -1; }
};
__global__ void placed(int* out) {
    alignas(Counted) __shared__ unsigned char room[sizeof(Counted) * 32];
    Counted* mine = new (room + threadIdx.x * sizeof(Counted)) Counted(threadIdx.x * 5);
    __syncthreads();
    out[threadIdx.x] = reinterpret_cast<Counted*>(room)[31 - threadIdx.x].value;
    __syncthreads();
    mine->~Counted();
}
IDIOM(placement_new_in_shared_memory) {
    Buffer<int> out(32);
    placed<<<1, 32>>>(out);
    report.expect(out, [](int i) { return (31 - i) * 5; });
}

namespace geometry {
inline namespace v2 {
__host__ __device__ inline int norm(int x, int y) { return x * x + y * y; }
}  // namespace v2
namespace detail {
__device__ int hidden(int x) { return x ^ 0x55; }
}  // namespace detail
}  // namespace geometry
namespace geo = geometry;
__global__ void named(int* out) {
    using geometry::detail::hidden;
    out[threadIdx.x] = geo::norm(threadIdx.x, 2) + hidden(threadIdx.x);
}
IDIOM(namespaces_and_aliases) {
    Buffer<int> out(32);
    named<<<1, 32>>>(out);
    report.expect(out, [](int i) { return i * i + 4 + (i ^ 0x55); });
}

struct Triple {
    int a;
    short b;
    long long c;
};
__device__ Triple make_triple(int i) { return {i, static_cast<short>(-i), 1ll << (i + 10)}; }
__global__ void bound(long long* out) {
    auto [a, b, c] = make_triple(threadIdx.x);
    int pair[2] = {a, b};
    auto& [first, second] = pair;
    first += 7;
    out[threadIdx.x] = c + pair[0] * second;
}
IDIOM(structured_bindings) {
    Buffer<long long> out(32);
    bound<<<1, 32>>>(out);
    report.expect(out, [](int i) { return (1ll << (i + 10)) - (i + 7ll) * i; });
}

constexpr int square(int x) { return x * x; }
constexpr std::array<int, 5> squares() { return {square(1), square(2), square(3), square(4), square(5)}; }
__constant__ int table_of_squares[5] = {squares()[0], squares()[1], squares()[2], squares()[3], squares()[4]};
__global__ void constant_expressions(int* out) {
    constexpr auto table = squares();
    out[threadIdx.x] = table_of_squares[threadIdx.x % 5] + table[2] + square(threadIdx.x);
}
IDIOM(constexpr_functions_in_device_code) {
    Buffer<int> out(32);
    constant_expressions<<<1, 32>>>(out);
    report.expect(out, [](int i) { return square(i % 5 + 1) + 9 + i * i; });
}

__device__ int total(std::initializer_list<int> values) {
    int sum = 0;
    for (int value : values) sum += value;
    return sum;
}
__global__ void listed(int* out) {
    const int i = threadIdx.x;
    int row[4] = {i, i + 1, i + 2, i + 3};
    for (int& x : row) x *= 2;
    out[i] = total({row[0], row[3], 0b1010, 1'000, 0x1F});
}
IDIOM(range_for_and_initializer_list) {
    Buffer<int> out(32);
    listed<<<1, 32>>>(out);
    report.expect(out, [](int i) { return 4 * i + 6 + 10 + 1000 + 31; });
}
