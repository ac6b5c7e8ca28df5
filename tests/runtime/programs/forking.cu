// The parent launches twice, a forked child may not use the device, and the child's end leaves the profile alone.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

__global__ void mark(int* p) { p[threadIdx.x] = 1; }

int main() {
    int* p = nullptr;
    if (cudaMalloc(&p, 128) != cudaSuccess) return 1;
    mark<<<1, 32>>>(p);
    const pid_t child = fork();
    if (child == 0) std::exit(cudaDeviceSynchronize() == cudaErrorInitializationError ? 7 : 8);
    int status = 0;
    waitpid(child, &status, 0);
    mark<<<1, 32>>>(p);
    std::printf("child %d, parent %s\n", WEXITSTATUS(status), cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
