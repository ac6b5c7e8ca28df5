#include "tests/machine/event_recorder.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdio>

namespace tilescope::test {
namespace {

using namespace machine;

std::string hex(std::uint64_t bits) {
    char text[20];
    std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(bits));
    return text;
}

std::string number(std::uint64_t value) { return std::to_string(value); }

const char* name(Space space) {
    constexpr const char* kNames[] = {"global", "shared", "local", "constant", "texture", "param", "generic"};
    return kNames[static_cast<unsigned>(space)];
}
const char* name(AccessKind kind) {
    constexpr const char* kNames[] = {"load",        "store",           "atomic",    "reduction",   "increment",
                                      "combined",    "combined-atomic", "swap-loop", "matrix-load", "matrix-store",
                                      "factor-load", "copy-read",       "copy-write"};
    return kNames[static_cast<unsigned>(kind)];
}
std::string name(Order order, Scope scope) {
    constexpr const char* kOrders[] = {"weak", "volatile", "relaxed", "acquire", "release", "acq_rel", "sc"};
    constexpr const char* kScopes[] = {"", ".cta", ".cluster", ".gpu", ".sys"};
    return std::string(kOrders[static_cast<unsigned>(order)]) + kScopes[static_cast<unsigned>(scope)];
}

// "8" for one lane, "8+4*3" for 8, 12, 16; else all of them.
std::string list(const std::vector<std::uint64_t>& values) {
    bool even = values.size() > 1;
    for (std::size_t i = 2; i < values.size(); ++i) even = even && values[i] - values[i - 1] == values[1] - values[0];
    if (even)
        return number(values[0]) + "+" + std::to_string(static_cast<std::int64_t>(values[1] - values[0])) + "*" +
               number(values.size());
    std::string text;
    for (const std::uint64_t value : values) text += (text.empty() ? "" : ",") + number(value);
    return text;
}

template <class ValueOf>
std::string list_of_lanes(std::uint32_t mask, ValueOf value_of) {
    std::vector<std::uint64_t> values;
    for (unsigned lane = 0; lane < kWarpSize; ++lane)
        if (mask >> lane & 1) values.push_back(value_of(lane));
    return list(values);
}

std::string triple(const std::uint32_t of[3]) { return number(of[0]) + "," + number(of[1]) + "," + number(of[2]); }

}  // namespace

void EventRecorder::add(const BlockPlace& block, const std::string& text) const {
    lines_.push_back("b" + number(block.number) + " " + text);
}

void EventRecorder::add(const WarpEvent& event, const std::string& text) const {
    EXPECT_EQ(event.thread % kWarpSize, 0u);
    EXPECT_NE(event.mask, 0u);
    add(*event.block, "w" + number(event.warp()) + " line " + number(program_->facts.at(event.op).text_line) + " " +
                          text + " by " + hex(event.mask));
}

std::uint32_t EventRecorder::wants(const Site& site) const {
    EXPECT_TRUE(site.is_announced);
    return wanted_.spaces;
}

void EventRecorder::begin_block(const BlockPlace& block) {
    if (wanted_.blocks) add(block, "begins at " + triple(block.index) + " on SM " + number(block.multiprocessor));
}

void EventRecorder::end_block(const BlockPlace& block) {
    if (wanted_.blocks) add(block, "ends");
}

void EventRecorder::on_access(const Access& access) {
    std::string where;
    std::uint64_t base = 0;
    if (memory_ != nullptr && (access.space == Space::kGlobal || access.space == Space::kConstant)) {
        const auto allocation = memory_->find(access.first);
        ASSERT_TRUE(allocation) << "an access was announced that is not legal";
        base = allocation->base;
        where = "#" + number(allocation->id) + "+";
    }
    std::string text = std::string(name(access.kind)) + " " + name(access.space) + " " + number(access.width) + " " +
                       name(access.order, access.scope) + " at " + where +
                       list_of_lanes(access.mask, [&](unsigned lane) { return access.address(lane) - base; });
    if (access.sizes != nullptr)
        text += " bytes " + list_of_lanes(access.mask, [&](unsigned lane) { return access.bytes(lane); });
    add(*access.block, "w" + number(access.warp()) + " line " + number(program_->facts.at(access.op).text_line) + " " +
                           text + " by " + hex(access.mask));
}

void EventRecorder::on_barrier(const BarrierArrival& arrival) {
    constexpr const char* kKinds[] = {"sync", "arrive", "reduce"};
    add(arrival, std::string("barrier ") + number(arrival.barrier) + " " + kKinds[static_cast<unsigned>(arrival.kind)] +
                     " of " + number(arrival.expected) + (arrival.is_counted ? "" : " living"));
}

void EventRecorder::on_barrier_passed(const BarrierPassed& passed) {
    add(*passed.block, "barrier " + number(passed.barrier) + " passed by " + number(passed.arrived));
}

void EventRecorder::on_warp_barrier(const WarpBarrier& barrier) {
    add(barrier, "warp barrier " + name(barrier.order, barrier.scope) + " for " + hex(barrier.members));
}

void EventRecorder::on_fence(const Fence& fence) {
    constexpr const char* kKinds[] = {"fence ", "proxy fence ", "barrier fence "};
    add(fence, kKinds[static_cast<unsigned>(fence.kind)] + name(fence.order, fence.scope));
}

void EventRecorder::on_copy_group(const CopyGroup& group) {
    add(group, group.kind == CopyGroupKind::kCommit ? "copies committed"
               : group.kind == CopyGroupKind::kWait ? "copies waited for but " + number(group.pending)
                                                    : "copies all waited for");
}

