// The fields of a kernel's PTX.
#pragma once

#include "scope/report/fields.h"
#include "scope/report/kernel_code.h"

namespace tilescope::report {

template <class V>
void describe(V& v, Is<LineCode> auto& x) {
    v.field("file", x.file, "", "as the compiler recorded it");
    v.field("line", x.line, "", "of that file");
    v.field("instructions", x.instructions, "", "of PTX, in its order");
}

template <class V>
void describe(V& v, Is<KernelCode> auto& x) {
    v.field("entry", x.entry, "", "as in the PTX");
    v.field("lines", x.lines, "", "by file, then line");
    v.field("left_out", x.left_out, "instructions", "that are too many for a profile", x.left_out != 0);
    v.field("one_of_several", x.is_one_of_several, "",
            "true: other code of the run has a kernel of that name, too; this is the first", x.is_one_of_several);
}

}  // namespace tilescope::report
