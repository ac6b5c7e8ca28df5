// Like NVIDIA/cuda-samples 0_Introduction/simpleCallback (simpleCallback.cu, multithreading.cpp); flags: -std=c++14
// -Xcompiler -pthread
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <stdio.h>
#include "multithreading.h"
const int N_workloads = 3;
const int n = 512;
CUTBarrier thread_barrier;
struct heterogeneous_workload {
    int id;
    int* h_data;
    int* d_data;
    cudaStream_t stream;
    bool success;
};
__global__ void incKernel(int* data, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) data[i]++;
}
CUT_THREADPROC postprocess(void* void_arg) {
    heterogeneous_workload* w = (heterogeneous_workload*)void_arg;
    checkCudaErrors(cudaSetDevice(0));
    w->success = true;
    for (int i = 0; i < n; i++) w->success &= w->h_data[i] == i + w->id + 1;
    checkCudaErrors(cudaFree(w->d_data));
    checkCudaErrors(cudaFreeHost(w->h_data));
    checkCudaErrors(cudaStreamDestroy(w->stream));
    cutIncrementBarrier(&thread_barrier);
    CUT_THREADEND;
}
void CUDART_CB myStreamCallback(cudaStream_t stream, cudaError_t status, void* data) {
    checkCudaErrors(status);
    cutStartThread(postprocess, data);
}
CUT_THREADPROC launch(void* void_arg) {
    heterogeneous_workload* w = (heterogeneous_workload*)void_arg;
    checkCudaErrors(cudaSetDevice(0));
    checkCudaErrors(cudaStreamCreate(&w->stream));
    checkCudaErrors(cudaMalloc(&w->d_data, n * sizeof(int)));
    checkCudaErrors(cudaHostAlloc(&w->h_data, n * sizeof(int), cudaHostAllocPortable));
    for (int i = 0; i < n; i++) w->h_data[i] = i + w->id;
    checkCudaErrors(cudaMemcpyAsync(w->d_data, w->h_data, n * sizeof(int), cudaMemcpyHostToDevice, w->stream));
    incKernel<<<dim3((n + 63) / 64), dim3(64), 0, w->stream>>>(w->d_data, n);
    checkCudaErrors(cudaMemcpyAsync(w->h_data, w->d_data, n * sizeof(int), cudaMemcpyDeviceToHost, w->stream));
    checkCudaErrors(cudaStreamAddCallback(w->stream, myStreamCallback, w, 0));
    CUT_THREADEND;
}
int main(int argc, char** argv) {
    heterogeneous_workload workloads[N_workloads];
    thread_barrier = cutCreateBarrier(N_workloads);
    for (int i = 0; i < N_workloads; i++) {
        workloads[i].id = i;
        cutStartThread(launch, &workloads[i]);
    }
    cutWaitForBarrier(&thread_barrier);
    bool ok = true;
    for (int i = 0; i < N_workloads; i++) ok &= workloads[i].success;
    printf("%s\n", ok ? "PASS" : "FAIL");
    exit(ok ? EXIT_SUCCESS : EXIT_FAILURE);
}
