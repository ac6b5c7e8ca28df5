// All kernels of the library. Owns the list and its order: ladder rungs in ladder order, FMA before tensor cores. Rows
// are const and static, each beside its launch. Does not choose between them.
#pragma once

#include "tiles/src/kernel.h"

namespace tiles {

struct KernelList {
    const Kernel* const* rows;
    int count;
};
KernelList all_kernels();

// nullptr when none has this name.
const Kernel* find_kernel(const char* name);

}  // namespace tiles
