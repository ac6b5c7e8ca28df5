// CachePolicy: the priority of lines in L2, as a program creates it with createpolicy.
//
// Owns: the encoding of a policy in 64 bits, for registers and accesses. Guarantees: policies with a fraction are
// encoded as NVIDIA's (0x12f0... for all lines first, 0x14f0... for all lines last, 0x1000... for none), because
// programs use these as constants. Other values that no function below made request nothing. A range rounds its sizes
// up to 1/64 of the whole. Does not model: which lines of a fraction hardware picks; a hash of the line decides.
#pragma once

#include <cstdint>

#include "scope/machine/cache_hints.h"

namespace tilescope::machine {

// Of the lines of a fraction: a hash of the line's number says which. In sixteenths.
inline bool is_in_fraction(std::uint64_t line, unsigned sixteenths) {
    line = (line ^ line >> 31) * 0xbf58476d1ce4e5b9ull;
    line = (line ^ line >> 27) * 0x94d049bb133111ebull;
    return line >> 60 < sixteenths;
}

class CachePolicy {
public:
    static constexpr unsigned kWhole = 16;  // sixteenths

    explicit CachePolicy(std::uint64_t bits = 0) : bits_(bits) {}
    std::uint64_t bits() const { return bits_; }

    // `primary` for such a part of the lines, `secondary` (first or unchanged) for the others.
    static CachePolicy of_fraction(Eviction primary, Eviction secondary, float fraction);
    // `primary` from the address on, `secondary` for as many bytes before it and behind as `total` has beyond that.
    static CachePolicy of_range(Eviction primary, Eviction secondary, std::uint64_t address,
                                std::uint32_t primary_bytes, std::uint32_t total_bytes);

    // What it gives the line of an address; kUnchanged where it asks for nothing. `line`: the number that a fraction
    // goes by.
    Eviction eviction_of(std::uint64_t address, std::uint64_t line) const;
    bool is_range() const { return bits_ >> 62 == 2; }
    bool asks() const { return is_range() || is_fraction(); }

private:
    bool is_fraction() const { return bits_ >> 60 == 1 && (bits_ & ((std::uint64_t{1} << 52) - 1)) == 0; }

    std::uint64_t bits_ = 0;
};

}  // namespace tilescope::machine
