// selp, slct, testp and copysign.
#include <bit>
#include <cstdlib>

#include "scope/isa/families/choose.h"
#include "scope/isa/families/compare_values.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

template <class T>
void select_by_predicate(Warp& warp, const Op& op) {
    const T* a = warp.source<T>(op.a);
    const T* b = warp.source<T>(op.b);
    const std::uint32_t chosen = source_mask(warp, op, op.c, 4);
    write_lanes(warp.exec, warp.target<T>(op.dst), [&](unsigned i) -> T { return (chosen >> i & 1u) ? a[i] : b[i]; });
}
OpFn bind_selp(Binding& b) {
    note_negations(b);
    return with_bits(b.type(), [](auto t) -> OpFn { return &select_by_predicate<decltype(t)>; });
}

// slct: a where c is not negative. A NaN chooses b.
template <class T, class Reader>
void select_by_sign(Warp& warp, const Op& op) {
    const T* a = warp.source<T>(op.a);
    const T* b = warp.source<T>(op.b);
    const auto* c = warp.source<typename Reader::Lane>(op.c);
    write_lanes(warp.exec, warp.target<T>(op.dst),
                [&](unsigned i) -> T { return Reader::value(c[i]) >= 0 ? a[i] : b[i]; });
}
OpFn bind_slct(Binding& b) {
    return with_bits(b.type(0), [&](auto t) -> OpFn {
        using T = decltype(t);
        if (b.type(1) == Type::kS32) return &select_by_sign<T, Plain<std::int32_t>>;
        return b.has("ftz") ? &select_by_sign<T, FlushedSingle> : &select_by_sign<T, Plain<float>>;
    });
}

// ---- testp ----------------------------------------------------------------------------------------------------------

// A property of a number's bits: U is f32's or f64's, kFraction its fraction's bits.
template <class U, unsigned kFraction>
struct Classes {
    static constexpr U kMagnitude = static_cast<U>(~U{0}) >> 1;
    static constexpr U kInfinity = kMagnitude >> kFraction << kFraction;
    static bool finite(U magnitude) { return magnitude < kInfinity; }
    static bool infinite(U magnitude) { return magnitude == kInfinity; }
    static bool number(U magnitude) { return magnitude <= kInfinity; }
    static bool notanumber(U magnitude) { return magnitude > kInfinity; }
    static bool subnormal(U magnitude) { return magnitude - 1 < (U{1} << kFraction) - 1; }
    // Zeros count as normal.
    static bool normal(U magnitude) {
        return static_cast<int>(finite(magnitude)) & static_cast<int>(!subnormal(magnitude));
    }
};

template <class U, unsigned kFraction, bool (*kTest)(U)>
void test_property(Warp& warp, const Op& op) {
    const U* a = warp.source<U>(op.a);
    warp.set_predicate(op.dst,
                       lanes_where([&](unsigned i) { return kTest(a[i] & Classes<U, kFraction>::kMagnitude); }));
}
template <class U, unsigned kFraction>
OpFn pick_test(Binding& b) {
    using C = Classes<U, kFraction>;
    if (b.has("finite")) return &test_property<U, kFraction, &C::finite>;
    if (b.has("infinite")) return &test_property<U, kFraction, &C::infinite>;
    if (b.has("number")) return &test_property<U, kFraction, &C::number>;
    if (b.has("notanumber")) return &test_property<U, kFraction, &C::notanumber>;
    if (b.has("normal")) return &test_property<U, kFraction, &C::normal>;
    return &test_property<U, kFraction, &C::subnormal>;
}
OpFn bind_testp(Binding& b) {
    return b.type() == Type::kF32 ? pick_test<std::uint32_t, 23>(b) : pick_test<std::uint64_t, 52>(b);
}

// The sign of a on the magnitude of b.
template <class T>
struct CopySign {
    static T apply(T a, T b) {
        constexpr T kSign = T{1} << (8 * sizeof(T) - 1);
        return (a & kSign) | (b & ~kSign);
    }
};
OpFn bind_copysign(Binding& b) {
    if (b.type() == Type::kF32) return &binary<std::uint32_t, std::uint32_t, std::uint32_t, CopySign<std::uint32_t>>;
    return &binary<std::uint64_t, std::uint64_t, std::uint64_t, CopySign<std::uint64_t>>;
}

constexpr Class kSelection = Class::kMove;
constexpr Row kSelectRows[] = {
    {.syntax = "selp.[b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64]",
     .operands = "=T0 T0 T0 pred",
     .kind = kSelection,
     .effect = effect::kSelect,
     .bind = &bind_selp},
    {.syntax = "slct.[b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64].s32",
     .operands = "=T0 T0 T0 T1",
     .kind = kSelection,
     .effect = effect::kApply,
     .bind = &bind_slct},
    {.syntax = "slct{.ftz}.[b16 b32 b64 u16 u32 u64 s16 s32 s64 f32 f64].f32",
     .operands = "=T0 T0 T0 T1",
     .kind = kSelection,
     .effect = effect::kApply,
     .bind = &bind_slct},
    {.syntax = "testp.[finite infinite number notanumber normal subnormal].[f32 f64]",
     .operands = "=pred T0",
     .kind = kSelection,
     .bind = &bind_testp,
     .needs = {20, 50}},
    {.syntax = "copysign.[f32 f64]",
     .operands = "=T0 T0 T0",
     .kind = Class::kFloat,
     .effect = effect::kApply,
     .bind = &bind_copysign,
     .needs = {20, 50}},
};

}  // namespace

const Family& select_family() {
    static constexpr Family kFamily{"select", "selection by predicate or sign, tests of numbers", kSelectRows,
                                    std::size(kSelectRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
