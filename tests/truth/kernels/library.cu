// Kernels as libraries and applications have them, most on 16 to 100 MB, written and measured when the models of caches
// and time stood.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

using u32 = unsigned;

// ---- Scan in three launches, compaction, sorting ----
__global__ void tile_sums(const u32* in, u32* sums) {
    u32 v = 0;
    for (int i = 0; i < 8; i++) v += in[blockIdx.x * 2048 + i * 256 + threadIdx.x];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
    __shared__ u32 warps[8];
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        u32 s = 0;
        for (int i = 0; i < 8; i++) s += warps[i];
        sums[blockIdx.x] = s;
    }
}
__global__ void scan_sums(u32* sums, int n) {
    __shared__ u32 s[1024];
    u32 carry = 0;
    for (int base = 0; base < n; base += 1024) {
        int i = base + threadIdx.x;
        s[threadIdx.x] = i < n ? sums[i] : 0;
        __syncthreads();
        for (int d = 1; d < 1024; d *= 2) {
            u32 v = threadIdx.x >= d ? s[threadIdx.x - d] : 0;
            __syncthreads();
            s[threadIdx.x] += v;
            __syncthreads();
        }
        u32 before = threadIdx.x ? s[threadIdx.x - 1] : 0, all = s[1023];
        if (i < n) sums[i] = carry + before;
        carry += all;
        __syncthreads();
    }
}
__global__ void scan_tiles(const u32* in, const u32* sums, u32* out) {
    __shared__ u32 warps[8];
    u32 v[8], s = 0;
    const uint4* p = (const uint4*)(in + blockIdx.x * 2048) + threadIdx.x * 2;
    uint4 a = p[0], b = p[1];
    v[0] = a.x, v[1] = a.y, v[2] = a.z, v[3] = a.w, v[4] = b.x, v[5] = b.y, v[6] = b.z, v[7] = b.w;
    for (int i = 0; i < 8; i++) s += v[i];
    u32 x = s;
    for (int d = 1; d < 32; d *= 2) {
        u32 y = __shfl_up_sync(~0u, x, d);
        if (threadIdx.x % 32 >= d) x += y;
    }
    if (threadIdx.x % 32 == 31) warps[threadIdx.x / 32] = x;
    __syncthreads();
    u32 before = sums[blockIdx.x] + x - s;
    for (int w = 0; w < threadIdx.x / 32; w++) before += warps[w];
    for (int i = 0; i < 8; i++) {
        out[blockIdx.x * 2048 + threadIdx.x * 8 + i] = before;
        before += v[i];
    }
}
__global__ void compact(const u32* in, u32* out, u32* count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool take = i < n && (in[i] & 3) == 0;
    u32 who = __ballot_sync(~0u, take), lane = threadIdx.x % 32, base = 0;
    if (lane == 0 && who) base = atomicAdd(count, __popc(who));
    base = __shfl_sync(~0u, base, 0);
    if (take) out[base + __popc(who & ((1u << lane) - 1))] = in[i];
}
__global__ void digit_counts(const u32* in, u32* counts, int shift) {
    __shared__ u32 bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < 16; i++) atomicAdd(&bins[in[blockIdx.x * 4096 + i * 256 + threadIdx.x] >> shift & 255], 1);
    __syncthreads();
    counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}
__global__ void digit_scatter(const u32* in, const u32* offsets, u32* out, int shift) {
    __shared__ u32 next[256];
    next[threadIdx.x] = offsets[threadIdx.x * gridDim.x + blockIdx.x];
    __syncthreads();
    for (int i = 0; i < 16; i++) {
        u32 v = in[blockIdx.x * 4096 + i * 256 + threadIdx.x];
        out[atomicAdd(&next[v >> shift & 255], 1)] = v;
    }
}
__global__ void merge_path(const u32* a, const u32* b, u32* out, int n) {
    const int each = 16;
    int diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    int low = diagonal > n ? diagonal - n : 0, high = diagonal < n ? diagonal : n;
    while (low < high) {
        int mid = (low + high) / 2;
        if (a[mid] <= b[diagonal - 1 - mid])
            low = mid + 1;
        else
            high = mid;
    }
    int i = low, j = diagonal - low;
    for (int k = 0; k < each; k++)
        out[diagonal + k] = j >= n || (i < n && a[i] <= b[j]) ? a[i++] : b[j++];
}

