// What runs answered, and what the names in an expression stand for in it.
//
// Owns: Answer, Answers and the meaning of references. Guarantees: a name that stands for nothing is an error that says
// so, never a zero; pure functions of the answers. Does not model: running anything.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "scope/lessons/lesson.h"
#include "scope/report/profile.h"

namespace tilescope::lessons {

// What one run left.
struct Answer {
    int status = 0;
    std::string output;  // of the program
    nlohmann::json document;
    std::optional<Profile> profile;  // of a run, a trace or a launch
};

// Takes in what a run wrote; "lessons-answer" where that is no JSON.
Result<Answer> make_answer(const Run& run, int status, std::string output, const std::string& json);

struct Answers {
    const Lesson* lesson = nullptr;
    std::vector<std::string> source;  // lines of the lesson's program
    // Of programs that runs name themselves, by Lesson::program(run).
    std::map<std::string, std::vector<std::string>> sources{};
    std::map<std::string, const Answer*> of;  // by the name of the run
};

// Whose values the names of an expression are.
struct Subject {
    std::string run, kernel;
    unsigned launch = 0;
};
Subject subject_of(const Lesson& lesson, const std::string& run, const std::string& kernel = {},
                   std::optional<unsigned> launch = std::nullopt);

// The launch that a subject is about, as a place in its profile's list.
Result<std::size_t> chosen_launch(const Answer& answer, const Subject& subject);

struct Found {
    report::Value value;
    std::string origin;  // "modelled" or "estimated" where a part of it is no count
};
Result<Found> evaluate(const report::Expression& expression, const Answers& answers, const Subject& subject);

// Numbers of the lines of the source that contain the text, from 1.
std::vector<std::uint32_t> lines_with(const std::vector<std::string>& source, const std::string& text);

}  // namespace tilescope::lessons
