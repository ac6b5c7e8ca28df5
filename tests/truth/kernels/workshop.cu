// Kernels as people write them in their second week and in their second year, on 1 to 130 MB, written after structures'
// loads, ranks of L1's lines and ends of warps stood in the models, and measured after.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <vector>

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;
using u64 = unsigned long long;

// ---- Particles, as structures and as arrays ----
struct Atom { float x, y, z, q; float fx, fy, fz, m; };
__global__ void kick(Atom* a, float dt, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float w = dt / a[i].m;
    a[i].x += w * a[i].fx;
    a[i].y += w * a[i].fy;
    a[i].z += w * a[i].fz;
    a[i].fx = a[i].fy = a[i].fz = 0;
}
struct Pixel { u8 r, g, b; };
__global__ void tint(Pixel* p, int n, float s) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    p[i].r = (u8)(p[i].r * s);
    p[i].g = (u8)(p[i].g * s);
    p[i].b = (u8)(p[i].b * s);
}
__global__ void kick_arrays(float* x, float* y, float* z, const float* u, const float* v, const float* w, float dt, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        x[i] += dt * u[i];
        y[i] += dt * v[i];
        z[i] += dt * w[i];
    }
}
__global__ void cells_of(const float4* p, int* cell, int* count, int n, int side) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 a = p[i];
    int c = ((int)(a.z * side) * side + (int)(a.y * side)) * side + (int)(a.x * side);
    cell[i] = c;
    atomicAdd(&count[c], 1);
}
__global__ void pair_forces(const float4* p, float4* f, int n) {
    __shared__ float4 t[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    float4 me = p[i], sum = {0, 0, 0, 0};
    for (int at = 0; at < n; at += 128) {
        t[threadIdx.x] = p[at + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 128; k++) {
            float dx = t[k].x - me.x, dy = t[k].y - me.y, dz = t[k].z - me.z;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f), s = t[k].w * r * r * r;
            sum.x += dx * s, sum.y += dy * s, sum.z += dz * s;
        }
        __syncthreads();
    }
    f[i] = sum;
}

// ---- Images and grids ----
__global__ void box_rows(const float* in, float* out, int w, int h, int r) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= h) return;
    float sum = 0;
    for (int x = 0; x < r; x++) sum += in[y * w + x];
    for (int x = r; x < w; x++) {
        sum += in[y * w + x] - in[y * w + x - r];
        out[y * w + x] = sum / r;
    }
}
__global__ void box_columns(const float* in, float* out, int w, int h, int r) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= w) return;
    float sum = 0;
    for (int y = 0; y < r; y++) sum += in[y * w + x];
    for (int y = r; y < h; y++) {
        sum += in[y * w + x] - in[(y - r) * w + x];
        out[y * w + x] = sum / r;
    }
}
__constant__ float taps[17];
__global__ void blur_rows(const float* in, float* out, int w) {
    __shared__ float t[256 + 16];
    int x = blockIdx.x * 256 + threadIdx.x, y = blockIdx.y;
    t[threadIdx.x + 8] = in[y * w + x];
    if (threadIdx.x < 8) {
        t[threadIdx.x] = x >= 8 ? in[y * w + x - 8] : 0;
        t[threadIdx.x + 264] = x + 256 < w ? in[y * w + x + 256] : 0;
    }
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 17; k++) sum += taps[k] * t[threadIdx.x + k];
    out[y * w + x] = sum;
}
__global__ void life(const u8* in, u8* out, int n) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    int l = (x + n - 1) % n, r = (x + 1) % n, u = (y + n - 1) % n * n, d = (y + 1) % n * n, m = y * n;
    int s = in[u + l] + in[u + x] + in[u + r] + in[m + l] + in[m + r] + in[d + l] + in[d + x] + in[d + r];
    out[m + x] = s == 3 || (s == 2 && in[m + x]);
}
__global__ void bilateral(const float* in, float* out, int w, int h) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < 3 || y < 3 || x >= w - 3 || y >= h - 3) return;
    float c = in[y * w + x], sum = 0, all = 0;
    for (int dy = -3; dy <= 3; dy++)
        for (int dx = -3; dx <= 3; dx++) {
            float v = in[(y + dy) * w + x + dx], d = v - c;
            float g = __expf(-(dx * dx + dy * dy) * 0.1f - d * d * 8);
            sum += g * v, all += g;
        }
    out[y * w + x] = sum / all;
}
__global__ void red_black(float* a, int n, int colour) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x == 0 || y == 0 || x >= n - 1 || y >= n - 1 || ((x + y) & 1) != colour) return;
    a[y * n + x] = 0.25f * (a[y * n + x - 1] + a[y * n + x + 1] + a[(y - 1) * n + x] + a[(y + 1) * n + x]);
}
__global__ void seven_points(const float* in, float* out, int n) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = blockIdx.z * 2 + threadIdx.z;
    if (x == 0 || y == 0 || z == 0 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
    int i = (z * n + y) * n + x;
    out[i] = 0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - n * n] + in[i + n * n]);
}

