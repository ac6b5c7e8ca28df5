#include "scope/observers/hazards/hazards.h"

namespace tilescope::observers {

const std::vector<HazardRow>& hazard_observers() {
    static const std::vector<HazardRow> kRows = {
        {Check::kMemory, "extents", "which accesses leave their shared variable?", &make_extents},
        {Check::kMemory, "rows", "which accesses leave their row of a buffer?", &make_row_extents},
        {Check::kMemory, "sizes", "which indices does only this size keep in bounds?", &make_lucky_indices},
        {Check::kRaces, "races", "which accesses does nothing order?", &make_races},
        {Check::kRaces, "products", "is what wgmma multiplies there, and left alone until it ends?", &make_products},
        {Check::kBarriers, "barriers", "do all threads of a block come to its barriers?", &make_block_barriers},
        {Check::kBarriers, "conditions", "which barriers do all come to by this size alone?", &make_lucky_barriers},
        {Check::kInit, "fields", "which members of structures do few threads leave out?", &make_skipped_fields},
        {Check::kInit, "init", "which uses are of values that nobody wrote?", &make_undefined_uses},
    };
    return kRows;
}

}  // namespace tilescope::observers
