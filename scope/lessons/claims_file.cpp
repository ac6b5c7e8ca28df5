// Reads a file of claims, which may hold anything: TOML becomes the JSON that lessons are written in.
#include "scope/lessons/claims_file.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "scope/base/files.h"

// Errors as values. Tables within tables are taken apart by functions that call themselves: not too many of them.
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 32
// What the library takes for certain of a text that anybody wrote is neither a reason to end the program nor one for
// the compiler to leave out what follows: it finds the mistake itself a step later.
#define TOML_ASSERT(expr) static_cast<void>(0)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/impl/forward_declarations.h>
// Some letters do come where it says that none can: they are none of what it looks for.
#undef TOML_UNREACHABLE
#define TOML_UNREACHABLE \
    return {}
#include <toml++/impl/unicode.h>
#undef TOML_UNREACHABLE
#define TOML_UNREACHABLE __builtin_unreachable()
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace tilescope::lessons {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxClaims = 1 << 20;  // bytes
constexpr std::ptrdiff_t kMaxDots = 100;       // of a line: each may be a table within a table

using ClaimLines = std::map<std::string, SourceLocation>;  // by place, such as "claims[3].value"

// The same as JSON, and where each part of it stands.
class TomlReader {
public:
    TomlReader(std::string file, ClaimLines& lines) : file_(std::move(file)), lines_(lines) {}

    Json read(const toml::node& node, const std::string& place) {
        const toml::source_position& at = node.source().begin;
        lines_[place] = {file_, at.line, at.column};
        if (const auto* table = node.as_table()) {
            // In the order in which they are written, as tables of TOML++ are sorted.
            std::vector<std::pair<std::string, const toml::node*>> members;
            for (auto&& [key, value] : *table) members.emplace_back(std::string(key.str()), &value);
            const auto place_of = [](const toml::node* each) {
                return std::pair{each->source().begin.line, each->source().begin.column};
            };
            std::stable_sort(members.begin(), members.end(),
                             [&](const auto& a, const auto& b) { return place_of(a.second) < place_of(b.second); });
            Json json = Json::object();
            for (const auto& [key, value] : members) json[key] = read(*value, place.empty() ? key : place + "." + key);
            return json;
        }
        if (const auto* array = node.as_array()) {
            Json json = Json::array();
            for (std::size_t i = 0; i < array->size(); ++i)
                json.push_back(read((*array)[i], place + "[" + std::to_string(i) + "]"));
            return json;
        }
        if (const auto text = node.value_exact<std::string>()) return *text;
        if (const auto number = node.value_exact<std::int64_t>()) return *number;
        if (const auto number = node.value_exact<double>()) return *number;
        if (const auto truth = node.value_exact<bool>()) return *truth;
        return nullptr;  // a date: nothing here takes one
    }

private:
    std::string file_;
    ClaimLines& lines_;
};

// The line of the place that a message begins with, or of what it lies in.
SourceLocation line_of(const std::string& message, const std::string& file, const ClaimLines& lines) {
    std::string place = message.substr(0, message.find(": "));
    while (!place.empty()) {
        if (const auto found = lines.find(place); found != lines.end()) return found->second;
        const std::size_t last = place.find_last_of(".[");
        place.resize(last == std::string::npos ? 0 : last);
    }
    return {file};
}

// Keys with so many parts that taking them apart again would run out of stack.
std::optional<Diagnostic> too_deep(std::string_view text, const std::string& file) {
    std::uint32_t number = 1;
    for (std::size_t begin = 0; begin < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        if (std::count(line.begin(), line.end(), '.') > kMaxDots)
            return error("claims-toml", {file, number}, "this line has more than " + std::to_string(kMaxDots) + " dots",
                         "break it, in \"\"\"three quotes\"\"\"");
        begin = end + 1;
    }
    return std::nullopt;
}

// Where a string ends that begins at `begin`, or the text does.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
    const char quote = text[begin];
    const bool has_lines = text.substr(begin, 3) == std::string(3, quote);
    std::size_t at = begin + (has_lines ? 3 : 1);
    for (; at < text.size(); ++at) {
        if (text[at] == '\\' && quote == '"') {
            ++at;
        } else if (!has_lines && (text[at] == quote || text[at] == '\n')) {
            return at + 1;
        } else if (has_lines && text.substr(at, 3) == std::string(3, quote)) {
            return std::min(text.find_first_not_of(quote, at), text.size());
        }
    }
    return text.size();
}