// ---- Linear algebra ----
__global__ void gemm_naive_nt(const float* a, const float* b, float* c, int n) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    float s = 0;
    for (int k = 0; k < n; k++) s += a[y * n + k] * b[x * n + k];
    c[y * n + x] = s;
}
template <int T>
__global__ void gemm_tile(const float* a, const float* b, float* c, int n) {
    __shared__ float s[T][T], t[T][T];
    int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    float v = 0;
    for (int p = 0; p < n; p += T) {
        s[threadIdx.y][threadIdx.x] = a[y * n + p + threadIdx.x];
        t[threadIdx.y][threadIdx.x] = b[(p + threadIdx.y) * n + x];
        __syncthreads();
        for (int k = 0; k < T; k++) v += s[threadIdx.y][k] * t[k][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = v;
}
__global__ void gemv_warp(const float4* a, const float4* x, float* y, int n4) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    float s = 0;
    for (int k = lane; k < n4; k += 32) {
        float4 u = a[(size_t)row * n4 + k], v = x[k];
        s += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
    }
    for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o);
    if (lane == 0) y[row] = s;
}
__global__ void spmv_ell(const int* column, const float* value, const float* x, float* y, int n, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int k = 0; k < width; k++) s += value[k * n + i] * x[column[k * n + i]];
    y[i] = s;
}
__global__ void small_products(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float m[16], r[4];
    for (int k = 0; k < 16; k++) m[k] = b[i * 16 + k];
    for (int y = 0; y < 4; y++) {
        for (int x = 0; x < 4; x++) {
            r[x] = 0;
            for (int k = 0; k < 4; k++) r[x] += a[i * 16 + y * 4 + k] * m[k * 4 + x];
        }
        for (int x = 0; x < 4; x++) c[i * 16 + y * 4 + x] = r[x];
    }
}
__global__ void copy_turned(const float* in, float* out, int w, int h) {
    __shared__ float t[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) t[threadIdx.y + k][threadIdx.x] = in[(y + k) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8) out[(y + k) * h + x] = t[threadIdx.x][threadIdx.y + k];
}

