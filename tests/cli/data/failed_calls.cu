// Calls that CUDA refuses, and what the program does about it: the first argument names the call, the second one
// ("reads", "peeks", "checks") whether the error is asked for afterwards.
#include <cstdio>
#include <cstdlib>
#include <string>

__constant__ int table[4];

__global__ void plain(int* out) { out[threadIdx.x % 256] = 1; }

__global__ void __launch_bounds__(128) bounded(int* out) { out[threadIdx.x] = 1; }

int main(int count, char** arguments) {
    const std::string what = count > 1 ? arguments[1] : "", then = count > 2 ? arguments[2] : "";
    int* out = nullptr;
    int host[8] = {};
    cudaMalloc(&out, 8192);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamDestroy(stream);
    if (what == "threads") plain<<<1, 2048>>>(out);
    if (what == "no blocks") plain<<<0, 32>>>(out);
    if (what == "grid") plain<<<dim3(1, 70000), 32>>>(out);
    if (what == "bounds") bounded<<<1, 256>>>(out);
    if (what == "shared") plain<<<1, 32, 60000>>>(out);
    if (what == "too much shared") plain<<<1, 32, 400000>>>(out);
    if (what == "stream") plain<<<1, 32, 0, stream>>>(out);
    if (what == "function") cudaLaunchKernel(reinterpret_cast<void*>(main), dim3(1), dim3(1), nullptr, 0, nullptr);
    if (what == "malloc") cudaMalloc(&out, size_t{1} << 50);
    if (what == "free") cudaFree(out);
    if (what == "free") cudaFree(out);
    if (what == "direction") cudaMemcpy(out, host, 32, cudaMemcpyDeviceToHost);
    if (what == "length") cudaMemcpy(out, host, 16384, cudaMemcpyHostToDevice);
    if (what == "symbol") cudaMemcpyToSymbol(host, host, 4);
    if (what == "symbol length") cudaMemcpyToSymbol(table, host, 32);
    if (what == "often")
        for (int i = 0; i < 5000; ++i) plain<<<1, 2048>>>(out);
    if (what == "flags") cudaStreamGetFlags(stream, nullptr);
    if (what == "pool") cudaDeviceGetDefaultMemPool(nullptr, 0);
    if (what == "elapsed" || what == "untimed") {
        cudaEvent_t first, last;
        cudaEventCreate(&first);
        cudaEventCreateWithFlags(&last, what == "untimed" ? cudaEventDisableTiming : cudaEventDefault);
        cudaEventRecord(what == "untimed" ? first : last);
        float milliseconds = 0;
        cudaEventElapsedTime(&milliseconds, first, last);
    }
    if (then == "reads") std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
    if (then == "peeks") cudaPeekAtLastError();
    if (then == "dies") abort();
    if (then == "checks" && cudaGetLastError() != cudaSuccess) return 1;
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
