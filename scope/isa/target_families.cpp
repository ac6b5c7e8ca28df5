// One target's list of families. Compiled once per target, like the families themselves.
#include <iterator>

#include "scope/isa/table/family_list.h"

#define TILESCOPE_JOIN2(a, b) a##b
#define TILESCOPE_JOIN(a, b) TILESCOPE_JOIN2(a, b)

namespace tilescope::isa {

// Fills `out` with the families of this target and returns how many there are; out may be nullptr to ask for the
// number.
std::size_t TILESCOPE_JOIN(list_families_, TILESCOPE_TARGET)(const Family** out) {
    const Family* const all[] = {
#define TILESCOPE_LIST_FAMILY(name) &TILESCOPE_TARGET::name##_family(),
        TILESCOPE_FAMILIES(TILESCOPE_LIST_FAMILY)
#undef TILESCOPE_LIST_FAMILY
    };
    if (out)
        for (std::size_t i = 0; i < std::size(all); ++i) out[i] = all[i];
    return std::size(all);
}

}  // namespace tilescope::isa
