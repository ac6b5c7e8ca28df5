// Data that make kernels irregular, the same on every machine and in every run.
//
// Guarantees: the same arguments give the same data. Does not model: what real programs work on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilescope::bench {

// n values of all bits; another seed, other values.
std::vector<std::uint32_t> random_words(std::size_t n, std::uint32_t seed);
std::vector<unsigned char> random_bytes(std::size_t n);
// Pairs of numbers as matrices have them, normally distributed, cut off to bf16, or to f16 where they are not tiny.
std::vector<std::uint32_t> normal_pairs(std::size_t n, std::uint32_t seed, bool as_f16);

// Rows of 0 to 2 * mean - 1 entries (one in 64: eight times as many), each of a random one of `rows` columns.
struct SparseRows {
    std::vector<std::uint32_t> starts;   // one more than rows
    std::vector<std::uint32_t> columns;  // by entry
};
SparseRows sparse_rows(std::uint32_t rows, std::uint32_t mean);

// Edges between vertices; one end is as likely a hub, of which there are 64, as any other vertex.
struct Edges {
    std::vector<std::uint32_t> from, to;
};
Edges edges_with_hubs(std::uint32_t vertices, std::size_t edges);

}  // namespace tilescope::bench
