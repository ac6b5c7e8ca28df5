// The least that the largest exponent of a sum counts as: below it, bits are kept down to one fixed place.
//
// usage: tensor_least     a line for each place: 1 where bits there count
//
// tf32, a factor of 16 - 7 / 2^n and seven of 1 / 2^n, all of them 2^-153: their sum is the least f32, 2^-149, or,
// where bits at 2^-(153 + n) are cut off, less and so 0.
#include <cstdint>
#include <cstdio>

#include <cuda_runtime.h>

__global__ void sum(int n, unsigned* out) {
    const unsigned lane = threadIdx.x, column = lane % 4;
    const auto power = [](int exponent) { return __uint_as_float(static_cast<unsigned>(exponent + 127) << 23); };
    // Column k of A's first row, and all of B's: 2^-80.
    const auto left = [&](unsigned k) {
        const float whole = k == 0 ? static_cast<float>((16 << n) - 7) : 1.0f;
        return lane < 4 ? __float_as_uint(whole * power(-73 - n)) : 0u;
    };
    const unsigned right = __float_as_uint(power(-80));
    unsigned d[4] = {};
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%8}, {%0,%1,%2,%3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(left(column)), "r"(0), "r"(left(column + 4)), "r"(0), "r"(right));
    if (lane == 0) *out = d[0];
}

int main() {
    unsigned* out = nullptr;
    cudaMalloc(&out, 4);
    for (int n = 0; n < 8; ++n) {
        sum<<<1, 32>>>(n, out);
        unsigned bits = 0;
        cudaMemcpy(&bits, out, 4, cudaMemcpyDeviceToHost);
        std::printf("2^-%d: %u\n", 153 + n, bits);
    }
    return 0;
}
