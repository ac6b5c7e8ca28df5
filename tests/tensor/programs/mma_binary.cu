// A layer of a binary network: signs as bits, 32 to a word; the product of two is 256 less twice the bits that differ.
#include "product_check.h"

constexpr int kM = 32, kN = 32, kWords = 16;  // 512 signs

__global__ void product(const unsigned* a, const unsigned* b, int* c) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4;
    const int row = warp / 4 * 16 + g, column = warp % 4 * 8;
    int d[4] = {};
    for (int k = 0; k < kWords; k += 8) {
        unsigned left[4], right[2];
        for (int r = 0; r < 4; ++r) left[r] = a[(row + r % 2 * 8) * kWords + k + t + r / 2 * 4];
        for (int r = 0; r < 2; ++r) right[r] = b[(column + g) * kWords + k + t + r * 4];
        asm volatile(
            "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
            "{%0,%1,%2,%3};"
            : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
            : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]));
    }
    for (int e = 0; e < 4; ++e) c[(row + e / 2 * 8) * kN + column + t * 2 + e % 2] = kWords * 32 - 2 * d[e];
}

int main() {
    std::vector<unsigned> a(kM * kWords), b(kN * kWords);
    Random random{9};
    for (auto& x : a) x = random.bits() << 16 ^ random.bits();
    for (auto& x : b) x = random.bits() << 16 ^ random.bits();
    int* const c = to_device(std::vector<int>(kM * kN));
    product<<<1, 256>>>(to_device(a), to_device(b), c);
    return judge(
        to_host(c, kM * kN),
        [&](std::size_t i) {
            int sum = 0;
            for (int k = 0; k < kWords * 32; ++k) {
                const unsigned x = a[i / kN * kWords + k / 32] >> k % 32 & 1,
                               y = b[i % kN * kWords + k / 32] >> k % 32 & 1;
                sum += x == y ? 1 : -1;
            }
            return sum;
        },
        0);
}
