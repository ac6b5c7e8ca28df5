#include "scope/session/run_work.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "scope/models/bounds.h"

namespace tilescope {
namespace {

using machine::Allocation;
using machine::AllocationKind;
using machine::CopyKind;
using machine::StreamEventKind;
using models::Engine;
using models::HostCall;

// Whether a side of a copy is the device's. Managed memory is what the call says; where it says nothing, the device's.
bool is_of_device(const std::optional<Allocation>& allocation, bool named_host) {
    if (!allocation) return false;
    if (allocation->kind == AllocationKind::kManaged) return !named_host;
    return allocation->kind != AllocationKind::kPinned && allocation->kind != AllocationKind::kRegistered;
}

HostMemory host_memory_of(const std::optional<Allocation>& allocation) {
    if (!allocation) return HostMemory::kPageable;
    return allocation->kind == AllocationKind::kManaged ? HostMemory::kManaged : HostMemory::kPinned;
}

CopyDirection direction_of(bool from_device, bool to_device) {
    if (from_device) return to_device ? CopyDirection::kDtoD : CopyDirection::kDtoH;
    return to_device ? CopyDirection::kHtoD : CopyDirection::kHtoH;
}

Engine engine_of(CopyDirection direction) {
    switch (direction) {
        case CopyDirection::kHtoD: return Engine::kToDevice;
        case CopyDirection::kDtoH: return Engine::kToHost;
        case CopyDirection::kDtoD: return Engine::kCompute;  // fills the device's memory, as a kernel of full size does
        case CopyDirection::kHtoH: break;
    }
    return Engine::kNone;
}

SpanLane lane_of(Engine engine) {
    switch (engine) {
        case Engine::kCompute: return SpanLane::kCompute;
        case Engine::kToDevice: return SpanLane::kToDevice;
        case Engine::kToHost: return SpanLane::kToHost;
        case Engine::kNone: break;
    }
    return SpanLane::kHost;
}

std::string name_of_copy(CopyDirection direction, HostMemory memory) {
    std::string text = "copy " + std::string(report::name_of(direction));
    if (memory != HostMemory::kNone) text += ", " + std::string(report::name_of(memory));
    return text;
}

}  // namespace

RunWork::RunWork(const machine::Memory& memory, const models::Device& device, bool has_time_line)
    : memory_(memory),
      device_(device),
      link_(models::link_figures(device)),
      has_time_line_(has_time_line && link_),
      pace_(link_ ? *link_ : models::estimated_link(device)),
      line_(pace_.engines, device.host.queue_depth, [this](const models::TimedSpan& span) { ended(span); }),
      launch_cycles_(device.pace.launch) {}

void RunWork::set_site(std::function<std::uint64_t()> site, std::function<CodePlace(std::uint64_t)> place_of) {
    site_ = std::move(site);
    place_of_ = std::move(place_of);
}

std::uint64_t RunWork::name(Name name) {
    if (draws()) names_.emplace(next_tag_, std::move(name));
    return next_tag_++;
}

void RunWork::ended(const models::TimedSpan& span) {
    auto found = names_.extract(span.tag);
    if (found.empty()) return;
    if (told_ + spans_.size() >= kMaxSpans) {
        ++left_out_;
        return;
    }
    Name& name = found.mapped();
    spans_.push_back({.kind = name.kind,
                      .lane = lane_of(span.engine),
                      .stream = span.stream,
                      .name = std::move(name.text),
                      .launch = name.launch,
                      .graph = name.graph,
                      .bytes = name.bytes,
                      .begin = span.begin,
                      .microseconds = span.end - span.begin});
}

double RunWork::link_microseconds(std::uint64_t bytes) const {
    return link_ ? static_cast<double>(bytes) / link_->pinned * 1e6 : 0;
}

void RunWork::add_host_stall(double microseconds) {
    line_.hold(microseconds, name({SpanKind::kWait, "page faults", {}, 0}));
}

void RunWork::add_launch(const LaunchProfile& launch, std::uint64_t blocks_at_once) {
    has_work_ = true;
    const double stall = std::exchange(stall_, 0);
    const bool is_modelled = launch.time && blocks_at_once != 0;
    if (!is_modelled && draws()) {
        line_.finish();
        totals_ = line_.totals();
        modelled_until_ = line_.now();
        until_ = launch.index;
    }
    if (!is_modelled) return add_estimate(launch, blocks_at_once, stall);
    const double blocks = static_cast<double>(launch.grid[0]) * launch.grid[1] * launch.grid[2];
    const double sms = static_cast<double>(blocks_at_once) / std::max(1u, launch.blocks_per_sm);
    spend(HostCall::kLaunch, launch.graph);
    line_.issue({.stream = launch.stream,
                 .engine = Engine::kCompute,
                 .microseconds = kernel_microseconds(launch) + stall,
                 .share = std::min(1.0, blocks / static_cast<double>(blocks_at_once)),
                 .tag = name({SpanKind::kKernel, launch.kernel, launch.index, 0, launch.graph}),
                 .takes = models::shares_of(*launch.time, std::min(1.0, blocks / sms)),
                 .is_of_graph = launch.graph != 0});
}

// The least that its work takes at the device's peak rates, behind what every launch takes.
void RunWork::add_estimate(const LaunchProfile& launch, std::uint64_t blocks_at_once, double stall) {
    const double blocks = static_cast<double>(launch.grid[0]) * launch.grid[1] * launch.grid[2];
    const double seconds = models::least_launch_seconds(device_) + models::seconds(models::work_of(launch), device_);
    const double room = static_cast<double>(std::max<std::uint64_t>(1, blocks_at_once));
    spend(HostCall::kLaunch, launch.graph);
    line_.issue({.stream = launch.stream,
                 .engine = Engine::kCompute,
                 .microseconds = seconds * 1e6 + stall,
                 .share = std::min(1.0, blocks / room),
                 .tag = name({}),
                 .is_of_graph = launch.graph != 0});
}

// Behind other work of its graph a kernel begins sooner than by itself.
double RunWork::kernel_microseconds(const LaunchProfile& launch) {
    const TimeProfile& time = *launch.time;
    const bool is_first = launch.graph == 0 || begun_.insert(launch.stream).second;
    if (is_first || time.clock_ghz <= 0) return time.microseconds;
    return models::graph_kernel_microseconds(device_.host, time.microseconds, launch_cycles_ / (time.clock_ghz * 1e3));
}

void RunWork::add_prefetch(const machine::Issue& issue, bool to_device, std::uint64_t bytes) {
    has_work_ = true;
    line_.spend(call_microseconds(HostCall::kCopy));
    if (bytes == 0) return;
    const CopyDirection direction = to_device ? CopyDirection::kHtoD : CopyDirection::kDtoH;
    line_.issue(
        {.stream = issue.stream,
         .engine = to_device ? Engine::kToDevice : Engine::kToHost,
         .microseconds = models::copy_microseconds(pace_, direction, HostMemory::kManaged, bytes),
         .tag = name({SpanKind::kPrefetch, to_device ? "prefetch to the device" : "prefetch to the host", {}, bytes})});
}

std::optional<double> RunWork::elapsed(std::uint64_t first, std::uint64_t last) {
    const auto begin = line_.completed(first), end = line_.completed(last);
    if (!begin || !end) return std::nullopt;
    const bool is_modelled = draws() || (has_time_line_ && std::max(*begin, *end) <= modelled_until_);
    ++(is_modelled ? event_times_.modelled : event_times_.estimated);
    has_work_ = true;
    return (*end - *begin) / 1e3;
}

// cudaFree waits for all work.
void RunWork::on_release(const machine::AllocationEvent& event) {
    const bool by_free =
        event.allocation.kind == AllocationKind::kDevice || event.allocation.kind == AllocationKind::kManaged;
    if (!by_free || event.issue.is_async) return;
    wait("cudaFree", [&](std::uint64_t tag) { line_.synchronize_device(tag); });
}

void RunWork::on_set(const machine::SetEvent& event) {
    has_work_ = true;
    const double stall = std::exchange(stall_, 0);
    const std::uint64_t bytes = event.extent.bytes();
    spend(HostCall::kSet, event.issue.graph);
    begin_of_graph(event.issue);
    line_.issue({.stream = event.issue.stream,
                 .engine = Engine::kCompute,
                 .microseconds = models::set_microseconds(pace_, bytes) + stall,
                 .tag = name({SpanKind::kSet, "set", {}, bytes, event.issue.graph}),
                 .is_of_graph = event.issue.graph != 0});
    const auto target = memory_.find(event.target.address);
    // A set of memory that the host sees is over when the call returns.
    if (!event.issue.is_async && target && target->shift == 0) wait_for_stream(event.issue.stream, "cudaMemset");
}

// Whether the device has had just these bytes from the host, there where they go. What no copy brought is there by
// chance.
bool RunWork::is_repeated(const machine::CopyEvent& event, const std::optional<Allocation>& target) {
    if (!target || event.extent.rows != 1 || event.extent.slices != 1) return false;
    const std::uint64_t bytes = event.extent.bytes();
    std::uint64_t& brought = brought_[{target->id, event.target.address}];
    const bool had = brought >= bytes &&
                     std::memcmp(memory_.bytes(event.target.address), memory_.bytes(event.source.address), bytes) == 0;
    brought = std::max(brought, bytes);
    if (brought_.size() > kMaxTransfers) brought_.clear();
    return had;
}

void RunWork::on_copy(const machine::CopyEvent& event) {
    const auto source = memory_.find(event.source.address), target = memory_.find(event.target.address);
    const bool from_host = event.kind == CopyKind::kHostToDevice || event.kind == CopyKind::kHostToHost;
    const bool to_host = event.kind == CopyKind::kDeviceToHost || event.kind == CopyKind::kHostToHost;
    const bool from_device = is_of_device(source, from_host), to_device = is_of_device(target, to_host);
    const CopyDirection direction = direction_of(from_device, to_device);
    HostMemory memory = HostMemory::kNone;
    if (!from_device) memory = host_memory_of(source);
    if (!to_device && memory != HostMemory::kPageable) memory = host_memory_of(target);
    const double stall = std::exchange(stall_, 0);
    const double microseconds =
        link_ ? models::copy_microseconds(*link_, direction, memory, event.extent.bytes()) + stall : 0;
    const bool is_repeated_copy = direction == CopyDirection::kHtoD && is_repeated(event, target);
    copied(event, direction, memory, microseconds, is_repeated_copy);
    draw_copy(event, direction, memory,
              models::copy_microseconds(pace_, direction, memory, event.extent.bytes()) + stall);
}

void RunWork::copied(const machine::CopyEvent& event, CopyDirection direction, HostMemory memory, double microseconds,
                     bool repeated) {
    has_work_ = true;
    const bool full = transfers_.size() >= kMaxTransfers;
    const std::uint64_t site = site_ && !full ? site_() : 0;
    Key key{site, direction, memory, full ? 0 : event.issue.stream, event.issue.is_async};
    const auto [found, is_new] = places_.try_emplace(key, transfers_.size());
    if (is_new) {
        Transfer& transfer = transfers_.emplace_back();
        transfer.direction = direction;
        transfer.host_memory = memory;
        transfer.stream = std::get<3>(key);
        transfer.is_async = event.issue.is_async;
        if (place_of_ && site != 0) transfer.called_from.push_back(place_of_(site));
    }
    Transfer& transfer = transfers_[found->second];
    ++transfer.count;
    transfer.repeated += repeated ? 1 : 0;
    transfer.bytes += event.extent.bytes();
    if (link_) transfer.microseconds = transfer.microseconds.value_or(0) + microseconds;
    if (std::find(changed_.begin(), changed_.end(), found->second) == changed_.end()) changed_.push_back(found->second);
}

// Which copies the host waits for: CUDA Runtime API, "API synchronization behavior".
void RunWork::draw_copy(const machine::CopyEvent& event, CopyDirection direction, HostMemory memory,
                        double microseconds) {
    const std::uint32_t stream = event.issue.stream;
    const std::uint64_t bytes = event.extent.bytes();
    const bool is_of_graph = event.issue.graph != 0;
    spend(HostCall::kCopy, event.issue.graph);
    begin_of_graph(event.issue);
    const char* const call = event.issue.is_async ? "cudaMemcpyAsync" : "cudaMemcpy";
    if (direction == CopyDirection::kHtoH) {
        if (!is_of_graph) wait_for_stream(stream, call);
        return;
    }
    const bool is_pageable = memory == HostMemory::kPageable && !is_of_graph;
    const bool is_taken_along = is_pageable && direction == CopyDirection::kHtoD && bytes <= models::kTakenAlong;
    // The host itself puts it into the driver's buffer, and the engine has it from there.
    if (is_taken_along) line_.spend(microseconds);
    line_.issue({.stream = stream,
                 .engine = engine_of(direction),
                 .microseconds = microseconds,
                 .tag = name({SpanKind::kCopy, name_of_copy(direction, memory), {}, bytes, event.issue.graph}),
                 .is_of_graph = is_of_graph});
    const bool waits = direction != CopyDirection::kDtoD && !is_taken_along && (!event.issue.is_async || is_pageable);
    if (waits) wait_for_stream(stream, call);
}

void RunWork::on_graph_launch(const machine::GraphLaunchEvent&) {
    has_work_ = true;
    if (draws()) ++graph_launches_;
    begun_.clear();
    work_events_.clear();
    line_.spend(call_microseconds(HostCall::kGraph));
}

// Edges of a graph cost the host nothing, nor does it wait for a function of its own that a graph calls.
void RunWork::on_graph_event(const machine::StreamEvent& event) {
    switch (event.kind) {
        case StreamEventKind::kRecord:
            if (begun_.count(event.stream) != 0) work_events_.insert(event.event);
            line_.record(event.event, event.stream, true);
            break;
        case StreamEventKind::kWait:
            if (work_events_.count(event.event) != 0) begun_.insert(event.stream);
            line_.wait(event.stream, event.event, true);
            break;
        default: break;
    }
}

void RunWork::on_stream(const machine::StreamEvent& event) {
    if (event.graph != 0) return on_graph_event(event);
    switch (event.kind) {
        case StreamEventKind::kCreate: line_.create_stream(event.stream, event.is_blocking); break;
        case StreamEventKind::kDestroy: break;
        case StreamEventKind::kRecord:
            line_.spend(call_microseconds(HostCall::kWait));
            line_.record(event.event, event.stream);
            break;
        case StreamEventKind::kWait:
            line_.spend(call_microseconds(HostCall::kWait));
            line_.wait(event.stream, event.event);
            break;
        case StreamEventKind::kSynchronizeStream:
            line_.spend(call_microseconds(HostCall::kWait));
            wait_for_stream(event.stream, "cudaStreamSynchronize");
            break;
        case StreamEventKind::kSynchronizeEvent:
            line_.spend(call_microseconds(HostCall::kWait));
            wait("cudaEventSynchronize", [&](std::uint64_t tag) { line_.synchronize_event(event.event, tag); });
            break;
        case StreamEventKind::kSynchronizeDevice:
            line_.spend(call_microseconds(HostCall::kWait));
            wait("cudaDeviceSynchronize", [&](std::uint64_t tag) { line_.synchronize_device(tag); });
            break;
    }
}

void RunWork::tell(Profile& profile, bool at_end) {
    if (!has_work_) return;
    if (at_end && draws()) line_.finish();
    if (event_times_.modelled + event_times_.estimated != 0) profile.event_times = event_times_;
    profile.transfers.resize(transfers_.size());
    for (const std::size_t i : std::exchange(changed_, {})) profile.transfers[i] = transfers_[i];
    if (!has_time_line_) return;
    told_ += spans_.size();
    for (TimelineSpan& span : std::exchange(spans_, {})) profile.timeline.push_back(std::move(span));
    profile.timeline_totals = until_ ? totals_ : line_.totals();
    profile.timeline_totals->left_out = left_out_;
    profile.timeline_totals->graph_launches = graph_launches_;
    profile.timeline_totals->until = until_;
}

}  // namespace tilescope
