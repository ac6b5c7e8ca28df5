// What people do with shared memory.
#include "idioms.cuh"

constexpr int kTile = 32;

__global__ void padded(const float* in, float* out, int n) {
    __shared__ float tile[kTile][kTile + 1];
    int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += blockDim.y) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * kTile + threadIdx.x, y = blockIdx.x * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += blockDim.y) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
IDIOM(transpose_with_padding) {
    Buffer<float> in(64 * 64), out(64 * 64);
    for (int i = 0; i < in.size(); ++i) in[i] = i;
    padded<<<dim3(2, 2), dim3(kTile, 8)>>>(in, out, 64);
    report.expect(out, [](int i) { return i % 64 * 64 + i / 64; });
}

__global__ void swizzled(const int* in, int* out) {
    __shared__ int tile[kTile * kTile];
    for (int row = threadIdx.y; row < kTile; row += blockDim.y)
        tile[row * kTile + (threadIdx.x ^ row)] = in[row * kTile + threadIdx.x];
    __syncthreads();
    for (int row = threadIdx.y; row < kTile; row += blockDim.y)
        out[row * kTile + threadIdx.x] = tile[threadIdx.x * kTile + (row ^ threadIdx.x)];
}
IDIOM(transpose_with_a_swizzle) {
    Buffer<int> in(1024), out(1024);
    for (int i = 0; i < 1024; ++i) in[i] = i;
    swizzled<<<1, dim3(32, 4)>>>(in, out);
    report.expect(out, [](int i) { return i % 32 * 32 + i / 32; });
}

__global__ void carved(double* out, int n) {
    extern __shared__ double room[];
    double* doubles = room;
    int* ints = reinterpret_cast<int*>(&doubles[n]);
    char* chars = reinterpret_cast<char*>(ints + n);
    const int i = threadIdx.x;
    doubles[i] = i * 0.5, ints[i] = i * 2, chars[i] = static_cast<char>(i);
    __syncthreads();
    out[i] = doubles[n - 1 - i] + ints[n - 1 - i] + chars[n - 1 - i];
}
IDIOM(several_arrays_in_dynamic_memory) {
    Buffer<double> out(48);
    carved<<<1, 48, 48 * (sizeof(double) + sizeof(int) + 1)>>>(out, 48);
    report.expect(out, [](int i) { return (47 - i) * 3.5; });
}

union Reused {
    int sums[64];
    float values[64];
    struct {
        short a, b;
    } pairs[64];
};
__global__ void reused(int* out) {
    __shared__ Reused shared;
    const int i = threadIdx.x;
    shared.values[i] = i * 1.5f;
    __syncthreads();
    const float v = shared.values[63 - i];
    __syncthreads();
    shared.pairs[i].a = static_cast<short>(v), shared.pairs[i].b = static_cast<short>(i);
    __syncthreads();
    const int w = shared.pairs[i ^ 1].a + shared.pairs[i ^ 1].b;
    __syncthreads();
    shared.sums[i] = w;
    __syncthreads();
    out[i] = shared.sums[(i + 5) % 64];
}
IDIOM(union_in_shared_memory) {
    Buffer<int> out(64);
    reused<<<1, 64>>>(out);
    report.expect(out, [](int i) {
        const int at = (i + 5) % 64 ^ 1;
        return static_cast<short>((63 - at) * 1.5f) + at;
    });
}

__device__ int next_in_block() {  // one counter of each block
    static __shared__ int count;
    if (threadIdx.x == 0) count = 100 * blockIdx.x;
    __syncthreads();
    const int mine = atomicAdd(&count, 1);
    __syncthreads();
    return mine >= 100 * static_cast<int>(blockIdx.x) ? count : -1;
}
__global__ void counted(int* out) { out[thread_index()] = next_in_block(); }
IDIOM(static_shared_in_a_function) {
    Buffer<int> out(96);
    counted<<<3, 32>>>(out);
    report.expect(out, [](int i) { return i / 32 * 100 + 32; });
}

