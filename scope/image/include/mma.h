// nvcuda::wmma: tiles of matrices that a warp's tensor cores multiply, as fragments of which every thread holds a part.
//
// Guarantees: the wmma instructions that the toolkit's header makes of the same calls.
// Does not model: fragments of 4 bits and of 1 bit (wmma::experimental).
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if defined(__CUDA__)
namespace nvcuda {
namespace wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
}  // namespace precision

namespace details {
template <class Element, int Count>
struct elements {
    enum { num_elements = Count, num_storage_elements = Count };
    using element_type = Element;
    using storage_element_type = Element;
    Element x[Count];
};
}  // namespace details

template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment;

#define TILESCOPE_MMA static __inline__ __attribute__((device, always_inline))

TILESCOPE_MMA float __float_to_tf32(float x) {
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return __builtin_bit_cast(float, bits);
}
template <class Use, int M, int N, int K, class T, class Layout, class Value>
TILESCOPE_MMA void fill_fragment(fragment<Use, M, N, K, T, Layout>& f, const Value& value) {
#pragma unroll
    for (int i = 0; i < f.num_elements; ++i) f.x[i] = value;
}

}  // namespace wmma
}  // namespace nvcuda
#include "tilescope/wmma_fragments.h"
//
#include "tilescope/wmma_products.h"
#undef TILESCOPE_MMA
#endif
