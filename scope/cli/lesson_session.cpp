#include "scope/cli/lesson_session.h"

#include <algorithm>
#include <chrono>
#include <sstream>

#include "scope/base/files.h"
#include "scope/lessons/check.h"
#include "scope/lessons/commands.h"

namespace tilescope::cli {
namespace {

using lessons::Run;

// Long enough for a slow machine; a kernel that hangs must not hang the lesson.
constexpr const char* kTimeLimit = "120";

// The first error that the run told of, without our name in front.
std::string first_error(const std::string& text) {
    std::istringstream lines(text);
    std::string line, last;
    while (std::getline(lines, line)) {
        if (line.find("error: ") != std::string::npos) return line;
        if (!line.empty()) last = line;
    }
    return last;
}

std::vector<std::string> source_lines(const std::filesystem::path& file) {
    std::istringstream text(read_whole_file(file).value_or(std::string()));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    return lines;
}

}  // namespace

Result<image::ProcessOutput> run_ourselves(std::vector<std::string> words) {
    words.insert(words.begin(), "/proc/self/exe");
    return image::run_process(words);
}

LessonSession::LessonSession(lessons::Lesson lesson, LessonSettings settings, image::TemporaryFolder folder)
    : lesson_(std::make_unique<lessons::Lesson>(std::move(lesson))),
      settings_(std::move(settings)),
      folder_(std::move(folder)) {
    answers_.lesson = lesson_.get();
    answers_.source = source_lines(lesson_->program());
    for (const Run& run : lesson_->runs)
        if (const auto program = lesson_->program(run); !run.program.empty())
            answers_.sources.try_emplace(program.string(), source_lines(program));
}

Result<LessonSession> LessonSession::create(lessons::Lesson lesson, LessonSettings settings) {
    auto folder = image::TemporaryFolder::create();
    if (!folder) return folder.errors();
    return LessonSession(std::move(lesson), std::move(settings), std::move(*folder));
}

std::vector<std::string> LessonSession::words(const Run& run) const {
    std::vector<std::string> words =
        lessons::as_run(*lesson_, run, {settings_.compiler, settings_.jobs, folder_.path()});
    if (lessons::makes_profile(run) && std::find(words.begin(), words.end(), "--time-limit") == words.end())
        words.insert(words.begin() + 1, {"--time-limit", kTimeLimit});
    return words;
}

void LessonSession::take_answer(const Run& run, const image::ProcessOutput& ended) {
    const std::string key = lessons::answer_file(*lesson_, run, {{}, 0, folder_.path()}).string();
    std::string& failed = failed_[key];
    if (ended.status != run.status) {
        failed = "ended with status " + std::to_string(ended.status) + ", not " + std::to_string(run.status);
        if (const std::string why = first_error(ended.errors); !why.empty()) failed += ": " + why;
        return;
    }
    const std::string json =
        lessons::answers_on_standard_output(run) ? ended.output : read_whole_file(key).value_or(std::string());
    auto answer = lessons::make_answer(run, ended.status, ended.output, json);
    if (!answer) {
        failed = "cannot be read: " + answer.errors().front().message;
        return;
    }
    given_[key] = std::make_unique<lessons::Answer>(std::move(*answer));
}

void LessonSession::run_one(const Run& run) {
    const std::string key = lessons::answer_file(*lesson_, run, {{}, 0, folder_.path()}).string();
    if (given_.find(key) == given_.end() && failed_.find(key) == failed_.end()) {
        const std::string line = lessons::shell_line(lessons::typed(*lesson_, run));
        if (settings_.progress) settings_.progress(commands_.size() + 1, lesson_->runs.size(), line);
        const auto begin = std::chrono::steady_clock::now();
        const auto ended = run_ourselves(words(run));
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        if (ended)
            take_answer(run, *ended);
        else
            failed_[key] = "cannot be started: " + ended.errors().front().message;
        commands_.push_back({run.name, "tilescope " + line, ended ? ended->status : -1, seconds.count()});
    }
    const auto answer = given_.find(key);
    if (answer != given_.end())
        answers_.of[run.name] = answer->second.get();
    else
        problems_[run.name] = failed_[key];
}

LessonOutcome LessonSession::run() {
    const auto begin = std::chrono::steady_clock::now();
    // Those first whose profiles others look into.
    for (const bool first : {true, false})
        for (const Run& run : lesson_->runs)
            if (lessons::profiles_needed(run).empty() == first) run_one(run);
    LessonOutcome outcome = lessons::check(answers_, problems_);
    outcome.commands = commands_;
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return outcome;
}

}  // namespace tilescope::cli
