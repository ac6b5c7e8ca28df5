// Products and transposes whose misses have known reasons (check_cache_misses.py says which).
constexpr int kTile = 16, kEach = 4;
__device__ float on_device[1 << 14];

__global__ void naive(const float* M, const float* N, float* P, int width) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += M[row * width + k] * N[k * width + col];
    P[row * width + col] = sum;
}

__global__ void tiled(const float* M, const float* N, float* P, int width) {
    __shared__ float Mds[kTile][kTile], Nds[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * kTile + ty, col = blockIdx.x * kTile + tx;
    float sum = 0;
    for (int phase = 0; phase < width / kTile; ++phase) {
        Mds[ty][tx] = M[row * width + phase * kTile + tx];
        Nds[ty][tx] = N[(phase * kTile + ty) * width + col];
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += Mds[ty][k] * Nds[k][tx];
        __syncthreads();
    }
    P[row * width + col] = sum;
}

// A thread computes kEach neighbours of a row.
__global__ void register_tiled(const float* M, const float* N, float* P, int width) {
    __shared__ float Mds[kTile][kTile], Nds[kTile][kTile * kEach];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * kTile + ty, col = blockIdx.x * kTile * kEach + tx;
    float sum[kEach] = {};
    for (int phase = 0; phase < width / kTile; ++phase) {
        Mds[ty][tx] = M[row * width + phase * kTile + tx];
        for (int i = 0; i < kEach; ++i) Nds[ty][tx + i * kTile] = N[(phase * kTile + ty) * width + col + i * kTile];
        __syncthreads();
        for (int k = 0; k < kTile; ++k)
            for (int i = 0; i < kEach; ++i) sum[i] += Mds[ty][k] * Nds[k][tx + i * kTile];
        __syncthreads();
    }
    for (int i = 0; i < kEach; ++i) P[row * width + col + i * kTile] = sum[i];
}

// Reads rows and writes columns.
__global__ void transpose(const float* in, float* out, int width) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    out[x * width + y] = in[y * width + x];
}

// Every sixteenth element: each sector is asked for by one lane, and its neighbour by nobody.
__global__ void every_sixteenth(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[16 * i];
}

// Twice the same elements, far less than L1 holds: behind a fence, or in a way that does not ask L1.
__global__ void twice(float* out, bool fence) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float first = on_device[i];
    float second;
    if (fence) {
        __threadfence();
        __syncthreads();
        second = on_device[i];
    } else {
        volatile float* again = on_device;
        second = again[i];
    }
    out[i] = first + second;
}

// One block goes through an array twice.
__global__ void two_rounds(const float* in, float* out, int elements) {
    float sum = 0;
    for (int round = 0; round < 2; ++round) {
        for (int i = threadIdx.x; i < elements; i += blockDim.x) sum += in[i];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

int main() {
    const int width = 512, elements = width * width;
    float *a, *b, *c;
    cudaMalloc(&a, elements * sizeof(float));
    cudaMalloc(&b, elements * sizeof(float));
    cudaMalloc(&c, elements * sizeof(float));
    cudaMemset(a, 0, elements * sizeof(float));
    cudaMemset(b, 0, elements * sizeof(float));
    const dim3 block(kTile, kTile);
    naive<<<dim3(width / kTile, width / kTile), block>>>(a, b, c, width);
    tiled<<<dim3(width / kTile, width / kTile), block>>>(a, b, c, width);
    register_tiled<<<dim3(width / kTile / kEach, width / kTile), block>>>(a, b, c, width);
    transpose<<<dim3(width / 32, width / 32), dim3(32, 32)>>>(a, c, width);
    every_sixteenth<<<elements / 16 / 256, 256>>>(a, c);
    twice<<<16, 256>>>(c, true);
    twice<<<16, 256>>>(c, false);
    two_rounds<<<1, 256>>>(a, c, 1 << 14);
    two_rounds<<<1, 256>>>(a, c, 1 << 18);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
