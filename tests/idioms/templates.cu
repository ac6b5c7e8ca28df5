// Templates: what libraries build kernels of.
#include <type_traits>
#include <utility>

#include "idioms.cuh"

template <int Block, int PerThread>
__global__ void blocked_sum(const int* in, int* out, int n) {
    int sum = 0;
#pragma unroll
    for (int k = 0; k < PerThread; ++k) {
        const int i = (blockIdx.x * PerThread + k) * Block + threadIdx.x;
        if (i < n) sum += in[i];
    }
    out[blockIdx.x * Block + threadIdx.x] = sum;
}
IDIOM(kernel_of_integer_parameters) {
    Buffer<int> in(1000), out(256);
    for (int i = 0; i < 1000; ++i) in[i] = i * 3;
    blocked_sum<128, 4><<<2, 128>>>(in, out, 1000);
    report.expect(out, [&](int t) {
        int sum = 0;
        for (int k = 0; k < 4; ++k)
            if (const int i = (t / 128 * 4 + k) * 128 + t % 128; i < 1000) sum += in[i];
        return sum;
    });
}

template <class T>
__device__ T identity_of_max();
template <>
__device__ int identity_of_max<int>() {
    return -2147483647 - 1;
}
template <>
__device__ unsigned identity_of_max<unsigned>() {
    return 0;
}
template <class T>
__global__ void thread_max(const T* in, T* out, int n) {
    T best = identity_of_max<T>();
    for (int i = threadIdx.x; i < n; i += 32) best = in[i] > best ? in[i] : best;
    out[threadIdx.x] = best;
}
IDIOM(function_template_specialised) {
    Buffer<int> in(100), out(32);
    for (int i = 0; i < 100; ++i) in[i] = (i * 37) % 101 - 60;
    thread_max<int><<<1, 32>>>(in, out, 100);
    report.add(out);
    Buffer<unsigned> unsigned_out(32);
    thread_max<unsigned><<<1, 32>>>(reinterpret_cast<unsigned*>(in.get()), unsigned_out, 100);
    report.add(unsigned_out);
}

template <class T>
__global__ void by_kind(T* out) {
    const int i = threadIdx.x;
    if constexpr (std::is_same_v<T, float>) {
        out[i] = i * 0.5f;
    } else if constexpr (std::is_signed_v<T>) {
        out[i] = static_cast<T>(-i);
    } else {
        out[i] = static_cast<T>(~i);
    }
}
IDIOM(if_constexpr_on_the_type) {
    Buffer<float> floats(32);
    Buffer<short> shorts(32);
    Buffer<unsigned char> bytes(32);
    by_kind<<<1, 32>>>(floats.get());
    by_kind<<<1, 32>>>(shorts.get());
    by_kind<<<1, 32>>>(bytes.get());
    report.expect(floats, [](int i) { return i * 0.5f; });
    report.expect(shorts, [](int i) { return -i; });
    report.expect(bytes, [](int i) { return ~i; });
}

template <class... Ts>
__global__ void sum_of_all(int* out, Ts... values) {
    out[threadIdx.x] = (static_cast<int>(values) + ... + static_cast<int>(threadIdx.x));
}
IDIOM(variadic_kernel_with_a_fold) {
    Buffer<int> out(32);
    sum_of_all<<<1, 32>>>(out.get(), 1, 2.75f, static_cast<short>(-9), 'a', 4ull);
    report.expect(out, [](int i) { return 1 + 2 - 9 + 97 + 4 + i; });
}

template <class T, T... Values>
struct Sequence {
    static constexpr int count = sizeof...(Values);
    __device__ static T at(int i) {
        const T values[] = {Values...};
        return values[i];
    }
};
__global__ void pick(int* out) { out[threadIdx.x] = Sequence<int, 9, 4, 7, 1>::at(threadIdx.x % 4); }
IDIOM(pack_to_an_array) {
    Buffer<int> out(32);
    pick<<<1, 32>>>(out);
    report.expect(out, [](int i) {
        const int values[] = {9, 4, 7, 1};
        return values[i % 4];
    });
}

template <class Derived>
struct Shape {
    __host__ __device__ int area() const { return static_cast<const Derived*>(this)->area_of(); }
};
struct Square : Shape<Square> {
    int side;
    __host__ __device__ explicit Square(int s) : side(s) {}
    __host__ __device__ int area_of() const { return side * side; }
};
struct Oblong : Shape<Oblong> {
    int a, b;
    __host__ __device__ Oblong(int x, int y) : a(x), b(y) {}
    __host__ __device__ int area_of() const { return a * b; }
};
template <class D>
__host__ __device__ int doubled(const Shape<D>& shape) {
    return 2 * shape.area();
}
__global__ void areas(int* out) {
    const int i = threadIdx.x;
    out[i] = i % 2 ? doubled(Square(i)) : doubled(Oblong(i, i + 1));
}
IDIOM(static_polymorphism) {
    Buffer<int> out(32);
    areas<<<1, 32>>>(out);
    report.expect(out, [](int i) { return i % 2 ? doubled(Square(i)) : doubled(Oblong(i, i + 1)); });
}

