// Address space at the same place in every run, if the host leaves it free.
//
// Guarantees: a program that prints, sorts or hashes its addresses does so alike in every run. If the range is in use,
// the memory is anywhere. Does not model: addresses of a device.
#pragma once

#include <cstdint>

namespace tilescope::machine {

// Where what kind of memory begins. Between what the host loads (0x55...) and what it maps (0x7f...).
inline constexpr std::uint64_t kDevicePlace = std::uint64_t{0x2000} << 32U;
inline constexpr std::uint64_t kManagedPlace = std::uint64_t{0x3000} << 32U;
inline constexpr std::uint64_t kPinnedPlace = std::uint64_t{0x3800} << 32U;

// mmap() of anonymous memory at the first free place from `next` on, in steps of what is asked for; MAP_FAILED when the
// host has no room at all. `next` moves behind what was taken there.
void* map_at(std::uint64_t& next, std::uint64_t bytes, int protection, int flags);

}  // namespace tilescope::machine
