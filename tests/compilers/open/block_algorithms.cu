// CUB's algorithms of a warp and of a block, in kernels of our own.
#include <cstdio>
#include <cub/cub.cuh>

constexpr int kThreads = 128, kItems = 4, kCount = kThreads * kItems;

static int failures = 0;
static void check(const char* what, bool right) {
    if (!right) ++failures;
    printf("%s %s\n", right ? "PASS" : "FAIL", what);
}

__global__ void reduce(const int* in, int* sums, int* largest) {
    using Block = cub::BlockReduce<int, kThreads>;
    using Warp = cub::WarpReduce<int>;
    __shared__ typename Block::TempStorage block;
    __shared__ typename Warp::TempStorage warps[kThreads / 32];
    int mine[kItems];
    cub::LoadDirectBlocked(threadIdx.x, in, mine);
    const int sum = Block(block).Sum(mine);
    if (threadIdx.x == 0) sums[0] = sum;
    const int best = Warp(warps[threadIdx.x / 32]).Reduce(mine[0], [](int a, int b) { return a < b ? b : a; });
    if (threadIdx.x % 32 == 0) largest[threadIdx.x / 32] = best;
}

__global__ void scan(const int* in, int* out) {
    using Load = cub::BlockLoad<int, kThreads, kItems, cub::BLOCK_LOAD_TRANSPOSE>;
    using Store = cub::BlockStore<int, kThreads, kItems, cub::BLOCK_STORE_TRANSPOSE>;
    using Scan = cub::BlockScan<int, kThreads>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Scan::TempStorage scan;
    } shared;
    int mine[kItems];
    Load(shared.load).Load(in, mine);
    __syncthreads();
    Scan(shared.scan).ExclusiveSum(mine, mine);
    __syncthreads();
    Store(shared.store).Store(out, mine);
}

__global__ void sort(const int* in, int* out) {
    using Sort = cub::BlockRadixSort<int, kThreads, kItems>;
    __shared__ typename Sort::TempStorage shared;
    int mine[kItems];
    cub::LoadDirectStriped<kThreads>(threadIdx.x, in, mine);
    Sort(shared).SortBlockedToStriped(mine);
    cub::StoreDirectStriped<kThreads>(threadIdx.x, out, mine);
}

__global__ void count(const int* in, int* bins) {
    using Histogram = cub::BlockHistogram<unsigned char, kThreads, kItems, 16>;
    __shared__ typename Histogram::TempStorage shared;
    __shared__ int counts[16];
    unsigned char mine[kItems];
    for (int i = 0; i < kItems; ++i) mine[i] = in[threadIdx.x * kItems + i] & 15;
    Histogram(shared).Histogram(mine, counts);
    __syncthreads();
    if (threadIdx.x < 16) bins[threadIdx.x] = counts[threadIdx.x];
}

int main() {
    int *in, *out, *few;
    cudaMallocManaged(&in, kCount * sizeof(int));
    cudaMallocManaged(&out, kCount * sizeof(int));
    cudaMallocManaged(&few, 16 * sizeof(int));
    int total = 0;
    for (int i = 0; i < kCount; ++i) total += in[i] = (i * 7919 + 13) % 1009;

    reduce<<<1, kThreads>>>(in, out, few);
    check("a launch", cudaDeviceSynchronize() == cudaSuccess);
    bool right = true;
    for (int warp = 0; warp < kThreads / 32; ++warp) {
        int best = 0;
        for (int lane = 0; lane < 32; ++lane) best = max(best, in[(warp * 32 + lane) * kItems]);
        right &= few[warp] == best;
    }
    check("block reduce", out[0] == total);
    check("warp reduce", right);

    scan<<<1, kThreads>>>(in, out);
    cudaDeviceSynchronize();
    int before = 0;
    right = true;
    for (int i = 0; i < kCount; before += in[i++]) right &= out[i] == before;
    check("block scan", right);

    sort<<<1, kThreads>>>(in, out);
    cudaDeviceSynchronize();
    right = true;
    long long again = out[0];
    for (int i = 1; i < kCount; ++i) {
        right &= out[i - 1] <= out[i];
        again += out[i];
    }
    check("block sort", right && again == total);

    count<<<1, kThreads>>>(in, few);
    cudaDeviceSynchronize();
    right = true;
    for (int bin = 0; bin < 16; ++bin) {
        int here = 0;
        for (int i = 0; i < kCount; ++i) here += (in[i] & 15) == bin;
        right &= few[bin] == here;
    }
    check("block histogram", right);
    cudaFree(in);
    cudaFree(out);
    cudaFree(few);
    return failures != 0;
}
