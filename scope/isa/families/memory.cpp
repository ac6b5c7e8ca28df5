// ld, ldu and st in every space, width, vector and cache form.
#include <iterator>
#include <type_traits>

#include "scope/isa/families/memory_move.h"
#include "scope/isa/families/memory_slots.h"
#include "scope/isa/table/access_words.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using machine::kLocalWindow;
using machine::kSharedWindow;
using machine::kWindowBytes;
using machine::OpFn;
using machine::TILESCOPE_TARGET::write_lanes;

template <class E>
void load_elements(Warp& warp, const Op& op, const SiteMemo& memo, const std::byte* at) {
    alignas(64) E values[kWarpSize];
    const bool sign = op.flags & kSignExtend;
    const auto& list = *static_cast<const ElementList*>(op.extra);
    // All elements are read before any register is written: an address register may be among the results.
    alignas(64) E held[8][kWarpSize];
    for (unsigned k = 0; k < list.count; ++k) gather(at + k * sizeof(E), memo, list.count == 1 ? values : held[k]);
    for (unsigned k = 0; k < list.count; ++k)
        if (list.present[k])
            write_register(warp, list.registers[k], list.register_bytes[k], sign, list.count == 1 ? values : held[k]);
}

template <class E>
void store_elements(Warp& warp, const Op& op, const SiteMemo& memo, std::byte* at) {
    const auto& list = *static_cast<const ElementList*>(op.extra);
    alignas(64) E values[kWarpSize];
    for (unsigned k = 0; k < list.count; ++k) {
        read_register(warp, list.registers[k], list.register_bytes[k], values);
        scatter(at + k * sizeof(E), memo, values);
    }
}

// Loads from where the bytes of all lanes lie in the process as their addresses do: all but local ones.
template <class E>
inline __attribute__((always_inline)) void load_pattern(Warp& warp, const Op& op, const SiteMemo& memo,
                                                        const std::byte* from) {
    if (op.extra) {
        load_elements<E>(warp, op, memo, from);
        return;
    }
    // One element of the register's own width: the common case, straight from memory to the register.
    E* to = warp.target<E>(op.dst);
    if (memo.shape == Shape::kContiguous) {
        std::memcpy(static_cast<void*>(to), from, sizeof(E) * kWarpSize);
    } else if (memo.shape == Shape::kUniform) {
        E value;
        std::memcpy(&value, from, sizeof(E));
        for (unsigned i = 0; i < kWarpSize; ++i) to[i] = value;
    } else if (memo.shape == Shape::kHalves) {
        constexpr unsigned kHalf = kWarpSize / 2;
        for (unsigned half = 0; half < 2; ++half) {
            const std::byte* at_half = from + memo.deltas[half * kHalf];
            if (memo.half_uniform[half]) {
                E value;
                std::memcpy(&value, at_half, sizeof(E));
                for (unsigned i = 0; i < kHalf; ++i) to[half * kHalf + i] = value;
            } else {
                std::memcpy(static_cast<void*>(to + half * kHalf), at_half, sizeof(E) * kHalf);
            }
        }
    } else if (warp.exec == kFullMask) {
        for (unsigned i = 0; i < kWarpSize; ++i) std::memcpy(&to[i], from + memo.deltas[i], sizeof(E));
    } else {
        alignas(64) E values[kWarpSize];
        gather(from, memo, values);
        write_lanes(warp.exec, to, [&](unsigned i) { return values[i]; });
    }
}

template <class E>
__attribute__((noinline, cold)) void load_apart(Warp& warp, const Op& op, const SiteMemo& memo, const Located& at) {
    load_pattern<E>(warp, op, apart(warp, memo, at.first), bytes_of<Space::kGlobal>(warp, memo, at));
}

template <class E, Space kSpace>
void load_direct_at(Warp& warp, const Op& op, SiteMemo& memo, const Located& at, bool together) {
    announce(warp, op, memo, at, kSpace, AccessKind::kLoad);
    if (together) [[likely]]
        load_pattern<E>(warp, op, memo, bytes_of<kSpace>(warp, memo, at));
    else
        load_apart<E>(warp, op, memo, at);
}

template <class E>
void load_local_at(Warp& warp, const Op& op, SiteMemo& memo, const Located& at) {
    announce(warp, op, memo, at, Space::kLocal, AccessKind::kLoad);
    const auto& list = *static_cast<const ElementList*>(op.extra);
    alignas(64) E held[8][kWarpSize] = {};
    for (unsigned k = 0; k < list.count; ++k) gather_local(warp, at.first + k * sizeof(E), memo, held[k]);
    for (unsigned k = 0; k < list.count; ++k)
        if (list.present[k])
            write_register(warp, list.registers[k], list.register_bytes[k], op.flags & kSignExtend, held[k]);
}

