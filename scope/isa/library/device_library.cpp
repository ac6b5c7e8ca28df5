// __nv_* functions, which a compiler without its own copy leaves as calls: the same on every instruction set.
#include "scope/isa/library/device_functions.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {

const Family& device_library_family() { return device_functions(); }

}  // namespace tilescope::isa::TILESCOPE_TARGET
