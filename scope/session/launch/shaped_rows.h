// Shapes that the user gave (--shape), as rows of the buffers of a launch.
//
// Guarantees: a shape counts in each launch whose kernel has a buffer of that name with room for it; a kernel that has
// none is passed over, one whose buffer is too small with a warning. Does not model: shared arrays and parts of arrays.
#pragma once

#include <vector>

#include "scope/observers/hazards/hazards.h"
#include "scope/session/launch/prepare.h"

namespace tilescope {

std::vector<observers::ShapedRows> shaped_rows(const Prepared& launch, Recording& recording);

// Adds those that the kernel's indices say of buffers that no shape was given for.
void add_derived_rows(const Prepared& launch, observers::HazardContext& context);

// Warns of shapes that no launch had a buffer for.
void note_unused_shapes(const SessionOptions& options, Recording& recording);

}  // namespace tilescope
