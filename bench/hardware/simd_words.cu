// What CUDA's functions of two halves and four bytes in a word give, __vadd2 and its kin (see word_digests.h).
//   nvcc -std=c++17 -arch=sm_90a -o simd_words simd_words.cu && ./simd_words [cases]
#include "word_digests.h"

namespace {

using word_digests::Word;

// clang-format off

#define BOTH(X, name) X(__##name##2) X(__##name##4)
#define ARITHMETIC(X)                                                                                 \
    BOTH(X, vadd) BOTH(X, vaddss) BOTH(X, vaddus) BOTH(X, vavgs) BOTH(X, vavgu) BOTH(X, vhaddu)       \
    BOTH(X, vabsdiffu) BOTH(X, vabsdiffs) BOTH(X, vmaxs) BOTH(X, vmaxu) BOTH(X, vmins) BOTH(X, vminu) \
    BOTH(X, vsadu) BOTH(X, vsads) BOTH(X, vsub) BOTH(X, vsubss) BOTH(X, vsubus)
#define COMPARISONS(X)                                                                                   \
    BOTH(X, vcmpeq) BOTH(X, vcmpges) BOTH(X, vcmpgeu) BOTH(X, vcmpgts) BOTH(X, vcmpgtu) BOTH(X, vcmples) \
    BOTH(X, vcmpleu) BOTH(X, vcmplts) BOTH(X, vcmpltu) BOTH(X, vcmpne)
#define SETS(X)                                                                                          \
    BOTH(X, vseteq) BOTH(X, vsetges) BOTH(X, vsetgeu) BOTH(X, vsetgts) BOTH(X, vsetgtu) BOTH(X, vsetles) \
    BOTH(X, vsetleu) BOTH(X, vsetlts) BOTH(X, vsetltu) BOTH(X, vsetne)
#define ALONE(X)                                                \
    BOTH(X, vabs) BOTH(X, vabsss) BOTH(X, vneg) BOTH(X, vnegss)

#define CALL(name) *r++ = name(a, b);
#define CALL_ALONE(name) *r++ = name(a);
#define NAME(name) #name,
#define COUNT(name) +1
#define GROUP(name, functions, call)                                                                  \
    struct name {                                                                                     \
        static constexpr int count = 0 functions(COUNT);                                              \
        static const char* const* names() {                                                           \
            static const char* const kNames[] = {functions(NAME)};                                    \
            return kNames;                                                                            \
        }                                                                                             \
        __device__ static void all(Word a, [[maybe_unused]] Word b, Word, Word* r) { functions(call) } \
    };
GROUP(Arithmetic, ARITHMETIC, CALL)
GROUP(Comparisons, COMPARISONS, CALL)
GROUP(Sets, SETS, CALL)
GROUP(Alone, ALONE, CALL_ALONE)

// clang-format on

}  // namespace

int main(int count, char** arguments) {
    const Word cases = word_digests::cases_of(count, arguments);
    word_digests::print_digests<Arithmetic>(cases);
    word_digests::print_digests<Comparisons>(cases);
    word_digests::print_digests<Sets>(cases);
    word_digests::print_digests<Alone>(cases);
}
