// Kernels as people of different trades write them: banks, seismics, clinics, genes, tables, games, networks, numerics; 1 to 130 MB.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using u8 = unsigned char;
using u32 = unsigned;
using u64 = unsigned long long;

__host__ __device__ inline u32 mixed(u32 x) { x *= 2654435761u, x ^= x >> 15, x *= 2246822519u; return x ^ x >> 13; }

// ---- Finance ----
// A tridiagonal system for each thread; the systems lie side by side, so a warp reads whole lines.
__global__ void thomas_batch(const float* __restrict__ low, const float* __restrict__ mid, const float* __restrict__ up,
                             const float* __restrict__ right, float* ratio, float* x, int systems, int n) {
    int s = blockIdx.x * blockDim.x + threadIdx.x; if (s >= systems) return; float r = up[s] / mid[s], v = right[s] / mid[s];
    ratio[s] = r, x[s] = v;
    for (int k = 1; k < n; k++) {
        int i = k * systems + s; float l = low[i], f = 1 / (mid[i] - l * r); r = up[i] * f, v = (right[i] - l * v) * f;
        ratio[i] = r, x[i] = v;
    }
    for (int k = n - 2; k >= 0; k--) { int i = k * systems + s; v = x[i] - ratio[i] * v; x[i] = v; }
}
// An American put a block: a thread keeps one node of the tree, and the levels go back from the last to the first.
__global__ void binomial_tree(const float* spot, const float* strike, float* price, int steps, float up, float discount, float p) {
    __shared__ float tree[256]; int t = threadIdx.x;
    float k = 90 + 20 * strike[blockIdx.x], s = (80 + 40 * spot[blockIdx.x]) * powf(up, (float)(2 * t - steps));
    tree[t] = fmaxf(k - s, 0.0f); __syncthreads();
    for (int level = steps - 1; level >= 0; level--) {
        float v = 0; s *= up; if (t <= level) v = fmaxf(discount * (p * tree[t + 1] + (1 - p) * tree[t]), k - s); __syncthreads();
        if (t <= level) tree[t] = v; __syncthreads();
    }
    if (t == 0) price[blockIdx.x] = tree[0];
}
// Only the blocks on and above the diagonal work; those above write the mirrored part too.
__global__ void correlation(const float* back, const float* mean, const float* inv, float* out, int assets, int days) {
    __shared__ float p[16][17], q[16][17]; if (blockIdx.x < blockIdx.y) return;
    int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 16 + y, j = blockIdx.x * 16 + x, l = blockIdx.x * 16 + y; float s = 0;
    for (int t = 0; t < days; t += 16) {
        bool in = t + x < days; p[y][x] = in && i < assets ? back[i * days + t + x] - mean[i] : 0;
        q[y][x] = in && l < assets ? back[l * days + t + x] - mean[l] : 0; __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) s += p[y][k] * q[x][k]; __syncthreads();
    }
    if (i >= assets || j >= assets) return;
    s *= inv[i] * inv[j] / days; out[i * assets + j] = s; if (blockIdx.x != blockIdx.y) out[j * assets + i] = s;
}

// ---- Seismics ----
// Traces of one midpoint, moved out along hyperbolas and stacked.
__global__ void moveout_stack(const float* traces, const float* offset, const float* slow, float* out, int samples, int fold, float dt) {
    int k = blockIdx.x * blockDim.x + threadIdx.x, point = blockIdx.y, live = 0; if (k >= samples) return;
    float t0 = k * dt, u = slow[k], sum = 0;
    for (int f = 0; f < fold; f++) {
        float h = offset[f] * u, t = sqrtf(t0 * t0 + h * h) / dt; int i = (int)t;
        if (i + 1 < samples) { const float* p = traces + (point * fold + f) * samples + i; sum += p[0] + (t - i) * (p[1] - p[0]), live++; }
    }
    out[point * samples + k] = live ? sum / live : 0.0f;
}

