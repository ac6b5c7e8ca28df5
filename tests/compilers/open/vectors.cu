// Thrust: vectors, iterators and algorithms, each against the host's.
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

static int failures = 0;
static void check(const char* what, bool right) {
    if (!right) ++failures;
    printf("%s %s\n", right ? "PASS" : "FAIL", what);
}

struct Saxpy {
    float a;
    __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};
struct Square {
    __host__ __device__ float operator()(float x) const { return x * x; }
};
struct Even {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct Product {
    template <class Pair>
    __host__ __device__ int operator()(const Pair& pair) const {
        return thrust::get<0>(pair) * thrust::get<1>(pair);
    }
};

__global__ void triple(int* values, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) values[i] *= 3;
}

int main() {
    const int count = 2000;
    thrust::host_vector<int> host(count);
    for (int i = 0; i < count; ++i) host[i] = (i * 7919 + 5) % 1013;
    thrust::device_vector<int> values = host;

    check("reduce", thrust::reduce(values.begin(), values.end()) == std::accumulate(host.begin(), host.end(), 0));
    check("reduce, largest", thrust::reduce(values.begin(), values.end(), 0, thrust::maximum<int>()) ==
                                 *std::max_element(host.begin(), host.end()));

    thrust::device_vector<float> x(count), y(count, 2.0f);
    thrust::sequence(x.begin(), x.end());
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Saxpy{0.5f});
    check("transform", y[0] == 2.0f && y[7] == 5.5f && y[count - 1] == (count - 1) * 0.5f + 2);
    x.resize(10);
    check("transform_reduce",
          thrust::transform_reduce(x.begin(), x.end(), Square(), 0.0f, thrust::plus<float>()) == 285);

    thrust::device_vector<int> sorted = values;
    thrust::sort(sorted.begin(), sorted.end());
    std::vector<int> expected(host.begin(), host.end());
    std::sort(expected.begin(), expected.end());
    check("sort", std::equal(expected.begin(), expected.end(), thrust::host_vector<int>(sorted).begin()));

    thrust::device_vector<int> places(count);
    thrust::sequence(places.begin(), places.end());
    thrust::device_vector<int> keys = values;
    thrust::stable_sort_by_key(keys.begin(), keys.end(), places.begin(), thrust::greater<int>());
    bool right = true;
    const thrust::host_vector<int> by_key = keys, from = places;
    for (int i = 0; i < count; ++i) right &= host[from[i]] == by_key[i] && (i == 0 || by_key[i - 1] >= by_key[i]);
    check("sort by key", right);

    thrust::device_vector<int> sums(count);
    thrust::inclusive_scan(values.begin(), values.end(), sums.begin());
    std::vector<int> so_far(count);
    std::partial_sum(host.begin(), host.end(), so_far.begin());
    check("scan", std::equal(so_far.begin(), so_far.end(), thrust::host_vector<int>(sums).begin()));

    thrust::device_vector<int> even(count);
    const auto end = thrust::copy_if(values.begin(), values.end(), even.begin(), Even());
    check("copy_if", end - even.begin() == std::count_if(host.begin(), host.end(), Even()));

    const auto last = thrust::unique(sorted.begin(), sorted.end());
    expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
    check("unique", last - sorted.begin() == static_cast<long>(expected.size()));

    const auto counting = thrust::make_counting_iterator(0);
    const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(counting, values.begin()));
    const int dot = thrust::transform_reduce(pairs, pairs + count, Product(), 0, thrust::plus<int>());
    int by_hand = 0;
    for (int i = 0; i < count; ++i) by_hand += i * host[i];
    check("zip", dot == by_hand);

    triple<<<(count + 255) / 256, 256>>>(thrust::raw_pointer_cast(values.data()), count);
    check("a kernel of our own", values[3] == host[3] * 3);
    int* raw;
    cudaMalloc(&raw, count * sizeof(int));
    const thrust::device_ptr<int> wrapped(raw);
    thrust::fill(wrapped, wrapped + count, 9);
    check("device_ptr", wrapped[count - 1] == 9 && thrust::reduce(wrapped, wrapped + count) == 9 * count);
    cudaFree(raw);
    return failures != 0;
}
