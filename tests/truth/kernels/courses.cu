// Kernels as courses, benchmarks and small applications have them, on 1 to 200 MB, written before their order of pipes,
// rows of device memory, joined stores and atomics' ways stood in the models, and measured after.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

using u8 = unsigned char;
using u32 = unsigned;

// ---- Images ----
__global__ void gray(const u8* rgb, u8* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (u8)((rgb[3 * i] * 77 + rgb[3 * i + 1] * 151 + rgb[3 * i + 2] * 28) >> 8);
}
__global__ void blur(const u8* in, u8* out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int sum = 0, n = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int u = x + dx, v = y + dy;
            if (u >= 0 && u < w && v >= 0 && v < h) sum += in[v * w + u], n++;
        }
    out[y * w + x] = (u8)(sum / n);
}
__global__ void sobel(const float* in, float* out, int w, int h) {
    __shared__ float t[18][18];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int i = threadIdx.y * 16 + threadIdx.x; i < 324; i += 256) {
        int u = blockIdx.x * 16 + i % 18 - 1, v = blockIdx.y * 16 + i / 18 - 1;
        u = min(max(u, 0), w - 1), v = min(max(v, 0), h - 1);
        t[i / 18][i % 18] = in[v * w + u];
    }
    __syncthreads();
    int a = threadIdx.x, b = threadIdx.y;
    float gx = t[b][a + 2] + 2 * t[b + 1][a + 2] + t[b + 2][a + 2] - t[b][a] - 2 * t[b + 1][a] - t[b + 2][a];
    float gy = t[b + 2][a] + 2 * t[b + 2][a + 1] + t[b + 2][a + 2] - t[b][a] - 2 * t[b][a + 1] - t[b][a + 2];
    if (x < w && y < h) out[y * w + x] = sqrtf(gx * gx + gy * gy);
}
__global__ void rotate(const float* in, float* out, int n) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    out[x * n + (n - 1 - y)] = in[y * n + x];
}
__global__ void scale_up(const float* in, float* out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    float fx = x * 0.5f, fy = y * 0.5f;
    int u = min((int)fx, w - 2), v = min((int)fy, h - 2);
    float a = fx - u, b = fy - v;
    const float* p = in + v * w + u;
    out[y * 2 * w + x] = (1 - b) * ((1 - a) * p[0] + a * p[1]) + b * ((1 - a) * p[w] + a * p[w + 1]);
}
__global__ void bins_of_image(const u8* in, u32* bins, int n) {
    __shared__ u32 mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[in[i]], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

// ---- Vectors and matrices ----
__global__ void axpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void axpy_f64(double a, const double* x, double* y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];
}
__global__ void dot(const float* x, const float* y, float* out, int n) {
    __shared__ float s[256];
    float v = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) v += x[i] * y[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int d = 128; d; d /= 2) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(out, s[0]);
}
__global__ void matvec_by_thread(const float* m, const float* x, float* y, int rows, int columns) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    if (r < rows)
        for (int c = 0; c < columns; c++) v += m[r * columns + c] * x[c];
    if (r < rows) y[r] = v;
}
__global__ void row_sums(const float* m, float* out, int columns) {
    float v = 0;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) v += m[blockIdx.x * columns + c];
    for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
    __shared__ float s[8];
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        v = 0;
        for (int i = 0; i < 8; i++) v += s[i];
        out[blockIdx.x] = v;
    }
}
__global__ void column_sums(const float* m, float* out, int rows, int columns) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    float v = 0;
    for (int r = blockIdx.y * 64; r < blockIdx.y * 64 + 64; r++) v += m[r * columns + c];
    atomicAdd(&out[c], v);
}
__global__ void transpose_naive(const float* in, float* out, int n) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[x * n + y + j] = in[(y + j) * n + x];
}
__global__ void product(const float* a, const float* b, float* c, int n) {
    __shared__ float s[16][16], t[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    float v = 0;
    for (int k = 0; k < n; k += 16) {
        s[y][x] = a[row * n + k + x];
        t[y][x] = b[(k + y) * n + column];
        __syncthreads();
        for (int i = 0; i < 16; i++) v += s[y][i] * t[i][x];
        __syncthreads();
    }
    c[row * n + column] = v;
}
__global__ void floyd_step(float* d, int n, int k) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    float through = d[y * n + k] + d[k * n + x];
    if (through < d[y * n + x]) d[y * n + x] = through;
}
__global__ void eliminate(float* m, int n, int k) {
    int x = blockIdx.x * blockDim.x + threadIdx.x + k, y = blockIdx.y + k + 1;
    if (x < n && y < n) m[y * n + x] -= m[y * n + k] / m[k * n + k] * m[k * n + x];
}

