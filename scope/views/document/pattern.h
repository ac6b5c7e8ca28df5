// What `tilescope pattern` says, as a document.
#pragma once

#include "scope/report/pattern.h"
#include "scope/views/document/document.h"

namespace tilescope::views {

Document pattern_document(const Pattern& pattern);

}  // namespace tilescope::views
