// Kernels as people write them in final projects and publish in small repositories, on 1 to 130 MB.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using u8 = unsigned char;
using u32 = unsigned;

__host__ __device__ inline u32 mixed(u32 x) { x *= 2654435761u, x ^= x >> 15, x *= 2246822519u; return x ^ x >> 13; }

// ---- Pictures and games ----
// Life with 32 cells a word: the neighbours of all 32 are added bit by bit.
__global__ void life_words(const u32* in, u32* out, int words, int rows) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int l = x == 0 ? words - 1 : x - 1, r = x == words - 1 ? 0 : x + 1;
    u32 ones = 0, twos = 0, fours = 0, me = 0;
    for (int d = -1; d <= 1; d++) {
        const u32* row = in + (y + d + rows) % rows * words;
        u32 c = row[x], side[3] = {c << 1 | row[l] >> 31, c >> 1 | row[r] << 31, d ? c : 0};
        if (d == 0) me = c;
        for (int k = 0; k < 3; k++) { u32 carry = ones & side[k]; ones ^= side[k], fours |= twos & carry, twos ^= carry; }
    }
    out[y * words + x] = twos & ~fours & (ones | me);
}
__constant__ float4 balls[32];
__device__ float meet(float4 ball, float3 from, float3 along) {
    float x = from.x - ball.x, y = from.y - ball.y, z = from.z - ball.z;
    float b = x * along.x + y * along.y + z * along.z, q = b * b - (x * x + y * y + z * z - ball.w * ball.w);
    if (q < 0) return 1e30f;
    float t = -b - sqrtf(q);
    return t > 1e-3f ? t : 1e30f;
}
__global__ void ray_spheres(uchar4* out, int w, int h, int count) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, at = -1; if (x >= w || y >= h) return;
    float3 eye = {0, 0, -3}, d = {(x - 0.5f * w) / h, (y - 0.5f * h) / h, 1}, sun = {0.57735f, -0.57735f, -0.57735f};
    float k = rsqrtf(d.x * d.x + d.y * d.y + 1), least = 1e30f;
    d.x *= k, d.y *= k, d.z = k;
    for (int i = 0; i < count; i++) { float t = meet(balls[i], eye, d); if (t < least) least = t, at = i; }
    float s = 0;
    if (at >= 0) {
        float4 b = balls[at];
        float3 p = {eye.x + least * d.x, eye.y + least * d.y, eye.z + least * d.z};
        s = ((p.x - b.x) * sun.x + (p.y - b.y) * sun.y + (p.z - b.z) * sun.z) / b.w;
        for (int i = 0; i < count && s > 0; i++)
            if (i != at && meet(balls[i], p, sun) < 1e30f) s = 0;
    }
    u8 v = (u8)(25 + 230 * fmaxf(s, 0.0f));
    out[y * w + x] = make_uchar4(v, v, (u8)(at < 0 ? 90 : v / 2), 255);
}
__device__ int middle(int a, int b, int c) { return max(min(a, b), min(max(a, b), c)); }
__global__ void median3(const u8* in, u8* out, int w, int h) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x == 0 || y == 0 || x >= w - 1 || y >= h - 1) return;
    int low = 0, mid[3], high = 255;
    for (int k = 0; k < 3; k++) {
        const u8* p = in + (y - 1) * w + x - 1 + k;
        int a = p[0], b = p[w], c = p[2 * w];
        low = max(low, min(a, min(b, c))), high = min(high, max(a, max(b, c)));
        mid[k] = middle(a, b, c);
    }
    out[y * w + x] = (u8)middle(low, middle(mid[0], mid[1], mid[2]), high);
}
__global__ void equalise(const uchar4* in, uchar4* out, const u32* bins, int n4) {
    __shared__ u32 sum[256];
    __shared__ u8 map[256];
    int t = threadIdx.x;
    sum[t] = bins[t]; __syncthreads();
    for (int o = 1; o < 256; o <<= 1) {
        u32 v = t >= o ? sum[t - o] : 0; __syncthreads();
        sum[t] += v; __syncthreads();
    }
    map[t] = (u8)(255.0f * sum[t] / sum[255]); __syncthreads();
    for (int i = blockIdx.x * 256 + t; i < n4; i += gridDim.x * 256)
        out[i] = make_uchar4(map[in[i].x], map[in[i].y], map[in[i].z], map[in[i].w]);
}
__constant__ float waves[64];
__global__ void dct8(const u8* in, float* out, int w) {
    __shared__ float s[8][8], t[8][8];
    int x = threadIdx.x, y = threadIdx.y, i = (blockIdx.y * 8 + y) * w + blockIdx.x * 8 + x;
    s[y][x] = in[i] - 128.0f; __syncthreads();
    float u = 0, v = 0;
    for (int k = 0; k < 8; k++) u += s[y][k] * waves[x * 8 + k];
    t[y][x] = u; __syncthreads();
    for (int k = 0; k < 8; k++) v += waves[y * 8 + k] * t[k][x];
    out[i] = v;
}
__global__ void joint_histogram(const u8* a, const u8* b, u32* bins, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[a[i] * 256 + b[i]], 1);
}

