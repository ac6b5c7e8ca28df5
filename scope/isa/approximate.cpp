// sin, cos, ex2, lg2, tanh, rcp, sqrt, rsqrt, div in their .approx forms.
#include "scope/isa/binding.h"
#include "scope/isa/family_list.h"
#include "scope/isa/lane_functions.h"

namespace tilescope::isa::TILESCOPE_TARGET {

const Family& approximate_family() {
    static constexpr Family kFamily{"approximate", "approximate functions", nullptr, 0};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
