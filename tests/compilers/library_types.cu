// The small types of CUDA's C++ library, on either side: tuples, pairs, arrays, spans, optionals, complex numbers,
// bits, limits, traits, algorithms, durations.
#include <cuda/functional>
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/cfloat>
#include <cuda/std/chrono>
#include <cuda/std/climits>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/iterator>
#include <cuda/std/limits>
#include <cuda/std/numeric>
#include <cuda/std/optional>
#include <cuda/std/ratio>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include "digests.cuh"

namespace cs = cuda::std;

template <class T>
__host__ __device__ unsigned long long bits(T x) {
    unsigned long long word = 0;
    memcpy(&word, &x, sizeof(x));
    return word;
}
#define STEP(...) sum = digest(3, sum + bits(__VA_ARGS__))

// Counts its copies and how it is destroyed.
struct Counting {
    int value;
    int* alive;
    __host__ __device__ Counting(int v, int* a) : value(v), alive(a) { ++*alive; }
    __host__ __device__ Counting(const Counting& other) : value(other.value), alive(other.alive) { ++*alive; }
    __host__ __device__ Counting& operator=(const Counting& other) {
        value = other.value;
        return *this;
    }
    __host__ __device__ ~Counting() { --*alive; }
    __host__ __device__ int plus(int x) const { return value + x; }
};

__host__ __device__ unsigned long long tuples(int x) {
    unsigned long long sum = 0;
    cs::tuple<int, float, char> t(x, 2.5f, 'a');
    auto [a, b, c] = t;
    STEP(a);
    STEP(b);
    STEP(c);
    cs::get<0>(t) += 7;
    cs::get<float>(t) = 9;
    int q = 0;
    double r = 0;
    cs::tie(q, r, cs::ignore) = t;
    STEP(q);
    STEP(r);
    const auto joined = cs::tuple_cat(t, cs::make_tuple(1, 2l), cs::make_pair(short(3), 4.5), cs::tuple<>());
    static_assert(cs::tuple_size_v<cs::remove_cvref_t<decltype(joined)>> == 7);
    static_assert(cs::is_same_v<cs::tuple_element_t<5, cs::remove_cvref_t<decltype(joined)>>, short>);
    STEP(cs::apply([](auto... v) { return (static_cast<double>(v) + ...); }, joined));
    STEP(cs::get<6>(joined));
    const cs::tuple<long, double, int> converted(t);
    STEP(converted == cs::make_tuple(x + 7l, 9.0, 97));
    STEP(t < cs::make_tuple(x + 7, 10.0f, 'a'));
    STEP(t >= cs::make_tuple(x + 8, 10.0f, 'a'));
    STEP(t != t);
    auto other = cs::make_tuple(1, 2.0f, 'x');
    cs::swap(t, other);
    STEP(cs::get<0>(other));
    STEP(cs::get<2>(t));
    cs::pair<int, cs::tuple<int, int>> nested{1, {2, x}}, moved;
    moved = nested;
    nested.second = {8, 9};
    STEP(cs::get<1>(cs::get<1>(moved)));
    STEP(moved < nested);
    STEP(moved == nested);
    STEP(cs::make_from_tuple<cs::pair<int, float>>(cs::make_tuple(4, 0.5f)).second);
    STEP(cs::get<1>(cs::forward_as_tuple(x, x + 1)));
    return sum;
}

__host__ __device__ unsigned long long sequences(int x) {
    unsigned long long sum = 0;
    cs::array<int, 8> a{{5, x, 7, 1, x, 3, 2, 9}}, b{};
    STEP(cs::accumulate(a.begin(), a.end(), 0));
    cs::iota(b.begin(), b.end(), x);
    STEP(cs::inner_product(a.begin(), a.end(), b.begin(), 1));
    STEP(a == b);
    STEP(a < b);
    STEP(b.back());
    STEP(a.front());
    STEP(cs::distance(a.begin(), cs::next(a.begin(), 3)));
    cs::partial_sum(a.begin(), a.end(), b.begin());
    STEP(b[7]);
    cs::exclusive_scan(a.begin(), a.end(), b.begin(), 10);
    STEP(b[7]);
    cs::adjacent_difference(a.begin(), a.end(), b.begin());
    STEP(b[7]);
    STEP(b[1]);
    const cs::span<int> whole(a.data(), a.size());
    const cs::span<int, 8> fixed(a);
    STEP(whole.subspan(2, 3).size());
    STEP(whole.last(2)[0]);
    STEP(fixed.first<3>().back());
    STEP(whole.size_bytes());
    int total = 0;
    for (const int v : whole.subspan(1)) total = total * 3 + v;
    STEP(total);
    auto [first, second] = cs::array<int, 2>{{x, 4}};
    STEP(first * second);
    b.fill(3);
    a.swap(b);
    STEP(a[5]);
    STEP(b[5]);
    STEP(cs::get<2>(b));
    STEP(cs::gcd(x * 12, 18));
    STEP(cs::lcm(x + 1, 14));
    STEP(cs::midpoint(x, -8));
    STEP(cs::min(x, 4));
    STEP(cs::max(x, 4));
    STEP(cs::max({x, 3, 9}));
    return sum;
}