template <class T, class = void>
struct HasSize : std::false_type {};
template <class T>
struct HasSize<T, std::void_t<decltype(std::declval<T>().size())>> : std::true_type {};
struct Sized {
    __host__ __device__ int size() const { return 12; }
};
template <class T>
__host__ __device__ std::enable_if_t<HasSize<T>::value, int> size_or_one(const T& t) {
    return t.size();
}
template <class T>
__host__ __device__ std::enable_if_t<!HasSize<T>::value, int> size_or_one(const T&) {
    return 1;
}
__global__ void sizes(int* out) {
    out[2 * threadIdx.x] = size_or_one(Sized{});
    out[2 * threadIdx.x + 1] = size_or_one(3.0);
}
IDIOM(substitution_failure_picks_overload) {
    Buffer<int> out(8);
    sizes<<<1, 4>>>(out);
    report.expect(out, [](int i) { return i % 2 ? 1 : 12; });
}

template <template <class> class Box, class T>
__device__ T unbox(Box<T> box) {
    return box.value;
}
template <class T>
struct Holder {
    T value;
};
__global__ void unboxed(int* out) { out[threadIdx.x] = unbox(Holder<int>{static_cast<int>(threadIdx.x) + 5}); }
IDIOM(template_template_parameter) {
    Buffer<int> out(32);
    unboxed<<<1, 32>>>(out);
    report.expect(out, [](int i) { return i + 5; });
}

template <class T>
struct SharedArray {  // dynamic shared memory under one name for each type
    __device__ operator T*() {
        extern __shared__ int bytes_of_shared_memory[];
        return reinterpret_cast<T*>(bytes_of_shared_memory);
    }
};
template <class T>
__global__ void reversed(T* data) {
    SharedArray<T> shared;
    T* s = shared;
    s[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
IDIOM(dynamic_shared_memory_of_a_template) {
    Buffer<double> doubles(64);
    Buffer<char> chars(64);
    for (int i = 0; i < 64; ++i) doubles[i] = i / 4.0, chars[i] = static_cast<char>(i);
    reversed<<<1, 64, 64 * sizeof(double)>>>(doubles.get());
    reversed<<<1, 64, 64>>>(chars.get());
    report.expect(doubles, [](int i) { return (63 - i) / 4.0; });
    report.expect(chars, [](int i) { return 63 - i; });
}

template <int N>
struct Factorial {
    enum : int { value = N * Factorial<N - 1>::value };
};
template <>
struct Factorial<0> {
    enum : int { value = 1 };
};
template <int... I>
__device__ int factorial_at(int i, std::integer_sequence<int, I...>) {
    int result = 0;
    ((result = I == i ? int(Factorial<I>::value) : result), ...);
    return result;
}
__global__ void factorials(int* out) {
    out[threadIdx.x] = factorial_at(threadIdx.x, std::make_integer_sequence<int, 12>{});
}
IDIOM(integer_sequence_in_device_code) {
    Buffer<int> out(12);
    factorials<<<1, 12>>>(out);
    report.expect(out, [](int n) {
        int f = 1;
        for (int i = 2; i <= n; ++i) f *= i;
        return f;
    });
}

template <class T, int N>
struct Vector {
    T at[N];
    __host__ __device__ Vector operator+(const Vector& o) const {
        Vector r;
        for (int i = 0; i < N; ++i) r.at[i] = at[i] + o.at[i];
        return r;
    }
    template <class U>
    __host__ __device__ explicit operator Vector<U, N>() const {
        Vector<U, N> r;
        for (int i = 0; i < N; ++i) r.at[i] = static_cast<U>(at[i]);
        return r;
    }
};
__global__ void vectors(Vector<int, 3>* out) {
    const float t = threadIdx.x;
    const Vector<float, 3> v{{t, t * 0.5f, -t}};
    out[threadIdx.x] = static_cast<Vector<int, 3>>(v + v);
}
IDIOM(small_vector_class) {
    Buffer<Vector<int, 3>> out(16);
    vectors<<<1, 16>>>(out);
    report.add(out);
    for (int i = 0; i < 16; ++i) report.check(out[i].at[0] == 2 * i && out[i].at[1] == i && out[i].at[2] == -2 * i);
}

template <class Policy>
__global__ void __launch_bounds__(Policy::threads, Policy::blocks) bounded(int* out) {
    out[thread_index()] = Policy::scale * thread_index();
}
struct Wide {
    static constexpr int threads = 128, blocks = 2, scale = 3;
};
IDIOM(launch_bounds_of_a_policy) {
    Buffer<int> out(256);
    bounded<Wide><<<2, Wide::threads>>>(out);
    report.expect(out, [](int i) { return 3 * i; });
}
