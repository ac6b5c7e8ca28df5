// Reads one element past memory that host and device share, or the host's own. Argument: managed, pinned or own.
#include <cuda_runtime.h>
#include <cstring>

__global__ void read(const int* in, int n) {
    if (in[n] == 12345) __trap();
}

int main(int, char** argv) {
    const int n = 1 << 20;  // of its own mapping, whatever the allocator
    int* memory = new int[n];
    if (std::strcmp(argv[1], "managed") == 0) cudaMallocManaged(&memory, n * sizeof(int));
    if (std::strcmp(argv[1], "pinned") == 0) cudaMallocHost(&memory, n * sizeof(int));
    read<<<1, 1>>>(memory, n);
    cudaDeviceSynchronize();
}
