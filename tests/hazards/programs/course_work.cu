// What students write: products, reductions, scans, histograms, sorts, stencils, clusters and bodies, right and broken.
//
// check: memory,races,barriers,init
// case reduce_interleaved: clean
// case reduce_interleaved_no_barrier: race shared HALVE HALVE
// case reduce_unrolled_no_syncwarp: race shared LAST_WARP LAST_WARP
// case reduce_unrolled: clean
// case reduce_barrier_in_branch: divergent-barrier; maybe race shared HALVE HALVE
// case scan_hillis: clean
// case scan_hillis_one_barrier: race shared HILLIS HILLIS
// case scan_blelloch: clean
// case scan_blelloch_no_barrier: race shared UP UP; maybe race shared; maybe race shared mild
// case histogram_global: clean
// case histogram_global_plain: race global BIN BIN
// case histogram_private: clean
// case histogram_private_no_clear_barrier: race shared CLEAR ADD
// case histogram_private_no_flush_barrier: race shared ADD FLUSH
// case histogram_private_plain: race shared ADD_PLAIN ADD_PLAIN
// case histogram_private_not_cleared: uninitialized; maybe uninitialized mild
// case odd_even: clean
// case odd_even_no_barrier: race shared SWAP; maybe race shared SWAP mild
// case odd_even_bounds: out-of-bounds shared SWAP; maybe uninitialized; maybe race shared
// case bitonic: clean
// case bitonic_no_barrier: race shared EXCHANGE; maybe race shared EXCHANGE mild
// case stencil: clean
// case stencil_no_barrier: race shared LOAD STENCIL; maybe uninitialized
// case stencil_halo_not_loaded: uninitialized
// case stencil_bounds: out-of-bounds global LOAD_RIGHT
// case spmv: clean
// case spmv_bounds: out-of-bounds global ROW
// case spmv_vector_no_syncwarp: race shared LANES LANES; maybe race shared
// case kmeans: clean
// case kmeans_plain: race global CENTRE CENTRE; maybe race global MEMBERS MEMBERS
// case kmeans_shared_no_barrier: race shared SHARED_CENTRE SHARED_CENTRE_READ
// case bodies: clean
// case bodies_no_first: race shared TILE TILE_READ
// case bodies_no_second: race shared TILE TILE_READ
// case transposed_bounds: out-of-bounds global TRANSPOSED; maybe race global write-after-write mild
#include <cstring>
#include <vector>

constexpr int kN = 256;
enum Bug {
    kRight,
    kNoBarrier,
    kBranch,
    kNoClear,
    kNoFlush,
    kPlain,
    kNotCleared,
    kBounds,
    kNoHalo,
    kNoFirst,
    kNoSecond
};

template <Bug kBug>
__global__ void reduce(const float* in, float* out) {
    __shared__ float sums[kN];
    const int t = threadIdx.x;
    sums[t] = in[t];
    __syncthreads();
    for (int step = 1; step < kN; step *= 2) {
        if (t % (2 * step) == 0) {
            sums[t] += sums[t + step];  // @HALVE
            if (kBug == kBranch) __syncthreads();
        }
        if (kBug == kRight) __syncthreads();
    }
    if (t == 0) out[0] = sums[0];
}

template <bool kSync>
__device__ void pause() {
    if (kSync) __syncwarp();
}

template <bool kSync>
__global__ void reduce_unrolled(const float* in, float* out) {
    __shared__ float sums[kN];
    const int t = threadIdx.x;
    sums[t] = in[t];
    __syncthreads();
    for (int half = kN / 2; half > 32; half /= 2) {
        if (t < half) sums[t] = sums[t] + sums[t + half];
        __syncthreads();
    }
    if (t < 32) {
        float mine = sums[t] + sums[t + 32];
        for (int half = 16; half > 0; half /= 2) {
            pause<kSync>();
            sums[t] = mine;  // @LAST_WARP
            pause<kSync>();
            mine += sums[(t + half) % 32];  // @LAST_WARP
        }
        if (t == 0) out[0] = mine;
    }
}

template <bool kTwo>
__global__ void scan_hillis(const float* in, float* out) {
    __shared__ float sums[kN];
    const int t = threadIdx.x;
    sums[t] = in[t];
    __syncthreads();
    for (int step = 1; step < kN; step *= 2) {
        const float left = t >= step ? sums[t - step] : 0;  // @HILLIS
        if (kTwo) __syncthreads();
        sums[t] += left;  // @HILLIS
        __syncthreads();
    }
    out[t] = sums[t];
}

