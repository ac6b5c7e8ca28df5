// CUB's algorithms over whole arrays, each against a loop of the host.
#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <numeric>
#include <vector>

static int failures = 0;
static void check(const char* what, bool right) {
    if (!right) ++failures;
    printf("%s %s\n", right ? "PASS" : "FAIL", what);
}

// Asks for the temporary storage, then does it.
template <class Call>
static void run(Call call) {
    void* storage = nullptr;
    size_t bytes = 0;
    call(storage, bytes);
    cudaMalloc(&storage, bytes + 1);
    call(storage, bytes);
    cudaDeviceSynchronize();
    cudaFree(storage);
}

template <class T>
struct Array {
    T* data = nullptr;
    size_t size;
    explicit Array(size_t n) : size(n) {
        cudaMalloc(&data, n * sizeof(T));
        cudaMemset(data, 0, n * sizeof(T));
    }
    explicit Array(const std::vector<T>& from) : Array(from.size()) {
        cudaMemcpy(data, from.data(), size * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~Array() { cudaFree(data); }
    std::vector<T> back() const {
        std::vector<T> to(size);
        cudaMemcpy(to.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost);
        return to;
    }
};

struct IsOdd {
    __host__ __device__ bool operator()(unsigned x) const { return x % 2 != 0; }
};
struct Longest {
    __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};

int main() {
    constexpr int kCount = 3000;
    std::vector<unsigned> keys(kCount);
    std::vector<int> values(kCount);
    unsigned seed = 12345;
    for (int i = 0; i < kCount; ++i) {
        seed = seed * 1664525u + 1013904223u;
        keys[i] = seed >> 8;
        values[i] = static_cast<int>(seed >> 20) - 2000;
    }
    const Array<unsigned> in(keys);
    const Array<int> ints(values);

    {
        Array<int> out(1);
        run([&](void* s, size_t& b) { cub::DeviceReduce::Sum(s, b, ints.data, out.data, kCount); });
        check("sum", out.back()[0] == std::accumulate(values.begin(), values.end(), 0));
        run([&](void* s, size_t& b) { cub::DeviceReduce::Min(s, b, ints.data, out.data, kCount); });
        check("min", out.back()[0] == *std::min_element(values.begin(), values.end()));
        run([&](void* s, size_t& b) {
            cub::DeviceReduce::Reduce(s, b, ints.data, out.data, kCount, Longest{}, -5000);
        });
        check("reduce", out.back()[0] == *std::max_element(values.begin(), values.end()));
    }
    {
        Array<int> out(kCount);
        run([&](void* s, size_t& b) { cub::DeviceScan::ExclusiveSum(s, b, ints.data, out.data, kCount); });
        std::vector<int> expected(kCount);
        std::exclusive_scan(values.begin(), values.end(), expected.begin(), 0);
        check("exclusive scan", out.back() == expected);
        run([&](void* s, size_t& b) { cub::DeviceScan::InclusiveScan(s, b, ints.data, out.data, Longest{}, kCount); });
        std::inclusive_scan(values.begin(), values.end(), expected.begin(), Longest{});
        check("inclusive scan", out.back() == expected);
    }
    {
        Array<unsigned> sorted(kCount);
        Array<int> moved(kCount);
        run([&](void* s, size_t& b) {
            cub::DeviceRadixSort::SortPairs(s, b, in.data, sorted.data, ints.data, moved.data, kCount);
        });
        std::vector<int> order(kCount);
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
        bool right = true;
        const auto k = sorted.back();
        const auto v = moved.back();
        for (int i = 0; i < kCount; ++i) right &= k[i] == keys[order[i]] && v[i] == values[order[i]];
        check("radix sort of pairs", right);
        Array<int> down(kCount);
        run([&](void* s, size_t& b) { cub::DeviceRadixSort::SortKeysDescending(s, b, ints.data, down.data, kCount); });
        std::vector<int> expected = values;
        std::sort(expected.rbegin(), expected.rend());
        check("radix sort, descending", down.back() == expected);
    }
    {
        Array<unsigned> chosen(kCount);
        Array<int> count(1);
        run([&](void* s, size_t& b) {
            cub::DeviceSelect::If(s, b, in.data, chosen.data, count.data, kCount, IsOdd{});
        });
        std::vector<unsigned> expected;
        std::copy_if(keys.begin(), keys.end(), std::back_inserter(expected), IsOdd{});
        auto found = chosen.back();
        found.resize(count.back()[0]);
        check("select", found == expected);
    }
    {
        std::vector<int> runs(kCount);
        for (int i = 0; i < kCount; ++i) runs[i] = i * i / 5000;
        const Array<int> with_runs(runs);
        Array<int> unique(kCount), lengths(kCount), count(1);
        run([&](void* s, size_t& b) {
            cub::DeviceRunLengthEncode::Encode(s, b, with_runs.data, unique.data, lengths.data, count.data, kCount);
        });
        std::vector<int> expected = runs;
        expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
        auto found = unique.back();
        found.resize(count.back()[0]);
        const auto each = lengths.back();
        check("run lengths", found == expected &&
                                 std::accumulate(each.begin(), each.begin() + found.size(), 0) == kCount &&
                                 each[0] == std::count(runs.begin(), runs.end(), 0));
    }
    {
        Array<int> bins(16);
        run([&](void* s, size_t& b) {
            cub::DeviceHistogram::HistogramEven(s, b, ints.data, bins.data, 17, -2000, 2096, kCount);
        });
        std::vector<int> expected(16);
        for (const int value : values) ++expected[(value + 2000) / 256];
        check("histogram", bins.back() == expected);
    }
    {
        const std::vector<int> starts = {0, 10, 10, 1000, kCount};
        const Array<int> offsets(starts);
        Array<int> sums(4);
        run([&](void* s, size_t& b) {
            cub::DeviceSegmentedReduce::Sum(s, b, ints.data, sums.data, 4, offsets.data, offsets.data + 1);
        });
        bool right = true;
        const auto found = sums.back();
        for (int i = 0; i < 4; ++i)
            right &= found[i] == std::accumulate(values.begin() + starts[i], values.begin() + starts[i + 1], 0);
        check("sums of segments", right);
    }
    return failures != 0;
}
