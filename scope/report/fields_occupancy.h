// The fields of a launch's occupancy.
#pragma once

#include "scope/report/fields.h"
#include "scope/report/profile.h"

namespace tilescope::report {

template <class V>
void describe(V& v, Is<OccupancyLimits> auto& x) {
    v.field("threads", x.threads, "blocks", "that the SM's threads admit; absent: no bound");
    v.field("blocks", x.blocks, "blocks", "that the SM's block slots admit");
    v.field("registers", x.registers, "blocks", "that the registers admit");
    v.field("shared", x.shared, "blocks", "that the shared memory admits");
    v.field("barriers", x.barriers, "blocks", "that the named barriers admit");
}

template <class V>
void describe(V& v, Is<OccupancyChange> auto& x) {
    v.field("resource", x.resource, "", "registers of a thread, carveout of an SM, others of a block");
    v.field("change", x.change, "of the resource", "how much more, or less where negative");
}

template <class V>
void describe(V& v, Is<OccupancyStep> auto& x) {
    if constexpr (V::kReads) x.changes.emplace_back();
    if (!x.changes.empty()) describe(v, x.changes.front());
    v.tail("also", x.changes, "further changes that it takes, all together");
    v.field("blocks", x.blocks_per_sm, "blocks", "that an SM holds then");
    v.field("fraction", x.fraction, "share", "occupancy then");
}

template <class V>
void describe(V& v, Is<OccupancyTextbook> auto& x) {
    v.field("blocks_per_sm", x.blocks_per_sm, "blocks", "by plain division of whole blocks");
    v.field("threads_per_sm", x.threads_per_sm, "threads", "of these blocks");
    v.field("fraction", x.fraction, "share", "occupancy that follows");
    v.field("limiters", x.limiters, "", "resources that set it");
    v.field("by", x.by, "", "blocks that each resource alone admits");
    v.group("division", "without whole blocks", true, [&](auto& in) {
        in.field("threads_per_sm", x.division_threads, "threads", "that the scarcest resource holds");
        in.field("fraction", x.division_fraction, "share", "of the SM's threads");
    });
}

template <class V>
void describe(V& v, Is<OccupancyReason> auto& x) {
    v.field("rule", x.rule, "", "that plain division does not know");
    v.group("figures", "that it goes by", true, [&](auto& in) { describe_figures(in, x.figures); });
}

template <class V>
void describe(V& v, Is<OccupancyWaves> auto& x) {
    v.field("blocks_at_once", x.blocks_at_once, "blocks", "on all SMs together");
    v.field("full", x.full, "waves", "of so many blocks");
    v.field("tail_blocks", x.tail_blocks, "blocks", "of a last wave that is not full; 0: there is none");
    v.result(
        "tail_fraction", [&] { return x.tail_fraction(); }, "share", "of a full wave");
    v.field("idle_sms", x.idle_sms, "SMs", "without a block of the last wave");
}

template <class V>
void describe(V& v, Is<OccupancyProfile> auto& x) {
    v.field("by", x.by, "", "blocks that each resource alone admits, as the hardware allocates");
    v.field("registers_per_block", x.registers_per_block, "registers", "as allocated");
    v.field("shared_bytes_per_block", x.shared_bytes_per_block, "bytes", "as allocated, the driver's share included");
    v.field("shared_bytes_per_sm", x.shared_bytes_per_sm, "bytes", "of shared memory that this counts on");
    v.field("barriers_per_block", x.barriers, "barriers", "named ones that a block uses");
    v.field("threads_per_sm", x.threads_per_sm, "threads", "of the blocks that an SM holds");
    v.field("waves", x.waves, "", "how the blocks come to the device; absent without a grid");
    v.field("carveout_percent", x.carveout_percent, "%", "of the SM's memory that the program asked for as shared");
    v.field("textbook", x.textbook, "", "without allocation units and what the driver keeps");
    v.field("difference", x.difference, "", "why the hardware holds fewer blocks than the textbook says",
            !x.difference.empty());
    v.field("reasons", x.reasons, "", "the rules of the hardware that make it so", !x.reasons.empty());
    v.group("bytes_per_thread", "of shared memory", true, [&](auto& in) {
        in.field("shared", x.shared_bytes_per_thread, "bytes", "the kernel's own");
        in.field("full", x.full_bytes_per_thread, "bytes", "beyond which full occupancy is out of reach, by division");
        in.field("full_as_allocated", x.full_bytes_per_thread_allocated, "bytes", "the same as the hardware allocates");
    });
    v.field("next", x.next, "", "the smallest changes that let more warps stay; each alone is enough");
    v.field("headroom", x.headroom, "", "how much more of each resource would lose no block");
}

// The "occupancy" of a launch. Profiles of earlier versions end behind its limiters.
template <class V>
void describe_occupancy(V& v, Is<LaunchProfile> auto& x) {
    v.field("blocks_per_sm", x.blocks_per_sm, "blocks", "that an SM holds at once");
    v.field("warps_per_sm", x.warps_per_sm, "warps", "of these blocks");
    v.field("fraction", x.occupancy, "share", "of the warps that an SM can hold");
    v.field("limiters", x.limiters, "", "resources that set it");
    v.field("achieved", x.achieved_occupancy, "share",
            "of the warps that an SM can hold, those that it has on average while it has any: modelled; absent without "
            "a replay of the caches");
    v.inlined(x.occupancy_profile, "textbook");
}

}  // namespace tilescope::report
