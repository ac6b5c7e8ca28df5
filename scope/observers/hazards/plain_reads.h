// Races of plain reads whose value only decides: which of them published code lives with.
//
// A first guess of a compare-and-swap is silent beside atomics, for the swap checks it. Another read is a warning where
// its value reaches nothing but comparisons, what it met is an atomic, a volatile write or a store of the program's own
// value (constants and parameters), and the code that it decides about
// - reads no memory that the launch writes, save by reads of the same kind,
// - stores to the same memory nothing but such values, and then has no other effect when it runs twice.
// Does not model: which buffer a pointer that came out of memory points into; it counts as any.
#pragma once

#include "scope/machine/program.h"
#include "scope/observers/hazards/hazards.h"

namespace tilescope::observers {

// The list with such races taken out or made warnings.
HazardList judge_plain_reads(const HazardList& found, const machine::Program& program, const HazardContext& context);

}  // namespace tilescope::observers
