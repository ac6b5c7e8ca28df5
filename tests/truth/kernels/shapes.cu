// Kernels of many shapes as people write them, to see how far the rules for the assembler's accesses carry: written
// after the rules, counted once, and not used to make any.
#include <cuda_fp16.h>

#include "truth.h"

// A sum over a window of shared memory, its width a constant or not.
template <int R>
__global__ void window_sum(const float* in, float* out, int n) {
    __shared__ float cells[256 + 2 * R];
    int g = blockIdx.x * 256 + threadIdx.x;
    for (int i = threadIdx.x; i < 256 + 2 * R; i += 256) {
        int at = blockIdx.x * 256 + i - R;
        cells[i] = at >= 0 && at < n ? in[at] : 0.0f;
    }
    __syncthreads();
    float sum = 0;
    for (int k = -R; k <= R; ++k) sum += cells[threadIdx.x + R + k];
    out[g] = sum;
}
__global__ void window_sum_any(const float* in, float* out, int n, int r) {
    extern __shared__ float any_cells[];
    for (int i = threadIdx.x; i < 256 + 2 * r; i += 256) {
        int at = blockIdx.x * 256 + i - r;
        any_cells[i] = at >= 0 && at < n ? in[at] : 0.0f;
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k <= 2 * r; ++k) sum += any_cells[threadIdx.x + k];
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}
// A thread sums four neighbours of its own.
__global__ void four_each(const float* in, float* out) {
    __shared__ float cells[1024];
    int t = threadIdx.x;
    for (int i = 0; i < 4; ++i) cells[t + i * 256] = in[blockIdx.x * 1024 + t + i * 256];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 4; ++i) sum += cells[t * 4 + i] * (i + 1);
    out[blockIdx.x * 256 + t] = sum;
}
// Five-point and nine-point stencils on a padded tile, one and four rows a thread.
template <int PAD>
__global__ void stencil9(const float* in, float* out, int w) {
    __shared__ float tile[18][34 + PAD];
    int tx = threadIdx.x, ty = threadIdx.y;
    for (int y = ty; y < 18; y += 16)
        for (int x = tx; x < 34; x += 32) tile[y][x] = in[(blockIdx.y * 16 + y) * w + blockIdx.x * 32 + x];
    __syncthreads();
    float sum = 0;
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x) sum += tile[ty + y][tx + x] * (x + 3 * y);
    out[(blockIdx.y * 16 + ty) * w + blockIdx.x * 32 + tx] = sum;
}
__global__ void stencil_strip(const float* in, float* out, int w) {
    __shared__ float tile[34][36];
    int t = threadIdx.y * 8 + threadIdx.x;
    for (int i = t; i < 34 * 34; i += 256) tile[i / 34][i % 34] = in[(blockIdx.y * 32 + i / 34) * w + blockIdx.x * 32 + i % 34];
    __syncthreads();
    int x = threadIdx.x * 4, y = threadIdx.y;
    for (int k = 0; k < 4; ++k)
        out[(blockIdx.y * 32 + y) * w + blockIdx.x * 32 + x + k] =
            tile[y][x + k + 1] + tile[y + 2][x + k + 1] + tile[y + 1][x + k] + tile[y + 1][x + k + 2] - 4 * tile[y + 1][x + k + 1];
}
// Bodies in tiles of shared memory, positions and masses in one vector, or in arrays.
__global__ void bodies(const float4* p, float3* a, int n) {
    __shared__ float4 tile[128];
    float4 me = p[blockIdx.x * 128 + threadIdx.x];
    float3 sum = {0, 0, 0};
    for (int b = 0; b < n; b += 128) {
        tile[threadIdx.x] = p[b + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 128; ++j) {
            float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            float d = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
            float s = tile[j].w * d * d * d;
            sum.x += dx * s;
            sum.y += dy * s;
            sum.z += dz * s;
        }
        __syncthreads();
    }
    a[blockIdx.x * 128 + threadIdx.x] = sum;
}
__global__ void bodies_apart(const float* px, const float* py, float* a, int n) {
    __shared__ float xs[128], ys[128];
    float mx = px[blockIdx.x * 128 + threadIdx.x], my = py[blockIdx.x * 128 + threadIdx.x], sum = 0;
    for (int b = 0; b < n; b += 128) {
        xs[threadIdx.x] = px[b + threadIdx.x];
        ys[threadIdx.x] = py[b + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 128; ++j) sum += (xs[j] - mx) * (ys[j] - my);
        __syncthreads();
    }
    a[blockIdx.x * 128 + threadIdx.x] = sum;
}
// Distances to centres of D dimensions.
template <int D, int K>
__global__ void nearest(const float* points, const float* centres, int* out, int n) {
    __shared__ float c[K * D];
    for (int i = threadIdx.x; i < K * D; i += blockDim.x) c[i] = centres[i];
    __syncthreads();
    int t = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
    float least = 1e30f;
    for (int k = 0; k < K; ++k) {
        float sum = 0;
        for (int d = 0; d < D; ++d) {
            float x = points[d * n + t] - c[k * D + d];
            sum += x * x;
        }
        if (sum < least) {
            least = sum;
            best = k;
        }
    }
    out[t] = best;
}
// Products of other types and shapes.
template <class T, class U, int TILE>
__global__ void tile_product(const T* A, const T* B, U* C, int n) {
    __shared__ T As[TILE][TILE], Bs[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    U sum = 0;
    for (int m = 0; m < n; m += TILE) {
        As[y][x] = A[row * n + m + x];
        Bs[y][x] = B[(m + y) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += U(As[y][k]) * U(Bs[k][x]);
        __syncthreads();
    }
    C[row * n + col] = sum;
}
// The second operand transposed in shared memory: both rows are read along k.
template <int TILE, int PAD, int TIMES>
__global__ void product_transposed(const float* A, const float* B, float* C, int n) {
    __shared__ float As[TILE][TILE + PAD], Bs[TILE][TILE + PAD];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    for (int m = 0; m < n; m += TILE) {
        As[y][x] = A[row * n + m + x];
        Bs[x][y] = B[(m + y) * n + col];
        __syncthreads();
#pragma unroll TIMES
        for (int k = 0; k < TILE; ++k) sum += As[y][k] * Bs[x][k];
        __syncthreads();
    }
    C[row * n + col] = sum;
}
template <int BM, int BN, int BK, int TM, int TN>
__global__ void oblong(const float* A, const float* B, float* C, int n) {
    __shared__ float As[BM][BK + 1], Bs[BK][BN];
    int tx = threadIdx.x % (BN / TN), ty = threadIdx.x / (BN / TN), threads = BM / TM * (BN / TN);
    float sum[TM][TN] = {};
    for (int m = 0; m < n; m += BK) {
        for (int i = threadIdx.x; i < BM * BK; i += threads) As[i / BK][i % BK] = A[(blockIdx.y * BM + i / BK) * n + m + i % BK];
        for (int i = threadIdx.x; i < BN * BK; i += threads) Bs[i / BN][i % BN] = B[(m + i / BN) * n + blockIdx.x * BN + i % BN];
        __syncthreads();
        for (int k = 0; k < BK; ++k) {
            float a[TM], b[TN];
            for (int i = 0; i < TM; ++i) a[i] = As[ty + i * (BM / TM)][k];
            for (int j = 0; j < TN; ++j) b[j] = Bs[k][tx * TN + j];
            for (int i = 0; i < TM; ++i)
                for (int j = 0; j < TN; ++j) sum[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j) C[(blockIdx.y * BM + ty + i * (BM / TM)) * n + blockIdx.x * BN + tx * TN + j] = sum[i][j];
}
// A vector against the rows of a matrix.
__global__ void matrix_vector(const float* A, const float* x, float* y, int n) {
    __shared__ float xs[256];
    int row = blockIdx.x * 128 + threadIdx.x;
    float sum = 0;
    for (int m = 0; m < n; m += 256) {
        xs[threadIdx.x] = x[m + threadIdx.x];
        xs[threadIdx.x + 128] = x[m + threadIdx.x + 128];
        __syncthreads();
        for (int k = 0; k < 256; ++k) sum += A[(m + k) * n + row] * xs[k];
        __syncthreads();
    }
    y[row] = sum;
}
// Scans and sorts.
__global__ void scan_up_down(const float* in, float* out) {
    __shared__ float cells[512];
    int t = threadIdx.x, base = blockIdx.x * 512;
    cells[2 * t] = in[base + 2 * t];
    cells[2 * t + 1] = in[base + 2 * t + 1];
    int offset = 1;
    for (int d = 256; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) cells[offset * (2 * t + 2) - 1] += cells[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    if (t == 0) cells[511] = 0;
    for (int d = 1; d < 512; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            float v = cells[a];
            cells[a] = cells[b];
            cells[b] += v;
        }
    }
    __syncthreads();
    out[base + 2 * t] = cells[2 * t];
    out[base + 2 * t + 1] = cells[2 * t + 1];
}
__global__ void scan_doubling(const float* in, float* out) {
    __shared__ float cells[2][256];
    int t = threadIdx.x, from = 0;
    cells[0][t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        cells[from ^ 1][t] = cells[from][t] + (t >= d ? cells[from][t - d] : 0.0f);
        from ^= 1;
        __syncthreads();
    }
    out[blockIdx.x * 256 + t] = cells[from][t];
}
__global__ void bitonic(const float* in, float* out) {
    __shared__ float cells[256];
    int t = threadIdx.x;
    cells[t] = in[blockIdx.x * 256 + t];
    for (int k = 2; k <= 256; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            __syncthreads();
            int o = t ^ j;
            if (o > t) {
                float a = cells[t], b = cells[o];
                if ((a > b) == ((t & k) == 0)) {
                    cells[t] = b;
                    cells[o] = a;
                }
            }
        }
    __syncthreads();
    out[blockIdx.x * 256 + t] = cells[t];
}
// Reductions of a block.
__global__ void block_sum(const float* in, float* out) {
    __shared__ float part[32];
    float v = in[blockIdx.x * 256 + threadIdx.x];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int w = 0; w < 8; ++w) sum += part[w];
        atomicAdd(out, sum);
    }
}
__global__ void block_max(const int* in, int* out, int n) {
    __shared__ int most;
    if (threadIdx.x == 0) most = 0;
    __syncthreads();
    int mine = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) mine = max(mine, in[i]);
    atomicMax(&most, mine);
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(out, most);
}
// Counting what passes, and a queue of it.
__global__ void count_passing(const int* in, int* out, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n && in[i] > 100) atomicAdd(out, 1);
}
__global__ void queue_passing(const int* in, int* queue, int* count, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n && in[i] > 100) atomicAdd(&queue[0], atomicAdd(count, 1) & 1);
}
__global__ void sum_passing(const int* in, int* out, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n && in[i] > 100) atomicAdd(out, in[i]);
}
__global__ void counts_by_digit(const int* in, int* out, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    for (int d = 0; d < 4; ++d)
        if ((in[i] >> d & 1) != 0) atomicAdd(&out[d], 1);
}
__global__ void rank_sum(const int* in, int* out, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    int at = atomicAdd(&out[0], in[i]);
    if (at < 0) out[1] = at;
}
__global__ void private_bins(const int* in, int* out, int n) {
    __shared__ int bins[8][65];
    for (int i = threadIdx.x; i < 8 * 65; i += 256) (&bins[0][0])[i] = 0;
    __syncthreads();
    int warp = threadIdx.x / 32;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&bins[warp][in[i] & 63], 1);
    __syncthreads();
    if (threadIdx.x < 64) {
        int sum = 0;
        for (int w = 0; w < 8; ++w) sum += bins[w][threadIdx.x];
        atomicAdd(&out[threadIdx.x], sum);
    }
}
// Rows normalised by four elements a thread.
__global__ void normalise(const float4* in, float4* out) {
    __shared__ float part[8];
    float4 v = in[blockIdx.x * 256 + threadIdx.x];
    float sum = v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < 8; ++w) sum += part[w];
    float s = rsqrtf(sum);
    out[blockIdx.x * 256 + threadIdx.x] = make_float4(v.x * s, v.y * s, v.z * s, v.w * s);
}
// Complex numbers through shared memory, and a butterfly.
__global__ void butterflies(const float2* in, float2* out) {
    __shared__ float2 cells[256];
    int t = threadIdx.x;
    cells[t] = in[blockIdx.x * 256 + t];
    cells[t + 128] = in[blockIdx.x * 256 + t + 128];
    for (int half = 1; half < 256; half *= 2) {
        __syncthreads();
        int at = t / half * half * 2 + t % half;
        float2 a = cells[at], b = cells[at + half];
        float c = 1.0f / half, re = b.x * c - b.y, im = b.x + b.y * c;
        cells[at] = make_float2(a.x + re, a.y + im);
        cells[at + half] = make_float2(a.x - re, a.y - im);
    }
    __syncthreads();
    out[blockIdx.x * 256 + t] = cells[t];
    out[blockIdx.x * 256 + t + 128] = cells[t + 128];
}
// Four by four of a tile turned around, vectors on both sides.
__global__ void turn_vectors(const float4* in, float4* out, int w) {
    __shared__ float tile[32][33];
    int t = threadIdx.x, x = t % 8, y = t / 8;
    float4 v = in[(blockIdx.y * 32 + y) * w + blockIdx.x * 8 + x];
    tile[y][x * 4] = v.x;
    tile[y][x * 4 + 1] = v.y;
    tile[y][x * 4 + 2] = v.z;
    tile[y][x * 4 + 3] = v.w;
    __syncthreads();
    out[(blockIdx.x * 32 + y) * w + blockIdx.y * 8 + x] = make_float4(tile[x * 4][y], tile[x * 4 + 1][y], tile[x * 4 + 2][y], tile[x * 4 + 3][y]);
}
__global__ void matrix_in_registers(const float* in, float* out) {
    __shared__ float m[128][16];
    int t = threadIdx.x;
    for (int i = 0; i < 16; ++i) m[t][i] = in[(blockIdx.x * 16 + i) * 128 + t];
    float row[4], sum = 0;
    for (int k = 0; k < 4; ++k) {
        for (int i = 0; i < 4; ++i) row[i] = m[t][k * 4 + i];
        sum += row[0] * row[3] - row[1] * row[2];
    }
    out[blockIdx.x * 128 + t] = sum;
}