// ---- Physics and signals ----
// Sound in three dimensions, of fourth order: planes pass through shared memory, the axis z through registers.
__global__ void acoustic(const float* now, float* old, const float* speed, int w, int h, int planes) {
    __shared__ float s[12][36];
    int x = threadIdx.x, y = threadIdx.y, area = w * h;
    int i = (blockIdx.z * planes + 2) * area + (blockIdx.y * 8 + y + 2) * w + blockIdx.x * 32 + x + 2;
    float b2 = now[i - 2 * area], b1 = now[i - area], c = now[i], f1 = now[i + area];
    for (int k = 0; k < planes; k++, i += area) {
        float f2 = now[i + 2 * area];
        s[y + 2][x + 2] = c;
        if (y < 2) s[y][x + 2] = now[i - 2 * w], s[y + 10][x + 2] = now[i + 8 * w];
        if (x < 2) s[y + 2][x] = now[i - 2], s[y + 2][x + 34] = now[i + 32];
        __syncthreads();
        float one = b1 + f1 + s[y + 1][x + 2] + s[y + 3][x + 2] + s[y + 2][x + 1] + s[y + 2][x + 3];
        float two = b2 + f2 + s[y][x + 2] + s[y + 4][x + 2] + s[y + 2][x] + s[y + 2][x + 4];
        old[i] = 2 * c - old[i] + speed[i] * (1.3333333f * one - 0.0833333f * two - 7.5f * c);
        __syncthreads();
        b2 = b1, b1 = c, c = f1, f1 = f2;
    }
}
__global__ void fdtd_h(const float* ez, float* hx, float* hy, float s, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w - 1 || y >= h - 1) return;
    int i = y * w + x;
    hx[i] -= s * (ez[i + w] - ez[i]), hy[i] += s * (ez[i + 1] - ez[i]);
}
// Spins of one colour of the checkerboard, each colour in an array of its own.
__global__ void ising(signed char* mine, const signed char* theirs, int half, int rows, int colour, float beta, u32 seed) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, i = y * half + x;
    int up = y == 0 ? rows - 1 : y - 1, down = y == rows - 1 ? 0 : y + 1;
    int side = (y & 1) == colour ? (x == 0 ? half - 1 : x - 1) : (x == half - 1 ? 0 : x + 1);
    int s = mine[i], sum = theirs[i] + theirs[y * half + side] + theirs[up * half + x] + theirs[down * half + x];
    if ((mixed(seed ^ i) >> 8) * 0x1p-24f < expf(-2 * beta * s * sum)) mine[i] = -s;
}
__global__ void lennard_jones(const float4* at, const int* close, float4* force, int n, int count, float cut) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
    float4 p = at[i], f = {0, 0, 0, 0};
    for (int k = 0; k < count; k++) {
        float4 q = at[close[k * n + i]];
        float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z, r = x * x + y * y + z * z + 0.01f;
        if (r < cut) { float u = 1 / r, u3 = u * u * u, s = u * u3 * (2 * u3 - 1); f.x += s * x, f.y += s * y, f.z += s * z, f.w += u3 * (u3 - 1); }
    }
    force[i] = f;
}
// A filter of second order for each channel; samples of all channels lie together.
__global__ void biquads(const float* __restrict__ in, float* __restrict__ out, const float* __restrict__ k, int channels, int samples) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    float b0 = k[5 * c], b1 = k[5 * c + 1], b2 = k[5 * c + 2], a1 = k[5 * c + 3], a2 = k[5 * c + 4], z1 = 0, z2 = 0;
    for (int t = 0; t < samples; t++) {
        float x = in[t * channels + c], y = b0 * x + z1;
        z1 = b1 * x - a1 * y + z2, z2 = b2 * x - a2 * y;
        out[t * channels + c] = y;
    }
}

