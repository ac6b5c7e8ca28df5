// atom and red on global and shared memory.
#include <bit>
#include <cstring>
#include <iterator>

#include "scope/isa/families/atomic_functions.h"
#include "scope/isa/families/memory_access.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using machine::kSharedWindow;
using machine::kWindowBytes;
using machine::OpFn;
using machine::TILESCOPE_TARGET::write_lanes;

// One lane after another, lowest first. Alone on its memory, a worker needs no host atomics.
template <class T, class F>
void update_lanes(Warp& warp, const Op& op, const SiteMemo& memo, std::byte* at) {
    const T* b = warp.source<T>(op.b);
    const T* c = warp.source<T>(op.c);
    alignas(64) T olds[kWarpSize] = {};
    const bool alone = warp.worker->alone;
    for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(left));
        T* cell = reinterpret_cast<T*>(at + memo.deltas[i]);
        T old;
        if (alone) {
            old = *cell;
            *cell = F::apply(old, b[i], c[i]);
        } else {
            old = __atomic_load_n(cell, __ATOMIC_RELAXED);
            while (!__atomic_compare_exchange_n(cell, &old, F::apply(old, b[i], c[i]), false, __ATOMIC_SEQ_CST,
                                                __ATOMIC_RELAXED)) {
            }
        }
        olds[i] = old;
    }
    if (op.flags & kNoResult) return;
    write_lanes(warp.exec, warp.target<T>(op.dst), [&](unsigned i) { return olds[i]; });
}

AccessKind kind_of(const Warp& warp, const Op& op, Space space) {
    const bool combined = op.flags & kCombined || (op.flags & kCombinedIfFull && warp.exec == machine::kFullMask);
    if (!(op.flags & kNoResult)) return combined ? AccessKind::kCombinedAtomic : AccessKind::kAtomic;
    if (op.flags & kAddsOne && space == Space::kShared) return AccessKind::kIncrement;
    return combined ? AccessKind::kCombined : AccessKind::kReduction;
}

template <class T, class F>
void update_at(Warp& warp, const Op& op, SiteMemo& memo, Located at, Space space) {
    if (memo.space != space) at.same = false;
    memo.space = space;
    const std::uint32_t all = warp.exec;
    const bool together = permit(warp, op, memo, at, space, true);
    if (warp.exec != all) {
        const std::uint32_t permitted = warp.exec;
        warp.exec = all & ~permitted;
        if (!(op.flags & kNoResult)) write_lanes(warp.exec, warp.target<T>(op.dst), [](unsigned) { return T{0}; });
        warp.exec = permitted;
    }
    if (warp.exec != 0) {
        announce(warp, op, memo, at, space, kind_of(warp, op, space));
        if (space == Space::kShared)
            update_lanes<T, F>(warp, op, memo, bytes_of<Space::kShared>(warp, memo, at));
        else if (together) [[likely]]
            update_lanes<T, typename OnGlobal<F>::type>(warp, op, memo, bytes_of<Space::kGlobal>(warp, memo, at));
        else
            update_lanes<T, typename OnGlobal<F>::type>(warp, op, apart(warp, memo, at.first),
                                                        bytes_of<Space::kGlobal>(warp, memo, at));
    }
    warp.exec = all;
}

template <class T, class F>
void update(Warp& warp, const Op& op) {
    SiteMemo& memo = warp.worker->memos[op.site];
    Located at = locate(warp, op, memo);
    if (op.flags & (kOnShared | kOnGlobal)) {
        update_at<T, F>(warp, op, memo, at, op.flags & kOnShared ? Space::kShared : Space::kGlobal);
        return;
    }
    // Generic: lanes that mean shared memory first, then the others.
    const std::uint32_t all = warp.exec;
    std::uint32_t shared = 0;
    for (unsigned i = 0; i < kWarpSize; ++i)
        if ((all >> i & 1) && at.first + static_cast<std::uint64_t>(memo.deltas[i]) - kSharedWindow < kWindowBytes)
            shared |= 1u << i;
    for (const std::uint32_t lanes : {shared, all & ~shared}) {
        if (lanes == 0) continue;
        warp.exec = lanes;
        if (lanes != all) at = locate(warp, op, memo);
        if (lanes == shared) at.first -= kSharedWindow;
        update_at<T, F>(warp, op, memo, at, lanes == shared ? Space::kShared : Space::kGlobal);
    }
    warp.exec = all;
}

template <class T>
OpFn pick_bits(std::string_view name) {
    if (name == "and") return &update<T, And<T>>;
    if (name == "or") return &update<T, Or<T>>;
    if (name == "xor") return &update<T, Xor<T>>;
    if (name == "exch") return &update<T, Exchange<T>>;
    if (name == "cas") return &update<T, CompareAndSwap<T>>;
    return nullptr;
}

template <class T>
OpFn pick_integer(std::string_view name) {
    if (name == "add") return &update<T, Add<T>>;
    if (name == "min") return &update<T, Min<T>>;
    if (name == "max") return &update<T, Max<T>>;
    if constexpr (sizeof(T) == 4) {
        if (name == "inc") return &update<T, Increment<T>>;
        if (name == "dec") return &update<T, Decrement<T>>;
    }
    return pick_bits<T>(name);
}

