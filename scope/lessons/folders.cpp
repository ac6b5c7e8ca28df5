// Where lessons lie, and which one is meant.
#include <algorithm>
#include <charconv>

#include "scope/base/characters.h"
#include "scope/base/files.h"
#include "scope/base/names.h"
#include "scope/lessons/lesson.h"

namespace tilescope::lessons {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDigits = 2;

bool is_lesson_name(std::string_view name) {
    return name.size() > kDigits + 1 && is_digit(name[0]) && is_digit(name[1]) && name[kDigits] == '_' &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_", kDigits) == std::string_view::npos;
}

// "1" and "01" are 01; nothing for what is no number.
std::string padded_number(const std::string& text) {
    if (text.empty() || text.size() > kDigits || !std::all_of(text.begin(), text.end(), is_digit)) return {};
    return text.size() == kDigits ? text : "0" + text;
}

}  // namespace

std::string_view word_of(std::string_view name) { return is_lesson_name(name) ? name.substr(kDigits + 1) : name; }

fs::path Lesson::program() const {
    return folder / (program_name.empty() ? std::string(word_of(name)) + ".cu" : program_name);
}

fs::path Lesson::program(const Run& run) const { return run.program.empty() ? program() : folder / run.program; }

fs::path Lesson::program_of(std::string_view wanted) const {
    const Run* found = run(wanted);
    return found == nullptr ? program() : program(*found);
}

const Run* Lesson::run(std::string_view wanted) const {
    for (const Run& each : runs)
        if (each.name == wanted) return &each;
    return nullptr;
}

std::vector<std::string> Lesson::rows() const {
    std::vector<std::string> all;
    for (const Claim& claim : claims)
        for (const std::string& row : claim.rows)
            if (std::find(all.begin(), all.end(), row) == all.end()) all.push_back(row);
    return all;
}

std::vector<fs::path> lesson_folders(const fs::path& root) {
    std::vector<fs::path> found;
    std::error_code failed;
    for (fs::directory_iterator entry(root, failed), end; !failed && entry != end; entry.increment(failed))
        if (entry->is_directory(failed) && is_lesson_name(entry->path().filename().string()))
            found.push_back(entry->path());
    std::sort(found.begin(), found.end());
    return found;
}

Result<fs::path> find_lesson(const fs::path& root, const std::string& which) {
    std::vector<std::string> words;
    const std::string number = padded_number(which);
    for (const fs::path& folder : lesson_folders(root)) {
        const std::string name = folder.filename().string();
        if (name == which || word_of(name) == which || (!number.empty() && name.substr(0, kDigits) == number))
            return folder;
        words.emplace_back(word_of(name));
    }
    const std::string near = nearest(which, words);
    return error("lessons-unknown", {}, "there is no lesson \"" + which + "\"",
                 near.empty() ? "`tilescope lesson` lists them" : "did you mean " + near + "?");
}

Result<Lesson> read_lesson(const fs::path& folder) {
    const fs::path file = folder / "lesson.json";
    constexpr std::uint64_t kMost = 16 << 20;
    std::string why;
    const auto text = read_input(file, kMost, why);
    if (!text)
        return error("lessons-unreadable", {file.string()}, "cannot read this file: " + why,
                     "a lesson's folder holds lesson.json, see lessons/README.md");
    std::error_code failed;
    fs::path whole = fs::weakly_canonical(folder, failed);
    if (failed || !whole.has_filename()) whole = folder;
    auto lesson = parse_lesson(*text, file.string(), whole.filename().string());
    if (!lesson) return lesson;
    lesson->folder = folder;
    if (!fs::is_regular_file(lesson->program(), failed))
        return error("lessons-unreadable", {lesson->program().string()}, "the lesson's program is not there",
                     "the .cu file has the folder's name without its number");
    return lesson;
}

}  // namespace tilescope::lessons
