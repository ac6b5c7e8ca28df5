// A lesson's program on the GPU of this machine, measured beside modelled.
#pragma once

#include "scope/cli/lesson_session.h"

namespace tilescope::cli {

// The name of this machine's first GPU; "cli-no-gpu" where there is none, or no nvcc to build for it.
Result<std::string> find_gpu();

// Fills outcome.times, and outcome.gpu. The session has run. What goes wrong with one time stands beside it.
void measure_times(const LessonSession& session, const std::string& gpu, LessonOutcome& outcome);
// The same without a GPU: what is modelled, and what is known of an H200.
void list_times(const LessonSession& session, LessonOutcome& outcome);

}  // namespace tilescope::cli