// ---- Linear algebra ----
__global__ void cg_update(float* x, float* r, const float* p, const float* q, float alpha, float* rr, int n) {
    __shared__ float part[8];
    float s = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
        x[i] += alpha * p[i];
        float v = r[i] -= alpha * q[i];
        s += v * v;
    }
    for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x) return;
    for (int k = 1; k < 8; k++) s += part[k];
    atomicAdd(rr, s);
}
// Tridiagonal systems of 256 unknowns, one a block.
__global__ void cyclic_reduction(const float* lower, const float* diag, const float* upper, const float* right, float* x) {
    __shared__ float a[256], b[256], c[256], d[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    a[t] = t > 0 ? lower[i] : 0, b[t] = diag[i], c[t] = t < 255 ? upper[i] : 0, d[t] = right[i];
    __syncthreads();
    for (int o = 1; o < 256; o *= 2) {
        float na = 0, nb = b[t], nc = 0, nd = d[t];
        if (t >= o) { float k = a[t] / b[t - o]; na = -a[t - o] * k, nb -= c[t - o] * k, nd -= d[t - o] * k; }
        if (t + o < 256) { float k = c[t] / b[t + o]; nc = -c[t + o] * k, nb -= a[t + o] * k, nd -= d[t + o] * k; }
        __syncthreads();
        a[t] = na, b[t] = nb, c[t] = nc, d[t] = nd; __syncthreads();
    }
    x[i] = d[t] / b[t];
}
__global__ void batched16(const float* a, const float* b, float* c) {
    __shared__ float s[16][16], t[16][17];
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.x * 256 + y * 16 + x;
    s[y][x] = a[i], t[y][x] = b[i]; __syncthreads();
    float v = 0;
    for (int k = 0; k < 16; k++) v += s[y][k] * t[k][x];
    c[i] = v;
}
__global__ void gemv_int8(const int4* w, const int4* x, const float* scale, float* y, int n16) {
    __shared__ int4 s[256];
    for (int k = threadIdx.x; k < n16; k += blockDim.x) s[k] = x[k];
    __syncthreads();
    int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x & 31, sum = 0;
    for (int k = lane; k < n16; k += 32) {
        int4 u = w[row * n16 + k], v = s[k];
        sum = __dp4a(u.x, v.x, __dp4a(u.y, v.y, __dp4a(u.z, v.z, __dp4a(u.w, v.w, sum))));
    }
    for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
    if (lane == 0) y[row] = sum * scale[row];
}
// A sparse matrix times 32 columns: a warp has a row, a lane a column.
__global__ void spmm(const int* begin, const int* column, const float* value, const float* b, float* c, int rows) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (row >= rows) return;
    float s = 0;
    for (int e = begin[row]; e < begin[row + 1]; e++) s += value[e] * b[column[e] * 32 + lane];
    c[row * 32 + lane] = s;
}
// The third phase of Floyd and Warshall's in tiles: all tiles that share no row and no column with the pivot's.
__global__ void floyd_tile(float* d, int n, int pivot) {
    __shared__ float up[32][32], side[32][32];
    int bx = blockIdx.x, by = blockIdx.y, x = threadIdx.x;
    if (bx == pivot || by == pivot) return;
    for (int k = threadIdx.y; k < 32; k += 8)
        up[k][x] = d[(pivot * 32 + k) * n + bx * 32 + x], side[k][x] = d[(by * 32 + k) * n + pivot * 32 + x];
    __syncthreads();
    for (int k = threadIdx.y; k < 32; k += 8) {
        int i = (by * 32 + k) * n + bx * 32 + x;
        float best = d[i];
        for (int j = 0; j < 32; j++) best = fminf(best, side[k][j] + up[j][x]);
        d[i] = best;
    }
}

