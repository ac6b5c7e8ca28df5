#include "scope/observers/trace_record.h"

#include <algorithm>

#include "scope/observers/trace_lanes.h"

namespace tilescope::observers {
namespace {

using machine::Bank;
using machine::FlowAddress;
using machine::FlowKind;
using machine::FlowValue;
using machine::kWarpSize;
using machine::Op;
using machine::OpFlow;
using machine::Space;
using machine::Warp;

constexpr std::uint32_t kSlotBytes = 64;  // no register takes less of its bank

std::uint32_t active_lanes(const Warp& warp, const Op& op) {
    if (!op.guarded) return warp.exec;
    const std::uint32_t holds = warp.predicate(op.guard);
    return warp.exec & (op.guard_negated ? ~holds : holds);
}

}  // namespace

TraceRecorder::TraceRecorder(const machine::Program& program, const TraceTarget& target)
    : program_(program), target_(target) {
    record_.totals.resize(target.threads);
    target_.last = std::min(target.last, target.threads - 1);
    for (std::uint32_t number = target_.first; number <= target_.last; ++number) {
        record_.threads.emplace_back();
        record_.threads.back().number = number;
    }
    shadows_.resize(record_.threads.size());
    frames_.resize((target.threads + kWarpSize - 1) / kWarpSize);
    for (const machine::LaunchSlot& slot : program.launch_slots)
        if (slot.what == machine::LaunchValue::kParameter) parameters_.emplace(slot.offset, &slot);
}

bool TraceRecorder::follows(const machine::Worker& worker) const {
    return std::equal(target_.block.begin(), target_.block.end(), worker.block.index);
}

void TraceRecorder::on_barrier(const machine::Worker& worker) {
    if (!follows(worker) || record_.full_in) return;
    spend(record_.threads.size());
    ++interval_;
    record_.intervals.emplace_back();
    if (record_.full_in) record_.full_in = interval_;
}

void TraceRecorder::spend(std::uint64_t steps) {
    spent_ += steps;
    if (spent_ > target_.max_steps && !record_.full_in) record_.full_in = interval_;
}

void TraceRecorder::step(Warp& warp, const Op& op, machine::OpFn run) {
    if (!follows(*warp.worker)) return run(warp, op);
    record_.ran = true;
    const std::byte*& frame = frames_[warp.index];
    if (!frame) frame = warp.banks[static_cast<unsigned>(Bank::kRegisters)];
    const std::uint32_t lanes = active_lanes(warp, op);
    const OpFlow& flow = program_.flow[op.index];
    count(warp, op, lanes);
    const std::uint32_t followed = record_.full_in ? 0 : lanes & followed_lanes(warp);
    for_each_lane(followed, [&](unsigned lane) { take_inputs(warp, lane, flow); });
    run(warp, op);
    for_each_lane(followed, [&](unsigned lane) { follow(warp, lane, op, flow); });
}

std::uint32_t TraceRecorder::followed_lanes(const Warp& warp) const {
    std::uint32_t lanes = 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        const std::uint32_t number = warp.index * kWarpSize + lane;
        if (number >= target_.first && number <= target_.last) lanes |= 1u << lane;
    }
    return lanes;
}

TracedThread& TraceRecorder::thread(const Warp& warp, unsigned lane) {
    return record_.threads[warp.index * kWarpSize + lane - target_.first];
}

TraceRecorder::Shadows& TraceRecorder::shadows(const Warp& warp, unsigned lane) {
    return shadows_[warp.index * kWarpSize + lane - target_.first];
}

// ---- values ---------------------------------------------------------------------------------------------------------

std::size_t TraceRecorder::slot(const Warp& warp, machine::Operand place) const {
    const std::byte* at = warp.banks[static_cast<unsigned>(Bank::kRegisters)] + place.offset();
    return static_cast<std::size_t>(at - frames_[warp.index]) / kSlotBytes;
}

