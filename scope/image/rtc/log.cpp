#include "scope/image/rtc/log.h"

#include <algorithm>
#include <charconv>
#include <sstream>

namespace tilescope::image {
namespace {

constexpr std::string_view kFatal = "catastrophic error";

std::string own_name(std::string file, const RtcPlaces& places) {
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

// What ends a compilation at once has other words in NVRTC.
Told told(std::string_view message, const RtcPlaces& places) {
    constexpr std::string_view kDirective = "#error ";
    const std::size_t line = std::min(message.find('\n'), message.size());
    if (const std::string file = missing_file(message); !file.empty()) {
        const bool nowhere = !places.searches && message.find('<', line) != message.npos;
        const std::string shown(message.substr(line));
        return {std::string(kFatal), (nowhere ? "could not open source file \"" : "cannot open source file \"") + file +
                                         (nowhere ? "\" (no directories in search list)" : "\"") + shown};
    }
    if (message.starts_with(kDirective))
        return {std::string(kFatal),
                "#error directive: " + std::string(message.substr(kDirective.size(), line - kDirective.size())) +
                    std::string(message.substr(line))};
    return {"error", std::string(message)};
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
    const std::size_t open = line.find("(");
    return open == std::string::npos ? line : own_name(line.substr(0, open), places) + line.substr(open);
}

}  // namespace

std::string rtc_errors(const Diagnostics& errors, const RtcPlaces& places) {
    std::string log;
    std::size_t count = 0;
    bool ended = false;
    for (const Diagnostic& each : errors) {
        const Told said = told(each.message, places);
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
    return log;
}

}  // namespace tilescope::image
