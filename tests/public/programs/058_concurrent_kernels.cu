// Like NVIDIA/cuda-samples 0_Introduction/concurrentKernels/concurrentKernels.cu; flags: -std=c++14
#include <cooperative_groups.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <stdio.h>
namespace cg = cooperative_groups;
__global__ void clock_block(clock_t* d_o, clock_t clock_count) {
    unsigned int start_clock = (unsigned int)clock();
    clock_t clock_offset = 0;
    while (clock_offset < clock_count) {
        unsigned int end_clock = (unsigned int)clock();
        clock_offset = (clock_t)(end_clock - start_clock);
    }
    d_o[0] = clock_offset;
}
__global__ void sum(clock_t* d_clocks, int n) {
    cg::thread_block cta = cg::this_thread_block();
    __shared__ clock_t s[32];
    clock_t mine = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) mine += d_clocks[i];
    s[threadIdx.x] = mine;
    cg::sync(cta);
    for (int i = 16; i > 0; i /= 2) {
        if (threadIdx.x < i) s[threadIdx.x] += s[threadIdx.x + i];
        cg::sync(cta);
    }
    d_clocks[0] = s[0];
}
int main(int argc, char** argv) {
    int nkernels = 4, device = findCudaDevice(argc, (const char**)argv), rate;
    cudaDeviceProp prop;
    checkCudaErrors(cudaGetDevice(&device));
    checkCudaErrors(cudaGetDeviceProperties(&prop, device));
    if (prop.concurrentKernels == 0) printf("no concurrent kernels\n");
    checkCudaErrors(cudaDeviceGetAttribute(&rate, cudaDevAttrClockRate, device));
    clock_t *a = 0, *d_a = 0;
    checkCudaErrors(cudaMallocHost((void**)&a, nkernels * sizeof(clock_t)));
    checkCudaErrors(cudaMalloc((void**)&d_a, nkernels * sizeof(clock_t)));
    cudaStream_t streams[5];
    cudaEvent_t start, stop, done[4];
    for (cudaStream_t& s : streams) checkCudaErrors(cudaStreamCreate(&s));
    checkCudaErrors(cudaEventCreate(&start));
    checkCudaErrors(cudaEventCreate(&stop));
    for (cudaEvent_t& e : done) checkCudaErrors(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    cudaEventRecord(start, 0);
    for (int i = 0; i < nkernels; ++i) {
        clock_block<<<1, 1, 0, streams[i]>>>(&d_a[i], 1000);
        checkCudaErrors(cudaEventRecord(done[i], streams[i]));
        checkCudaErrors(cudaStreamWaitEvent(streams[4], done[i], 0));
    }
    sum<<<1, 32, 0, streams[4]>>>(d_a, nkernels);
    checkCudaErrors(cudaMemcpyAsync(a, d_a, sizeof(clock_t), cudaMemcpyDeviceToHost, streams[4]));
    checkCudaErrors(cudaEventRecord(stop, 0));
    checkCudaErrors(cudaEventSynchronize(stop));
    float ms;
    checkCudaErrors(cudaEventElapsedTime(&ms, start, stop));
    bool ok = a[0] >= 4000;
    printf("%s\n", ok ? "PASS" : "FAIL");
    for (cudaStream_t s : streams) cudaStreamDestroy(s);
    for (cudaEvent_t e : done) cudaEventDestroy(e);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFreeHost(a);
    cudaFree(d_a);
    return !ok;
}