TraceRecorder::Value TraceRecorder::read(const Warp& warp, unsigned lane, const FlowValue& value) {
    Value result;
    if (value.bytes == 0) return result;
    result.bits = lane_bits(warp.source<std::byte>(value.place), value.bytes, lane);
    if (value.place.bank() == static_cast<unsigned>(Bank::kLaunch)) {
        const auto found = parameters_.find(value.place.offset());
        if (found != parameters_.end()) result.node = parameter(found->second->parameter_offset, value.bytes);
    } else if (value.place.bank() == static_cast<unsigned>(Bank::kRegisters)) {
        const auto& registers = shadows(warp, lane).registers;
        const std::size_t at = slot(warp, value.place);
        const Value last = at < registers.size() ? registers[at] : Value{};
        // Something else wrote it since: a call.
        result.node = last.bits == result.bits ? last.node : unknown();
    }
    return result;
}

void TraceRecorder::write(const Warp& warp, unsigned lane, const FlowValue& value, NodeId node) {
    if (value.bytes == 0 || value.place.bank() != static_cast<unsigned>(Bank::kRegisters)) return;
    auto& registers = shadows(warp, lane).registers;
    const std::size_t at = slot(warp, value.place);
    if (at >= registers.size()) registers.resize(at + 1);
    registers[at] = {value.bytes > sizeof(std::uint64_t) ? 0 : node,
                     lane_bits(warp.source<std::byte>(value.place), value.bytes, lane)};
}

std::uint64_t TraceRecorder::locate(const Warp& warp, unsigned lane, const FlowAddress& address, Space& space) const {
    std::uint64_t at = lane_bits(warp.source<std::byte>(address.base), address.base_bytes, lane);
    at += static_cast<std::uint64_t>(address.offset);
    if (address.base_bytes == sizeof(std::uint32_t)) at = static_cast<std::uint32_t>(at);
    if (address.frame_relative) at += warp.local_frame;
    space = address.space;
    if (space == Space::kConstant && address.base_bytes == sizeof(std::uint32_t)) at |= program_.constant_base;
    if (space != Space::kGeneric) return at;
    space = Space::kGlobal;
    if (at - machine::kSharedWindow < machine::kWindowBytes) {
        space = Space::kShared;
        return at - warp.worker->shared_window;
    }
    if (at - machine::kLocalWindow < machine::kWindowBytes) {
        space = Space::kLocal;
        return at - machine::kLocalWindow;
    }
    const machine::Worker& worker = *warp.worker;
    if (at - reinterpret_cast<std::uint64_t>(worker.parameters) < worker.parameter_bytes) space = Space::kParam;
    return at;
}

void TraceRecorder::take_inputs(const Warp& warp, unsigned lane, const OpFlow& flow) {
    thread_ = warp.index * kWarpSize + lane - target_.first;
    Inputs& inputs = inputs_[lane];
    inputs.sources.clear();
    for (const FlowValue& source : flow.sources) inputs.sources.push_back(read(warp, lane, source));
    if (flow.has_predicate)
        inputs.chosen = ((warp.predicate(flow.predicate) >> lane & 1) != 0) != flow.predicate_negated;
    switch (flow.kind) {
        case FlowKind::kCopy: {
            Space global = Space::kGlobal;
            inputs.from = locate(warp, lane, flow.from, global);
            inputs.copied = flow.element_bytes;
            if (!flow.sources.empty())
                inputs.copied = static_cast<std::uint32_t>(
                    std::min<std::uint64_t>(inputs.copied, inputs.sources[0].bits & 0xffffffff));
            if (flow.has_predicate && inputs.chosen) inputs.copied = 0;
            [[fallthrough]];
        }
        case FlowKind::kLoad:
        case FlowKind::kStore:
        case FlowKind::kAtomic: inputs.address = locate(warp, lane, flow.address, inputs.space); break;
        default: break;
    }
}

