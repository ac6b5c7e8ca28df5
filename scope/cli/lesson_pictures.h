// The pictures and outputs that a lesson's page refers to.
#pragma once

#include <filesystem>

#include "scope/cli/lesson_session.h"

namespace tilescope::cli {

// Writes folder/pictures/NAME.svg for each picture, folder/outputs/claims.txt, and folder/outputs/RUN.txt for what each
// run has to say. The session has run.
Status draw_pictures(const LessonSession& session, const LessonOutcome& outcome, const std::filesystem::path& folder);

}  // namespace tilescope::cli
