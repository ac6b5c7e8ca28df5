// Address patterns of one warp for shared memory, to be measured on hardware: which lanes are active, and which byte
// each of them addresses. Deterministic: the same seed gives the same patterns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

struct BankPattern {
    std::string name;
    unsigned width = 4;                // bytes a lane accesses: 1, 2, 4, 8 or 16
    std::uint32_t mask = 0xffffffffu;  // active lanes
    std::uint32_t offsets[32] = {};    // bytes, multiples of width, below kBankBytes
};

constexpr unsigned kBankBytes = 32 * 1024;  // what the patterns may span

// Everything for one width: fixed shapes, pairs of lanes, partial masks, and random patterns drawn from the seed.
std::vector<BankPattern> bank_patterns(unsigned width, unsigned seed);
// The few that atomics are tried on.
std::vector<BankPattern> atomic_patterns(unsigned width, unsigned seed);