__host__ __device__ unsigned long long optionals(int x) {
    unsigned long long sum = 0;
    cs::optional<int> o;
    STEP(o.has_value());
    STEP(o.value_or(x));
    o = x;
    STEP(*o);
    STEP(o == x);
    STEP(o != cs::nullopt);
    STEP(o < cs::optional<int>(x + 1));
    STEP(o.transform([](int v) { return v * 2.5; }).value_or(0.0));
    o.reset();
    STEP(o == cs::nullopt);
    STEP(o < cs::optional<int>(0));
    int alive = 0;
    {
        cs::optional<Counting> first, second(cs::in_place, x, &alive);
        STEP(alive);
        first = second;
        STEP(alive);
        STEP(first->value);
        first.emplace(x + 1, &alive);
        auto third = first;
        STEP(alive);
        STEP(third->plus(4));
        STEP(cs::invoke(&Counting::plus, *third, 5));
        STEP(cs::invoke(&Counting::value, third->value > 0 ? *third : *first));
        second = cs::nullopt;
        STEP(alive);
        first = cs::move(second);
        STEP(alive);
        STEP(first.has_value());
    }
    STEP(alive);
    STEP(cs::exchange(alive, 5));
    STEP(alive);
    const cs::reference_wrapper<int> referred = cs::ref(alive);
    referred.get() += x;
    STEP(alive);
    return sum;
}

// With parts of which no result needs a rounding.
__host__ __device__ unsigned long long complexes(int x) {
    unsigned long long sum = 0;
#define PARTS(...)                  \
    do {                            \
        const auto z = __VA_ARGS__; \
        STEP(z.real());             \
        STEP(z.imag());             \
    } while (false)
    const cs::complex<float> u(static_cast<float>(x), 2), v(3, -1);
    const cs::complex<double> w(-0.5, x);
    PARTS(u * v);
    PARTS(u + v);
    PARTS(u - v);
    PARTS(-u);
    PARTS(u * 2.0f);
    PARTS(3.0f - u);
    PARTS(u / 4.0f);
    PARTS(w * w);
    PARTS(cs::conj(w));
    PARTS(cs::complex<double>(u));
    PARTS(cs::proj(w));
    PARTS((v * 2.0f) / cs::complex<float>(1, 1));
    PARTS(cs::complex<double>(10, 5) / cs::complex<double>(2, 1));
    PARTS(cs::complex<double>(1e300, 1e300) / cs::complex<double>(0x1p1000, 0));
    STEP(cs::norm(v));
    STEP(cs::abs(cs::complex<double>(3, 4)));
    STEP(cs::real(u));
    STEP(cs::imag(u));
    STEP(u == v);
    STEP(u != v);
    STEP(v == cs::complex<float>(3, -1));
    const double infinity = cs::numeric_limits<double>::infinity();
    const auto endless = cs::complex<double>(infinity, 1) * cs::complex<double>(x, 2);
    STEP(cs::isinf(endless.real()) || cs::isinf(endless.imag()));
    cs::complex<double> y(1, 0);
    y *= w;
    y += 2.0;
    y -= w;
    PARTS(y);
    PARTS(cs::sqrt(cs::complex<double>(-4, 0)));
    PARTS(cs::exp(cs::complex<double>(0, 0)));
    STEP(cs::arg(cs::complex<double>(1, 0)));
    STEP(static_cast<int>(cs::abs(cs::log(w)) * 1e6));
    STEP(static_cast<int>(cs::pow(v, 2.0f).real() * 100));
    STEP(static_cast<int>(cs::tanh(w).imag() * 1e6));
    return sum;
}

