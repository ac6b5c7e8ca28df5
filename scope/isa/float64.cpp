// add, sub, mul, fma, div, sqrt, rcp of f64 with every rounding.
#include "scope/isa/binding.h"
#include "scope/isa/family_list.h"
#include "scope/isa/lane_functions.h"

namespace tilescope::isa::TILESCOPE_TARGET {

const Family& float64_family() {
    static constexpr Family kFamily{"float64", "double-precision arithmetic", nullptr, 0};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
