// Advice in words.
//
// Guarantees: one sentence on what is seen, one on how to do better, from the facts of the advice alone; the same facts
// give the same words. Does not model: when a rule speaks (models/advice.h).
#pragma once

#include <string>

#include "scope/report/profile.h"

namespace tilescope::views {

// `device`: the name of the one that was modelled. Empty where the advice has no facts.
std::string advice_message(const Advice& advice, const std::string& device);

// Fills in the messages of a launch's advice that has none yet.
void speak_advice(LaunchProfile& launch, const std::string& device);

}  // namespace tilescope::views