void EventRecorder::on_barrier_object(const BarrierObjectUse& use) {
    constexpr const char* kKinds[] = {"init", "invalidate", "arrive", "expect", "bytes", "copies", "wait-passed"};
    std::string text = std::string("object ") + kKinds[static_cast<unsigned>(use.kind)] + " " +
                       name(use.order, use.scope) + " at " +
                       list_of_lanes(use.mask, [&](unsigned lane) { return use.addresses[lane]; });
    if (use.values != nullptr)
        text += " of " + list_of_lanes(use.mask, [&](unsigned lane) { return use.values[lane]; });
    if (use.drops) text += " dropping";
    if (use.expects_bytes) text += " expecting";
    if (use.completes != 0) text += " completing by " + hex(use.completes);
    add(use, text);
}

void EventRecorder::on_prefetch(const machine::Prefetch& prefetch) {
    constexpr const char* kEvictions[] = {"", " normal", " unchanged", " first", " last", " no-allocate"};
    const std::uint64_t from = prefetch.addresses[std::countr_zero(prefetch.mask)];
    add(prefetch, std::string("prefetch") + kEvictions[static_cast<unsigned>(prefetch.eviction)] + " at " +
                      list_of_lanes(prefetch.mask, [&](unsigned lane) { return prefetch.addresses[lane] - from; }));
}

std::unique_ptr<Observer> EventRecorder::make_shard(const Program& program) const {
    auto shard = std::make_unique<EventRecorder>(lines_, wanted_, memory_);
    shard->program_ = &program;
    return shard;
}

void EventRecorder::merge(const Observer&) { FAIL() << "it has one shard"; }

void RunRecorder::add(const std::string& text) const {
    if (wanted_.host) lines_.push_back(text);
}

// What the recorder itself was told of, so that this is tested, too.
std::string RunRecorder::place(std::uint64_t address) const {
    for (const Allocation& allocation : allocations_)
        if (allocation.contains(address, 1))
            return "#" + number(allocation.id) + "+" + number(address - allocation.base);
    return "host";
}

namespace {

std::string text_of(const Issue& issue) {
    return " on stream " + number(issue.stream) + (issue.is_async ? " async" : "") +
           (issue.graph != 0 ? " graph " + number(issue.graph) : "");
}

std::string text_of(const RowsExtent& extent) {
    std::string text = number(extent.width);
    if (extent.rows != 1 || extent.slices != 1) text += "x" + number(extent.rows) + "x" + number(extent.slices);
    return text;
}

}  // namespace

void RunRecorder::on_allocate(const AllocationEvent& event) {
    constexpr const char* kKinds[] = {"device", "pinned", "managed", "module", "constant", "registered", "heap"};
    allocations_.push_back(event.allocation);
    add(std::string("allocate #") + number(event.allocation.id) + " " +
        kKinds[static_cast<unsigned>(event.allocation.kind)] + " " + number(event.allocation.size) +
        text_of(event.issue));
}

void RunRecorder::on_release(const AllocationEvent& event) {
    std::erase_if(allocations_, [&](const Allocation& known) { return known.id == event.allocation.id; });
    add("release #" + number(event.allocation.id) + text_of(event.issue));
}

void RunRecorder::on_set(const SetEvent& event) {
    add("set " + place(event.target.address) + " to " + number(event.value) + " " + text_of(event.extent) + " pitch " +
        number(event.target.pitch) + text_of(event.issue));
}

void RunRecorder::on_copy(const CopyEvent& event) {
    constexpr const char* kKinds[] = {"HtoH", "HtoD", "DtoH", "DtoD", "by address"};
    std::string text = std::string("copy ") + kKinds[static_cast<unsigned>(event.kind)] + " " +
                       place(event.source.address) + " to " + place(event.target.address) + " " + text_of(event.extent);
    if (event.extent.rows > 1) text += " pitch " + number(event.source.pitch) + " to " + number(event.target.pitch);
    add(text + text_of(event.issue));
}

void RunRecorder::on_stream(const StreamEvent& event) {
    constexpr const char* kKinds[] = {"create",      "destroy",    "record",     "wait",
                                      "synchronize", "sync-event", "sync-device"};
    add(std::string("stream ") + number(event.stream) + " " + kKinds[static_cast<unsigned>(event.kind)] +
        (event.event != 0 ? " event" : "") + (event.is_blocking ? "" : " non-blocking") +
        (event.graph != 0 ? " graph " + number(event.graph) : ""));
}

void RunRecorder::on_graph_launch(const GraphLaunchEvent& event) {
    add("graph " + number(event.graph) + " on stream " + number(event.stream));
}

std::unique_ptr<Observer> RunRecorder::on_launch_begin(const LaunchEvent& event) {
    add("launch " + number(event.index) + " " + std::string(event.kernel) + " " + triple(event.grid) + " x " +
        triple(event.block) + " shared " + number(event.shared_bytes) + (event.is_cooperative ? " cooperative" : "") +
        text_of(event.issue));
    if (wanted_.spaces == 0 && wanted_.events == 0 && !wanted_.blocks) return nullptr;
    return std::make_unique<EventRecorder>(lines_, wanted_, event.memory);
}

void RunRecorder::on_launch_end(const LaunchEvent& event, const Observer* seen) {
    add("launch " + number(event.index) + " ends after " + number(event.blocks_run) + " blocks" +
        (event.has_faulted ? " with a fault" : "") + (seen != nullptr ? ", seen" : ""));
}

std::string joined(const Lines& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

}  // namespace tilescope::test