// ---- Particles, options, fields ----
struct Body {
    float x, y, z, vx, vy, vz, mass;
};
__global__ void move_bodies(Body* b, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    b[i].x += b[i].vx * dt;
    b[i].y += b[i].vy * dt;
    b[i].z += b[i].vz * dt;
}
__global__ void deposit(const float4* at, float* grid, int n, int side) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 p = at[i];
    int x = (int)(p.x * side), y = (int)(p.y * side);
    atomicAdd(&grid[y * side + x], p.w);
}
__global__ void black_scholes(const float* price, const float* strike, const float* years, float* call, float* put, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = price[i], x = strike[i] + 0.1f, t = years[i] + 0.1f, root = sqrtf(t);
    float d1 = (__logf(s / x + 0.1f) + (0.02f + 0.045f) * t) / (0.3f * root), d2 = d1 - 0.3f * root;
    float n1 = 1 / (1 + __expf(-1.6f * d1)), n2 = 1 / (1 + __expf(-1.6f * d2)), e = __expf(-0.02f * t);
    call[i] = s * n1 - x * e * n2;
    put[i] = x * e * (1 - n2) - s * (1 - n1);
}
__global__ void wave(const float* now, const float* before, float* after, int n) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x == 0 || y == 0 || x >= n - 1 || y >= n - 1) return;
    int i = y * n + x;
    after[i] = 2 * now[i] - before[i] + 0.1f * (now[i - 1] + now[i + 1] + now[i - n] + now[i + n] - 4 * now[i]);
}
__global__ void heat3d(const float* in, float* out, int n) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x == 0 || y == 0 || x >= n - 1 || y >= n - 1) return;
    float below = in[y * n + x], here = in[(n + y) * n + x];
    for (int z = 1; z < n - 1; z++) {
        float above = in[((z + 1) * n + y) * n + x];
        int i = (z * n + y) * n + x;
        out[i] = here + 0.1f * (below + above + in[i - 1] + in[i + 1] + in[i - n] + in[i + n] - 6 * here);
        below = here, here = above;
    }
}

// ---- Tables, strings, graphs ----
__global__ void join(const u32* keys, const u32* table, u32* out, int n, u32 mask) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u32 k = keys[i], at = k * 2654435761u & mask;
    for (int step = 0; step < 8; step++) {
        u32 found = table[2 * at];
        if (found == k || found == 0) break;
        at = at + 1 & mask;
    }
    out[i] = table[2 * at + 1];
}
__global__ void matches(const u8* text, const u8* word, u32* count, int n, int length) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool same = i + length <= n;
    for (int k = 0; same && k < length; k++) same = text[i + k] == word[k];
    if (same) atomicAdd(count, 1);
}
__global__ void bfs_level(const int* begin, const int* to, int* level, int* changed, int n, int now) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || level[v] != now) return;
    for (int e = begin[v]; e < begin[v + 1]; e++)
        if (level[to[e]] < 0) level[to[e]] = now + 1, *changed = 1;
}
__global__ void degree_of_columns(const int* columns, int* degree, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&degree[columns[i]], 1);
}
__global__ void spmv_warp(const int* begin, const int* column, const float* value, const float* x, float* y, int rows) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float v = 0;
    for (int e = begin[row] + lane; e < begin[row + 1]; e += 32) v += value[e] * x[column[e]];
    for (int d = 16; d; d /= 2) v += __shfl_xor_sync(~0u, v, d);
    if (lane == 0) y[row] = v;
}
__global__ void bitonic_step(u32* v, int j, int k) {
    u32 i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ j;
    if (other > i) {
        u32 a = v[i], b = v[other];
        if (((i & k) == 0) == (a > b)) v[i] = b, v[other] = a;
    }
}