template <bool kBarrier>
__global__ void scan_blelloch(const float* in, float* out) {
    __shared__ float tree[2 * kN];
    const int t = threadIdx.x;
    tree[2 * t] = in[2 * t % kN];
    tree[2 * t + 1] = in[(2 * t + 1) % kN];
    int offset = 1;
    for (int d = kN; d > 0; d /= 2, offset *= 2) {
        if (kBarrier) __syncthreads();
        if (t < d) tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];  // @UP
    }
    if (t == 0) tree[2 * kN - 1] = 0;
    for (int d = 1; d < 2 * kN; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            const int low = offset * (2 * t + 1) - 1, high = offset * (2 * t + 2) - 1;
            const float kept = tree[low];
            tree[low] = tree[high];
            tree[high] += kept;
        }
    }
    __syncthreads();
    out[t] = tree[t];
}

template <Bug kBug>
__global__ void histogram_global(const int* in, int* bins) {
    const int bin = in[blockIdx.x * blockDim.x + threadIdx.x] % 16;
    if (kBug == kPlain)
        bins[bin]++;  // @BIN
    else
        atomicAdd(&bins[bin], 1);
}

template <Bug kBug>
__global__ void histogram_private(const int* in, int* bins) {
    __shared__ int own[16];
    const int t = threadIdx.x;
    if (t < 16 && kBug != kNotCleared) own[t] = 0;  // @CLEAR
    if (kBug != kNoClear) __syncthreads();
    const int bin = in[blockIdx.x * blockDim.x + t] % 16;
    if (kBug == kPlain)
        own[bin]++;  // @ADD_PLAIN
    else
        atomicAdd(&own[bin], 1);  // @ADD
    if (kBug != kNoFlush) __syncthreads();
    if (t < 16) atomicAdd(&bins[t], own[t]);  // @FLUSH
}

template <Bug kBug>
__global__ void odd_even(int* values) {
    __shared__ int keys[kN];
    const int t = threadIdx.x;
    keys[2 * t] = values[2 * t];
    keys[2 * t + 1] = values[2 * t + 1];
    __syncthreads();
    for (int phase = 0; phase < 16; ++phase) {
        const int i = 2 * t + phase % 2;
        if (i + 1 < kN || kBug == kBounds) {
            const int low = keys[i], high = keys[i + 1];        // @SWAP
            if (low > high) keys[i] = high, keys[i + 1] = low;  // @SWAP
        }
        if (kBug != kNoBarrier) __syncthreads();
    }
    __syncthreads();
    values[2 * t] = keys[2 * t];
    values[2 * t + 1] = keys[2 * t + 1];
}

template <Bug kBug>
__global__ void bitonic(int* values) {
    __shared__ int keys[kN];
    const int t = threadIdx.x;
    keys[t] = values[t];
    __syncthreads();
    for (int size = 2; size <= kN; size *= 2) {
        for (int apart = size / 2; apart > 0; apart /= 2) {
            const int other = t ^ apart;
            if (other > t) {
                const bool up = (t & size) == 0;
                if ((keys[t] > keys[other]) == up) {  // @EXCHANGE
                    const int kept = keys[t];         // @EXCHANGE
                    keys[t] = keys[other];            // @EXCHANGE
                    keys[other] = kept;               // @EXCHANGE
                }
            }
            if (kBug == kRight) __syncthreads();
        }
    }
    __syncthreads();
    values[t] = keys[t];
}

template <Bug kBug>
__global__ void stencil(const float* in, float* out, int n) {
    __shared__ float tile[64 + 2];
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    tile[t + 1] = in[i];  // @LOAD
    if (t == 0 && kBug != kNoHalo) tile[0] = i > 0 ? in[i - 1] : 0;
    if (t == 63) tile[65] = i + 1 < n || kBug == kBounds ? in[i + 1] : 0;  // @LOAD_RIGHT
    if (kBug != kNoBarrier) __syncthreads();
    const float sum = tile[t] + tile[t + 1] + tile[t + 2];  // @STENCIL
    out[i] = sum > 1 ? sum : 1;                             // @STENCIL
}

