// The special registers (%tid, %ctaid, ...): by name, where the machine keeps their value.
#pragma once

#include <optional>
#include <string_view>

#include "scope/machine/program.h"

namespace tilescope::isa {

enum class SpecialRegisterKind : std::uint8_t {
    kWarp,
    kLaunch,
    kDynamic
};  // dynamic: an internal instruction reads it

struct SpecialRegister {
    SpecialRegisterKind kind = SpecialRegisterKind::kWarp;
    machine::Special warp = machine::Special::kTidX;
    machine::LaunchValue launch = machine::LaunchValue::kZero;
    std::string_view instruction;  // dynamic: its opcode
    std::uint8_t bytes = 4;
};

// name with its percent sign, component "x", "y", "z" or "".
std::optional<SpecialRegister> special_register(std::string_view name, std::string_view component);

}  // namespace tilescope::isa
