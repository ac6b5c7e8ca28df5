// The first program of the book: adds two lists of numbers, each thread one pair.
#include <cstdio>
#include <vector>

__global__ void add(const float* a, const float* b, float* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;  // which thread of all am I?
    if (i < n) sum[i] = a[i] + b[i];
}

int main() {
    const int n = 1000, bytes = n * sizeof(float);
    std::vector<float> a(n, 1.0f), b(n, 2.0f), sum(n);
    float *d_a, *d_b, *d_sum;  // addresses on the device
    cudaMalloc(&d_a, bytes);
    cudaMalloc(&d_b, bytes);
    cudaMalloc(&d_sum, bytes);
    cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice);
    // 4 blocks of 256 threads: 1024, of which 1000 have work.
    add<<<4, 256>>>(d_a, d_b, d_sum, n);
    cudaMemcpy(sum.data(), d_sum, bytes, cudaMemcpyDeviceToHost);
    std::printf("the last sum is %g\n", sum[n - 1]);
    return sum[n - 1] == 3.0f ? 0 : 1;
}
