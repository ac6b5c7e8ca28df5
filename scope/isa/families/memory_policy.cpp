// createpolicy and prefetch: see memory_policy.h.
#include "scope/isa/families/memory_policy.h"

#include <bit>

#include "scope/isa/families/lane_functions.h"
#include "scope/isa/families/memory_access.h"
#include "scope/isa/table/access_words.h"
#include "scope/machine/cache_policy.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using machine::CachePolicy;
using machine::Eviction;

// What a policy gives to some lines, and to the others.
struct Priorities {
    Eviction primary = Eviction::kNormal, secondary = Eviction::kUnchanged;
};

// The first of its two words is the primary one; both may be the same.
Priorities priorities_of(const Binding& binding) {
    Priorities found;
    bool is_secondary = false;
    for (const std::string_view word : binding.form.words()) {
        const Eviction eviction = second_level_eviction_of(word);
        if (eviction == Eviction::kNone) continue;
        (is_secondary ? found.secondary : found.primary) = eviction;
        is_secondary = true;
    }
    return found;
}

// As Op::immediate.
std::int64_t packed_priorities(Priorities priorities) {
    return static_cast<std::int64_t>(priorities.primary) << 8 | static_cast<std::int64_t>(priorities.secondary);
}
Priorities unpacked_priorities(std::int64_t from) {
    return {static_cast<Eviction>(from >> 8), static_cast<Eviction>(from & 255)};
}

void make_whole(Warp& warp, const Op& op) {
    const Priorities priorities = unpacked_priorities(op.immediate);
    const std::uint64_t bits = CachePolicy::of_fraction(priorities.primary, priorities.secondary, 1).bits();
    write_lanes(warp.exec, warp.target<std::uint64_t>(op.dst), [bits](unsigned) { return bits; });
}

void make_fraction(Warp& warp, const Op& op) {
    const Priorities priorities = unpacked_priorities(op.immediate);
    const auto* fraction = warp.source<float>(op.a);
    write_lanes(warp.exec, warp.target<std::uint64_t>(op.dst), [&](unsigned i) {
        return CachePolicy::of_fraction(priorities.primary, priorities.secondary, fraction[i]).bits();
    });
}

// The offset of its address, and the priorities.
struct RangeOperands {
    std::int64_t offset = 0;
    Priorities priorities;
};

void make_range(Warp& warp, const Op& op) {
    const auto& with = *static_cast<const RangeOperands*>(op.extra);
    const auto *primary = warp.source<std::uint32_t>(op.b), *total = warp.source<std::uint32_t>(op.c);
    write_lanes(warp.exec, warp.target<std::uint64_t>(op.dst), [&](unsigned i) {
        const std::uint64_t base = op.flags & kNarrowAddress ? std::uint64_t{warp.source<std::uint32_t>(op.a)[i]}
                                                             : warp.source<std::uint64_t>(op.a)[i];
        return CachePolicy::of_range(with.priorities.primary, with.priorities.secondary,
                                     base + static_cast<std::uint64_t>(with.offset), primary[i], total[i])
            .bits();
    });
}

// An access property lies as a policy does.
void take_property(Warp& warp, const Op& op) {
    const auto* property = warp.source<std::uint64_t>(op.a);
    write_lanes(warp.exec, warp.target<std::uint64_t>(op.dst), [&](unsigned i) { return property[i]; });
}

void prefetch(Warp& warp, const Op& op) {
    if (!warp.worker->audience.wants(machine::Event::kPrefetch)) return;
    alignas(64) std::uint64_t addresses[kWarpSize];
    for (unsigned i = 0; i < kWarpSize; ++i) {
        const std::uint64_t base = op.flags & kNarrowAddress ? std::uint64_t{warp.source<std::uint32_t>(op.a)[i]}
                                                             : warp.source<std::uint64_t>(op.a)[i];
        addresses[i] = base + static_cast<std::uint64_t>(op.immediate);
    }
    machine::Prefetch event;
    fill(event, warp, op);
    event.eviction = warp.worker->program->sites[op.site].cache.second_level;
    event.addresses = addresses;
    warp.worker->audience.tell(event);
}

}  // namespace

OpFn bind_fraction(Binding& binding) {
    binding.op.immediate = packed_priorities(priorities_of(binding));
    return binding.operands[1].kind == BoundKind::kAbsent ? &make_whole : &make_fraction;
}

OpFn bind_range(Binding& binding) {
    const BoundOperand& address = binding.operands[1];
    Op& op = binding.op;
    op.a = address.slot;
    op.flags |= address.bytes == 4 ? kNarrowAddress : 0;
    op.extra = binding.keep(RangeOperands{address.value, priorities_of(binding)});
    return &make_range;
}

OpFn bind_property(Binding&) { return &take_property; }

// Of local memory it has no effect.
OpFn bind_prefetch(Binding& binding) {
    const BoundOperand& address = binding.operands[0];
    if (space_of(binding.form) == Space::kLocal || address.frame_relative || address.of_function ||
        address.kind != BoundKind::kAddress)
        return &nothing;
    Op& op = binding.op;
    op.a = address.slot;
    op.immediate = address.value;
    op.flags |= address.bytes == 4 ? kNarrowAddress : 0;
    return &prefetch;
}

void take_policy(Binding& binding, const BoundOperand& last) {
    if (!binding.has("L2::cache_hint") || last.kind != BoundKind::kValue) return;
    binding.op.c = last.slot;
    binding.op.flags |= kHasPolicy;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
