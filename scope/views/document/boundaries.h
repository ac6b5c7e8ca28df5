// What `tilescope boundaries` found, as a document.
#pragma once

#include "scope/report/boundaries.h"
#include "scope/views/document/document.h"

namespace tilescope::views {

// `in_full`: hazards in their own words, too.
Document boundaries_document(const Boundaries& boundaries, bool in_full);

}  // namespace tilescope::views