// ---- Medical pictures ----
__constant__ float2 turn[64];
// Back projection from a flat detector: each voxel meets every view, and four detector cells are weighed.
__global__ void back_projection(const float* views, float* volume, int n, int count, int dw, int dh) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z; if (x >= n || y >= n) return;
    float px = x - 0.5f * n, py = y - 0.5f * n, pz = z - 0.5f * gridDim.z, sum = 0;
    for (int v = 0; v < count; v++) {
        float2 c = turn[v];
        float s = px * c.x + py * c.y, m = 300 / (300 + px * c.y - py * c.x), u = s * m + 0.5f * dw, w = pz * m + 0.5f * dh;
        if (u < 0 || w < 0 || u >= dw - 1 || w >= dh - 1) continue;
        int iu = (int)u, iw = (int)w; const float* p = views + (v * dh + iw) * dw + iu;
        float fu = u - iu, fw = w - iw, top = p[0] + fu * (p[1] - p[0]), low = p[dw] + fu * (p[dw + 1] - p[dw]);
        sum += m * m * (top + fw * (low - top));
    }
    volume[(z * n + y) * n + x] = sum;
}
// A block has an angle, a thread a ray; the nearest pixels along the ray are summed.
__global__ void radon_sums(const u8* picture, u32* out, int n) {
    float s, c, r = threadIdx.x - 0.5f * blockDim.x, half = 0.5f * n; sincospif((float)blockIdx.x / gridDim.x, &s, &c); u32 sum = 0;
    for (int k = 0; k < n; k++) {
        float t = k - half; int x = (int)floorf(r * c - t * s + half), y = (int)floorf(r * s + t * c + half);
        if (x >= 0 && x < n && y >= 0 && y < n) sum += picture[y * n + x];
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// Means over 5x5 neighbours, weighed by how alike the 3x3 patches are.
__global__ void nonlocal_means(const float* in, float* out, int w, int h, float sharp) {
    extern __shared__ float tile[];
    int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    for (int k = ty * 16 + tx; k < 22 * 22; k += 256) {
        int u = min(max((int)blockIdx.x * 16 + k % 22 - 3, 0), w - 1), v = min(max((int)blockIdx.y * 16 + k / 22 - 3, 0), h - 1);
        tile[k] = in[v * w + u];
    }
    __syncthreads(); const float* me = tile + (ty + 3) * 22 + tx + 3; float sum = 0, all = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            const float* other = me + dy * 22 + dx; float far = 0;
#pragma unroll
            for (int k = 0; k < 9; k++) { int o = (k / 3 - 1) * 22 + k % 3 - 1; float d = me[o] - other[o]; far += d * d; }
            float weight = __expf(-sharp * far); sum += weight * *other, all += weight;
        }
    if (x < w && y < h) out[y * w + x] = sum / all;
}

// ---- Chemistry ----
// Distances of all pairs in a periodic box of side 1; tiles below the diagonal do nothing.
__global__ void pair_histogram(const float4* atoms, u32* bins, int n, float fine) {
    __shared__ u32 mine[256]; __shared__ float4 other[256]; if (blockIdx.y < blockIdx.x) return;
    int t = threadIdx.x, i = blockIdx.x * 256 + t, first = blockIdx.y * 256, count = min(256, n - first); mine[t] = 0;
    if (t < count) other[t] = atoms[first + t]; __syncthreads();
    if (i < n) {
        float4 p = atoms[i];
        for (int k = 0; k < count; k++) {
            float x = p.x - other[k].x, y = p.y - other[k].y, z = p.z - other[k].z; x -= rintf(x), y -= rintf(y), z -= rintf(z);
            int at = (int)(sqrtf(x * x + y * y + z * z) * fine); if (first + k > i && at < 256) atomicAdd(&mine[at], 1u);
        }
    }
    __syncthreads(); if (mine[t]) atomicAdd(&bins[t], mine[t]);
}
// The long-range sum: a block has a wave, its threads share the atoms; the charge is w.
__global__ void ewald_waves(const float4* atoms, float2* out, int n, float width) {
    __shared__ float re[128], im[128]; int t = threadIdx.x, b = blockIdx.x;
    float kx = 6.2831853f * (b % 8), ky = 6.2831853f * (b / 8 % 8), kz = 6.2831853f * (b / 64), c = 0, s = 0;
    for (int i = t; i < n; i += 128) {
        float4 p = atoms[i]; float phase = kx * p.x + ky * p.y + kz * p.z, q = p.w - 0.5f; c += q * cosf(phase), s += q * sinf(phase);
    }
    re[t] = c, im[t] = s; __syncthreads();
    for (int o = 64; o; o >>= 1) { if (t < o) re[t] += re[t + o], im[t] += im[t + o]; __syncthreads(); }
    if (t) return;
    float kk = kx * kx + ky * ky + kz * kz, f = kk > 0 ? expf(-width * kk) / kk : 0.0f; out[b] = make_float2(f * re[0], f * im[0]);
}

// ---- Genes ----
// Words of k letters that begin in a thread's own 32 places; an unknown letter breaks them all.
__global__ void kmer_count(const u8* letters, u32* bins, int n, int k) {
    int from = (blockIdx.x * blockDim.x + threadIdx.x) * 32, to = min(from + 31 + k, n), whole = 0; u32 word = 0, mask = (1u << 2 * k) - 1;
    for (int i = from; i < to; i++) {
        u8 c = letters[i];
        if (c == 'N') { whole = 0; continue; }
        word = (word << 2 | (c >> 1 & 3)) & mask; if (++whole >= k) atomicAdd(&bins[word], 1u);
    }
}
// Where a word would stand among the sorted suffixes of a text.
__global__ void suffix_search(const u8* text, const int* order, int n, const u8* words, int length, int* first, int queries) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= queries) return; const u8* w = words + i * length; int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2, at = order[middle], k = 0; while (k < length && at + k < n && text[at + k] == w[k]) k++;
        if (k < length && (at + k >= n || text[at + k] < w[k])) low = middle + 1; else high = middle;
    }
    first[i] = low;
}

