// The fields of a launch's time, and of the work that it follows from.
#pragma once

#include "scope/report/fields.h"
#include "scope/report/profile.h"

namespace tilescope::report {

template <class V>
void describe(V& v, Is<WarpWork> auto& x) {
    v.field("instructions", x.instructions, "warp instructions", "that the machine code issues");
    for (const PipeRow& row : kPipeRows)
        v.field(row.name, x.pipes[static_cast<std::size_t>(row.pipe)], "warp instructions", row.about);
    for (const WaitRow& row : kWaitRows)
        v.field(row.name, x.waits[static_cast<std::size_t>(row.wait)], "waits", row.about);
    v.field("steps", x.steps, "instructions", "of arithmetic, each of which needs the one before");
    v.field("load_passes", x.load_passes, "wavefronts", "of global loads in L1, by their addresses");
    v.field("load_lines", x.load_lines, "128 B lines", "of these requests");
    v.field("store_lines", x.store_lines, "128 B lines", "of stores and atomics");
    v.field("texture_passes", x.texture_passes, "passes", "of the texture unit, by fetches and reads of surfaces");
    v.field("texture_lines", x.texture_lines, "128 B lines", "of these requests");
    v.field("hottest_updates", x.hottest_updates, "updates",
            "by atomics, of the unit of L2 that they keep busy the longest");
    v.field("hottest_waits", x.hottest_waits, "updates",
            "of these, sums of floats right behind another one of the same sector");
    v.field("hottest_stores", x.hottest_stores, "requests", "to the line that has the most, as they reach L2");
    v.field("sent_lines", x.sent_lines, "128 B lines", "of stores, each time that one reaches L2");
    v.field("sent_in_part", x.sent_in_part, "32 B sectors", "of these, that some bytes of are written");
    v.field("busiest_warp", x.busiest_warp, "times",
            "loads and atomics on global and local memory of the warp with the most, over the average one's");
}

template <class V>
void describe(V& v, Is<ReplayClock> auto& x) {
    v.field("cycles", x.cycles, "cycles", "from the launch's begin to the end of its last block");
    v.field("busy_cycles", x.busy_cycles, "cycles",
            "to the end of an SM's last block, on average over those with blocks");
    v.field("warp_cycles", x.warp_cycles, "cycles", "from a warp's begin to its end, all warps together");
    v.field("longest_warp", x.longest_warp, "cycles", "the longest of these");
    v.field("resident_cycles", x.resident_cycles, "cycles",
            "from the begin of a warp's block to the block's end, all warps together");
    v.field("active_cycles", x.active_cycles, "cycles", "in which an SM has blocks, all SMs together");
    v.field("active_spells", x.active_spells, "times", "that an SM went from none to some, all SMs together");
    v.field("least_active_cycles", x.least_active_cycles, "cycles", "likewise, of the SM with the least");
    v.field("most_active_cycles", x.most_active_cycles, "cycles", "likewise, of the SM with the most");
    v.field("least_blocks", x.least_blocks, "blocks", "of the SM that ran the least");
    v.field("most_blocks", x.most_blocks, "blocks", "of the SM that ran the most");
    v.field("sms", x.sms, "SMs", "of the device");
    v.field("busy_sms", x.busy_sms, "SMs", "of these, that ran blocks");
    v.field("slots", x.slots, "cycles", "of all warps: waiting for a slot of the scheduler");
    v.field("arithmetic", x.arithmetic, "cycles", "likewise, for results of arithmetic");
    v.field("pipe", x.pipe, "cycles", "likewise, for a turn in the pipe of L1 and shared memory");
    v.field("memory", x.memory, "cycles", "likewise, for what memory brings");
    v.field("local_memory", x.local_memory, "cycles", "of these, what would not be without local memory and spills",
            x.local_memory > 0);
    v.field("barriers", x.barriers, "cycles", "likewise, for others at barriers");
    v.field("row_read_bytes", x.row_read_bytes, "bytes", "that DRAM could read while it opened rows for reads of less");
    v.field("row_write_bytes", x.row_write_bytes, "bytes", "likewise, that it could write");
}

template <class V>
void describe(V& v, Is<TimeParts> auto& x) {
    for (const TimeRow& row : kTimeRows)
        v.field(row.name, x.parts[static_cast<std::size_t>(row.bound)], "us", row.about);
}

template <class V>
void describe(V& v, Is<PeakShares> auto& x) {
    for (const UnitRow& row : kUnitRows)
        v.field(kTimeRows[static_cast<std::size_t>(row.bound)].name, x.shares[static_cast<std::size_t>(row.bound)],
                "share", row.about);
}

template <class V>
void describe(V& v, Is<TimeProfile> auto& x) {
    v.field("microseconds", x.microseconds, "us", "on the modelled device, caches cold: modelled");
    v.field("bound", x.bound, "", "what takes the largest part");
    v.result(
        "kind", [&] { return kind_of(x.bound); }, "", "what people call a launch with this bound: memory-bound, ...");
    v.field("next_bound", x.next_bound, "", "what would, if that took no time");
    v.field("next_microseconds", x.next_microseconds, "us", "how long the launch would take then");
    v.field("clock_ghz", x.clock_ghz, "GHz", "of the SMs, that this counts on");
    v.field("longest_warp", x.longest_warp, "us", "the warp that the other SMs wait for, where one takes most of it");
    v.field("average_warp", x.average_warp, "us", "the average one beside it");
    v.field("breakdown", x.breakdown, "", "what the time is spent on; the parts add up to it");
    v.field("of_peak", x.of_peak, "", "how busy each unit is: what it does, over what it could do in that time");
    v.field("dram_gb_per_second", x.dram_gb_per_second, "GB/s", "that DRAM reads and writes", x.of_peak.has_value());
    v.field("l2_gb_per_second", x.l2_gb_per_second, "GB/s", "that SMs read of L2 and write to it",
            x.of_peak.has_value());
    v.field("effective_gb_per_second", x.effective_gb_per_second, "GB/s",
            "that threads ask of global memory, wherever it comes from: effective bandwidth",
            x.effective_gb_per_second > 0);
}

}  // namespace tilescope::report
