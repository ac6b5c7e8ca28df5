// What wgmma's descriptors mean: which byte of shared memory each element of A and B comes from, by swizzle, strides,
// start, base offset and turning over.
//
// usage: wgmma_operands CONFIGURATIONS [--dump FILE] [--wrap]     a line for each: its descriptor and a digest
//
// Shared memory holds the numbers of its own halves, which another factor of ones on a diagonal brings out. --wrap has
// addresses that pass the end of a descriptor's 18 bits.
#include "wgmma_operands.h"

namespace {

struct Sides {
    static constexpr unsigned kDepth = 16;

    static __device__ bool is_one_of_b(unsigned column, unsigned place) { return column == place; }
    // Lanes' words of a matrix whose element (row, row % 16) is 1.
    static __device__ Word words_of_a(unsigned row, unsigned column) {
        const Word low = row % kDepth == column, high = row % kDepth == column + 1;
        return low * 0x3c00u | high * 0x3c000000u;
    }
    static __device__ Word places(bool, unsigned) { return 0; }
    WGMMA_SIDES(".sync", "k16.f32.f16.f16", "%1")
};

}  // namespace

int main(int argc, char** argv) {
    return tell_operands<Sides>(argc, argv, "wgmma_operands CONFIGURATIONS [--dump FILE] [--wrap]");
}
