// The version that --version and profiles show; CMake defines it from the project's.
#pragma once

namespace tilescope::cli {

inline constexpr const char* kVersion = TILESCOPE_VERSION;

}  // namespace tilescope::cli
