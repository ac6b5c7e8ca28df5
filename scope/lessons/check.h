// Holds a lesson's claims against what its runs answered.
#pragma once

#include "scope/lessons/answers.h"
#include "scope/lessons/lesson.h"
#include "scope/report/lesson_outcome.h"

namespace tilescope::lessons {

// Every claim and exercise gets a verdict. A run that ended otherwise than its lesson says, or gave no answer, makes
// the claims about it unknown; `problems` says why, by the name of the run.
LessonOutcome check(const Answers& answers, const std::map<std::string, std::string>& problems);

// As the table shows it: "0.25 FLOP/B", "dram", "true".
std::string shown(const report::Value& value, const std::string& unit);

}  // namespace tilescope::lessons
