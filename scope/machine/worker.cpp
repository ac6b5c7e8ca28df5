#include "scope/machine/worker.h"

namespace tilescope::machine {

void fill(WarpEvent& event, const Warp& warp, const Op& op) {
    event.block = &warp.worker->block;
    event.clock = &warp.clock;
    event.op = op.index;
    event.thread = warp.index * kWarpSize;
    event.mask = warp.exec;
}

Fault fault_of(const Warp& warp, const Op& op, FaultKind kind, std::string space, unsigned lane, std::string message) {
    Fault fault;
    fault.kind = fault.on_card = kind;
    fault.message = std::move(message);
    fault.space = std::move(space);
    fault.op = op.index;
    fault.lane = warp.index * kWarpSize + lane;  // thread number within the block; Grid turns it into coordinates
    return fault;
}

void raise(const Warp& warp, const Op& op, FaultKind kind, std::string space, unsigned lane, std::string message) {
    throw fault_of(warp, op, kind, std::move(space), lane, std::move(message));
}

}  // namespace tilescope::machine
