// What a compiler says as Diagnostics: the user's line first, ours never.
#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>

#include "scope/image/compile_steps.h"

namespace tilescope::image {
namespace {

// One thing that was said: "WHERE: error: WHAT", and the lines under it, the source's and a caret.
struct Said {
    enum Kind { kError, kWarning, kNote } kind;
    SourceLocation where;
    std::string what;
    std::vector<std::string> shown;
};

std::uint32_t leading_number(std::string_view text) {
    std::uint32_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

// "file:line:column" as clang and gcc write it, "file(line)" as nvcc does.
SourceLocation location_in(std::string_view text) {
    if (text.ends_with(')')) {
        const std::size_t open = text.rfind('(');
        if (open != std::string_view::npos)
            return {std::string(text.substr(0, open)), leading_number(text.substr(open + 1)), 0};
    }
    const std::size_t second = text.rfind(':');
    const std::size_t first = second == std::string_view::npos || second == 0 ? second : text.rfind(':', second - 1);
    if (first == std::string_view::npos) return {};
    return {std::string(text.substr(0, first)), leading_number(text.substr(first + 1)),
            leading_number(text.substr(second + 1))};
}

std::optional<Said> head_of(std::string_view line) {
    struct Mark {
        std::string_view text;
        Said::Kind kind;
    };
    static constexpr Mark kMarks[] = {{": error: ", Said::kError},
                                      {": fatal error: ", Said::kError},
                                      {": catastrophic error: ", Said::kError},
                                      {": error #", Said::kError},
                                      {"ptxas fatal   : ", Said::kError},
                                      {"ptxas error   : ", Said::kError},
                                      // Of a line of PTX that nobody keeps.
                                      {"; error   : ", Said::kError},
                                      {": warning: ", Said::kWarning},
                                      {": warning #", Said::kWarning},
                                      {": note: ", Said::kNote}};
    for (const Mark& mark : kMarks) {
        const std::size_t at = line.find(mark.text);
        if (at == std::string_view::npos) continue;
        const std::size_t skipped = mark.text.size() - (mark.text.back() == '#' ? 1 : 0);
        return Said{mark.kind, location_in(line.substr(0, at)), std::string(line.substr(at + skipped)), {}};
    }
    return std::nullopt;
}

// What stands between the things said: how a file came to be included, and how many there were.
bool is_around(const std::string& line) {
    if (line.find(" | ") != std::string::npos) return false;
    return line.empty() || line.starts_with("In file included") || line.starts_with("                 from ") ||
           line.find(" generated") != std::string::npos ||
           line.find("detected in the compilation") != std::string::npos;
}

std::vector<Said> all_said(const std::string& text) {
    std::vector<Said> all;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (auto head = head_of(line)) {
            // What has no place is said once, however many lines of PTX it is said of.
            const auto is_same = [&](const Said& one) {
                return head->where.file.empty() && one.where.file.empty() && one.what == head->what;
            };
            if (std::none_of(all.begin(), all.end(), is_same)) all.push_back(*std::move(head));
        } else if (!all.empty() && !is_around(line)) {
            all.back().shown.push_back(line);
        }
    }
    return all;
}

// Whether a place is in a header of ours or in what a macro of theirs pasted together.
bool is_ours(const SourceLocation& where, const std::string& headers) {
    return where.file.starts_with(headers) || where.file == "<scratch space>";
}

// "cudaError_t cudaMalloc(void** devPtr, size_t size)" out of "  135 | cudaError_t cudaMalloc(void** devPtr, size_t
// size);".
std::string signature_in(const Said& note) {
    if (note.shown.empty()) return {};
    const std::string& line = note.shown.front();
    std::size_t start = line.find(" | ");
    if (start == std::string::npos) return {};
    start = line.find_first_not_of(' ', start + 3);
    const std::size_t end = line.find_last_of(')');
    // What a macro makes says nothing to who did not write it.
    if (start == std::string::npos || end == std::string::npos || line.compare(start, 9, "TILESCOPE") == 0) return {};
    return line.substr(start, end + 1 - start);
}

// One of our functions that does not fit, in a line.
std::string candidate(const Said& note) {
    const std::string signature = signature_in(note);
    const std::size_t colon = note.what.find(": ");
    const bool says_why = note.what.starts_with("candidate") && colon != std::string::npos;
    std::string why = says_why ? note.what.substr(colon + 2) : std::string();
    if (signature.empty()) return why;
    return "there is " + signature + (why.empty() ? "" : ": " + why);
}

std::string place(const SourceLocation& where) {
    std::string text = where.file;
    for (const std::uint32_t number : {where.line, where.column})
        if (number != 0) text += ":" + std::to_string(number);
    return text;
}

void append(std::string& message, const Said& said) {
    for (const std::string& line : said.shown) message += "\n" + line;
}

// An error and the notes behind it. Those in our headers keep only what they say of the functions there.
Diagnostic as_diagnostic(const Said& error, const std::vector<Said>& notes, const std::string& headers) {
    constexpr std::size_t kShown = 4;
    Diagnostic made;
    made.severity = Severity::kError;
    made.code = "image-compile";
    made.location = error.where;
    made.message = error.what;
    bool placed = !is_ours(error.where, headers);
    if (placed) append(made.message, error);
    std::vector<std::string> candidates;
    for (const Said& note : notes) {
        if (is_ours(note.where, headers)) {
            std::string line = candidate(note);
            if (!line.empty() && std::find(candidates.begin(), candidates.end(), line) == candidates.end())
                candidates.push_back(std::move(line));
            continue;
        }
        if (placed) {
            made.message += "\n" + place(note.where) + ": note: " + note.what;
        } else {
            made.location = note.where;  // an error in our header is told where the user's line led there
            placed = true;
        }
        append(made.message, note);
    }
    for (std::size_t i = 0; i < std::min(candidates.size(), kShown); ++i) made.message += "\n" + candidates[i];
    if (candidates.size() > kShown) made.message += "\nand " + std::to_string(candidates.size() - kShown) + " more";
    return made;
}

}  // namespace

Diagnostics compiler_errors(const std::string& text, const std::string& program, const std::string& headers) {
    const std::vector<Said> all = all_said(text);
    Diagnostics found;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].kind != Said::kError) continue;
        std::size_t end = i + 1;
        while (end < all.size() && all[end].kind == Said::kNote) ++end;
        found.push_back(as_diagnostic(
            all[i], {all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.begin() + static_cast<std::ptrdiff_t>(end)},
            headers));
    }
    if (found.empty()) found.push_back(error("image-compile", {program, 0, 0}, "it failed, saying: " + text));
    return found;
}

}  // namespace tilescope::image
