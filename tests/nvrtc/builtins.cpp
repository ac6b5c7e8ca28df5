// What is there without any header: types, mathematics, atomics, shuffles, votes, shared memory, printf and assert.
#include "compile.h"
#include "device.h"

int main() {
    const Compiled made = compile_well({R"(
struct Pair { float first; int second; };
__device__ unsigned hits;

extern "C" __global__ void everything(float4* vectors, double* numbers, int* out) {
    extern __shared__ float rows[];
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    const dim3 shape(2, 3);
    const float4 v = make_float4(threadIdx.x, 1.0f, 2.0f, 3.0f);
    vectors[threadIdx.x] = v;
    atomicAdd(&total, 1);
    atomicInc(&hits, 1000u);
    const int sum = __reduce_add_sync(0xffffffffu, (int)threadIdx.x);
    const int next = __shfl_down_sync(0xffffffffu, (int)threadIdx.x, 1);
    const unsigned odd = __ballot_sync(0xffffffffu, threadIdx.x & 1);
    __syncthreads();
    size_t bytes = sizeof(Pair);
    assert(bytes == 8);
    numbers[threadIdx.x] = sqrt(16.0) + pow(2.0, 3) + fmaxf(1.0f, 2.0f) + abs(-5) + min(3, 4) + floor(2.5);
    if (threadIdx.x == 0) {
        out[0] = total;
        out[1] = sum;
        out[2] = next;
        out[3] = (int)odd;
        out[4] = shape.x * 100 + shape.y * 10 + shape.z;
        out[5] = __popc(0xffu) + __clz(1) + warpSize;
        out[6] = __CUDA_ARCH__ >= 800;
#ifdef __CUDACC_RTC__
        out[7] = 1;
#endif
        printf("hello from %s, block %d\n", "NVRTC", (int)blockIdx.x);
    }
}
)",
                                        "builtins.cu",
                                        {"--gpu-architecture=compute_80"}});
    Device device;
    const Array<float> vectors(std::vector<float>(128));
    const Array<double> numbers(std::vector<double>(32));
    const Array<int> out(std::vector<int>(8));
    launch(function_in(load(made.ptx), "everything"), 1, 32, vectors.at(), numbers.at(), out.at());
    expect(vectors.values()[4 * 7] == 7.0f && vectors.values()[4 * 7 + 3] == 3.0f, "vectors");
    expect(numbers.values()[5] == 24.0, "mathematics");
    const std::vector<int> wanted = {32, 496, 1, static_cast<int>(0xaaaaaaaau), 231, 71, 1, 1};
    expect(out.values() == wanted, "integers");
    return verdict();
}