// ---- Learning ----
__global__ void softmax_rows(const float* in, float* out, int columns) {
    const float* row = in + (size_t)blockIdx.x * columns;
    __shared__ float s[8];
    float top = -1e30f, sum = 0;
    for (int c = threadIdx.x; c < columns; c += 256) top = fmaxf(top, row[c]);
    for (int d = 16; d; d /= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, d));
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = top;
    __syncthreads();
    for (int i = 0; i < 8; i++) top = fmaxf(top, s[i]);
    __syncthreads();
    for (int c = threadIdx.x; c < columns; c += 256) sum += __expf(row[c] - top);
    for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int i = 0; i < 8; i++) sum += s[i];
    for (int c = threadIdx.x; c < columns; c += 256) out[(size_t)blockIdx.x * columns + c] = __expf(row[c] - top) / sum;
}
__global__ void adam(float* w, const float* g, float* m, float* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float a = 0.9f * m[i] + 0.1f * g[i], b = 0.999f * v[i] + 0.001f * g[i] * g[i];
    m[i] = a, v[i] = b;
    w[i] -= 0.001f * a / (sqrtf(b) + 1e-8f);
}
__global__ void quantize(const float4* in, char4* out, int n, float scale) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 v = in[i];
    out[i] = make_char4((signed char)rintf(v.x * scale), (signed char)rintf(v.y * scale), (signed char)rintf(v.z * scale),
                        (signed char)rintf(v.w * scale));
}
__global__ void nearest(const float* points, const float* centres, int* which, int n, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float best = 1e30f;
    int at = 0;
    for (int c = 0; c < k; c++) {
        float d = 0;
        for (int j = 0; j < 4; j++) {
            float e = points[j * n + i] - centres[c * 4 + j];
            d += e * e;
        }
        if (d < best) best = d, at = c;
    }
    which[i] = at;
}
__global__ void dropout_mask(float* v, u32 seed, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u32 x = i * 747796405u + seed;
    x = ((x >> (x >> 28) + 4) ^ x) * 277803737u;
    if ((x >> 22 ^ x) & 1) v[i] = 0;
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
    u32 state = 11;
    auto next = [&] {
        state = state * 1664525u + 1013904223u;
        return state >> 4;
    };
    std::vector<float> floats(16 * kMillion);
    for (float& v : floats) v = (next() >> 4) * 0x1p-24f;
    std::vector<u8> bytes(24 * kMillion);
    for (u8& v : bytes) v = next() >> 8;
    float *a = sent(floats), *b = sent(floats), *c = buffer<float>(16 * kMillion), *d = buffer<float>(16 * kMillion);
    u8 *image = sent(bytes), *other = buffer<u8>(24 * kMillion);
    u32* counts = buffer<u32>(kMillion);

    gray<<<8 * kMillion / 256, 256>>>(image, other, 8 * kMillion);
    blur<<<dim3(2048 / 16, 2048 / 16), dim3(16, 16)>>>(image, other, 2048, 2048);
    sobel<<<dim3(128, 128), dim3(16, 16)>>>(a, c, 2048, 2048);
    rotate<<<dim3(64, 256), dim3(32, 8)>>>(a, c, 2048);
    scale_up<<<dim3(4096 / 256, 2048), 256>>>(a, c, 2048, 1024);
    bins_of_image<<<512, 256>>>(image, counts, 16 * kMillion);

    axpy<<<16 * kMillion / 256, 256>>>(2, a, c, 16 * kMillion);
    axpy_f64<<<1056, 256>>>(2, (double*)a, (double*)c, 8 * kMillion);
    dot<<<512, 256>>>(a, b, c, 8 * kMillion);
    matvec_by_thread<<<32, 128>>>(a, b, c, 4096, 2048);
    row_sums<<<4096, 256>>>(a, c, 4096);
    column_sums<<<dim3(4096 / 256, 64), 256>>>(a, c, 4096, 4096);
    transpose_naive<<<dim3(64, 64), dim3(32, 8)>>>(a, c, 2048);
    product<<<dim3(48, 48), dim3(16, 16)>>>(a, b, c, 768);
    floyd_step<<<dim3(8, 2048), 256>>>(c, 2048, 100);
    eliminate<<<dim3(8, 1900), 256>>>(c, 2048, 148);

    move_bodies<<<2 * kMillion / 256, 256>>>((Body*)c, 2 * kMillion, 0.1f);
    deposit<<<2 * kMillion / 256, 256>>>((const float4*)a, d, 2 * kMillion, 1024);
    black_scholes<<<4 * kMillion / 128, 128>>>(a, b, a + 4 * kMillion, c, d, 4 * kMillion);
    wave<<<dim3(96, 384), dim3(32, 8)>>>(a, b, c, 3072);
    heat3d<<<dim3(7, 28), dim3(32, 8)>>>(a, c, 224);

    std::vector<u32> keys(4 * kMillion), table(4 * kMillion, 0);
    for (int i = 0; i < kMillion; i++) {
        u32 k = next() | 1, at = k * 2654435761u & (2 * kMillion - 1);
        while (table[2 * at]) at = at + 1 & (2 * kMillion - 1);
        table[2 * at] = k, table[2 * at + 1] = i;
        keys[i] = k;
    }
    for (int i = kMillion; i < 4 * kMillion; i++) keys[i] = next() % 4 ? keys[next() % kMillion] : (next() | 1);
    u32 *k = sent(keys), *t = sent(table), *found = buffer<u32>(4 * kMillion);
    join<<<4 * kMillion / 256, 256>>>(k, t, found, 4 * kMillion, 2 * kMillion - 1);
    u8* word = sent(std::vector<u8>(bytes.begin() + 5000, bytes.begin() + 5008));
    matches<<<16 * kMillion / 256, 256>>>(image, word, counts, 16 * kMillion, 8);

    const int n = 1 << 19;
    std::vector<int> begin(n + 1), to, levels(n, -1);
    for (int v = 0; v < n; v++) {
        begin[v] = (int)to.size();
        for (int e = 1 + next() % 15; e > 0; e--) to.push_back(next() % n);
        if (next() % 4 == 0) levels[v] = 3;
    }
    begin[n] = (int)to.size();
    int *rows = sent(begin), *ends = sent(to), *level = sent(levels), *changed = buffer<int>(n);
    bfs_level<<<n / 256, 256>>>(rows, ends, level, changed, n, 3);
    degree_of_columns<<<((int)to.size() + 255) / 256, 256>>>(ends, changed, (int)to.size());
    spmv_warp<<<n / 8, 256>>>(rows, ends, a, b, c, n);
    bitonic_step<<<4 * kMillion / 256, 256>>>(found, 1 << 15, 1 << 18);
    bitonic_step<<<4 * kMillion / 256, 256>>>(found, 4, 1 << 18);

    softmax_rows<<<4096, 256>>>(a, c, 2048);
    adam<<<8 * kMillion / 256, 256>>>(a, b, c, d, 8 * kMillion);
    quantize<<<4 * kMillion / 256, 256>>>((const float4*)a, (char4*)other, 4 * kMillion, 100);
    nearest<<<2 * kMillion / 256, 256>>>(a, b, (int*)c, 2 * kMillion, 16);
    dropout_mask<<<16 * kMillion / 256, 256>>>(c, 5, 16 * kMillion);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    puts("PASS courses");
    return 0;
}