// ---- Sums, scans, sorts, words ----
__global__ void sum_halving(const float* in, float* out) {
    extern __shared__ float s[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
    s[t] = in[i] + in[i + blockDim.x];
    __syncthreads();
    for (int o = blockDim.x / 2; o > 0; o >>= 1) {
        if (t < o) s[t] += s[t + o];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void largest(const float* in, u32* out, int n) {
    float m = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) m = fmaxf(m, in[i]);
    for (int o = 16; o; o >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
    if ((threadIdx.x & 31) == 0) atomicMax(out, __float_as_uint(m));
}
__global__ void scan_warps(const int* in, int* out, int* sums) {
    __shared__ int last[8];
    int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x & 31, v = in[i];
    for (int o = 1; o < 32; o <<= 1) {
        int u = __shfl_up_sync(~0u, v, o);
        if (lane >= o) v += u;
    }
    if (lane == 31) last[threadIdx.x / 32] = v;
    __syncthreads();
    for (int w = 0; w < threadIdx.x / 32; w++) v += last[w];
    out[i] = v;
    if (threadIdx.x == 255) sums[blockIdx.x] = v;
}
__global__ void digits(const u32* keys, u32* counts, int n, int shift) {
    __shared__ u32 mine[16];
    if (threadIdx.x < 16) mine[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&mine[keys[i] >> shift & 15], 1);
    __syncthreads();
    if (threadIdx.x < 16) counts[threadIdx.x * gridDim.x + blockIdx.x] = mine[threadIdx.x];
}
__global__ void odd_even(int* v, int n, int phase) {
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + phase;
    if (i + 1 >= n) return;
    int a = v[i], b = v[i + 1];
    if (a > b) v[i] = b, v[i + 1] = a;
}
__global__ void find_sorted(const int* sorted, const int* keys, int* at, int n, int m) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m) return;
    int low = 0, high = n, k = keys[i];
    while (low < high) {
        int mid = (low + high) / 2;
        if (sorted[mid] < k) low = mid + 1; else high = mid;
    }
    at[i] = low;
}
__global__ void spaces_of(const u8* text, int* count, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
    if (i >= n) return;
    uint4 v = *(const uint4*)(text + i);
    int c = 0;
    u32 w[4] = {v.x, v.y, v.z, v.w};
    for (int k = 0; k < 4; k++)
        for (int b = 0; b < 32; b += 8) c += (w[k] >> b & 255) == 32;
    c = __reduce_add_sync(~0u, c);
    if ((threadIdx.x & 31) == 0) atomicAdd(count, c);
}

// ---- Learning ----
__global__ void gelu(float4* v, int n4) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n4) return;
    float4 a = v[i];
    float* p = &a.x;
    for (int k = 0; k < 4; k++) p[k] = 0.5f * p[k] * (1 + tanhf(0.79788456f * (p[k] + 0.044715f * p[k] * p[k] * p[k])));
    v[i] = a;
}
__global__ void norm_rows(const float* in, float* out, const float* g, const float* b, int n) {
    __shared__ float part[8], both[2];
    const float* row = in + (size_t)blockIdx.x * n;
    float s = 0, q = 0;
    for (int i = threadIdx.x; i < n; i += 256) s += row[i];
    for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x == 0) { s = 0; for (int k = 0; k < 8; k++) s += part[k]; both[0] = s / n; }
    __syncthreads();
    float mean = both[0];
    for (int i = threadIdx.x; i < n; i += 256) q += (row[i] - mean) * (row[i] - mean);
    for (int o = 16; o; o >>= 1) q += __shfl_xor_sync(~0u, q, o);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = q;
    __syncthreads();
    if (threadIdx.x == 0) { q = 0; for (int k = 0; k < 8; k++) q += part[k]; both[1] = rsqrtf(q / n + 1e-5f); }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 256) out[(size_t)blockIdx.x * n + i] = (row[i] - mean) * both[1] * g[i] + b[i];
}
__global__ void rows_wanted(const int* which, const float* table, float* out, int n) {
    int row = blockIdx.x;
    for (int k = threadIdx.x; k < n; k += blockDim.x) out[row * n + k] = table[(size_t)which[row] * n + k];
}
__global__ void rows_added(const int* which, float* table, const float* grad, int n) {
    int row = blockIdx.x;
    for (int k = threadIdx.x; k < n; k += blockDim.x) atomicAdd(&table[(size_t)which[row] * n + k], grad[row * n + k]);
}
__global__ void assign_means(const float* p, const float* means, int* which, int n, int k, int d) {
    extern __shared__ float m[];
    for (int i = threadIdx.x; i < k * d; i += blockDim.x) m[i] = means[i];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float best = 1e30f;
    int at = 0;
    for (int c = 0; c < k; c++) {
        float s = 0;
        for (int j = 0; j < d; j++) { float u = p[j * n + i] - m[c * d + j]; s += u * u; }
        if (s < best) best = s, at = c;
    }
    which[i] = at;
}
__global__ void pi_by_chance(u64* hits, int tries) {
    u32 s = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 1, c = 0;
    for (int i = 0; i < tries; i++) {
        s = s * 1664525u + 1013904223u;
        float x = (s >> 8) * 0x1p-24f;
        s = s * 1664525u + 1013904223u;
        float y = (s >> 8) * 0x1p-24f;
        c += x * x + y * y < 1;
    }
    c = __reduce_add_sync(~0u, c);
    if ((threadIdx.x & 31) == 0) atomicAdd(hits, (u64)c);
}

// ---- Graphs ----
__global__ void pull_rank(const int* begin, const int* from, const float* rank, const int* degree, float* out, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    float s = 0;
    for (int e = begin[v]; e < begin[v + 1]; e++) { int u = from[e]; s += rank[u] / degree[u]; }
    out[v] = 0.15f / n + 0.85f * s;
}
__global__ void smallest_label(const int* begin, const int* to, int* label, int* changed, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    int mine = label[v], best = mine;
    for (int e = begin[v]; e < begin[v + 1]; e++) best = min(best, label[to[e]]);
    if (best < mine) { atomicMin(&label[v], best); *changed = 1; }
}

template <class T>
T* sent(const std::vector<T>& v) {
    T* p;
    if (cudaMalloc(&p, v.size() * sizeof(T)) != cudaSuccess) return nullptr;
    cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
    return p;
}
template <class T>
T* zeros(size_t n) {
    T* p;
    if (cudaMalloc(&p, n * sizeof(T)) != cudaSuccess) return nullptr;
    cudaMemset(p, 0, n * sizeof(T));
    return p;
}

