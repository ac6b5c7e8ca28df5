// Kernels of services that companies and labs run: video, sound, robots, maps, shops, tables, flows, chemistry, inference, hashes,
// genes, sparse matrices and graphs. Each works on 1 to 90 MB and prints its name and a sum over what it wrote.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

using u8 = unsigned char; using u16 = unsigned short; using u32 = unsigned; using u64 = unsigned long long;

__host__ __device__ inline u32 hash32(u32 x) {
    x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; return x ^ (x >> 16);
}
// ---- Video ---- Full search of +-7 pixels for a 16x16 macroblock; as in the fast preset only every other row enters the SAD.
__global__ void motion_search(const u8* __restrict__ cur, const u8* __restrict__ ref, u32* __restrict__ mv, int width, int height) {
    __shared__ u8 block[16 * 16]; __shared__ u8 window[30 * 32]; __shared__ u32 best[8];
    const int tid = threadIdx.x, bx = blockIdx.x * 16, by = blockIdx.y * 16; block[tid] = cur[(by + tid / 16) * width + bx + tid % 16];
    for (int i = tid; i < 30 * 30; i += 256) {
        int wx = min(max(bx + i % 30 - 7, 0), width - 1), wy = min(max(by + i / 30 - 7, 0), height - 1);
        window[i / 30 * 32 + i % 30] = ref[wy * width + wx];
    }
    __syncthreads(); u32 key = ~0u;
    if (tid < 225) {
        const int dx = tid % 15, dy = tid / 15; u32 sad = 0;
        for (int y = 0; y < 16; y += 2) {
#pragma unroll
            for (int x = 0; x < 16; x++) sad = __usad(block[y * 16 + x], window[(dy + y) * 32 + dx + x], sad);
        }
        key = sad << 8 | tid;
    }
    for (int o = 16; o > 0; o /= 2) key = min(key, __shfl_down_sync(0xffffffff, key, o)); if (tid % 32 == 0) best[tid / 32] = key;
    __syncthreads(); if (tid == 0) { for (int k = 1; k < 8; k++) key = min(key, best[k]); mv[blockIdx.y * gridDim.x + blockIdx.x] = key; }
}
__device__ __forceinline__ u8 clip8(int v) { return (u8)min(max(v, 0), 255); }
__device__ __forceinline__ void smooth(u8& p0, u8& p1, u8& p2, int p3, int q0, int q1, int beta) {
    int a = p0, b = p1, c = p2; if (abs(c - a) >= beta) { p0 = (u8)((2 * b + a + q1 + 2) >> 2); return; }
    p0 = (u8)((c + 2 * b + 2 * a + 2 * q0 + q1 + 4) >> 3); p1 = (u8)((c + b + a + q0 + 2) >> 2);
    p2 = (u8)((2 * p3 + 3 * c + b + a + q0 + 4) >> 3);
}
// In-loop filter across the vertical edges of 8x8 blocks, in place. A thread owns the four pixels on either side of its edge.
__global__ void deblock_edges(uchar4* luma, int pitch4, int edges, int height, int alpha, int beta, int tc) {
    int e = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (e >= edges || y >= height) return;
    uchar4* at = luma + y * pitch4 + 2 * e + 1; uchar4 p = at[0], q = at[1]; int p0 = p.w, p1 = p.z, q0 = q.x, q1 = q.y;
    if (abs(p0 - q0) >= alpha || abs(p1 - p0) >= beta || abs(q1 - q0) >= beta) return;
    if (abs(p0 - q0) < (alpha >> 2) + 2) {
        smooth(p.w, p.z, p.y, p.x, q0, q1, beta); smooth(q.x, q.y, q.z, q.w, p0, p1, beta);
    } else {
        int d = min(max((4 * (q0 - p0) + (p1 - q1) + 4) >> 3, -tc), tc); p.w = clip8(p0 + d); q.x = clip8(q0 - d);
    }
    at[0] = p; at[1] = q;
}
// BT.709, limited range; a thread converts the 2x2 pixels that share one chroma sample and writes packed RGB.
__global__ void nv12_to_rgb(const u8* __restrict__ luma, const uchar2* __restrict__ chroma, u8* __restrict__ rgb, int width, int height) {
    int cx = blockIdx.x * blockDim.x + threadIdx.x, cy = blockIdx.y * blockDim.y + threadIdx.y;
    if (cx >= width / 2 || cy >= height / 2) return; uchar2 uv = chroma[cy * (width / 2) + cx];
    int u = uv.x - 128, v = uv.y - 128, r = 459 * v + 128, g = -55 * u - 136 * v + 128, b = 541 * u + 128;
    for (int row = 0; row < 2; row++) {
        int at = (2 * cy + row) * width + 2 * cx; uchar2 yy = *reinterpret_cast<const uchar2*>(luma + at);
        int y0 = 298 * (yy.x - 16), y1 = 298 * (yy.y - 16); u8* out = rgb + 3 * at;
        out[0] = clip8((y0 + r) >> 8); out[1] = clip8((y0 + g) >> 8); out[2] = clip8((y0 + b) >> 8);
        out[3] = clip8((y1 + r) >> 8); out[4] = clip8((y1 + g) >> 8); out[5] = clip8((y1 + b) >> 8);
    }
}
// ---- Sound ---- Two biquads in cascade (transposed form II), one channel a thread, samples of all channels interleaved.
__global__ void biquad_bank(const float* __restrict__ in, float* __restrict__ out, const float* coef, int channels, int samples) {
    int c = blockIdx.x * blockDim.x + threadIdx.x; if (c >= channels) return;
    float b0 = coef[c], b1 = coef[channels + c], b2 = coef[2 * channels + c], a1 = coef[3 * channels + c], a2 = coef[4 * channels + c];
    float z[2][2] = {};
#pragma unroll 4
    for (int t = 0; t < samples; t++) {
        float x = in[t * channels + c];
        for (int s = 0; s < 2; s++) { float y = b0 * x + z[s][0]; z[s][0] = b1 * x - a1 * y + z[s][1]; z[s][1] = b2 * x - a2 * y; x = y; }
        out[t * channels + c] = x;
    }
}
// 44.1 kHz to 48 kHz: 160 phases of 24 taps, padded to 25 in dynamic shared memory.
__global__ void resample_polyphase(const float* in, const float* bank, float* out, int in_len, int out_len) {
    constexpr int UP = 160, DOWN = 147, TAPS = 24;
    extern __shared__ float taps[];
    for (int i = threadIdx.x; i < UP * TAPS; i += blockDim.x) taps[i / TAPS * (TAPS + 1) + i % TAPS] = bank[i]; __syncthreads();
    const float* src = in + (size_t)blockIdx.y * in_len; float* dst = out + (size_t)blockIdx.y * out_len;
    for (int n = blockIdx.x * blockDim.x + threadIdx.x; n < out_len; n += gridDim.x * blockDim.x) {
        int at = n * DOWN, phase = at % UP, from = at / UP; float sum = 0.0f;
#pragma unroll
        for (int k = 0; k < TAPS; k++) sum += taps[phase * (TAPS + 1) + k] * src[from + k]; dst[n] = sum;
    }
}
// A frame a block: window, bit reversal, radix-2 passes in shared memory, power of the lower half.
template <int LOG>
__global__ void stft_power(const float* signal, const float* window, const float2* twiddle, float* power, int hop) {
    constexpr int N = 1 << LOG; __shared__ float2 s[N]; const int tid = threadIdx.x; const float* frame = signal + blockIdx.x * hop;
    for (int i = tid; i < N; i += N / 2) s[__brev(i) >> (32 - LOG)] = make_float2(frame[i] * window[i], 0.0f); __syncthreads();
#pragma unroll
    for (int half = 1; half < N; half <<= 1) {
        int j = tid & (half - 1), a = 2 * (tid - j) + j; float2 w = __ldg(twiddle + j * (N / 2 / half)), u = s[a], v = s[a + half];
        float re = w.x * v.x - w.y * v.y, im = w.x * v.y + w.y * v.x; s[a] = make_float2(u.x + re, u.y + im);
        s[a + half] = make_float2(u.x - re, u.y - im); __syncthreads();
    }
    float2 r = s[tid]; power[blockIdx.x * (N / 2) + tid] = r.x * r.x + r.y * r.y;
}
// ---- Robots ----
// LiDAR returns into a hash table of voxels: open addressing by compare-and-swap, number of hits and highest point a voxel.
__global__ void voxel_insert(const float3* __restrict__ points, u32* keys, int* hits, int* top, int n, float inv_size, u32 mask) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; float3 p = points[i];
    u32 key = (u32)(p.x * inv_size) | (u32)(p.y * inv_size) << 10 | (u32)(p.z * inv_size) << 20; u32 slot = hash32(key) & mask;
    for (;;) { u32 was = atomicCAS(&keys[slot], 0xffffffffu, key); if (was == 0xffffffffu || was == key) break; slot = (slot + 1) & mask; }
    atomicAdd(&hits[slot], 1); atomicMax(&top[slot], (int)(p.z * 1000.0f));
}
// Particle filter: from each pose a fan of beams walks the occupancy grid cell by cell (Amanatides and Woo).
__global__ void ray_cast_grid(const u8* grid, const float4* pose, const float2* beam, u16* range, int size, int beams, int max_steps) {
    if (threadIdx.x >= beams) return; float4 p = pose[blockIdx.x]; float2 b = beam[threadIdx.x];
    float dx = b.x * p.z - b.y * p.w, dy = b.x * p.w + b.y * p.z;
    int x = (int)p.x, y = (int)p.y, sx = dx > 0 ? 1 : -1, sy = dy > 0 ? 1 : -1, steps = 0;
    float ddx = dx != 0 ? fabsf(1 / dx) : 1e30f, ddy = dy != 0 ? fabsf(1 / dy) : 1e30f;
    float tx = (dx > 0 ? x + 1 - p.x : p.x - x) * ddx, ty = (dy > 0 ? y + 1 - p.y : p.y - y) * ddy;
    while (steps < max_steps) {
        if (tx < ty) { x += sx; tx += ddx; } else { y += sy; ty += ddy; }
        if ((u32)x >= (u32)size || (u32)y >= (u32)size) break; steps++; if (grid[y * size + x]) break;
    }
    range[blockIdx.x * beams + threadIdx.x] = (u16)steps;
}
// ---- Maps ---- A 16x16 tile of the picture a block; its triangles come by sixties and fours through shared memory, the nearest id wins.
__global__ void raster_tiles(const uint4* __restrict__ triangles, const int* __restrict__ list, const int* __restrict__ first, u32* image) {
    __shared__ uint4 batch[64]; int tid = threadIdx.y * 16 + threadIdx.x, tile = blockIdx.y * gridDim.x + blockIdx.x, to = first[tile + 1];
    int px = blockIdx.x * 16 + threadIdx.x, py = blockIdx.y * 16 + threadIdx.y; u32 nearest = 0xffffffffu;
    for (int base = first[tile]; base < to; base += 64) {
        int count = min(64, to - base); __syncthreads(); if (tid < count) batch[tid] = triangles[list[base + tid]]; __syncthreads();
        for (int k = 0; k < count; k++) {
            uint4 t = batch[k];
            int x0 = (short)(t.x & 0xffff), y0 = (short)(t.x >> 16), x1 = (short)(t.y & 0xffff), y1 = (short)(t.y >> 16);
            int x2 = (short)(t.z & 0xffff), y2 = (short)(t.z >> 16); int e0 = (x1 - x0) * (py - y0) - (y1 - y0) * (px - x0);
            int e1 = (x2 - x1) * (py - y1) - (y2 - y1) * (px - x1); int e2 = (x0 - x2) * (py - y2) - (y0 - y2) * (px - x2);
            if ((e0 | e1 | e2) >= 0) nearest = min(nearest, t.w);
        }
    }
    image[py * gridDim.x * 16 + px] = nearest;
}
// Kilometres from each customer to the nearest station; stations are (latitude, longitude, cosine of latitude, open).
__global__ void haversine_nearest(const float2* __restrict__ place, const float4* __restrict__ station, float* km, int n, int m) {
    __shared__ float4 tile[128]; int i = blockIdx.x * 128 + threadIdx.x; float2 p = place[min(i, n - 1)]; float c = cosf(p.x), best = 1.0f;
    for (int base = 0; base < m; base += 128) {
        if (base + threadIdx.x < m) tile[threadIdx.x] = station[base + threadIdx.x]; __syncthreads(); int count = min(128, m - base);
#pragma unroll 4
        for (int k = 0; k < count; k++) {
            float4 s = tile[k]; float a = __sinf(0.5f * (s.x - p.x)), b = __sinf(0.5f * (s.y - p.y));
            best = fminf(best, a * a + c * s.z * b * b);
        }
        __syncthreads();
    }
    if (i < n) km[i] = 2.0f * 6371.0f * asinf(sqrtf(best));
}
// ---- Recommenders ----
// One step of stochastic descent for ratings whose users and items are all different; a warp has a rating, 64 factors.
__global__ void factor_update(const int2* pairs, const float* rating, float2* users, float2* items, int n, float rate, float decay) {
    int w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31; if (w >= n) return; int2 who = pairs[w];
    float2 u = users[who.x * 32 + lane], v = items[who.y * 32 + lane]; float dot = u.x * v.x + u.y * v.y;
    for (int o = 16; o > 0; o >>= 1) dot += __shfl_xor_sync(0xffffffff, dot, o); float err = rating[w] - dot;
    users[who.x * 32 + lane] = make_float2(u.x + rate * (err * v.x - decay * u.x), u.y + rate * (err * v.y - decay * u.y));
    items[who.y * 32 + lane] = make_float2(v.x + rate * (err * u.x - decay * v.x), v.y + rate * (err * u.y - decay * v.y));
}
// The k best columns of each row, one after the other; scores stay in registers and only the winner looks again.
template <int PER> __global__ void topk_rows(const float* __restrict__ scores, int* __restrict__ top, int k) {
    __shared__ u64 warp_best[8]; const int tid = threadIdx.x; const float* row = scores + (size_t)blockIdx.x * PER * 256; float v[PER];
#pragma unroll
    for (int j = 0; j < PER; j++) v[j] = row[j * 256 + tid];
    auto look = [&] {
        u64 best = 0;
#pragma unroll
        for (int j = 0; j < PER; j++) best = max(best, (u64)__float_as_uint(v[j]) << 32 | (u32)~(j * 256 + tid)); return best;
    };
    u64 mine = look();
    for (int r = 0; r < k; r++) {
        u64 m = mine; for (int o = 16; o > 0; o >>= 1) m = max(m, __shfl_xor_sync(0xffffffff, m, o));
        if ((tid & 31) == 0) warp_best[tid >> 5] = m; __syncthreads(); m = warp_best[0];
        for (int w = 1; w < 8; w++) m = max(m, warp_best[w]); int column = (int)~(u32)m; if (tid == 0) top[blockIdx.x * k + r] = column;
        if (column % 256 == tid) {
#pragma unroll
            for (int j = 0; j < PER; j++) if (j == column / 256) v[j] = 0.0f; mine = look();
        }
        __syncthreads();
    }
}
// ---- Tables ----
__global__ void join_probe(const u32* __restrict__ keys, const uint2* __restrict__ table, u32* __restrict__ payload, int n, u32 mask) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
    u32 key = keys[i], slot = (key * 2654435761u >> 12) & mask, found = 0;
    while (true) {
        uint2 entry = table[slot]; if (entry.x == key) { found = entry.y; break; }
        if (entry.x == 0) break; slot = (slot + 1) & mask;
    }
    payload[i] = found;
}
__constant__ char like_pattern[8] = "ab_d";
// WHERE text LIKE '%ab_d%': the place of the first match in each row, or -1.
__global__ void like_scan(const char* text, const int* offset, int* match, int rows, int length) {
    int row = blockIdx.x * blockDim.x + threadIdx.x; if (row >= rows) return;
    int begin = offset[row], last = offset[row + 1] - length, at = -1;
    for (int i = begin; i <= last && at < 0; i++) {
        int k = 0; while (k < length && (like_pattern[k] == '_' || like_pattern[k] == text[i + k])) k++; if (k == length) at = i - begin;
    }
    match[row] = at;
}
// Codes of two bytes become strings of sixteen; rows without a value become zeros.
__global__ void dict_decode(const u16* code, const u32* valid, const int4* dict, int4* out, int rows) {
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += stride) {
        int4 s = make_int4(0, 0, 0, 0); if (valid[i >> 5] >> (i & 31) & 1) s = __ldg(&dict[code[i]]); out[i] = s;
    }
}
__device__ __forceinline__ int zigzag(int v) { return (v >> 1) ^ -(v & 1); }
// Differences of one byte back to values: four a thread, a scan over the block, and the block's own base.
__global__ void delta_decode(const uchar4* __restrict__ delta, const int* __restrict__ base, int4* __restrict__ out) {
    __shared__ int warp_sum[8]; int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    uchar4 d = delta[i]; int a = zigzag(d.x), b = a + zigzag(d.y), c = b + zigzag(d.z), e = c + zigzag(d.w), sum = e;
    for (int o = 1; o < 32; o <<= 1) { int left = __shfl_up_sync(0xffffffff, sum, o); if (lane >= o) sum += left; }
    if (lane == 31) warp_sum[warp] = sum; __syncthreads(); int before = base[blockIdx.x] + sum - e;
    for (int w = 0; w < warp; w++) before += warp_sum[w]; out[i] = make_int4(before + a, before + b, before + c, before + e);
}
// ---- Flows, cloth, waves ----
__global__ void lbm_d2q9(const float* __restrict__ f, float* __restrict__ g, const u8* __restrict__ solid, int nx, int ny, float omega) {
    constexpr int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1}, back[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
    constexpr float wt[9] = {4 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y; if (x >= nx) return; const int n = nx * ny, at = y * nx + x;
    float v[9], rho = 0, ux = 0, uy = 0;
#pragma unroll
    for (int q = 0; q < 9; q++) {
        int fx = x - cx[q], fy = y - cy[q]; fx = fx < 0 ? nx - 1 : fx >= nx ? 0 : fx; fy = fy < 0 ? ny - 1 : fy >= ny ? 0 : fy;
        v[q] = f[q * n + fy * nx + fx]; rho += v[q]; ux += cx[q] * v[q]; uy += cy[q] * v[q];
    }
    if (solid[at]) { for (int q = 0; q < 9; q++) g[q * n + at] = v[back[q]]; return; }
    ux /= rho; uy /= rho; float rest = 1 - 1.5f * (ux * ux + uy * uy);
#pragma unroll
    for (int q = 0; q < 9; q++) {
        float cu = 3 * (cx[q] * ux + cy[q] * uy); g[q * n + at] = v[q] + omega * (wt[q] * rho * (rest + cu + 0.5f * cu * cu) - v[q]);
    }
}
// Density of a fluid's particles, sorted by cell; the three cells along x lie side by side and make one run.
__global__ void sph_density(const float4* __restrict__ pos, const int* __restrict__ start, float* rho, int n, int side, float h2) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; float4 p = pos[i];
    int cx = min((int)(p.x * side), side - 1), cy = min((int)(p.y * side), side - 1), cz = min((int)(p.z * side), side - 1); float sum = 0;
    for (int z = max(cz - 1, 0); z <= min(cz + 1, side - 1); z++) {
        for (int y = max(cy - 1, 0); y <= min(cy + 1, side - 1); y++) {
            int row = (z * side + y) * side, to = start[row + min(cx + 1, side - 1) + 1];
            for (int j = start[row + max(cx - 1, 0)]; j < to; j++) {
                float4 q = pos[j]; float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, t = h2 - (dx * dx + dy * dy + dz * dz);
                if (t > 0) sum += q.w * t * t * t;
            }
        }
    }
    rho[i] = 1.5666815f * sum / (h2 * h2 * h2 * h2 * sqrtf(h2));
}
__constant__ int spring_x[12] = {1, -1, 0, 0, 1, 1, -1, -1, 2, -2, 0, 0}, spring_y[12] = {0, 0, 1, -1, 1, -1, 1, -1, 0, 0, 2, -2};
__constant__ float spring_rest[3] = {0.01f, 0.01414214f, 0.02f};
// Verlet step of a sheet held by springs along, across and over the next knot; w is the inverse mass, 0 where it is pinned.
__global__ void cloth_step(const float4* pos, const float4* old, float4* next, int w, int h, float stiff, float dt2) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; if (x >= w || y >= h) return;
    float4 p = pos[y * w + x], o = old[y * w + x]; if (p.w == 0.0f) { next[y * w + x] = p; return; }
    float fx = 0, fy = -9.81f, fz = 0;
    for (int s = 0; s < 12; s++) {
        int u = x + spring_x[s], v = y + spring_y[s]; if (u < 0 || v < 0 || u >= w || v >= h) continue; float4 q = pos[v * w + u];
        float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
        float k = stiff * p.w * (1 - spring_rest[s / 4] * rsqrtf(dx * dx + dy * dy + dz * dz + 1e-12f));
        fx += k * dx; fy += k * dy; fz += k * dz;
    }
    next[y * w + x] = make_float4(p.x + 0.99f * (p.x - o.x) + dt2 * fx, p.y + 0.99f * (p.y - o.y) + dt2 * fy,
                                  p.z + 0.99f * (p.z - o.z) + dt2 * fz, p.w);
}
// Fourth order in space: the plane's tile with two cells of halo in shared memory, the column in registers; prev becomes next.
__global__ void __launch_bounds__(256) wave3d(const float* u, float* prev, const float* speed, int nx, int ny, int chunk, float courant) {
    __shared__ float tile[12][36]; const int tx = threadIdx.x, ty = threadIdx.y, plane = nx * ny;
    int i = (blockIdx.z * chunk + 2) * plane + (blockIdx.y * 8 + ty + 2) * nx + blockIdx.x * 32 + tx + 2;
    float b2 = u[i - 2 * plane], b1 = u[i - plane], mid = u[i], f1 = u[i + plane];
    for (int k = 0; k < chunk; k++, i += plane) {
        float f2 = u[i + 2 * plane]; __syncthreads(); tile[ty + 2][tx + 2] = mid;
        if (tx < 2) { tile[ty + 2][tx] = u[i - 2]; tile[ty + 2][tx + 34] = u[i + 32]; }
        if (ty < 2) { tile[ty][tx + 2] = u[i - 2 * nx]; tile[ty + 10][tx + 2] = u[i + 8 * nx]; }
        __syncthreads(); float near = tile[ty + 2][tx + 1] + tile[ty + 2][tx + 3] + tile[ty + 1][tx + 2] + tile[ty + 3][tx + 2] + b1 + f1;
        float far = tile[ty + 2][tx] + tile[ty + 2][tx + 4] + tile[ty][tx + 2] + tile[ty + 4][tx + 2] + b2 + f2;
        prev[i] = 2 * mid - prev[i] + courant * speed[i] * (-7.5f * mid + 1.3333333f * near - 0.083333333f * far);
        b2 = b1; b1 = mid; mid = f1; f1 = f2;
    }
}
// ---- Chemistry and radiation ----
// Lennard-Jones over a neighbour list kept by columns; the type is in w, and parameters of type pairs in shared memory.
__global__ void pair_list_forces(const float4* __restrict__ atom, const int* __restrict__ list, const float2* __restrict__ param,
                                 float4* __restrict__ force, int n, int neighbours, float cut2) {
    __shared__ float2 lj[16]; if (threadIdx.x < 16) lj[threadIdx.x] = param[threadIdx.x]; __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; float4 p = atom[i], f = make_float4(0, 0, 0, 0);
    int type = (int)(p.w * 4) & 3;
    for (int k = 0; k < neighbours; k++) {
        float4 q = __ldg(&atom[list[k * n + i]]); float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
        dx -= rintf(dx); dy -= rintf(dy); dz -= rintf(dz); float r2 = dx * dx + dy * dy + dz * dz + 0.01f; if (r2 >= cut2) continue;
        float2 c = lj[type * 4 + ((int)(q.w * 4) & 3)];
        float inv = 1 / r2, s2 = c.x * inv, s6 = s2 * s2 * s2, g = 24 * c.y * inv * s6 * (2 * s6 - 1);
        f.x += g * dx; f.y += g * dy; f.z += g * dz; f.w += 4 * c.y * s6 * (s6 - 1);
    }
    force[i] = f;
}
// Photons through a cube of tissue; free paths and directions are drawn from tables, absorbed energy is counted in whole parts.
__global__ void photon_walk(const float* __restrict__ path, const float4* __restrict__ way, u32* tally, int photons, int size) {
    int id = blockIdx.x * blockDim.x + threadIdx.x; if (id >= photons) return; u32 rng = hash32(id + 1) | 1u;
    float x = 0.5f * size - 32 + (id & 63), y = 0.5f * size - 32 + (id >> 6 & 63), z = 0, weight = 1; float4 d = make_float4(0, 0, 1, 0);
    while (weight > 0.02f) {
        rng ^= rng << 13; rng ^= rng >> 17; rng ^= rng << 5; float s = __ldg(path + (rng & 1023));
        x += s * d.x; y += s * d.y; z += s * d.z; if (x < 0 || y < 0 || z < 0 || x >= size || y >= size || z >= size) break;
        atomicAdd(&tally[((int)z * size + (int)y) * size + (int)x], (u32)(weight * 409.6f)); weight *= 0.9f; d = __ldg(way + (rng >> 20));
    }
}
// ---- Inference ----
// One new token against a paged cache of keys and values; the warps share the positions and keep a running maximum each.
__global__ void kv_decode(const __half2* query, const __half2* cache, const int* pages, const int* lengths, float2* out, int max_pages) {
    __shared__ float ms[4], ls[4]; __shared__ float2 sums[4][32];
    const int head = blockIdx.x, heads = gridDim.x, b = blockIdx.y, warp = threadIdx.x >> 5, lane = threadIdx.x & 31, len = lengths[b];
    float2 q = __half22float2(query[(b * heads + head) * 32 + lane]); q.x *= 0.125f; q.y *= 0.125f; float m = -1e30f, l = 0.0f;
    float2 acc = make_float2(0.0f, 0.0f);
    for (int pos = warp; pos < len; pos += 4) {
        const __half2* k = cache + ((pages[b * max_pages + pos / 16] * 32 + pos % 16) * heads + head) * 32 + lane;
        float2 kf = __half22float2(k[0]), vf = __half22float2(k[16 * heads * 32]); float s = q.x * kf.x + q.y * kf.y;
        for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffff, s, o);
        float most = fmaxf(m, s), fade = __expf(m - most), p = __expf(s - most); l = l * fade + p; acc.x = acc.x * fade + p * vf.x;
        acc.y = acc.y * fade + p * vf.y; m = most;
    }
    if (lane == 0) ms[warp] = m, ls[warp] = l; sums[warp][lane] = acc; __syncthreads(); if (warp != 0) return;
    float most = fmaxf(fmaxf(ms[0], ms[1]), fmaxf(ms[2], ms[3])), all = 0.0f; float2 r = make_float2(0.0f, 0.0f);
    for (int w = 0; w < 4; w++) {
        float f = __expf(ms[w] - most); all += f * ls[w]; r.x += f * sums[w][lane].x; r.y += f * sums[w][lane].y;
    }
    out[(b * heads + head) * 32 + lane] = make_float2(r.x / all, r.y / all);
}
// Rows sorted by expert times the expert's own matrix; tiles of 64x64 with 4x4 in the registers of a thread.
__global__ void __launch_bounds__(256) grouped_gemm(const float* A, const float* B, float* C, const int* row_begin, int N, int K) {
    __shared__ __align__(16) float As[16][68]; __shared__ __align__(16) float Bs[16][64];
    int row0 = row_begin[blockIdx.z] + blockIdx.y * 64, row_end = row_begin[blockIdx.z + 1], col0 = blockIdx.x * 64;
    if (row0 >= row_end) return; int tid = threadIdx.x, tx = tid % 16, ty = tid / 16, ar = tid / 4, ak = tid % 4 * 4;
    const float *a_row = A + (size_t)(row0 + ar) * K + ak, *b_row = B + ((size_t)blockIdx.z * K + ty) * N + col0 + tx * 4;
    float acc[4][4] = {};
    for (int k0 = 0; k0 < K; k0 += 16) {
        float4 a = make_float4(0, 0, 0, 0); if (row0 + ar < row_end) a = *reinterpret_cast<const float4*>(a_row + k0);
        As[ak][ar] = a.x; As[ak + 1][ar] = a.y; As[ak + 2][ar] = a.z; As[ak + 3][ar] = a.w;
        *reinterpret_cast<float4*>(&Bs[ty][tx * 4]) = *reinterpret_cast<const float4*>(b_row + (size_t)k0 * N);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            float4 u = *reinterpret_cast<const float4*>(&As[k][ty * 4]), v = *reinterpret_cast<const float4*>(&Bs[k][tx * 4]);
            float us[4] = {u.x, u.y, u.z, u.w}, vs[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++) acc[i][j] += us[i] * vs[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++) {
        int row = row0 + ty * 4 + i;
        if (row < row_end)
            *reinterpret_cast<float4*>(C + (size_t)row * N + col0 + tx * 4) = make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
    }
}
__global__ void gemv_int8(const int4* weight, const int4* x, const float* scale, float* y, int rows, int n16) {
    int row = blockIdx.x * blockDim.y + threadIdx.y, acc = 0; if (row >= rows) return;
#pragma unroll 4
    for (int k = threadIdx.x; k < n16; k += 32) {
        int4 w = weight[row * n16 + k], v = __ldg(x + k);
        acc = __dp4a(w.x, v.x, acc); acc = __dp4a(w.y, v.y, acc); acc = __dp4a(w.z, v.z, acc); acc = __dp4a(w.w, v.w, acc);
    }
    acc = __reduce_add_sync(0xffffffff, acc); if (threadIdx.x == 0) y[row] = scale[row] * acc;
}
// Depthwise 3x3 on NHWC halves, two channels a thread, summed in floats, then ReLU6.
__global__ void depthwise3x3(const __half2* in, const __half2* weight, __half2* out, int c2, int h, int w) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, x = blockIdx.y * blockDim.y + threadIdx.y, y = blockIdx.z % h, image = blockIdx.z / h;
    if (c >= c2 || x >= w) return; float2 sum = make_float2(0.0f, 0.0f);
    for (int ky = -1; ky <= 1; ky++) {
        if (y + ky < 0 || y + ky >= h) continue;
        for (int kx = -1; kx <= 1; kx++) {
            if (x + kx < 0 || x + kx >= w) continue; float2 a = __half22float2(in[((image * h + y + ky) * w + x + kx) * c2 + c]);
            float2 k = __half22float2(weight[(ky * 3 + kx + 4) * c2 + c]); sum.x += a.x * k.x; sum.y += a.y * k.y;
        }
    }
    sum.x = fminf(fmaxf(sum.x, 0.0f), 6.0f); sum.y = fminf(fmaxf(sum.y, 0.0f), 6.0f);
    out[((image * h + y) * w + x) * c2 + c] = __float22half2_rn(sum);
}
// ---- Hashes ----
__constant__ u32 sha_k[64], sha_iv[8];
__device__ __forceinline__ u32 ror(u32 x, int n) { return __funnelshift_r(x, x, n); }
__device__ void sha256_block(u32 h[8], u32 w[16]) {
    u32 s[8]; for (int i = 0; i < 8; i++) s[i] = h[i];
    for (int part = 0; part < 64; part += 16) {
#pragma unroll
        for (int i = 0; i < 16; i++) {
            if (part) {
                u32 a = w[(i + 1) & 15], b = w[(i + 14) & 15];
                w[i] += w[(i + 9) & 15] + (ror(a, 7) ^ ror(a, 18) ^ a >> 3) + (ror(b, 17) ^ ror(b, 19) ^ b >> 10);
            }
            u32 t1 = s[7] + (ror(s[4], 6) ^ ror(s[4], 11) ^ ror(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + sha_k[part + i] + w[i];
            u32 t2 = (ror(s[0], 2) ^ ror(s[0], 13) ^ ror(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            s[7] = s[6]; s[6] = s[5]; s[5] = s[4]; s[4] = s[3] + t1; s[3] = s[2]; s[2] = s[1]; s[1] = s[0]; s[0] = t1 + t2;
        }
    }
    for (int i = 0; i < 8; i++) h[i] += s[i];
}
// A level of a Merkle tree: SHA-256 of two children of 32 bytes, the second block being padding only.
__global__ void merkle_level(const uint4* __restrict__ child, uint4* __restrict__ parent, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; u32 h[8], w[16]; for (int k = 0; k < 8; k++) h[k] = sha_iv[k];
    for (int k = 0; k < 4; k++) {
        uint4 v = child[i * 4 + k]; w[4 * k] = __byte_perm(v.x, 0, 0x0123); w[4 * k + 1] = __byte_perm(v.y, 0, 0x0123);
        w[4 * k + 2] = __byte_perm(v.z, 0, 0x0123); w[4 * k + 3] = __byte_perm(v.w, 0, 0x0123);
    }
    sha256_block(h, w); for (int k = 0; k < 16; k++) w[k] = k == 0 ? 0x80000000u : k == 15 ? 512u : 0u; sha256_block(h, w);
    for (int k = 0; k < 8; k++) h[k] = __byte_perm(h[k], 0, 0x0123); parent[i * 2] = make_uint4(h[0], h[1], h[2], h[3]);
    parent[i * 2 + 1] = make_uint4(h[4], h[5], h[6], h[7]);
}
// ---- Genes ----
// A pair of sequences a block, a letter of the query a thread; the block moves along the diagonals and stores where each cell came from.
__global__ void smith_waterman(const u8* query, const u8* target, u8* trace, int* score, int target_len) {
    __shared__ int edge[2][129]; __shared__ u8 letters[256]; __shared__ int top;
    const int i = threadIdx.x, len = blockDim.x, pair = blockIdx.x, mine = query[pair * len + i] & 3;
    for (int j = i; j < target_len; j += len) letters[j] = target[pair * target_len + j] & 3; edge[0][i + 1] = edge[1][i + 1] = 0;
    if (i == 0) edge[0][0] = edge[1][0] = top = 0; __syncthreads(); int left = 0, diag = 0, best = 0, diagonals = len + target_len - 1;
    for (int s = 0; s < diagonals; s++) {
        int j = s - i; u8 from = 0;
        if (j >= 0 && j < target_len) {
            int up = edge[~s & 1][i], h = diag + (mine == letters[j] ? 5 : -3); from = 1; if (up - 4 > h) { h = up - 4; from = 2; }
            if (left - 4 > h) { h = left - 4; from = 3; } if (h <= 0) { h = 0; from = 0; }
            edge[s & 1][i + 1] = h; best = max(best, h); diag = up; left = h;
        }
        trace[(pair * diagonals + s) * len + i] = from; __syncthreads();
    }
    atomicMax(&top, best); __syncthreads(); if (i == 0) score[pair] = top;
}
// ---- Sparse matrices and small ones ---- Blocks of 4x4: half a warp has a row of blocks, a thread one number of each block.
__global__ void bsr_spmv(const int* begin, const int* column, const float* value, const float* x, float* y) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, row = t / 16, e = t & 15, to = begin[row + 1]; float sum = 0;
    for (int b = begin[row]; b < to; b++) sum += value[b * 16 + e] * __ldg(x + column[b] * 4 + (e & 3));
    sum += __shfl_xor_sync(0xffffffff, sum, 1); sum += __shfl_xor_sync(0xffffffff, sum, 2); if ((e & 3) == 0) y[row * 4 + e / 4] = sum;
}
// 4x4 by cofactors, the diagonal damped first.
__global__ void inverse4(const float4* __restrict__ in, float4* __restrict__ out, int n, float damp) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
    float4 a = in[4 * i], b = in[4 * i + 1], c = in[4 * i + 2], d = in[4 * i + 3]; a.x += damp; b.y += damp; c.z += damp; d.w += damp;
    float s0 = a.x * b.y - b.x * a.y, s1 = a.x * b.z - b.x * a.z, s2 = a.x * b.w - b.x * a.w;
    float s3 = a.y * b.z - b.y * a.z, s4 = a.y * b.w - b.y * a.w, s5 = a.z * b.w - b.z * a.w;
    float c5 = c.z * d.w - d.z * c.w, c4 = c.y * d.w - d.y * c.w, c3 = c.y * d.z - d.y * c.z;
    float c2 = c.x * d.w - d.x * c.w, c1 = c.x * d.z - d.x * c.z, c0 = c.x * d.y - d.x * c.y;
    float r = 1 / (s0 * c5 - s1 * c4 + s2 * c3 + s3 * c2 - s4 * c1 + s5 * c0);
    out[4 * i] = make_float4(r * (b.y * c5 - b.z * c4 + b.w * c3), r * (-a.y * c5 + a.z * c4 - a.w * c3),
                             r * (d.y * s5 - d.z * s4 + d.w * s3), r * (-c.y * s5 + c.z * s4 - c.w * s3));
    out[4 * i + 1] = make_float4(r * (-b.x * c5 + b.z * c2 - b.w * c1), r * (a.x * c5 - a.z * c2 + a.w * c1),
                                 r * (-d.x * s5 + d.z * s2 - d.w * s1), r * (c.x * s5 - c.z * s2 + c.w * s1));
    out[4 * i + 2] = make_float4(r * (b.x * c4 - b.y * c2 + b.w * c0), r * (-a.x * c4 + a.y * c2 - a.w * c0),
                                 r * (d.x * s4 - d.y * s2 + d.w * s0), r * (-c.x * s4 + c.y * s2 - c.w * s0));
    out[4 * i + 3] = make_float4(r * (-b.x * c3 + b.y * c1 - b.z * c0), r * (a.x * c3 - a.y * c1 + a.z * c0),
                                 r * (-d.x * s3 + d.y * s1 - d.z * s0), r * (c.x * s3 - c.y * s1 + c.z * s0));
}
// ---- Graphs ---- Distances of the last round are only read, so that the round's result does not hang on the order of the threads.
__global__ void sssp_relax(const int* frontier, const int* begin, const int* to, const int* weight, const int* dist, int* next,
                           u32* changed, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= count) return; int u = frontier[i], d = dist[u], last = begin[u + 1];
    for (int e = begin[u]; e < last; e++) {
        int v = to[e], far = d + weight[e]; if (far < dist[v] && atomicMin(&next[v], far) > far) atomicOr(&changed[v >> 5], 1u << (v & 31));
    }
}
// In how many triangles each edge lies: both ends' sorted lists are merged. Edges go from the smaller vertex to the larger.
__global__ void triangle_count(const int* __restrict__ begin, const int* from, const int* __restrict__ to, int* support, int edges) {
    for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < edges; e += gridDim.x * blockDim.x) {
        int u = from[e], v = to[e], i = begin[u], j = begin[v], iend = begin[u + 1], jend = begin[v + 1], count = 0;
        while (i < iend && j < jend) { int a = to[i], b = to[j]; count += a == b; i += a <= b; j += b <= a; } support[e] = count;
    }
}
// ---- Sorting and turning ----
// A stable pass by four bits: rank among the warp's equals by votes, then over the warps, then from the scanned counts of all blocks.
__global__ void radix_scatter(const u32* keys, const u32* values, const u32* offset, u32* keys_out, u32* values_out, int shift) {
    __shared__ u32 place[16][17]; const int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5, i = blockIdx.x * 512 + tid;
    if (tid < 16 * 17) place[tid / 17][tid % 17] = 0; u32 key = keys[i], digit = key >> shift & 15, peers = 0xffffffffu;
    for (int b = 0; b < 4; b++) { bool bit = digit >> b & 1; u32 vote = __ballot_sync(0xffffffff, bit); peers &= bit ? vote : ~vote; }
    u32 rank = __popc(peers & ((1u << lane) - 1)); __syncthreads(); if (rank == 0) place[warp][digit] = __popc(peers); __syncthreads();
    if (tid < 16) {
        u32 run = offset[tid * gridDim.x + blockIdx.x];
        for (int w = 0; w < 16; w++) { u32 count = place[w][tid]; place[w][tid] = run; run += count; }
    }
    __syncthreads(); u32 at = place[warp][digit] + rank; keys_out[at] = key; values_out[at] = values[i];
}
template <class T> __global__ void transpose_odd(const T* __restrict__ in, T* __restrict__ out, int w, int h) {
    __shared__ T tile[32][33]; in += blockIdx.z * w * h; out += blockIdx.z * w * h;
    int x = blockIdx.x * 32 + threadIdx.x, y0 = blockIdx.y * 32;
    for (int k = threadIdx.y; k < 32; k += blockDim.y) if (x < w && y0 + k < h) tile[k][threadIdx.x] = in[(y0 + k) * w + x];
    __syncthreads(); int y = y0 + threadIdx.x, x0 = blockIdx.x * 32;
    for (int k = threadIdx.y; k < 32; k += blockDim.y) if (y < h && x0 + k < w) out[(x0 + k) * h + y] = tile[threadIdx.x][k];
}
// ---- Host ----
std::vector<void*> owned;
void need(cudaError_t e) { if (e != cudaSuccess) { fprintf(stderr, "%s\n", cudaGetErrorString(e)); exit(1); } }
template <class T> T* room(size_t n, int byte = 0) {
    T* p = nullptr; need(cudaMalloc(&p, n * sizeof(T))); need(cudaMemset(p, byte, n * sizeof(T))); owned.push_back(p); return p;
}
template <class T> T* sent(const std::vector<T>& v) {
    T* p = nullptr; need(cudaMalloc(&p, v.size() * sizeof(T))); need(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    owned.push_back(p); return p;
}
template <class T, class F> T* made(size_t n, F f) {
    std::vector<T> v(n); for (size_t i = 0; i < n; i++) v[i] = (T)f((u32)i); return sent(v);
}
// Places count by a weight, except where they hang on the order of the threads: there squares are summed.
template <class T> void show(const char* name, const T* p, size_t n, bool anywhere = false) {
    std::vector<T> v(n); double sum = 0; need(cudaGetLastError()); need(cudaDeviceSynchronize());
    need(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++) sum += (double)v[i] * (anywhere ? (double)v[i] : (double)(i % 7 + 1)); printf("%s %.7g\n", name, sum);
}
#define CASE(out, n, kernel, ...) kernel __VA_ARGS__; show(#kernel, out, n)
#define CASE_ANYWHERE(out, n, kernel, ...) kernel __VA_ARGS__; show(#kernel, out, n, true)

int main() {
    const int M = 1 << 20, NONE = 5000; auto unit = [](u32 i) { return (float)(hash32(i) >> 8) * 0x1p-24f; };
    // Pools: a is only read, c is only for results, d is worked on in place.
    float *a = made<float>(16 * M, unit), *c = room<float>(16 * M), *d = made<float>(14 * M, [&](u32 i) { return 0.2f * unit(~i); });
    u32* words = made<u32>(12 * M, [](u32 i) { return hash32(i + 12345); }); u8* bytes = (u8*)words; std::vector<__half> small(4096);
    for (int i = 0; i < 4096; i++) small[i] = __float2half(i / 2048.0f - 1);
    __half* halves = made<__half>(16 * M, [&](u32 i) { return small[hash32(i + 99) >> 20]; });
    // Video and sound
    u8* frame = made<u8>(3840 * 2160, [](u32 i) {
        u32 x = i % 3840, y = i / 3840; return 96 + (hash32(y / 8 * 480 + x / 8) & 31) + (hash32(i) & 3); });
    float* coef = made<float>(5 * 16384, [&](u32 i) {
        u32 k = i / 16384; return k == 1 ? 0.2f : k < 3 ? 0.1f : k == 3 ? -1.0f - 0.5f * unit(i) : 0.6f + 0.2f * unit(i); });
    float* bank = made<float>(160 * 24, [](u32 i) {
        float t = 3.1415927f * (i % 24 - 11.0f - (i / 24) / 160.0f); return (fabsf(t) < 1e-4f ? 1 : sinf(t) / t) / 12; });
    float* hann = made<float>(512, [](u32 i) { return 0.5f - 0.5f * cosf(6.2831853f * i / 512); });
    float2* twiddle = made<float2>(256, [](u32 i) { return make_float2(cosf(6.2831853f * i / 512), -sinf(6.2831853f * i / 512)); });
    // Robots and maps
    float3* cloud = made<float3>(1500000, [&](u32 i) {
        float x = i % 1500 * 0.1f + 0.1f * unit(i), y = i / 1500 * 0.15f + 0.1f * unit(i + 7 * M);
        return make_float3(x, y, 5 + 3 * sinf(0.11f * x) * cosf(0.07f * y) + 0.3f * unit(i + 9 * M)); });
    u32* voxels = room<u32>(1 << 19, 0xff); int *hits = room<int>(1 << 19), *top = room<int>(1 << 19);
    u8* grid = made<u8>(2048 * 2048, [](u32 i) { return hash32(i + 3) % 150 == 0 || (i >> 11) % 512 == 0 ? 1 : 0; });
    float4* pose = made<float4>(1024, [&](u32 i) {
        float t = 6.2831853f * unit(i); return make_float4(64 + 1900 * unit(i + 5000), 64 + 1900 * unit(i + 9000), cosf(t), sinf(t)); });
    float2* beams = made<float2>(180, [](u32 i) { return make_float2(cosf(0.026f * i - 2.3f), sinf(0.026f * i - 2.3f)); });
    std::vector<uint4> triangles; std::vector<std::vector<int>> bins(64 * 40);
    for (u32 i = 0; i < 8000; i++) {
        int x[3], y[3];
        for (u32 k = 0; k < 3; k++) {
            x[k] = (int)(hash32(i * 8) % 1024 + hash32(i * 8 + k + 2) % 48) - 24;
            y[k] = (int)(hash32(i * 8 + 1) % 640 + hash32(i * 8 + k + 5) % 48) - 24;
        }
        if ((x[1] - x[0]) * (y[2] - y[0]) < (y[1] - y[0]) * (x[2] - x[0])) std::swap(x[1], x[2]), std::swap(y[1], y[2]);
        auto both = [&](int k) { return (u32)(u16)y[k] << 16 | (u16)x[k]; };
        triangles.push_back(make_uint4(both(0), both(1), both(2), hash32(i + 70000) << 16 | i));
        for (int v = std::max(std::min({y[0], y[1], y[2]}), 0) / 16; v <= std::min(std::max({y[0], y[1], y[2]}), 639) / 16; v++)
            for (int u = std::max(std::min({x[0], x[1], x[2]}), 0) / 16; u <= std::min(std::max({x[0], x[1], x[2]}), 1023) / 16; u++)
                bins[v * 64 + u].push_back(i);
    }
    std::vector<int> first(1, 0), list;
    for (auto& b : bins) { list.insert(list.end(), b.begin(), b.end()); first.push_back((int)list.size()); }
    uint4* shapes = sent(triangles); int *shape_list = sent(list), *shape_first = sent(first);
    float2* places = made<float2>(131072, [&](u32 i) { return make_float2(2.4f * unit(i) - 1.2f, 6.2f * unit(i + M) - 3.1f); });
    float4* stations = made<float4>(192, [&](u32 i) {
        float l = 2.4f * unit(i + 44) - 1.2f; return make_float4(l, 6.2f * unit(i + 555) - 3.1f, cosf(l), 1); });
    // Shops and tables
    int2* rated = made<int2>(49152, [](u32 i) { return make_int2(i * 40503 & 65535, (i * 25173 + 13) & 65535); });
    std::vector<uint2> table(M, make_uint2(0, 0));
    for (u32 i = 1; i <= 500000; i++) {
        u32 key = hash32(i), slot = key * 2654435761u >> 12; while (table[slot].x) slot = (slot + 1) & (M - 1);
        table[slot] = make_uint2(key, i);
    }
    uint2* joined = sent(table); u32* wanted = made<u32>(3 * M, [](u32 i) { return hash32(hash32(i + 31) % 800000 + 1); });
    std::vector<int> offset(1, 0); for (u32 i = 0; i < 262144; i++) offset.push_back(offset.back() + 8 + hash32(i + 8) % 33);
    char* text = made<char>(offset.back(), [](u32 i) { return "aabcdefg"[hash32(i + 17) >> 29]; }); int* offsets = sent(offset);
    u16* codes = made<u16>(3 * M, [](u32 i) { u32 r = hash32(i + 23); return r & 1 ? r >> 16 & 255 : (r >> 8) % 20000; });
    u32* valid = made<u32>(3 * M / 32, [](u32 i) { return hash32(i) | hash32(i + 1000) | hash32(i + 2000); });
    int* bases = made<int>(8192, [](u32 i) { return (int)(hash32(i) & 0xffffff); });
    // Physics, chemistry, inference
    u8* solid = made<u8>(1024 * 768, [](u32 i) {
        int x = i % 1024, y = i / 1024; return y == 0 || y == 767 || (x - 250) * (x - 250) + (y - 380) * (y - 380) < 3600; });
    const int particles = 131072, side = 32;
    std::vector<float4> fluid(particles), sorted(particles); std::vector<int> start(side * side * side + 1, 0), cell(particles);
    for (int i = 0; i < particles; i++) {
        fluid[i] = make_float4(unit(4 * i), unit(4 * i + 1), unit(4 * i + 2), 0.5f + unit(4 * i + 3));
        start[(cell[i] = ((int)(fluid[i].z * side) * side + (int)(fluid[i].y * side)) * side + (int)(fluid[i].x * side)) + 1]++;
    }
    for (int k = 0; k < side * side * side; k++) start[k + 1] += start[k]; std::vector<int> fill = start;
    for (int i = 0; i < particles; i++) sorted[fill[cell[i]]++] = fluid[i]; float4* drops = sent(sorted); int* cells = sent(start);
    auto knot = [&](u32 i) {
        u32 x = i & 1023, y = i >> 10;
        return make_float4(0.01f * x + 0.002f * unit(i), 0.01f * y + 0.002f * unit(i + M), 0.002f * unit(i + 2 * M), y ? 1.0f : 0.0f); };
    float4 *sheet = made<float4>(M, knot), *before = made<float4>(M, [&](u32 i) { float4 p = knot(i); p.y += 0.0003f; return p; });
    int* near = made<int>(48 * 65536, [](u32 i) { return (int)((i % 65536 + 1 + hash32(i) % 2048) & 65535); });
    float2* lj = made<float2>(16, [](u32 i) { return make_float2(0.01f + 0.001f * (i / 4 + i % 4), 0.5f + 0.1f * (i / 4) * (i % 4)); });
    float* paths = made<float>(1024, [](u32 i) { return -4 * logf((i + 0.5f) / 1024); });
    float4* ways = made<float4>(4096, [&](u32 i) {
        float z = 2 * unit(i) - 1, t = 6.283185f * unit(i + 5000), r = sqrtf(1 - z * z);
        return make_float4(r * cosf(t), r * sinf(t), z, 0); });
    u32* tally = room<u32>(128 * 128 * 128); int* pages = made<int>(16 * 32, [](u32 i) { return (int)(i * 205 & 511); });
    int* lengths = made<int>(16, [](u32 i) { return (int)(200 + hash32(i) % 313); });
    int total = 0; int* experts = made<int>(9, [&](u32 i) { int was = total; total += 130 + hash32(i) % 200; return was; });
    total -= 130 + hash32(8) % 200;
    // Hashes, graphs, sorting
    u32 k256[64], iv[8]; int primes = 0;
    for (int p = 2; primes < 64; p++) {
        bool prime = true; for (int q = 2; q * q <= p; q++) prime &= p % q != 0; if (!prime) continue;
        long double root = cbrtl(p), square = sqrtl(p); if (primes < 8) iv[primes] = (u32)((square - floorl(square)) * 4294967296.0L);
        k256[primes++] = (u32)((root - floorl(root)) * 4294967296.0L);
    }
    need(cudaMemcpyToSymbol(sha_k, k256, sizeof k256)); need(cudaMemcpyToSymbol(sha_iv, iv, sizeof iv));
    int at = 0; int* block_begin = made<int>(32769, [&](u32 i) { int was = at; at += 2 + hash32(i + 5) % 13; return was; });
    int* block_column = made<int>(at, [](u32 e) { u32 r = hash32(e); return (int)((r & 3 ? e / 8 + r / 4 % 512 : r / 4) & 32767); });
    const int vertices = 524288; std::vector<int> begin(1, 0), dist(vertices), frontier;
    for (u32 v = 0; v < vertices; v++) {
        begin.push_back(begin.back() + 1 + hash32(v + 6) % 15); dist[v] = hash32(v + 60) % 5 < 3 ? hash32(v + 61) % 1000 : NONE;
        if (dist[v] < 600) frontier.push_back(v);
    }
    int *road_begin = sent(begin), *road_to = made<int>(begin.back(), [](u32 e) {
        u32 r = hash32(e + 11); return (int)((r % 3 ? e / 8 + r / 4 % 4096 : r / 4) & (vertices - 1)); });
    int *road_weight = made<int>(begin.back(), [](u32 e) { return (int)(1 + hash32(e + 13) % 100); });
    int *known = sent(dist), *better = sent(dist), *active = sent(frontier), active_count = (int)frontier.size();
    u32* changed = room<u32>(vertices / 32); std::vector<int> tri_begin(1, 0), tri_from, tri_to;
    for (int v = 0; v < 65536; v++) {
        int t = v;
        for (int k = 4 + hash32(v + 71) % 17; k > 0; k--) {
            u32 r = hash32(v * 32 + k); t += r % 16 ? 1 + r / 16 % 6 : 1 + r / 16 % 1000;
            if (t < 65536) { tri_from.push_back(v); tri_to.push_back(t); }
        }
        tri_begin.push_back((int)tri_to.size());
    }
    int *pair_begin = sent(tri_begin), *pair_from = sent(tri_from), *pair_to = sent(tri_to), edges = (int)tri_to.size();
    const int radix_blocks = 4096; std::vector<u32> counts(16 * radix_blocks, 0);
    for (u32 i = 0; i < 512 * radix_blocks; i++) counts[(hash32(i + 12345) >> 8 & 15) * radix_blocks + i / 512]++;
    u32 run = 0; for (u32& n : counts) { u32 was = n; n = run; run += was; }
    u32* scanned = sent(counts);
    CASE((u32*)c, 60 * 34, motion_search, <<<dim3(60, 34), 256>>>(bytes, bytes + 2 * 960 - 3, (u32*)c, 960, 544));
    CASE(frame, 3840 * 2160, deblock_edges, <<<dim3(15, 270), dim3(32, 8)>>>((uchar4*)frame, 960, 479, 2160, 24, 10, 4));
    CASE((u8*)c, 3 * 3840 * 2160, nv12_to_rgb, <<<dim3(60, 270), dim3(32, 4)>>>(bytes, (uchar2*)(bytes + 3840 * 2160), (u8*)c, 3840, 2160));
    CASE(c, 16384 * 256, biquad_bank, <<<256, 64>>>(a, c, coef, 16384, 256));
    CASE(c, 8 * 144000, resample_polyphase, <<<dim3(48, 8), 256, 160 * 25 * sizeof(float)>>>(a, bank, c, 132324, 144000));
    CASE(c, 4096 * 256, stft_power<9>, <<<4096, 256>>>(a, hann, twiddle, c, 256));
    CASE_ANYWHERE(hits, 1 << 19, voxel_insert, <<<5860, 256>>>(cloud, voxels, hits, top, 1500000, 2.5f, (1 << 19) - 1));
    CASE((u16*)c, 1024 * 180, ray_cast_grid, <<<1024, 192>>>(grid, pose, beams, (u16*)c, 2048, 180, 300));
    CASE((u32*)c, 1024 * 640, raster_tiles, <<<dim3(64, 40), dim3(16, 16)>>>(shapes, shape_list, shape_first, (u32*)c));
    CASE(c, 131072, haversine_nearest, <<<1024, 128>>>(places, stations, c, 131072, 192));
    CASE(d + 6 * M, 8 * M, factor_update, <<<12288, 128>>>(rated, a, (float2*)(d + 6 * M), (float2*)(d + 10 * M), 49152, 0.05f, 0.02f));
    CASE((int*)c, 1024 * 8, topk_rows<16>, <<<1024, 256>>>(a, (int*)c, 8));
    CASE((u32*)c, 3 * M, join_probe, <<<12288, 256>>>(wanted, joined, (u32*)c, 3 * M, M - 1));
    CASE((int*)c, 262144, like_scan, <<<2731, 96>>>(text, offsets, (int*)c, 262144, 4));
    CASE((u32*)c, 12 * M, dict_decode, <<<528, 512>>>(codes, valid, (int4*)words, (int4*)c, 3 * M));
    CASE((int*)c, 8 * M, delta_decode, <<<8192, 256>>>((uchar4*)words, bases, (int4*)c));
    CASE(c, 9 * 1024 * 768, lbm_d2q9, <<<dim3(8, 768), 128>>>(a, c, solid, 1024, 768, 1.2f));
    CASE(c, particles, sph_density, <<<particles / 128, 128>>>(drops, cells, c, particles, side, 1.0f / (side * side)));
    CASE(c, 4 * M, cloth_step, <<<dim3(32, 128), dim3(32, 8)>>>(sheet, before, (float4*)c, 1024, 1024, 900, 1e-4f));
    CASE(d, 260 * 196 * 100, wave3d, <<<dim3(8, 24, 4), dim3(32, 8)>>>(a, d, a + 6 * M, 260, 196, 24, 0.1f));
    CASE(c, 4 * 65536, pair_list_forces, <<<1024, 64>>>((float4*)a, near, lj, (float4*)c, 65536, 48, 0.25f));
    CASE(tally, 128 * 128 * 128, photon_walk, <<<768, 256>>>(paths, ways, tally, 196608, 128));
    CASE(c, 16 * 16 * 64, kv_decode, <<<dim3(16, 16), 128>>>((__half2*)halves, (__half2*)halves, pages, lengths, (float2*)c, 32));
    CASE(c, total * 512, grouped_gemm, <<<dim3(8, 6, 8), 256>>>(a, a + 2 * M, c, experts, 512, 192));
    CASE(c, 11008, gemv_int8, <<<2752, dim3(32, 4)>>>((int4*)words, (int4*)words + 77, a, c, 11008, 256));
    CASE((u16*)c, 8 * 56 * 56 * 192, depthwise3x3,
         <<<dim3(3, 8, 8 * 56), dim3(32, 7)>>>((__half2*)halves, (__half2*)halves + 6 * M, (__half2*)c, 96, 56, 56));
    CASE((u32*)c, 8 * 65536, merkle_level, <<<512, 128>>>((uint4*)words, (uint4*)c, 65536));
    CASE((u8*)c, 384 * (319 * 128 + 4), smith_waterman, <<<384, 128>>>(bytes, bytes + M, (u8*)c, (int*)((u8*)c + 384 * 319 * 128), 192));
    CASE(c, 4 * 32768, bsr_spmv, <<<4096, 128>>>(block_begin, block_column, a, a + 8 * M, c));
    CASE(c, 8 * M, inverse4, <<<4096, 128>>>((float4*)a, (float4*)c, M / 2, 2));
    CASE(better, vertices, sssp_relax, <<<(active_count + 255) / 256, 256>>>(active, road_begin, road_to, road_weight, known, better,
         changed, active_count));
    CASE((int*)c, edges, triangle_count, <<<528, 384>>>(pair_begin, pair_from, pair_to, (int*)c, edges));
    CASE((u32*)c, 4 * M, radix_scatter, <<<radix_blocks, 512>>>(words, words + 3 * M, scanned, (u32*)c, (u32*)c + 2 * M, 8));
    CASE((u16*)c, 5 * 1201 * 1023, transpose_odd<u16>, <<<dim3(38, 32, 5), dim3(32, 16)>>>((u16*)words, (u16*)c, 1201, 1023));
    puts("PASS services");
    for (void* p : owned) cudaFree(p); return 0;
}
