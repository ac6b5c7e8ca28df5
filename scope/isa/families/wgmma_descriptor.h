// Which bytes of shared memory a matrix descriptor of wgmma means.
//
// Owns: Descriptor. Guarantees: for any 64 bits the places
// that an H200 reads (27 November 2026, bench/hardware/wgmma_operands.cu: 512 descriptors, half of them of any strides,
// starts and base offsets; wgmma_sparse_operands.cu: as many, where B is twice as deep); nothing wraps, so that what
// leaves shared memory lies beyond its end. Chunks of eight neighbouring rows never share a bank, whatever the
// descriptor says.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tilescope::isa::TILESCOPE_TARGET {

inline constexpr unsigned kChunkBytes = 16, kDepthBytes = 32;  // a row's part in a product: two chunks, or four of B
inline constexpr unsigned kRowsTogether = 8;                   // whose chunks lie as the swizzle says

// The bits of a descriptor (PTX ISA, "Matrix descriptor format").
struct Descriptor {
    explicit Descriptor(std::uint64_t bits)
        : start((bits & 0x3fff) << 4),
          leading((bits >> 16 & 0x3fff) << 4),
          stride((bits >> 32 & 0x3fff) << 4),
          base(bits >> 49 & 7) {
        constexpr unsigned kWidths[] = {1, 8, 4, 2};
        row_chunks = kWidths[bits >> 62];
    }

    std::uint64_t start, leading, stride, base;
    unsigned row_chunks;  // in each of whose rows the swizzle mixes: 1, none, to 8, 128 bytes

    // The n-th chunk along the depth, of a row of A or column of B.
    std::uint64_t along(unsigned line, unsigned chunk) const {
        return mixed(std::uint64_t{line % kRowsTogether} * row_chunks * kChunkBytes + line / kRowsTogether * stride +
                     chunk / row_chunks * leading + std::uint64_t{chunk % row_chunks} * kChunkBytes);
    }
    // The chunk of eight lines at a place of the depth, where lines are neighbours in memory.
    std::uint64_t across(unsigned chunk, unsigned depth) const {
        const std::uint64_t in_rows = depth % kRowsTogether * row_chunks * kChunkBytes;
        if (row_chunks == 1) return mixed(in_rows + chunk * stride + depth / kRowsTogether * leading);
        return mixed(in_rows + chunk % row_chunks * kChunkBytes + chunk / row_chunks * leading +
                     depth / kRowsTogether * stride);
    }

private:
    std::uint64_t mixed(std::uint64_t offset) const {
        const std::uint64_t address = start + offset;
        return address ^ (((address >> 7) - base) & (row_chunks - 1)) << 4;
    }
};

}  // namespace tilescope::isa::TILESCOPE_TARGET