template <Bug kBug>
__global__ void spmv(const int* rows, const int* columns, const float* values, const float* x, float* y, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (kBug == kBounds ? row > n : row >= n) return;
    float sum = 0;
    for (int e = rows[row]; e < rows[row + 1]; ++e) sum += values[e] * x[columns[e]];  // @ROW
    y[row] = sum;
}

__global__ void spmv_vector(const int* rows, const int* columns, const float* values, const float* x, float* y, int n) {
    __shared__ float parts[64];
    const int lane = threadIdx.x % 32, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= n) return;
    float sum = 0;
    for (int e = rows[row] + lane; e < rows[row + 1]; e += 32) sum += values[e] * x[columns[e]];
    parts[threadIdx.x] = sum;
    for (int half = 16; half > 0; half /= 2)
        if (lane < half) parts[threadIdx.x] += parts[threadIdx.x + half];  // @LANES
    if (lane == 0) y[row] = parts[threadIdx.x];
}

template <Bug kBug>
__global__ void kmeans(const float* points, const float* centres, float* sums, int* members) {
    __shared__ float near[4];
    if (threadIdx.x < 4) near[threadIdx.x] = centres[threadIdx.x];  // @SHARED_CENTRE
    if (kBug != kNoBarrier) __syncthreads();
    const float point = points[blockIdx.x * blockDim.x + threadIdx.x];
    int best = 0;
    for (int k = 1; k < 4; ++k)
        if (fabsf(point - near[k]) < fabsf(point - near[best])) best = k;  // @SHARED_CENTRE_READ
    if (kBug == kPlain) {
        sums[best] += point;  // @CENTRE
        members[best]++;      // @MEMBERS
    } else {
        atomicAdd(&sums[best], point);
        atomicAdd(&members[best], 1);
    }
}

template <Bug kBug>
__global__ void bodies(const float4* at, float3* force) {
    __shared__ float4 tile[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 mine = at[i];
    float3 sum = {0, 0, 0};
    for (int first = 0; first < kN; first += 64) {
        tile[threadIdx.x] = at[first + threadIdx.x];  // @TILE
        if (kBug != kNoFirst) __syncthreads();
        for (int k = 0; k < 64; ++k) {
            const float4 other = tile[k];  // @TILE_READ
            const float x = other.x - mine.x, y = other.y - mine.y, z = other.z - mine.z;
            const float scale = other.w * rsqrtf(x * x + y * y + z * z + 0.01f);
            sum.x += x * scale, sum.y += y * scale, sum.z += z * scale;
        }
        if (kBug != kNoSecond) __syncthreads();
    }
    force[i] = sum;
}

// Rows and columns taken one for the other.
__global__ void transposed(const float* in, float* out, int rows, int columns) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < rows && y < columns) out[x * rows + y] = in[y * columns + x];  // @TRANSPOSED
}

