// Which bytes are asked for how often, in words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scope/report/profile.h"

namespace tilescope::views {

// As the source calls it; "arg0" for a kernel's first parameter, where no source was found; "a buffer".
std::string name_of_buffer(const std::string& name, std::optional<std::uint32_t> parameter);

// "each byte 16 times", or of buffers that differ "each byte of x 256 times, and of y 16 times and others".
std::string asked_text(double times, const std::vector<AskedBuffer>& buffers, std::uint64_t more_buffers);

// The same of a launch: of those buffers that several threads of a block ask for at least `from` times.
std::string asked_text(const LaunchProfile& launch, double from);

}  // namespace tilescope::views
