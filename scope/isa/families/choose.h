// Choosing a lane function's instance by the type of the spelling, and the small things that most bind functions need.
//
// Everything here lies in the target's namespace (simd/target.h).
#pragma once

#include "scope/isa/families/lane_functions.h"
#include "scope/isa/table/binding.h"

namespace tilescope::isa::TILESCOPE_TARGET {

template <class T>
inline constexpr unsigned kBits = 8 * sizeof(T);

// make(T{}) with T the unsigned integer of the type's width.
template <class Make>
OpFn with_bits(Type type, Make make) {
    switch (bytes_of(type)) {
        case 2: return make(std::uint16_t{});
        case 4: return make(std::uint32_t{});
        default: return make(std::uint64_t{});
    }
}

// make(T{}) with T the integer of the type's width and signedness; bit types are unsigned.
template <class Make>
OpFn with_integer(Type type, Make make) {
    if (!is_signed(type)) return with_bits(type, make);
    switch (bytes_of(type)) {
        case 2: return make(std::int16_t{});
        case 4: return make(std::int32_t{});
        default: return make(std::int64_t{});
    }
}

// Instructions whose operands all have the one type T.
template <template <class> class Body>
OpFn unary_bits(Type type) {
    return with_bits(type, [](auto t) -> OpFn { return &unary<decltype(t), decltype(t), Body<decltype(t)>>; });
}
template <template <class> class Body>
OpFn binary_bits(Type type) {
    return with_bits(type, [](auto t) -> OpFn {
        using T = decltype(t);
        return &binary<T, T, T, Body<T>>;
    });
}
template <template <class> class Body>
OpFn binary_integer(Type type) {
    return with_integer(type, [](auto t) -> OpFn {
        using T = decltype(t);
        return &binary<T, T, T, Body<T>>;
    });
}
template <template <class> class Body>
OpFn ternary_integer(Type type) {
    return with_integer(type, [](auto t) -> OpFn {
        using T = decltype(t);
        return &ternary<T, T, T, T, Body<T>>;
    });
}

// A fourth source, kept in op.immediate.
inline void keep_fourth(Binding& b, const BoundOperand& operand) { b.op.immediate = operand.slot.bits; }
inline machine::Operand fourth_of(const Op& op) {
    machine::Operand operand;
    operand.bits = static_cast<std::uint32_t>(op.immediate);
    return operand;
}

// Negated predicate sources (!p) as bits of op.flags: 1 for op.a, 2 for op.b, 4 for op.c. For instructions with one
// written operand, the first.
inline void note_negations(Binding& b) {
    for (std::size_t i = 1; i < b.operands.size() && i <= 3; ++i)
        if (b.operands[i].negated) b.op.flags |= static_cast<std::uint16_t>(1u << (i - 1));
}
inline std::uint32_t source_mask(const Warp& warp, const Op& op, machine::Operand operand, unsigned flag) {
    return warp.predicate(operand) ^ ((op.flags & flag) ? machine::kFullMask : 0u);
}

// The two halves of a destination pair p|q, either of which may be a sink.
struct DestinationPair {
    machine::Operand first, second;
    bool has_first = false, has_second = false;
};
inline DestinationPair destination_pair(const BoundOperand& operand) {
    DestinationPair pair;
    auto take = [](const BoundOperand& from, machine::Operand& slot, bool& has) {
        has = from.kind == BoundKind::kValue;
        slot = from.slot;
    };
    if (operand.kind == BoundKind::kVector) {
        if (!operand.elements.empty()) take(operand.elements[0], pair.first, pair.has_first);
        if (operand.elements.size() > 1) take(operand.elements[1], pair.second, pair.has_second);
    } else {
        take(operand, pair.first, pair.has_first);
    }
    return pair;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
