// Digests of a function of one or two floats: of sampled inputs and of drawn pairs. Programs
// for a GPU that make digests to compare with must draw the same ones.
#pragma once

#include <cstdint>

namespace tilescope::isa::test {

inline std::uint64_t mixed(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
inline std::uint64_t entry(std::uint32_t input, std::uint32_t result) {
    return mixed(std::uint64_t{input} << 32 | result);
}
inline constexpr std::uint32_t kRanges = 256, kPerRange = 64;

template <class Function>
std::uint64_t digest(Function function) {
    std::uint64_t all = 0;
    for (std::uint32_t range = 0; range < kRanges; ++range) {
        std::uint64_t sum = 0;
        for (std::uint32_t i = 0; i < kPerRange; ++i) {
            const std::uint32_t input = range << 24 | (i * 0x9e3779b1u + range * 0x85ebca6bu) >> 8;
            sum += entry(input, function(input));
        }
        all = mixed(all ^ sum);
    }
    return all;
}
// Pairs of any bits (kind 0), or of x from 2^-8 to 2^8 and y from 2^-11 to 32 in magnitude (kind 1).
template <class Function>
std::uint64_t entry_of_pair(unsigned kind, std::uint32_t index, Function function) {
    const std::uint64_t drawn = mixed(index + (std::uint64_t{kind} << 40));
    auto x = static_cast<std::uint32_t>(drawn), y = static_cast<std::uint32_t>(drawn >> 32);
    if (kind == 1) {
        x = (119u << 23) + (x & 0x7ffffffu);
        y = (y & 0x807fffffu) | (116u + (y >> 23 & 15u)) << 23;
    }
    return entry(index, function(x, y));
}
template <class Function>
std::uint64_t digest_of_pairs(unsigned kind, Function function) {
    std::uint64_t all = 0;
    for (std::uint32_t block = 0; block < kRanges; ++block) {
        std::uint64_t sum = 0;
        for (std::uint32_t i = 0; i < kPerRange; ++i) {
            const std::uint32_t index = block << 20 | i;
            sum += entry_of_pair(kind, index, function);
        }
        all = mixed(all ^ sum);
    }
    return all;
}

}  // namespace tilescope::isa::test