int main() {
    const int M = 1 << 20;
    u32 state = 7;
    auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 4; };
    std::vector<float> floats(16 * M);
    for (float& v : floats) v = (next() & 0xffffff) * 0x1p-24f;
    std::vector<u8> bytes(16 * M);
    for (u8& v : bytes) v = next() >> 9;
    std::vector<int> numbers(4 * M), rows(65536), sorted(2 * M), columns(4 * M);
    for (int& v : numbers) v = next() % (64 * M);
    for (int& v : rows) v = next() % 65536;
    for (int& v : columns) v = next() % (256 * 1024);
    for (int i = 0; i < 2 * M; i++) sorted[i] = i * 32 + next() % 32;
    float *a = sent(floats), *b = sent(floats), *c = zeros<float>(16 * M), *d = zeros<float>(16 * M);
    u8 *text = sent(bytes), *other = zeros<u8>(16 * M);
    int *keys = sent(numbers), *which = sent(rows), *order = sent(sorted), *col = sent(columns), *ints = zeros<int>(4 * M), *more = zeros<int>(4 * M);
    float host_taps[17];
    for (int k = 0; k < 17; k++) host_taps[k] = 1.0f / 17;
    cudaMemcpyToSymbol(taps, host_taps, sizeof host_taps);

    kick<<<M / 256, 256>>>((Atom*)c, 0.1f, M);
    tint<<<4 * M / 256, 256>>>((Pixel*)other, 4 * M, 0.5f);
    kick_arrays<<<1056, 256>>>(c, c + 4 * M, c + 8 * M, a, a + 4 * M, a + 8 * M, 0.1f, 4 * M);
    cells_of<<<2 * M / 256, 256>>>((const float4*)a, ints, more, 2 * M, 64);
    pair_forces<<<8192 / 128, 128>>>((const float4*)a, (float4*)c, 8192);

    box_rows<<<2048 / 64, 64>>>(a, c, 1024, 2048, 9);
    box_columns<<<2048 / 64, 64>>>(a, c, 2048, 1024, 9);
    blur_rows<<<dim3(4096 / 256, 2048), 256>>>(a, c, 4096);
    life<<<dim3(128, 512), dim3(32, 8)>>>(text, other, 4096);
    bilateral<<<dim3(96, 96), dim3(16, 16)>>>(a, c, 1536, 1536);
    red_black<<<dim3(96, 384), dim3(32, 8)>>>(c, 3072, 1);
    seven_points<<<dim3(6, 48, 96), dim3(32, 4, 2)>>>(a, c, 192);

    gemm_naive_nt<<<dim3(12, 48), dim3(32, 8)>>>(a, b, c, 384);
    gemm_tile<16><<<dim3(40, 40), dim3(16, 16)>>>(a, b, c, 640);
    gemm_tile<32><<<dim3(20, 20), dim3(32, 32)>>>(a, b, c, 640);
    gemv_warp<<<4096 / 8, 256>>>((const float4*)a, (const float4*)b, c, 1024);
    spmv_ell<<<1024, 256>>>(col, a, b, c, 256 * 1024, 16);
    small_products<<<M / 2 / 128, 128>>>(a, b, c, M / 2);
    copy_turned<<<dim3(96, 64), dim3(32, 8)>>>(a, c, 3072, 2048);

    sum_halving<<<8 * M / 1024, 512, 2048>>>(a, c);
    largest<<<264, 512>>>(a, (u32*)more, 16 * M);
    scan_warps<<<4 * M / 256, 256>>>(keys, ints, more);
    digits<<<4 * M / 256, 256>>>((const u32*)keys, (u32*)more, 4 * M, 8);
    odd_even<<<2 * M / 256, 256>>>(keys, 4 * M, 1);
    find_sorted<<<M / 256, 256>>>(order, keys, ints, 2 * M, M);
    spaces_of<<<M / 256, 256>>>(text, more, 16 * M);

    gelu<<<2 * M / 256, 256>>>((float4*)c, 2 * M);
    norm_rows<<<4096, 256>>>(a, c, b, b + 4096, 1536);
    rows_wanted<<<32768, 64>>>(which, a, c, 128);
    rows_added<<<16384, 64>>>(which, d, b, 128);
    assign_means<<<M / 256, 256, 16 * 8 * 4>>>(a, b, ints, M, 16, 8);
    pi_by_chance<<<528, 256>>>((u64*)more, 400);

    const int n = 1 << 19;
    std::vector<int> begin(n + 1), to, labels(n), degree(n, 1);
    for (int v = 0; v < n; v++) {
        begin[v] = (int)to.size();
        labels[v] = v;
        for (int e = 1 + next() % 11; e > 0; e--) {
            to.push_back(next() % 3 ? (v + next() % 1000) % n : next() % n);
            degree[to.back()]++;
        }
    }
    begin[n] = (int)to.size();
    int *at = sent(begin), *ends = sent(to), *label = sent(labels), *deg = sent(degree);
    pull_rank<<<n / 256, 256>>>(at, ends, a, deg, c, n);
    smallest_label<<<n / 256, 256>>>(at, ends, label, more, n);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    puts("PASS workshop");
    return 0;
}
