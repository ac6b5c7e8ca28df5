// Words in a filter of bits with several hashes; what was never put in is mostly told apart.
#include "fourfold.cuh"

constexpr unsigned kBits = 4096;

template <class Do>
__host__ __device__ void places(unsigned word, Do&& act) {
    unsigned a = word * 0x9e3779b1u, b = (word ^ 0xabcdefu) * 0x85ebca77u | 1;
    for (int i = 0; i < 4; ++i, a += b) act(a >> 20);
}

__global__ void insert(const unsigned* words, unsigned* bits, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) places(words[i], [&](unsigned at) { atomicOr(&bits[at / 32], 1u << at % 32); });
}

__global__ void ask(const unsigned* words, const unsigned* bits, unsigned char* found, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    bool all = true;
    places(words[i], [&](unsigned at) { all = all && (bits[at / 32] >> at % 32 & 1); });
    found[i] = all;
}

int main() {
    constexpr int count = 400;
    const std::vector<unsigned> words = numbers<unsigned>(2 * count, 0, 4e9);
    std::vector<unsigned> bits(kBits / 32);
    std::vector<unsigned char> expected(2 * count, 1);
    for (int i = 0; i < count; ++i) places(words[i], [&](unsigned at) { bits[at / 32] |= 1u << at % 32; });
    for (int i = 0; i < 2 * count; ++i)
        places(words[i], [&](unsigned at) { expected[i] = expected[i] && (bits[at / 32] >> at % 32 & 1); });
    const Buffer<unsigned> in(words), filter(bits.size());
    const Buffer<unsigned char> found(2 * count);
    insert<<<4, 128>>>(in, filter, count);
    ask<<<7, 128>>>(in, filter, found, 2 * count);
    return same("filter", filter.host(), bits) + same("found", found.host(), expected);
}
