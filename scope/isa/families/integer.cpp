// Integer arithmetic: add, sub, mul, mad, sad, div, rem, abs, neg, min, max and their packed and 24-bit forms.
#include <type_traits>

#include "scope/isa/families/choose.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

template <class T>
using Unsigned = std::make_unsigned_t<T>;

// The type that holds any product of two T.
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;
template <class T>
struct Twice;
template <>
struct Twice<std::uint16_t> {
    using Type = std::uint32_t;
};
template <>
struct Twice<std::int16_t> {
    using Type = std::int32_t;
};
template <>
struct Twice<std::uint32_t> {
    using Type = std::uint64_t;
};
template <>
struct Twice<std::int32_t> {
    using Type = std::int64_t;
};
template <>
struct Twice<std::uint64_t> {
    using Type = Uint128;
};
template <>
struct Twice<std::int64_t> {
    using Type = Int128;
};
template <class T>
using Wide = typename Twice<T>::Type;

// Sums and low products wrap: computed in an unsigned type of at least 32 bits, as a 16-bit product would be an int.
template <class T>
using Wrapping = std::conditional_t<sizeof(T) == 2, std::uint32_t, Unsigned<T>>;

template <class T>
T product_low(T a, T b) {
    return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
}
// bits of the upper half of the full product
template <class T>
T product_high(T a, T b) {
    return static_cast<T>((static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b)) >> (8 * sizeof(T)));
}
inline std::int32_t saturated(std::int64_t value) {
    value = value < INT32_MIN ? INT32_MIN : value;
    return static_cast<std::int32_t>(value > INT32_MAX ? INT32_MAX : value);
}

template <class T>
struct Add {
    static T apply(T a, T b) { return static_cast<T>(a + b); }
};
template <class T>
struct Sub {
    static T apply(T a, T b) { return static_cast<T>(a - b); }
};
struct AddSaturated {
    static std::int32_t apply(std::int32_t a, std::int32_t b) { return saturated(std::int64_t{a} + b); }
};
struct SubSaturated {
    static std::int32_t apply(std::int32_t a, std::int32_t b) { return saturated(std::int64_t{a} - b); }
};
template <class T>
struct MulLow {
    static T apply(T a, T b) { return product_low(a, b); }
};
template <class T>
struct MulHigh {
    static T apply(T a, T b) { return product_high(a, b); }
};
template <class T>
struct MulWide {
    static Wide<T> apply(T a, T b) { return static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b); }
};
template <class T>
struct MadLow {
    static T apply(T a, T b, T c) {
        return static_cast<T>(static_cast<Wrapping<T>>(product_low(a, b)) + static_cast<Wrapping<T>>(c));
    }
};
template <class T>
struct MadHigh {
    static T apply(T a, T b, T c) {
        return static_cast<T>(static_cast<Wrapping<T>>(product_high(a, b)) + static_cast<Wrapping<T>>(c));
    }
};
struct MadHighSaturated {
    static std::int32_t apply(std::int32_t a, std::int32_t b, std::int32_t c) {
        return saturated(std::int64_t{product_high(a, b)} + c);
    }
};
template <class T>
struct MadWide {
    static Wide<T> apply(T a, T b, Wide<T> c) {
        using U = std::make_unsigned_t<Wide<T>>;
        return static_cast<Wide<T>>(static_cast<U>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b)) +
                                    static_cast<U>(c));
    }
};

// The 48-bit product of the low 24 bits of a and b, sign-extended to 64 bits.
inline std::uint64_t product24(std::uint32_t a, std::uint32_t b) {
    return std::uint64_t{a & 0xffffffu} * (b & 0xffffffu);
}
inline std::int64_t product24(std::int32_t a, std::int32_t b) {
    const auto low = [](std::int32_t x) {
        return std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << 8) >> 8};
    };
    return low(a) * low(b);
}
template <class T>
struct Mul24Low {
    static T apply(T a, T b) { return static_cast<T>(product24(a, b)); }
};
template <class T>
struct Mul24High {  // bits 47..16
    static T apply(T a, T b) { return static_cast<T>(product24(a, b) >> 16); }
};
template <class T>
struct Mad24Low {
    static T apply(T a, T b, T c) { return MadLow<T>::apply(Mul24Low<T>::apply(a, b), 1, c); }
};
template <class T>
struct Mad24High {
    static T apply(T a, T b, T c) { return MadLow<T>::apply(Mul24High<T>::apply(a, b), 1, c); }
};
struct Mad24HighSaturated {
    static std::int32_t apply(std::int32_t a, std::int32_t b, std::int32_t c) {
        return saturated(std::int64_t{Mul24High<std::int32_t>::apply(a, b)} + c);
    }
};

// c + |a - b|
template <class T>
struct Sad {
    static T apply(T a, T b, T c) {
        using W = Wrapping<T>;
        const W difference = a < b ? static_cast<W>(b) - static_cast<W>(a) : static_cast<W>(a) - static_cast<W>(b);
        return static_cast<T>(static_cast<W>(c) + difference);
    }
};

