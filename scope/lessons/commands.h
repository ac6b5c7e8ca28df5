// Which commands of tilescope a lesson's runs stand for.
//
// Owns: the words of a run. Guarantees: pure functions; `typed` is what a person would type to see the same.
// Does not model: running them.
#pragma once

#include <string>
#include <vector>

#include "scope/lessons/lesson.h"

namespace tilescope::lessons {

// What `tilescope lesson` adds to every run.
struct Housekeeping {
    std::string compiler;          // "": the command's own choice
    unsigned jobs = 0;             // 0: the command's own choice
    std::filesystem::path folder;  // where answers and profiles are written
};

// "run lessons/01_intensity/intensity.cu -- naive".
std::vector<std::string> typed(const Lesson& lesson, const Run& run);
// The same with the options that bring the answer to answer_file(), and names of profiles as they are in the folder.
std::vector<std::string> as_run(const Lesson& lesson, const Run& run, const Housekeeping& house);
std::filesystem::path answer_file(const Lesson& lesson, const Run& run, const Housekeeping& house);
// The same for a person to read, with no answer written.
std::vector<std::string> as_read(const Lesson& lesson, const Run& run, const Housekeeping& house);
// Whether the command prints its JSON instead of writing it.
bool answers_on_standard_output(const Run& run);
// Whether what it answers is a profile.
bool makes_profile(const Run& run);
// The runs whose profiles its words name.
std::vector<std::string> profiles_needed(const Run& run);
// Words as a shell takes them.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace tilescope::lessons
