// All 256 rules of a row of cells, a block each, with cells as bits of a warp's ballot.
#include "fourfold.cuh"

__global__ void evolve(unsigned* out, int steps) {
    const unsigned rule = blockIdx.x, lane = threadIdx.x;
    unsigned cells = 1u << 16;
    for (int step = 0; step < steps; ++step) {
        const unsigned left = cells >> ((lane + 1) & 31) & 1, own = cells >> lane & 1,
                       right = cells >> ((lane + 31) & 31) & 1;
        cells = __ballot_sync(0xffffffffu, rule >> (left << 2 | own << 1 | right) & 1);
        if (lane == 0) out[rule * steps + step] = cells;
    }
}

int main() {
    constexpr int steps = 12;
    std::vector<unsigned> expected(256 * steps);
    for (unsigned rule = 0; rule < 256; ++rule) {
        unsigned cells = 1u << 16;
        for (int step = 0; step < steps; ++step) {
            unsigned next = 0;
            for (int i = 0; i < 32; ++i) {
                const unsigned around =
                    (cells >> ((i + 1) & 31) & 1) << 2 | (cells >> i & 1) << 1 | (cells >> ((i + 31) & 31) & 1);
                next |= (rule >> around & 1) << i;
            }
            expected[rule * steps + step] = cells = next;
        }
    }
    const Buffer<unsigned> out(expected.size());
    evolve<<<256, 32>>>(out, steps);
    return same("rules", out.host(), expected);
}
