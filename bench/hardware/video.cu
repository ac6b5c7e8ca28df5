// What the video instructions of PTX give, form by form (see word_digests.h).
//   nvcc -std=c++17 -arch=sm_90a -o video video.cu && ./video [cases]
// Each group has one opcode and the types of its operands; selectors, saturation and what is done with c differ within.
#include "word_digests.h"

namespace {

using word_digests::Word;

// clang-format off

#define CALL(text) asm(text : "=r"(*r++) : "r"(a), "r"(b), "r"(c));
#define NAME(text) text,
#define COUNT(text) +1
// forms: a macro of the group's forms that puts each into what it is handed, with further arguments behind that.
#define GROUP(name, forms, ...)                                                                               \
    struct name {                                                                                             \
        static constexpr int count = 0 forms(COUNT, __VA_ARGS__);                                             \
        static const char* const* names() {                                                                   \
            static const char* const kNames[] = {forms(NAME, __VA_ARGS__)};                                   \
            return kNames;                                                                                    \
        }                                                                                                     \
        __device__ static void all(Word a, Word b, Word c, Word* r) { forms(CALL, __VA_ARGS__) }              \
    };

// ---- one element of each ----------------------------------------------------------------------------------------
// sa, sb: selectors of a and b; db, dh: of d, a byte and a half; second: what is done with the result and c.
#define JOINED(X, form, sa, sb)                                     \
    X(form ".add %0, %1, %2" sb ", %3;")                            \
    X(form ".sat.add %0, %1" sa ", %2, %3;")                        \
    X(form ".min %0, %1" sa ", %2, %3;")                            \
    X(form ".sat.min %0, %1, %2, %3;")                              \
    X(form ".max %0, %1, %2, %3;")                                  \
    X(form ".sat.max %0, %1, %2" sb ", %3;")
#define SCALAR(X, op, types, sa, sb, db, dh)                \
    X(op types " %0, %1, %2;")                                      \
    X(op types ".sat %0, %1, %2;")                                  \
    X(op types " %0, %1" sa ", %2, %3;")                            \
    X(op types " %0, %1" sa ", %2" sb ";")                          \
    X(op types ".sat %0, %1" sa ", %2" sb ";")                      \
    JOINED(X, op types, sa, sb)                                     \
    X(op types " %0" db ", %1" sa ", %2" sb ", %3;")                \
    X(op types ".sat %0" db ", %1, %2" sb ", %3;")                  \
    X(op types " %0" dh ", %1" sa ", %2, %3;")                      \
    X(op types ".sat %0" dh ", %1, %2, %3;")
#define SCALARS(op)                                                                          \
    GROUP(op##_uuu, SCALAR, #op, ".u32.u32.u32", ".b0", ".h1", ".b0", ".h0")         \
    GROUP(op##_uus, SCALAR, #op, ".u32.u32.s32", ".b1", ".b3", ".b1", ".h1")         \
    GROUP(op##_usu, SCALAR, #op, ".u32.s32.u32", ".b2", ".h0", ".b2", ".h0")         \
    GROUP(op##_uss, SCALAR, #op, ".u32.s32.s32", ".b3", ".b0", ".b3", ".h1")         \
    GROUP(op##_suu, SCALAR, #op, ".s32.u32.u32", ".h0", ".b1", ".b0", ".h0")         \
    GROUP(op##_sus, SCALAR, #op, ".s32.u32.s32", ".h1", ".b2", ".b1", ".h1")         \
    GROUP(op##_ssu, SCALAR, #op, ".s32.s32.u32", ".h0", ".h1", ".b2", ".h0")         \
    GROUP(op##_sss, SCALAR, #op, ".s32.s32.s32", ".b3", ".h1", ".b3", ".h1")         \
    void op() { run<op##_uuu, op##_uus, op##_usu, op##_uss, op##_suu, op##_sus, op##_ssu, op##_sss>(); }

#define SHIFT(X, op, types, mode, sa, sb, db, dh)           \
    X(op types mode " %0, %1, %2;")                                 \
    X(op types ".sat" mode " %0, %1, %2;")                          \
    X(op types mode " %0, %1" sa ", %2" sb ";")                     \
    JOINED(X, op types mode, sa, sb)                                \
    X(op types ".sat" mode " %0" db ", %1" sa ", %2, %3;")          \
    X(op types mode " %0" dh ", %1, %2" sb ", %3;")
#define SHIFTS(op)                                                                                \
    GROUP(op##_uuc, SHIFT, #op, ".u32.u32.u32", ".clamp", ".b0", ".b1", ".b0", ".h0")     \
    GROUP(op##_usc, SHIFT, #op, ".u32.s32.u32", ".clamp", ".h1", ".b2", ".b1", ".h1")     \
    GROUP(op##_suc, SHIFT, #op, ".s32.u32.u32", ".clamp", ".b3", ".h0", ".b2", ".h0")     \
    GROUP(op##_ssc, SHIFT, #op, ".s32.s32.u32", ".clamp", ".h0", ".b0", ".b3", ".h1")     \
    GROUP(op##_uuw, SHIFT, #op, ".u32.u32.u32", ".wrap", ".h0", ".b3", ".b3", ".h1")      \
    GROUP(op##_usw, SHIFT, #op, ".u32.s32.u32", ".wrap", ".b2", ".h1", ".b2", ".h0")      \
    GROUP(op##_suw, SHIFT, #op, ".s32.u32.u32", ".wrap", ".h1", ".b1", ".b1", ".h1")      \
    GROUP(op##_ssw, SHIFT, #op, ".s32.s32.u32", ".wrap", ".b1", ".h0", ".b0", ".h0")      \
    void op() { run<op##_uuc, op##_usc, op##_suc, op##_ssc, op##_uuw, op##_usw, op##_suw, op##_ssw>(); }

#define COMPARISON(X, types, compare, sa, sb, db, second)           \
    X("vset" types compare " %0, %1, %2;")                          \
    X("vset" types compare " %0, %1" sa ", %2" sb ";")              \
    X("vset" types compare second " %0, %1" sa ", %2, %3;")         \
    X("vset" types compare " %0" db ", %1, %2" sb ", %3;")          \
    X("vset" types compare " %0, %1, %2" sb ", %3;")
#define COMPARISONS(X, types)                                       \
    COMPARISON(X, types, ".eq", ".b0", ".h1", ".b0", ".add")        \
    COMPARISON(X, types, ".ne", ".b1", ".b2", ".h1", ".min")        \
    COMPARISON(X, types, ".lt", ".h0", ".b3", ".b2", ".max")        \
    COMPARISON(X, types, ".le", ".h1", ".h0", ".b3", ".add")        \
    COMPARISON(X, types, ".gt", ".b3", ".b1", ".h0", ".min")        \
    COMPARISON(X, types, ".ge", ".b2", ".b0", ".b1", ".max")

// na, nb, nc: what is negated; more: .po
#define PRODUCT(X, types, na, nb, nc, more, sa, sb)                           \
    X("vmad" types more " %0, " na "%1, " nb "%2, " nc "%3;")                 \
    X("vmad" types more ".sat %0, " na "%1, " nb "%2, " nc "%3;")             \
    X("vmad" types more ".shr7 %0, " na "%1" sa ", " nb "%2, " nc "%3;")      \
    X("vmad" types more ".sat.shr7 %0, " na "%1, " nb "%2, " nc "%3;")        \
    X("vmad" types more ".shr15 %0, " na "%1, " nb "%2" sb ", " nc "%3;")     \
    X("vmad" types more ".sat.shr15 %0, " na "%1" sa ", " nb "%2, " nc "%3;") \
    X("vmad" types more ".sat %0, " na "%1" sa ", " nb "%2" sb ", " nc "%3;")
#define PRODUCTS(X, types, sa, sb)                    \
    PRODUCT(X, types, "", "", "", "", sa, sb)         \
    PRODUCT(X, types, "-", "", "", "", sa, sb)        \
    PRODUCT(X, types, "", "-", "", "", sb, sa)        \
    PRODUCT(X, types, "-", "-", "", "", sa, sb)       \
    PRODUCT(X, types, "", "", "-", "", sb, sa)        \
    PRODUCT(X, types, "", "", "", ".po", sa, sb)

// ---- two and four elements --------------------------------------------------------------------------------------
#define SEVERAL(X, op, types, mask, sa, sb)                                        \
    X(op types " %0, %1, %2, %3;")                                                 \
    X(op types ".sat %0, %1, %2, %3;")                                             \
    X(op types ".add %0, %1, %2, %3;")                                             \
    X(op types " %0" mask ", %1" sa ", %2, %3;")                                   \
    X(op types ".sat %0, %1" sa ", %2" sb ", %3;")                                 \
    X(op types ".add %0" mask ", %1" sb ", %2" sa ", %3;")
#define PAIRS(op)                                                                  \
    GROUP(op##_uuu, SEVERAL, #op, ".u32.u32.u32", ".h0", ".h32", ".h01")           \
    GROUP(op##_uus, SEVERAL, #op, ".u32.u32.s32", ".h1", ".h20", ".h13")           \
    GROUP(op##_usu, SEVERAL, #op, ".u32.s32.u32", ".h10", ".h33", ".h11")          \
    GROUP(op##_uss, SEVERAL, #op, ".u32.s32.s32", ".h0", ".h00", ".h22")           \
    GROUP(op##_suu, SEVERAL, #op, ".s32.u32.u32", ".h1", ".h12", ".h21")           \
    GROUP(op##_sus, SEVERAL, #op, ".s32.u32.s32", ".h10", ".h03", ".h30")          \
    GROUP(op##_ssu, SEVERAL, #op, ".s32.s32.u32", ".h0", ".h23", ".h02")           \
    GROUP(op##_sss, SEVERAL, #op, ".s32.s32.s32", ".h1", ".h31", ".h10")           \
    void op() { run<op##_uuu, op##_uus, op##_usu, op##_uss, op##_suu, op##_sus, op##_ssu, op##_sss>(); }
#define QUADS(op)                                                                  \
    GROUP(op##_uuu, SEVERAL, #op, ".u32.u32.u32", ".b0", ".b7654", ".b0123")       \
    GROUP(op##_uus, SEVERAL, #op, ".u32.u32.s32", ".b10", ".b7073", ".b4444")      \
    GROUP(op##_usu, SEVERAL, #op, ".u32.s32.u32", ".b210", ".b1357", ".b6420")     \
    GROUP(op##_uss, SEVERAL, #op, ".u32.s32.s32", ".b32", ".b3210", ".b3210")      \
    GROUP(op##_suu, SEVERAL, #op, ".s32.u32.u32", ".b31", ".b5555", ".b2301")      \
    GROUP(op##_sus, SEVERAL, #op, ".s32.u32.s32", ".b320", ".b4567", ".b7654")     \
    GROUP(op##_ssu, SEVERAL, #op, ".s32.s32.u32", ".b3210", ".b0246", ".b1234")    \
    GROUP(op##_sss, SEVERAL, #op, ".s32.s32.s32", ".b21", ".b6012", ".b3737")      \
    void op() { run<op##_uuu, op##_uus, op##_usu, op##_uss, op##_suu, op##_sus, op##_ssu, op##_sss>(); }

#define SEVERAL_COMPARED(X, op, types, compare, mask, sa, sb)                      \
    X(op types compare " %0, %1, %2, %3;")                                         \
    X(op types compare " %0" mask ", %1" sa ", %2" sb ", %3;")                     \
    X(op types compare ".add %0, %1, %2, %3;")                                     \
    X(op types compare ".add %0" mask ", %1" sb ", %2" sa ", %3;")
#define PAIRS_COMPARED(X, types)                                                   \
    SEVERAL_COMPARED(X, "vset2", types, ".eq", ".h0", ".h32", ".h01")              \
    SEVERAL_COMPARED(X, "vset2", types, ".ne", ".h1", ".h20", ".h13")              \
    SEVERAL_COMPARED(X, "vset2", types, ".lt", ".h10", ".h03", ".h11")             \
    SEVERAL_COMPARED(X, "vset2", types, ".le", ".h0", ".h00", ".h22")              \
    SEVERAL_COMPARED(X, "vset2", types, ".gt", ".h1", ".h12", ".h21")              \
    SEVERAL_COMPARED(X, "vset2", types, ".ge", ".h10", ".h23", ".h30")
#define QUADS_COMPARED(X, types)                                                   \
    SEVERAL_COMPARED(X, "vset4", types, ".eq", ".b0", ".b7654", ".b0123")          \
    SEVERAL_COMPARED(X, "vset4", types, ".ne", ".b3", ".b7073", ".b4444")          \
    SEVERAL_COMPARED(X, "vset4", types, ".lt", ".b210", ".b1357", ".b6420")        \
    SEVERAL_COMPARED(X, "vset4", types, ".le", ".b32", ".b3210", ".b3210")         \
    SEVERAL_COMPARED(X, "vset4", types, ".gt", ".b31", ".b5555", ".b2301")         \
    SEVERAL_COMPARED(X, "vset4", types, ".ge", ".b3210", ".b0246", ".b1234")

Word cases;

template <class... Groups>
void run() {
    (word_digests::print_digests<Groups>(cases), ...);
}

SCALARS(vadd) SCALARS(vsub) SCALARS(vabsdiff) SCALARS(vmin) SCALARS(vmax)
SHIFTS(vshl) SHIFTS(vshr)
GROUP(vset_uu, COMPARISONS, ".u32.u32") GROUP(vset_us, COMPARISONS, ".u32.s32")
GROUP(vset_su, COMPARISONS, ".s32.u32") GROUP(vset_ss, COMPARISONS, ".s32.s32")
GROUP(vmad_uuu, PRODUCTS, ".u32.u32.u32", ".b0", ".h1") GROUP(vmad_uus, PRODUCTS, ".u32.u32.s32", ".b1", ".b3")
GROUP(vmad_usu, PRODUCTS, ".u32.s32.u32", ".b2", ".h0") GROUP(vmad_uss, PRODUCTS, ".u32.s32.s32", ".b3", ".b0")
GROUP(vmad_suu, PRODUCTS, ".s32.u32.u32", ".h0", ".b1") GROUP(vmad_sus, PRODUCTS, ".s32.u32.s32", ".h1", ".b2")
GROUP(vmad_ssu, PRODUCTS, ".s32.s32.u32", ".h0", ".h1") GROUP(vmad_sss, PRODUCTS, ".s32.s32.s32", ".h1", ".h0")
PAIRS(vadd2) PAIRS(vsub2) PAIRS(vavrg2) PAIRS(vabsdiff2) PAIRS(vmin2) PAIRS(vmax2)
QUADS(vadd4) QUADS(vsub4) QUADS(vavrg4) QUADS(vabsdiff4) QUADS(vmin4) QUADS(vmax4)
GROUP(vset2_uu, PAIRS_COMPARED, ".u32.u32") GROUP(vset2_us, PAIRS_COMPARED, ".u32.s32")
GROUP(vset2_su, PAIRS_COMPARED, ".s32.u32") GROUP(vset2_ss, PAIRS_COMPARED, ".s32.s32")
GROUP(vset4_uu, QUADS_COMPARED, ".u32.u32") GROUP(vset4_us, QUADS_COMPARED, ".u32.s32")
GROUP(vset4_su, QUADS_COMPARED, ".s32.u32") GROUP(vset4_ss, QUADS_COMPARED, ".s32.s32")

// clang-format on

}  // namespace

int main(int count, char** arguments) {
    cases = word_digests::cases_of(count, arguments);
    vadd(), vsub(), vabsdiff(), vmin(), vmax(), vshl(), vshr();
    run<vset_uu, vset_us, vset_su, vset_ss>();
    run<vmad_uuu, vmad_uus, vmad_usu, vmad_uss, vmad_suu, vmad_sus, vmad_ssu, vmad_sss>();
    vadd2(), vsub2(), vavrg2(), vabsdiff2(), vmin2(), vmax2();
    vadd4(), vsub4(), vavrg4(), vabsdiff4(), vmin4(), vmax4();
    run<vset2_uu, vset2_us, vset2_su, vset2_ss, vset4_uu, vset4_us, vset4_su, vset4_ss>();
}
