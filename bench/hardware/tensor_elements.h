// What the matrices of tensor_values.cu hold: each element is a function of form, kind, case and place, so that a card,
// an emulator and a model make the same ones without passing them on.
//
// Owns: Type, Kind, element(), and of sparse matrices Places and metadata(). Guarantees: the same on host and device,
// and for ever: digests are kept in tests/truth.
#pragma once

#include <cstdint>

enum class Type { kF16, kBf16, kTf32, kF32, kF64, kE4m3, kE5m2, kS8, kU8, kS4, kU4, kB1, kS32 };

struct FloatFormat {
    unsigned exponent, mantissa;
};

__host__ __device__ constexpr FloatFormat format_of(Type type) {
    switch (type) {
        case Type::kF16: return {5, 10};
        case Type::kBf16: return {8, 7};
        case Type::kF64: return {11, 52};
        case Type::kE4m3: return {4, 3};
        case Type::kE5m2: return {5, 2};
        case Type::kTf32:
        case Type::kF32: return {8, 23};
        default: return {0, 0};
    }
}

__host__ __device__ constexpr unsigned bits_of(Type type) {
    switch (type) {
        case Type::kS8:
        case Type::kU8: return 8;
        case Type::kS4:
        case Type::kU4: return 4;
        case Type::kB1: return 1;
        case Type::kS32: return 32;
        default: return 1 + format_of(type).exponent + format_of(type).mantissa;
    }
}

// Which matrices a case has.
enum Kind : unsigned {
    kAlike,       // magnitudes within a factor of 64
    kWide,        // any finite numbers
    kAnything,    // any bits: infinities and NaN among them
    kCancelling,  // pairs of products that cancel but for some of their last bits
    kSparse,      // most are zero
    kTiny,        // about the least numbers there are
    kWhole,       // small whole numbers
    kPowers,      // powers of two, with an addend of many bits
    kKinds
};

__host__ __device__ constexpr std::uint64_t mixed(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

// The bits of the element in row `row` and column `column` of matrix `matrix` (0: A, 1: B, 2: C).
__host__ __device__ constexpr std::uint64_t element(Type type, Kind kind, std::uint64_t of_case, unsigned matrix,
                                                    unsigned row, unsigned column) {
    const auto draw = [&](unsigned salt, unsigned r, unsigned c) {
        return mixed(mixed(of_case * 8 + kind) ^
                     (std::uint64_t{salt} << 48 | std::uint64_t{matrix} << 40 | std::uint64_t{r} << 20 | c));
    };
    std::uint64_t random = draw(0, row, column);
    const unsigned bits = bits_of(type);
    const std::uint64_t all = bits == 64 ? ~0ull : (1ull << bits) - 1;
    const FloatFormat format = format_of(type);
    if (format.exponent == 0) {
        if (kind == kWhole) return (random % 7 - 3) & all;
        if (kind == kSparse && random >> 60 != 0) return 0;
        // Sums that leave their range.
        if (matrix == 2 && kind == kWide) return (0x7fffffffu ^ (random & 0xfff) ^ (random >> 40 & 1 ? ~0u : 0u)) & all;
        if (matrix == 2 && kind == kAlike) return random & 0xffff;
        return random & all;
    }
    const unsigned top = (1u << format.exponent) - 1, bias = top / 2;
    const std::uint64_t fraction_mask = (1ull << format.mantissa) - 1;
    std::uint64_t fraction = random & fraction_mask;
    std::uint64_t sign = random >> 63;
    const unsigned spread = static_cast<unsigned>(random >> 53 & 0x3ff);
    unsigned exponent = bias;
    switch (kind) {
        case kAlike: exponent = bias - 3 + spread % 6; break;
        case kWide:
            exponent = spread % (type == Type::kE4m3 ? top + 1 : top);
            if (type == Type::kE4m3 && exponent == top && fraction == fraction_mask) fraction = 0;
            break;
        case kAnything: return random & all;
        case kCancelling: {
            // Columns of A come in pairs of opposite sign, rows of B in equal pairs.
            const unsigned pair_row = matrix == 1 ? row / 2 * 2 : row,
                           pair_column = matrix == 0 ? column / 2 * 2 : column;
            if (matrix == 2) {
                exponent = bias - spread % (bias - 1);
                break;
            }
            const std::uint64_t shared = draw(1, pair_row, pair_column);
            exponent = bias - 2 + static_cast<unsigned>(shared >> 53 & 3);
            fraction = shared & fraction_mask;
            sign = shared >> 63;
            const bool second = matrix == 0 ? column % 2 == 1 : row % 2 == 1;
            if (second && matrix == 0) sign ^= 1;
            if (second && random % 4 == 0) fraction ^= 1;
            break;
        }
        case kSparse:
            if (random % 8 != 0 && matrix != 2) return 0;
            if (random % 4 == 0 && matrix == 2) return sign << (bits - 1);
            exponent = 1 + spread % (top - 1);
            fraction = random >> 8 & fraction_mask;
            break;
        case kTiny:
            exponent = matrix == 2 ? spread % 4 : spread % 2 == 0 ? spread / 2 % 3 : bias - spread / 2 % (bias / 2);
            break;
        case kWhole: {
            const unsigned magnitude = static_cast<unsigned>(random >> 20 & 7);
            if (magnitude == 0) return sign << (bits - 1);
            unsigned log = 0;
            while (magnitude >> (log + 1) != 0) ++log;
            exponent = bias + log;
            const std::uint64_t rest = magnitude - (1u << log);
            fraction = format.mantissa >= log ? rest << (format.mantissa - log) : rest >> (log - format.mantissa);
            break;
        }
        case kPowers:
            exponent = bias - spread % (bias < 14 ? bias : 14);
            if (matrix != 2) fraction = 0;
            break;
        default: break;
    }
    return sign << (bits - 1) | std::uint64_t{exponent} << format.mantissa | fraction;
}

// Which places of a sparse matrix are kept: pairs in ascending order, as compilers of such matrices write them; or any
// bits.
enum Places : unsigned { kOrdered, kAnyBits, kPlaces };

constexpr const char* kPlaceNames[kPlaces] = {"ordered", "any"};

// A lane's word of it.
__host__ __device__ constexpr std::uint32_t metadata(Type type, Places places, std::uint64_t of_case, unsigned lane) {
    std::uint64_t random = mixed(mixed(of_case * 2 + places) ^ (std::uint64_t{7} << 48 | lane));
    if (places == kAnyBits) return static_cast<std::uint32_t>(random);
    constexpr unsigned kPairs[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe};
    std::uint32_t word = 0;
    for (unsigned i = 0; i < 8; ++i) {
        word |= (type == Type::kTf32 ? (random % 2 != 0 ? 0xeu : 0x4u) : kPairs[random % 6]) << (i * 4);
        random /= 6;
    }
    return word;
}
