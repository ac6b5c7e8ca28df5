// How wgmma finds a factor in shared memory, and words of elements.
#pragma once

#include <cstdint>

#include "tensor_elements.h"

// Distances in bytes; swizzle and base offset as their bits are.
struct Layout {
    unsigned swizzle, leading, stride, base = 0;
};
__device__ inline std::uint64_t descriptor(unsigned start, const Layout& layout) {
    return (start & 0x3ffff) >> 4 | std::uint64_t{layout.leading >> 4 & 0x3fffu} << 16 |
           std::uint64_t{layout.stride >> 4 & 0x3fffu} << 32 | std::uint64_t{layout.base} << 49 |
           std::uint64_t{layout.swizzle} << 62;
}
// Rows of 16 bytes, eight of them together, without a swizzle: chunks of the depth lie `chunk` bytes apart.
__device__ inline std::uint64_t descriptor(const void* at, unsigned chunk) {
    return descriptor(static_cast<unsigned>(__cvta_generic_to_shared(at)), Layout{0, chunk, 128, 0});
}

// Word w of a row of such elements; of(i) is the i-th one's bits.
template <Type kType, class Of>
__device__ std::uint32_t word_of(unsigned w, Of of) {
    constexpr unsigned kBits = kType == Type::kTf32 ? 32 : bits_of(kType), kEach = 32 / kBits;
    std::uint32_t word = 0;
    for (unsigned i = 0; i < kEach; ++i) word |= static_cast<std::uint32_t>(of(w * kEach + i)) << (i * kBits % 32);
    return word;
}
