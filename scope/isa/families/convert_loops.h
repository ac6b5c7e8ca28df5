// Straight loops for the common conversions: one function over a warp's 32 lanes, without the stages of
// convert_stages.h.
//
// Owns: fast_integers() and fast_plain(), which pick one. Guarantees: what they return does all of the form; where
// there is none they return nullptr. Does not model: ftz, sat, relu and satfinite, nor f16 and bf16 but to and from
// f32.
#pragma once

#include <cfenv>
#include <cstdint>

#include "scope/isa/families/convert_stages.h"

namespace tilescope::isa::TILESCOPE_TARGET {

inline bool integer(Type type) { return !is_float(type); }

// Through type A of the source's register, then type D, into the result's register.
template <class Register, class D, class A>
struct Integers {
    template <class Source>
    TILESCOPE_LANE static Register apply(Source a) {
        return static_cast<Register>(static_cast<D>(static_cast<A>(a)));
    }
};

using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;
using S8 = std::int8_t;
using S16 = std::int16_t;
using S32 = std::int32_t;
using S64 = std::int64_t;

// Result and source in registers of their own widths; same-width conversions and truncations need no signs.
template <class D, class Source>
OpFn from_register(Type a) {
    if (sizeof(D) <= sizeof(Source) && bytes_of(a) == sizeof(Source)) return &unary<D, Source, Integers<D, D, Source>>;
    switch (a) {
        case Type::kU8: return &unary<D, Source, Integers<D, D, U8>>;
        case Type::kS8: return &unary<D, Source, Integers<D, D, S8>>;
        case Type::kU16: return &unary<D, Source, Integers<D, D, U16>>;
        case Type::kS16: return &unary<D, Source, Integers<D, D, S16>>;
        case Type::kU32: return &unary<D, Source, Integers<D, D, U32>>;
        case Type::kS32: return &unary<D, Source, Integers<D, D, S32>>;
        default: return nullptr;
    }
}
template <class D>
OpFn fast_integers(Type a, unsigned register_bytes) {
    switch (register_bytes) {
        case 2: return bytes_of(a) <= 2 ? from_register<D, U16>(a) : nullptr;
        case 4: return bytes_of(a) <= 4 ? from_register<D, U32>(a) : nullptr;
        default: return bytes_of(a) == 8 ? from_register<D, U64>(a) : nullptr;
    }
}

template <class D, class A>
struct FromInteger {
    TILESCOPE_LANE static D apply(A a) {
        return a == 0 ? D(0) : static_cast<D>(a);
    }  // a host may make -0 of it, rounding down
};
template <class D>
OpFn fast_from_integer(Type a) {
    switch (a) {
        case Type::kU32: return &unary<D, U32, FromInteger<D, U32>>;
        case Type::kS32: return &unary<D, S32, FromInteger<D, S32>>;
        case Type::kU64: return &unary<D, U64, FromInteger<D, U64>>;
        default: return &unary<D, S64, FromInteger<D, S64>>;
    }
}

template <class A, Towards Way>
struct ToS32 {
    TILESCOPE_LANE static S32 apply(A a) {
        const A r = round_integer(a, Way);
        const bool high = r >= A(0x1p31), low = r < A(-0x1p31), nan = a != a;
        const auto v = static_cast<S32>((high | low | nan) ? A(0) : r);
        const S32 limit = high ? INT32_MAX : (low || sizeof(A) == 8) ? INT32_MIN : 0;
        return (high | low | nan) ? limit : v;
    }
};
template <class A, Towards Way>
struct ToU32 {
    TILESCOPE_LANE static U32 apply(A a) {
        const A r = round_integer(a, Way);
        const bool high = r >= A(0x1p32), low = r < A(0), nan = a != a, upper = r >= A(0x1p31);
        const auto v = static_cast<U32>(static_cast<S32>((high | low | nan) ? A(0) : upper ? r - A(0x1p31) : r));
        const U32 limit = high ? UINT32_MAX : (nan && sizeof(A) == 8) ? 0x80000000u : 0;
        return (high | low | nan) ? limit : upper ? v | 0x80000000u : v;
    }
};
template <class A, Towards Way>
struct ToIntegral {
    TILESCOPE_LANE static A apply(A a) {
        const A r = round_integer(a, Way);
        if constexpr (sizeof(A) == 4)
            return canonical(r);
        else
            return quiet_nan(r);
    }
};

template <class D, class A, template <class, Towards> class Body>
OpFn fast_rounding(const Form& form) {
    if (form.has("rni")) return &unary<D, A, Body<A, Towards::kNearest>>;
    if (form.has("rzi")) return &unary<D, A, Body<A, Towards::kZero>>;
    if (form.has("rmi")) return &unary<D, A, Body<A, Towards::kDown>>;
    return &unary<D, A, Body<A, Towards::kUp>>;
}

template <class T>
struct Same {
    TILESCOPE_LANE static T apply(T a) { return a; }
};
struct Saturate {
    TILESCOPE_LANE static float apply(float a) { return saturate(a); }
};
template <class D, class A>
struct Cast {
    TILESCOPE_LANE static D apply(A a) { return static_cast<D>(a); }
};
template <class Format>
struct Widen {
    TILESCOPE_LANE static float apply(U16 a) { return canonical(Format::widen(a)); }
};
struct WidenBf16 {
    TILESCOPE_LANE static U32 apply(U16 a) { return static_cast<U32>(a) << 16; }  // a NaN as it is
};
template <class Format>
struct Narrow {
    TILESCOPE_LANE static U16 apply(float a) { return Format::narrow(a); }
};

// The straight loop for a form with registers of the types' own widths and no ftz, sat, relu or satfinite; nullptr when
// there is none.
inline OpFn fast_plain(Binding& b, Type d, Type a) {
    const bool nearest = rounding_of(b.form) == FE_TONEAREST;
    const bool integral = !b.form.one_of({"rni", "rzi", "rmi", "rpi"}).empty();
    if (integer(a) && (d == Type::kF32 || d == Type::kF64)) {
        if (bytes_of(a) < 4) return nullptr;
        return with_rounding(b, d == Type::kF32 ? fast_from_integer<float>(a) : fast_from_integer<double>(a));
    }
    if (a == Type::kF32) {
        if (d == Type::kS32) return fast_rounding<S32, float, ToS32>(b.form);
        if (d == Type::kU32) return fast_rounding<U32, float, ToU32>(b.form);
        if (d == Type::kF32)
            return integral ? fast_rounding<float, float, ToIntegral>(b.form) : &unary<U32, U32, Same<U32>>;
        if (d == Type::kF64) return &unary<double, float, Cast<double, float>>;
        if (d == Type::kF16 && nearest) return &unary<U16, float, Narrow<F16>>;
        if (d == Type::kBf16 && nearest) return &unary<U16, float, Narrow<Bf16>>;
    }
    if (a == Type::kF64) {
        if (d == Type::kS32) return fast_rounding<S32, double, ToS32>(b.form);
        if (d == Type::kU32) return fast_rounding<U32, double, ToU32>(b.form);
        if (d == Type::kF64)
            return integral ? fast_rounding<double, double, ToIntegral>(b.form) : &unary<U64, U64, Same<U64>>;
        if (d == Type::kF32) return with_rounding(b, &unary<float, double, Cast<float, double>>);
    }
    if (d == Type::kF32 && a == Type::kF16) return &unary<float, U16, Widen<F16>>;
    if (d == Type::kF32 && a == Type::kBf16) return &unary<U32, U16, WidenBf16>;
    return nullptr;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
