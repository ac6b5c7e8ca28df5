// Extended precision: add.cc, addc, sub.cc, subc, mad.cc and madc. The carry flags of a warp's lanes are Warp::carry.
//
// PTX does not say what a flag of sub.cc means to addc, or one of add.cc to subc. On an H200 there is one flag, the
// carry of a + ~b + 1 for differences: set when nothing is borrowed. So it is here.
#include <type_traits>

#include "scope/isa/families/choose.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

template <class T>
struct Result {
    T value;
    bool carry;
};

template <class T>
struct Plus {
    static constexpr Result<T> apply(T a, T b, T carry) {
        const T sum = a + b, with_carry = sum + carry;
        return {with_carry, sum < a || with_carry < sum};
    }
};
template <class T>
struct Minus {
    static constexpr Result<T> apply(T a, T b, T carry) {
        const T difference = a - b, borrow = T{1} - carry;
        return {static_cast<T>(difference - borrow), a >= b && difference >= borrow};
    }
};

// The flags of lanes that start a chain: no carry, no borrow.
template <class T, template <class> class Sum>
constexpr std::uint32_t kStart = Sum<T>::apply(0, 0, 0).value == 0 ? 0u : machine::kFullMask;

// Whether the instruction takes the flag in, and whether it writes it.
enum class Flag { kOut, kIn, kBoth };

// left(i) and right(i) are the lane's two terms. The sources are read whole before the destination is written.
template <class T, template <class> class Sum, Flag kFlag, class Left, class Right>
void sum_with_carry(Warp& warp, const Op& op, Left left, Right right) {
    const std::uint32_t in = kFlag == Flag::kOut ? kStart<T, Sum> : warp.carry;
    if (kFlag != Flag::kIn) {
        const std::uint32_t out = lanes_where(
            [&](unsigned i) { return Sum<T>::apply(left(i), right(i), static_cast<T>(in >> i & 1u)).carry; });
        warp.carry = (warp.carry & ~warp.exec) | (out & warp.exec);
    }
    write_lanes(warp.exec, warp.target<T>(op.dst),
                [&](unsigned i) -> T { return Sum<T>::apply(left(i), right(i), static_cast<T>(in >> i & 1u)).value; });
}

template <class T, template <class> class Sum, Flag kFlag>
void sum(Warp& warp, const Op& op) {
    const T* a = warp.source<T>(op.a);
    const T* b = warp.source<T>(op.b);
    sum_with_carry<T, Sum, kFlag>(
        warp, op, [=](unsigned i) { return a[i]; }, [=](unsigned i) { return b[i]; });
}

// T is signed for the high half of a signed product.
template <class T, bool kHigh>
std::make_unsigned_t<T> half_product(T a, T b) {
    using U = std::make_unsigned_t<T>;
    if constexpr (!kHigh) return static_cast<U>(a) * static_cast<U>(b);
    using W = std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>,
                                 std::conditional_t<std::is_signed_v<T>, Int128, Uint128>>;
    return static_cast<U>((static_cast<W>(a) * static_cast<W>(b)) >> (8 * sizeof(T)));
}

template <class T, bool kHigh, Flag kFlag>
void mad(Warp& warp, const Op& op) {
    using U = std::make_unsigned_t<T>;
    const T* a = warp.source<T>(op.a);
    const T* b = warp.source<T>(op.b);
    const U* c = warp.source<U>(op.c);
    sum_with_carry<U, Plus, kFlag>(
        warp, op, [=](unsigned i) { return half_product<T, kHigh>(a[i], b[i]); }, [=](unsigned i) { return c[i]; });
}

// `in` says whether the opcode is one that takes the flag in (addc, subc, madc).
template <template <class> class Sum, bool kIn>
OpFn bind_sum(Binding& b) {
    auto pick = [&](auto t) -> OpFn {
        using T = decltype(t);
        if constexpr (!kIn) return &sum<T, Sum, Flag::kOut>;
        return b.has("cc") ? &sum<T, Sum, Flag::kBoth> : &sum<T, Sum, Flag::kIn>;
    };
    return bytes_of(b.type()) == 4 ? pick(std::uint32_t{}) : pick(std::uint64_t{});
}