// ---- Learning ----
__global__ void im2col(const float* in, float* out, int channels, int h, int w) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, area = h * w;
    if (i >= channels * area) return;
    int x = i % w, y = i / w % h, c = i / area;
    in += (blockIdx.y * channels + c) * area, out += (blockIdx.y * channels + c) * 9 * area + y * w + x;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++, out += area)
            *out = y + dy >= 0 && y + dy < h && x + dx >= 0 && x + dx < w ? in[(y + dy) * w + x + dx] : 0;
}
// Every channel with its own 3x3 filter, by steps of two, then at least 0 and at most 6.
__global__ void depthwise(const float* in, const float* weight, const float* bias, float* out, int channels, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, plane = blockIdx.y, c = plane % channels, m = n / 2;
    if (i >= m * m) return;
    int x = i % m * 2, y = i / m * 2;
    float s = bias[c];
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (y + dy >= 0 && y + dy < n && x + dx >= 0 && x + dx < n)
                s += weight[c * 9 + dy * 3 + dx + 4] * in[(plane * n + y + dy) * n + x + dx];
    out[plane * m * m + i] = fminf(fmaxf(s, 0.0f), 6.0f);
}
__global__ void norm_backward(const float* x, const float* dy, const float* g, const float* mean, const float* inv, float* dx, int n) {
    int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x & 31;
    float m = mean[row], r = inv[row], s = 0, q = 0;
    for (int k = lane; k < n; k += 32) { float d = dy[row * n + k] * g[k]; s += d, q += d * (x[row * n + k] - m) * r; }
    for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o), q += __shfl_xor_sync(~0u, q, o);
    s /= n, q /= n;
    for (int k = lane; k < n; k += 32) { float hat = (x[row * n + k] - m) * r; dx[row * n + k] = r * (dy[row * n + k] * g[k] - s - hat * q); }
}
// Rows of 256 in the registers of a warp; what comes after a row's own place is masked.
__global__ void softmax_masked(const float4* in, float4* out, float scale) {
    int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x & 31, last = row % 256;
    float v[8], most = -1e30f, sum = 0;
    for (int k = 0; k < 2; k++) {
        float4 q = in[row * 64 + k * 32 + lane];
        v[4 * k] = q.x, v[4 * k + 1] = q.y, v[4 * k + 2] = q.z, v[4 * k + 3] = q.w;
    }
    for (int k = 0; k < 8; k++) { v[k] = (k / 4 * 32 + lane) * 4 + k % 4 <= last ? v[k] * scale : -1e30f; most = fmaxf(most, v[k]); }
    for (int o = 16; o; o >>= 1) most = fmaxf(most, __shfl_xor_sync(~0u, most, o));
    for (int k = 0; k < 8; k++) sum += v[k] = __expf(v[k] - most);
    for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
    float f = 1 / sum;
    for (int k = 0; k < 2; k++)
        out[row * 64 + k * 32 + lane] = make_float4(v[4 * k] * f, v[4 * k + 1] * f, v[4 * k + 2] * f, v[4 * k + 3] * f);
}
// Pixels of three bytes become three planes of floats, each with a mean and a spread of its own.
__global__ void pixels_to_planes(const u8* in, float* out, float3 mean, float3 spread, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
    out[i] = (in[3 * i] / 255.0f - mean.x) / spread.x;
    out[n + i] = (in[3 * i + 1] / 255.0f - mean.y) / spread.y;
    out[2 * n + i] = (in[3 * i + 2] / 255.0f - mean.z) / spread.z;
}
__global__ void rope(__half2* q, const float2* turns, int heads) {
    for (int i = threadIdx.x; i < heads * 32; i += blockDim.x) {
        int at = blockIdx.x * heads * 32 + i;
        float2 v = __half22float2(q[at]), r = turns[blockIdx.x * 32 + i % 32];
        q[at] = __floats2half2_rn(v.x * r.x - v.y * r.y, v.x * r.y + v.y * r.x);
    }
}

