// What wgmma's descriptors mean where A is sparse: which byte of shared memory each element of A, as it is stored, and
// of B, which is twice as deep, comes from, by swizzle, strides, start, base offset and turning over.
//
// usage: wgmma_sparse_operands CONFIGURATIONS [--dump FILE] [--wrap]     a line for each: its descriptor and a digest
//
// Shared memory holds the numbers of its own halves, which another factor of ones brings out, one in each row or
// column. --wrap has addresses that pass the end of a descriptor's 18 bits.
#include "wgmma_operands.h"

namespace {

struct Sides {
    static constexpr unsigned kDepth = 32;

    // Column n has its one where the n-th stored element stands.
    static __device__ bool is_one_of_b(unsigned column, unsigned place) { return place == column / 2 * 4 + column % 2; }
    // Lanes' words of a matrix of whose row r one stored element is 1: it stands at place r of the depth.
    static __device__ Word words_of_a(unsigned row, unsigned stored) {
        const unsigned at = row % kDepth / 4 * 2 + (row % 4 == 3 ? 1 : 0);
        return (at == stored ? 0x3c00u : 0u) | (at == stored + 1 ? 0x3c000000u : 0u);
    }
    // The metadata: of a whole A the first two of four; to the ones above, the same for rows eight apart.
    static __device__ Word places(bool of_a, unsigned group) {
        constexpr Word kEach[] = {0x44444444u, 0x99999999u, 0xeeeeeeeeu, 0xeeeeeeeeu};
        return of_a ? kEach[0] : kEach[group % 4];
    }
    WGMMA_SIDES(".sp.sync", "k32.f32.f16.f16", "%1, %7, 0")
};

}  // namespace

int main(int argc, char** argv) {
    return tell_operands<Sides>(argc, argv, "wgmma_sparse_operands CONFIGURATIONS [--dump FILE] [--wrap]");
}