// ---- Nets and tables ----
// A packet a thread, of 64 bytes or up to some hundreds.
__global__ void crc_packets(const u8* data, const int* begin, const u32* table, u32* sums, int count) {
    __shared__ u32 t[256]; for (int k = threadIdx.x; k < 256; k += blockDim.x) t[k] = table[k]; __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= count) return; u32 crc = ~0u;
    for (int k = begin[i]; k < begin[i + 1]; k++) crc = t[(crc ^ data[k]) & 255] ^ crc >> 8;
    sums[i] = ~crc;
}
// Each block adds into a small hash table of its own; what finds no place in eight tries goes to the totals at once.
__global__ void group_by(const u32* keys, const u32* values, u32* totals, int n) {
    __shared__ u32 slot[1024], sum[1024]; for (int k = threadIdx.x; k < 1024; k += blockDim.x) slot[k] = ~0u, sum[k] = 0; __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        u32 key = keys[i], at = key * 2654435761u >> 22; int tries = 0;
        for (; tries < 8; tries++, at = (at + 1) & 1023) { u32 was = atomicCAS(&slot[at], ~0u, key); if (was == ~0u || was == key) break; }
        if (tries < 8) atomicAdd(&sum[at], values[i]); else atomicAdd(&totals[key], values[i]);
    }
    __syncthreads(); for (int k = threadIdx.x; k < 1024; k += blockDim.x) if (slot[k] != ~0u) atomicAdd(&totals[slot[k]], sum[k]);
}
// Numbers of the rows that pass, packed at the front of each block's own 1024 places.
__global__ void filter_rows(const u32* day, const float* price, u32* kept, u32* counts, u32 first, u32 last, float limit, int n) {
    __shared__ u32 part[32]; int t = threadIdx.x, lane = t & 31, warp = t / 32, i = blockIdx.x * 1024 + t; bool pass = false;
    if (i < n) { u32 d = day[i] & 1023; if (d >= first && d < last) pass = price[i] < limit; }
    u32 votes = __ballot_sync(~0u, pass); if (lane == 0) part[warp] = __popc(votes); __syncthreads();
    if (warp == 0) {
        u32 v = part[lane]; for (int o = 1; o < 32; o <<= 1) { u32 u = __shfl_up_sync(~0u, v, o); if (lane >= o) v += u; }
        part[lane] = v;
    }
    __syncthreads(); u32 before = (warp ? part[warp - 1] : 0) + __popc(votes & ((1u << lane) - 1));
    if (pass) kept[blockIdx.x * 1024 + before] = i;
    if (t == 0) counts[blockIdx.x] = part[31];
}
// Numbers of a few bits each, without gaps; 128 of them share a base.
__global__ void bit_unpack(const u32* packed, const u32* base, u32* out, int bits, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; int bit = i * bits;
    u64 two = packed[bit >> 5] | (u64)packed[(bit >> 5) + 1] << 32;
    out[i] = (base[i >> 7] & 0xffff) + ((u32)(two >> (bit & 31)) & ((1u << bits) - 1));
}
// Runs become rows: a thread searches the run of its first row, then walks on for three more.
__global__ void run_expand(const int* ends, const u32* values, uint4* out, int runs, int n4) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n4) return; int low = 0, high = runs - 1, row = i * 4;
    while (low < high) { int middle = (low + high) >> 1; if (ends[middle] > row) high = middle; else low = middle + 1; }
    u32 v[4]; for (int k = 0; k < 4; k++) { while (ends[low] <= row + k) low++; v[k] = values[low]; }
    out[i] = make_uint4(v[0], v[1], v[2], v[3]);
}

