// Like zjin-lcf/HeCBench src/concurrentKernels-cuda/main.cu; flags: -std=c++14
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
long get_time() {
    struct timeval tv;
    gettimeofday(&tv, NULL);
    return (tv.tv_sec * 1000000) + tv.tv_usec;
}
__global__ void busy(long* out, long rounds) {
    long value = 0;
    for (int i = 0; i < rounds; i++) value += i % 5;
    out[0] = value;
}
__global__ void sum(long* d, int n) {
    __shared__ long s[32];
    long mine = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) mine += d[i];
    s[threadIdx.x] = mine;
    __syncthreads();
    for (int i = 16; i > 0; i /= 2) {
        if (threadIdx.x < i) s[threadIdx.x] += s[threadIdx.x + i];
        __syncthreads();
    }
    d[0] = s[0];
}
int main(int argc, char** argv) {
    int nkernels = 6, nstreams = nkernels + 1, nbytes = nkernels * sizeof(long), clockRate;
    long start = get_time();
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    long *a, *d_a;
    cudaMallocHost((void**)&a, nbytes);
    cudaMalloc((void**)&d_a, nbytes);
    cudaStream_t* streams = (cudaStream_t*)malloc(nstreams * sizeof(cudaStream_t));
    for (int i = 0; i < nstreams; i++) cudaStreamCreate(&(streams[i]));
    cudaEvent_t* done = (cudaEvent_t*)malloc(nkernels * sizeof(cudaEvent_t));
    for (int i = 0; i < nkernels; i++) cudaEventCreateWithFlags(&(done[i]), cudaEventDisableTiming);
    cudaDeviceGetAttribute(&clockRate, cudaDevAttrClockRate, 0);
    for (int i = 0; i < nkernels; ++i) {
        busy<<<1, 1, 0, streams[i]>>>(&d_a[i], 300 + i);
        cudaEventRecord(done[i], streams[i]);
        cudaStreamWaitEvent(streams[nstreams - 1], done[i], 0);
    }
    sum<<<1, 32, 0, streams[nstreams - 1]>>>(d_a, nkernels);
    cudaMemcpyAsync(a, d_a, sizeof(long), cudaMemcpyDeviceToHost, streams[nstreams - 1]);
    cudaDeviceSynchronize();
    long want = 0;
    for (int i = 0; i < nkernels; i++)
        for (int k = 0; k < 300 + i; k++) want += k % 5;
    bool ok = a[0] == want && get_time() >= start && clockRate > 0;
    printf("%s\n", ok ? "PASS" : "FAIL");
    for (int i = 0; i < nkernels; i++) {
        cudaStreamDestroy(streams[i]);
        cudaEventDestroy(done[i]);
    }
    cudaStreamDestroy(streams[nkernels]);
    free(streams);
    free(done);
    cudaFreeHost(a);
    cudaFree(d_a);
    return !ok;
}
