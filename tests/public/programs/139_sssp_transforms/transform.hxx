// Transforms by a lambda of the device, and memory that frees itself.
#pragma once
#include <cuda_runtime.h>
#include <vector>
namespace ours {
template <typename func_t>
__global__ void launch_cta_cta(func_t f, int count) {
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < count) f(index);
}
struct context_t {
    cudaStream_t stream = 0;
    void synchronize() { cudaStreamSynchronize(stream); }
};
template <typename func_t>
void transform(func_t f, int count, context_t& context) {
    if (count) launch_cta_cta<<<(count + 127) / 128, 128, 0, context.stream>>>(f, count);
}
template <typename T>
class mem_t {
public:
    explicit mem_t(const std::vector<T>& from) : size_(from.size()) {
        cudaMalloc((void**)&at_, size_ * sizeof(T));
        cudaMemcpy(at_, from.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
    }
    mem_t(const mem_t&) = delete;
    ~mem_t() { cudaFree(at_); }
    T* data() { return at_; }

private:
    size_t size_;
    T* at_ = nullptr;
};
template <typename T>
std::vector<T> from_mem(mem_t<T>& mem, size_t n) {
    std::vector<T> host(n);
    cudaMemcpy(host.data(), mem.data(), n * sizeof(T), cudaMemcpyDeviceToHost);
    return host;
}
}  // namespace ours