template <class T, bool kHigh, bool kIn>
OpFn pick_mad(Binding& b) {
    if constexpr (!kIn) return &mad<T, kHigh, Flag::kOut>;
    return b.has("cc") ? &mad<T, kHigh, Flag::kBoth> : &mad<T, kHigh, Flag::kIn>;
}
template <bool kIn>
OpFn bind_carry_mad(Binding& b) {
    const bool wide = bytes_of(b.type()) == 8;
    if (b.has("lo")) return wide ? pick_mad<std::uint64_t, false, kIn>(b) : pick_mad<std::uint32_t, false, kIn>(b);
    if (is_signed(b.type())) return wide ? pick_mad<std::int64_t, true, kIn>(b) : pick_mad<std::int32_t, true, kIn>(b);
    return wide ? pick_mad<std::uint64_t, true, kIn>(b) : pick_mad<std::uint32_t, true, kIn>(b);
}

constexpr Needs kLong{43, 50};  // the 64-bit forms
constexpr Needs kMad{30, 50};
constexpr Row kIntegerCarryRows[] = {
    {.syntax = "add.cc.[u32 s32]",
     .operands = "=T0 T0 T0",
     .effect = effect::carry_out(effect::kAdd),
     .bind = &bind_sum<Plus, false>},
    {.syntax = "add.cc.[u64 s64]",
     .operands = "=T0 T0 T0",
     .effect = effect::carry_out(effect::kAdd),
     .bind = &bind_sum<Plus, false>,
     .needs = kLong},
    {.syntax = "addc{.cc}.[u32 s32]",
     .operands = "=T0 T0 T0",
     .effect = effect::kCarries,
     .bind = &bind_sum<Plus, true>},
    {.syntax = "addc{.cc}.[u64 s64]",
     .operands = "=T0 T0 T0",
     .effect = effect::kCarries,
     .bind = &bind_sum<Plus, true>,
     .needs = kLong},
    {.syntax = "sub.cc.[u32 s32]",
     .operands = "=T0 T0 T0",
     .effect = effect::carry_out(effect::kSubtract),
     .bind = &bind_sum<Minus, false>},
    {.syntax = "sub.cc.[u64 s64]",
     .operands = "=T0 T0 T0",
     .effect = effect::carry_out(effect::kSubtract),
     .bind = &bind_sum<Minus, false>,
     .needs = kLong},
    {.syntax = "subc{.cc}.[u32 s32]",
     .operands = "=T0 T0 T0",
     .effect = effect::kCarries,
     .bind = &bind_sum<Minus, true>},
    {.syntax = "subc{.cc}.[u64 s64]",
     .operands = "=T0 T0 T0",
     .effect = effect::kCarries,
     .bind = &bind_sum<Minus, true>,
     .needs = kLong},
    {.syntax = "mad.[lo hi]~.cc.[u32 s32]",
     .operands = "=T0 T0 T0 T0",
     .effect = effect::carry_out(effect::kMultiplyAdd),
     .bind = &bind_carry_mad<false>,
     .needs = kMad},
    {.syntax = "mad.[lo hi]~.cc.[u64 s64]",
     .operands = "=T0 T0 T0 T0",
     .effect = effect::carry_out(effect::kMultiplyAdd),
     .bind = &bind_carry_mad<false>,
     .needs = kLong},
    {.syntax = "madc.[lo hi]~{.cc}.[u32 s32]",
     .operands = "=T0 T0 T0 T0",
     .effect = effect::kCarries,
     .bind = &bind_carry_mad<true>,
     .needs = kMad},
    {.syntax = "madc.[lo hi]~{.cc}.[u64 s64]",
     .operands = "=T0 T0 T0 T0",
     .effect = effect::kCarries,
     .bind = &bind_carry_mad<true>,
     .needs = kLong},
};

}  // namespace

const Family& integer_carry_family() {
    static constexpr Family kFamily{"integer_carry", "extended-precision integer arithmetic", kIntegerCarryRows,
                                    std::size(kIntegerCarryRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
