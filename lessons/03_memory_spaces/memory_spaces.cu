// Where does a variable lie, who sees it, how long does it live, and how many of it are there?
//
//   memory_spaces every      a kernel with one variable of each kind: 1000 blocks of 512 threads
//   memory_spaces weights    four values of each thread, one and 128 of each block: 8 blocks of 128 threads
//   memory_spaces registers  16 multiply-adds whose operands lie in registers
//   memory_spaces memory     the same 16 with an operand in global memory
//
// Build it alone: nvcc -std=c++17 memory_spaces.cu
#include "../lesson.h"

constexpr int kBins = 8;
__constant__ int scale = 3;  // read only: set by the host, seen by all threads of all launches
__device__ int bonus = 2;    // global memory with a name: seen by all, and it outlives the launch

__global__ void every(const int* in, int* out) {
    __shared__ int first;                                  // one for each block, gone with the block
    int mine = in[blockIdx.x * blockDim.x + threadIdx.x];  // one for each thread, in a register
    int count[kBins];                                      // one for each thread, but indexed at run time: local memory
    if (threadIdx.x == 0) first = mine;
#pragma unroll 1
    for (int k = 0; k < kBins; ++k) count[k] = k;
    __syncthreads();
    count[mine % kBins] += scale * first + bonus;  // [local]
    out[blockIdx.x * blockDim.x + threadIdx.x] = count[(mine + first) % kBins];
}

// Ten operations for 24 bytes of global memory. All indices of x are constants once the loop is unrolled.
__global__ void weights(const float* a, float* b, int stride) {
    float x[4];
    __shared__ float first;
    __shared__ float values[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < 4; ++j) x[j] = a[j * stride + i];
    if (threadIdx.x == 0) first = x[0];
    values[threadIdx.x] = b[i];
    __syncthreads();
    b[i] = 2.5f * x[0] + 0.5f * x[1] + 1.5f * x[2] + 3.0f * x[3] + first * values[threadIdx.x] +
           values[(threadIdx.x + 3) % 128];
}

__global__ void registers(const float* in, float* out) {
    int i = threadIdx.x;
    float x = in[i], sum = 0;
#pragma unroll
    for (int k = 0; k < 16; ++k) sum = sum * 0.5f + x;  // [sum]
    out[i] = sum;
}

// volatile: every mention of in[i] is a load, as it would be for 16 different elements.
__global__ void memory(const volatile float* in, float* out) {
    int i = threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 16; ++k) sum = sum * 0.5f + in[i];  // [sum]
    out[i] = sum;
}

int main(int argc, char** argv) {
    const char* variant = argc > 1 ? argv[1] : "every";
    Verdict verdict;
    if (is(variant, "every")) {
        const int threads = 512, n = 1000 * threads;
        std::vector<int> in(n), want(n);
        for (int i = 0; i < n; ++i) in[i] = i * 7 % 1001;
        for (int i = 0; i < n; ++i) {
            const int first = in[i / threads * threads], asked = (in[i] + first) % kBins;
            want[i] = asked + (asked == in[i] % kBins ? 3 * first + 2 : 0);
        }
        int *d_in = to_device(in), *d_out = device_buffer<int>(n);
        launch("every", [&] { every<<<1000, threads>>>(d_in, d_out); });
        verdict.equal("every", to_host(d_out, n), want);
    } else if (is(variant, "weights")) {
        const int n = 8 * 128;
        const std::vector<float> a = eighths(4 * n, 1), b = eighths(n, 2);
        std::vector<float> want(n);
        for (int i = 0; i < n; ++i) {
            const int block = i / 128 * 128;
            want[i] = 2.5f * a[i] + 0.5f * a[n + i] + 1.5f * a[2 * n + i] + 3.0f * a[3 * n + i] + a[block] * b[i] +
                      b[block + (i - block + 3) % 128];
        }
        float *d_a = to_device(a), *d_b = to_device(b);
        weights<<<8, 128>>>(d_a, d_b, n);  // writes over what it reads: once only
        CHECK(cudaDeviceSynchronize());
        verdict.equal("weights", to_host(d_b, n), want);
    } else if (is(variant, "registers") || is(variant, "memory")) {
        const std::vector<float> in(32, 1.0f);  // 1, 1.5, 1.75, ...: exact
        float sum = 0;
        for (int k = 0; k < 16; ++k) sum = sum * 0.5f + 1.0f;
        float *d_in = to_device(in), *d_out = device_buffer<float>(32);
        const bool in_registers = is(variant, "registers");
        launch(variant, [&] {
            if (in_registers)
                registers<<<1, 32>>>(d_in, d_out);
            else
                memory<<<1, 32>>>(d_in, d_out);
        });
        verdict.equal(variant, to_host(d_out, 32), std::vector<float>(32, sum));
    } else {
        std::fprintf(stderr, "usage: %s [every|weights|registers|memory]\n", argv[0]);
        return 1;
    }
    return verdict.status();
}
