// bar, barrier, shfl, vote, match, redux, fences.
#include "scope/isa/binding.h"
#include "scope/isa/family_list.h"
#include "scope/isa/lane_functions.h"

namespace tilescope::isa::TILESCOPE_TARGET {

const Family& warp_sync_family() {
    static constexpr Family kFamily{"warp_sync", "barriers, shuffles and votes", nullptr, 0};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
