// What lesson_file.cpp makes of a file of claims once it is JSON.
#pragma once

#include <string>

#include "scope/lessons/json_object.h"
#include "scope/lessons/lesson.h"

namespace tilescope::lessons {

// Errors have places ("claims[3].value"), and lines are for the caller to add.
Result<Lesson> lesson_of_claims(const Json& json, const std::string& file);

}  // namespace tilescope::lessons
