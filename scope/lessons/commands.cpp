#include "scope/lessons/commands.h"

#include <algorithm>
#include <filesystem>
#include <functional>

namespace tilescope::lessons {
namespace {

constexpr std::string_view kProfile = "{profile:";

void replace(std::string& word, std::string_view what, const std::string& by) {
    for (std::size_t at = word.find(what); at != std::string::npos; at = word.find(what, at + by.size()))
        word.replace(at, what.size(), by);
}

// "{profile:naive}" by what `name` makes of naive, and places of files.
std::string filled(std::string word, const Lesson& lesson, const Run& run,
                   const std::function<std::string(const std::string&)>& name) {
    replace(word, "{program}", lesson.program(run).string());
    replace(word, "{folder}", lesson.folder.string());
    for (std::size_t at = word.find(kProfile); at != std::string::npos; at = word.find(kProfile, at)) {
        const std::size_t end = word.find('}', at);
        if (end == std::string::npos) break;
        const std::string by = name(word.substr(at + kProfile.size(), end - at - kProfile.size()));
        word.replace(at, end + 1 - at, by);
        at += by.size();
    }
    return word;
}

std::vector<std::string> words_of(const Lesson& lesson, const Run& run,
                                  const std::function<std::string(const std::string&)>& name) {
    std::vector<std::string> words;
    if (!run.command.empty()) {
        words.reserve(run.command.size());
        for (const std::string& word : run.command) words.push_back(filled(word, lesson, run, name));
        return words;
    }
    words = {"run", lesson.program(run).string()};
    for (const std::string& define : run.defines) words.insert(words.end(), {"-D", define});
    words.insert(words.end(), run.options.begin(), run.options.end());
    if (run.arguments.empty()) return words;
    words.emplace_back("--");
    words.insert(words.end(), run.arguments.begin(), run.arguments.end());
    return words;
}

const std::string& verb(const Run& run) {
    static const std::string program = "run";
    return run.command.empty() ? program : run.command.front();
}

}  // namespace

bool makes_profile(const Run& run) { return verb(run) == "run" || verb(run) == "trace" || verb(run) == "launch"; }

bool answers_on_standard_output(const Run& run) { return verb(run) == "devices"; }

std::vector<std::string> typed(const Lesson& lesson, const Run& run) {
    return words_of(lesson, run, [](const std::string& name) { return name + ".json"; });
}

// Runs that differ in nothing but the launch they are about have one answer, under the first of them.
std::filesystem::path answer_file(const Lesson& lesson, const Run& run, const Housekeeping& house) {
    const std::vector<std::string> words = typed(lesson, run);
    for (const Run& each : lesson.runs)
        if (&each == &run || typed(lesson, each) == words) return house.folder / (each.name + ".json");
    return house.folder / (run.name + ".json");
}

std::vector<std::string> as_read(const Lesson& lesson, const Run& run, const Housekeeping& house) {
    return words_of(lesson, run, [&](const std::string& name) {
        const Run* other = lesson.run(name);
        return other == nullptr ? name : answer_file(lesson, *other, house).string();
    });
}

std::vector<std::string> as_run(const Lesson& lesson, const Run& run, const Housekeeping& house) {
    std::vector<std::string> words = as_read(lesson, run, house);
    std::vector<std::string> added = {"--json"};
    if (!answers_on_standard_output(run)) added.push_back(answer_file(lesson, run, house).string());
    if (makes_profile(run)) {
        added.emplace_back("-q");
        if (house.jobs != 0) added.insert(added.end(), {"--jobs", std::to_string(house.jobs)});
    }
    if (!house.compiler.empty() && (makes_profile(run) || verb(run) == "occupancy"))
        added.insert(added.end(), {"--compiler", house.compiler});
    // In front of a "--" that the words may hold, and behind what takes any number of words.
    const auto separator = std::find(words.begin(), words.end(), "--");
    words.insert(separator, added.begin(), added.end());
    return words;
}

std::vector<std::string> profiles_needed(const Run& run) {
    std::vector<std::string> names;
    for (const std::string& word : run.command)
        for (std::size_t at = word.find(kProfile); at != std::string::npos; at = word.find(kProfile, at + 1)) {
            const std::size_t begin = at + kProfile.size();
            names.push_back(word.substr(begin, word.find('}', at) - begin));
        }
    return names;
}

std::string shell_line(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) {
        const bool plain = !word.empty() && word.find_first_not_of(
                                                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                "0123456789_-+=./:,@%") == std::string::npos;
        std::string quoted = word;
        if (!plain) {
            replace(quoted, "'", "'\\''");
            quoted = "'" + quoted + "'";
        }
        line += (line.empty() ? "" : " ") + quoted;
    }
    return line;
}

}  // namespace tilescope::lessons