// ---- Games ----
__global__ void particles(const float4* at, const float4* go, float4* to, float4* onward, int n, float dt, float now) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; float4 p = at[i], v = go[i];
    v.x += dt * 0.3f * __sinf(6 * p.y + now), v.z += dt * 0.3f * __cosf(6 * p.x + now), v.y -= dt * 9.81f;
    p.x += dt * v.x, p.y += dt * v.y, p.z += dt * v.z, p.w -= dt;
    if (p.y < 0) p.y = -0.6f * p.y, v.y = -0.6f * v.y, v.x *= 0.9f, v.z *= 0.9f;
    if (p.w < 0) {
        u32 r = mixed(i);
        p = make_float4(0.5f, 1, 0.5f, 1), v = make_float4((r & 255) / 256.0f - 0.5f, (r >> 8 & 255) / 64.0f, (r >> 16 & 255) / 256.0f, 0);
    }
    to[i] = p, onward[i] = v;
}
// Birds keep away from near ones, fly as they fly and go where they are.
__global__ void boids(const float4* at, const float4* go, float4* out, int n, float near, float dt) {
    __shared__ float4 p[128], v[128]; int t = threadIdx.x, i = blockIdx.x * 128 + t, count = 0;
    float4 me = at[min(i, n - 1)], my = go[min(i, n - 1)]; float3 push = {0, 0, 0}, flow = {0, 0, 0}, mid = {0, 0, 0};
    for (int from = 0; from < n; from += 128) {
        if (from + t < n) p[t] = at[from + t], v[t] = go[from + t]; __syncthreads();
        int last = min(128, n - from);
        for (int k = 0; k < last; k++) {
            float x = me.x - p[k].x, y = me.y - p[k].y, z = me.z - p[k].z, r = x * x + y * y + z * z;
            if (r < near && from + k != i) {
                float u = 1 / (r + 0.01f); push.x += u * x, push.y += u * y, push.z += u * z;
                flow.x += v[k].x, flow.y += v[k].y, flow.z += v[k].z; mid.x -= x, mid.y -= y, mid.z -= z, count++;
            }
        }
        __syncthreads();
    }
    if (i >= n) return;
    float f = count ? 1.0f / count : 0.0f;
    my.x += dt * (0.1f * push.x + f * (flow.x + mid.x)), my.y += dt * (0.1f * push.y + f * (flow.y + mid.y));
    my.z += dt * (0.1f * push.z + f * (flow.z + mid.z)), my.w = (float)count; out[i] = my;
}
// Vertices follow four bones each; all matrices, of three rows, are held in shared memory.
__global__ void skinning(const float3* at, const uchar4* which, const float4* weight, const float4* rows, float3* out, int n, int bones) {
    extern __shared__ float4 bone[];
    for (int k = threadIdx.x; k < 3 * bones; k += blockDim.x) bone[k] = rows[k]; __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; float3 p = at[i], sum = {0, 0, 0}; float4 w = weight[i];
    uchar4 b = which[i]; int id[4] = {b.x, b.y, b.z, b.w}; float part[4] = {w.x, w.y, w.z, w.w}, f = 1 / (w.x + w.y + w.z + w.w + 1e-6f);
    for (int k = 0; k < 4; k++) {
        const float4* m = bone + id[k] % bones * 3; float g = part[k] * f;
        sum.x += g * (m[0].x * p.x + m[0].y * p.y + m[0].z * p.z + m[0].w);
        sum.y += g * (m[1].x * p.x + m[1].y * p.y + m[1].z * p.z + m[1].w);
        sum.z += g * (m[2].x * p.x + m[2].y * p.y + m[2].z * p.z + m[2].w);
    }
    out[i] = sum;
}
struct __align__(8) Half4 { __half2 rg, ba; };
__device__ u8 film(float x) {
    float y = x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f);
    return (u8)(255 * __powf(fminf(fmaxf(y, 0.0f), 1.0f), 0.45454545f) + 0.5f);
}
__global__ void tone_map(const Half4* in, uchar4* out, float exposure, int n) {
    __half2 e = __float2half2_rn(exposure);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        Half4 v = in[i]; float2 rg = __half22float2(__hmul2(v.rg, e)), ba = __half22float2(v.ba);
        out[i] = make_uchar4(film(rg.x), film(rg.y), film(ba.x * exposure), (u8)(255 * fminf(ba.y, 1.0f)));
    }
}

