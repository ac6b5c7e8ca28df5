// Counters of constant traffic: launches with a known number of distinct addresses, on sets that fit the first cache
// and on others. Each warp walks the set, 64 bytes a step, all lanes at one address or each a line on from its
// neighbour.
#include <vector>
#include "../../examples/check.h"
__constant__ unsigned cells[16320];
template <int kWhat>
__global__ void read(unsigned words, int turns, unsigned* out) {
    unsigned sum = 0, lane = threadIdx.x % 32;
    for (int t = 0; t < turns; ++t)
        for (unsigned i = 0; i < words; i += 16) sum += cells[(i + (kWhat ? lane * 16 : 0)) % words];
    if (sum == 12345) *out = sum;
}
int main() {
    unsigned* out;
    CHECK(cudaMalloc(&out, 4));
    for (unsigned bytes : {1024u, 2048u, 4096u, 16384u, 65280u})
        for (int blocks : {1, 132}) {
            read<0><<<blocks, 32>>>(bytes / 4, 4, out);
            read<1><<<blocks, 32>>>(bytes / 4, 4, out);
        }
    read<0><<<132, 256>>>(16320, 4, out);
    read<0><<<132 * 4, 256>>>(512, 16, out);
    CHECK(cudaDeviceSynchronize());
}