void TraceRecorder::follow(const Warp& warp, unsigned lane, const Op& op, const OpFlow& flow) {
    Inputs& inputs = inputs_[lane];
    thread_ = warp.index * kWarpSize + lane - target_.first;
    switch (flow.kind) {
        case FlowKind::kObject:
        case FlowKind::kOther: {
            const bool has_value = std::any_of(flow.results.begin(), flow.results.end(),
                                               [](const FlowValue& value) { return value.bytes != 0; });
            const NodeId node = has_value ? result(op, flow, inputs) : 0;
            for (const FlowValue& value : flow.results) write(warp, lane, value, node);
            return;
        }
        case FlowKind::kMove:
            for (std::size_t i = 0; i < flow.results.size(); ++i)
                write(warp, lane, flow.results[i], inputs.sources[i].node);
            return;
        case FlowKind::kSelect: write(warp, lane, flow.results[0], inputs.sources[inputs.chosen ? 0 : 1].node); return;
        case FlowKind::kLoad: return follow_load(warp, lane, op, flow);
        case FlowKind::kStore: return follow_store(warp, lane, op, flow);
        case FlowKind::kCopy: return follow_copy(warp, lane, op, flow);
        case FlowKind::kAtomic: return follow_atomic(warp, lane, op, flow);
        default: break;
    }
    const NodeId node = result(op, flow, inputs);
    for (std::size_t i = 0; i < flow.results.size(); ++i) write(warp, lane, flow.results[i], i == 0 ? node : 0);
}

bool TraceRecorder::depends(NodeId node) const {
    const TraceNodeKind kind = record_.nodes[node].kind;
    return kind == TraceNodeKind::kElement || kind == TraceNodeKind::kResult || kind == TraceNodeKind::kUnknown;
}

// Only what depends on memory is worth a node; indices and the like are plain values.
NodeId TraceRecorder::result(const Op& op, const OpFlow& flow, const Inputs& inputs) {
    const std::size_t count = std::min<std::size_t>(3, inputs.sources.size());
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) any |= depends(inputs.sources[i].node);
    if (!any) return 0;
    TraceNode node;
    node.kind = TraceNodeKind::kResult;
    node.what = flow.kind;
    node.is_float = flow.is_float;
    node.bytes = static_cast<std::uint8_t>(flow.element_bytes);
    node.ran = interval_;
    node.op = op.index;
    for (std::size_t i = 0; i < count; ++i) {
        const Value& source = inputs.sources[i];
        node.operands[i] = source.node != 0 ? source.node : constant(source, flow.sources[i].bytes, flow.is_float);
        node.interval = std::max(node.interval, record_.nodes[node.operands[i]].interval);
    }
    return add(node);
}

// ---- nodes ----------------------------------------------------------------------------------------------------------

NodeId TraceRecorder::add(const TraceNode& node) {
    if (record_.full_in) return 0;
    spend(1);
    record_.nodes.push_back(node);
    record_.nodes.back().thread = thread_;
    return static_cast<NodeId>(record_.nodes.size() - 1);
}

NodeId TraceRecorder::element(const Op& op, Space space, std::uint64_t address, unsigned bytes) {
    TraceNode node;
    node.kind = TraceNodeKind::kElement;
    node.space = space;
    node.bytes = static_cast<std::uint8_t>(bytes);
    node.interval = node.ran = interval_;
    node.op = op.index;
    node.bits = address;
    return add(node);
}

NodeId TraceRecorder::constant(const Value& value, unsigned bytes, bool is_float) {
    TraceNode node;
    node.bytes = static_cast<std::uint8_t>(bytes);
    node.is_float = is_float;
    node.bits = value.bits;
    return add(node);
}

NodeId TraceRecorder::parameter(std::uint32_t offset, unsigned bytes) {
    NodeId& node = parameter_nodes_[offset];
    if (node != 0) return node;
    TraceNode made;
    made.kind = TraceNodeKind::kParameter;
    made.bytes = static_cast<std::uint8_t>(bytes);
    made.bits = offset;
    return node = add(made);
}

NodeId TraceRecorder::unknown() {
    TraceNode node;
    node.kind = TraceNodeKind::kUnknown;
    node.interval = node.ran = interval_;
    return add(node);
}

}  // namespace tilescope::observers