struct BlockScan {
    struct Temporary {
        int a[2][128];
    };
    Temporary& t;
    __device__ explicit BlockScan(Temporary& temporary) : t(temporary) {}
    __device__ int inclusive(int value) {
        int side = 0;
        t.a[0][threadIdx.x] = value;
        __syncthreads();
        for (unsigned d = 1; d < 128; d *= 2, side ^= 1) {
            t.a[side ^ 1][threadIdx.x] = t.a[side][threadIdx.x] + (threadIdx.x >= d ? t.a[side][threadIdx.x - d] : 0);
            __syncthreads();
        }
        return t.a[side][threadIdx.x];
    }
};
__global__ void scanned(int* out) {
    __shared__ BlockScan::Temporary temporary;
    out[threadIdx.x] = BlockScan(temporary).inclusive(threadIdx.x % 7);
}
IDIOM(collective_class_with_temporary_storage) {
    Buffer<int> out(128);
    scanned<<<1, 128>>>(out);
    report.expect(out, [](int i) {
        int sum = 0;
        for (; i >= 0; --i) sum += i % 7;
        return sum;
    });
}

__global__ void stencil(const int* in, int* out, int n) {
    constexpr int radius = 3, threads = 64;
    __shared__ int s[threads + 2 * radius];
    const int g = thread_index(), l = threadIdx.x + radius;
    s[l] = g < n ? in[g] : 0;
    if (threadIdx.x < radius) {
        s[l - radius] = g >= radius ? in[g - radius] : 0;
        s[l + threads] = g + threads < n ? in[g + threads] : 0;
    }
    __syncthreads();
    int sum = 0;
#pragma unroll
    for (int k = -radius; k <= radius; ++k) sum += s[l + k];
    if (g < n) out[g] = sum;
}
IDIOM(stencil_with_halo) {
    Buffer<int> in(200), out(200);
    for (int i = 0; i < 200; ++i) in[i] = i * i % 23;
    stencil<<<4, 64>>>(in, out, 200);
    report.expect(out, [&](int i) {
        int sum = 0;
        for (int k = i - 3; k <= i + 3; ++k) sum += k >= 0 && k < 200 ? in[k] : 0;
        return sum;
    });
}

__global__ void large(int* out) {
    extern __shared__ int big[];
    for (int i = threadIdx.x; i < 20000; i += blockDim.x) big[i] = i;
    __syncthreads();
    if (threadIdx.x < 100) out[threadIdx.x] = big[19999 - threadIdx.x * 150];
}
IDIOM(more_than_48_kib) {
    Buffer<int> out(100);
    report.check(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 80000) == cudaSuccess);
    cudaFuncSetAttribute(large, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared);
    large<<<1, 128, 80000>>>(out);
    report.expect(out, [](int i) { return 19999 - i * 150; });
}

__global__ void tree(int* out) {
    __shared__ int s[256];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (unsigned k = blockDim.x / 2; k > 32; k >>= 1) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x < 32) {
        volatile int* v = s;
        int t = v[threadIdx.x] + v[threadIdx.x + 32];
        for (int k = 16; k > 0; k /= 2) t += __shfl_down_sync(0xffffffffu, t, k);
        if (threadIdx.x == 0) *out = t;
    }
}
IDIOM(tree_with_a_last_warp) {
    Buffer<int> out(1);
    tree<<<1, 256>>>(out);
    report.expect(out, [](int) { return 255 * 128; });
}

struct Matrix {
    float at[4][4];
};
__global__ void structs(Matrix* m) {
    __shared__ Matrix s;
    const int x = threadIdx.x, y = threadIdx.y;
    s.at[y][x] = m->at[y][x];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 4; ++k) sum = fmaf(s.at[y][k], s.at[k][x], sum);
    m->at[y][x] = sum;
}
IDIOM(matrix_struct_in_shared_memory) {
    Buffer<Matrix> m(1);
    for (int i = 0; i < 16; ++i) (&m[0].at[0][0])[i] = i;
    structs<<<1, dim3(4, 4)>>>(m);
    report.add(m);
    report.check(m[0].at[0][0] == 0 * 0 + 1 * 4 + 2 * 8 + 3 * 12);
}
