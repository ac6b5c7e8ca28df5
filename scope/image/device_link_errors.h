// What the toolkit's device linker refuses, told with the places in the sources, which it does not know.
#pragma once

#include <string>

#include "scope/image/compile_steps.h"

namespace tilescope::image {

// said: the linker's own words. Empty where these are about something else.
Diagnostics explain_device_link(const CompileJob& job, const std::string& said);

}  // namespace tilescope::image
