// add, sub, mul, fma, div, sqrt, rcp of f32 with every rounding.
#include "scope/isa/binding.h"
#include "scope/isa/family_list.h"
#include "scope/isa/lane_functions.h"

namespace tilescope::isa::TILESCOPE_TARGET {

const Family& float32_family() {
    static constexpr Family kFamily{"float32", "single-precision arithmetic", nullptr, 0};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
