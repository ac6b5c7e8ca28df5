// Like NVIDIA/cuda-samples 0_Introduction/systemWideAtomics/systemWideAtomics.cu; flags: -std=c++14
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <math.h>
#include <stdint.h>
#include <cstdio>
#include <ctime>
#define min(a, b) (a) < (b) ? (a) : (b)
#define max(a, b) (a) > (b) ? (a) : (b)
__global__ void atomicKernel(int* a) {
    unsigned int tid = blockDim.x * blockIdx.x + threadIdx.x;
    atomicAdd_system(&a[0], 10);
    atomicExch_system(&a[1], tid);
    atomicMax_system(&a[2], tid);
    atomicMin_system(&a[3], tid);
    atomicInc_system((unsigned int*)&a[4], 17);
    atomicDec_system((unsigned int*)&a[5], 137);
    atomicCAS_system(&a[6], tid - 1, tid);
    atomicAnd_system(&a[7], 2 * tid + 7);
    atomicOr_system(&a[8], 1 << (tid % 31));
    atomicXor_system(&a[9], tid);
}
int main(int argc, char** argv) {
    int dev = findCudaDevice(argc, (const char**)argv), mode, *a;
    cudaDeviceProp prop;
    checkCudaErrors(cudaGetDeviceProperties(&prop, dev));
    if (!prop.managedMemory) exit(EXIT_WAIVED);
    checkCudaErrors(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, dev));
    if (mode == cudaComputeModeProhibited || prop.major < 6) exit(EXIT_WAIVED);
    if (prop.pageableMemoryAccess)
        a = (int*)malloc(sizeof(int) * 10);
    else
        checkCudaErrors(cudaMallocManaged(&a, sizeof(int) * 10));
    for (int i = 0; i < 10; i++) a[i] = 0;
    a[7] = a[9] = 0xff;
    atomicKernel<<<4, 64>>>(a);
    checkCudaErrors(cudaDeviceSynchronize());
    for (int i = 256; i < 300; i++) {
        __sync_fetch_and_add(&a[0], 10);
        int expected = a[2], seen = __sync_val_compare_and_swap(&a[2], expected, max(expected, i));
        if (seen != expected) exit(1);
        __sync_fetch_and_xor(&a[9], i);
    }
    int bits_and = 0xff, bits_xor = 0xff, inc = 0, dec = 0;
    for (int i = 0; i < 300; i++) {
        bits_xor ^= i;
        if (i >= 256) continue;
        bits_and &= 2 * i + 7;
        inc = inc >= 17 ? 0 : inc + 1;
        dec = dec == 0 || dec > 137 ? 137 : dec - 1;
    }
    bool ok = a[0] == 3000 && a[1] < 256 && a[2] == 299 && a[3] == 0 && a[4] == inc && a[5] == dec && a[6] < 256 &&
              a[7] == bits_and && a[8] == 0x7fffffff && a[9] == bits_xor;
    printf("%s\n", ok ? "PASS" : "FAIL");
    if (prop.pageableMemoryAccess)
        free(a);
    else
        cudaFree(a);
    exit(ok ? EXIT_SUCCESS : EXIT_FAILURE);
}
