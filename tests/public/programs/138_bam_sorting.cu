// Like sora5801/cuda-cpp-healthcare-projects projects/03-genomics/3.26-gpu-bam-sorting-deduplication (main.cu,
// kernels.cu, bam.h, reference_cpu.cpp); flags: -std=c++17
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cuda/std/functional>
#include <vector>
struct ReadRecord {
    int ref, pos, score, id;
};
__host__ __device__ inline uint64_t key_of(const ReadRecord& r) {
    return (uint64_t)r.ref << 40 | (uint64_t)r.pos << 16;
}
struct Best {
    const ReadRecord* reads;
    __host__ __device__ int operator()(int a, int b) const {
        return reads[a].score != reads[b].score ? (reads[a].score > reads[b].score ? a : b) : (a < b ? a : b);
    }
};
__global__ void keys_of(const ReadRecord* __restrict__ reads, int n, uint64_t* __restrict__ keys,
                        int* __restrict__ ids) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) keys[i] = key_of(reads[i]), ids[i] = reads[i].id;
}
int main() {
    const int n = 300;
    std::vector<ReadRecord> reads(n);
    for (int i = 0; i < n; i++) reads[i] = {i * 7 % 3, i * 31 % 40, i * 13 % 50, i};
    thrust::device_vector<ReadRecord> d_reads(reads.begin(), reads.end());
    thrust::device_vector<uint64_t> keys(n), groups(n);
    thrust::device_vector<int> ids(n), best(n), flags(n), group_of(n);
    keys_of<<<(n + 255) / 256, 256>>>(thrust::raw_pointer_cast(d_reads.data()), n,
                                      thrust::raw_pointer_cast(keys.data()), thrust::raw_pointer_cast(ids.data()));
    thrust::stable_sort_by_key(keys.begin(), keys.end(), ids.begin());
    auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), ids.begin(), groups.begin(), best.begin(),
                                      cuda::std::equal_to<uint64_t>(), Best{thrust::raw_pointer_cast(d_reads.data())});
    const int found = static_cast<int>(ends.first - groups.begin());
    thrust::transform(keys.begin() + 1, keys.end(), keys.begin(), flags.begin() + 1,
                      cuda::std::not_equal_to<uint64_t>());
    thrust::inclusive_scan(flags.begin(), flags.end(), group_of.begin());
    thrust::host_vector<int> order = ids, kept = best, group = group_of;
    std::stable_sort(reads.begin(), reads.end(),
                     [](const ReadRecord& a, const ReadRecord& b) { return key_of(a) < key_of(b); });
    bool ok = group[n - 1] + 1 == found;
    for (int i = 0, g = 0; i < n; i++) {
        if (i && key_of(reads[i]) != key_of(reads[i - 1])) g++;
        ok = ok && order[i] == reads[i].id && group[i] == g;
        const int keep = kept[g];
        ok = ok && (keep == reads[i].id || keep * 13 % 50 > reads[i].score ||
                    (keep * 13 % 50 == reads[i].score && keep < reads[i].id));
    }
    std::printf("%s\n", ok ? "PASS" : "FAIL");
    return !ok;
}
