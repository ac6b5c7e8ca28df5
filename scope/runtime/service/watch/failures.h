// What is kept of a call that fails: for the profile, and as a hazard where --check memory has a name for it.
#pragma once

#include "scope/runtime/service/runtime.h"

namespace tilescope::runtime {

// As the face calls it.
struct FailureWords {
    const char* call = nullptr;
    const char* error = nullptr;  // the name of its code
    const char* text = nullptr;   // and what that means
};
// The call under way on this thread fails. If there is no memory for a note of it, there is none.
void note_failure(Status status, bool is_launch, const FailureWords& words) noexcept;

// Tells what the calls so far have shown.
void tell_call_hazards() noexcept;

}  // namespace tilescope::runtime
