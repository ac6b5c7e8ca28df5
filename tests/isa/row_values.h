// Random values of a PTX type, the special ones (limits, zeros, infinities, subnormals, NaNs) often among them.
#pragma once

#include <cstdint>
#include <random>

#include "scope/isa/table/types.h"

namespace tilescope::isa::test {

using Random = std::mt19937_64;

struct Bits {
    std::uint64_t lo = 0, hi = 0;
};

inline std::uint64_t below(Random& random, std::uint64_t limit) { return random() % limit; }

// kNone gives untyped bits. 8- and 16-bit types are zero-extended; packed types hold two values.
Bits random_value(Type type, Random& random);

}  // namespace tilescope::isa::test
