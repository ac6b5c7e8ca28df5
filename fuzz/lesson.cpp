// Any bytes as a lesson.json: a lesson or errors. What reads has expressions that evaluate without a crash, whatever
// names stand for, and commands that have words.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "scope/lessons/check.h"
#include "scope/lessons/commands.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tilescope;
    const auto lesson = lessons::parse_lesson({reinterpret_cast<const char*>(data), size}, "fuzz.json", "01_fuzz");
    if (!lesson) return 0;
    lessons::Answer answer;
    answer.output = "sum: 12\n";
    answer.document = {{"a", {{"b", {{{"x", 1}}}}}}, {"kernels", {{{"name", "x"}}}}};
    lessons::Answers answers;
    answers.lesson = &*lesson;
    answers.source = {"// [load]", "// [a]"};
    for (const lessons::Run& run : lesson->runs) {
        answers.of[run.name] = &answer;
        if (lessons::as_run(*lesson, run, {"clang", 1, "folder"}).empty()) std::abort();
    }
    if (lessons::check(answers, {}).claims.size() != lesson->claims.size()) std::abort();
    return 0;
}
