// What launches that run at the same time take from each other.
//
// Owns: Shares and paces(). Guarantees: a launch alone keeps its pace; together no more is taken of anything than there
// is; who wants little of what is short gets it. Does not model: whose instructions or requests go first, caches that
// several launches fill, nor which blocks stand on which SM: those of a small grid are taken to have SMs of their own.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "scope/report/profile.h"

namespace tilescope::models {

enum class Shared : std::uint8_t { kSchedulers, kFirstLevels, kSecondLevel, kDeviceMemory };
inline constexpr unsigned kShared = static_cast<unsigned>(Shared::kDeviceMemory) + 1;
// Of each, what share of the whole device's a launch takes while it runs alone.
using Shares = std::array<double, kShared>;

// By what its time goes into. `spread`: share of the SMs that have a block of it.
Shares shares_of(const TimeProfile& time, double spread);

// How fast each goes on while all of them run, 1 being its pace alone: what is short is shared out evenly among those
// who want more of it than that.
std::vector<double> paces(const std::vector<Shares>& running);

}  // namespace tilescope::models
