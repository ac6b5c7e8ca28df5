#include "tests/isa/row_values.h"

#include <iterator>

namespace tilescope::isa::test {
namespace {

// A floating format: bits of the exponent and of the fraction.
struct Format {
    unsigned exponent, fraction;
};

std::uint64_t random_float(Format format, Random& random) {
    const std::uint64_t sign = random() & 1u, top = (std::uint64_t{1} << format.exponent) - 1, bias = top >> 1;
    const std::uint64_t fraction_mask = (std::uint64_t{1} << format.fraction) - 1;
    std::uint64_t exponent = 0, fraction = random() & fraction_mask;
    switch (below(random, 12)) {
        case 0: fraction = 0; break;                                     // zero
        case 1: break;                                                   // subnormal
        case 2: fraction = below(random, 2) ? 1 : fraction_mask; break;  // edges of the subnormals
        case 3:
            exponent = top;
            fraction = 0;
            break;                      // infinity
        case 4: exponent = top; break;  // NaN, mostly
        case 5:
            exponent = top - 1;
            fraction = below(random, 2) ? fraction_mask : fraction;
            break;
        case 6:
            exponent = 1;
            fraction = below(random, 2) ? 0 : fraction;
            break;  // smallest normals
        case 7:
            exponent = bias + below(random, 4) - 1;
            fraction = 0;
            break;                                                            // 0.5, 1, 2, 4
        case 8: exponent = bias + below(random, format.fraction + 2); break;  // around the integers
        case 9: exponent = bias - 1 + below(random, 2); break;                // around one
        case 10: exponent = below(random, top); break;                        // anywhere
        default: exponent = bias - 8 + below(random, 16); break;              // moderate
    }
    return (sign << format.exponent | (exponent & top)) << format.fraction | fraction;
}

std::uint64_t random_integer(unsigned bits, Random& random) {
    const std::uint64_t mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
    const std::uint64_t special[] = {0, 1, 2, mask, mask - 1, sign, sign - 1, sign + 1, bits, bits - 1, bits + 1};
    switch (below(random, 6)) {
        case 0: return special[below(random, std::size(special))] & mask;
        case 1: return below(random, 70) & mask;                // counts and positions
        case 2: return (0 - below(random, 70)) & mask;          // small negatives
        case 3: return (random() >> below(random, 64)) & mask;  // any magnitude
        default: return random() & mask;
    }
}

std::uint64_t twice(std::uint64_t low, std::uint64_t high) { return low | high << 16; }

}  // namespace

Bits random_value(Type type, Random& random) {
    constexpr Format kHalf{5, 10}, kBrain{8, 7}, kSingle{8, 23}, kDouble{11, 52};
    switch (type) {
        case Type::kPred: return {random() & 1u};
        case Type::kF16: return {random_float(kHalf, random)};
        case Type::kBf16: return {random_float(kBrain, random)};
        case Type::kF16x2: return {twice(random_float(kHalf, random), random_float(kHalf, random))};
        case Type::kBf16x2: return {twice(random_float(kBrain, random), random_float(kBrain, random))};
        case Type::kU16x2:
        case Type::kS16x2: return {twice(random_integer(16, random), random_integer(16, random))};
        case Type::kF32:
        case Type::kTf32: return {random_float(kSingle, random)};
        case Type::kF64: return {random_float(kDouble, random)};
        case Type::kB128:
        case Type::kNone: return {random_integer(64, random), random_integer(64, random)};
        default: return {random_integer(8 * bytes_of(type), random)};
    }
}

}  // namespace tilescope::isa::test
