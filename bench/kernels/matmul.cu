// The products that bench/ runs: square matrices whose width is a multiple of 16. matmul.ptx is made from this file;
// see
// ../README.md.

extern "C" __global__ void matmul_naive(const float* M, const float* N, float* P, int width) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += M[row * width + k] * N[k * width + col];
    P[row * width + col] = sum;
}

extern "C" __global__ void matmul_tiled(const float* M, const float* N, float* P, int width) {
    __shared__ float Mds[16][16], Nds[16][16];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    float sum = 0;
    for (int phase = 0; phase < width / 16; ++phase) {
        Mds[ty][tx] = M[row * width + phase * 16 + tx];
        Nds[ty][tx] = N[(phase * 16 + ty) * width + col];
        __syncthreads();
        for (int k = 0; k < 16; ++k) sum += Mds[ty][k] * Nds[k][tx];
        __syncthreads();
    }
    P[row * width + col] = sum;
}
