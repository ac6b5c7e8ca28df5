#include "scope/isa/lower/guard.h"

#include <bit>

#include "scope/machine/worker.h"

namespace tilescope::isa {

void run_guarded(machine::Warp& warp, const machine::Op& op) {
    const std::uint32_t holds = warp.predicate(op.guard);
    const std::uint32_t lanes = warp.active & (op.guard_negated ? ~holds : holds);
    if (lanes == 0) return;
    warp.worker->guarded_lanes[op.site] += static_cast<unsigned>(std::popcount(lanes));
    warp.exec = lanes;
    op.guarded(warp, op);
    warp.exec = warp.active;
}

}  // namespace tilescope::isa
