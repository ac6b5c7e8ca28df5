#include "scope/machine/stepper.h"

#include "scope/machine/worker.h"

namespace tilescope::machine {
namespace {

void stepped(Warp& warp, const Op& op) {
    const OpFn run = warp.worker->program->plain[op.index];
    if (Stepper* stepper = warp.worker->stepper)
        stepper->step(warp, op, run);
    else
        run(warp, op);
}

}  // namespace

void make_steppable(Program& program) {
    program.plain.reserve(program.ops.size());
    for (Op& op : program.ops) {
        program.plain.push_back(op.fn);
        if (op.fn) op.fn = &stepped;
    }
}

}  // namespace tilescope::machine