// ---- Graphs ----
__global__ void bottom_up(const int* begin, const int* from, const u32* front, const u32* seen, u32* next, int* parent) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    bool found = false;
    if ((seen[v >> 5] >> (v & 31) & 1) == 0)
        for (int e = begin[v]; e < begin[v + 1] && !found; e++) {
            int u = from[e];
            if (front[u >> 5] >> (u & 31) & 1) found = true, parent[v] = u;
        }
    u32 word = __ballot_sync(~0u, found);
    if (threadIdx.x % 32 == 0) next[v >> 5] = word;
}
__global__ void push_rank(const int* begin, const int* to, const float* rank, float* next, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x; if (v >= n) return;
    float share = 0.85f * rank[v] / (begin[v + 1] - begin[v]);
    for (int e = begin[v]; e < begin[v + 1]; e++) atomicAdd(&next[to[e]], share);
}
__global__ void roots(const int* parent, int* root, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x; if (v >= n) return;
    int p = parent[v];
    while (p != parent[p]) p = parent[p];
    root[v] = p;
}

// ---- Words, codes and chance ----
// Local alignment of two words of 128 letters a block: a thread has a row, and diagonals come one after another.
__global__ void align_pairs(const u8* a, const u8* b, int* best) {
    __shared__ u8 other[128];
    __shared__ int edge[2][129], most;
    int t = threadIdx.x, mine = a[blockIdx.x * 128 + t], left = 0, corner = 0, high = 0;
    other[t] = b[blockIdx.x * 128 + t];
    if (t == 0) edge[0][0] = edge[1][0] = most = 0;
    __syncthreads();
    for (int step = 0; step < 255; step++) {
        int j = step - t;
        if (j >= 0 && j < 128) {
            int up = edge[step & 1][t];
            left = max(max(corner + (mine == other[j] ? 2 : -1), 0), max(left, up) - 1);
            corner = up, high = max(high, left), edge[~step & 1][t + 1] = left;
        }
        __syncthreads();
    }
    atomicMax(&most, high); __syncthreads();
    if (t == 0) best[blockIdx.x] = most;
}
__constant__ u32 round_keys[64];
__global__ void table_cipher(const uint4* in, const u32* tables, uint4* out, int rounds) {
    __shared__ u32 t[4][256];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) t[k / 256][k % 256] = tables[k];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 s = in[i], n;
    for (int r = 0; r < rounds; r++, s = n) {
        n.x = t[0][s.x & 255] ^ t[1][s.y >> 8 & 255] ^ t[2][s.z >> 16 & 255] ^ t[3][s.w >> 24] ^ round_keys[4 * r];
        n.y = t[0][s.y & 255] ^ t[1][s.z >> 8 & 255] ^ t[2][s.w >> 16 & 255] ^ t[3][s.x >> 24] ^ round_keys[4 * r + 1];
        n.z = t[0][s.z & 255] ^ t[1][s.w >> 8 & 255] ^ t[2][s.x >> 16 & 255] ^ t[3][s.y >> 24] ^ round_keys[4 * r + 2];
        n.w = t[0][s.w & 255] ^ t[1][s.x >> 8 & 255] ^ t[2][s.y >> 16 & 255] ^ t[3][s.z >> 24] ^ round_keys[4 * r + 3];
    }
    out[i] = s;
}
__global__ void collatz(int* steps, u32 first) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
    for (unsigned long long v = first + i; v > 1; k++) v = v & 1 ? 3 * v + 1 : v / 2;
    steps[i] = k;
}
__device__ float chance(u32& s) {
    s ^= s << 13, s ^= s >> 17, s ^= s << 5;
    return ((s >> 8) + 1) * 0x1p-24f;
}
__global__ void asian_option(float* payoff, float drift, float spread, float strike, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    u32 state = mixed(i + 1) | 1;
    float price = 100, sum = 0, s, c;
    for (int k = 0; k < steps; k += 2) {
        float r = spread * sqrtf(-2 * logf(chance(state)));
        sincospif(2 * chance(state), &s, &c);
        sum += price *= __expf(drift + r * c), sum += price *= __expf(drift + r * s);
    }
    payoff[i] = fmaxf(sum / steps - strike, 0.0f);
}
__device__ u32 spread3(u32 v) {
    v = (v | v << 16) & 0x030000ff, v = (v | v << 8) & 0x0300f00f, v = (v | v << 4) & 0x030c30c3;
    return (v | v << 2) & 0x09249249;
}
__global__ void morton(const float3* p, u32* code, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
    float3 a = p[i];
    code[i] = spread3((u32)(a.x * 1024)) | spread3((u32)(a.y * 1024)) << 1 | spread3((u32)(a.z * 1024)) << 2;
}
// Words found by an automaton of 8 states; a thread reads 64 letters of its own and the six after them.
__global__ void automaton(const u8* text, const u8* table, int* found, int n) {
    __shared__ u8 next[8 * 256];
    for (int k = threadIdx.x; k < 8 * 256; k += blockDim.x) next[k] = table[k];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x, from = i * 64, to = min(from + 70, n), state = 0, count = 0;
    for (int k = from; k < to; k++) { state = next[state * 256 + text[k]]; count += state == 7; }
    found[i] = count;
}