OpFn pick(std::string_view name, Type type) {
    switch (type) {
        case Type::kU32: return pick_integer<std::uint32_t>(name);
        case Type::kS32:
            if (name == "min") return &update<std::uint32_t, MinSigned<std::uint32_t, std::int32_t>>;
            if (name == "max") return &update<std::uint32_t, MaxSigned<std::uint32_t, std::int32_t>>;
            return pick_integer<std::uint32_t>(name);
        case Type::kU64: return pick_integer<std::uint64_t>(name);
        case Type::kS64:
            if (name == "min") return &update<std::uint64_t, MinSigned<std::uint64_t, std::int64_t>>;
            if (name == "max") return &update<std::uint64_t, MaxSigned<std::uint64_t, std::int64_t>>;
            return pick_integer<std::uint64_t>(name);
        case Type::kB16: return pick_bits<std::uint16_t>(name);
        case Type::kB32: return pick_bits<std::uint32_t>(name);
        case Type::kB64: return pick_bits<std::uint64_t>(name);
        case Type::kF32: return &update<std::uint32_t, AddFloat>;
        case Type::kF64: return &update<std::uint64_t, AddDouble>;
        default: return nullptr;
    }
}

OpFn bind(Binding& binding, bool has_result) {
    Op& op = binding.op;
    const BoundOperand& address = binding.operands[has_result ? 1 : 0];
    const unsigned bytes = bytes_of(binding.type());
    op.width = static_cast<std::uint8_t>(bytes);
    op.a = address.slot;
    op.immediate = address.value;
    op.flags |= address.bytes == 4 ? kNarrowAddress : 0;
    const std::size_t first = has_result ? 2 : 1;
    op.b = binding.operands[first].slot;
    op.c = binding.operands.size() > first + 1 ? binding.operands[first + 1].slot : op.b;
    if (binding.form.one_of({"shared", "shared::cta"}) != "") op.flags |= kOnShared;
    if (binding.has("global")) op.flags |= kOnGlobal;
    const std::string_view name =
        binding.form.one_of({"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"});
    const bool unused = !has_result || binding.operands[0].kind == BoundOperand::Kind::kAbsent;
    if (unused) op.flags |= kNoResult;
    // What ptxas 13.0 turns into ATOMS.POPC.INC: adding one, or counting up without an end.
    const BoundOperand& by = binding.operands[first];
    const bool adds_one =
        (name == "add" && by.value == 1) || (name == "inc" && static_cast<std::uint32_t>(by.value) == ~0u);
    if (unused && bytes == 4 && !is_float(binding.type()) && by.is_immediate && adds_one) op.flags |= kAddsOne;
    // Integer sums and the like come out the same in any order of blocks; the rest does not.
    const bool commutes =
        unused && name != "exch" && name != "cas" && name != "inc" && name != "dec" && !is_float(binding.type());
    if (!commutes && !(op.flags & kOnShared)) op.flags |= kOrderDependent;
    const OpFn fn = pick(name, binding.type());
    if (!fn) binding.fail("this operation on this type");
    return fn;
}

OpFn bind_atom(Binding& binding) { return bind(binding, true); }
OpFn bind_red(Binding& binding) { return bind(binding, false); }

#define WHERE "{.[global shared shared::cta]}"
#define SEMANTICS "{.[relaxed acquire release acq_rel]}{.[cta cluster gpu sys]}"

constexpr Row kRows[] = {
    {.syntax = "atom" SEMANTICS WHERE ".[add min max].[u32 s32 u64 s64]",
     .operands = "=T0 [] T0",
     .kind = Class::kMemory,
     .bind = &bind_atom},
    {.syntax = "atom" SEMANTICS WHERE ".[inc dec].u32",
     .operands = "=T0 [] T0",
     .kind = Class::kMemory,
     .bind = &bind_atom},
    {.syntax = "atom" SEMANTICS WHERE ".[and or xor exch].[b32 b64]",
     .operands = "=T0 [] T0",
     .kind = Class::kMemory,
     .bind = &bind_atom},
    {.syntax = "atom" SEMANTICS WHERE ".cas.[b16 b32 b64]",
     .operands = "=T0 [] T0 T0",
     .kind = Class::kMemory,
     .bind = &bind_atom},
    {.syntax = "atom" SEMANTICS WHERE ".add.[f32 f64]",
     .operands = "=T0 [] T0",
     .kind = Class::kMemory,
     .bind = &bind_atom,
     .needs = {50, 60}},
    {.syntax = "red" SEMANTICS WHERE ".[add min max].[u32 s32 u64 s64]",
     .operands = "[] T0",
     .kind = Class::kMemory,
     .bind = &bind_red},
    {.syntax = "red" SEMANTICS WHERE ".[inc dec].u32", .operands = "[] T0", .kind = Class::kMemory, .bind = &bind_red},
    {.syntax = "red" SEMANTICS WHERE ".[and or xor].[b32 b64]",
     .operands = "[] T0",
     .kind = Class::kMemory,
     .bind = &bind_red},
    {.syntax = "red" SEMANTICS WHERE ".add.[f32 f64]",
     .operands = "[] T0",
     .kind = Class::kMemory,
     .bind = &bind_red,
     .needs = {50, 60}},
};

}  // namespace

const Family& atomic_family() {
    static constexpr Family kFamily{"atomic", "atomics and reductions", kRows, std::size(kRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
