// Limits from which launches are simulated in part.
//
// Guarantees: the code contains no figure of a GPU, only results of bench/sampling about errors and time.
#pragma once

#include <cstdint>

namespace tilescope::observers {

struct SamplingRules {
    static constexpr std::uint64_t kNever = ~std::uint64_t{0};  // numeric: more than any launch has

    // Launches that repeat themselves are sampled if they have so many requests, whatever they are; or fewer, whose
    // blocks come in many waves: then a wave that goes by is one of many, and the launch's end is seen as a whole.
    std::uint64_t least = std::uint64_t{16} << 20;          // numeric: by errors seen (docs/internals/sampling.md)
    std::uint64_t least_in_waves = std::uint64_t{3} << 19;  // numeric: likewise
    double waves = 12;                                      // numeric: likewise

    static SamplingRules never() { return {kNever, kNever, 0}; }
    bool operator==(const SamplingRules&) const = default;
};

}  // namespace tilescope::observers