// ---- Sparse and graphs ----
__global__ void spmv_ell(const int* columns, const float* values, const float* x, float* y, int n, int width) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < width; k++) s += values[(size_t)k * n + r] * x[columns[(size_t)k * n + r]];
    y[r] = s;
}
__global__ void spmv_coo(const int* rows, const int* columns, const float* values, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&y[rows[i]], values[i] * x[columns[i]]);
}
__global__ void page_rank(const int* begin, const int* from, const float* rank, const int* degree, float* next, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    float s = 0;
    for (int e = begin[v]; e < begin[v + 1]; e++) s += rank[from[e]] / degree[from[e]];
    next[v] = 0.15f / n + 0.85f * s;
}
__global__ void relax(const int* begin, const int* to, const float* weight, float* distance, int* changed, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    float d = distance[v];
    for (int e = begin[v]; e < begin[v + 1]; e++) {
        float other = d + weight[e];
        if (other < distance[to[e]]) {
            atomicMin((int*)&distance[to[e]], __float_as_int(other));
            *changed = 1;
        }
    }
}
__global__ void triangles(const int* begin, const int* to, u32* count, int n) {
    int v = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (v >= n) return;
    u32 found = 0;
    for (int e = begin[v]; e < begin[v + 1]; e++) {
        int w = to[e];
        for (int k = begin[w] + lane; k < begin[w + 1]; k += 32)
            for (int q = begin[v]; q < begin[v + 1]; q++) found += to[q] == to[k];
    }
    for (int d = 16; d; d /= 2) found += __shfl_down_sync(~0u, found, d);
    if (lane == 0) atomicAdd(count, found);
}
__global__ void insert_keys(const u32* keys, u32* table, u32 mask, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u32 key = keys[i] | 1, at = key * 2654435761u >> 7 & mask;
    while (true) {
        u32 old = atomicCAS(&table[at], 0, key);
        if (old == 0 || old == key) return;
        at = (at + 1) & mask;
    }
}
__global__ void find_keys(const u32* keys, const u32* table, u32* found, u32 mask, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    u32 key = keys[i] | 1, at = key * 2654435761u >> 7 & mask;
    while (table[at] != 0 && table[at] != key) at = (at + 1) & mask;
    found[i] = at;
}

// ---- Grids ----
__global__ void jacobi(const float* a, float* b, int w) {
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x < w - 1 && y < w - 1) b[y * w + x] = 0.25f * (a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x]);
}
__global__ void stencil27(const float* a, float* b, int w) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z + 1;
    if (x < 1 || y < 1 || x >= w - 1 || y >= w - 1) return;
    float s = 0;
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) s += a[((z + dz) * w + y + dy) * w + x + dx];
    b[(z * w + y) * w + x] = s / 27;
}
__global__ void stencil_column(const float* a, float* b, int w, int depth) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, plane = w * w;
    if (x < 1 || y < 1 || x >= w - 1 || y >= w - 1) return;
    const float* p = a + y * w + x;
    float below = p[0], here = p[plane];
    for (int z = 1; z < depth - 1; z++) {
        float above = p[(z + 1) * plane];
        b[z * plane + y * w + x] = here * 0.5f + (below + above + p[z * plane - 1] + p[z * plane + 1] + p[z * plane - w] + p[z * plane + w]) / 12;
        below = here;
        here = above;
    }
}
__global__ void lattice(const float* f, float* g, int w) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    const int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    float v[9], rho = 0;
    for (int k = 0; k < 9; k++) {
        v[k] = f[(k * w + ((y - dy[k]) & (w - 1))) * w + ((x - dx[k]) & (w - 1))];
        rho += v[k];
    }
    for (int k = 0; k < 9; k++) g[(k * w + y) * w + x] = v[k] + 0.6f * (rho / 9 - v[k]);
}
struct Particle {
    float x, y, z, mass, vx, vy, vz, charge;
};
__global__ void drift(Particle* p, float dt, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    p[i].x += dt * p[i].vx;
    p[i].y += dt * p[i].vy;
    p[i].z += dt * p[i].vz;
}
__global__ void fft_stage(float2* v, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = i % half, at = i / half * 2 * half + k;
    float s, c;
    __sincosf(-3.14159265f * k / half, &s, &c);
    float2 a = v[at], b = v[at + half], t = {b.x * c - b.y * s, b.x * s + b.y * c};
    v[at] = {a.x + t.x, a.y + t.y};
    v[at + half] = {a.x - t.x, a.y - t.y};
}

