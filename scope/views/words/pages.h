// What the moves of managed memory amount to, and what to do about it.
#pragma once

#include <string>

#include "scope/report/profile.h"

namespace tilescope::views::words {

// Empty where nothing is wrong.
std::string pages_message(const PageReport& pages);

}  // namespace tilescope::views::words
