// What atomics do to a cell: new value from the old one and the operands. Bit patterns in, bit patterns out.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "scope/isa/families/half_lanes.h"

namespace tilescope::isa::TILESCOPE_TARGET {

template <class T>
struct Add {
    static T apply(T old, T b, T) { return static_cast<T>(old + b); }
};
template <class T>
struct Min {
    static T apply(T old, T b, T) { return std::min(old, b); }
};
template <class T>
struct Max {
    static T apply(T old, T b, T) { return std::max(old, b); }
};
template <class T, class S>
struct MinSigned {
    static T apply(T old, T b, T) { return static_cast<S>(b) < static_cast<S>(old) ? b : old; }
};
template <class T, class S>
struct MaxSigned {
    static T apply(T old, T b, T) { return static_cast<S>(b) > static_cast<S>(old) ? b : old; }
};
// Counts up to b, then starts over.
template <class T>
struct Increment {
    static T apply(T old, T b, T) { return old >= b ? T{0} : static_cast<T>(old + 1); }
};
// Counts down to 0, then starts over at b.
template <class T>
struct Decrement {
    static T apply(T old, T b, T) { return old == 0 || old > b ? b : static_cast<T>(old - 1); }
};
template <class T>
struct And {
    static T apply(T old, T b, T) { return old & b; }
};
template <class T>
struct Or {
    static T apply(T old, T b, T) { return old | b; }
};
template <class T>
struct Xor {
    static T apply(T old, T b, T) { return old ^ b; }
};
template <class T>
struct Exchange {
    static T apply(T, T b, T) { return b; }
};
template <class T>
struct CompareAndSwap {
    static T apply(T old, T b, T c) { return old == b ? c : old; }
};
// PTX: atom.add.f32 rounds to nearest; on global memory it flushes subnormal inputs and results, on shared it does not.
struct AddFloat {
    static std::uint32_t apply(std::uint32_t old, std::uint32_t b, std::uint32_t) {
        const float sum = std::bit_cast<float>(old) + std::bit_cast<float>(b);
        return sum == sum ? std::bit_cast<std::uint32_t>(sum) : 0x7fffffffu;
    }
};
struct AddFloatFlushing {
    static std::uint32_t flush(std::uint32_t bits) { return (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits; }
    static std::uint32_t apply(std::uint32_t old, std::uint32_t b, std::uint32_t) {
        return flush(AddFloat::apply(flush(old), flush(b), 0));
    }
};
struct AddDouble {
    static std::uint64_t apply(std::uint64_t old, std::uint64_t b, std::uint64_t) {
        const double sum = std::bit_cast<double>(old) + std::bit_cast<double>(b);
        return sum == sum ? std::bit_cast<std::uint64_t>(sum) : 0xfff8000000000000ull;
    }
};

// The sum of two halves, or the lesser or greater of them, rounded once: in f32 a sum of two is off by less than what
// the last rounding sees. Subnormals stay.
template <class Format>
struct AddHalf {
    static std::uint16_t apply(std::uint16_t old, std::uint16_t b, std::uint16_t) {
        return Format::narrow(Format::widen(old) + Format::widen(b));
    }
};
template <class Format, bool Max>
struct ExtremeHalf {
    static std::uint16_t apply(std::uint16_t old, std::uint16_t b, std::uint16_t) {
        return Format::narrow(extreme<Max, false, false>(Format::widen(old), Format::widen(b)));
    }
};
// The same in both halves of 32 bits.
template <class Half>
struct Both {
    static std::uint32_t apply(std::uint32_t old, std::uint32_t b, std::uint32_t) {
        const auto part = [&](unsigned shift) {
            return Half::apply(static_cast<std::uint16_t>(old >> shift), static_cast<std::uint16_t>(b >> shift), 0);
        };
        return std::uint32_t{part(0)} | std::uint32_t{part(16)} << 16;
    }
};

// The form an operation takes on global memory.
template <class F>
struct OnGlobal {
    using type = F;
};
template <>
struct OnGlobal<AddFloat> {
    using type = AddFloatFlushing;
};

}  // namespace tilescope::isa::TILESCOPE_TARGET
