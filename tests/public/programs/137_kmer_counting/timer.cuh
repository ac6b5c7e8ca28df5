// Time between two events of the device.
#pragma once
#include <cuda_runtime.h>
class GpuTimer {
public:
    GpuTimer() {
        cudaEventCreate(&start_);
        cudaEventCreate(&stop_);
    }
    ~GpuTimer() {
        cudaEventDestroy(start_);
        cudaEventDestroy(stop_);
    }
    void start(cudaStream_t stream = 0) { cudaEventRecord(start_, stream); }
    float stop_ms(cudaStream_t stream = 0) {
        float ms = 0;
        cudaEventRecord(stop_, stream);
        cudaEventSynchronize(stop_);
        cudaEventElapsedTime(&ms, start_, stop_);
        return ms;
    }

private:
    cudaEvent_t start_{}, stop_{};
};
