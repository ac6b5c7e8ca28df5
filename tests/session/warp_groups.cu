// Groups within a warp, each with a mask of its own: every result is checked against plain code on the host.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

constexpr int kThreads = 128;
constexpr int kLabels = 5;

__host__ __device__ int label_of(int thread) { return (thread * 7 + thread / 9) % kLabels; }

__global__ void labeled(int* sum, int* rank, unsigned* size, int* from_first) {
    const int t = threadIdx.x;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto group = cg::labeled_partition(warp, label_of(t));
    sum[t] = cg::reduce(group, t, cg::plus<int>());
    rank[t] = (int)group.thread_rank();
    size[t] = (unsigned)group.size();
    from_first[t] = group.shfl(t, 0);
    group.sync();
}

__global__ void binary(unsigned* size, int* all_low, int* any_odd) {
    const int t = threadIdx.x;
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto group = cg::binary_partition(warp, label_of(t) < 2);
    size[t] = (unsigned)group.size();
    all_low[t] = group.all(label_of(t) < 2);
    any_odd[t] = group.any(label_of(t) & 1);
}

// One atomic for all lanes of a warp that count the same bin.
__global__ void histogram(const int* values, int n, int* bins) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int bin = values[i];
    const unsigned peers = __match_any_sync(__activemask(), bin);
    if ((int)(threadIdx.x % 32) == __ffs(peers) - 1) atomicAdd(bins + bin, __popc(peers));
}

// Lanes that want an entry share one atomic; each lane learns its own place.
__global__ void filter(const int* values, int n, int* kept, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && values[i] % 3 == 0) {
        auto active = cg::coalesced_threads();
        int first = 0;
        if (active.thread_rank() == 0) first = atomicAdd(count, (int)active.size());
        kept[active.shfl(first, 0) + (int)active.thread_rank()] = values[i];
    }
}

// Both ways of a branch reduce over their own lanes, then parts of eight lanes.
__global__ void branches(int* out, int* eighths) {
    const int t = threadIdx.x;
    const unsigned low = __ballot_sync(0xffffffffu, label_of(t) < 2);
    if (label_of(t) < 2)
        out[t] = __reduce_add_sync(low, t) + __reduce_max_sync(low, t);
    else
        out[t] = __reduce_min_sync(~low, t) - (int)__reduce_or_sync(~low, 1u << (t % 4));
    auto eight = cg::tiled_partition<8>(cg::this_thread_block());
    eighths[t] = cg::reduce(eight, t, cg::plus<int>());
}

template <class T>
struct Shared {
    explicit Shared(int n) { cudaMallocManaged(&data, n * sizeof(T)), cudaMemset(data, 0, n * sizeof(T)); }
    ~Shared() { cudaFree(data); }
    operator T*() const { return data; }
    T* data = nullptr;
};

int failures = 0;
void expect(const char* what, int thread, long got, long wanted) {
    if (got != wanted && failures++ < 10) std::printf("%s of %d: %ld instead of %ld\n", what, thread, got, wanted);
}

void check_partitions() {
    Shared<int> sum(kThreads), rank(kThreads), first(kThreads), low(kThreads), odd(kThreads), out(kThreads),
        eighths(kThreads);
    Shared<unsigned> size(kThreads), halves(kThreads);
    labeled<<<1, kThreads>>>(sum, rank, size, first);
    binary<<<1, kThreads>>>(halves, low, odd);
    branches<<<1, kThreads>>>(out, eighths);
    cudaDeviceSynchronize();
    for (int t = 0; t < kThreads; ++t) {
        int total = 0, below = 0, count = 0, lowest = -1, half = 0, any_odd = 0;
        int half_sum = 0, half_max = 0, half_min = 1 << 30, half_or = 0, eight = 0;
        for (int other = t / 32 * 32; other < t / 32 * 32 + 32; ++other) {
            if (other / 8 == t / 8) eight += other;
            if (label_of(other) == label_of(t)) {
                total += other, ++count, below += other < t;
                if (lowest < 0) lowest = other;
            }
            if ((label_of(other) < 2) != (label_of(t) < 2)) continue;
            ++half, any_odd |= label_of(other) & 1, half_sum += other, half_or |= 1 << (other % 4);
            if (other > half_max) half_max = other;
            if (other < half_min) half_min = other;
        }
        expect("labeled sum", t, sum[t], total);
        expect("labeled rank", t, rank[t], below);
        expect("labeled size", t, size[t], count);
        expect("labeled first", t, first[t], lowest);
        expect("binary size", t, halves[t], half);
        expect("binary all", t, low[t], label_of(t) < 2);
        expect("binary any", t, odd[t], any_odd);
        expect("branches", t, out[t], label_of(t) < 2 ? half_sum + half_max : half_min - half_or);
        expect("eighths", t, eighths[t], eight);
    }
}

void check_aggregation() {
    constexpr int kValues = 5000, kBins = 37;
    Shared<int> values(kValues), bins(kBins), kept(kValues), count(1);
    std::vector<int> wanted(kBins);
    long sum = 0, number = 0;
    for (int i = 0; i < kValues; ++i) {
        values[i] = (i * 31 + i / 7) % kBins;
        ++wanted[values[i]];
        if (values[i] % 3 == 0) sum += values[i], ++number;
    }
    histogram<<<(kValues + 127) / 128, 128>>>(values, kValues, bins);
    filter<<<(kValues + 127) / 128, 128>>>(values, kValues, kept, count);
    cudaDeviceSynchronize();
    for (int bin = 0; bin < kBins; ++bin) expect("bin", bin, bins[bin], wanted[bin]);
    expect("kept", 0, count[0], number);
    for (int i = 0; i < count[0]; ++i) sum -= kept[i];
    expect("sum of kept", 0, sum, 0);
}

int main() {
    check_partitions();
    check_aggregation();
    std::printf(failures ? "FAIL\n" : "PASS\n");
    return failures != 0;
}