template <class E>
inline __attribute__((always_inline)) void store_pattern(Warp& warp, const Op& op, const SiteMemo& memo,
                                                         std::byte* to) {
    if (op.extra) {
        store_elements<E>(warp, op, memo, to);
        return;
    }
    const E* from = warp.source<E>(op.b);
    if (memo.shape == Shape::kContiguous)
        std::memcpy(to, static_cast<const void*>(from), sizeof(E) * kWarpSize);
    else
        scatter(to, memo, from);
}

template <class E>
__attribute__((noinline, cold)) void store_apart(Warp& warp, const Op& op, const SiteMemo& memo, const Located& at) {
    store_pattern<E>(warp, op, apart(warp, memo, at.first), bytes_of<Space::kGlobal>(warp, memo, at));
}

template <class E, Space kSpace>
void store_direct_at(Warp& warp, const Op& op, SiteMemo& memo, const Located& at, bool together) {
    announce(warp, op, memo, at, kSpace, AccessKind::kStore);
    if (together) [[likely]]
        store_pattern<E>(warp, op, memo, bytes_of<kSpace>(warp, memo, at));
    else
        store_apart<E>(warp, op, memo, at);
}

template <class E>
void store_local_at(Warp& warp, const Op& op, SiteMemo& memo, const Located& at) {
    announce(warp, op, memo, at, Space::kLocal, AccessKind::kStore);
    const auto& list = *static_cast<const ElementList*>(op.extra);
    alignas(64) E values[kWarpSize] = {};
    for (unsigned k = 0; k < list.count; ++k) {
        read_register(warp, list.registers[k], list.register_bytes[k], values);
        scatter_local(warp, at.first + k * sizeof(E), memo, values);
    }
}

// together: the bytes of all lanes lie memo.shift from their addresses.
template <class E, bool kStore, Space kSpace>
void move_at(Warp& warp, const Op& op, SiteMemo& memo, const Located& at, bool together) {
    if constexpr (kStore) {
        if constexpr (kSpace == Space::kLocal)
            store_local_at<E>(warp, op, memo, at);
        else
            store_direct_at<E, kSpace>(warp, op, memo, at, together);
    } else {
        if constexpr (kSpace == Space::kLocal)
            load_local_at<E>(warp, op, memo, at);
        else
            load_direct_at<E, kSpace>(warp, op, memo, at, together);
    }
}

// What the lanes of exec get whose load is not permitted.
template <class E>
void load_zeros(Warp& warp, const Op& op) {
    alignas(64) static constexpr E kZeros[kWarpSize] = {};
    if (!op.extra) {
        write_lanes(warp.exec, warp.target<E>(op.dst), [](unsigned i) { return kZeros[i]; });
        return;
    }
    const auto& list = *static_cast<const ElementList*>(op.extra);
    for (unsigned k = 0; k < list.count; ++k)
        if (list.present[k]) write_register(warp, list.registers[k], list.register_bytes[k], false, kZeros);
}

template <class E, bool kStore, Space kSpace>
void access_at(Warp& warp, const Op& op, SiteMemo& memo, Located at) {
    const std::uint32_t all = warp.exec;
    const bool together = permit(warp, op, memo, at, kSpace, kStore);
    if (warp.exec == all) [[likely]] {
        move_at<E, kStore, kSpace>(warp, op, memo, at, together);
        return;
    }
    const std::uint32_t permitted = warp.exec;
    if constexpr (!kStore) {
        warp.exec = all & ~permitted;
        load_zeros<E>(warp, op);
        warp.exec = permitted;
    }
    if (permitted != 0) move_at<E, kStore, kSpace>(warp, op, memo, at, together);
    warp.exec = all;
}

template <class E, bool kStore, Space kSpace>
void access(Warp& warp, const Op& op) {
    SiteMemo& memo = warp.worker->memos[op.site];
    Located at = locate(warp, op, memo);
    if constexpr (kSpace == Space::kConstant)
        if (op.flags & kNarrowAddress) at.first |= warp.worker->program->constant_base;
    access_at<E, kStore, kSpace>(warp, op, memo, at);
}

