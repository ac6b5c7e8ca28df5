// `tilescope lesson`: lists the lessons, or runs them and checks their claims.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <iostream>
#include <memory>
#include <mutex>
#include <thread>

#include "scope/cli/command.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/finish.h"
#include "scope/cli/help.h"
#include "scope/cli/lesson_gpu.h"
#include "scope/cli/lesson_pictures.h"
#include "scope/cli/lesson_session.h"
#include "scope/cli/run_options.h"
#include "scope/report/format.h"
#include "scope/views/render/lesson_view.h"

namespace tilescope::cli {
namespace {

namespace fs = std::filesystem;

struct LessonCommandLine {
    std::string name, root, compiler, json, pictures, color = "auto";
    unsigned jobs = 0;
    bool all = false, answers = false, verbose = false, quiet = false, gpu = false;
};

// A path as short as it can be from here.
fs::path from_here(const fs::path& path) {
    std::error_code failed;
    const fs::path near = fs::proximate(path, failed);
    return failed || near.empty() || *near.begin() == ".." ? path : near;
}

// Beside the installed program, or in the checkout that it was built in.
Result<fs::path> lessons_root(const std::string& given) {
    std::error_code failed;
    if (!given.empty()) {
        if (fs::is_directory(given, failed)) return fs::path(given);
        return error("cli-unreadable", {given}, "there is no such folder of lessons");
    }
    const fs::path self = fs::read_symlink("/proc/self/exe", failed);
    if (failed) return error("cli-lessons", {}, "cannot find out where tilescope itself is: " + failed.message());
    fs::path folder = self.parent_path();
    if (fs::exists(folder / "../share/tilescope/lessons/concepts.json", failed))
        return from_here((folder / "../share/tilescope/lessons").lexically_normal());
    constexpr int kHighest = 4;  // build/PRESET/bin, and a folder in between
    for (int up = 0; up < kHighest; ++up, folder = folder.parent_path())
        if (fs::exists(folder / "lessons/concepts.json", failed)) return from_here(folder / "lessons");
    return error("cli-lessons", {}, "the lessons are not where they should be",
                 "reinstall tilescope, or give their folder: --lessons FOLDER");
}

// A folder of one's own, or one of the lessons by name or number.
Result<fs::path> lesson_folder(const LessonCommandLine& command) {
    std::error_code failed;
    const bool path =
        command.name.find('/') != std::string::npos || fs::exists(fs::path(command.name) / "lesson.json", failed);
    if (path) {
        if (fs::is_directory(command.name, failed)) return fs::path(command.name);
        return error("cli-unreadable", {command.name}, "there is no such folder");
    }
    const auto root = lessons_root(command.root);
    if (!root) return root.errors();
    return lessons::find_lesson(*root, command.name);
}

views::LessonOptions lesson_view_options(const LessonCommandLine& command) {
    views::LessonOptions options;
    options.view.color = wants_color(command.color, STDOUT_FILENO);
    options.view.verbose = command.verbose;
    options.answers = command.answers;
    return options;
}

// One line on a terminal that is written over, and gone at the end.
class ProgressLine {
public:
    explicit ProgressLine(bool wanted) : shown_(wanted && isatty(STDERR_FILENO) != 0) {}
    ~ProgressLine() { say({}); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void say(const std::string& text) {
        constexpr std::size_t kWidth = 79;
        if (!shown_) return;
        const std::lock_guard lock(mutex_);
        std::cerr << "\r\033[K" << report::cut(text, kWidth) << std::flush;
    }

private:
    bool shown_;
    std::mutex mutex_;
};

int write_out(const LessonCommandLine& command, const std::vector<LessonOutcome>& outcomes, const std::string& text) {
    if (!command.json.empty())
        if (const Status written = write_text(command.json, views::lessons_json(outcomes)); !written)
            return complain(written.errors()), kUsage;
    if (!command.quiet && command.json != "-") std::cout << text << std::flush;
    bool unreadable = false, met = true;
    for (const LessonOutcome& outcome : outcomes) {
        unreadable = unreadable || !outcome.diagnostics.empty();
        met = met && outcome.met();
    }
    if (unreadable) return kUsage;
    return met ? kRan : kClaimFailed;
}

// What could be said of a lesson without running it.
LessonOutcome described(const fs::path& folder) {
    LessonOutcome outcome;
    outcome.folder = folder.filename().string();
    const auto lesson = lessons::read_lesson(folder);
    if (!lesson) {
        outcome.diagnostics = lesson.errors();
        return outcome;
    }
    outcome.title = lesson->title;
    outcome.question = lesson->question;
    outcome.rows = lesson->rows();
    return outcome;
}

int list_lessons(const LessonCommandLine& command) {
    const auto root = lessons_root(command.root);
    if (!root) return complain(root.errors()), kUsage;
    const std::vector<fs::path> folders = lessons::lesson_folders(*root);
    std::vector<LessonOutcome> all(folders.size());
    std::transform(folders.begin(), folders.end(), all.begin(), described);
    if (all.empty()) return complain(error("cli-lessons", {root->string()}, "holds no lessons")), kUsage;
    for (const LessonOutcome& lesson : all) complain(lesson.diagnostics);
    return write_out(command, all, views::lesson_list_text(all, lesson_view_options(command).view));
}

// Nothing is wrong with pictures that nobody asked for.
Status draw_asked(const LessonCommandLine& command, const LessonSession& session, const LessonOutcome& outcome,
                  const fs::path& folder) {
    return command.pictures.empty() ? Status(Success{}) : draw_pictures(session, outcome, folder);
}

int run_one(const LessonCommandLine& command) {
    const auto folder = lesson_folder(command);
    if (!folder) return complain(folder.errors()), kUsage;
    auto lesson = lessons::read_lesson(*folder);
    if (!lesson) return complain(lesson.errors()), kUsage;
    std::string gpu;
    if (command.gpu) {
        const auto found = find_gpu();
        if (!found) return complain(found.errors()), kUsage;
        gpu = *found;
    }
    LessonOutcome outcome;
    {
        ProgressLine line(!command.quiet);
        LessonSettings settings{command.compiler, command.jobs, {}};
        settings.progress = [&](std::size_t number, std::size_t count, const std::string& words) {
            line.say("run " + std::to_string(number) + " of " + std::to_string(count) + ": " + words);
        };
        auto session = LessonSession::create(std::move(*lesson), std::move(settings));
        if (!session) return complain(session.errors()), kUsage;
        outcome = session->run();
        if (command.gpu) line.say("on " + gpu);
        if (command.gpu)
            measure_times(*session, gpu, outcome);
        else
            list_times(*session, outcome);
        if (!command.pictures.empty()) line.say("pictures");
        if (const Status drawn = draw_asked(command, *session, outcome, command.pictures); !drawn)
            return complain(drawn.errors()), kUsage;
    }
    return write_out(command, {outcome}, views::lesson_text(outcome, lesson_view_options(command)));
}

LessonOutcome run_quietly(const LessonCommandLine& command, const fs::path& folder) {
    LessonOutcome outcome = described(folder);
    if (!outcome.diagnostics.empty()) return outcome;
    auto lesson = lessons::read_lesson(folder);
    auto session = LessonSession::create(std::move(*lesson), {command.compiler, 1, {}});
    if (!session) {
        outcome.diagnostics = session.errors();
        return outcome;
    }
    outcome = session->run();
    list_times(*session, outcome);
    const fs::path into = fs::path(command.pictures) / folder.filename();
    if (const Status drawn = draw_asked(command, *session, outcome, into); !drawn) outcome.diagnostics = drawn.errors();
    return outcome;
}

// Lessons side by side, each run on one core.
int run_all(const LessonCommandLine& command) {
    const auto root = lessons_root(command.root);
    if (!root) return complain(root.errors()), kUsage;
    const std::vector<fs::path> folders = lessons::lesson_folders(*root);
    if (folders.empty()) return complain(error("cli-lessons", {root->string()}, "holds no lessons")), kUsage;
    std::vector<LessonOutcome> outcomes(folders.size());
    {
        ProgressLine line(!command.quiet);
        std::atomic<std::size_t> next = 0, done = 0;
        const auto work = [&] {
            for (std::size_t i = next++; i < folders.size(); i = next++) {
                line.say("lesson " + folders[i].filename().string() + ", " + std::to_string(done) + " of " +
                         std::to_string(folders.size()) + " done");
                outcomes[i] = run_quietly(command, folders[i]);
                ++done;
            }
        };
        const unsigned wanted = command.jobs != 0 ? command.jobs : std::max(1U, std::thread::hardware_concurrency());
        std::vector<std::thread> others;
        for (unsigned i = 1; i < wanted && i < folders.size(); ++i) others.emplace_back(work);
        work();
        for (std::thread& each : others) each.join();
    }
    return write_out(command, outcomes, views::lessons_text(outcomes, lesson_view_options(command)));
}

int run_lesson(const LessonCommandLine& command) {
    if (command.all && !command.name.empty()) {
        complain(error("cli-usage", {}, "one lesson by name, or --all, not both"));
        return kUsage;
    }
    if (command.verbose && command.quiet) {
        complain(error("cli-usage", {}, "-v and -q do not go together"));
        return kUsage;
    }
    if ((command.gpu && command.name.empty()) || (!command.pictures.empty() && command.name.empty() && !command.all)) {
        complain(error("cli-usage", {}, std::string(command.gpu ? "--gpu" : "--pictures") + " needs a lesson's name"));
        return kUsage;
    }
    if (command.all) return run_all(command);
    return command.name.empty() ? list_lessons(command) : run_one(command);
}

}  // namespace

std::vector<std::string> lesson_names() {
    std::vector<std::string> names;
    const auto root = lessons_root({});
    if (!root) return names;
    for (const fs::path& folder : lessons::lesson_folders(*root)) names.push_back(folder.filename().string());
    return names;
}

Action add_lesson(CLI::App& app) {
    auto command = std::make_shared<LessonCommandLine>();
    app.add_option("NAME", command->name,
                   "lesson to run and check: a number, name or folder; without it: list all lessons");
    app.add_flag("--all", command->all, "run and check all lessons");
    app.add_flag("--answers", command->answers, "show the exercises with their answers");
    app.add_option("--lessons", command->root, "folder of the lessons (default: beside this program)")
        ->check(not_empty())
        ->type_name("FOLDER");
    app.add_option("--compiler", command->compiler,
                   "compiler for .cu files; auto takes nvcc when it is there, else the newest clang")
        ->check(not_empty())
        ->type_name("auto|clang|nvcc|clang-16|PATH");
    app.add_option("--jobs", command->jobs, "worker threads; with --all, lessons in parallel (one per core)")
        ->check(CLI::Range(1U, 4096U).description(""))
        ->type_name("N");
    app.add_option("--json", command->json, "write claims and verdicts as JSON to FILE; - for standard output")
        ->type_name("FILE");
    app.add_option("--pictures", command->pictures,
                   "write the pictures/ and outputs/ of the lesson's page to this folder; with --all, one folder per "
                   "lesson")
        ->check(not_empty())
        ->type_name("FOLDER");
    app.add_flag("--gpu", command->gpu, "also build the program with nvcc, and time it on this machine's GPU");
    app.add_flag("-v,--verbose", command->verbose, "show each command, and each claim's expression and source");
    app.add_flag("-q,--quiet", command->quiet, "print no table; only set the exit status");
    add_color_option(app, command->color);
    app.footer(
        "Exit status: 0 all claims hold; 1 one does not; 2 wrong usage or an unreadable lesson.\n"
        "Examples: tilescope lesson intensity\n"
        "          tilescope lesson --all --compiler clang");
    return [command](const Invocation&) { return run_lesson(*command); };
}

}  // namespace tilescope::cli