// ---- Layers of networks ----
__global__ void gemm64(const float* a, const float* b, float* c, int n) {
    __shared__ float sa[16][68], sb[16][64];
    int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    float acc[4][4] = {};
    for (int k0 = 0; k0 < n; k0 += 16) {
        for (int i = 0; i < 4; i++) {
            sa[tx][ty + i * 16] = a[(blockIdx.y * 64 + ty + i * 16) * n + k0 + tx];
            sb[ty][tx + i * 16] = b[(k0 + ty) * n + blockIdx.x * 64 + tx + i * 16];
        }
        __syncthreads();
        for (int k = 0; k < 16; k++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++) acc[i][j] += sa[k][ty * 4 + i] * sb[k][tx * 4 + j];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        *(float4*)&c[(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4] = {acc[i][0], acc[i][1], acc[i][2], acc[i][3]};
}
__global__ void flash(const float* q, const float* k, const float* v, float* o, int n) {
    __shared__ float sk[32][33], sv[32][32];
    const float* base = q + blockIdx.y * n * 32;
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float mine[32], acc[32] = {}, top = -1e30f, sum = 0;
    for (int d = 0; d < 32; d++) mine[d] = base[row * 32 + d];
    for (int t = 0; t < n; t += 32) {
        for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
            sk[i / 32][i % 32] = k[(blockIdx.y * n + t) * 32 + i];
            sv[i / 32][i % 32] = v[(blockIdx.y * n + t) * 32 + i];
        }
        __syncthreads();
        for (int j = 0; j < 32; j++) {
            float s = 0;
            for (int d = 0; d < 32; d++) s += mine[d] * sk[j][d];
            float higher = fmaxf(top, s), old = __expf(top - higher), p = __expf(s - higher);
            sum = sum * old + p;
            for (int d = 0; d < 32; d++) acc[d] = acc[d] * old + p * sv[j][d];
            top = higher;
        }
        __syncthreads();
    }
    for (int d = 0; d < 32; d++) o[(blockIdx.y * n + row) * 32 + d] = acc[d] / sum;
}
__global__ void rms_norm(const float4* in, float4* out, int width) {
    float s = 0;
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        float4 v = in[blockIdx.x * width + i];
        s += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    for (int d = 16; d; d /= 2) s += __shfl_xor_sync(~0u, s, d);
    __shared__ float warps[8];
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = s;
    __syncthreads();
    s = 0;
    for (int w = 0; w < blockDim.x / 32; w++) s += warps[w];
    float r = rsqrtf(s / (4 * width));
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        float4 v = in[blockIdx.x * width + i];
        out[blockIdx.x * width + i] = {v.x * r, v.y * r, v.z * r, v.w * r};
    }
}
__global__ void embed(const int* tokens, const float4* table, float4* out, int width) {
    int token = tokens[blockIdx.x] & 0xffff;
    for (int i = threadIdx.x; i < width; i += blockDim.x) out[blockIdx.x * width + i] = table[(size_t)token * width + i];
}
__global__ void gemv_rows(const float* a, const float* x, float* y, int n) {
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float s = 0;
    for (int k = lane; k < n; k += 32) s += a[(size_t)r * n + k] * x[k];
    for (int d = 16; d; d /= 2) s += __shfl_down_sync(~0u, s, d);
    if (lane == 0) y[r] = s;
}
__global__ void conv3(const float* in, const float* weights, float* out, int w, int channels) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    float s = 0;
    for (int c = 0; c < channels; c++)
        for (int j = -1; j <= 1; j++)
            for (int i = -1; i <= 1; i++) {
                int xx = min(max(x + i, 0), w - 1), yy = min(max(y + j, 0), w - 1);
                s += in[(c * w + yy) * w + xx] * weights[((blockIdx.z * channels + c) * 3 + j + 1) * 3 + i + 1];
            }
    out[(blockIdx.z * w + y) * w + x] = s;
}
__global__ void pool2(const float* in, float* out, int w) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, h = w / 2;
    const float* p = in + (size_t)(blockIdx.z * w + 2 * y) * w + 2 * x;
    out[(blockIdx.z * h + y) * h + x] = fmaxf(fmaxf(p[0], p[1]), fmaxf(p[w], p[w + 1]));
}

