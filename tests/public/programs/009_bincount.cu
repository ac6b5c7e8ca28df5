// Like zjin-lcf/HeCBench src/bincount-cuda/main.cu; flags: -std=c++14
#include <cuda.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#define FOR_KERNEL_LOOP(i, lim) \
    for (IndexType i = blockIdx.x * blockDim.x + threadIdx.x; i < lim; i += gridDim.x * blockDim.x)
enum class Where { SHARED, GLOBAL };
template <typename input_t, typename IndexType>
__host__ __device__ static IndexType bin_of(input_t v, input_t low, input_t high, IndexType nbins) {
    IndexType bin = (v - low) * nbins / (high - low);
    return bin == nbins ? bin - 1 : bin;
}
template <typename output_t, typename input_t, typename IndexType, Where where>
__global__ void count(output_t* output, const input_t* input, IndexType nbins, input_t low, input_t high,
                      IndexType size) {
    extern __shared__ unsigned char my_smem[];
    output_t* bins = where == Where::SHARED ? reinterpret_cast<output_t*>(my_smem) : output;
    if (where == Where::SHARED) {
        for (IndexType i = threadIdx.x; i < nbins; i += blockDim.x) bins[i] = 0;
        __syncthreads();
    }
    FOR_KERNEL_LOOP(i, size) atomicAdd(&bins[bin_of<input_t, IndexType>(input[i], low, high, nbins)], 1);
    if (where == Where::SHARED) {
        __syncthreads();
        for (IndexType i = threadIdx.x; i < nbins; i += blockDim.x) atomicAdd(&output[i], bins[i]);
    }
}
template <typename output_t, typename input_t, typename IndexType>
bool eval(IndexType size, IndexType nbins) {
    input_t* input = (input_t*)malloc(size * sizeof(input_t));
    std::default_random_engine generator(123);
    std::normal_distribution<input_t> distribution(5.0, 2.0);
    for (int i = 0; i < size; i++) input[i] = distribution(generator);
    input_t low = *std::min_element(input, input + size), high = *std::max_element(input, input + size);
    output_t *want = (output_t*)calloc(nbins, sizeof(output_t)), *got = (output_t*)malloc(nbins * sizeof(output_t)),
             *d_out;
    for (int i = 0; i < size; i++) want[bin_of(input[i], low, high, nbins)]++;
    input_t* d_in;
    cudaMalloc((void**)&d_in, size * sizeof(input_t));
    cudaMalloc((void**)&d_out, nbins * sizeof(output_t));
    cudaMemcpy(d_in, input, size * sizeof(input_t), cudaMemcpyHostToDevice);
    int most;
    cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlock, 0);
    bool ok = (int)(nbins * sizeof(output_t)) <= most;
    for (int way = 0; way < 2; way++) {
        cudaMemset(d_out, 0, nbins * sizeof(output_t));
        auto start = std::chrono::steady_clock::now();
        if (way)
            count<output_t, input_t, IndexType, Where::SHARED>
                <<<4, 256, nbins * sizeof(output_t)>>>(d_out, d_in, nbins, low, high, size);
        else
            count<output_t, input_t, IndexType, Where::GLOBAL><<<4, 256>>>(d_out, d_in, nbins, low, high, size);
        cudaDeviceSynchronize();
        ok = ok && std::chrono::steady_clock::now() >= start;
        cudaMemcpy(got, d_out, nbins * sizeof(output_t), cudaMemcpyDeviceToHost);
        ok = ok && memcmp(got, want, nbins * sizeof(output_t)) == 0;
    }
    cudaFree(d_in);
    cudaFree(d_out);
    free(input);
    free(want);
    free(got);
    return ok;
}
int main() {
    bool ok = eval<int, float, int>(3000, 96);
    printf("%s\n", ok ? "PASS" : "FAIL");
    return !ok;
}
