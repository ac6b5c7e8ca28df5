// What the forms of mma.sync and wmma give that few programs use: m8n8k4 of f16, wmma whose sums are of another type
// than its addends, products of doubles that round otherwise.
//
// usage: tensor_rare CASES [--form NAME] [--dump FOLDER]     a line for each form and kind: name, kind, cases, digest
//
// Every lane's registers are made from its number, and a digest is that of all lanes' registers by case.
#include "tensor_program.h"

namespace {

#define IN(x, n) "r"(x[n])
#define OUT(n) "=r"(d[n])
#define IN8(x, n) "d"(x[n])
#define OUT8(n) "=d"(d[n])
#define EIGHT_A IN(a, 0), IN(a, 1), IN(a, 2), IN(a, 3), IN(a, 4), IN(a, 5), IN(a, 6), IN(a, 7)
#define EIGHT_B IN(b, 0), IN(b, 1), IN(b, 2), IN(b, 3), IN(b, 4), IN(b, 5), IN(b, 6), IN(b, 7)
#define EIGHT_OUT OUT(0), OUT(1), OUT(2), OUT(3), OUT(4), OUT(5), OUT(6), OUT(7)
#define EIGHT_C IN(c, 0), IN(c, 1), IN(c, 2), IN(c, 3), IN(c, 4), IN(c, 5), IN(c, 6), IN(c, 7)

#define VOLTA_8_8(text)                                                                                    \
    asm volatile(text " {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, {%12,%13,%14,%15,%16,%17,%18,%19};" \
                 : EIGHT_OUT                                                                               \
                 : IN(a, 0), IN(a, 1), IN(b, 0), IN(b, 1), EIGHT_C)
#define VOLTA_4_8(text)                                                                    \
    asm volatile(text " {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, {%12,%13,%14,%15};" \
                 : EIGHT_OUT                                                               \
                 : IN(a, 0), IN(a, 1), IN(b, 0), IN(b, 1), IN(c, 0), IN(c, 1), IN(c, 2), IN(c, 3))
#define VOLTA_4_4(text)                                                    \
    asm volatile(text " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%8,%9,%10,%11};" \
                 : OUT(0), OUT(1), OUT(2), OUT(3)                          \
                 : IN(a, 0), IN(a, 1), IN(b, 0), IN(b, 1), IN(c, 0), IN(c, 1), IN(c, 2), IN(c, 3))
#define WMMA_4_8(text)                                                           \
    asm volatile(text                                                            \
                 " {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9,%10,%11,%12,%13,%14,%15}, " \
                 "{%16,%17,%18,%19,%20,%21,%22,%23}, {%24,%25,%26,%27};"         \
                 : EIGHT_OUT                                                     \
                 : EIGHT_A, EIGHT_B, IN(c, 0), IN(c, 1), IN(c, 2), IN(c, 3))
#define WMMA_8_4(text)                                                                              \
    asm volatile(text                                                                               \
                 " {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15,%16,%17,%18,%19}, " \
                 "{%20,%21,%22,%23,%24,%25,%26,%27};"                                               \
                 : OUT(0), OUT(1), OUT(2), OUT(3)                                                   \
                 : EIGHT_A, EIGHT_B, EIGHT_C)
#define DOUBLES_1_1_2(text) \
    asm volatile(text " {%0,%1}, {%2}, {%3}, {%4,%5};" : OUT8(0), OUT8(1) : IN8(a, 0), IN8(b, 0), IN8(c, 0), IN8(c, 1))
#define DOUBLES_4_2_4(text)                                                                                           \
    asm volatile(text " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"                                    \
                 : OUT8(0), OUT8(1), OUT8(2), OUT8(3)                                                                 \
                 : IN8(a, 0), IN8(a, 1), IN8(a, 2), IN8(a, 3), IN8(b, 0), IN8(b, 1), IN8(c, 0), IN8(c, 1), IN8(c, 2), \
                   IN8(c, 3))

#define FORM(name, word, t, tc, na, nb, nc, nd, run_of)                                              \
    struct name {                                                                                    \
        static constexpr const char* kName = #name;                                                  \
        using Register = word;                                                                       \
        static constexpr unsigned kA = na, kB = nb, kC = nc, kD = nd;                                \
        static constexpr Type kType = Type::t, kTypeC = Type::tc;                                    \
        static __device__ void run(word* d, const word* a, const word* b, const word* c) { run_of; } \
    };

#define MMA "mma.sync.aligned.m8n8k4."
#define WMMA "wmma.mma.sync.aligned."
// clang-format off
#define EACH_FORM(X) \
    X(volta_row_col_f32, Word, kF16, kF32, 2, 2, 8, 8, VOLTA_8_8(MMA "row.col.f32.f16.f16.f32")) \
    X(volta_row_row_f32, Word, kF16, kF32, 2, 2, 8, 8, VOLTA_8_8(MMA "row.row.f32.f16.f16.f32")) \
    X(volta_col_col_f32, Word, kF16, kF32, 2, 2, 8, 8, VOLTA_8_8(MMA "col.col.f32.f16.f16.f32")) \
    X(volta_col_row_f32, Word, kF16, kF32, 2, 2, 8, 8, VOLTA_8_8(MMA "col.row.f32.f16.f16.f32")) \
    X(volta_row_col_f16, Word, kF16, kF16, 2, 2, 4, 4, VOLTA_4_4(MMA "row.col.f16.f16.f16.f16")) \
    X(volta_row_row_f16, Word, kF16, kF16, 2, 2, 4, 4, VOLTA_4_4(MMA "row.row.f16.f16.f16.f16")) \
    X(volta_col_col_f16, Word, kF16, kF16, 2, 2, 4, 4, VOLTA_4_4(MMA "col.col.f16.f16.f16.f16")) \
    X(volta_col_row_f16, Word, kF16, kF16, 2, 2, 4, 4, VOLTA_4_4(MMA "col.row.f16.f16.f16.f16")) \
    X(volta_row_col_mixed, Word, kF16, kF16, 2, 2, 4, 8, VOLTA_4_8(MMA "row.col.f32.f16.f16.f16")) \
    X(volta_row_row_mixed, Word, kF16, kF16, 2, 2, 4, 8, VOLTA_4_8(MMA "row.row.f32.f16.f16.f16")) \
    X(volta_col_col_mixed, Word, kF16, kF16, 2, 2, 4, 8, VOLTA_4_8(MMA "col.col.f32.f16.f16.f16")) \
    X(volta_col_row_mixed, Word, kF16, kF16, 2, 2, 4, 8, VOLTA_4_8(MMA "col.row.f32.f16.f16.f16")) \
    X(wmma_f32_f16, Word, kF16, kF16, 8, 8, 4, 8, WMMA_4_8(WMMA "row.col.m16n16k16.f32.f16")) \
    X(wmma_f16_f32, Word, kF16, kF32, 8, 8, 8, 4, WMMA_8_4(WMMA "row.col.m16n16k16.f16.f32")) \
    X(wmma_wide_f32_f16, Word, kF16, kF16, 8, 8, 4, 8, WMMA_4_8(WMMA "row.row.m8n32k16.f32.f16")) \
    X(wmma_wide_f16_f32, Word, kF16, kF32, 8, 8, 8, 4, WMMA_8_4(WMMA "col.col.m8n32k16.f16.f32")) \
    X(wmma_tall_f32_f16, Word, kF16, kF16, 8, 8, 4, 8, WMMA_4_8(WMMA "col.row.m32n8k16.f32.f16")) \
    X(wmma_tall_f16_f32, Word, kF16, kF32, 8, 8, 8, 4, WMMA_8_4(WMMA "row.col.m32n8k16.f16.f32")) \
    X(f64_rz, double, kF64, kF64, 1, 1, 2, 2, DOUBLES_1_1_2(MMA "row.col.rz.f64.f64.f64.f64")) \
    X(f64_rm, double, kF64, kF64, 1, 1, 2, 2, DOUBLES_1_1_2(MMA "row.col.rm.f64.f64.f64.f64")) \
    X(f64_rp, double, kF64, kF64, 1, 1, 2, 2, DOUBLES_1_1_2(MMA "row.col.rp.f64.f64.f64.f64")) \
    X(f64_k8_rn, double, kF64, kF64, 4, 2, 4, 4, DOUBLES_4_2_4("mma.sync.aligned.m16n8k8.row.col.rn.f64.f64.f64.f64")) \
    X(f64_k8_rz, double, kF64, kF64, 4, 2, 4, 4, DOUBLES_4_2_4("mma.sync.aligned.m16n8k8.row.col.rz.f64.f64.f64.f64")) \
    X(f64_k8_rm, double, kF64, kF64, 4, 2, 4, 4, DOUBLES_4_2_4("mma.sync.aligned.m16n8k8.row.col.rm.f64.f64.f64.f64")) \
    X(wmma_f64_rz, double, kF64, kF64, 1, 1, 2, 2, DOUBLES_1_1_2(WMMA "row.col.m8n8k4.rz.f64.f64.f64.f64")) \
    X(wmma_f64_rp, double, kF64, kF64, 1, 1, 2, 2, DOUBLES_1_1_2(WMMA "row.row.m8n8k4.rp.f64.f64.f64.f64")) \
    X(wmma_f64_rm, double, kF64, kF64, 1, 1, 2, 2, DOUBLES_1_1_2(WMMA "col.col.m8n8k4.rm.f64.f64.f64.f64"))
// clang-format on
EACH_FORM(FORM)

__device__ void assign(Word& word, std::uint64_t bits) { word = static_cast<Word>(bits); }
__device__ void assign(double& word, std::uint64_t bits) { word = __longlong_as_double(static_cast<long long>(bits)); }
__device__ std::uint64_t bits_in(Word word) { return word; }
__device__ std::uint64_t bits_in(double word) { return static_cast<std::uint64_t>(__double_as_longlong(word)); }

// Some halves are other NaNs.
__device__ std::uint64_t drawn(Type type, Kind kind, std::uint64_t of_case, unsigned matrix, unsigned row,
                               unsigned column) {
    const std::uint64_t bits = element(type, kind, of_case, matrix, row, column);
    const std::uint64_t other = mixed(mixed(of_case) ^ (std::uint64_t{matrix} << 32 | row << 8 | column));
    if (kind != kAnything || bits_of(type) != 16 || other % 8 != 0) return bits;
    return 0x7fffu ^ (other >> 8) % 4 ^ (other >> 20 & 1) << 15;
}

// D's registers of each case, register by register, lanes one after the other.
template <class Form>
__global__ void multiply(Kind kind, unsigned cases, std::uint64_t* out) {
    using Register = typename Form::Register;
    constexpr unsigned kRegister = sizeof(Register) * 8;
    const unsigned lane = threadIdx.x % 32, nth = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (nth >= cases) return;
    // B's and A's elements so that those of a lane lie along the depth, which pairs of them that cancel ask for.
    const auto filled = [&](Type type, unsigned matrix, unsigned at) {
        const unsigned bits = bits_of(type), count = kRegister / bits;
        std::uint64_t word = 0;
        for (unsigned i = 0; i < count; ++i) {
            const unsigned along = at * count + i;
            word |= (matrix == 1 ? drawn(type, kind, nth, 1, along, lane) : drawn(type, kind, nth, matrix, lane, along))
                    << (i * bits % 64);
        }
        return word;
    };
    Register a[Form::kA], b[Form::kB], c[Form::kC], d[Form::kD];
#pragma unroll
    for (unsigned i = 0; i < Form::kA; ++i) assign(a[i], filled(Form::kType, 0, i));
#pragma unroll
    for (unsigned i = 0; i < Form::kB; ++i) assign(b[i], filled(Form::kType, 1, i));
#pragma unroll
    for (unsigned i = 0; i < Form::kC; ++i) assign(c[i], filled(Form::kTypeC, 2, i));
    Form::run(d, a, b, c);
#pragma unroll
    for (unsigned i = 0; i < Form::kD; ++i) out[(std::size_t{nth} * Form::kD + i) * 32 + lane] = bits_in(d[i]);
}

template <class Form>
void measure(const Asked& asked) {
    Results<std::uint64_t> results(asked, Form::kD * 32);
    for (unsigned kind = 0; kind < kKinds; ++kind) {
        multiply<Form><<<(asked.cases + 3) / 4, 128>>>(static_cast<Kind>(kind), asked.cases, results.on_card());
        results.tell({Form::kName, kNames[kind]});
    }
}

}  // namespace

int main(int argc, char** argv) {
    const Asked asked = asked_of(argc, argv, "tensor_rare");
#define MEASURE(name, ...) \
    if (asked.wants(#name)) measure<name>(asked);
    EACH_FORM(MEASURE)
    return 0;
}
