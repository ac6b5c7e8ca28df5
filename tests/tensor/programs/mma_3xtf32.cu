// Floats by tf32: each factor as a large and a small part, three products of four, nearly as exact as fp32.
#include "product_check.h"

constexpr int kM = 32, kN = 32, kK = 64;

__device__ unsigned rounded(float x) {
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return bits;
}
__device__ void split(float x, unsigned& large, unsigned& small) {
    large = rounded(x);
    small = rounded(x - __uint_as_float(large));
}
__device__ void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__global__ void product(const float* a, const float* b, float* c) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4;
    const int row = warp / 4 * 16 + g, column = warp % 4 * 8;
    float d[4] = {};
    for (int k = 0; k < kK; k += 8) {
        unsigned left[2][4], right[2][2];
        for (int r = 0; r < 4; ++r) split(a[(row + r % 2 * 8) * kK + k + t + r / 2 * 4], left[0][r], left[1][r]);
        for (int r = 0; r < 2; ++r) split(b[(k + t + r * 4) * kN + column + g], right[0][r], right[1][r]);
        multiply(d, left[1], right[0]);
        multiply(d, left[0], right[1]);
        multiply(d, left[0], right[0]);
    }
    for (int e = 0; e < 4; ++e) c[(row + e / 2 * 8) * kN + column + t * 2 + e % 2] = d[e];
}

int main() {
    std::vector<float> a(kM * kK), b(kK * kN);
    Random random{5};
    for (auto& x : a) x = random.between_halves();
    for (auto& x : b) x = random.between_halves();
    float* const c = to_device(std::vector<float>(kM * kN));
    product<<<1, 256>>>(to_device(a), to_device(b), c);
    return judge(
        to_host(c, kM * kN),
        [&](std::size_t i) {
            double sum = 0;
            for (int k = 0; k < kK; ++k) sum += double{a[i / kN * kK + k]} * b[k * kN + i % kN];
            return sum;
        },
        1e-5);
}
