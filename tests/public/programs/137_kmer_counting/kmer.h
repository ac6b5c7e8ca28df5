// Words of k bases as numbers, the same on either side.
#pragma once
#include <cstddef>
#include <cstdint>
#ifdef __CUDACC__
#define KMER_HD __host__ __device__
#else
#define KMER_HD
#endif
static const uint64_t KMER_EMPTY = ~0ull;
KMER_HD inline int code_of(char c) { return c == 'A' ? 0 : c == 'C' ? 1 : c == 'G' ? 2 : c == 'T' ? 3 : -1; }
KMER_HD inline bool encode_at(const char* bases, std::size_t at, int k, uint64_t* word) {
    uint64_t forward = 0, backward = 0;
    for (int i = 0; i < k; i++) {
        const int c = code_of(bases[at + i]);
        if (c < 0) return false;
        forward = forward << 2 | c;
        backward |= (uint64_t)(3 - c) << (2 * i);
    }
    *word = forward < backward ? forward : backward;
    return true;
}