// ---- Learning ----
// Mean and spread of a channel over all pictures of a batch.
__global__ void batch_stats(const float* x, float* mean, float* inv, int pictures, int channels, int area) {
    __shared__ float ss[16], qq[16]; int t = threadIdx.x, channel = blockIdx.x; float s = 0, q = 0;
    for (int p = 0; p < pictures; p++)
        for (int k = t; k < area; k += blockDim.x) { float v = x[(p * channels + channel) * area + k]; s += v, q += v * v; }
    for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o), q += __shfl_down_sync(~0u, q, o);
    if (t % 32 == 0) ss[t / 32] = s, qq[t / 32] = q; __syncthreads();
    if (t >= 16) return;
    s = ss[t], q = qq[t]; for (int o = 8; o; o >>= 1) s += __shfl_down_sync(0xffffu, s, o), q += __shfl_down_sync(0xffffu, q, o);
    if (t) return;
    float count = (float)pictures * area, m = s / count; mean[channel] = m, inv[channel] = rsqrtf(q / count - m * m + 1e-5f);
}
// r*r channels become squares of r by r pixels; a thread has one number of the output.
__global__ void depth_to_space(const float* in, float* out, int channels, int h, int w, int r, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
    int x = i % (w * r), y = i / (w * r) % (h * r), c = i / (w * r) / (h * r) % channels, b = i / (w * r) / (h * r) / channels;
    int from = (c * r + y % r) * r + x % r; out[i] = in[((b * channels * r * r + from) * h + y / r) * w + x / r];
}
// A warp sums the rows of a bag, 128 numbers each.
__global__ void embedding_bag(const float4* __restrict__ table, const int* __restrict__ index, const int* __restrict__ begin,
                              const float* __restrict__ weight, float4* __restrict__ out, int bags) {
    int bag = blockIdx.x * 4 + threadIdx.y, lane = threadIdx.x; if (bag >= bags) return; float4 s = {0, 0, 0, 0}; int to = begin[bag + 1];
    for (int k = begin[bag]; k < to; k++) {
        float4 v = table[index[k] * 32 + lane]; float w = weight[k]; s.x += w * v.x, s.y += w * v.y, s.z += w * v.z, s.w += w * v.w;
    }
    out[bag * 32 + lane] = s;
}
__device__ void joined(float& m, float& s, float m2, float s2) {
    float most = fmaxf(m, m2); s = s * __expf(m - most) + s2 * __expf(m2 - most), m = most;
}
__global__ void cross_entropy(const float* logits, const int* label, float* grad, float* loss, int classes, float sharp) {
    __shared__ float most[8], sum[8]; const float* x = logits + blockIdx.x * classes; int t = threadIdx.x, right = label[blockIdx.x];
    float m = -1e30f, s = 0;
    for (int k = t; k < classes; k += 256) { float v = sharp * x[k]; if (v > m) s = s * __expf(m - v) + 1, m = v; else s += __expf(v - m); }
    for (int o = 16; o; o >>= 1) { float m2 = __shfl_xor_sync(~0u, m, o), s2 = __shfl_xor_sync(~0u, s, o); joined(m, s, m2, s2); }
    if (t % 32 == 0) most[t / 32] = m, sum[t / 32] = s; __syncthreads();
    m = most[0], s = sum[0]; for (int k = 1; k < 8; k++) joined(m, s, most[k], sum[k]); float f = 1 / s;
    for (int k = t; k < classes; k += 256) grad[blockIdx.x * classes + k] = __expf(sharp * x[k] - m) * f - (k == right ? 1.0f : 0.0f);
    if (t == 0) loss[blockIdx.x] = logf(s) + m - sharp * x[right];
}
struct __align__(16) Half8 { __half2 v[4]; };
// Eight weights of four bits in a word; 16 words share a scale and a zero.
__global__ void int4_dequant(const u32* packed, const __half* scale, const u8* zero, Half8* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; u32 w = packed[i]; int z = zero[i / 16] & 15;
    __half2 s = __half2half2(scale[i / 16]); Half8 r;
    for (int k = 0; k < 4; k++) {
        int low = (int)(w >> 8 * k & 15) - z, high = (int)(w >> (8 * k + 4) & 15) - z;
        r.v[k] = __hmul2(__floats2half2_rn((float)low, (float)high), s);
    }
    out[i] = r;
}
// Backward through a rectifier; the bias's share comes as one row for each row of blocks.
__global__ void bias_relu_backward(const float* dy, const float* y, float* dx, float* dbias, int rows, int columns, float middle) {
    __shared__ float part[16][33]; int x = threadIdx.x, ty = threadIdx.y, c = blockIdx.x * 32 + x, share = rows / gridDim.y; float s = 0;
    if (c < columns)
        for (int r = blockIdx.y * share + ty; r < (int)(blockIdx.y + 1) * share; r += 16) {
            float d = y[r * columns + c] > middle ? dy[r * columns + c] : 0.0f; dx[r * columns + c] = d, s += d;
        }
    part[ty][x] = s; __syncthreads(); for (int o = 8; o; o >>= 1) { if (ty < o) part[ty][x] += part[ty + o][x]; __syncthreads(); }
    if (ty == 0 && c < columns) dbias[blockIdx.y * columns + c] = part[0][x];
}

