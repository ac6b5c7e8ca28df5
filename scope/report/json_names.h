// How the enumerations of a profile are spelled in JSON.
#pragma once

#include <optional>
#include <string_view>

#include "scope/report/profile.h"

namespace tilescope::report {

std::string_view name_of(RegistersFrom from);
std::string_view name_of(Outcome outcome);
std::string_view name_of(Severity severity);

// Back again; nothing when unknown.
std::optional<RegistersFrom> registers_from_by_name(std::string_view name);
std::optional<Outcome> outcome_by_name(std::string_view name);
std::optional<Severity> severity_by_name(std::string_view name);

}  // namespace tilescope::report
