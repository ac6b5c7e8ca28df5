// What setp and set compare: how a lane's value is read, and the comparison operators.
//
// Guarantees: total over all bit patterns; half-precision values are compared as floats, which hold them exactly.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "scope/machine/simd/target.h"

namespace tilescope::isa::TILESCOPE_TARGET {

enum class Comparison : std::uint8_t { kEq, kNe, kLt, kLe, kGt, kGe, kEqu, kNeu, kLtu, kLeu, kGtu, kGeu, kNum, kNan };

// Ordered operators are false with a NaN, unordered ones true. For integers only the first six mean something.
template <Comparison kOperator, class T>
inline bool holds(T a, T b) {
    switch (kOperator) {
        case Comparison::kEq: return a == b;
        case Comparison::kNe: return std::is_integral_v<T> ? a != b : (a < b) | (a > b);
        case Comparison::kLt: return a < b;
        case Comparison::kLe: return a <= b;
        case Comparison::kGt: return a > b;
        case Comparison::kGe: return a >= b;
        case Comparison::kEqu: return !((a < b) | (a > b));
        case Comparison::kNeu: return a != b;
        case Comparison::kLtu: return !(a >= b);
        case Comparison::kLeu: return !(a > b);
        case Comparison::kGtu: return !(a <= b);
        case Comparison::kGeu: return !(a < b);
        case Comparison::kNum: return (a == a) & (b == b);
        case Comparison::kNan: return (a != a) | (b != b);
    }
    return false;
}

// Readers: Lane is what lies in the register, value() what is compared.
template <class T>
struct Plain {
    using Lane = T;
    static T value(T lane) { return lane; }
};

// Subnormals as zeros of their sign.
struct FlushedSingle {
    using Lane = std::uint32_t;
    static float value(std::uint32_t lane) {
        return std::bit_cast<float>((lane & 0x7f800000u) == 0 ? lane & 0x80000000u : lane);
    }
};

// f16 in the low or high half of a Lane_.
template <class Lane_, unsigned kShift, bool kFlush>
struct Half {
    using Lane = Lane_;
    static float value(Lane lane) {
        const std::uint32_t bits = static_cast<std::uint32_t>(lane) >> kShift & 0xffffu;
        std::uint32_t magnitude = bits & 0x7fffu;
        if (kFlush) magnitude = magnitude < 0x400u ? 0u : magnitude;
        // Read at float's exponent, 112 too low; the product is exact, for subnormals too. An exponent of all ones
        // stays one.
        const float finite = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
        const std::uint32_t exact =
            magnitude >= 0x7c00u ? magnitude << 13 | 0x7f800000u : std::bit_cast<std::uint32_t>(finite);
        return std::bit_cast<float>(exact | (bits & 0x8000u) << 16);
    }
};

// bf16 in the low or high half of a Lane_.
template <class Lane_, unsigned kShift>
struct Brain {
    using Lane = Lane_;
    static float value(Lane lane) {
        return std::bit_cast<float>((static_cast<std::uint32_t>(lane) >> kShift & 0xffffu) << 16);
    }
};

}  // namespace tilescope::isa::TILESCOPE_TARGET
