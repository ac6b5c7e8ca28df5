// What the tests of reuse launch. reuse.ptx is made from this file by kernels/generate.
#include <cuda_pipeline.h>

#include <cstdint>

constexpr int kTile = 16;

extern "C" __global__ void product(const float* M, const float* N, float* P, int rows, int inner, int columns) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows || column >= columns) return;
    float sum = 0;
    for (int k = 0; k < inner; ++k) sum += M[row * inner + k] * N[k * columns + column];
    P[row * columns + column] = sum;
}

extern "C" __global__ void product_tiled(const float* M, const float* N, float* P, int width) {
    __shared__ float Mds[kTile][kTile];
    __shared__ float Nds[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * kTile + ty, column = blockIdx.x * kTile + tx;
    float sum = 0;
    for (int phase = 0; phase < (width + kTile - 1) / kTile; ++phase) {
        int m = phase * kTile + tx, n = phase * kTile + ty;
        Mds[ty][tx] = row < width && m < width ? M[row * width + m] : 0;
        Nds[ty][tx] = n < width && column < width ? N[n * width + column] : 0;
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += Mds[ty][k] * Nds[k][tx];
        __syncthreads();
    }
    if (row < width && column < width) P[row * width + column] = sum;
}

extern "C" __global__ void product_async(const float* M, const float* N, float* P, int width) {
    __shared__ float Mds[kTile][kTile];
    __shared__ float Nds[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * kTile + ty, column = blockIdx.x * kTile + tx;
    float sum = 0;
    for (int phase = 0; phase < width / kTile; ++phase) {
        __pipeline_memcpy_async(&Mds[ty][tx], &M[row * width + phase * kTile + tx], 4);
        __pipeline_memcpy_async(&Nds[ty][tx], &N[(phase * kTile + ty) * width + column], 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += Mds[ty][k] * Nds[k][tx];
        __syncthreads();
    }
    P[row * width + column] = sum;
}

extern "C" __global__ void add(const float* A, const float* B, float* C, int rows, int columns) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && column < columns)
        C[row * columns + column] = A[row * columns + column] + B[row * columns + column];
}

extern "C" __global__ void stencil(const float* in, float* out, int rows, int columns) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < 1 || column < 1 || row >= rows - 1 || column >= columns - 1) return;
    float sum = 0;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) sum += in[(row + y) * columns + column + x];
    out[row * columns + column] = sum / 9;
}

extern "C" __global__ void transpose(const float* in, float* out, int rows, int columns) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
}

__constant__ float filter[5];

extern "C" __global__ void convolve(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 5; ++k) {
        int at = i + k - 2;
        if (at >= 0 && at < n) sum += filter[k] * in[at];
    }
    if (i < n) out[i] = sum;
}

// Two loads on lines of their own: the second asks for what the first has already.
extern "C" __global__ void two_lines(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float here = in[i];
    __syncthreads();
    float there = in[i ^ 1];
    out[i] = here - there;
}

// Accesses of one width, at a phase and a stride, by some of the lanes.
template <class T>
__device__ void read_some(const T* in, T* out, int phase, int stride, unsigned lanes) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int step = 0; step < 3; ++step)
        if (lanes >> (threadIdx.x & 31) & 1) out[i] = in[phase + step + i * stride];
}
extern "C" __global__ void read_1(const uint8_t* in, uint8_t* out, int phase, int stride, unsigned lanes) {
    read_some(in, out, phase, stride, lanes);
}
extern "C" __global__ void read_2(const uint16_t* in, uint16_t* out, int phase, int stride, unsigned lanes) {
    read_some(in, out, phase, stride, lanes);
}
extern "C" __global__ void read_4(const float* in, float* out, int phase, int stride, unsigned lanes) {
    read_some(in, out, phase, stride, lanes);
}
extern "C" __global__ void read_8(const double* in, double* out, int phase, int stride, unsigned lanes) {
    read_some(in, out, phase, stride, lanes);
}
extern "C" __global__ void read_16(const float4* in, float4* out, int phase, int stride, unsigned lanes) {
    read_some(in, out, phase, stride, lanes);
}

// Several widths of the same bytes.
extern "C" __global__ void mixed(const uint8_t* in, unsigned* out, int shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = in[i + shift];
    unsigned b = reinterpret_cast<const unsigned short*>(in)[i / 2 + shift];
    unsigned c = reinterpret_cast<const unsigned*>(in)[i / 3];
    uint4 d = reinterpret_cast<const uint4*>(in)[i % 7];
    out[i] = a + b + c + d.x + d.w;
}

// Addresses from memory, spread over two allocations.
extern "C" __global__ void gather(const int* index, const float* a, const float* b, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int round = 0; round < 4; ++round) {
        int at = index[(i + round * 37) & 255];
        out[i] = (at & 1 ? a : b)[at];
    }
}

// Atomics are no loads.
extern "C" __global__ void count(const int* in, unsigned* bins) {
    atomicAdd(&bins[in[blockIdx.x * blockDim.x + threadIdx.x] & 15], 1u);
}

// ---- shared memory ----

extern "C" __global__ void keep(const float* in, float* out) {
    __shared__ float mine[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    mine[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = mine[threadIdx.x];
}

extern "C" __global__ void reverse(const float* in, float* out) {
    __shared__ float all[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    all[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = all[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void several(const float* in, double* out, int rounds) {
    __shared__ float quarter[256];
    __shared__ double own[256];
    __shared__ uint8_t bytes[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    for (int r = 0; r < rounds; ++r) {
        quarter[t] = in[i];
        own[t] = quarter[t];
        if (t % 3 == 0) bytes[t] = static_cast<uint8_t>(r);
        __syncthreads();
        out[i] += own[t] + quarter[t & ~3] + bytes[(t + r) % 5];
        __syncthreads();
    }
}

extern "C" __global__ void shared_count(const int* in, unsigned* out) {
    __shared__ unsigned bins[32];
    extern __shared__ unsigned more[];
    if (threadIdx.x < 32) bins[threadIdx.x] = 0;
    more[threadIdx.x] = threadIdx.x;
    __syncthreads();
    atomicAdd(&bins[in[blockIdx.x * blockDim.x + threadIdx.x] & 31], 1u);
    unsigned old = atomicExch(&more[threadIdx.x / 2], 7u);
    __syncthreads();
    if (threadIdx.x < 32) out[threadIdx.x] = bins[threadIdx.x] + old + more[0];
}

// A sum by halves in shared memory.
extern "C" __global__ void reduce(const float* in, float* out) {
    __shared__ float part[256];
    unsigned t = threadIdx.x;
    part[t] = in[blockIdx.x * blockDim.x + t];
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) part[t] += part[t + half];
    }
    if (t == 0) out[blockIdx.x] = part[0];
}
