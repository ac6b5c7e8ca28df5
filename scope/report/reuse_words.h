// Which bytes are asked for how often, in words.
#pragma once

#include <string>

#include "scope/report/profile.h"

namespace tilescope::report {

// As the source calls it; "arg0" for a kernel's first parameter, where no source was found; "a buffer".
std::string name_of(const BufferReuse& buffer);

// Whether all of the launch's buffers are asked for about as often, so that none needs to be named.
bool are_asked_alike(const LaunchProfile& launch, double from);

// "each byte 16 times", or where buffers differ "each byte of x 256 times": those that several threads of a block ask
// for at least `from` times.
std::string asked_text(const LaunchProfile& launch, double from);

}  // namespace tilescope::report
