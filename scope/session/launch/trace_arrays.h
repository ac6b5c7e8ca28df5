// The arrays that a launch can touch, by the names of its source.
//
// Arguments are named as in the source text of the kernel when that can be read, else arg0, arg1, ...; a pointer is
// matched to the allocation it points into. Shared arrays have their own names in PTX; their shapes come from the
// source or the user. Guarantees: arguments first, in order, then variables of the module, then shared arrays in the
// order of the source, so that the order does not depend on the compiler.
#pragma once

#include <string>

#include "scope/base/result.h"
#include "scope/observers/trace_names.h"
#include "scope/session/launch/prepare.h"
#include "scope/session/trace_options.h"

namespace tilescope {

struct TraceArrays {
    observers::TraceNames names;
    Diagnostics warnings;
};

// Fails when a --shape names no array, or more elements than it has.
Result<TraceArrays> trace_arrays(const Prepared& launch, const machine::Program& program);

// The same arrays without any --shape. Dynamic shared arrays have no length.
TraceArrays named_arrays(const Prepared& launch);

}  // namespace tilescope
