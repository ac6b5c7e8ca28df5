// A kernel that only compute capability 9.0 runs, launched by a program that reads the errors.
#include <cstdio>

__global__ void hopper(int* out) {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    *out = 1;
}

int main() {
    int* out = nullptr;
    cudaMalloc(&out, sizeof *out);
    hopper<<<1, 128>>>(out);
    const int launched = cudaGetLastError();
    cudaFuncAttributes about;
    const int asked = cudaFuncGetAttributes(&about, hopper);
    cudaGetLastError();
    const int left = cudaDeviceSynchronize();
    std::printf("launch %d, attributes %d, then %d\n", launched, asked, left);
    return 0;
}