// ---- Numerics ----
// Over-relaxation inside a block's own patch: red cells, black cells, red again, with the rim as it was.
__global__ void sor_patch(const float* u, const float* f, float* out, int w, int sweeps, float omega) {
    __shared__ float s[18][35]; int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx + 1, y = blockIdx.y * 16 + ty + 1;
    for (int k = ty * 32 + tx; k < 18 * 34; k += 512) s[k / 34][k % 34] = u[(blockIdx.y * 16 + k / 34) * w + blockIdx.x * 32 + k % 34];
    float g = f[y * w + x]; __syncthreads();
    for (int half = 0; half < 2 * sweeps; half++) {
        if (((x + y + half) & 1) == 0) {
            float m = s[ty + 1][tx + 1];
            s[ty + 1][tx + 1] = m + omega * (0.25f * (s[ty][tx + 1] + s[ty + 2][tx + 1] + s[ty + 1][tx] + s[ty + 1][tx + 2] - g) - m);
        }
        __syncthreads();
    }
    out[y * w + x] = s[ty + 1][tx + 1];
}
// Seven points in three dimensions; a thread climbs a column and keeps the cells below, at and above it.
__global__ void jacobi3(const float* __restrict__ u, const float* __restrict__ f, float* out, int w, int h, int depth, int share) {
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1, z = blockIdx.z * share + 1;
    if (x >= w - 1 || y >= h - 1) return;
    int area = w * h, i = z * area + y * w + x, last = min(z + share, depth - 1); float below = u[i - area], at = u[i];
    for (; z < last; z++, i += area) {
        float above = u[i + area]; out[i] = (below + above + u[i - 1] + u[i + 1] + u[i - w] + u[i + w] - f[i]) * (1 / 6.0f);
        below = at, at = above;
    }
}
__global__ void csr_residual(const int* begin, const int* column, const float* value, const float* x, const float* b, float* r, int rows) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31; if (row >= rows) return; int to = begin[row + 1];
    float s = 0; for (int e = begin[row] + lane; e < to; e += 32) s += value[e] * x[column[e]];
    for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o);
    if (lane == 0) r[row] = b[row] - s;
}
// Matrices of 8 by 8, one in the registers of each thread: elimination without pivots, then the way back.
__global__ void lu_blocks(const float* a, const float* right, float* x, int n) {
    const int N = 8; int m = blockIdx.x * blockDim.x + threadIdx.x; if (m >= n) return; float l[N][N], v[N];
#pragma unroll
    for (int i = 0; i < N; i++) {
        v[i] = right[i * n + m]; for (int j = 0; j < N; j++) l[i][j] = a[(i * N + j) * n + m] + (i == j ? (float)N : 0.0f);
    }
#pragma unroll
    for (int k = 0; k < N; k++) {
        float p = 1 / l[k][k];
        for (int i = k + 1; i < N; i++) { float f = l[i][k] * p; for (int j = k + 1; j < N; j++) l[i][j] -= f * l[k][j]; v[i] -= f * v[k]; }
    }
#pragma unroll
    for (int i = N - 1; i >= 0; i--) { for (int j = i + 1; j < N; j++) v[i] -= l[i][j] * v[j]; v[i] /= l[i][i]; x[i * n + m] = v[i]; }
}
__global__ void dgemm_tiles(const double* a, const double* b, double* c, int rows, int columns, int inner) {
    __shared__ double s[16][16], t[16][16]; int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 16 + y, j = blockIdx.x * 16 + x;
    double v = 0;
    for (int k = 0; k < inner; k += 16) {
        s[y][x] = i < rows && k + x < inner ? a[i * inner + k + x] : 0.0;
        t[y][x] = j < columns && k + y < inner ? b[(k + y) * columns + j] : 0.0; __syncthreads();
        for (int o = 0; o < 16; o++) v += s[y][o] * t[o][x]; __syncthreads();
    }
    if (i < rows && j < columns) c[i * columns + j] = v;
}
// One pass of a transform by fours that sorts as it goes: reads a quarter apart, writes a stride apart.
__global__ void radix4_pass(const float2* in, float2* out, int quarter, int stride) {
    int j = blockIdx.x * blockDim.x + threadIdx.x; if (j >= quarter) return; int k = j & (stride - 1), to = (j - k) * 4 + k; float2 v[4];
    for (int q = 0; q < 4; q++) {
        float s, c; float2 u = in[j + q * quarter]; sincospif(-0.5f * (k * q) / stride, &s, &c);
        v[q] = make_float2(u.x * c - u.y * s, u.x * s + u.y * c);
    }
    float2 a = {v[0].x + v[2].x, v[0].y + v[2].y}, b = {v[0].x - v[2].x, v[0].y - v[2].y};
    float2 c = {v[1].x + v[3].x, v[1].y + v[3].y}, d = {v[1].y - v[3].y, v[3].x - v[1].x};
    out[to] = make_float2(a.x + c.x, a.y + c.y), out[to + stride] = make_float2(b.x + d.x, b.y + d.y);
    out[to + 2 * stride] = make_float2(a.x - c.x, a.y - c.y), out[to + 3 * stride] = make_float2(b.x - d.x, b.y - d.y);
}

std::vector<void*> owned;
template <class T, class F> T* made(size_t n, F f) {
    std::vector<T> v(n); T* p = nullptr;
    for (size_t i = 0; i < n; i++) v[i] = (T)f((u32)i);
    if (cudaMalloc(&p, n * sizeof(T)) != cudaSuccess) exit(1);
    if (cudaMemcpy(p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice) != cudaSuccess) exit(1);
    owned.push_back(p); return p;
}
template <class T> void show(const char* name, const T* p, size_t n) {
    std::vector<T> v(n); double sum = 0;
    if (cudaDeviceSynchronize() != cudaSuccess || cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess) exit(1);
    for (size_t i = 0; i < n; i++) sum += (double)v[i] * (double)(i % 7 + 1);
    printf("%s %.7g\n", name, sum);
}
// CASE(out, n, kernel, <<<...>>>(...)): launch, then print the kernel's name and a sum over what it wrote.
#define CASE(out, n, kernel, ...) kernel __VA_ARGS__; show(#kernel, out, n)

