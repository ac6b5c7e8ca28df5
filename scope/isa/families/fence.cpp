// Fences. Memory is sequentially consistent here and has one proxy, so they change nothing; what they order is told.
#include <cstdint>
#include <iterator>

#include "scope/isa/families/lane_functions.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/family_list.h"
#include "scope/machine/worker.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using machine::FenceKind;
using machine::Order;

void fence(Warp& warp, const Op& op) {
    if (!warp.worker->audience.wants(machine::Event::kFence)) return;
    const machine::OpFacts& facts = warp.worker->program->facts[op.index];
    machine::Fence event;
    fill(event, warp, op);
    event.kind = static_cast<FenceKind>(op.flags);
    event.order = facts.order;
    event.scope = facts.scope;
    warp.worker->audience.tell(event);
}

OpFn bind_fence(Binding& binding) {
    const FenceKind kind = binding.has("proxy")           ? FenceKind::kProxy
                           : binding.has("mbarrier_init") ? FenceKind::kBarrierInit
                                                          : FenceKind::kMemory;
    binding.op.flags = static_cast<std::uint16_t>(kind);
    return &fence;
}

// The range of a tensor map that a fence speaks of has 128 bytes.
OpFn bind_range(Binding& binding) {
    if (binding.operands[1].is_immediate && binding.operands[1].value == 128) return bind_fence(binding);
    binding.fail("a size other than 128");
    return nullptr;
}

#define FENCE .kind = Class::kSync, .bind = &bind_fence
#define CONSISTENT .note = "memory is sequentially consistent here"
#define ONE_PROXY .note = "all accesses take one way to memory here"

constexpr Row kFenceRows[] = {
    {.syntax = "membar.[cta gl sys]", .operands = "", FENCE, .order = Order::kSequential, CONSISTENT},
    {.syntax = "fence{.[sc acq_rel acquire release]}.[cta cluster gpu sys]",
     .operands = "",
     FENCE,
     .needs = {60, 70},
     .order = Order::kAcquireRelease,
     CONSISTENT},
    {.syntax = "fence.acquire.sync_restrict::shared::cluster.cluster",
     .operands = "",
     FENCE,
     .needs = {86, 90},
     CONSISTENT},
    {.syntax = "fence.release.sync_restrict::shared::cta.cluster",
     .operands = "",
     FENCE,
     .needs = {86, 90},
     CONSISTENT},
    {.syntax = "fence.mbarrier_init.release.cluster", .operands = "", FENCE, .needs = {80, 90}, CONSISTENT},
    {.syntax = "fence.proxy~.[alias async]", .operands = "", FENCE, .needs = {75, 70}, ONE_PROXY},
    {.syntax = "fence.proxy~.async.[global shared::cta shared::cluster]",
     .operands = "",
     FENCE,
     .needs = {80, 90},
     ONE_PROXY},
    {.syntax = "fence.proxy~.async::generic.acquire.sync_restrict::shared::cluster.cluster",
     .operands = "",
     FENCE,
     .needs = {86, 90},
     ONE_PROXY},
    {.syntax = "fence.proxy~.async::generic.release.sync_restrict::shared::cta.cluster",
     .operands = "",
     FENCE,
     .needs = {86, 90},
     ONE_PROXY},
    {.syntax = "fence.proxy~.tensormap::generic.release.[cta cluster gpu sys]",
     .operands = "",
     FENCE,
     .needs = {83, 90},
     ONE_PROXY},
    {.syntax = "fence.proxy~.tensormap::generic.acquire.[cta cluster gpu sys]",
     .operands = "[] s32",
     .kind = Class::kSync,
     .bind = &bind_range,
     .needs = {83, 90},
     ONE_PROXY},
};

}  // namespace

const Family& fence_family() {
    static constexpr Family kFamily{"fence", "fences", kFenceRows, std::size(kFenceRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