Space space_of(const Warp& warp, std::uint64_t address) {
    if (address - kSharedWindow < kWindowBytes) return Space::kShared;
    if (address - kLocalWindow < kWindowBytes) return Space::kLocal;
    const machine::Worker& worker = *warp.worker;
    if (address - reinterpret_cast<std::uint64_t>(worker.parameters) < worker.parameter_bytes) return Space::kParam;
    return Space::kGlobal;
}

// Whether no lane can lie in another space than the first one.
bool is_one_space(const Warp& warp, const Located& at, const SiteMemo& memo, Space space) {
    const std::uint64_t low = at.first + static_cast<std::uint64_t>(memo.low);
    if (space == Space::kShared || space == Space::kLocal) {
        const std::uint64_t offset = low - (space == Space::kShared ? kSharedWindow : kLocalWindow);
        return offset < kWindowBytes && memo.extent <= kWindowBytes - offset;
    }
    // Below the windows, and on one side of the parameters.
    if (space != Space::kGlobal || low >= kSharedWindow || memo.extent > kSharedWindow - low) return false;
    const auto parameters = reinterpret_cast<std::uint64_t>(warp.worker->parameters);
    return low + memo.extent <= parameters || low >= parameters + warp.worker->parameter_bytes;
}

// A generic address says by its window which space it means. Lanes of different spaces are served one space at a time.
template <class E, bool kStore>
void access_generic(Warp& warp, const Op& op) {
    SiteMemo& memo = warp.worker->memos[op.site];
    const std::uint32_t all = warp.exec;
    std::uint32_t left = all;
    while (left != 0) {
        warp.exec = left;
        Located at = locate(warp, op, memo);
        const Space space = space_of(warp, at.first);
        if (!is_one_space(warp, at, memo, space)) {
            std::uint32_t same = 0;
            for (unsigned i = 0; i < kWarpSize; ++i)
                if ((left >> i & 1) && space_of(warp, at.first + static_cast<std::uint64_t>(memo.deltas[i])) == space)
                    same |= 1u << i;
            if (same != left) {
                warp.exec = same;
                at = locate(warp, op, memo);
            }
        }
        left &= ~warp.exec;
        if (memo.space != space) at.same = false;
        memo.space = space;
        if (space == Space::kShared) {
            at.first -= kSharedWindow;
            access_at<E, kStore, Space::kShared>(warp, op, memo, at);
        } else if (space == Space::kLocal) {
            at.first -= kLocalWindow;
            access_at<E, kStore, Space::kLocal>(warp, op, memo, at);
        } else if (space == Space::kParam) {
            if constexpr (kStore)
                (void)permit(warp, op, memo, at, space, true);  // they are read-only: no lane may
            else
                access_at<E, kStore, Space::kParam>(warp, op, memo, at);
        } else {
            access_at<E, kStore, Space::kGlobal>(warp, op, memo, at);
        }
    }
    warp.exec = all;
}

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
OpFn pick(unsigned bytes, Space space) {
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
    const bool is_there = binding.operands.size() > 2 && binding.operands[2].kind == BoundOperand::Kind::kValue;
    return is_there == binding.has("L2::cache_hint");
}

