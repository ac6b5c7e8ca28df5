// A comparison as a document: what is slower and what binds it, then kernel by kernel what changed.
#pragma once

#include "scope/report/comparison.h"
#include "scope/views/document/document.h"

namespace tilescope::views {

// Figures that are equal are shown in full only; pairs of launches that show the same have one section.
Document document_of(const report::Comparison& comparison);

}  // namespace tilescope::views
