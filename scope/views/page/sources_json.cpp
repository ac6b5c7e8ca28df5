#include "scope/views/page/sources_json.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "scope/report/format.h"
#include "scope/report/ratios.h"
#include "scope/report/source_text.h"

namespace tilescope::views::page {

using namespace report;
namespace {

// Of a file: the lines that are pointed at, and what they moved.
struct Wanted {
    std::set<std::uint32_t> lines;
    std::uint64_t weight = 0;
};
using Files = std::map<std::string, Wanted>;

bool is_source(std::string_view path) {
    constexpr std::array<std::string_view, 14> kEndings = {"cu",  "cuh", "cpp", "cc",  "cxx", "c",   "h",
                                                           "hpp", "hh",  "hxx", "inl", "ipp", "ptx", "inc"};
    const std::string_view name = file_name(path);
    const std::size_t dot = name.rfind('.');
    return dot != std::string_view::npos &&
           std::find(kEndings.begin(), kEndings.end(), name.substr(dot + 1)) != kEndings.end();
}

void want(Files& files, const std::string& file, std::uint32_t line, std::uint64_t weight = 0) {
    if (file.empty() || line == 0 || !is_source(file)) return;
    Wanted& wanted = files[file];
    wanted.lines.insert(line);
    wanted.weight += weight;
}

void want(Files& files, const std::vector<Hazard>& hazards) {
    for (const Hazard& hazard : hazards) {
        want(files, hazard.file, hazard.line, 1);
        want(files, hazard.other_file, hazard.other_line, 1);
        want(files, hazard.file, hazard.facts.first_line);
        want(files, hazard.file, hazard.facts.last_line);
    }
}

void want(Files& files, const std::vector<Advice>& all) {
    for (const Advice& advice : all) want(files, advice.file, advice.line, 1);
}

Files wanted_files(const Profile& profile) {
    Files files;
    for (const LaunchProfile& launch : profile.launches) {
        for (const LineProfile& line : launch.lines)
            if (line.from == LinesFrom::kSource)
                want(files, line.file, line.line, 1 + traffic_bytes(line.counters) / 1024);
        want(files, launch.hazards);
        want(files, launch.advice);
    }
    want(files, profile.hazards);
    want(files, profile.advice);
    for (const FailedCall& call : profile.failed_calls) want(files, call.file, call.line, 1);
    for (const Transfer& transfer : profile.transfers) want(files, transfer.file, transfer.line, 1);
    return files;
}

// The lines that are pointed at with `around` before and behind each.
Json windows(const std::vector<std::string>& lines, const std::set<std::uint32_t>& wanted, std::size_t around) {
    Json parts = Json::array();
    std::size_t next = 0;  // the first line that is in no part yet
    for (const std::uint32_t line : wanted) {
        if (line > lines.size()) break;
        const std::size_t first = std::max<std::size_t>(next, line - 1 > around ? line - 1 - around : 0);
        const std::size_t end = std::min<std::size_t>(lines.size(), line + around);
        if (first >= end) continue;
        if (parts.empty() || first != next) parts.push_back({{"first", first + 1}, {"text", Json::array()}});
        for (std::size_t i = first; i < end; ++i) parts.back()["text"].push_back(lines[i]);
        next = end;
    }
    return parts;
}

std::size_t bytes_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace).size(); }

}  // namespace

Json sources_json(const Profile& profile, const std::vector<std::string>& directories, const PageLimits& limits,
                  LeftOut& left) {
    const Files files = wanted_files(profile);
    std::vector<const Files::value_type*> order;
    for (const auto& file : files) order.push_back(&file);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return a->second.weight > b->second.weight; });
    SourceText text(directories);
    Json sources = Json::object();
    std::size_t room = limits.source_bytes, missing = 0, cut = 0, left_out = 0;
    for (const auto* file : order) {
        const auto& [name, wanted] = *file;
        const std::vector<std::string>& lines = text.lines(name);
        if (lines.empty()) {
            ++missing;
            continue;
        }
        constexpr std::size_t kAround = 20;
        Json parts = Json::array();
        if (limits.around == 0) parts.push_back({{"first", 1}, {"text", lines}});
        if (limits.around != 0 || bytes_of(parts) > room) {
            parts = windows(lines, wanted.lines, limits.around == 0 ? kAround : limits.around);
            ++cut;
        }
        const std::size_t bytes = bytes_of(parts);
        if (bytes > room || parts.empty()) {
            ++left_out;
            continue;
        }
        room -= bytes;
        sources[name] = {{"lines", lines.size()}, {"parts", std::move(parts)}};
    }
    if (missing != 0) left.add("files of the source that are not found here", missing);
    if (cut != 0) left.add("files of the source of which only the lines around those named are here", cut);
    if (left_out != 0) left.add("files of the source that are too long for a page", left_out);
    return sources;
}

}  // namespace tilescope::views::page
