// What a hazard says of itself, and what to do about it.
//
// `hazard` has facts: a case for its message, a remedy for its hint. Else they are empty.
#pragma once

#include <string>

#include "scope/report/profile.h"

namespace tilescope::views::words {

std::string hazard_message(const Hazard& hazard);
std::string hazard_hint(const Hazard& hazard);

}  // namespace tilescope::views::words
