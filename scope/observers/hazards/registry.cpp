#include "scope/observers/hazards/hazards.h"

namespace tilescope::observers {

const std::vector<HazardRow>& hazard_observers() {
    static const std::vector<HazardRow> kRows = {
        {Check::kMemory, "extents", "which accesses leave their shared variable?", &make_extents},
        {Check::kRaces, "races", "which accesses does nothing order?", &make_races},
        {Check::kBarriers, "barriers", "do all threads of a block come to its barriers?", &make_block_barriers},
    };
    return kRows;
}

}  // namespace tilescope::observers
