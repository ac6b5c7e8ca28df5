// The products that check_gemm tries: one of them described, and the sets of them.
//
// Owns: Case and how cases are drawn. Guarantees: the same generator gives the same cases. Does not know how a case is
// run.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "tiles/gemm.h"
#include "tiles/src/kernel.h"

namespace tiles_check {

struct Case {
    int64_t m, n, k, batch = 1;
    double alpha = 1, beta = 0;
    tiles::Layout layout = tiles::Layout::kRowMajor;
    tiles::Op op_a = tiles::Op::kNone, op_b = tiles::Op::kNone;
    int pad_a = 0, pad_b = 0, pad_c = 0;  // added to the leading dimensions
    int shift = 0;                        // elements off alignment
    bool narrow_c = false;                // C in the type of A and B
    bool workspace = true;
    bool beside = false;    // the matrices of a batch lie side by side
    bool tail = false;      // cut the last wave's tiles; needs a kernel that can, and more than a wave of tiles
    bool specials = false;  // infinities and NaNs among the factors
    int split = 0;          // parts of k; 0: as the model has it
};

void print_case(const Case& t);

Case random_case(std::mt19937_64& random, bool half);

// Few products that take a kernel through all its code, for runs under compute-sanitizer: every pair of ways to copy
// the factors, edges of tiles, buffers used again, batches, k shared or cut. Sizes follow the tile, to be as small as
// can be.
std::vector<Case> covering_cases(int64_t tile_m, int64_t tile_n, int64_t tile_k, bool half);

// Tails of each sort, one for each transpose: a matrix by itself, then batches of matrices with two tiles each (a
// little more than one tile in both directions, whichever way pairs of blocks lie) that leave two tiles, more than half
// a wave, a third of one.
void add_covering_tails(const tiles::Kernel& kernel, bool half, std::vector<Case>& cases);

// Shapes across every tile edge, and `count` drawn ones.
std::vector<Case> make_cases(std::mt19937_64& random, bool half, int count);

// More tiles than an H200 has clusters of two: the last wave is cut. Every transpose, and what random_case draws.
void add_tail_cases(std::mt19937_64& random, const tiles::Kernel& kernel, bool half, int count,
                    std::vector<Case>& cases);

// k in parts, of which some are added up in clusters and some by a second kernel; some have fewer blocks of k than
// parts.
void add_split_cases(std::mt19937_64& random, int tile_k, bool half, int count, std::vector<Case>& cases);

}  // namespace tiles_check
