// Two sorted arrays merged along diagonals: a share of the output a block, then a share a thread, found by halving.
#include <algorithm>
#include <limits>

#include "program.cuh"

// How many of the first `diagonal` elements of the output come from a; of equal ones, those of a come first.
template <class T, class Less>
__host__ __device__ int split(const T* a, int a_count, const T* b, int b_count, int diagonal, Less less) {
    int low = diagonal > b_count ? diagonal - b_count : 0;
    int high = diagonal < a_count ? diagonal : a_count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (less(b[diagonal - 1 - middle], a[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

template <class T>
struct LessThan {
    __host__ __device__ bool operator()(const T& x, const T& y) const { return x < y; }
};
// By the key alone, so that a merge that is not stable is found by the place.
struct Tagged {
    int key, place;
};
struct ByKey {
    __host__ __device__ bool operator()(const Tagged& x, const Tagged& y) const { return x.key < y.key; }
};

template <int Threads, int Each, class T, class Less>
__global__ void partition(const T* a, int a_count, const T* b, int b_count, int* splits, int blocks, Less less) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= blocks) splits[i] = split(a, a_count, b, b_count, min(i * Threads * Each, a_count + b_count), less);
}

template <int Threads, int Each, class T, class Less>
__global__ void __launch_bounds__(Threads)
    merge(const T* a, int a_count, const T* b, int b_count, const int* splits, T* out, Less less) {
    constexpr int share = Threads * Each;
    __shared__ T shared[share];
    const int first = blockIdx.x * share, last = min(first + share, a_count + b_count);
    const int a0 = splits[blockIdx.x], a1 = splits[blockIdx.x + 1];
    const int b0 = first - a0, b1 = last - a1, from_a = a1 - a0, from_b = b1 - b0;
    for (int i = threadIdx.x; i < from_a + from_b; i += Threads)
        shared[i] = i < from_a ? a[a0 + i] : b[b0 + i - from_a];
    __syncthreads();

    const int diagonal = min(static_cast<int>(threadIdx.x) * Each, last - first);
    int i = split(shared, from_a, shared + from_a, from_b, diagonal, less), j = diagonal - i;
    T results[Each];
#pragma unroll
    for (int n = 0; n < Each; ++n) {
        if (diagonal + n >= last - first) break;
        const bool take_b = i >= from_a || (j < from_b && less(shared[from_a + j], shared[i]));
        results[n] = take_b ? shared[from_a + j++] : shared[i++];
    }
    __syncthreads();
#pragma unroll
    for (int n = 0; n < Each; ++n)
        if (diagonal + n < last - first) shared[diagonal + n] = results[n];
    __syncthreads();
    for (int n = threadIdx.x; n < last - first; n += Threads) out[first + n] = shared[n];
}

template <class T, class Less>
std::vector<T> merged(const std::vector<T>& a, const std::vector<T>& b, Less less) {
    constexpr int threads = 64, each = 5;
    const int a_count = static_cast<int>(a.size()), b_count = static_cast<int>(b.size()), total = a_count + b_count;
    const int blocks = (total + threads * each - 1) / (threads * each);
    T *da = to_device(a), *db = to_device(b), *out;
    int* splits;
    CHECK(cudaMalloc(&out, total * sizeof(T)));
    CHECK(cudaMalloc(&splits, (blocks + 1) * sizeof(int)));
    partition<threads, each><<<blocks / 128 + 1, 128>>>(da, a_count, db, b_count, splits, blocks, less);
    merge<threads, each><<<blocks, threads>>>(da, a_count, db, b_count, splits, out, less);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    const std::vector<T> result = to_host(out, total);
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(out));
    CHECK(cudaFree(splits));
    return result;
}
template <class T, class Less>
std::vector<T> on_host(const std::vector<T>& a, const std::vector<T>& b, Less less) {
    std::vector<T> result(a.size() + b.size());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), result.begin(), less);
    return result;
}

int main() {
    std::vector<float> x(5003), y(3001);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 48271u % 65521) * 0.5f;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<float>(i * 16807u % 32749) * 0.75f;
    y.back() = std::numeric_limits<float>::infinity();
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    int bad = verdict("floats", merged(x, y, LessThan<float>{}) == on_host(x, y, LessThan<float>{}));

    std::vector<long long> low(700), high(1);
    for (std::size_t i = 0; i < low.size(); ++i) low[i] = -1000000000000ll + static_cast<long long>(i) * 3;
    high[0] = std::numeric_limits<long long>::max();
    bad += verdict("one side before the other",
                   merged(high, low, LessThan<long long>{}) == on_host(high, low, LessThan<long long>{}));

    std::vector<Tagged> p(1500), q(2100);
    for (int i = 0; i < 1500; ++i) p[i] = {i / 40, i};
    for (int i = 0; i < 2100; ++i) q[i] = {i / 55, 10000 + i};
    const std::vector<Tagged> found = merged(p, q, ByKey{}), expected = on_host(p, q, ByKey{});
    bad += verdict("many equal keys, in order",
                   std::equal(found.begin(), found.end(), expected.begin(),
                              [](const Tagged& s, const Tagged& t) { return s.key == t.key && s.place == t.place; }));
    return bad;
}
