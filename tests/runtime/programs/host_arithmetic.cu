// A program whose own floating point is unusual: denormal numbers count as zero, as in whatever is linked with
// -ffast-math, numbers are rounded upwards, and it is stopped where one is divided by zero. Kernels have none of that,
// and leave it as it is.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cfenv>
#include <cstdio>
#include <cstring>

constexpr int kResults = 12;

__global__ void compute(float* results, float tiny, float third, double large, unsigned short half) {
    results[0] = tiny * 0.5f;
    results[1] = tiny + tiny;
    results[2] = __half2float(__ushort_as_half(half));
    results[3] = static_cast<float>(large * 1e-300 * 1e-40);
    results[4] = 1.0f / third;
    results[5] = third / (third - third);
    results[6] = sqrtf(-third);
    results[7] = static_cast<float>(large * large);
    results[8] = static_cast<float>(1.0 / 3.0 * static_cast<double>(third));
    results[9] = __half2float(__float2half(third));
    results[10] = third * third + tiny;
    results[11] = expf(third);
}

struct Results {
    float values[kResults];
    bool kept = true;
};

unsigned vectors() {
    unsigned word;
    asm volatile("stmxcsr %0" : "=m"(word));
    return word;
}

void set_vectors(unsigned word) { asm volatile("ldmxcsr %0" : : "m"(word)); }

Results run() {
    Results results;
    float* device = nullptr;
    const unsigned before = vectors();
    const int rounding = std::fegetround();
    cudaMalloc(&device, sizeof results.values);
    compute<<<1, 1>>>(device, 1.5e-38f, 3.0f, 1e300, 3);
    cudaMemcpy(results.values, device, sizeof results.values, cudaMemcpyDeviceToHost);
    cudaFree(device);
    results.kept = vectors() == before && std::fegetround() == rounding;
    return results;
}

bool is_same(const char* name, const Results& first, const Results& now) {
    const bool same = std::memcmp(first.values, now.values, sizeof first.values) == 0;
    std::printf("%s: %s, %s\n", name, same ? "the same" : "other results", now.kept ? "kept" : "changed");
    return same && now.kept;
}

int main() {
    constexpr unsigned kFlushed = 0x8040, kTrapped = 0x0e80;  // the masks of what is no number, of zero and overflow
    const unsigned plain = vectors();
    const Results first = run();
    bool all = first.kept && first.values[0] > 0;
    set_vectors(plain | kFlushed);
    const Results flushed = run();
    set_vectors(plain & ~kTrapped);
    const Results trapped = run();
    set_vectors(plain);
    std::fesetround(FE_UPWARD);
    const Results upward = run();
    std::fesetround(FE_TONEAREST);
    all &= is_same("flushed", first, flushed);
    all &= is_same("trapped", first, trapped);
    all &= is_same("upward", first, upward);
    return all ? 0 : 1;
}
