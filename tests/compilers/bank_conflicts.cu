// The textbook's bank conflicts: each thread writes a word and, behind a barrier, reads one, at a stride. Every thread
// reads what it wrote itself, which a compiler that forgets the other threads takes for reason enough to ask memory for
// nothing.
#include <cstdio>

constexpr int kThreads = 32;
constexpr int kMostStride = 32;

__global__ void strided(float* out, const float* in, int stride) {
    __shared__ float words[kThreads * kMostStride];
    words[threadIdx.x * stride] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = words[threadIdx.x * stride];
}

int main() {
    float *in, *out;
    int wrong = 0;
    cudaMallocManaged(&in, kThreads * sizeof(float));
    cudaMallocManaged(&out, kThreads * sizeof(float));
    for (int i = 0; i < kThreads; ++i) in[i] = (float)(i + 1);
    for (int stride = 1; stride <= kMostStride; stride *= 2) {
        strided<<<1, kThreads>>>(out, in, stride);
        cudaDeviceSynchronize();
        for (int i = 0; i < kThreads; ++i) wrong += out[i] != (float)(i + 1);
    }
    printf("%s strides\n", wrong == 0 ? "PASS" : "FAIL");
    return wrong != 0;
}
