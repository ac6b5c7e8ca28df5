#include "scope/image/rtc/log.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace tilescope::image {
namespace {

constexpr std::string_view kFatal = "catastrophic error";

std::string own_name(const std::string& file, const RtcPlaces& places) {
    const std::string folder = places.headers + "/";
    return !places.headers.empty() && file.starts_with(folder) ? file.substr(folder.size()) : file;
}

// "stdio.h" of gcc's "stdio.h: No such file or directory" and clang's "'stdio.h' file not found".
std::string missing_file(std::string_view message) {
    constexpr std::string_view kGcc = ": No such file or directory", kClang = "' file not found";
    const std::string_view first = message.substr(0, message.find('\n'));
    if (first.ends_with(kGcc)) return std::string(first.substr(0, first.size() - kGcc.size()));
    if (const std::size_t at = first.find(kClang); first.starts_with('\'') && at != first.npos)
        return std::string(first.substr(1, at - 1));
    return {};
}

struct Told {
    std::string kind = "error", what;
};

// The program's own line, as NVRTC shows it.
std::string line_of(const RtcPlaces& places, const SourceLocation& where) {
    if (where.file != places.name || where.line == 0) return {};
    std::string_view rest = places.source;
    for (std::uint32_t line = 1; line < where.line; ++line) {
        const std::size_t end = rest.find('\n');
        if (end == rest.npos) return {};
        rest.remove_prefix(end + 1);
    }
    rest = rest.substr(0, rest.find('\n'));
    return std::string(rest.substr(std::min(rest.find_first_not_of(" \t"), rest.size())));
}

// With a mark below it, behind so many letters.
std::string shown_line(const std::string& line, std::size_t letters) {
    return line.empty() ? std::string() : "\n  " + line + "\n  " + std::string(letters, ' ') + "^";
}

// Without the line's number and the bar that gcc and clang put before a line they show ("    2 |  x = y;").
std::string without_gutter(const std::string& message, bool shows_lines) {
    std::istringstream lines(message);
    std::string made;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t bar = line.find_first_not_of(" 0123456789");
        const bool gutter = bar != std::string::npos && bar > 1 && line[bar] == '|' && line[bar - 1] == ' ';
        if (gutter && !shows_lines) continue;
        made += (made.empty() ? "" : "\n") + (gutter ? " " + line.substr(bar + 1) : line);
    }
    return made;
}

// nvcc shows what its preprocessor makes of CUDA's words, and marks a place in that.
std::string with_words_of_cuda(std::string text) {
    constexpr std::string_view kOpen = "__attribute__((", kClose = "))";
    for (std::size_t at = text.find(kOpen); at != std::string::npos; at = text.find(kOpen, at + 1)) {
        const std::size_t name = at + kOpen.size(), close = text.find(kClose, name);
        if (close == std::string::npos) break;
        const std::string word = text.substr(name, close - name);
        static constexpr std::string_view kWords[] = {"device", "global", "host", "shared", "constant", "managed"};
        if (std::find(std::begin(kWords), std::end(kWords), word) == std::end(kWords)) continue;
        const std::string wanted = "__" + word + "__";
        const std::size_t length = close + kClose.size() - at, start = text.rfind('\n', at) + 1;
        const std::size_t end = text.find('\n', at);
        const std::size_t mark = end == std::string::npos ? end : text.find_first_not_of(' ', end + 1);
        const bool marked = mark != std::string::npos && text[mark] == '^' && mark - end - 1 > at - start;
        if (marked) text.erase(end + 1, std::min(length - wanted.size(), mark - end - 1));
        text.replace(at, length, wanted);
    }
    return text;
}

// What ends a compilation at once has other words in NVRTC.
Told told(const Diagnostic& error, const RtcPlaces& places) {
    constexpr std::string_view kDirective = "#error ";
    const std::string_view message = error.message;
    const std::string_view first = message.substr(0, message.find('\n'));
    const std::string line = line_of(places, error.location);
    if (const std::string file = missing_file(message); !file.empty()) {
        const bool nowhere = !places.searches && line.find('<') != std::string::npos;
        return {std::string(kFatal), (nowhere ? "could not open source file \"" : "cannot open source file \"") + file +
                                         (nowhere ? "\" (no directories in search list)" : "\"") +
                                         shown_line(line, line.size())};
    }
    if (first.starts_with(kDirective))
        return {std::string(kFatal),
                "#error directive: " + std::string(first.substr(kDirective.size())) + shown_line(line, 1)};
    return {"error", with_words_of_cuda(without_gutter(error.message, places.shows_lines))};
}

std::string place(const SourceLocation& where, const RtcPlaces& places) {
    if (where.file.empty()) return {};
    const std::string line = where.line == 0 ? std::string() : "(" + std::to_string(where.line) + ")";
    return own_name(where.file, places) + line + ": ";
}

// "kernel.cu(3): warning: ..." of clang's "kernel.cu:3:5: warning: ...".
std::string placed(const std::string& line, const RtcPlaces& places) {
    for (const std::string_view mark : {": warning: ", ": note: ", ": remark: "}) {
        const std::size_t end = line.find(mark);
        if (end == std::string::npos) continue;
        const std::size_t column = line.rfind(':', end - 1);
        const std::size_t number = column == std::string::npos || column == 0 ? column : line.rfind(':', column - 1);
        if (number == std::string::npos) continue;
        std::uint32_t at = 0;
        const auto [rest, failure] = std::from_chars(line.data() + number + 1, line.data() + column, at);
        if (failure == std::errc() && rest == line.data() + column)
            return place({line.substr(0, number), at, 0}, places) + line.substr(end + 2);
    }
    const std::size_t open = line.find('(');
    return open == std::string::npos ? line : own_name(line.substr(0, open), places) + line.substr(open);
}

}  // namespace

std::string rtc_errors(const Diagnostics& errors, const RtcPlaces& places) {
    std::string log;
    std::size_t count = 0;
    bool ended = false;
    for (const Diagnostic& each : errors) {
        const Told said = told(each, places);
        ended |= said.kind == kFatal;
        ++count;
        log += place(each.location, places) + said.kind + ": " + said.what + "\n\n";
    }
    log += std::to_string(count) + (ended ? " catastrophic" : "") + (count == 1 ? " error" : " errors") +
           " detected in the compilation of \"" + places.name + "\".\n";
    return ended ? log + "Compilation terminated.\n" : log;
}

std::string rtc_warnings(std::string_view said, const RtcPlaces& places) {
    std::istringstream lines{std::string(said)};
    std::string log;
    for (std::string line; std::getline(lines, line);) {
        // How many there were, which NVRTC does not count.
        if (line.ends_with("warning generated.") || line.ends_with("warnings generated.")) continue;
        if (line.ends_with(" when compiling for host.") || line.starts_with("In file included from ")) continue;
        log += placed(line, places) + "\n";
    }
    if (log.empty()) return log;
    return with_words_of_cuda(without_gutter(log, places.shows_lines)) + "\n";
}

}  // namespace tilescope::image
