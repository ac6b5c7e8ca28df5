// The device's way to multiply each site's links by four matrices, with the arguments of hosts that time it.
#pragma once
#include <cuda.h>
#define CUCHECK(err, s)                                                      \
    if (err != cudaSuccess) {                                                \
        printf("%s (error code %d:%s)!\n", s, err, cudaGetErrorString(err)); \
        exit(EXIT_FAILURE);                                                  \
    }
#define THREADS_PER_SITE 36
__global__ void k_mat_nn(const site* __restrict__ a, const su3_matrix* __restrict__ b, site* __restrict__ c,
                         int total_sites) {
    int id = blockIdx.x * blockDim.x + threadIdx.x, mysite = id / 36;
    if (mysite < total_sites) {
        int j = (id % 36) / 9, k = (id % 9) / 3, l = id % 3;
        Complx cc = {0.0, 0.0};
#ifndef MILC_COMPLEX
        for (int m = 0; m < 3; m++) CMULSUM(a[mysite].link[j].e[k][m], b[j].e[m][l], cc);
#endif
        c[mysite].link[j].e[k][l] = cc;
    }
}
inline void su3_mat_nn(const std::vector<site>& a, const std::vector<su3_matrix>& b, std::vector<site>& c,
                       size_t total) {
    site *d_a, *d_c;
    su3_matrix* d_b;
    CUCHECK(cudaMalloc((void**)&d_a, total * sizeof(site)), "Unable to allocate a");
    CUCHECK(cudaMalloc((void**)&d_b, 4 * sizeof(su3_matrix)), "Unable to allocate b");
    CUCHECK(cudaMalloc((void**)&d_c, total * sizeof(site)), "Unable to allocate c");
    cudaMemcpy(d_a, a.data(), total * sizeof(site), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), 4 * sizeof(su3_matrix), cudaMemcpyHostToDevice);
    int threads = 128, blocks = (total * THREADS_PER_SITE + threads - 1) / threads;
    k_mat_nn<<<blocks, threads>>>(d_a, d_b, d_c, total);
    cudaDeviceSynchronize();
    CUCHECK(cudaGetLastError(), "k_mat_nn kernel Failed");
    cudaMemcpy(c.data(), d_c, total * sizeof(site), cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
}
