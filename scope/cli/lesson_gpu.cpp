#include "scope/cli/lesson_gpu.h"

#include <chrono>
#include <map>

#include "scope/image/toolchain.h"
#include "scope/lessons/commands.h"

namespace tilescope::cli {
namespace {

using lessons::Run;

// Enough to average over, few enough for a slow kernel.
constexpr const char* kRepeats = "50";
constexpr std::chrono::seconds kLongest{120};

std::optional<double> number_of(const Result<lessons::Found>& found, std::string& problem) {
    if (!found) {
        if (problem.empty()) problem = found.errors().front().message;
        return std::nullopt;
    }
    if (const double* number = std::get_if<double>(&found->value)) return *number;
    problem = "this is not a number";
    return std::nullopt;
}

// Builds and runs programs as nvcc and the GPU do, each set of -D and arguments once.
class Card {
public:
    explicit Card(const LessonSession& session) : session_(session) {}

    // What the run's program printed; or why it did not.
    Result<std::string> output(const Run& run) {
        if (!run.command.empty()) return error("cli-gpu", {}, "run \"" + run.name + "\" is no run of the program");
        const std::string key = lessons::shell_line(lessons::typed(session_.lesson(), run));
        if (const auto known = outputs_.find(key); known != outputs_.end()) return known->second;
        const auto program = build(run);
        if (!program) return program.errors();
        std::vector<std::string> words = {*program};
        words.insert(words.end(), run.arguments.begin(), run.arguments.end());
        image::ProcessLimits limits;
        limits.wall_time = kLongest;
        const auto ended = image::run_process(words, limits, {{"LESSON_REPEATS", kRepeats}});
        if (!ended) return ended.errors();
        if (ended->end != image::ProcessEnd::kExited || ended->status != 0)
            return error("cli-gpu", {},
                         "the program ended with status " + std::to_string(ended->status) +
                             " on the GPU: " + ended->errors.substr(0, ended->errors.find('\n')));
        return outputs_[key] = ended->output;
    }

private:
    Result<std::string> build(const Run& run) {
        const std::string key = lessons::shell_line(run.defines);
        if (const auto known = programs_.find(key); known != programs_.end()) return known->second;
        const auto nvcc = image::find_toolchain(image::Compiler::kNvcc);
        if (!nvcc) return nvcc.errors();
        const std::string program = (session_.folder() / ("gpu" + std::to_string(programs_.size()))).string();
        std::vector<std::string> words = {nvcc->program.string(), "-std=c++17", "-O3",  "-lineinfo",
                                          "-arch=native",         "-o",         program};
        for (const std::string& define : run.defines) words.push_back("-D" + define);
        words.push_back(session_.lesson().program().string());
        const auto ended = image::run_process(words);
        if (!ended) return ended.errors();
        if (ended->status != 0) return error("cli-gpu", {}, "nvcc did not build the program: " + ended->errors);
        return programs_[key] = program;
    }

    const LessonSession& session_;
    std::map<std::string, std::string> programs_, outputs_;
};

LessonTime modelled(const LessonSession& session, const lessons::Time& time) {
    LessonTime result;
    result.says = time.says;
    result.h200 = time.h200;
    result.date = time.date;
    result.modelled =
        number_of(lessons::evaluate(time.modelled, session.answers(), lessons::subject_of(session.lesson(), time.run)),
                  result.problem);
    return result;
}

// "naive microseconds" to "naive first launch microseconds", which launch() of lesson.h prints, too.
report::Expression of_first_launch(const lessons::Time& time) {
    report::Expression expression = time.measured;
    constexpr std::string_view kUnit = "microseconds";
    for (report::ExpressionStep& step : expression.steps)
        for (report::Link& link : step.reference)
            for (report::Value& argument : link.arguments)
                if (auto* label = std::get_if<std::string>(&argument); label != nullptr && label->ends_with(kUnit))
                    label->insert(label->size() - kUnit.size(), "first launch ");
    return expression;
}

}  // namespace

Result<std::string> find_gpu() {
    const std::string hint =
        "--gpu builds the program with nvcc and runs it on this machine's GPU; without it all is modeled";
    const auto program = image::find_program("nvidia-smi");
    if (!program) return error("cli-no-gpu", {}, "this machine has no NVIDIA GPU: nvidia-smi is not there", hint);
    const auto ended = image::run_process({program->string(), "--query-gpu=name", "--format=csv,noheader"});
    if (!ended) return ended.errors();
    const std::string name = ended->output.substr(0, ended->output.find('\n'));
    if (ended->status != 0 || name.empty())
        return error("cli-no-gpu", {}, "this machine has no NVIDIA GPU that can be used", hint);
    if (const auto nvcc = image::find_toolchain(image::Compiler::kNvcc); !nvcc)
        return error("cli-no-gpu", {}, "there is no nvcc to build the program for " + name, hint);
    return name;
}

void list_times(const LessonSession& session, LessonOutcome& outcome) {
    for (const lessons::Time& time : session.lesson().times) outcome.times.push_back(modelled(session, time));
}

void measure_times(const LessonSession& session, const std::string& gpu, LessonOutcome& outcome) {
    outcome.gpu = gpu;
    Card card(session);
    for (const lessons::Time& time : session.lesson().times) {
        LessonTime result = modelled(session, time);
        const auto output = card.output(*session.lesson().run(time.run));
        if (!output) {
            result.problem = output.errors().front().message;
        } else {
            lessons::Answer answer;
            answer.output = *output;
            lessons::Answers answers = session.answers();
            answers.of[time.run] = &answer;
            const lessons::Subject subject = lessons::subject_of(session.lesson(), time.run);
            std::string ignored;
            result.measured = number_of(lessons::evaluate(time.measured, answers, subject), result.problem);
            result.first = number_of(lessons::evaluate(of_first_launch(time), answers, subject), ignored);
        }
        outcome.times.push_back(std::move(result));
    }
}

}  // namespace tilescope::cli
