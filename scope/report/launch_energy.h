// What moving a launch's bytes costs: energy by level of memory, as a profile has it.
//
// Owns: EnergyPart, EnergyProfile. Guarantees: values only. Does not model: how much a byte costs (models/energy.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scope/report/enums.h"

namespace tilescope {

// Where a byte comes from, or goes to: each is of one level, the farthest that it needs.
enum class EnergyLevel : std::uint8_t { kRegisters, kShared, kL1, kL2, kDram };

struct EnergyPart {
    EnergyLevel level = EnergyLevel::kRegisters;
    std::uint64_t bytes = 0;
    std::optional<double> picojoules_per_byte;  // of the device's description; nothing where it has none
    double microjoules = 0, share = 0;          // of what is known
    bool operator==(const EnergyPart&) const = default;
};

struct EnergyProfile {
    double microjoules = 0;  // of the levels whose cost is known
    std::vector<EnergyPart> parts;
    bool operator==(const EnergyProfile&) const = default;
};

}  // namespace tilescope

namespace tilescope::report {

template <>
inline constexpr NameTable<EnergyLevel, 5> kNames<EnergyLevel> = {{{EnergyLevel::kRegisters, "registers"},
                                                                   {EnergyLevel::kShared, "shared"},
                                                                   {EnergyLevel::kL1, "l1"},
                                                                   {EnergyLevel::kL2, "l2"},
                                                                   {EnergyLevel::kDram, "dram"}}};

}  // namespace tilescope::report