std::vector<void*> owned;
template <class T, class F>
T* made(size_t n, F f) {
    std::vector<T> v(n);
    for (size_t i = 0; i < n; i++) v[i] = (T)f((u32)i);
    T* p = nullptr;
    if (cudaMalloc(&p, n * sizeof(T)) != cudaSuccess || cudaMemcpy(p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice) != cudaSuccess) exit(1);
    owned.push_back(p);
    return p;
}
template <class T>
void show(const char* name, const T* p, size_t n) {
    std::vector<T> v(n);
    if (cudaDeviceSynchronize() != cudaSuccess || cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess) exit(1);
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (double)v[i] * (double)(i % 7 + 1);
    printf("%s %.7g\n", name, sum);
}
// CASE(out, n, kernel, <<<...>>>(...)): launch, then print the kernel's name and a sum over what it wrote.
#define CASE(out, n, kernel, ...) kernel __VA_ARGS__; show(#kernel, out, n)

int main() {
    const int M = 1 << 20, n = 1 << 19;
    auto unit = [](u32 i) { return (float)(mixed(i) >> 8) * 0x1p-24f; };
    auto zero = [](u32) { return 0; };
    float *a = made<float>(16 * M, unit), *b = made<float>(16 * M, [&](u32 i) { return unit(i + 77777777); });
    float *c = made<float>(16 * M, zero), *d = made<float>(16 * M, [&](u32 i) { return unit(~i) + 2; });
    float *next = made<float>(n, zero), *total = made<float>(1, zero);
    u8 *bytes = made<u8>(32 * M, [](u32 i) { u32 v = mixed(i + 5); return (v & 255) * (v >> 8 & 255) >> 8; }), *out = made<u8>(16 * M, zero);
    u8* letters = made<u8>(8 * M, [](u32 i) { return "ACGT"[mixed(i) >> 30]; });
    u32 *words = made<u32>(4 * M, mixed), *bins = made<u32>(65536, zero), *tables = made<u32>(1024, [](u32 i) { return mixed(i) % 999; });
    int *ints = made<int>(M, zero), *close = made<int>(24 << 17, [](u32 i) { return (i + mixed(i) % 2048) % (1 << 17); });
    signed char* spins = made<signed char>(4 * M, [](u32 i) { return mixed(i) & 64 ? 1 : -1; });
    float* filters = made<float>(5 * 2048, [&](u32 i) { return unit(i) * (i % 5 < 3 ? 1.0f : i % 5 == 3 ? -0.5f : 0.25f); });
    __half2* heads = made<__half2>(4 * M, [&](u32 i) { return __floats2half2_rn(unit(i) - 0.5f, unit(~i) - 0.5f); });
    float2* turns = made<float2>(4096 * 32, [&](u32 i) { return make_float2(cosf(6 * unit(i)), sinf(6 * unit(i))); });
    int edges = 0, *begin = made<int>(n + 1, [&](u32 v) { edges += 1 + mixed(v) % 15 + (mixed(v) % 64 ? 0 : 100); return edges; });
    int* to = made<int>(edges, [&](u32 e) { return (mixed(e) % 3 ? e / 9 + mixed(e) / 3 % 4096 : mixed(e) / 3) % n; });
    int* columns = made<int>(edges, [](u32 e) { return mixed(e + 3) % 65536; });
    int* parents = made<int>(M, [](u32 v) { return v < 64 ? v : mixed(v) % v; });
    u32* front = made<u32>(n / 32, [](u32 i) { return mixed(i) & mixed(i + n) & mixed(i + M); });
    const std::string word = "GATTACA";
    u8* table = made<u8>(8 * 256, [&](u32 i) {
        std::string s = word.substr(0, i / 256) + (char)(i % 256);
        size_t k = s.size() < 7 ? s.size() : 7;
        while (s.compare(s.size() - k, k, word, 0, k) != 0) k--;
        return k;
    });
    float4 scene[32];
    float cosines[64];
    u32 keys[64];
    for (u32 k = 0; k < 64; k++) {
        if (k < 32) scene[k] = make_float4(3 * unit(k) - 1.5f, 2 * unit(k + 32) - 1, 4 * unit(k + 64), 0.1f + 0.3f * unit(k + 96));
        cosines[k] = (k < 8 ? 0.35355339f : 0.5f) * cosf((float)((2 * (k % 8) + 1) * (k / 8)) * 0.19634954f);
        keys[k] = mixed(k + 7);
    }
    cudaMemcpyToSymbol(balls, scene, sizeof scene);
    cudaMemcpyToSymbol(waves, cosines, sizeof cosines);
    cudaMemcpyToSymbol(round_keys, keys, sizeof keys);

    CASE((u32*)c, 512 * 3072, life_words, <<<dim3(16, 384), dim3(32, 8)>>>(words, (u32*)c, 512, 3072));
    CASE((u8*)c, 4 * 800 * 600, ray_spheres, <<<dim3(50, 75), dim3(16, 8)>>>((uchar4*)c, 800, 600, 32));
    CASE(out, 3 * M, median3, <<<dim3(64, 192), dim3(32, 8)>>>(bytes, out, 2048, 1536));
    CASE(out, 16 * M, equalise, <<<528, 256>>>((uchar4*)bytes, (uchar4*)out, tables, 4 * M));
    CASE(c, 2 * M, dct8, <<<dim3(256, 128), dim3(8, 8)>>>(bytes, c, 2048));
    CASE(bins, 65536, joint_histogram, <<<1056, 256>>>(bytes, bytes + 8 * M, bins, 4 * M));
    CASE(d, 164 * 164 * 164, acoustic, <<<dim3(5, 20, 4), dim3(32, 8)>>>(a, d, b, 164, 164, 40));
    CASE(d, 15 * M, fdtd_h, <<<dim3(96, 256), dim3(32, 8)>>>(a, d, d + 8 * M, 0.5f, 3072, 2048));
    CASE(spins, 2 * M, ising, <<<dim3(32, 256), dim3(32, 8)>>>(spins, spins + 2 * M, 1024, 2048, 0, 0.4f, 9));
    CASE(c, 4 << 17, lennard_jones, <<<1024, 128>>>((float4*)a, close, (float4*)c, 1 << 17, 24, 0.3f));
    CASE(c, 2 * M, biquads, <<<16, 128>>>(a, c, filters, 2048, 1024));
    CASE(d, 8 * M, cg_update, <<<528, 256>>>(d, d + 4 * M, a, b, 0.1f, total, 4 * M));
    CASE(c, 1536 * 256, cyclic_reduction, <<<1536, 256>>>(a, d + 15 * M, b, b + M, c));
    CASE(c, 6144 * 256, batched16, <<<6144, dim3(16, 16)>>>(a, b, c));
    CASE(c, 8192, gemv_int8, <<<1024, 256>>>((int4*)bytes, (int4*)words, a, c, 256));
    CASE(c, 65536 * 32, spmm, <<<8192, 256>>>(begin, columns, a, b, c, 65536));
    CASE(d, 1280 * 1280, floyd_tile, <<<dim3(40, 40), dim3(32, 8)>>>(d, 1280, 7));
    CASE(c, 2 * 32 * 9 * 112 * 112, im2col, <<<dim3(1568, 2), 256>>>(a, c, 32, 112, 112));
    CASE(c, 384 * 56 * 56, depthwise, <<<dim3(25, 384), 128>>>(a, b, b + M, c, 96, 112));
    CASE(c, 4096 * 768, norm_backward, <<<512, 256>>>(a, b, b + 8 * M, a + 8 * M, d + 15 * M, c, 768));
    CASE(c, 8 * M, softmax_masked, <<<8192, 128>>>((float4*)a, (float4*)c, 8));
    CASE(c, 6 * M, pixels_to_planes, <<<2 * M / 256, 256>>>(bytes, c, make_float3(0.5f, 0.4f, 0.3f), make_float3(0.2f, 0.3f, 0.2f), 2 * M));
    CASE((unsigned short*)heads, 8 * M, rope, <<<4096, 256>>>(heads, turns, 32));
    CASE(ints, n, bottom_up, <<<n / 256, 256>>>(begin, to, front, words, (u32*)c, ints));
    CASE(next, n, push_rank, <<<n / 256, 256>>>(begin, to, a, next, n));
    CASE(ints, M, roots, <<<M / 256, 256>>>(parents, ints, M));
    CASE(ints, 264, align_pairs, <<<264, 128>>>(letters, letters + M, ints));
    CASE((u32*)c, M, table_cipher, <<<1024, 256>>>((uint4*)words, tables, (uint4*)c, 10));
    CASE(ints, M / 8, collatz, <<<512, 256>>>(ints, 1000000));
    CASE(c, 65536, asian_option, <<<256, 256>>>(c, 0.0001f, 0.02f, 100, 48));
    CASE((u32*)c, 2 * M, morton, <<<2 * M / 256, 256>>>((float3*)a, (u32*)c, 2 * M));
    CASE(ints, 131072, automaton, <<<512, 256>>>(letters, table, ints, 8 * M));
    puts("PASS projects");
    for (void* p : owned) cudaFree(p);
    return 0;
}
