// __nv_* functions, which a compiler without its own copy leaves as calls.
#include "scope/isa/binding.h"
#include "scope/isa/family_list.h"
#include "scope/isa/lane_functions.h"

namespace tilescope::isa::TILESCOPE_TARGET {

const Family& device_library_family() {
    static constexpr Family kFamily{"device_library", "the device library's functions", nullptr, 0};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
