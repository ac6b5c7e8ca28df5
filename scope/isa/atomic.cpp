// atom, red.
#include "scope/isa/binding.h"
#include "scope/isa/family_list.h"
#include "scope/isa/lane_functions.h"

namespace tilescope::isa::TILESCOPE_TARGET {

const Family& atomic_family() {
    static constexpr Family kFamily{"atomic", "atomics and reductions", nullptr, 0};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