template <class T>
T magnitude(T a) {
    using W = Wrapping<T>;
    return static_cast<T>(a < 0 ? W{0} - static_cast<W>(a) : static_cast<W>(a));
}
template <class T>
struct Abs {
    static T apply(T a) { return magnitude(a); }
};
template <class T>
struct Neg {
    static T apply(T a) { return static_cast<T>(Wrapping<T>{0} - static_cast<Wrapping<T>>(a)); }
};
template <class T>
struct Min {
    static T apply(T a, T b) { return a < b ? a : b; }
};
template <class T>
struct Max {
    static T apply(T a, T b) { return a > b ? a : b; }
};
// .relu: negative results become zero.
template <class Body>
struct Relu {
    template <class T>
    static T apply(T a, T b) {
        const T result = Body::apply(a, b);
        return result < 0 ? T{0} : result;
    }
};
// Two 16-bit operations in one 32-bit register.
template <class T, class Body>
struct Packed {
    static std::uint32_t apply(std::uint32_t a, std::uint32_t b) {
        const auto low = static_cast<std::uint16_t>(Body::apply(static_cast<T>(a), static_cast<T>(b)));
        const auto high = static_cast<std::uint16_t>(Body::apply(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
        return low | std::uint32_t{high} << 16;
    }
};
template <class T, class Body>
OpFn packed() {
    return &binary<std::uint32_t, std::uint32_t, std::uint32_t, Packed<T, Body>>;
}

template <class Body>
OpFn binary_s32() {
    return &binary<std::int32_t, std::int32_t, std::int32_t, Body>;
}
template <class Body>
OpFn ternary_s32() {
    return &ternary<std::int32_t, std::int32_t, std::int32_t, std::int32_t, Body>;
}

OpFn bind_add(Binding& b) {
    if (b.has("sat")) return binary_s32<AddSaturated>();
    if (b.type() == Type::kU16x2 || b.type() == Type::kS16x2) return packed<std::uint16_t, Add<std::uint16_t>>();
    return binary_bits<Add>(b.type());
}
OpFn bind_sub(Binding& b) { return b.has("sat") ? binary_s32<SubSaturated>() : binary_bits<Sub>(b.type()); }

OpFn bind_mul(Binding& b) { return b.has("lo") ? binary_bits<MulLow>(b.type()) : binary_integer<MulHigh>(b.type()); }
OpFn bind_mad(Binding& b) {
    if (b.has("sat")) return ternary_s32<MadHighSaturated>();
    return b.has("lo") ? ternary_integer<MadLow>(b.type()) : ternary_integer<MadHigh>(b.type());
}
// 16- and 32-bit types only.
template <class Make>
OpFn with_narrow(Type type, Make make) {
    switch (type) {
        case Type::kU16: return make(std::uint16_t{});
        case Type::kS16: return make(std::int16_t{});
        case Type::kU32: return make(std::uint32_t{});
        default: return make(std::int32_t{});
    }
}
OpFn bind_mul_wide(Binding& b) {
    return with_narrow(b.type(), [](auto t) -> OpFn {
        using T = decltype(t);
        return &binary<Wide<T>, T, T, MulWide<T>>;
    });
}
OpFn bind_mad_wide(Binding& b) {
    return with_narrow(b.type(), [](auto t) -> OpFn {
        using T = decltype(t);
        return &ternary<Wide<T>, T, T, Wide<T>, MadWide<T>>;
    });
}
// 32-bit types only.
template <template <class> class Body>
OpFn binary_word(Type type) {
    if (type == Type::kS32) return binary_s32<Body<std::int32_t>>();
    return &binary<std::uint32_t, std::uint32_t, std::uint32_t, Body<std::uint32_t>>;
}
template <template <class> class Body>
OpFn ternary_word(Type type) {
    if (type == Type::kS32) return ternary_s32<Body<std::int32_t>>();
    return &ternary<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, Body<std::uint32_t>>;
}
OpFn bind_mul24(Binding& b) { return b.has("lo") ? binary_word<Mul24Low>(b.type()) : binary_word<Mul24High>(b.type()); }
OpFn bind_mad24(Binding& b) {
    if (b.has("sat")) return ternary_s32<Mad24HighSaturated>();
    return b.has("lo") ? ternary_word<Mad24Low>(b.type()) : ternary_word<Mad24High>(b.type());
}
OpFn bind_sad(Binding& b) { return ternary_integer<Sad>(b.type()); }

template <template <class> class Body>
OpFn unary_signed(Type type) {
    switch (bytes_of(type)) {
        case 2: return &unary<std::int16_t, std::int16_t, Body<std::int16_t>>;
        case 4: return &unary<std::int32_t, std::int32_t, Body<std::int32_t>>;
        default: return &unary<std::int64_t, std::int64_t, Body<std::int64_t>>;
    }
}
OpFn bind_abs(Binding& b) { return unary_signed<Abs>(b.type()); }
OpFn bind_neg(Binding& b) { return unary_signed<Neg>(b.type()); }

template <template <class> class Body>
OpFn bind_extreme(Binding& b) {
    const bool relu = b.has("relu");
    switch (b.type()) {
        case Type::kU16x2: return packed<std::uint16_t, Body<std::uint16_t>>();
        case Type::kS16x2:
            return relu ? packed<std::int16_t, Relu<Body<std::int16_t>>>() : packed<std::int16_t, Body<std::int16_t>>();
        default: return relu ? binary_s32<Relu<Body<std::int32_t>>>() : binary_integer<Body>(b.type());
    }
}

constexpr Needs kPacked{80, 90};
constexpr Row kIntegerRows[] = {
    {.syntax = "add.[u16 u32 u64 s16 s32 s64]", .operands = "=T0 T0 T0", .effect = effect::kAdd, .bind = &bind_add},
    {.syntax = "add.sat.s32", .operands = "=T0 T0 T0", .effect = effect::kAdd, .bind = &bind_add},
    {.syntax = "add.[u16x2 s16x2]",
     .operands = "=T0 T0 T0",
     .effect = effect::kAdd,
     .bind = &bind_add,
     .needs = kPacked},
    {.syntax = "sub.[u16 u32 u64 s16 s32 s64]",
     .operands = "=T0 T0 T0",
     .effect = effect::kSubtract,
     .bind = &bind_sub},
    {.syntax = "sub.sat.s32", .operands = "=T0 T0 T0", .effect = effect::kSubtract, .bind = &bind_sub},
    {.syntax = "mul.[lo hi]~.[u16 u32 u64 s16 s32 s64]",
     .operands = "=T0 T0 T0",
     .effect = effect::kMultiply,
     .bind = &bind_mul},
    {.syntax = "mul.wide~.[u16 u32 s16 s32]",
     .operands = "=W0 T0 T0",
     .effect = effect::kMultiply,
     .bind = &bind_mul_wide},
    {.syntax = "mad.[lo hi]~.[u16 u32 u64 s16 s32 s64]",
     .operands = "=T0 T0 T0 T0",
     .effect = effect::kMultiplyAdd,
     .bind = &bind_mad},
    {.syntax = "mad.hi~.sat.s32", .operands = "=T0 T0 T0 T0", .effect = effect::kMultiplyAdd, .bind = &bind_mad},
    {.syntax = "mad.wide~.[u16 u32 s16 s32]",
     .operands = "=W0 T0 T0 W0",
     .effect = effect::kMultiplyAdd,
     .bind = &bind_mad_wide},
    {.syntax = "mul24.[lo hi]~.[u32 s32]", .operands = "=T0 T0 T0", .effect = effect::kMultiply, .bind = &bind_mul24},
    {.syntax = "mad24.[lo hi]~.[u32 s32]",
     .operands = "=T0 T0 T0 T0",
     .effect = effect::kMultiplyAdd,
     .bind = &bind_mad24},
    {.syntax = "mad24.hi~.sat.s32", .operands = "=T0 T0 T0 T0", .effect = effect::kMultiplyAdd, .bind = &bind_mad24},
    {.syntax = "sad.[u16 u32 u64 s16 s32 s64]",
     .operands = "=T0 T0 T0 T0",
     .effect = effect::kApply,
     .bind = &bind_sad},
    {.syntax = "abs.[s16 s32 s64]", .operands = "=T0 T0", .effect = effect::kApply, .bind = &bind_abs},
    {.syntax = "neg.[s16 s32 s64]", .operands = "=T0 T0", .effect = effect::kNegate, .bind = &bind_neg},
    {.syntax = "min.[u16 u32 u64 s16 s32 s64]",
     .operands = "=T0 T0 T0",
     .effect = effect::kExtreme,
     .bind = &bind_extreme<Min>},
    {.syntax = "min.[u16x2 s16x2]",
     .operands = "=T0 T0 T0",
     .effect = effect::kApply,
     .bind = &bind_extreme<Min>,
     .needs = kPacked},
    {.syntax = "min.relu.[s32 s16x2]",
     .operands = "=T0 T0 T0",
     .effect = effect::kApply,
     .bind = &bind_extreme<Min>,
     .needs = kPacked},
    {.syntax = "max.[u16 u32 u64 s16 s32 s64]",
     .operands = "=T0 T0 T0",
     .effect = effect::kExtreme,
     .bind = &bind_extreme<Max>},
    {.syntax = "max.[u16x2 s16x2]",
     .operands = "=T0 T0 T0",
     .effect = effect::kApply,
     .bind = &bind_extreme<Max>,
     .needs = kPacked},
    {.syntax = "max.relu.[s32 s16x2]",
     .operands = "=T0 T0 T0",
     .effect = effect::kApply,
     .bind = &bind_extreme<Max>,
     .needs = kPacked},
};

}  // namespace

const Family& integer_family() {
    static constexpr Family kFamily{"integer", "integer arithmetic", kIntegerRows, std::size(kIntegerRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
