// Bit counting, bit fields and byte dot products: popc, clz, bfind, fns, brev, bfe, bfi, bmsk, szext, dp4a, dp2a.
#include <type_traits>

#include "scope/isa/families/choose.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

template <class T>
constexpr T kOnes = static_cast<T>(~T{0});

// Counted in parallel within the value, as only few targets count bits of vectors.
template <class T>
struct PopCount {
    static std::uint32_t apply(T a) {
        constexpr T kTwos = kOnes<T> / 3, kFours = kOnes<T> / 15 * 3, kBytes = kOnes<T> / 255;
        a = a - (a >> 1 & kTwos);
        a = (a & kFours) + (a >> 2 & kFours);
        a = (a + (a >> 4)) & (kBytes * 15);
        return static_cast<std::uint32_t>(a * kBytes >> (kBits<T> - 8));
    }
};

template <class T>
std::uint32_t leading_zeros(T a) {
    if constexpr (sizeof(T) == 4)
        return a == 0 ? 32u : static_cast<std::uint32_t>(__builtin_clz(a));
    else
        return a == 0 ? 64u : static_cast<std::uint32_t>(__builtin_clzll(a));
}
template <class T>
struct CountLeadingZeros {
    static std::uint32_t apply(T a) { return leading_zeros(a); }
};

// Position of the most significant bit that is not the sign's, or its distance from the top; all ones when none.
template <class T, bool kShiftAmount>
struct FindLeading {
    static std::uint32_t apply(T a) {
        using U = std::make_unsigned_t<T>;
        const U bits = static_cast<U>(a < 0 ? ~a : a);
        const std::uint32_t zeros = leading_zeros(bits);
        return bits == 0 ? ~0u : kShiftAmount ? zeros : kBits<T> - 1 - zeros;
    }
};

// The offset-th set bit of mask, from position base upwards, downwards for a negative offset.
struct FindNthSet {
    static std::uint32_t apply(std::uint32_t mask, std::uint32_t base, std::int32_t offset) {
        if (base > 31) return ~0u;  // undefined in PTX
        if (offset == 0) return (mask >> base & 1u) ? base : ~0u;
        std::uint32_t left = offset > 0 ? static_cast<std::uint32_t>(offset) : 0u - static_cast<std::uint32_t>(offset);
        for (std::uint32_t position = base; position<32; position += offset> 0 ? 1u : ~0u)
            if ((mask >> position & 1u) && --left == 0) return position;
        return ~0u;
    }
};

template <class T>
struct Reverse {
    static T apply(T a) {
        constexpr T kOdd = kOnes<T> / 3, kPairs = kOnes<T> / 5, kNibbles = kOnes<T> / 17;
        a = (a >> 1 & kOdd) | (a & kOdd) << 1;
        a = (a >> 2 & kPairs) | (a & kPairs) << 2;
        a = (a >> 4 & kNibbles) | (a & kNibbles) << 4;
        if constexpr (sizeof(T) == 4)
            return __builtin_bswap32(a);
        else
            return __builtin_bswap64(a);
    }
};

// Shifts by any amount: nothing is left beyond the width.
template <class T>
T shifted_left(T a, std::uint32_t amount) {
    return amount >= kBits<T> ? T{0} : static_cast<T>(a << (amount & (kBits<T> - 1)));
}

// Positions and lengths of fields. PTX restricts them to 0..255; of larger ones an H200 takes the low byte in the
// 32-bit forms and the whole in the 64-bit ones, where 255 is as good.
template <class T>
std::uint32_t field_count(std::uint32_t value) {
    return sizeof(T) == 4 ? value & 0xffu : value < 255u ? value : 255u;
}

// len bits of a from pos up; above them the field's top bit for signed types, bits beyond a's top counting as its top.
template <class T>
struct ExtractField {
    static T apply(T a, std::uint32_t position, std::uint32_t length) {
        using U = std::make_unsigned_t<T>;
        const std::uint32_t from = field_count<T>(position), count = field_count<T>(length);
        const U low = shifted_left<U>(1, count) - 1u;  // all ones when count is the width or more
        const U field = (from >= kBits<T> ? U{0} : static_cast<U>(static_cast<U>(a) >> (from & (kBits<T> - 1)))) & low;
        if constexpr (!std::is_signed_v<T>) {
            return field;
        } else {
            const std::uint32_t last = from + count - 1u;
            const std::uint32_t sign_at = last < kBits<T> - 1 ? last : kBits<T> - 1;
            const bool sign = count != 0 && (static_cast<U>(a) >> sign_at & 1u);
            // Bits that are not of the field, or that the field has beyond a's top.
            const std::uint32_t kept = from >= kBits<T> ? 0 : kBits<T> - from;
            const U inside = (shifted_left<U>(1, kept) - 1u) & low;
            return static_cast<T>(sign ? field | ~inside : field);
        }
    }
};