__host__ __device__ unsigned long long words(int x) {
    unsigned long long sum = 0;
    const unsigned u = static_cast<unsigned>(x) * 2654435761u;
    const cs::uint8_t byte = static_cast<cs::uint8_t>(u >> 9);
    const cs::uint64_t wide = u * 0x100000001ull;
    STEP(cs::popcount(u));
    STEP(cs::countl_zero(u));
    STEP(cs::countr_zero(wide));
    STEP(cs::countl_one(byte));
    STEP(cs::countr_one(byte));
    STEP(cs::bit_width(byte));
    STEP(cs::bit_floor(u));
    STEP(cs::bit_ceil(u >> 3));
    STEP(cs::rotl(byte, 3));
    STEP(cs::rotr(wide, 70));
    STEP(cs::rotl(u, -4));
    STEP(cs::has_single_bit(u & (0u - u)));
    STEP(cs::countl_zero(cs::uint16_t(0)));
    STEP(cs::bit_cast<float>(u >> 2));
    STEP(cs::bit_cast<cs::uint64_t>(1.5));
    STEP(cs::numeric_limits<float>::max());
    STEP(cs::numeric_limits<double>::epsilon());
    STEP(cs::numeric_limits<long>::lowest());
    STEP(cs::numeric_limits<unsigned char>::digits);
    STEP(FLT_MIN);
    STEP(INT_MIN);
    STEP(cs::plus<>()(x, 2.5));
    STEP(cs::modulus<int>()(x, 3));
    STEP(cs::bit_xor<int>()(x, 12));
    STEP(cs::negate<>()(x));
    STEP(cs::less<int>()(x, 3));
    STEP(cs::logical_not<>()(x));
    STEP(cs::not_fn(cs::less<>())(x, 3));
    STEP(cuda::minimum<int>()(x, 3));
    STEP(cuda::maximum<>()(x, 3.5));
    STEP(cuda::proclaim_return_type<int>([](int v) { return v * 3; })(x));
    STEP(cs::floor(x * 0.75));
    STEP(cs::fabs(-1.25f * x));
    STEP(cs::isnan(x * 0.0));
    STEP(cs::sqrt(16.0f * x * x));
    using namespace cs::chrono;
    STEP(duration_cast<microseconds>(milliseconds(x) + seconds(2)).count());
    STEP((nanoseconds(1500) < microseconds(x)));
    STEP(duration<double, cs::milli>(microseconds(x * 125)).count());
    STEP(system_clock::now() >= system_clock::time_point());
    static_assert(cs::ratio_multiply<cs::ratio<2, 3>, cs::ratio<3, 4>>::den == 2);
    static_assert(cs::is_convertible_v<int, float> && !cs::is_constructible_v<int*, float>);
    static_assert(cs::is_same_v<cs::common_type_t<int, double>, double> &&
                  cs::is_trivially_copyable_v<cs::optional<int>>);
    static_assert(cs::is_same_v<cs::invoke_result_t<cs::plus<>, int, float>, float>);
    return sum;
}

constexpr int kAreas = 5, kArguments = 32;
__host__ __device__ void all(unsigned long long* sums, int x) {
    digest_here(sums, 0, x, tuples(x));
    digest_here(sums, 1, x, sequences(x));
    digest_here(sums, 2, x, optionals(x));
    digest_here(sums, 3, x, complexes(x));
    digest_here(sums, 4, x, words(x));
}
__global__ void on_device(unsigned long long* sums) { all(sums, static_cast<int>(threadIdx.x) + 1); }

int main() {
    unsigned long long *sums, of_host[kAreas] = {};
    cudaMallocManaged(&sums, kAreas * sizeof(*sums));
    for (int k = 0; k < kAreas; ++k) sums[k] = 0;
    on_device<<<1, kArguments>>>(sums);
    if (cudaDeviceSynchronize() != cudaSuccess) std::printf("FAILED\n");
    for (int i = 0; i < kArguments; ++i) all(of_host, i + 1);
    const char* const names[] = {"tuples", "sequences", "optionals", "complex", "words"};
    for (int k = 0; k < kAreas; ++k) print_digest("types", "device", names[k], sums[k]);
    for (int k = 0; k < kAreas; ++k) print_digest("types", "host", names[k], of_host[k]);
}