OpFn bind_access(Binding& binding, bool store, unsigned widest = 16) {
    Op& op = binding.op;
    const BoundOperand& value = binding.operands[store ? 1 : 0];
    const BoundOperand& address = binding.operands[store ? 0 : 1];
    if (address.kind == BoundOperand::Kind::kVector) return bind_slots(binding, value, address, store);
    const unsigned element = bytes_of(binding.type());
    ElementList list;
    const bool many = value.kind == BoundOperand::Kind::kVector;
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
    bool plain = list.count == 1;
    for (unsigned k = 0; k < list.count; ++k) {
        const BoundOperand& reg = many ? value.elements[k] : value;
        list.present[k] = reg.kind != BoundOperand::Kind::kAbsent;
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
    const OpFn fn = store ? pick<true>(element, space) : pick<false>(element, space);
    if (!fn) binding.fail("a store to read-only memory");
    return fn;
}

OpFn bind_load(Binding& binding) { return bind_access(binding, false); }
OpFn bind_store(Binding& binding) { return bind_access(binding, true); }
// What has 32 bytes, since PTX 8.8.
OpFn bind_wide_load(Binding& binding) { return bind_access(binding, false, 32); }
OpFn bind_wide_store(Binding& binding) { return bind_access(binding, true, 32); }

// Prefetches and cache policies change no value.
void nothing(Warp&, const Op&) {}
OpFn bind_nothing(Binding&) { return &nothing; }

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
#define WIDE_LOAD \
    "ld~{.[weak volatile relaxed acquire]}{" SCOPES "}{.global}{.nc}{.[ca cg cs " L1 "]}" L2 PREFETCH POLICY
#define WIDE_STORE "st~{.[weak volatile relaxed release]}{" SCOPES "}{.global}{.[cg cs wb wt " L1 "]}" L2 POLICY

constexpr Row kRows[] = {
    {.syntax = WIDE_LOAD ".v8.[b32 u32 s32 f32]",
     .operands = "=V0 [] b64?",
     .kind = Class::kMemory,
     .effect = effect::kLoad,
     .bind = &bind_wide_load,
     .needs = {88, 100}},
    {.syntax = WIDE_LOAD ".v4.[b64 u64 s64 f64]",
     .operands = "=V0 [] b64?",
     .kind = Class::kMemory,
     .effect = effect::kLoad,
     .bind = &bind_wide_load,
     .needs = {88, 100}},
    {.syntax = "ld~{.weak}{.global}{.[ca cg cs lu cv " L1 "]}" PREFETCH POLICY TYPES,
     .operands = "=V0 [] b64?",
     LOAD,
     .note = "cache and eviction hints change no value and no count"},
    {.syntax =
         "ld~{.weak}.[shared shared::cta shared::cluster local const param param::entry param::func]{.[ca cg cs lu "
         "cv]}" TYPES,
     .operands = "=V0 []",
     LOAD},
    {.syntax = "ld~.global.nc{.[ca cg cs " L1 "]}" PREFETCH POLICY TYPES, .operands = "=V0 [] b64?", LOAD},
    {.syntax = "ld~.volatile{.global}" PREFETCH TYPES, .operands = "=V0 []", LOAD},
    {.syntax = "ld~.volatile" SHARED TYPES, .operands = "=V0 []", LOAD},
    {.syntax = "ld~.[relaxed acquire]" SCOPES "{.global}{.[" L1 "]}" PREFETCH POLICY TYPES,
     .operands = "=V0 [] b64?",
     LOAD,
     STRONG},
    {.syntax = "ld~.[relaxed acquire]" SCOPES SHARED TYPES, .operands = "=V0 []", LOAD, STRONG},
    {.syntax = "ld~.mmio.relaxed.sys{.global}.[b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64]",
     .operands = "=V0 []",
     LOAD,
     .needs = {82, 70}},
    {.syntax = "ldu~{.global}{.[v2 v4]}.[b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64]",
     .operands = "=V0 []",
     LOAD},
    {.syntax = WIDE_STORE ".v8.[b32 u32 s32 f32]",
     .operands = "[] V0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kStore,
     .bind = &bind_wide_store,
     .needs = {88, 100}},
    {.syntax = WIDE_STORE ".v4.[b64 u64 s64 f64]",
     .operands = "[] V0 b64?",
     .kind = Class::kMemory,
     .effect = effect::kStore,
     .bind = &bind_wide_store,
     .needs = {88, 100}},
    {.syntax = "st~{.weak}{.global}{.[cg cs wb wt " L1 "]}" POLICY TYPES, .operands = "[] V0 b64?", STORE},
    {.syntax = "st~{.weak}.[shared shared::cta shared::cluster local param param::func]{.[cg cs wb wt]}" TYPES,
     .operands = "[] V0",
     STORE},
    {.syntax = "st~.volatile{.[global shared shared::cta shared::cluster]}" TYPES, .operands = "[] V0", STORE},
    {.syntax = "st~.[relaxed release]" SCOPES "{.global}{.[" L1 "]}" POLICY TYPES,
     .operands = "[] V0 b64?",
     STORE,
     STRONG},
    {.syntax = "st~.[relaxed release]" SCOPES SHARED TYPES, .operands = "[] V0", STORE, STRONG},
    {.syntax = "st~.mmio.relaxed.sys{.global}.[b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f32 f64]",
     .operands = "[] V0",
     STORE,
     .needs = {82, 70}},
    {.syntax = "prefetch~{.[global local]}.[L1 L2]",
     .operands = "[]",
     .kind = Class::kMemory,
     .effect = effect::kHint,
     .bind = &bind_nothing,
     .note = "has no effect"},
    {.syntax = "prefetch~.global.[L2::evict_last L2::evict_normal]",
     .operands = "[]",
     .kind = Class::kMemory,
     .effect = effect::kHint,
     .bind = &bind_nothing,
     .note = "has no effect"},
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
};

}  // namespace

const Family& memory_family() {
    static constexpr Family kFamily{"memory", "loads and stores", kRows, std::size(kRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