template <typename T>
T* to_device(const std::vector<T>& host) {
    T* device;
    cudaMalloc(&device, host.size() * sizeof(T));
    cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

int main(int, char** argv) {
    std::vector<float> numbers(kN), bodies_at;
    std::vector<int> keys(kN), rows, columns;
    for (int i = 0; i < kN; ++i) numbers[i] = i % 13 + 0.5f, keys[i] = i * 97 % 251;
    for (int i = 0; i < 4 * kN; ++i) bodies_at.push_back(i * 31 % 64);
    for (int row = 0; row < kN; ++row) {
        rows.push_back(columns.size());
        for (int k = 0; k < 1 + row % 4; ++k) columns.push_back((row * 7 + k * 50) % kN);
    }
    rows.push_back(columns.size());
    float *in = to_device(numbers), *out = to_device(std::vector<float>(2 * kN)), *at = to_device(bodies_at);
    float *values = to_device(std::vector<float>(columns.size(), 2)), *force = to_device(std::vector<float>(3 * kN));
    float *centres = to_device(std::vector<float>{1, 4, 7, 11}), *matrix = to_device(std::vector<float>(20 * 30));
    float* transpose = to_device(std::vector<float>(20 * 30));
    int *key = to_device(keys), *row = to_device(rows), *column = to_device(columns),
        *bins = to_device(std::vector<int>(16));
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    if (is("reduce_interleaved")) reduce<kRight><<<1, kN>>>(in, out);
    if (is("reduce_interleaved_no_barrier")) reduce<kNoBarrier><<<1, kN>>>(in, out);
    if (is("reduce_barrier_in_branch")) reduce<kBranch><<<1, kN>>>(in, out);
    if (is("reduce_unrolled")) reduce_unrolled<true><<<1, kN>>>(in, out);
    if (is("reduce_unrolled_no_syncwarp")) reduce_unrolled<false><<<1, kN>>>(in, out);
    if (is("scan_hillis")) scan_hillis<true><<<1, kN>>>(in, out);
    if (is("scan_hillis_one_barrier")) scan_hillis<false><<<1, kN>>>(in, out);
    if (is("scan_blelloch")) scan_blelloch<true><<<1, kN>>>(in, out);
    if (is("scan_blelloch_no_barrier")) scan_blelloch<false><<<1, kN>>>(in, out);
    if (is("histogram_global")) histogram_global<kRight><<<4, 64>>>(key, bins);
    if (is("histogram_global_plain")) histogram_global<kPlain><<<4, 64>>>(key, bins);
    if (is("histogram_private")) histogram_private<kRight><<<4, 64>>>(key, bins);
    if (is("histogram_private_no_clear_barrier")) histogram_private<kNoClear><<<4, 64>>>(key, bins);
    if (is("histogram_private_no_flush_barrier")) histogram_private<kNoFlush><<<4, 64>>>(key, bins);
    if (is("histogram_private_plain")) histogram_private<kPlain><<<4, 64>>>(key, bins);
    if (is("histogram_private_not_cleared")) histogram_private<kNotCleared><<<4, 64>>>(key, bins);
    if (is("odd_even")) odd_even<kRight><<<1, kN / 2>>>(key);
    if (is("odd_even_no_barrier")) odd_even<kNoBarrier><<<1, kN / 2>>>(key);
    if (is("odd_even_bounds")) odd_even<kBounds><<<1, kN / 2>>>(key);
    if (is("bitonic")) bitonic<kRight><<<1, kN>>>(key);
    if (is("bitonic_no_barrier")) bitonic<kNoBarrier><<<1, kN>>>(key);
    if (is("stencil")) stencil<kRight><<<4, 64>>>(in, out, kN);
    if (is("stencil_no_barrier")) stencil<kNoBarrier><<<4, 64>>>(in, out, kN);
    if (is("stencil_halo_not_loaded")) stencil<kNoHalo><<<4, 64>>>(in, out, kN);
    if (is("stencil_bounds")) stencil<kBounds><<<4, 64>>>(in, out, kN);
    if (is("spmv")) spmv<kRight><<<5, 64>>>(row, column, values, in, out, kN);
    if (is("spmv_bounds")) spmv<kBounds><<<5, 64>>>(row, column, values, in, out, kN);
    if (is("spmv_vector_no_syncwarp")) spmv_vector<<<kN / 2, 64>>>(row, column, values, in, out, kN);
    if (is("kmeans")) kmeans<kRight><<<4, 64>>>(in, centres, out, bins);
    if (is("kmeans_plain")) kmeans<kPlain><<<4, 64>>>(in, centres, out, bins);
    if (is("kmeans_shared_no_barrier")) kmeans<kNoBarrier><<<4, 64>>>(in, centres, out, bins);
    auto* const places = reinterpret_cast<float4*>(at);
    auto* const forces = reinterpret_cast<float3*>(force);
    if (is("bodies")) bodies<kRight><<<4, 64>>>(places, forces);
    if (is("bodies_no_first")) bodies<kNoFirst><<<4, 64>>>(places, forces);
    if (is("bodies_no_second")) bodies<kNoSecond><<<4, 64>>>(places, forces);
    if (is("transposed_bounds")) transposed<<<dim3(2, 2), dim3(16, 16)>>>(matrix, transpose, 20, 30);
    const int result = cudaDeviceSynchronize();
    std::vector<int> counts(16);
    cudaMemcpy(counts.data(), bins, counts.size() * sizeof(int), cudaMemcpyDeviceToHost);
    std::vector<float> back(kN);
    cudaMemcpy(back.data(), out, kN * sizeof(float), cudaMemcpyDeviceToHost);
    for (float* each : {in, out, at, values, force, centres, matrix, transpose}) cudaFree(each);
    for (int* each : {key, row, column, bins}) cudaFree(each);
    return result;
}
