// Stepper: sees every instruction of a run, around its execution.
//
// Guarantees: only programs made for it pay. make_steppable() puts a call in front of every op of a separate program;
// ordinary programs are unchanged. Called on the thread of the worker that runs the block, so a stepper that follows
// one block needs no lock. Does not model: branches, calls and barriers as instructions; copies of arguments and
// results between functions.
#pragma once

#include "scope/machine/program.h"
#include "scope/machine/warp.h"

namespace tilescope::machine {

struct Worker;

class Stepper {
public:
    virtual ~Stepper() = default;
    // Must call run(warp, op) once. warp.exec holds the lanes; behind a guard they are yet to be narrowed.
    virtual void step(Warp& warp, const Op& op, OpFn run) = 0;
    // A barrier of the worker's block was passed.
    virtual void on_barrier(const Worker& worker) = 0;
};

void make_steppable(Program& program);

}  // namespace tilescope::machine
