#include "scope/machine/worker.h"

namespace tilescope::machine {

void raise(const Warp& warp, const Op& op, FaultKind kind, std::string space, unsigned lane, std::string message) {
    Fault fault;
    fault.kind = kind;
    fault.message = std::move(message);
    fault.space = std::move(space);
    fault.op = op.index;
    fault.lane = warp.index * kWarpSize + lane;  // thread number within the block; Grid turns it into coordinates
    throw fault;
}

}  // namespace tilescope::machine
