// Prefix sums four ways: by Hillis and Steele, by Blelloch, by shuffles, and over blocks with the blocks' own sums.
#include <numeric>

#include "program.cuh"

// Inclusive, one block, two buffers that change places at each step.
__global__ void hillis_steele(const int* in, int* out, int n) {
    extern __shared__ int buffers[];
    const int t = threadIdx.x;
    int from = 0, to = 1;
    buffers[t] = t < n ? in[t] : 0;
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        const int own = buffers[from * n + t];
        buffers[to * n + t] = t >= offset ? own + buffers[from * n + t - offset] : own;
        from = 1 - from, to = 1 - to;
        __syncthreads();
    }
    if (t < n) out[t] = buffers[from * n + t];
}

#define BANKS(i) ((i) + ((i) >> 5))

// Exclusive, two elements a thread, up and down a tree; writes the block's sum where it is asked to.
__global__ void blelloch(const int* in, int* out, int* sums, int n) {
    extern __shared__ int tree[];
    const int t = threadIdx.x, size = 2 * blockDim.x, first = blockIdx.x * size;
    for (int i = t; i < size; i += blockDim.x) tree[BANKS(i)] = first + i < n ? in[first + i] : 0;
    int offset = 1;
    for (int active = size >> 1; active > 0; active >>= 1, offset <<= 1) {
        __syncthreads();
        if (t < active) tree[BANKS(offset * (2 * t + 2) - 1)] += tree[BANKS(offset * (2 * t + 1) - 1)];
    }
    if (t == 0) {
        if (sums != nullptr) sums[blockIdx.x] = tree[BANKS(size - 1)];
        tree[BANKS(size - 1)] = 0;
    }
    for (int active = 1; active < size; active <<= 1) {
        offset >>= 1;
        __syncthreads();
        if (t < active) {
            const int left = BANKS(offset * (2 * t + 1) - 1), right = BANKS(offset * (2 * t + 2) - 1);
            const int kept = tree[left];
            tree[left] = tree[right];
            tree[right] += kept;
        }
    }
    __syncthreads();
    for (int i = t; i < size; i += blockDim.x)
        if (first + i < n) out[first + i] = tree[BANKS(i)];
}
__global__ void add_sums(int* out, const int* sums, int n, int size) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += sums[i / size];
}

template <typename T>
__device__ T warp_inclusive(T value) {
    const int lane = threadIdx.x & (warpSize - 1);
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
        const T before = __shfl_up_sync(0xffffffff, value, d);
        if (lane >= d) value += before;
    }
    return value;
}
// Inclusive, one block that walks over all elements and carries the sum so far.
template <typename T>
__global__ void by_shuffles(const T* in, T* out, int n) {
    __shared__ T warps[32];
    T carried = 0;
    for (int first = 0; first < n; first += blockDim.x) {
        const int i = first + threadIdx.x, warp = threadIdx.x / 32;
        T value = warp_inclusive(i < n ? in[i] : T(0));
        if (threadIdx.x % 32 == 31) warps[warp] = value;
        __syncthreads();
        if (warp == 0) {
            const T sum = warp_inclusive(threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : T(0));
            warps[threadIdx.x] = sum;
        }
        __syncthreads();
        if (warp > 0) value += warps[warp - 1];
        if (i < n) out[i] = carried + value;
        carried += warps[31];
        __syncthreads();
    }
}

// As many levels as the blocks' sums need.
void scan_all(const int* in, int* out, int n) {
    constexpr int threads = 64, size = 2 * threads;
    const int blocks = (n + size - 1) / size;
    const size_t shared = BANKS(size) * sizeof(int);
    if (blocks == 1) {
        blelloch<<<1, threads, shared>>>(in, out, nullptr, n);
        CHECK(cudaGetLastError());
        return;
    }
    int *sums, *offsets;
    CHECK(cudaMalloc(&sums, blocks * sizeof(int)));
    CHECK(cudaMalloc(&offsets, blocks * sizeof(int)));
    blelloch<<<blocks, threads, shared>>>(in, out, sums, n);
    CHECK(cudaGetLastError());
    scan_all(sums, offsets, blocks);
    add_sums<<<(n + 255) / 256, 256>>>(out, offsets, n, size);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(sums));
    CHECK(cudaFree(offsets));
}

int main() {
    constexpr int n = 20011, small = 256;
    std::vector<int> values(n), inclusive(n);
    for (int i = 0; i < n; ++i) values[i] = i * 7919 % 23 - 9;
    std::partial_sum(values.begin(), values.end(), inclusive.begin());
    std::vector<int> exclusive(n);
    for (int i = 1; i < n; ++i) exclusive[i] = inclusive[i - 1];
    const std::vector<double> real(values.begin(), values.end()), real_sums(inclusive.begin(), inclusive.end());

    int *in = to_device(values), *out, bad = 0;
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    hillis_steele<<<1, small, 2 * small * sizeof(int)>>>(in, out, small);
    bad += verdict("Hillis and Steele", to_host(out, small) == std::vector<int>(&inclusive[0], &inclusive[small]));
    blelloch<<<1, small / 2, BANKS(small) * sizeof(int)>>>(in, out, nullptr, small);
    bad += verdict("Blelloch", to_host(out, small) == std::vector<int>(&exclusive[0], &exclusive[small]));
    CHECK(cudaMemset(out, 0xff, n * sizeof(int)));
    scan_all(in, out, n);
    bad += verdict("blocks and their sums", to_host(out, n) == exclusive);
    by_shuffles<int><<<1, 512>>>(in, out, n);
    bad += verdict("shuffles", to_host(out, n) == inclusive);
    double *real_in = to_device(real), *real_out = to_device(real);
    by_shuffles<<<1, 256>>>(real_in, real_out, n);
    bad += verdict("shuffles of doubles", to_host(real_out, n) == real_sums);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(real_in));
    CHECK(cudaFree(real_out));
    return bad;
}
