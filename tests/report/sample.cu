// What the lines of the sample profile point at; never compiled.
__global__ void naive(const float* M, const float* N, float* P, int width) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < width; ++k)
        sum += M[row * width + k] * N[k * width + col];
    P[row * width + col] = sum;
}

__global__ void tiled(const float* M, const float* N, float* P, int width) {
    __shared__ float Mds[16][16], Nds[16][16];
    int row = blockIdx.y * 16 + threadIdx.y;
    int col = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int phase = 0; phase < width / 16; ++phase) {
        // Each thread brings one element of each tile.
        Mds[threadIdx.y][threadIdx.x] = M[row * width + phase * 16 + threadIdx.x], Nds[threadIdx.y][threadIdx.x] = N[(phase * 16 + threadIdx.y) * width + col];
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            sum += Mds[threadIdx.y][k] * Nds[k][threadIdx.x];
        __syncthreads();
    }
    P[row * width + col] = sum;
}

// Writes past its buffer.
__global__ void broken(int* out) {
    out[blockIdx.x * blockDim.x + threadIdx.x + 1024] = 1;
}