// TOML has letters beyond ASCII in strings and comments alone, and TOML++ takes for certain that some never come
// elsewhere. Where strings are is only as plain here as there while each begins where one may.
std::optional<Diagnostic> strange_letter(std::string_view text, const std::string& file) {
    constexpr std::string_view kMark = "\xef\xbb\xbf";  // of UTF-8, at a file's beginning
    constexpr std::string_view kBeforeStrings = "\n=[,{.", kSpaces = " \t\r";
    const auto refuse = [&](std::size_t at, const char* what) {
        const auto lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        const std::size_t column = at - (lines == 0 ? 0 : text.rfind('\n', at) + 1);
        return error("claims-toml",
                     {file, static_cast<std::uint32_t>(lines + 1), static_cast<std::uint32_t>(column + 1)},
                     std::string("this is not TOML: ") + what, "`tilescope claims --help` has an example");
    };
    char before = '\n';
    for (std::size_t at = text.starts_with(kMark) ? kMark.size() : 0; at < text.size();) {
        const char c = text[at];
        if (c == '#') {
            at = std::min(text.find('\n', at), text.size());
            continue;
        }
        if (static_cast<unsigned char>(c) >= 0x80)
            return refuse(at, "a letter beyond ASCII stands outside of a string");
        const bool is_quote = c == '"' || c == '\'';
        if (is_quote && kBeforeStrings.find(before) == std::string_view::npos)
            return refuse(at, "a string begins where none can");
        if (kSpaces.find(c) == std::string_view::npos) before = c;
        at = is_quote ? end_of_string(text, at) : at + 1;
    }
    return std::nullopt;
}

}  // namespace

Result<Lesson> parse_claims(std::string_view text, const std::string& file) {
    if (auto deep = too_deep(text, file)) return *deep;
    if (auto strange = strange_letter(text, file)) return *strange;
    const toml::parse_result parsed = toml::parse(text);
    if (!parsed) {
        const toml::parse_error& wrong = parsed.error();
        const toml::source_position& at = wrong.source().begin;
        return error("claims-toml", {file, at.line, at.column}, "this is not TOML: " + std::string(wrong.description()),
                     "`tilescope claims --help` has an example");
    }
    ClaimLines lines;
    const Json json = TomlReader(file, lines).read(parsed.table(), "");
    auto lesson = lesson_of_claims(json, file);
    if (!lesson) {
        Diagnostics errors = lesson.errors();
        for (Diagnostic& each : errors) each.location = line_of(each.message, file, lines);
        return errors;
    }
    lesson->name = fs::path(file).filename().string();
    return lesson;
}

Result<Lesson> read_claims(const fs::path& file) {
    std::string why;
    const auto text = read_input(file, kMaxClaims, why);
    if (!text) return error("claims-unreadable", {file.string()}, "cannot read this file: " + why);
    auto lesson = parse_claims(*text, file.string());
    if (!lesson) return lesson;
    lesson->folder = file.parent_path();
    std::error_code failed;
    for (const Run& run : lesson->runs)
        if (run.command.empty() && !fs::is_regular_file(lesson->program(run), failed))
            return error("claims-unreadable", {lesson->program(run).string()},
                         "the program of run \"" + run.name + "\" is not there",
                         "it is looked for beside " + file.filename().string());
    return lesson;
}

}  // namespace tilescope::lessons