// ---- Streams, gathers, local memory ----
__global__ void triad(double* a, const double* b, const double* c, double k, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] = b[i] + k * c[i];
}
__global__ void gather(const float* in, const int* where, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[where[i]];
}
__global__ void scatter(const float* in, const int* where, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[where[i]] = in[i];
}
__global__ void every_seventh(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (7 * i < n) out[i] = in[7 * i];
}
__global__ void transpose_pad(const float* a, float* b, int w) {
    __shared__ float t[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) t[threadIdx.y + j][threadIdx.x] = a[(size_t)(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) b[(size_t)(y + j) * w + x] = t[threadIdx.x][threadIdx.y + j];
}
__global__ void global_histogram(const u32* in, u32* bins, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i] >> 12 & 4095], 1);
}
__global__ void sort_own(const float* in, float* out, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v[32];
    for (int i = 0; i < 32; i++) v[i] = in[i * n + t];
    for (int i = 1; i < 32; i++) {
        float key = v[i];
        int j = i - 1;
        while (j >= 0 && v[j] > key) {
            v[j + 1] = v[j];
            j--;
        }
        v[j + 1] = key;
    }
    for (int i = 0; i < 32; i++) out[i * n + t] = v[i];
}

template <class T>
T* buffer(size_t n) {
    T* p = nullptr;
    if (cudaMalloc(&p, n * sizeof(T)) != cudaSuccess || cudaMemset(p, 0, n * sizeof(T)) != cudaSuccess) exit(1);
    return p;
}
template <class T>
T* sent(const std::vector<T>& v) {
    T* p = buffer<T>(v.size());
    cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
    return p;
}

