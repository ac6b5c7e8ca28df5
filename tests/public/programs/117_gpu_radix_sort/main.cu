// Like tugot17/pmpp chapter-13/code (gpu_radix_sort.cu, gpu_radix_sort.h, main.cu)
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "gpu_radix_sort.h"
int main() {
    std::vector<unsigned> h(700), got(700);
    for (unsigned& v : h) v = rand() % 1024;
    unsigned* d;
    cudaMalloc(&d, 700 * sizeof(unsigned));
    cudaMemcpy(d, h.data(), 700 * sizeof(unsigned), cudaMemcpyHostToDevice);
    gpuRadixSortDevice(d, 700);
    cudaMemcpy(got.data(), d, 700 * sizeof(unsigned), cudaMemcpyDeviceToHost);
    std::sort(h.begin(), h.end());
    printf("%s\n", got == h ? "PASS" : "FAIL");
    cudaFree(d);
    return got != h;
}
