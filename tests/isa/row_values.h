// Random values of a PTX type, the special ones (limits, zeros, infinities, subnormals, NaNs) often among them.
#pragma once

#include <cstdint>

#include "scope/isa/table/types.h"

namespace tilescope::isa::test {

// Splitmix64 (Steele, Lea and Flood, 2014): a draw is a few operations on one word. The tests draw hundreds of
// millions, of which a Mersenne twister made half of their time.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t operator()() {
        state_ += 0x9E3779B97F4A7C15;
        std::uint64_t word = (state_ ^ state_ >> 30) * 0xBF58476D1CE4E5B9;
        word = (word ^ word >> 27) * 0x94D049BB133111EB;
        return word ^ word >> 31;
    }

private:
    std::uint64_t state_;
};

struct Bits {
    std::uint64_t lo = 0, hi = 0;
};

inline std::uint64_t below(Random& random, std::uint64_t limit) { return random() % limit; }

// kNone gives untyped bits. 8- and 16-bit types are zero-extended; packed types hold two values.
Bits random_value(Type type, Random& random);

}  // namespace tilescope::isa::test
