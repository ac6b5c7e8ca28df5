// Like zjin-lcf/HeCBench alp-cuda (main.cu, kernels.h); flags: -DCHECK
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <chrono>
#define LMAX 20
__host__ __device__ inline double legendre(double x, int l, int m) {
    double pmm = 1.0, root = sqrt(1.0 - x * x);
    for (int i = 1; i <= m; i++) pmm *= -(2 * i - 1) * root;
    if (l == m) return pmm;
    double above = x * (2 * m + 1) * pmm;
    for (int k = m + 2; k <= l; k++) {
        double next = (x * (2 * k - 1) * above - (k + m - 1) * pmm) / (k - m);
        pmm = above;
        above = next;
    }
    return above;
}
__global__ void associated(double x, int l, double* plm) {
    int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m <= l) plm[l * (l + 1) / 2 + m] = legendre(x, l, m) / (1.0 + pow(2.0, (double)m));
}
int main() {
    double costheta = 0.3, *d_plm;
    bool ok = true;
    auto start = std::chrono::steady_clock::now();
    cudaMallocManaged(&d_plm, (LMAX + 1) * (LMAX + 2) / 2 * sizeof(double));
    for (int l = 0; l <= LMAX; l++) {
        associated<<<1, LMAX + 1>>>(costheta, l, d_plm);
        cudaDeviceSynchronize();
#ifdef CHECK
        for (int m = 0; m <= l; m++) {
            double want = legendre(costheta, l, m) / (1.0 + pow(2.0, m));
            if (fabs(want - d_plm[l * (l + 1) / 2 + m]) > 1e-9 * fabs(want)) ok = false;
        }
#endif
    }
    cudaFree(d_plm);
    ok = ok && std::chrono::steady_clock::now() > start;
    printf("%s\n", ok ? "PASS" : "FAIL");
    return !ok;
}
