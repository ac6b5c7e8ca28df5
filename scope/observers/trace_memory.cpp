// What a traced block does to memory: counts for all threads, events and provenance for those that are followed.
#include <algorithm>

#include "scope/observers/trace_lanes.h"
#include "scope/observers/trace_record.h"
#include "scope/report/ratios.h"

namespace tilescope::observers {

using machine::FlowKind;
using machine::FlowValue;
using machine::kWarpSize;
using machine::Op;
using machine::OpFlow;
using machine::Space;
using machine::Warp;

void TraceRecorder::count(const Warp& warp, const Op& op, std::uint32_t lanes) {
    if (lanes == 0) return;
    const OpFlow& flow = program_.flow[op.index];
    const machine::OpFacts& facts = program_.facts[op.index];
    if (facts.computes) {
        PhaseCounts counts;
        CounterSet counted;
        counted.add(facts.operations, 1);
        counts.flop = report::flop(counted);
        add_counts(warp, lanes, counts);
        if (!record_.full_in)
            for_each_lane(lanes & followed_lanes(warp), [&](unsigned lane) {
                ++thread(warp, lane).flop[{interval_, op.index}];
            });
    }
    const bool accesses = flow.kind == FlowKind::kLoad || flow.kind == FlowKind::kStore ||
                          flow.kind == FlowKind::kAtomic || flow.kind == FlowKind::kCopy;
    if (!accesses) return;
    for_each_lane(lanes, [&](unsigned lane) {
        Space space = flow.address.space;
        locate(warp, lane, flow.address, space);
        if (space != Space::kGlobal && space != Space::kShared) return;
        PhaseCounts counts;
        const bool shared = space == Space::kShared;
        if (flow.kind == FlowKind::kLoad)
            (shared ? counts.shared_loads : counts.global_loads) = flow.results.size();
        else if (flow.kind == FlowKind::kStore)
            (shared ? counts.shared_stores : counts.global_stores) = flow.sources.size();
        else if (flow.kind == FlowKind::kAtomic)
            counts.atomics = 1;
        else
            counts.global_loads = counts.shared_stores = std::max(1u, flow.element_bytes / 4);
        add_counts(warp, 1u << lane, counts);
    });
}

void TraceRecorder::add_counts(const Warp& warp, std::uint32_t lanes, const PhaseCounts& counts) {
    const std::uint32_t followed = followed_lanes(warp);
    for_each_lane(lanes, [&](unsigned lane) {
        record_.totals[warp.index * kWarpSize + lane] += counts;
        record_.intervals[interval_] += counts;
        if (!(followed >> lane & 1)) return;
        auto& own = thread(warp, lane).intervals;
        if (own.size() <= interval_) own.resize(interval_ + 1);
        own[interval_] += counts;
    });
}

void TraceRecorder::follow_load(const Warp& warp, unsigned lane, const Op& op, const OpFlow& flow) {
    const Inputs& inputs = inputs_[lane];
    for (std::size_t i = 0; i < flow.results.size(); ++i) {
        const std::uint64_t address = inputs.address + i * flow.element_bytes;
        NodeId node = 0;
        if (inputs.space == Space::kLocal) {
            const auto& local = shadows(warp, lane).local;
            const auto found = local.find(address);
            const FlowValue& to = flow.results[i];
            if (found != local.end() && to.bytes != 0 &&
                found->second.bits == lane_bits(warp.source<std::byte>(to.place), to.bytes, lane))
                node = found->second.node;
        } else if (inputs.space != Space::kParam) {
            node = element(op, inputs.space, address, flow.element_bytes);
            note(warp, lane,
                 {TraceEventKind::kLoad, inputs.space, interval_, op.index, flow.element_bytes, address, node});
        }
        write(warp, lane, flow.results[i], node);
    }
}

void TraceRecorder::follow_store(const Warp& warp, unsigned lane, const Op& op, const OpFlow& flow) {
    const Inputs& inputs = inputs_[lane];
    for (std::size_t i = 0; i < flow.sources.size(); ++i) {
        const std::uint64_t address = inputs.address + i * flow.element_bytes;
        const Value& source = inputs.sources[i];
        if (inputs.space == Space::kLocal) {
            shadows(warp, lane).local[address] = source;
            continue;
        }
        const NodeId node = source.node != 0 ? source.node : constant(source, flow.element_bytes, flow.is_float);
        note(warp, lane,
             {TraceEventKind::kStore, inputs.space, interval_, op.index, flow.element_bytes, address, node});
    }
}

void TraceRecorder::follow_copy(const Warp& warp, unsigned lane, const Op& op, const OpFlow& flow) {
    const Inputs& inputs = inputs_[lane];
    TraceEvent store{TraceEventKind::kStore, Space::kShared, interval_, op.index, 0, inputs.address, 0};
    if (inputs.copied != 0) {
        store.bytes = inputs.copied;
        store.value = element(op, Space::kGlobal, inputs.from, inputs.copied);
        note(warp, lane,
             {TraceEventKind::kLoad, Space::kGlobal, interval_, op.index, inputs.copied, inputs.from, store.value});
        note(warp, lane, store);
    }
    if (inputs.copied == flow.element_bytes) return;
    store.address += inputs.copied;
    store.bytes = flow.element_bytes - inputs.copied;
    store.value = constant({}, store.bytes, false);
    note(warp, lane, store);
}

void TraceRecorder::follow_atomic(const Warp& warp, unsigned lane, const Op& op, const OpFlow& flow) {
    const Inputs& inputs = inputs_[lane];
    TraceEvent event{TraceEventKind::kAtomic, inputs.space, interval_, op.index, flow.element_bytes, inputs.address, 0};
    if (!inputs.sources.empty())
        event.value = inputs.sources[0].node != 0 ? inputs.sources[0].node
                                                  : constant(inputs.sources[0], flow.element_bytes, flow.is_float);
    note(warp, lane, event);
    for (const FlowValue& value : flow.results)
        write(warp, lane, value, element(op, inputs.space, inputs.address, flow.element_bytes));
}

void TraceRecorder::note(const Warp& warp, unsigned lane, const TraceEvent& event) {
    if (record_.full_in) return;
    thread(warp, lane).events.push_back(event);
    spend(1);
}

}  // namespace tilescope::observers
