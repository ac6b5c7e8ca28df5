#include "scope/observers/hazards/hazards.h"

namespace tilescope::observers {

const std::vector<HazardRow>& hazard_observers() {
    static const std::vector<HazardRow> kRows = {};
    return kRows;
}

}  // namespace tilescope::observers
