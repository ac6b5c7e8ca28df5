// The part of the text report that speaks of copies and of the time line.
#pragma once

#include <string>

#include "scope/views/view.h"

namespace tilescope::views {

// Nothing for a program that copies nothing; else lines that end with a line feed, behind an empty one.
std::string work_text(const Profile& profile, const ViewOptions& options);

}  // namespace tilescope::views
