#include "scope/cli/host_lines.h"

#include <fmt/format.h>
#include <charconv>
#include <map>
#include <optional>
#include <sstream>
#include <string>

#include "scope/base/source_paths.h"
#include "scope/image/process.h"

namespace tilescope::cli {
namespace {

using Lines = std::map<std::uint64_t, SourceLocation>;

// "/home/me/a.cu:12 (discriminator 3)"; nothing for "??:0".
std::optional<SourceLocation> parse_place(std::string_view text) {
    text = text.substr(0, text.find(" (discriminator"));
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || text.starts_with("??")) return std::nullopt;
    SourceLocation place{std::string(text.substr(0, colon)), 0, 0};
    const char* end = text.data() + text.size();
    const auto [rest, wrong] = std::from_chars(text.data() + colon + 1, end, place.line);
    if (wrong != std::errc() || rest != end || place.line == 0) return std::nullopt;
    return place;
}

// For each address a line "0x...", then its place and those that it was inlined at, from the inside out.
Lines parse_answer(const std::string& answer) {
    Lines lines;
    std::uint64_t address = 0;
    std::istringstream stream(answer);
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with("0x")) {
            std::from_chars(line.data() + 2, line.data() + line.size(), address, 16);
            continue;
        }
        const auto place = parse_place(line);
        if (place && !is_library_source(place->file)) lines.try_emplace(address, *place);
    }
    return lines;
}

Lines look_up(const std::string& module, const std::vector<std::uint64_t>& addresses) {
    for (const char* name : {"addr2line", "llvm-addr2line"}) {
        const auto program = image::find_program(name);
        if (!program) continue;
        std::vector<std::string> command = {program->string(), "-e", module, "-i", "-a"};
        for (const std::uint64_t address : addresses) command.push_back(fmt::format("{:#x}", address));
        const auto answer = image::run_process(command);
        if (answer && answer->status == 0) return parse_answer(answer->output);
    }
    return {};
}

}  // namespace

void find_host_lines(std::vector<FailedCall>& calls) {
    std::map<std::string, std::vector<std::uint64_t>> wanted;
    for (const FailedCall& call : calls)
        for (const CodePlace& place : call.called_from)
            if (!place.module.empty()) wanted[place.module].push_back(place.address);
    std::map<std::string, Lines> known;
    for (const auto& [module, addresses] : wanted) known[module] = look_up(module, addresses);
    for (FailedCall& call : calls)
        for (const CodePlace& place : call.called_from) {
            const Lines& lines = known[place.module];
            const auto found = lines.find(place.address);
            if (call.line != 0 || found == lines.end()) continue;
            call.file = found->second.file;
            call.line = found->second.line;
        }
}

}  // namespace tilescope::cli