// The low len bits of a, put into b at pos.
template <class T>
void insert_field(Warp& warp, const Op& op) {
    const T* a = warp.source<T>(op.a);
    const T* b = warp.source<T>(op.b);
    const auto* position = warp.source<std::uint32_t>(op.c);
    const auto* length = warp.source<std::uint32_t>(fourth_of(op));
    write_lanes(warp.exec, warp.target<T>(op.dst), [&](unsigned i) -> T {
        const std::uint32_t at = field_count<T>(position[i]), count = field_count<T>(length[i]);
        const T mask = shifted_left<T>(shifted_left<T>(1, count) - 1u, at);
        return (shifted_left<T>(a[i], at) & mask) | (b[i] & ~mask);
    });
}

template <bool kClamp>
struct MakeMask {
    static std::uint32_t apply(std::uint32_t position, std::uint32_t width) {
        if (kClamp && position >= 32) return 0;
        const std::uint32_t from = position & 31u;
        const std::uint32_t count = kClamp && width >= 32 ? 32 : width & 31u;
        return shifted_left<std::uint32_t>(shifted_left<std::uint32_t>(1, count) - 1u, from);
    }
};

// The low `width` bits of a, extended with zeros or the field's sign.
template <bool kClamp, bool kSigned>
struct ExtendField {
    static std::uint32_t apply(std::uint32_t a, std::uint32_t width) {
        const bool whole = kClamp && width >= 32;
        const std::uint32_t count = width & 31u;
        const std::uint32_t above = whole ? 0u : ~0u << count;
        const bool sign = kSigned && !whole && count != 0 && (a >> ((count - 1u) & 31u) & 1u);
        return (a & ~above) | (sign ? above : 0u);
    }
};

template <class A, class B>
struct DotFour {
    static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        for (unsigned n = 0; n < 4; ++n)
            c += static_cast<std::uint32_t>(static_cast<A>(a >> 8 * n) * static_cast<B>(b >> 8 * n));
        return c;
    }
};
// A: the type of a's two halves; B: of b's bytes, of which kHigh says which two.
template <class A, class B, bool kHigh>
struct DotTwo {
    static std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        if (kHigh) b >>= 16;
        for (unsigned n = 0; n < 2; ++n)
            c += static_cast<std::uint32_t>(static_cast<A>(a >> 16 * n) * static_cast<B>(b >> 8 * n));
        return c;
    }
};

using U32 = std::uint32_t;

template <template <class> class Body>
OpFn bind_count(Binding& b) {
    if (bytes_of(b.type()) == 4) return &unary<U32, U32, Body<U32>>;
    return &unary<U32, std::uint64_t, Body<std::uint64_t>>;
}
OpFn bind_bfind(Binding& b) {
    const bool shift = b.has("shiftamt");
    auto pick = [&](auto t) -> OpFn {
        using T = decltype(t);
        return shift ? &unary<U32, T, FindLeading<T, true>> : &unary<U32, T, FindLeading<T, false>>;
    };
    switch (b.type()) {
        case Type::kU32: return pick(std::uint32_t{});
        case Type::kS32: return pick(std::int32_t{});
        case Type::kU64: return pick(std::uint64_t{});
        default: return pick(std::int64_t{});
    }
}
OpFn bind_fns(Binding&) { return &ternary<U32, U32, U32, std::int32_t, FindNthSet>; }
OpFn bind_brev(Binding& b) {
    if (bytes_of(b.type()) == 4) return &unary<U32, U32, Reverse<U32>>;
    return &unary<std::uint64_t, std::uint64_t, Reverse<std::uint64_t>>;
}
OpFn bind_bfe(Binding& b) {
    auto pick = [](auto t) -> OpFn {
        using T = decltype(t);
        return &ternary<T, T, U32, U32, ExtractField<T>>;
    };
    switch (b.type()) {
        case Type::kU32: return pick(std::uint32_t{});
        case Type::kS32: return pick(std::int32_t{});
        case Type::kU64: return pick(std::uint64_t{});
        default: return pick(std::int64_t{});
    }
}
OpFn bind_bfi(Binding& b) {
    keep_fourth(b, b.operands[4]);
    return bytes_of(b.type()) == 4 ? &insert_field<U32> : &insert_field<std::uint64_t>;
}
OpFn bind_bmsk(Binding& b) {
    return b.has("clamp") ? &binary<U32, U32, U32, MakeMask<true>> : &binary<U32, U32, U32, MakeMask<false>>;
}
OpFn bind_szext(Binding& b) {
    if (b.has("clamp"))
        return b.type() == Type::kS32 ? &binary<U32, U32, U32, ExtendField<true, true>>
                                      : &binary<U32, U32, U32, ExtendField<true, false>>;
    return b.type() == Type::kS32 ? &binary<U32, U32, U32, ExtendField<false, true>>
                                  : &binary<U32, U32, U32, ExtendField<false, false>>;
}