int main() {
    float *in = floats(1 << 18), *in2 = floats(1 << 18), *out = floats(1 << 18);
    int* keys = device_buffer<int>(1 << 18, [](size_t i) { return int(value(i) * 256); });
    int* ints = device_buffer<int>(1 << 12, [](size_t) { return 0; });
    double* doubles = device_buffer<double>(1 << 16, [](size_t i) { return double(value(i)); });
    __half* halves = device_buffer<__half>(1 << 16, [](size_t i) { return __float2half(value(i)); });
    const int n = 64 * 256;
    dim3 b16(16, 16), b32(32, 32), b8(8, 8);
    CASE("window_sum_3", out, n, (window_sum<3><<<64, 256>>>(in, out, n)));
    CASE("window_sum_16", out, n, (window_sum<16><<<64, 256>>>(in, out, n)));
    CASE("window_sum_any_9", out, n, (window_sum_any<<<64, 256, (256 + 18) * 4>>>(in, out, n, 9)));
    CASE("four_each", out, n, (four_each<<<64, 256>>>(in, out)));
    CASE("stencil9_0", out, n, (stencil9<0><<<dim3(4, 8), dim3(32, 16)>>>(in, out, 256)));
    CASE("stencil9_2", out, n, (stencil9<2><<<dim3(4, 8), dim3(32, 16)>>>(in, out, 256)));
    CASE("stencil_strip", out, n, (stencil_strip<<<dim3(4, 4), dim3(8, 32)>>>(in, out, 256)));
    CASE("bodies", out, 1024 * 3, (bodies<<<8, 128>>>((float4*)in, (float3*)out, 1024)));
    CASE("bodies_apart", out, 1024, (bodies_apart<<<8, 128>>>(in, in2, out, 1024)));
    CASE("nearest_4_16", (int*)out, n, (nearest<4, 16><<<64, 256>>>(in, in2, (int*)out, n)));
    CASE("nearest_16_8", (int*)out, n, (nearest<16, 8><<<64, 256>>>(in, in2, (int*)out, n)));
    CASE("nearest_3_10", (int*)out, n, (nearest<3, 10><<<64, 256>>>(in, in2, (int*)out, n)));
    CASE("product_f64_16", doubles + 32768, 16384, (tile_product<double, double, 16><<<dim3(8, 8), b16>>>(doubles, doubles + 16384, doubles + 32768, 128)));
    CASE("product_f16_16", out, 16384, (tile_product<__half, float, 16><<<dim3(8, 8), b16>>>(halves, halves + 16384, out, 128)));
    CASE("product_i32_32", (int*)out, 16384, (tile_product<int, int, 32><<<dim3(4, 4), b32>>>(keys, keys + 16384, (int*)out, 128)));
    CASE("product_f32_8", out, 16384, (tile_product<float, float, 8><<<dim3(16, 16), b8>>>(in, in2, out, 128)));
    CASE("transposed_16_0_1", out, 16384, (product_transposed<16, 0, 1><<<dim3(8, 8), b16>>>(in, in2, out, 128)));
    CASE("transposed_16_1_2", out, 16384, (product_transposed<16, 1, 2><<<dim3(8, 8), b16>>>(in, in2, out, 128)));
    CASE("transposed_16_4_4", out, 16384, (product_transposed<16, 4, 4><<<dim3(8, 8), b16>>>(in, in2, out, 128)));
    CASE("transposed_32_0_8", out, 16384, (product_transposed<32, 0, 8><<<dim3(4, 4), b32>>>(in, in2, out, 128)));
    CASE("transposed_32_4_2", out, 16384, (product_transposed<32, 4, 2><<<dim3(4, 4), b32>>>(in, in2, out, 128)));
    CASE("oblong_64_32_16_4_2", out, 16384, (oblong<64, 32, 16, 4, 2><<<dim3(4, 2), 256>>>(in, in2, out, 128)));
    CASE("oblong_32_64_8_2_4", out, 16384, (oblong<32, 64, 8, 2, 4><<<dim3(2, 4), 256>>>(in, in2, out, 128)));
    CASE("oblong_64_64_32_8_4", out, 16384, (oblong<64, 64, 32, 8, 4><<<dim3(2, 2), 128>>>(in, in2, out, 128)));
    CASE("matrix_vector", out, 512, (matrix_vector<<<4, 128>>>(in, in2, out, 512)));
    CASE("scan_up_down", out, n, (scan_up_down<<<32, 256>>>(in, out)));
    CASE("scan_doubling", out, n, (scan_doubling<<<64, 256>>>(in, out)));
    CASE("bitonic", out, n, (bitonic<<<64, 256>>>(in, out)));
    CASE("block_sum", out, 1, (block_sum<<<64, 256>>>(in, out)));
    CASE("block_max", ints, 1, (block_max<<<32, 256>>>(keys, ints, n)));
    CASE("count_passing", ints, 1, (count_passing<<<64, 256>>>(keys, ints, n - 5)));
    CASE("queue_passing", ints, 1, (queue_passing<<<64, 256>>>(keys, ints + 8, ints, n)));
    CASE("sum_passing", ints, 1, (sum_passing<<<64, 256>>>(keys, ints, n)));
    CASE("counts_by_digit", ints, 4, (counts_by_digit<<<64, 256>>>(keys, ints, n)));
    CASE("rank_sum", ints, 1, (rank_sum<<<64, 256>>>(keys, ints, n - 9)));
    CASE("private_bins", ints, 64, (private_bins<<<16, 256>>>(keys, ints, n)));
    CASE("normalise", out, n * 4, (normalise<<<64, 256>>>((float4*)in, (float4*)out)));
    CASE("butterflies", out, n * 2, (butterflies<<<64, 128>>>((float2*)in, (float2*)out)));
    CASE("turn_vectors", out, 65536, (turn_vectors<<<dim3(8, 8), 256>>>((float4*)in, (float4*)out, 64)));
    CASE("matrix_in_registers", out, 8192, (matrix_in_registers<<<64, 128>>>(in, out)));
    return 0;
}
