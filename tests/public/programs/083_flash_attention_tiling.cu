// Like douyixuan/cuda-by-example examples/flash-attention-tiling/flash-attention-tiling.cu; flags: -arch=sm_80
#include <float.h>
#include <math.h>
#include <stdio.h>
const int SEQ = 32, DIM = 16, TILE = 8;
__global__ void flash(const float* Q, const float* K, const float* V, float* O, float scale) {
    __shared__ float sK[TILE][DIM], sV[TILE][DIM];
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float q[DIM], acc[DIM] = {}, m = -FLT_MAX, l = 0;
    for (int d = 0; d < DIM; d++) q[d] = Q[row * DIM + d];
    for (int t = 0; t < SEQ; t += TILE) {
        for (int i = threadIdx.x; i < TILE * DIM; i += blockDim.x)
            sK[i / DIM][i % DIM] = K[t * DIM + i], sV[i / DIM][i % DIM] = V[t * DIM + i];
        __syncthreads();
        for (int j = 0; j < TILE; j++) {
            float s = 0;
            for (int d = 0; d < DIM; d++) s += q[d] * sK[j][d];
            s *= scale;
            float top = fmaxf(m, s), fix = expf(m - top), p = expf(s - top);
            l = l * fix + p;
            for (int d = 0; d < DIM; d++) acc[d] = acc[d] * fix + p * sV[j][d];
            m = top;
        }
        __syncthreads();
    }
    for (int d = 0; d < DIM; d++) O[row * DIM + d] = acc[d] / l;
}
int main() {
    const int n = SEQ * DIM;
    float h[4][n], *d[4];
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < n; i++) h[k][i] = sinf(0.3f * i * (k + 1));
        cudaMalloc(&d[k], sizeof h[k]);
        cudaMemcpy(d[k], h[k], sizeof h[k], cudaMemcpyHostToDevice);
    }
    flash<<<SEQ / 16, 16>>>(d[0], d[1], d[2], d[3], 1 / sqrtf(DIM));
    cudaMemcpy(h[3], d[3], sizeof h[3], cudaMemcpyDeviceToHost);
    bool ok = true;
    for (int r = 0; r < SEQ; r++) {
        double p[SEQ], sum = 0;
        for (int j = 0; j < SEQ; j++) {
            double s = 0;
            for (int k = 0; k < DIM; k++) s += h[0][r * DIM + k] * h[1][j * DIM + k];
            sum += p[j] = exp(s / sqrt((double)DIM));
        }
        for (int k = 0; k < DIM; k++) {
            double want = 0;
            for (int j = 0; j < SEQ; j++) want += p[j] / sum * h[2][j * DIM + k];
            ok = ok && fabs(want - h[3][r * DIM + k]) < 1e-4;
        }
    }
    printf("%s\n", ok ? "PASS" : "FAIL");
    for (float* p : d) cudaFree(p);
    return !ok;
}
