// setp, set, selp, slct, testp.
#include "scope/isa/binding.h"
#include "scope/isa/family_list.h"
#include "scope/isa/lane_functions.h"

namespace tilescope::isa::TILESCOPE_TARGET {

const Family& compare_family() {
    static constexpr Family kFamily{"compare", "comparison and selection", nullptr, 0};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
