// Tracing one block of a launch, around the run of its grid.
#pragma once

#include <memory>

#include "scope/observers/trace_record.h"
#include "scope/session/launch/prepare.h"
#include "scope/session/launch/trace_arrays.h"

namespace tilescope {

class LaunchTrace {
public:
    // Nothing when this launch is not the one to trace, or cannot be: the profile's diagnostics then say why.
    static std::unique_ptr<LaunchTrace> begin(const Prepared& launch, Recording& recording);

    // The launch's program made steppable; its ops are those of the ordinary one, in the same order.
    const machine::Program& program() const { return *program_; }
    machine::Stepper* stepper() { return recorder_.get(); }
    // Puts the table into the profile.
    void finish(const Prepared& launch, Recording& recording);

private:
    LaunchTrace() = default;
    std::unique_ptr<machine::Program> program_;
    std::unique_ptr<observers::TraceRecorder> recorder_;
    TraceArrays arrays_;
};

}  // namespace tilescope
