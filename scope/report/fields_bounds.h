// The fields of a launch's checks.
#pragma once

#include "scope/report/bounds_checks.h"
#include "scope/report/fields.h"

namespace tilescope::report {

template <class V>
void describe(V& v, Is<CheckedLine> auto& x) {
    v.field("file", x.file, "", "of the source, or the PTX's name where it has none");
    v.field("line", x.line, "", "of that file");
    v.field("kind", x.kind, "", "what becomes of accesses without it");
    v.field("accesses", x.accesses, "accesses", "places in the code that it keeps threads from");
    v.field("out", x.is_out, "", "the kernel ran without it", x.is_out);
}

template <class V>
void describe(V& v, Is<BoundsProfile> auto& x) {
    v.field("checks", x.checks, "", "conditions on an index that guard accesses, by file, then line");
    v.field("memory", x.memory, "", "a digest of what all memory of the device holds when the launch is over");
}

}  // namespace tilescope::report
