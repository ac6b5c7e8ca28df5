// Which elements of a sparse A are kept: the metadata of mma.sp and wgmma.mma_async.sp.
//
// Owns: SparseLayout, the data of each type, and the ways from metadata to B's elements. Guarantees: for any bits,
// also such as the PTX ISA does not allow, what an H200 gave (27 November 2026, bench/hardware/sparse_values.cu and
// wgmma_sparse_values.cu).
//
// Of four units in a row two are kept, and two bits of metadata for each say which: a unit is an element of 16 or 8
// bits, a pair of 4 bits, half of a tf32. The unit that is stored is multiplied with that unit of B, whatever
// the bits say: one may be named twice, they may descend, and halves of a tf32 may come from two numbers.
#pragma once

#include <cstdint>

#include "scope/isa/families/matrix_sums.h"

namespace tilescope::isa::TILESCOPE_TARGET {

// Whose metadata a word has: 16 bits of row g and 16 of row g + 8, in a quad's lanes one after the other; or 32 of one
// of them, even lanes having row g.
enum class MetadataWord : std::uint8_t { kTwoRows, kOneRow };

struct SparseLayout {
    MetadataWord word = MetadataWord::kTwoRows;
    unsigned element_bits = 16;
};

constexpr SparseLayout sparse_layout(unsigned element_bits) {
    return {element_bits >= 16 ? MetadataWord::kTwoRows : MetadataWord::kOneRow, element_bits};
}

// Bits of metadata that a row has whose stored elements take so many bits: two of 16, two of 8.
constexpr unsigned metadata_bits(const SparseLayout& layout, unsigned stored_bits) {
    return stored_bits / (layout.element_bits >= 16 ? 16 : 8) * 2;
}

// Lanes of a quad that have it; the selector counts groups of so many.
constexpr unsigned metadata_lanes(const SparseLayout& layout, unsigned stored_bits) {
    return metadata_bits(layout, stored_bits) / 16;
}
constexpr unsigned metadata_selectors(const SparseLayout& layout, unsigned stored_bits) {
    return 4 / metadata_lanes(layout, stored_bits);
}

inline constexpr unsigned kSparseRows = 16;  // whose metadata a warp has

// Of each row its metadata, from a warp's words.
inline void read_metadata(const SparseLayout& layout, unsigned stored_bits, const std::uint32_t* words,
                          unsigned selector, std::uint64_t (&rows)[kSparseRows]) {
    constexpr unsigned kQuad = 4, kQuads = 8;
    const unsigned lanes = metadata_lanes(layout, stored_bits);
    for (unsigned quad = 0; quad < kQuads; ++quad) {
        std::uint64_t upper = 0, lower = 0;
        for (unsigned i = 0; i < lanes; ++i) {
            const std::uint64_t word = words[quad * kQuad + selector * lanes + i];
            if (layout.word == MetadataWord::kTwoRows) {
                upper |= (word & 0xffffu) << (16 * i);
                lower |= (word >> 16) << (16 * i);
            } else {
                (i % 2 == 0 ? upper : lower) |= word << (32 * (i / 2));
            }
        }
        rows[quad] = upper;
        rows[quad + kQuads] = lower;
    }
}

// The place among four units that the metadata of a row gives the n-th unit that is stored.
constexpr unsigned place_of_unit(std::uint64_t metadata, unsigned n) {
    return static_cast<unsigned>(metadata >> (2 * n) & 3u);
}

// B's line that the n-th stored element of a row meets. Not for tf32, whose halves may come from two.
template <unsigned kBits>
constexpr unsigned place_of_element(std::uint64_t metadata, unsigned n) {
    if constexpr (kBits == 4) return n / 4 * 8 + place_of_unit(metadata, n / 2) * 2 + n % 2;
    return n / 2 * 4 + place_of_unit(metadata, n);
}

// B's elements that a row of A meets: of all columns, `all` being B's words one element each.
template <unsigned kBits, unsigned kStored>
inline void choose_elements(std::uint64_t metadata, const std::uint32_t (&all)[2 * kStored][kMatrixColumns],
                            std::uint32_t (&chosen)[kStored][kMatrixColumns]) {
    for (unsigned n = 0; n < kStored; ++n)
        for (unsigned j = 0; j < kMatrixColumns; ++j) {
            if constexpr (kBits == 32) {
                const auto half = [&](unsigned unit) {
                    return all[2 * n + unit / 2][j] >> (16 * (unit % 2)) & 0xffffu;
                };
                chosen[n][j] = half(place_of_unit(metadata, 2 * n)) | half(place_of_unit(metadata, 2 * n + 1)) << 16;
            } else {
                chosen[n][j] = all[place_of_element<kBits>(metadata, n)][j];
            }
        }
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
