// f16, f16x2, bf16 and bf16x2 arithmetic.
#include "scope/isa/binding.h"
#include "scope/isa/family_list.h"
#include "scope/isa/lane_functions.h"

namespace tilescope::isa::TILESCOPE_TARGET {

const Family& half_family() {
    static constexpr Family kFamily{"half", "half-precision arithmetic", nullptr, 0};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
