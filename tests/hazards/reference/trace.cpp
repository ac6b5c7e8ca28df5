#include "tests/hazards/reference/trace.h"

namespace tilescope::reference {

using machine::AccessKind;
using machine::kWarpSize;
using machine::Space;

namespace {

Kind kind_of(AccessKind kind) {
    switch (kind) {
        case AccessKind::kLoad: return Kind::kLoad;
        case AccessKind::kStore: return Kind::kStore;
        case AccessKind::kAsyncCopyRead: return Kind::kCopyRead;
        case AccessKind::kAsyncCopyWrite: return Kind::kCopyWrite;
        default: return Kind::kAtomic;
    }
}

}  // namespace

void TraceRecorder::add(const Event& event) {
    if (trace_.events.size() >= most_)
        trace_.is_whole = false;
    else
        trace_.events.push_back(event);
}

template <class Fill>
void TraceRecorder::add_lanes(const machine::WarpEvent& of, Fill fill) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        if (!(of.mask >> lane & 1)) continue;
        Event event;
        event.block = of.block->number;
        event.op = of.op;
        event.thread = of.thread + lane;
        fill(event, lane);
        add(event);
    }
}

std::uint32_t TraceRecorder::wants(const machine::Site&) const {
    return machine::bit_of(Space::kShared) | machine::bit_of(Space::kGlobal);
}

void TraceRecorder::on_access(const machine::Access& access) {
    bool is_first = true;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
        if (!(access.mask >> lane & 1) || access.bytes(lane) == 0) continue;
        Event event;
        event.kind = kind_of(access.kind);
        event.block = access.block->number;
        event.op = access.op;
        event.thread = access.thread + lane;
        event.is_first = is_first;
        is_first = false;
        event.space = access.space;
        event.address = access.address(lane);
        event.bytes = access.bytes(lane);
        event.order = access.order;
        event.scope = access.scope;
        add(event);
    }
}

void TraceRecorder::on_barrier(const machine::BarrierArrival& arrival) {
    add_lanes(arrival, [&](Event& event, unsigned) {
        event.kind = Kind::kArrive;
        event.count = arrival.barrier;
        event.waits = arrival.kind != machine::BarrierKind::kArrive;
        event.is_counted = arrival.is_counted;
    });
}

void TraceRecorder::on_barrier_passed(const machine::BarrierPassed& passed) {
    Event event;
    event.kind = Kind::kPassed;
    event.block = passed.block->number;
    event.count = passed.barrier;
    add(event);
}

void TraceRecorder::on_warp_barrier(const machine::WarpBarrier& barrier) {
    Event event;
    event.kind = Kind::kMeet;
    event.block = barrier.block->number;
    event.op = barrier.op;
    event.thread = barrier.thread;
    event.lanes = barrier.mask;
    add(event);
}

void TraceRecorder::on_fence(const machine::Fence& fence) {
    if (fence.kind != machine::FenceKind::kMemory) return;
    add_lanes(fence, [&](Event& event, unsigned) {
        event.kind = Kind::kFence;
        event.order = fence.order;
        event.scope = fence.scope;
    });
}

void TraceRecorder::on_copy_group(const machine::CopyGroup& group) {
    using machine::CopyGroupKind;
    add_lanes(group, [&](Event& event, unsigned) {
        event.kind = group.kind == CopyGroupKind::kCommit ? Kind::kCommit
                     : group.kind == CopyGroupKind::kWait ? Kind::kWait
                                                          : Kind::kWaitAll;
        event.count = group.pending;
    });
}

void TraceRecorder::on_barrier_object(const machine::BarrierObjectUse& use) {
    using machine::BarrierObjectKind;
    Kind kind = Kind::kObjectBegins;
    switch (use.kind) {
        case BarrierObjectKind::kInit:
        case BarrierObjectKind::kInvalidate: break;
        case BarrierObjectKind::kArrive: kind = Kind::kObjectArrive; break;
        case BarrierObjectKind::kCopiesArrive: kind = Kind::kObjectCopies; break;
        case BarrierObjectKind::kWaitPassed: kind = Kind::kObjectWaited; break;
        case BarrierObjectKind::kExpectBytes:
        case BarrierObjectKind::kBytesArrive: return;  // bulk copies, which there are none of
    }
    add_lanes(use, [&](Event& event, unsigned lane) {
        event.kind = kind;
        event.order = use.order;
        event.scope = use.scope;
        event.address = use.addresses[lane];
        event.completes = use.completes >> lane & 1;
    });
}

}  // namespace tilescope::reference
