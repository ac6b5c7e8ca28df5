// Checks of an index in one launch: which there are, which were left out, and what memory holds without them.
//
// Guarantees: a name of a check that no kernel had is warned of. Does not model: what a check says, or whether it is
// needed (cli/boundaries.cpp compares).
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "scope/report/profile.h"
#include "scope/session/launch/prepare.h"

namespace tilescope {

// Whether programs have to be lowered with their checks listed.
bool looks_at_checks(const SessionOptions& options);
// By file and line of the source, whether kernels run without the check there.
std::function<bool(std::string_view, std::uint32_t)> checks_left_out(const SessionOptions& options);

// After the launch has ended.
void tell_checks(const Prepared& launch, Recording& recording, LaunchProfile& profile);

// Warns of checks that were to be left out and that no launch's kernel had.
void note_unused_checks(const SessionOptions& options, Recording& recording);

}  // namespace tilescope
