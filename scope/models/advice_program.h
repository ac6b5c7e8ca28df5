// Advice about a program rather than one launch: what its copies and the way it launches cost.
//
// Owns: advise_program(). Guarantees: a pure function of the finished time line and the device's link to its host; what
// is saved is of the time line's microseconds. Nothing where no time line was drawn. Does not model: whether launches
// need each other's results; other programs on the link.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "scope/models/device.h"
#include "scope/report/profile.h"

namespace tilescope::models {

struct ProgramRule {
    AdviceKind kind;
    std::string_view looks;  // what it looks for
};
std::span<const ProgramRule> program_rules();

// The most rewarding first.
std::vector<Advice> advise_program(const Profile& profile, const Device& device);

}  // namespace tilescope::models
