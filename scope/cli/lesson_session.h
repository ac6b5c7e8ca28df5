// A lesson's runs, each a tilescope of its own, and what came of its claims.
//
// Owns: LessonSession. Guarantees: runs with the same words run once; a run that fails leaves the others going, and
// says why in the outcome. Does not model: what claims mean (scope/lessons).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scope/image/process.h"
#include "scope/lessons/answers.h"
#include "scope/lessons/lesson.h"
#include "scope/report/lesson_outcome.h"

namespace tilescope::cli {

struct LessonSettings {
    std::string compiler;  // "": the commands' own choice
    unsigned jobs = 0;     // of each run; 0: as many as there are cores
    // Told before each run: its number from 1, how many there are, and its words.
    std::function<void(std::size_t, std::size_t, const std::string&)> progress;
};

class LessonSession {
public:
    static Result<LessonSession> create(lessons::Lesson lesson, LessonSettings settings);

    // Runs all that the claims need and checks them.
    LessonOutcome run();

    // For what follows, with the answers in `folder`.
    const lessons::Lesson& lesson() const { return *lesson_; }
    const lessons::Answers& answers() const { return answers_; }
    const std::string& compiler() const { return settings_.compiler; }
    const std::filesystem::path& folder() const { return folder_.path(); }
    // The words of a run as they were run, but the program's name.
    std::vector<std::string> words(const lessons::Run& run) const;

private:
    LessonSession(lessons::Lesson lesson, LessonSettings settings, image::TemporaryFolder folder);
    void run_one(const lessons::Run& run);
    void take_answer(const lessons::Run& run, const image::ProcessOutput& ended);

    std::unique_ptr<lessons::Lesson> lesson_;  // answers_ points to it
    LessonSettings settings_;
    image::TemporaryFolder folder_;
    std::map<std::string, std::unique_ptr<lessons::Answer>> given_;  // by answer file
    std::map<std::string, std::string> failed_;                      // the same: why there is none
    lessons::Answers answers_;
    std::map<std::string, std::string> problems_;  // by the name of the run
    std::vector<LessonCommand> commands_;
};

// tilescope itself, as a run of a lesson: its words without the program's name.
Result<image::ProcessOutput> run_ourselves(std::vector<std::string> words);

}  // namespace tilescope::cli
