// Like NVIDIA/cuda-samples 0_Introduction/simpleStreams/simpleStreams.cu; flags: -std=c++14
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <stdio.h>
#include <sys/mman.h>
__global__ void init_array(int* g_data, int* factor, int num_iterations) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < num_iterations; i++) g_data[idx] += *factor;
}
int main(int argc, char** argv) {
    const int nstreams = 4, n = 4096, niterations = 3;
    findCudaDevice(argc, (const char**)argv);
    checkCudaErrors(cudaSetDeviceFlags(cudaDeviceScheduleYield | cudaDeviceMapHost));
    int c = 5, *d_a, *d_c,
        *h_a = (int*)mmap(NULL, n * sizeof(int), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    checkCudaErrors(cudaHostRegister(h_a, n * sizeof(int), cudaHostRegisterMapped));
    checkCudaErrors(cudaMalloc((void**)&d_a, n * sizeof(int)));
    checkCudaErrors(cudaMemset(d_a, 0x0, n * sizeof(int)));
    checkCudaErrors(cudaMalloc((void**)&d_c, sizeof(int)));
    checkCudaErrors(cudaMemcpy(d_c, &c, sizeof(int), cudaMemcpyHostToDevice));
    cudaStream_t* streams = (cudaStream_t*)malloc(nstreams * sizeof(cudaStream_t));
    for (int i = 0; i < nstreams; i++) checkCudaErrors(cudaStreamCreate(&(streams[i])));
    cudaEvent_t start, stop;
    checkCudaErrors(cudaEventCreateWithFlags(&start, cudaEventBlockingSync));
    checkCudaErrors(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
    checkCudaErrors(cudaEventRecord(start, 0));
    for (int i = 0; i < nstreams; i++)
        init_array<<<dim3(n / nstreams / 256), dim3(256, 1), 0, streams[i]>>>(d_a + i * n / nstreams, d_c, niterations);
    for (int i = 0; i < nstreams; i++)
        checkCudaErrors(cudaMemcpyAsync(h_a + i * n / nstreams, d_a + i * n / nstreams, n * sizeof(int) / nstreams,
                                        cudaMemcpyDeviceToHost, streams[i]));
    checkCudaErrors(cudaEventRecord(stop, 0));
    checkCudaErrors(cudaEventSynchronize(stop));
    float ms;
    checkCudaErrors(cudaEventElapsedTime(&ms, start, stop));
    bool ok = cudaStreamQuery(streams[0]) == cudaSuccess;
    for (int i = 0; i < n; i++) ok = ok && h_a[i] == c * niterations;
    printf("%s\n", ok ? "PASS" : "FAIL");
    for (int i = 0; i < nstreams; i++) checkCudaErrors(cudaStreamDestroy(streams[i]));
    free(streams);
    checkCudaErrors(cudaEventDestroy(start));
    checkCudaErrors(cudaEventDestroy(stop));
    checkCudaErrors(cudaHostUnregister(h_a));
    munmap(h_a, n * sizeof(int));
    checkCudaErrors(cudaFree(d_a));
    checkCudaErrors(cudaFree(d_c));
    return !ok;
}