int main() {
    const int kMillion = 1 << 20;
    u32 state = 7;
    auto next = [&] {
        state = state * 1664525u + 1013904223u;
        return state >> 4;
    };
    std::vector<u32> random(4 * kMillion);
    for (u32& v : random) v = next() * 16 + next() % 16;
    std::vector<float> floats(16 * kMillion);
    for (float& v : floats) v = (next() >> 4) * 0x1p-24f;
    u32 *r = sent(random), *s = buffer<u32>(4 * kMillion), *sums = buffer<u32>(kMillion);
    float *a = sent(floats), *b = buffer<float>(16 * kMillion), *c = buffer<float>(16 * kMillion);

    tile_sums<<<2048, 256>>>(r, sums);
    scan_sums<<<1, 1024>>>(sums, 2048);
    scan_tiles<<<2048, 256>>>(r, sums, s);
    cudaMemset(sums, 0, 4);
    compact<<<4 * kMillion / 256, 256>>>(r, s, sums, 4 * kMillion);
    digit_counts<<<1024, 256>>>(r, sums, 24);
    {
        std::vector<u32> counts(256 * 1024);
        cudaMemcpy(counts.data(), sums, counts.size() * 4, cudaMemcpyDeviceToHost);
        u32 before = 0;
        for (u32& v : counts) {
            u32 mine = v;
            v = before;
            before += mine;
        }
        cudaMemcpy(sums, counts.data(), counts.size() * 4, cudaMemcpyHostToDevice);
    }
    digit_scatter<<<1024, 256>>>(r, sums, s, 24);
    {
        std::vector<u32> rising(2 * kMillion);
        u32 at = 0;
        for (u32& v : rising) v = at += next() % 64;
        u32 *one = sent(rising), *two = sent(rising);
        merge_path<<<4 * kMillion / 16 / 256, 256>>>(one, two, s, 2 * kMillion);
        cudaFree(one);
        cudaFree(two);
    }

    const int n = 1 << 18, width = 16;
    std::vector<int> columns(n * width), rows(n * width), degree(n, 12), begin(n + 1), to, wanted(4 * kMillion);
    for (int i = 0; i < n * width; i++) columns[i] = next() % n, rows[i] = i / width;
    for (int v = 0; v < n; v++) {
        begin[v] = (int)to.size();
        const int edges = next() % 16 == 0 ? 40 : 4 + next() % 8;
        for (int e = 0; e < edges; e++) to.push_back(next() % n);
    }
    begin[n] = (int)to.size();
    for (int& i : wanted) i = next() % (4 * kMillion);
    int *d_columns = sent(columns), *d_rows = sent(rows), *d_degree = sent(degree), *d_begin = sent(begin), *d_to = sent(to), *d_where = sent(wanted);
    spmv_ell<<<n / 256, 256>>>(d_columns, a, a, b, n, width);
    spmv_coo<<<n * width / 256, 256>>>(d_rows, d_columns, a, a, b, n * width);
    page_rank<<<n / 256, 256>>>(d_begin, d_to, a, d_degree, b, n);
    cudaMemset(b, 0x60, n * 4);
    cudaMemset(b, 0, n);
    relax<<<n / 256, 256>>>(d_begin, d_to, a, b, (int*)c, n);
    triangles<<<4096 / 8, 256>>>(d_begin, d_to, sums, 4096);
    cudaMemset(s, 0, 16 * kMillion);
    insert_keys<<<kMillion / 256, 256>>>(r, s, 4 * kMillion - 1, kMillion);
    find_keys<<<kMillion / 256, 256>>>(r, s, sums, 4 * kMillion - 1, kMillion);

    jacobi<<<dim3(64, 256), dim3(64, 16)>>>(a, b, 4096);
    stencil27<<<dim3(6, 24, 190), dim3(32, 8)>>>(a, b, 192);
    stencil_column<<<dim3(8, 32), dim3(32, 8)>>>(a, b, 256, 64);
    lattice<<<dim3(4, 1024), 256>>>(a, b, 1024);
    drift<<<2 * kMillion / 256, 256>>>((Particle*)b, 0.1f, 2 * kMillion);
    fft_stage<<<kMillion / 256, 256>>>((float2*)b, 4);
    fft_stage<<<kMillion / 256, 256>>>((float2*)b, 1 << 16);

    gemm64<<<dim3(16, 16), 256>>>(a, a + kMillion, b, 1024);
    flash<<<dim3(8, 16), 128>>>(a, a + kMillion, a + 2 * kMillion, b, 1024);
    rms_norm<<<4096, 256>>>((float4*)a, (float4*)b, 1024);
    embed<<<8192, 128>>>((int*)r, (float4*)a, (float4*)b, 64);
    gemv_rows<<<512, 256>>>(a, a, b, 4096);
    conv3<<<dim3(4, 16, 32), dim3(32, 8)>>>(a, a, b, 128, 16);
    pool2<<<dim3(2, 512, 16), 256>>>(a, b, 1024);

    triad<<<1056, 256>>>((double*)a, (double*)b, (double*)c, 3, 4 * kMillion);
    gather<<<4 * kMillion / 256, 256>>>(b, d_where, c, 4 * kMillion);
    scatter<<<4 * kMillion / 256, 256>>>(b, d_where, c, 4 * kMillion);
    every_seventh<<<16 * kMillion / 7 / 256 + 1, 256>>>(b, c, 16 * kMillion);
    transpose_pad<<<dim3(96, 96), dim3(32, 8)>>>(a, b, 3072);
    global_histogram<<<1056, 256>>>(r, sums, 4 * kMillion);
    sort_own<<<512, 256>>>((float*)r, c, 512 * 256);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return cudaGetLastError() != cudaSuccess;
}
