// The fields of a launch's energy.
#pragma once

#include "scope/report/fields.h"
#include "scope/report/profile.h"

namespace tilescope::report {

template <class V>
void describe(V& v, Is<EnergyPart> auto& x) {
    v.field("level", x.level, "", "of memory; each byte is of the farthest that it comes from");
    v.field("bytes", x.bytes, "bytes", "that threads get from there or leave there");
    v.field("picojoules_per_byte", x.picojoules_per_byte, "pJ/byte",
            "of the device's description; absent where it has none");
    v.field("microjoules", x.microjoules, "uJ", "of these bytes", x.picojoules_per_byte.has_value());
    v.field("share", x.share, "share", "of what is known", x.picojoules_per_byte.has_value());
}

template <class V>
void describe(V& v, Is<EnergyProfile> auto& x) {
    v.field("microjoules", x.microjoules, "uJ", "of the levels whose cost is known");
    v.field("levels", x.parts, "", "those with bytes");
}

}  // namespace tilescope::report
