// ld, ldu and st in every space, width, vector and cache form.
#include <iterator>

#include "scope/isa/families/lane_functions.h"
#include "scope/isa/families/memory_lanes.h"
#include "scope/isa/families/memory_policy.h"
#include "scope/isa/families/memory_slots.h"
#include "scope/isa/table/access_words.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using machine::OpFn;

template <class E, bool kStore>
OpFn pick_space(Space space) {
    switch (space) {
        case Space::kShared: return &access<E, kStore, Space::kShared>;
        case Space::kLocal: return &access<E, kStore, Space::kLocal>;
        case Space::kGlobal: return &access<E, kStore, Space::kGlobal>;
        case Space::kConstant:
            if constexpr (!kStore) return &access<E, kStore, Space::kConstant>;
            return nullptr;
        case Space::kParam:
            if constexpr (!kStore) return &access<E, kStore, Space::kParam>;
            return nullptr;
        default: return &access_generic<E, kStore>;
    }
}

template <bool kStore>
OpFn pick_access(unsigned bytes, Space space) {
    switch (bytes) {
        case 1: return pick_space<std::uint8_t, kStore>(space);
        case 2: return pick_space<std::uint16_t, kStore>(space);
        case 4: return pick_space<std::uint32_t, kStore>(space);
        case 8: return pick_space<std::uint64_t, kStore>(space);
        default: return pick_space<Wide, kStore>(space);
    }
}

// A policy for the second-level cache is an operand of its own, there when the spelling says so.
bool has_policy_as_spelled(const Binding& binding) {
    const bool is_there = binding.operands.size() > 2 && binding.operands[2].kind == BoundKind::kValue;
    return is_there == binding.has("L2::cache_hint");
}

OpFn bind_access(Binding& binding, bool store, unsigned widest = 16) {
    Op& op = binding.op;
    const BoundOperand& value = binding.operands[store ? 1 : 0];
    const BoundOperand& address = binding.operands[store ? 0 : 1];
    if (address.kind == BoundKind::kVector) return bind_slots(binding, value, address, store);
    const unsigned element = bytes_of(binding.type());
    ElementList list;
    const bool many = value.kind == BoundKind::kVector;
    list.count = many ? static_cast<unsigned>(value.elements.size()) : 1;
    const unsigned asked = binding.has("v2") ? 2 : binding.has("v4") ? 4 : binding.has("v8") ? 8 : 1;
    if (list.count != asked) {
        binding.fail("the number of registers does not fit the vector width");
        return nullptr;
    }
    if (asked > 1 && element * asked > widest) {
        binding.fail("a vector of " + std::to_string(element * asked) + " bytes");
        return nullptr;
    }
    if (!has_policy_as_spelled(binding)) {
        binding.fail("a cache policy that only the spelling or only the operands have");
        return nullptr;
    }
    take_policy(binding, binding.operands.back());
    bool plain = list.count == 1;
    for (unsigned k = 0; k < list.count; ++k) {
        const BoundOperand& reg = many ? value.elements[k] : value;
        list.present[k] = reg.kind != BoundKind::kAbsent;
        list.registers[k] = reg.slot;
        list.register_bytes[k] = static_cast<std::uint8_t>(list.present[k] ? reg.bytes : element);
        if (list.register_bytes[k] < element) {
            binding.fail("a register is narrower than the element it holds");
            return nullptr;
        }
        plain = plain && list.present[k] && list.register_bytes[k] == element;
    }
    op.width = static_cast<std::uint8_t>(element * list.count);
    op.a = address.slot;
    op.immediate = address.value;
    op.flags |= address.bytes == 4 ? kNarrowAddress : 0;
    if (is_signed(binding.type())) op.flags |= kSignExtend;
    Space space = space_of(binding.form);
    if (address.frame_relative) op.flags |= kFrameRelative;
    if (space == Space::kParam && (address.frame_relative || address.of_function)) {
        op.flags |= kUncounted;  // a parameter of a device function that lies on the stack
        space = Space::kLocal;
    }
    if (plain) op.b = list.registers[0];
    if (!plain || space == Space::kLocal || space == Space::kGeneric) op.extra = binding.keep(list);
    const OpFn fn = store ? pick_access<true>(element, space) : pick_access<false>(element, space);
    if (!fn) binding.fail("a store to read-only memory");
    return fn;
}

