// Moving bytes between memory and registers for all lanes, once the access is known to be legal.
#pragma once

#include <cstring>

#include "scope/isa/families/memory_access.h"

namespace tilescope::isa::TILESCOPE_TARGET {

struct Wide {  // a 128-bit element
    std::uint64_t low, high;
    bool operator==(const Wide&) const = default;
};

// Elements of a vector access and the registers they go to or come from; Op::extra.
struct ElementList {
    unsigned count = 1;
    machine::Operand registers[8];
    std::uint8_t register_bytes[8] = {};
    bool present[8] = {};
};

// Reads one element per lane from at + delta. Lanes outside the mask read the first lane's element: legal, and unused.
template <class E>
inline __attribute__((always_inline)) void gather(const std::byte* at, const SiteMemo& memo, E* __restrict out) {
    if (memo.shape == Shape::kUniform) {
        E value;
        std::memcpy(&value, at, sizeof(E));
        for (unsigned i = 0; i < kWarpSize; ++i) out[i] = value;
        return;
    }
    for (unsigned i = 0; i < kWarpSize; ++i) std::memcpy(&out[i], at + memo.deltas[i], sizeof(E));
}

template <class E>
inline void scatter(std::byte* at, const SiteMemo& memo, const E* in) {
    for (std::uint32_t left = memo.mask; left != 0; left &= left - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(left));
        std::memcpy(at + memo.deltas[i], &in[i], sizeof(E));
    }
}

// Local memory is interleaved by words: word w of lane l at (w * 32 + l) * 4.
template <class E>
inline void gather_local(const Warp& warp, std::uint64_t first, const SiteMemo& memo, E* out) {
    constexpr unsigned kWords = (sizeof(E) + 3) / 4;
    for (unsigned i = 0; i < kWarpSize; ++i) {
        if (!(memo.mask >> i & 1)) continue;
        const std::uint64_t address = first + static_cast<std::uint64_t>(memo.deltas[i]);
        const std::byte* word = warp.local + (address / 4 * kWarpSize + i) * 4 + address % 4;
        auto* to = reinterpret_cast<std::byte*>(&out[i]);
        for (unsigned w = 0; w < kWords; ++w)
            std::memcpy(to + 4 * w, word + 4 * kWarpSize * w, sizeof(E) < 4 ? sizeof(E) : 4);
    }
}

template <class E>
inline void scatter_local(Warp& warp, std::uint64_t first, const SiteMemo& memo, const E* in) {
    constexpr unsigned kWords = (sizeof(E) + 3) / 4;
    for (unsigned i = 0; i < kWarpSize; ++i) {
        if (!(memo.mask >> i & 1)) continue;
        const std::uint64_t address = first + static_cast<std::uint64_t>(memo.deltas[i]);
        std::byte* word = warp.local + (address / 4 * kWarpSize + i) * 4 + address % 4;
        const auto* from = reinterpret_cast<const std::byte*>(&in[i]);
        for (unsigned w = 0; w < kWords; ++w)
            std::memcpy(word + 4 * kWarpSize * w, from + 4 * w, sizeof(E) < 4 ? sizeof(E) : 4);
    }
}

// Writes elements to a register that may be wider: zero- or sign-extended.
template <class E>
inline void write_register(Warp& warp, machine::Operand to, unsigned register_bytes, bool sign, const E* values) {
    using machine::TILESCOPE_TARGET::write_lanes;
    if (register_bytes == sizeof(E)) {
        write_lanes(warp.exec, warp.target<E>(to), [&](unsigned i) { return values[i]; });
        return;
    }
    if constexpr (sizeof(E) < 8) {
        using Signed = std::conditional_t<sizeof(E) == 1, std::int8_t,
                                          std::conditional_t<sizeof(E) == 2, std::int16_t, std::int32_t>>;
        auto widened = [&](unsigned i) -> std::uint64_t {
            return sign ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<Signed>(values[i])))
                        : static_cast<std::uint64_t>(values[i]);
        };
        if (register_bytes == 2)
            write_lanes(warp.exec, warp.target<std::uint16_t>(to),
                        [&](unsigned i) { return static_cast<std::uint16_t>(widened(i)); });
        else if (register_bytes == 4)
            write_lanes(warp.exec, warp.target<std::uint32_t>(to),
                        [&](unsigned i) { return static_cast<std::uint32_t>(widened(i)); });
        else
            write_lanes(warp.exec, warp.target<std::uint64_t>(to), [&](unsigned i) { return widened(i); });
    }
}

// Reads the low bytes of a register that may be wider than the element.
template <class E>
inline void read_register(const Warp& warp, machine::Operand from, unsigned register_bytes, E* values) {
    if constexpr (sizeof(E) <= 8) {
        if (register_bytes == 8) {
            const auto* wide = warp.source<std::uint64_t>(from);
            for (unsigned i = 0; i < kWarpSize; ++i) values[i] = static_cast<E>(wide[i]);
            return;
        }
    }
    if constexpr (sizeof(E) <= 4) {
        if (register_bytes == 4) {
            const auto* wide = warp.source<std::uint32_t>(from);
            for (unsigned i = 0; i < kWarpSize; ++i) values[i] = static_cast<E>(wide[i]);
            return;
        }
    }
    if constexpr (sizeof(E) <= 2) {
        const auto* wide = warp.source<std::uint16_t>(from);
        for (unsigned i = 0; i < kWarpSize; ++i) values[i] = static_cast<E>(wide[i]);
    } else {
        const E* same = warp.source<E>(from);
        for (unsigned i = 0; i < kWarpSize; ++i) values[i] = same[i];
    }
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
