// CUDA's intrinsics of bytes and halves in a word, and of two or three integers at once: a digest for each.
#include "digests.cuh"

// clang-format off
#define PAIRS(F)                                                                                                   \
    F(__vadd)                                                                                                      \
    F(__vaddss) F(__vaddus) F(__vavgs) F(__vavgu) F(__vhaddu) F(__vcmpeq) F(__vcmpges) F(__vcmpgeu) F(__vcmpgts)   \
        F(__vcmpgtu) F(__vcmples) F(__vcmpleu) F(__vcmplts) F(__vcmpltu) F(__vcmpne) F(__vabsdiffu) F(__vabsdiffs) \
            F(__vmaxs) F(__vmaxu) F(__vmins) F(__vminu) F(__vseteq) F(__vsetges) F(__vsetgeu) F(__vsetgts)         \
                F(__vsetgtu) F(__vsetles) F(__vsetleu) F(__vsetlts) F(__vsetltu) F(__vsetne) F(__vsadu) F(__vsads) \
                    F(__vsub) F(__vsubss) F(__vsubus)
#define SINGLES(F) F(__vabs) F(__vabsss) F(__vneg) F(__vnegss)
#define THREES(F)                                                                                                   \
    F(__vimax3_s32)                                                                                                 \
    F(__vimax3_s16x2) F(__vimax3_u32) F(__vimax3_u16x2) F(__vimin3_s32) F(__vimin3_s16x2) F(__vimin3_u32)           \
        F(__vimin3_u16x2) F(__vimax3_s32_relu) F(__vimax3_s16x2_relu) F(__vimin3_s32_relu) F(__vimin3_s16x2_relu)   \
            F(__viaddmax_s32) F(__viaddmax_s16x2) F(__viaddmax_u32) F(__viaddmax_u16x2) F(__viaddmin_s32)           \
                F(__viaddmin_s16x2) F(__viaddmin_u32) F(__viaddmin_u16x2) F(__viaddmax_s32_relu)                    \
                    F(__viaddmax_s16x2_relu) F(__viaddmin_s32_relu) F(__viaddmin_s16x2_relu) F(__dp4a) F(__dp2a_lo) \
                        F(__dp2a_hi)
#define TWOS(F) F(__vimax_s32_relu) F(__vimax_s16x2_relu) F(__vimin_s32_relu) F(__vimin_s16x2_relu)
#define WHICH(F) F(__vibmax_s32) F(__vibmax_u32) F(__vibmin_s32) F(__vibmin_u32)
#define WHICH2(F) F(__vibmax_s16x2) F(__vibmax_u16x2) F(__vibmin_s16x2) F(__vibmin_u16x2)
// clang-format on
#define COUNT(name) +1
constexpr int kCount =
    0 PAIRS(COUNT) PAIRS(COUNT) SINGLES(COUNT) SINGLES(COUNT) THREES(COUNT) TWOS(COUNT) WHICH(COUNT) WHICH2(COUNT);
#define NAME(name) #name,
#define NAME2(name) #name "2",
#define NAME4(name) #name "4",
const char* const names[] = {PAIRS(NAME2) PAIRS(NAME4) SINGLES(NAME2) SINGLES(NAME4) THREES(NAME) TWOS(NAME) WHICH(NAME)
                                 WHICH2(NAME)};

// A word whose bytes are often the least, the greatest, or near zero.
__device__ unsigned word(unsigned i) {
    const unsigned u = mixed(i), kind = mixed(i + 99);
    unsigned result = 0;
    for (int byte = 0; byte < 4; ++byte) {
        const unsigned few[] = {0, 0x80, 0x7f, 0xff, 1, 0xfe};
        const unsigned choice = kind >> 8 * byte & 15;
        result |= (choice < 6 ? few[choice] : u >> 8 * byte & 255) << 8 * byte;
    }
    return result;
}

__global__ void kernel(unsigned long long* sums) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned a = word(3 * i), b = i % 9 ? word(3 * i + 1) : a, c = word(3 * i + 2);
    int at = 0;
    bool first = false, second = false;
#define RESULT(value) digest_here(sums, at++, i, static_cast<unsigned>(value));
#define PAIR2(name) RESULT(name##2(a, b))
#define PAIR4(name) RESULT(name##4(a, b))
#define SINGLE2(name) RESULT(name##2(a))
#define SINGLE4(name) RESULT(name##4(a))
#define THREE(name) RESULT(name(a, b, c))
#define TWO(name) RESULT(name(a, b))
#define ONE_OF(name) RESULT(name(a, b, &first) + 7 * first)
#define TWO_OF(name) RESULT(name(a, b, &first, &second) + 7 * first + 3 * second)
    PAIRS(PAIR2) PAIRS(PAIR4) SINGLES(SINGLE2) SINGLES(SINGLE4) THREES(THREE) TWOS(TWO) WHICH(ONE_OF) WHICH2(TWO_OF)
}

int main() {
    unsigned long long* sums;
    cudaMallocManaged(&sums, kCount * sizeof(*sums));
    kernel<<<128, 128>>>(sums);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("FAILED\n");
    for (int k = 0; k < kCount; ++k) print_digest("simd", "device", names[k], sums[k]);
}
