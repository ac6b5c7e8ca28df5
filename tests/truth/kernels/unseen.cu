// Kernels of many kinds, written and measured when the models of caches and time stood, to see how far these carry.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
#define N (1 << 20)
__global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void saxpy4(int n, float a, const float4* x, float4* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 u = x[i], v = y[i];
        v.x += a * u.x;
        v.y += a * u.y;
        v.z += a * u.z;
        v.w += a * u.w;
        y[i] = v;
    }
}
__global__ void block_sum(const float* x, float* o, int n) {
    __shared__ float s[256];
    float v = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) v += x[i];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int k = 128; k; k >>= 1) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (!threadIdx.x) o[blockIdx.x] = s[0];
}
__global__ void warp_sum(const float* x, float* o, int n) {
    float v = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) v += x[i];
    for (int d = 16; d; d >>= 1) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) atomicAdd(o, v);
}
__global__ void scan_block(const int* x, int* o) {
    __shared__ int s[2][512];
    int t = threadIdx.x, w = 0;
    s[0][t] = x[blockIdx.x * 512 + t];
    __syncthreads();
    for (int d = 1; d < 512; d <<= 1) {
        s[1 - w][t] = s[w][t] + (t >= d ? s[w][t - d] : 0);
        w = 1 - w;
        __syncthreads();
    }
    o[blockIdx.x * 512 + t] = s[w][t];
}
__global__ void hist(const unsigned char* x, int* h, int n) {
    __shared__ int s[256];
    s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&s[x[i]], 1);
    __syncthreads();
    atomicAdd(&h[threadIdx.x], s[threadIdx.x]);
}
__global__ void spmv(const int* rp, const int* ci, const float* v, const float* x, float* y, int n) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n) {
        float s = 0;
        for (int k = rp[r]; k < rp[r + 1]; k++) s += v[k] * x[ci[k]];
        y[r] = s;
    }
}
__global__ void spmv_warp(const int* rp, const int* ci, const float* v, const float* x, float* y, int n) {
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, l = threadIdx.x % 32;
    if (r < n) {
        float s = 0;
        for (int k = rp[r] + l; k < rp[r + 1]; k += 32) s += v[k] * x[ci[k]];
        for (int d = 16; d; d >>= 1) s += __shfl_down_sync(~0u, s, d);
        if (!l) y[r] = s;
    }
}
__global__ void stencil5(const float* a, float* b, int w) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x > 0 && y > 0 && x < w - 1 && y < w - 1)
        b[y * w + x] =
            .2f * (a[y * w + x] + a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x]);
}
__global__ void stencil_tile(const float* a, float* b, int w) {
    __shared__ float s[10][34];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    for (int j = threadIdx.y; j < 10; j += 8)
        for (int i = threadIdx.x; i < 34; i += 32) {
            int gx = blockIdx.x * 32 + i - 1, gy = blockIdx.y * 8 + j - 1;
            s[j][i] = gx >= 0 && gy >= 0 && gx < w && gy < w ? a[gy * w + gx] : 0;
        }
    __syncthreads();
    if (x < w && y < w)
        b[y * w + x] = .2f * (s[threadIdx.y + 1][threadIdx.x + 1] + s[threadIdx.y][threadIdx.x + 1] +
                              s[threadIdx.y + 2][threadIdx.x + 1] + s[threadIdx.y + 1][threadIdx.x] +
                              s[threadIdx.y + 1][threadIdx.x + 2]);
}
__global__ void stencil3d(const float* a, float* b, int w) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    for (int z = 1; z < w - 1; z++) {
        if (x > 0 && y > 0 && x < w - 1 && y < w - 1) {
            size_t i = ((size_t)z * w + y) * w + x;
            b[i] = a[i - 1] + a[i + 1] + a[i - w] + a[i + w] + a[i - w * w] + a[i + w * w] - 6 * a[i];
        }
    }
}
__global__ void conv(const float* a, const float* f, float* b, int w) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float s = 0;
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++) {
            int u = x + i - 2, v = y + j - 2;
            if (u >= 0 && v >= 0 && u < w && v < w) s += a[v * w + u] * f[j * 5 + i];
        }
    b[y * w + x] = s;
}
template <int T>
__global__ void mm_tile(const float* A, const float* B, float* C, int w) {
    __shared__ float a[T][T], b[T][T];
    int r = blockIdx.y * T + threadIdx.y, c = blockIdx.x * T + threadIdx.x;
    float s = 0;
    for (int p = 0; p < w; p += T) {
        a[threadIdx.y][threadIdx.x] = A[r * w + p + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = B[(p + threadIdx.y) * w + c];
        __syncthreads();
        for (int k = 0; k < T; k++) s += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    C[r * w + c] = s;
}
__global__ void mm_reg(const float* A, const float* B, float* C, int w) {
    __shared__ float a[8][64], b[8][64];
    int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    float s[4][4] = {};
    for (int p = 0; p < w; p += 8) {
        for (int i = threadIdx.x; i < 512; i += 256) {
            a[i % 8][i / 8] = A[(blockIdx.y * 64 + i / 8) * w + p + i % 8];
            b[i / 64][i % 64] = B[(p + i / 64) * w + blockIdx.x * 64 + i % 64];
        }
        __syncthreads();
        for (int k = 0; k < 8; k++) {
            float u[4], v[4];
            for (int i = 0; i < 4; i++) {
                u[i] = a[k][ty * 4 + i];
                v[i] = b[k][tx * 4 + i];
            }
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++) s[i][j] += u[i] * v[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) C[(blockIdx.y * 64 + ty * 4 + i) * w + blockIdx.x * 64 + tx * 4 + j] = s[i][j];
}
__global__ void gemv(const float* A, const float* x, float* y, int w) {
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, l = threadIdx.x % 32;
    float s = 0;
    for (int k = l; k < w; k += 32) s += A[(size_t)r * w + k] * x[k];
    for (int d = 16; d; d >>= 1) s += __shfl_down_sync(~0u, s, d);
    if (!l) y[r] = s;
}
__global__ void gemv_t(const float* A, const float* x, float* y, int w) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < w; k++) s += A[(size_t)k * w + c] * x[k];
    y[c] = s;
}
__global__ void transpose(const float* a, float* b, int w) {
    __shared__ float s[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) s[threadIdx.y + j][threadIdx.x] = a[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) b[(y + j) * w + x] = s[threadIdx.x][threadIdx.y + j];
}
__global__ void softmax(const float* a, float* b, int w) {
    __shared__ float s[8];
    const float* r = a + (size_t)blockIdx.x * w;
    float m = -1e30f;
    for (int i = threadIdx.x; i < w; i += 256) m = fmaxf(m, r[i]);
    for (int d = 16; d; d >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, d));
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = m;
    __syncthreads();
    for (int i = 0; i < 8; i++) m = fmaxf(m, s[i]);
    __syncthreads();
    float t = 0;
    for (int i = threadIdx.x; i < w; i += 256) t += __expf(r[i] - m);
    for (int d = 16; d; d >>= 1) t += __shfl_xor_sync(~0u, t, d);
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = t;
    __syncthreads();
    t = 0;
    for (int i = 0; i < 8; i++) t += s[i];
    for (int i = threadIdx.x; i < w; i += 256) b[(size_t)blockIdx.x * w + i] = __expf(r[i] - m) / t;
}
__global__ void layernorm(const float* a, float* b, int w) {
    __shared__ float s[16];
    const float* r = a + (size_t)blockIdx.x * w;
    float m = 0, q = 0;
    for (int i = threadIdx.x; i < w; i += 256) {
        float v = r[i];
        m += v;
        q += v * v;
    }
    for (int d = 16; d; d >>= 1) {
        m += __shfl_xor_sync(~0u, m, d);
        q += __shfl_xor_sync(~0u, q, d);
    }
    if (threadIdx.x % 32 == 0) {
        s[threadIdx.x / 32] = m;
        s[8 + threadIdx.x / 32] = q;
    }
    __syncthreads();
    m = q = 0;
    for (int i = 0; i < 8; i++) {
        m += s[i];
        q += s[8 + i];
    }
    m /= w;
    q = rsqrtf(q / w - m * m + 1e-5f);
    for (int i = threadIdx.x; i < w; i += 256) b[(size_t)blockIdx.x * w + i] = (r[i] - m) * q;
}
__global__ void attention(const float* Q, const float* K, const float* V, float* O, int n) {
    __shared__ float k[32][33], v[32][33];
    int t = threadIdx.x, q = blockIdx.x * 32 + t;
    float qr[32], o[32] = {}, m = -1e30f, l = 0;
    for (int i = 0; i < 32; i++) qr[i] = Q[q * 32 + i];
    for (int b = 0; b < n; b += 32) {
        __syncthreads();
        for (int i = 0; i < 32; i++) {
            k[i][t] = K[(b + i) * 32 + t];
            v[i][t] = V[(b + i) * 32 + t];
        }
        __syncthreads();
        for (int j = 0; j < 32; j++) {
            float s = 0;
            for (int i = 0; i < 32; i++) s += qr[i] * k[j][i];
            float mm = fmaxf(m, s), e = __expf(m - mm), p = __expf(s - mm);
            l = l * e + p;
            m = mm;
            for (int i = 0; i < 32; i++) o[i] = o[i] * e + p * v[j][i];
        }
    }
    for (int i = 0; i < 32; i++) O[q * 32 + i] = o[i] / l;
}
__global__ void nbody(const float4* p, float4* a, int n) {
    __shared__ float4 s[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    float4 me = p[i];
    float ax = 0, ay = 0, az = 0;
    for (int b = 0; b < n; b += 256) {
        s[threadIdx.x] = p[b + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 256; j++) {
            float dx = s[j].x - me.x, dy = s[j].y - me.y, dz = s[j].z - me.z;
            float d = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
            float w = s[j].w * d * d * d;
            ax += w * dx;
            ay += w * dy;
            az += w * dz;
        }
        __syncthreads();
    }
    a[i] = make_float4(ax, ay, az, 0);
}
__global__ void bfs(const int* rp, const int* ci, int* d, int lv, int n, int* more) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n && d[v] == lv)
        for (int e = rp[v]; e < rp[v + 1]; e++)
            if (d[ci[e]] < 0) {
                d[ci[e]] = lv + 1;
                *more = 1;
            }
}
__global__ void bitonic(int* x, int j, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, p = i ^ j;
    if (p > i) {
        int a = x[i], b = x[p];
        if ((a > b) == ((i & k) == 0)) {
            x[i] = b;
            x[p] = a;
        }
    }
}
__global__ void sort_shared(int* x) {
    __shared__ int s[512];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * 512 + t];
    __syncthreads();
    for (int k = 2; k <= 512; k <<= 1)
        for (int j = k / 2; j; j >>= 1) {
            int p = t ^ j;
            if (p > t && ((s[t] > s[p]) == ((t & k) == 0))) {
                int a = s[t];
                s[t] = s[p];
                s[p] = a;
            }
            __syncthreads();
        }
    x[blockIdx.x * 512 + t] = s[t];
}
__global__ void mandel(int* o, int w) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float cx = -2 + 3.f * x / w, cy = -1.5f + 3.f * y / w, a = 0, b = 0;
    int k = 0;
    while (k < 200 && a * a + b * b < 4) {
        float t = a * a - b * b + cx;
        b = 2 * a * b + cy;
        a = t;
        k++;
    }
    o[y * w + x] = k;
}
__global__ void mc(float* o, int n) {
    unsigned s = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int in = 0;
    for (int i = 0; i < n; i++) {
        s = s * 1664525u + 1013904223u;
        float x = (s >> 8) * 0x1p-24f;
        s = s * 1664525u + 1013904223u;
        float y = (s >> 8) * 0x1p-24f;
        in += x * x + y * y < 1;
    }
    o[blockIdx.x * blockDim.x + threadIdx.x] = in;
}
__global__ void black(const float* S, float* C, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = S[i] + 50, k = 100, t = 1, r = .02f, v = .3f;
        float d1 = (logf(s / k) + (r + .5f * v * v) * t) / (v * sqrtf(t)), d2 = d1 - v * sqrtf(t);
        C[i] = s * normcdff(d1) - k * expf(-r * t) * normcdff(d2);
    }
}
__global__ void dsum(const double* x, double* o, int n) {
    double v = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) v += x[i] * x[i];
    __shared__ double s[256];
    s[threadIdx.x] = v;
    __syncthreads();
    for (int k = 128; k; k >>= 1) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (!threadIdx.x) o[blockIdx.x] = s[0];
}
__global__ void chase(const int* x, int* o, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    for (int k = 0; k < n; k++) i = x[i];
    o[threadIdx.x + blockIdx.x * blockDim.x] = i;
}
__global__ void rows(const float* a, float* o, int w) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    for (int k = 0; k < w; k++) s += a[(size_t)r * w + k];
    o[r] = s;
}
int main() {
    float *a, *b, *c;
    int *p, *q, *h;
    cudaMalloc(&a, 64 << 20);
    cudaMalloc(&b, 64 << 20);
    cudaMalloc(&c, 64 << 20);
    cudaMalloc(&p, 32 << 20);
    cudaMalloc(&q, 32 << 20);
    cudaMalloc(&h, 1 << 20);
    std::vector<float> f(16 << 20);
    unsigned s = 1;
    for (auto& v : f) {
        s = s * 1664525u + 1013904223u;
        v = (s >> 8) * 0x1p-24f;
    }
    cudaMemcpy(a, f.data(), 64 << 20, cudaMemcpyHostToDevice);
    cudaMemcpy(b, f.data(), 64 << 20, cudaMemcpyHostToDevice);
    cudaMemset(c, 0, 64 << 20);
    cudaMemset(h, 0, 1 << 20);
    int n = 1 << 16;
    std::vector<int> rp(n + 1), ci;
    for (int i = 0; i < n; i++) {
        rp[i] = ci.size();
        s = s * 1664525u + 1013904223u;
        int d = (s >> 16) % 24;
        for (int k = 0; k < d; k++) {
            s = s * 1664525u + 1013904223u;
            ci.push_back((s >> 8) % n);
        }
    }
    rp[n] = ci.size();
    cudaMemcpy(p, rp.data(), rp.size() * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(q, ci.data(), ci.size() * 4, cudaMemcpyHostToDevice);
    saxpy<<<N * 4 / 256, 256>>>(N * 4, 2, a, b);
    saxpy4<<<N / 256, 256>>>(N, 2, (float4*)a, (float4*)b);
    block_sum<<<264, 256>>>(a, c, N * 4);
    warp_sum<<<264, 256>>>(a, c, N * 4);
    scan_block<<<2048, 512>>>((int*)a, (int*)c);
    hist<<<264, 256>>>((unsigned char*)a, h, N * 4);
    spmv<<<n / 256, 256>>>(p, q, a, b, c, n);
    spmv_warp<<<n / 8, 256>>>(p, q, a, b, c, n);
    stencil5<<<dim3(64, 256), dim3(32, 8)>>>(a, c, 2048);
    stencil_tile<<<dim3(64, 256), dim3(32, 8)>>>(a, c, 2048);
    stencil3d<<<dim3(4, 32), dim3(32, 4)>>>(a, c, 128);
    conv<<<dim3(64, 64), dim3(16, 16)>>>(a, b, c, 1024);
    mm_tile<16><<<dim3(32, 32), dim3(16, 16)>>>(a, b, c, 512);
    mm_tile<32><<<dim3(24, 24), dim3(32, 32)>>>(a, b, c, 768);
    mm_reg<<<dim3(12, 12), 256>>>(a, b, c, 768);
    gemv<<<256, 256>>>(a, b, c, 2048);
    gemv_t<<<16, 128>>>(a, b, c, 2048);
    transpose<<<dim3(64, 64), dim3(32, 8)>>>(a, c, 2048);
    softmax<<<1024, 256>>>(a, c, 2048);
    layernorm<<<1024, 256>>>(a, c, 2048);
    attention<<<64, 32>>>(a, b, b, c, 512);
    nbody<<<32, 256>>>((float4*)a, (float4*)c, 8192);
    int* d = (int*)c;
    cudaMemset(d, 255, n * 4);
    cudaMemset(d, 0, 4);
    for (int l = 0; l < 3; l++) bfs<<<n / 256, 256>>>(p, q, d, l, n, h);
    bitonic<<<N / 256, 256>>>((int*)a, 1, 2);
    bitonic<<<N / 256, 256>>>((int*)a, 4096, 8192);
    sort_shared<<<1024, 512>>>((int*)a);
    mandel<<<dim3(32, 32), dim3(16, 16)>>>((int*)c, 512);
    mc<<<264, 256>>>(c, 500);
    black<<<N / 256, 256>>>(b, c, N);
    dsum<<<264, 256>>>((double*)b, (double*)c, N);
    std::vector<int> ch(1 << 18);
    for (int i = 0; i < 1 << 18; i++) ch[i] = (i * 40503u + 12345) & ((1 << 18) - 1);
    cudaMemcpy(q, ch.data(), 4 << 18, cudaMemcpyHostToDevice);
    chase<<<64, 128>>>(q, (int*)c, 64);
    rows<<<16, 128>>>(b, c, 1024);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