OpFn bind_load(Binding& binding) { return bind_access(binding, false); }
OpFn bind_store(Binding& binding) { return bind_access(binding, true); }
// What has 32 bytes, since PTX 8.8.
OpFn bind_wide_load(Binding& binding) { return bind_access(binding, false, 32); }
OpFn bind_wide_store(Binding& binding) { return bind_access(binding, true, 32); }

// Priorities of what is cached change no value.

#define TYPES "{.[v2 v4 v8]}.[b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64]"
#define SCOPES ".[cta cluster gpu sys]"
#define SHARED ".[shared shared::cta shared::cluster]"
#define L1 "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate"
#define L2 "{.[L2::evict_normal L2::evict_first L2::evict_last]}"
#define PREFETCH "{.[L2::64B L2::128B L2::256B]}"
#define POLICY "{.L2::cache_hint}"
#define LOAD .kind = Class::kMemory, .effect = effect::kLoad, .bind = &bind_load
#define STORE .kind = Class::kMemory, .effect = effect::kStore, .bind = &bind_store
// Relaxed and the like, the space apart.
#define STRONG .needs = {60, 70}
// Elements of 32 bytes together.
#define WIDE .needs = {88, 100}
#define WIDE_LOAD .kind = Class::kMemory, .effect = effect::kLoad, .bind = &bind_wide_load, WIDE
#define WIDE_STORE .kind = Class::kMemory, .effect = effect::kStore, .bind = &bind_wide_store, WIDE
#define WIDE_LOADS(types)                                                                                              \
    {.syntax = "ld{.weak}{.global}{.[ca cg cs lu cv " L1 "]}" L2 PREFETCH POLICY types,                                \
     .operands = "=V0 [] b64?",                                                                                        \
     WIDE_LOAD},                                                                                                       \
        {.syntax = "ld.global.nc{.[ca cg cs " L1 "]}" L2 PREFETCH POLICY types, .operands = "=V0 [] b64?", WIDE_LOAD}, \
        {.syntax = "ld.volatile{.global}" L2 PREFETCH types, .operands = "=V0 []", WIDE_LOAD}, {                       \
        .syntax = "ld.[relaxed acquire]" SCOPES "{.global}{.[" L1 "]}" L2 PREFETCH POLICY types,                       \
        .operands = "=V0 [] b64?", WIDE_LOAD                                                                           \
    }
#define WIDE_STORES(types)                                                                                         \
    {.syntax = "st{.weak}{.global}{.[cg cs wb wt " L1 "]}" L2 POLICY types, .operands = "[] V0 b64?", WIDE_STORE}, \
        {.syntax = "st.volatile{.global}" L2 types, .operands = "[] V0", WIDE_STORE}, {                            \
        .syntax = "st.[relaxed release]" SCOPES "{.global}{.[" L1 "]}" L2 POLICY types, .operands = "[] V0 b64?",  \
        WIDE_STORE                                                                                                 \
    }
#define PRIORITIES \
    ".[L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged]{.[L2::evict_first L2::evict_unchanged]}"
#define CREATE(how) \
    .kind = Class::kMove, .bind = &(how), .needs = {74, 80}, .note = "policies change no value and no count"

