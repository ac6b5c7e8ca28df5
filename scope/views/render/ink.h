// Colours of a terminal.
#pragma once

#include <string>

#include "scope/views/view.h"

namespace tilescope::views {

using namespace report;  // what is printed

enum class Ink : unsigned char { kPlain, kBold, kDim, kGood, kBad };
std::string ink(const ViewOptions& options, Ink ink, const std::string& text);

}  // namespace tilescope::views
