// Digests of what instructions on words of 32 bits give: one function of three words a form, tried on words that a hash
// makes: of any bits, of bytes, halves and words at the ends of their ranges, and small ones.
//
// A group is a struct with `count`, `names()` and `all(a, b, c, results)`. Each of its forms becomes a line: its text,
// how many cases, the digest of all results, and the results of the first four cases.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace word_digests {

using Word = std::uint32_t;
using Digest = unsigned long long;

constexpr int kFirst = 4;         // cases whose results are printed
constexpr int kThreads = 128;     // of a block
constexpr int kMostBlocks = 256;  // what is more comes in turns
constexpr int kUsualCases = 1 << 20;

__device__ inline Digest mixed(Digest x) {
    x ^= x >> 31;
    x *= 0x7fb5d329728ea185ull;
    x ^= x >> 27;
    x *= 0x81dadef4bc2dd44dull;
    return x ^ x >> 33;
}

// Which: 0, 1, 2 for a, b, c.
__device__ inline Word word_of(Word number, Word which) {
    constexpr Word kEnds[] = {0,          1,          2,          0x7f,       0x80,       0xff,
                              0x7fff,     0x8000,     0xffff,     0x7fffffff, 0x80000000, 0xffffffff,
                              0xfffffffe, 0x80000001, 0x7f80ff00, 0x80007fff};
    const Digest bits = mixed(Digest{number} * 4 + which + 1);
    const Word low = static_cast<Word>(bits), high = static_cast<Word>(bits >> 32);
    const Word kind = high >> 28;
    if (kind < 3) return kEnds[low & 15];
    if (kind < 6) {  // bytes at their ends
        Word word = 0;
        for (int at = 0; at < 32; at += 8) word |= (kEnds[high >> (at / 2) & 7] + (low >> at & 1)) % 256 << at;
        return word;
    }
    if (kind < 9) {  // halves at theirs
        const Word upper = kEnds[high & 15] >> (low & 16), lower = kEnds[high >> 4 & 15] >> (low >> 1 & 16);
        return upper << 16 | (lower & 0xffff);
    }
    if (kind < 11) return (low & 0x7f) - (high & 64);
    return low;
}

template <class Group>
__global__ void digests(Word cases, Digest* sums, Word* first) {
    Digest sum[Group::count];
    for (Digest& one : sum) one = 0;
    const Word thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (Word number = thread; number < cases; number += gridDim.x * blockDim.x) {
        Word result[Group::count];
        Group::all(word_of(number, 0), word_of(number, 1), word_of(number, 2), result);
        for (int form = 0; form < Group::count; ++form) {
            sum[form] = (sum[form] ^ result[form]) * 0x9e3779b97f4a7c15ull + 1;
            if (number < kFirst) first[form * kFirst + number] = result[form];
        }
    }
    for (int form = 0; form < Group::count; ++form) atomicAdd(sums + form, mixed(sum[form] + thread));
}

inline void must(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::printf("%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}

template <class Group>
void print_digests(Word cases) {
    Digest* sums;
    Word* first;
    must(cudaMallocManaged(&sums, Group::count * sizeof(Digest)), "memory");
    must(cudaMallocManaged(&first, Group::count * kFirst * sizeof(Word)), "memory");
    for (int form = 0; form < Group::count; ++form) sums[form] = 0;
    const Word wanted = (cases + kThreads - 1) / kThreads, blocks = wanted < kMostBlocks ? wanted : kMostBlocks;
    digests<Group><<<blocks, kThreads>>>(cases, sums, first);
    must(cudaDeviceSynchronize(), Group::names()[0]);
    for (int form = 0; form < Group::count; ++form) {
        std::printf("%s %u %016llx", Group::names()[form], cases, sums[form]);
        for (int n = 0; n < kFirst; ++n) std::printf(" %08x", first[form * kFirst + n]);
        std::printf("\n");
    }
    must(cudaFree(sums), "memory");
    must(cudaFree(first), "memory");
}

inline Word cases_of(int count, char** arguments) {
    return count > 1 ? static_cast<Word>(std::atoi(arguments[1])) : kUsualCases;
}

}  // namespace word_digests
