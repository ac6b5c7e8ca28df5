// What came of lessons, as text for people and as JSON for programs.
#pragma once

#include <string>
#include <vector>

#include "scope/report/lesson_outcome.h"
#include "scope/views/view.h"

namespace tilescope::views {

using namespace report;  // what is printed

struct LessonOptions {
    ViewOptions view;
    bool answers = false;  // show exercises with their answers
};

// The table of claims and the lines worth remembering; with view.verbose the commands, too.
std::string lesson_text(const LessonOutcome& outcome, const LessonOptions& options);
// One line for each lesson, and below them the claims that failed.
std::string lessons_text(const std::vector<LessonOutcome>& outcomes, const LessonOptions& options);
// What lessons there are.
std::string lesson_list_text(const std::vector<LessonOutcome>& lessons, const ViewOptions& options);
std::string lessons_json(const std::vector<LessonOutcome>& outcomes);

}  // namespace tilescope::views