constexpr Row kMemoryRows[] = {
    WIDE_LOADS(".v8.[b32 u32 s32 f32]"),
    WIDE_LOADS(".v4.[b64 u64 s64 f64]"),
    {.syntax = "ld{.weak}{.global}{.[ca cg cs lu cv " L1 "]}" PREFETCH POLICY TYPES,
     .operands = "=V0 [] b64?",
     LOAD,
     .note = "cache and eviction hints change no value and no count"},
    {.syntax =
         "ld{.weak}.[shared shared::cta shared::cluster local const param param::entry param::func]{.[ca cg cs lu "
         "cv]}" TYPES,
     .operands = "=V0 []",
     LOAD},
    {.syntax = "ld.global.nc{.[ca cg cs " L1 "]}" PREFETCH POLICY TYPES, .operands = "=V0 [] b64?", LOAD},
    {.syntax = "ld.volatile{.global}" PREFETCH TYPES, .operands = "=V0 []", LOAD},
    {.syntax = "ld.volatile" SHARED TYPES, .operands = "=V0 []", LOAD},
    {.syntax = "ld.[relaxed acquire]" SCOPES "{.global}{.[" L1 "]}" PREFETCH POLICY TYPES,
     .operands = "=V0 [] b64?",
     LOAD,
     STRONG},
    {.syntax = "ld.[relaxed acquire]" SCOPES SHARED TYPES, .operands = "=V0 []", LOAD, STRONG},
    {.syntax = "ld.mmio.relaxed.sys{.global}.[b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64]",
     .operands = "=V0 []",
     LOAD,
     .needs = {82, 70}},
    {.syntax = "ldu{.global}{.[v2 v4]}.[b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64]",
     .operands = "=V0 []",
     LOAD},
    WIDE_STORES(".v8.[b32 u32 s32 f32]"),
    WIDE_STORES(".v4.[b64 u64 s64 f64]"),
    {.syntax = "st{.weak}{.global}{.[cg cs wb wt " L1 "]}" POLICY TYPES, .operands = "[] V0 b64?", STORE},
    {.syntax = "st{.weak}.[shared shared::cta shared::cluster local param param::func]{.[cg cs wb wt]}" TYPES,
     .operands = "[] V0",
     STORE},
    {.syntax = "st.volatile{.[global shared shared::cta shared::cluster]}" TYPES, .operands = "[] V0", STORE},
    {.syntax = "st.[relaxed release]" SCOPES "{.global}{.[" L1 "]}" POLICY TYPES,
     .operands = "[] V0 b64?",
     STORE,
     STRONG},
    {.syntax = "st.[relaxed release]" SCOPES SHARED TYPES, .operands = "[] V0", STORE, STRONG},
    {.syntax = "st.mmio.relaxed.sys{.global}.[b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64]",
     .operands = "[] V0",
     STORE,
     .needs = {82, 70}},
    {.syntax = "prefetch{.[global local]}.[L1 L2]",
     .operands = "[]",
     .kind = Class::kMemory,
     .effect = effect::kHint,
     .bind = &bind_prefetch,
     .note = "changes no value and no count"},
    {.syntax = "prefetch.global.[L2::evict_last L2::evict_normal]",
     .operands = "[]",
     .kind = Class::kMemory,
     .effect = effect::kHint,
     .bind = &bind_prefetch,
     .note = "changes no value and no count"},
    {.syntax = "prefetchu.L1",
     .operands = "[]",
     .kind = Class::kMemory,
     .effect = effect::kHint,
     .bind = &bind_nothing,
     .note = "has no effect"},
    {.syntax = "discard{.global}.L2",
     .operands = "[] b32",
     .kind = Class::kMemory,
     .effect = effect::kHint,
     .bind = &bind_nothing,
     .needs = {74, 80},
     .note = "has no effect: what it lets hardware lose is kept"},
    {.syntax = "applypriority{.global}.L2::evict_normal",
     .operands = "[] b32",
     .kind = Class::kMemory,
     .effect = effect::kHint,
     .bind = &bind_nothing,
     .needs = {74, 80},
     .note = "has no effect"},
    {.syntax = "createpolicy.fractional~" PRIORITIES ".b64", .operands = "=b64 f32?", CREATE(bind_fraction)},
    {.syntax = "createpolicy.range~{.global}" PRIORITIES ".b64", .operands = "=b64 [] b32 b32", CREATE(bind_range)},
    {.syntax = "createpolicy.cvt~.L2.b64", .operands = "=b64 b64", CREATE(bind_property)},
};

}  // namespace

const Family& memory_family() {
    static constexpr Family kFamily{"memory", "loads and stores", kMemoryRows, std::size(kMemoryRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
