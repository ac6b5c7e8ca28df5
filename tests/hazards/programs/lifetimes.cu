// Memory that is never freed, freed twice, freed wrongly, used after it was freed, and accesses off their alignment.
//
// check: memory
// case freed: clean
// case leak: leak ALLOC
// case two_of_three_leak: leak ALLOC_TWO
// case managed_leak: leak MANAGED
// case pinned_leak: leak PINNED
// case async_freed: clean
// case double_free: invalid-free AGAIN
// case free_inside: invalid-free INSIDE
// case free_of_host_memory: invalid-free OF_HOST
// case free_by_the_wrong_call: invalid-free WRONG_CALL; maybe leak
// case free_of_null: clean
// case use_after_free: use-after-free USE
// case use_before_free: clean
// case copy_after_free: use-after-free COPY
// case misaligned_vector: misaligned VECTOR
// case aligned_vector: clean
// case misaligned_word: misaligned WORD
// case device_heap_freed: clean
// case device_heap_leak: leak
#include <cstdlib>
#include <cstring>

__device__ float out[64];
__device__ float* kept[64];

__global__ void fill(float* values) {
    values[threadIdx.x] = 1;  // @USE
}
__global__ void vectors(const float* values) {
    const float2 both = reinterpret_cast<const float2*>(values)[threadIdx.x];  // @VECTOR
    out[threadIdx.x] = both.x + both.y;
}
__global__ void words(const char* bytes, int step) {
    out[threadIdx.x] = *reinterpret_cast<const int*>(bytes + step * threadIdx.x);  // @WORD
}
__global__ void heap(bool frees) {
    float* const own = static_cast<float*>(malloc(64));
    own[0] = threadIdx.x;
    kept[threadIdx.x] = own;
    out[threadIdx.x] = own[0];
    if (frees) free(own);
}

__attribute__((noinline)) bool free_twice(float* values) {
    cudaFree(values);
    cudaFree(values);  // @AGAIN
    return cudaGetLastError() == cudaSuccess;
}

float* make() {
    float* values = nullptr;
    cudaMalloc(&values, 1024);  // @ALLOC
    cudaMemset(values, 0, 1024);
    return values;
}

int main(int, char** argv) {
    const auto is = [&](const char* name) { return !strcmp(argv[1], name); };
    if (is("two_of_three_leak")) {
        float* three[3];
        for (float*& one : three) cudaMalloc(&one, 512);  // @ALLOC_TWO
        cudaFree(three[1]);
        return 0;
    }
    if (is("managed_leak")) {
        float* values = nullptr;
        cudaMallocManaged(&values, 1024);  // @MANAGED
        values[0] = 1;
        return 0;
    }
    if (is("pinned_leak")) {
        float* values = nullptr;
        cudaMallocHost(&values, 1024);  // @PINNED
        values[0] = 1;
        return 0;
    }
    if (is("async_freed")) {
        float* values = nullptr;
        cudaMallocAsync(&values, 1024, nullptr);
        fill<<<1, 32>>>(values);
        cudaFreeAsync(values, nullptr);
        return cudaDeviceSynchronize();
    }
    if (is("device_heap_freed") || is("device_heap_leak")) {
        heap<<<1, 32>>>(is("device_heap_freed"));
        return cudaDeviceSynchronize();
    }
    float* const values = make();
    if (is("double_free")) {
        return free_twice(values);
    }
    if (is("free_inside")) cudaFree(values + 4);  // @INSIDE
    if (is("free_of_host_memory")) {
        void* const on_host = malloc(64);
        cudaFree(on_host);  // @OF_HOST
        free(on_host);
    }
    if (is("free_by_the_wrong_call")) cudaFreeHost(values);  // @WRONG_CALL
    if (is("free_of_null")) cudaFree(nullptr);
    if (is("use_after_free")) {
        cudaFree(values);
        fill<<<1, 32>>>(values);
        cudaDeviceSynchronize();
        return 0;
    }
    if (is("copy_after_free")) {
        float first = 0;
        cudaFree(values);
        cudaMemcpy(&first, values, sizeof first, cudaMemcpyDeviceToHost);  // @COPY
        return 0;
    }
    if (is("use_before_free") || is("freed")) fill<<<1, 32>>>(values);
    if (is("misaligned_vector")) vectors<<<1, 32>>>(values + 1);
    if (is("aligned_vector")) vectors<<<1, 32>>>(values + 2);
    if (is("misaligned_word")) words<<<1, 32>>>(reinterpret_cast<const char*>(values), 3);
    cudaDeviceSynchronize();
    if (!is("leak")) cudaFree(values);
}
