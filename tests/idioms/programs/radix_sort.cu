// Radix sort, a bit a pass: flags, a scan over blocks in three launches, a scatter that keeps the order.
#include <algorithm>
#include <utility>

#include "program.cuh"

constexpr int kBlock = 256;

__global__ void scan_blocks(const unsigned* keys, int bit, int n, int* places, int* totals) {
    __shared__ int s[2][kBlock];
    const int i = blockIdx.x * kBlock + threadIdx.x, t = threadIdx.x;
    int side = 0;
    const int zero = i < n && (keys[i] >> bit & 1) == 0;
    s[0][t] = zero;
    __syncthreads();
    for (int d = 1; d < kBlock; d *= 2, side ^= 1) {
        s[side ^ 1][t] = s[side][t] + (t >= d ? s[side][t - d] : 0);
        __syncthreads();
    }
    if (i < n) places[i] = s[side][t] - zero;
    if (t == kBlock - 1) totals[blockIdx.x] = s[side][t];
}
__global__ void scan_totals(int* totals, int blocks) {  // one warp; the sum behind the last
    int carried = 0;
    for (int base = 0; base < blocks; base += 32) {
        const int i = base + threadIdx.x;
        const int own = i < blocks ? totals[i] : 0;
        int sum = own;
        for (int d = 1; d < 32; d *= 2) {
            const int below = __shfl_up_sync(0xffffffffu, sum, d);
            if (threadIdx.x >= d) sum += below;
        }
        if (i < blocks) totals[i] = carried + sum - own;
        carried += __shfl_sync(0xffffffffu, sum, 31);
    }
    if (threadIdx.x == 0) totals[blocks] = carried;
}
__global__ void scatter(const unsigned* keys, const int* values, int bit, int n, const int* places, const int* totals,
                        unsigned* keys_out, int* values_out) {
    const int i = blockIdx.x * kBlock + threadIdx.x;
    if (i >= n) return;
    const int zeros_before = places[i] + totals[blockIdx.x];
    const int to = keys[i] >> bit & 1 ? totals[gridDim.x] + i - zeros_before : zeros_before;
    keys_out[to] = keys[i];
    values_out[to] = values[i];
}

int main() {
    constexpr int n = 5000, blocks = (n + kBlock - 1) / kBlock;
    std::vector<unsigned> keys(n);
    std::vector<int> values(n), order(n);
    for (int i = 0; i < n; ++i) keys[i] = i * 2654435761u >> 20, values[i] = order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });

    unsigned *k = to_device(keys), *k2 = to_device(keys);
    int *v = to_device(values), *v2 = to_device(values), *places = to_device(values), *totals;
    CHECK(cudaMalloc(&totals, (blocks + 1) * sizeof(int)));
    for (int bit = 0; bit < 12; ++bit) {
        scan_blocks<<<blocks, kBlock>>>(k, bit, n, places, totals);
        scan_totals<<<1, 32>>>(totals, blocks);
        scatter<<<blocks, kBlock>>>(k, v, bit, n, places, totals, k2, v2);
        CHECK(cudaGetLastError());
        std::swap(k, k2), std::swap(v, v2);
    }
    const bool same = to_host(v, n) == order;
    for (void* p : {(void*)k, (void*)k2, (void*)v, (void*)v2, (void*)places, (void*)totals}) CHECK(cudaFree(p));
    return verdict("radix sort keeps the order of equal keys", same);
}
