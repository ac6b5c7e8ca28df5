// What tells one release of NVRTC and nvJitLink from another. The library is built once for each:
// TILESCOPE_NVRTC_RELEASE is CUDA's release.
//
// The architectures are those that each release's documentation names; of 13.0 the library itself was asked.
#pragma once

#include <array>

namespace tilescope::runtime::nvrtc {

#if TILESCOPE_NVRTC_RELEASE == 11
inline constexpr int kMajor = 11, kMinor = 8;
inline constexpr std::array kArchitectures = {35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};
inline constexpr unsigned kDefaultSm = 52;
#elif TILESCOPE_NVRTC_RELEASE == 12
inline constexpr int kMajor = 12, kMinor = 8;
inline constexpr std::array kArchitectures = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 120};
inline constexpr unsigned kDefaultSm = 52;
#else
inline constexpr int kMajor = 13, kMinor = 0;
inline constexpr std::array kArchitectures = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
inline constexpr unsigned kDefaultSm = 75;
#endif

}  // namespace tilescope::runtime::nvrtc
