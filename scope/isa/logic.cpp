// and, or, xor, not, cnot, lop3, shl, shr, shf, bfe, bfi, prmt, ...
#include "scope/isa/binding.h"
#include "scope/isa/family_list.h"
#include "scope/isa/lane_functions.h"

namespace tilescope::isa::TILESCOPE_TARGET {

const Family& logic_family() {
    static constexpr Family kFamily{"logic", "bitwise logic and shifts", nullptr, 0};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