template <class Body>
OpFn dot() {
    return &ternary<U32, U32, U32, U32, Body>;
}
OpFn bind_dp4a(Binding& b) {
    const bool signed_b = b.type(1) == Type::kS32;
    if (b.type(0) == Type::kS32)
        return signed_b ? dot<DotFour<std::int8_t, std::int8_t>>() : dot<DotFour<std::int8_t, std::uint8_t>>();
    return signed_b ? dot<DotFour<std::uint8_t, std::int8_t>>() : dot<DotFour<std::uint8_t, std::uint8_t>>();
}
template <bool kHigh>
OpFn pick_dp2a(Binding& b) {
    const bool signed_b = b.type(1) == Type::kS32;
    if (b.type(0) == Type::kS32)
        return signed_b ? dot<DotTwo<std::int16_t, std::int8_t, kHigh>>()
                        : dot<DotTwo<std::int16_t, std::uint8_t, kHigh>>();
    return signed_b ? dot<DotTwo<std::uint16_t, std::int8_t, kHigh>>()
                    : dot<DotTwo<std::uint16_t, std::uint8_t, kHigh>>();
}
OpFn bind_dp2a(Binding& b) { return b.has("hi") ? pick_dp2a<true>(b) : pick_dp2a<false>(b); }

constexpr Needs kDot{50, 61}, kField{20, 50}, kMask{76, 70};
constexpr Row kBitsRows[] = {
    {.syntax = "popc.[b32 b64]",
     .operands = "=u32 T0",
     .effect = effect::kCountBits,
     .bind = &bind_count<PopCount>,
     .needs = kField},
    {.syntax = "clz.[b32 b64]",
     .operands = "=u32 T0",
     .effect = effect::kCountBits,
     .bind = &bind_count<CountLeadingZeros>,
     .needs = kField},
    {.syntax = "bfind{.shiftamt}.[u32 u64 s32 s64]",
     .operands = "=u32 T0",
     .effect = effect::kCountBits,
     .bind = &bind_bfind,
     .needs = kField},
    {.syntax = "fns.b32", .operands = "=b32 b32 b32 s32", .bind = &bind_fns, .needs = {60, 50}},
    {.syntax = "brev.[b32 b64]",
     .operands = "=T0 T0",
     .effect = effect::kCountBits,
     .bind = &bind_brev,
     .needs = kField},
    {.syntax = "bfe.[u32 u64 s32 s64]",
     .operands = "=T0 T0 u32 u32",
     .effect = effect::kExtract,
     .bind = &bind_bfe,
     .needs = kField},
    {.syntax = "bfi.[b32 b64]",
     .operands = "=T0 T0 T0 u32 u32",
     .effect = effect::kInsert,
     .bind = &bind_bfi,
     .needs = kField},
    {.syntax = "bmsk.[clamp wrap].b32", .operands = "=b32 u32 u32", .bind = &bind_bmsk, .needs = kMask},
    {.syntax = "szext.[clamp wrap].[u32 s32]", .operands = "=T0 T0 u32", .bind = &bind_szext, .needs = kMask},
    {.syntax = "dp4a.[u32 s32].[u32 s32]",
     .operands = "=b32 b32 b32 b32",
     .effect = effect::kApply,
     .bind = &bind_dp4a,
     .needs = kDot,
     .operations = {{{Counter::kByteDotProducts}}}},
    {.syntax = "dp2a.[lo hi]~.[u32 s32].[u32 s32]",
     .operands = "=b32 b32 b32 b32",
     .effect = effect::kApply,
     .bind = &bind_dp2a,
     .needs = kDot},
};

}  // namespace

const Family& bits_family() {
    static constexpr Family kFamily{"bits", "bit counting, bit fields and byte dot products", kBitsRows,
                                    std::size(kBitsRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