int main() {
    const int M = 1 << 20, texts = 1 << 17, packets = 49152, runs = 1 << 17, bags = 16384, rows = 1 << 17;
    auto unit = [](u32 i) { return (float)(mixed(i) >> 8) * 0x1p-24f; }; auto zero = [](u32) { return 0; };
    auto letter = [](u32 i) { u32 r = mixed(i); return (r & 1023) == 0 ? 'N' : "ACGT"[r >> 30]; };
    float *a = made<float>(16 * M, unit), *b = made<float>(16 * M, [&](u32 i) { return unit(i + 77777777); });
    float *c = made<float>(16 * M, zero), *d = made<float>(4 * M, [&](u32 i) { return unit(~i) + 2; });
    float *offset = made<float>(64, [](u32 i) { return 100.0f * i + 100; }), *spread = made<float>(512, [&](u32 i) { return 3 + unit(i); });
    float* slow = made<float>(1000, [](u32 i) { return 1 / (1500.0f + 2 * i); });
    double *da = made<double>(320 * 320, [&](u32 i) { return unit(i) - 0.5; }), *dc = made<double>(320 * 320, zero);
    u8 *bytes = made<u8>(16 * M, [](u32 i) { return mixed(i + 5) >> 24; }), *letters = made<u8>(4 * M, letter);
    u32 *words = made<u32>(4 * M, mixed), *kept = made<u32>(4 * M, zero), *bins = made<u32>(256, zero);
    u32 *kmers = made<u32>(1 << 18, zero), *totals = made<u32>(65536, zero), *counts = made<u32>(4096, zero);
    u32* keys = made<u32>(3 * M, [](u32 i) { u32 r = mixed(i + 9); return r & 7 ? (r >> 8) % 600 * 97 : r >> 16; });
    u32* table = made<u32>(256, [](u32 i) { for (int k = 0; k < 8; k++) i = i & 1 ? i >> 1 ^ 0xedb88320u : i >> 1; return i; });
    int *ints = made<int>(M, zero), *labels = made<int>(1024, [](u32 i) { return mixed(i) % 8000; });
    std::vector<u8> text(texts); std::vector<int> sorted(texts);
    for (int i = 0; i < texts; i++) text[i] = (u8)letter(i), sorted[i] = i;
    std::sort(sorted.begin(), sorted.end(), [&](int x, int y) {
        int way = memcmp(&text[x], &text[y], texts - std::max(x, y)); return way ? way < 0 : x > y; });
    int* order = made<int>(texts, [&](u32 i) { return sorted[i]; });
    // Prefix sums: where packets, runs, bags and sparse rows begin or end.
    int at = 0; auto next = [&](u32 i, int length) { int was = at; at += length; return i ? was : 0; };
    int* packet = made<int>(packets + 1, [&](u32 i) { return next(i, 64 + (mixed(i) & 3 ? mixed(i) / 4 % 64 : mixed(i) / 4 % 448)); });
    at = 0; int *ends = made<int>(runs, [&](u32 i) { at += 1 + mixed(i) % 31; return at; }), n4 = at / 4;
    at = 0; int* bag = made<int>(bags + 1, [&](u32 i) { return next(i, 1 + mixed(i) % 23); });
    int* index = made<int>(at, [](u32 i) { return mixed(i + 4) % 131072; });
    at = 0; int* begin = made<int>(rows + 1, [&](u32 i) { return next(i, 8 + mixed(i) % 24 + (mixed(i) >> 26 ? 0 : 150)); });
    int* column = made<int>(at, [=](u32 e) { return (mixed(e) & 3 ? e / 20 + mixed(e) / 4 % 1024 : mixed(e) / 4) % rows; });
    Half4* light = made<Half4>(3 * M, [&](u32 i) {
        float v = unit(i); return Half4{__floats2half2_rn(4 * v * v, 2 * unit(i + M)), __floats2half2_rn(unit(~i), v)}; });
    __half* scales = made<__half>(2 * M / 16, [&](u32 i) { return __float2half_rn(0.01f + 0.1f * unit(i)); });
    float2 views[64]; for (int k = 0; k < 64; k++) views[k] = make_float2(cosf(k * 0.17453293f), sinf(k * 0.17453293f));
    if (cudaMemcpyToSymbol(turn, views, sizeof views) != cudaSuccess) return 1;
    CASE(c, 24576 * 96, thomas_batch, <<<384, 64>>>(a, d, b, a + 8 * M, c + 8 * M, c, 24576, 96));
    CASE(c, 396, binomial_tree, <<<396, 256>>>(a, b, c, 180, 1.015f, 0.9998f, 0.502f));
    CASE(c, 480 * 480, correlation, <<<dim3(30, 30), dim3(16, 16)>>>(a, b, spread, c, 480, 252));
    CASE(c, 512 * 1000, moveout_stack, <<<dim3(8, 512), 128>>>(a, offset, slow, c, 1000, 24, 0.004f));
    CASE(c, 96 * 96 * 64, back_projection, <<<dim3(3, 12, 64), dim3(32, 8)>>>(b, c, 96, 36, 160, 120));
    CASE((u32*)c, 160 * 320, radon_sums, <<<160, 320>>>(bytes, (u32*)c, 320));
    CASE(c, 330 * 250, nonlocal_means, <<<dim3(21, 16), dim3(16, 16), 22 * 22 * sizeof(float)>>>(a, c, 330, 250, 4));
    CASE(bins, 256, pair_histogram, <<<dim3(24, 24), 256>>>((float4*)a, bins, 6100, 290));
    CASE(c, 2 * 768, ewald_waves, <<<768, 128>>>((float4*)a, (float2*)c, 4000, 0.0003f));
    CASE(kmers, 1 << 18, kmer_count, <<<1024, 128>>>(letters, kmers, 4 * M, 9));
    CASE(ints, 196608, suffix_search, <<<1536, 128>>>(letters, order, texts, letters + M, 12, ints, 196608));
    CASE((u32*)c, packets, crc_packets, <<<packets / 64, 64>>>(bytes, packet, table, (u32*)c, packets));
    CASE(totals, 65536, group_by, <<<396, 256>>>(keys, words, totals, 3 * M));
    CASE(kept, 4 * M, filter_rows, <<<4096, 1024>>>(words, a, kept, counts, 200, 700, 0.6f, 4 * M));
    CASE((u32*)c, 8 * M, bit_unpack, <<<32768, 256>>>(words, words + 3 * M, (u32*)c, 11, 8 * M));
    CASE((u32*)c, 4 * n4, run_expand, <<<(n4 + 255) / 256, 256>>>(ends, words, (uint4*)c, runs, n4));
    CASE(c, 16 * M, particles, <<<8192, 256>>>((float4*)a, (float4*)b, (float4*)c, (float4*)c + 2 * M, 2 * M, 0.02f, 1.5f));
    CASE(c, 4 * 4000, boids, <<<32, 128>>>((float4*)a, (float4*)b, (float4*)c, 4000, 0.03f, 0.1f));
    CASE(c, 3 * 500000, skinning, <<<2605, 192, 192 * 16>>>((float3*)a, (uchar4*)bytes, (float4*)b, (float4*)d, (float3*)c, 500000, 64));
    CASE((u8*)c, 12 * M, tone_map, <<<1056, 384>>>(light, (uchar4*)c, 0.8f, 3 * M));
    CASE(c, 2 * 192, batch_stats, <<<192, 512>>>(b, c, c + 192, 16, 192, 56 * 56));
    CASE(c, 16 * M, depth_to_space, <<<32768, 512>>>(a, c, 32, 128, 128, 2, 16 * M));
    CASE(c, bags * 128, embedding_bag, <<<bags / 4, dim3(32, 4)>>>((float4*)a, index, bag, b, (float4*)c, bags));
    CASE(c, 1024 * 8001, cross_entropy, <<<1024, 256>>>(b, labels, c, c + 1024 * 8000, 8000, 8));
    CASE((unsigned short*)c, 16 * M, int4_dequant, <<<4096, 512>>>(words, scales, bytes, (Half8*)c, 2 * M));
    CASE(c, 4112 * 1024, bias_relu_backward, <<<dim3(32, 16), dim3(32, 16)>>>(a, b, c, c + 4096 * 1024, 4096, 1024, 0.5f));
    CASE(c, 1026 * 1026, sor_patch, <<<dim3(32, 64), dim3(32, 16)>>>(a, b, c, 1026, 6, 1.5f));
    CASE(c, 194 * 130 * 98, jacobi3, <<<dim3(3, 32, 4), dim3(64, 4)>>>(a, b, c, 194, 130, 98, 24));
    CASE(c, rows, csr_residual, <<<rows / 4, 128>>>(begin, column, a, b, d, c, rows));
    CASE(c, 8 * 65536, lu_blocks, <<<2048, 32>>>(a, b, c, 65536));
    CASE(dc, 320 * 320, dgemm_tiles, <<<dim3(20, 20), dim3(16, 16)>>>(da, da + 320 * 32, dc, 320, 320, 250));
    CASE(c, 8 * M, radix4_pass, <<<2048, 512>>>((float2*)a, (float2*)c, M, 256));
    puts("PASS trades");
    for (void* p : owned) cudaFree(p);
    return 0;
}
