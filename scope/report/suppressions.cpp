#include "scope/report/suppressions.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "scope/base/names.h"
#include "scope/report/enums.h"

namespace tilescope::report {
namespace {

bool read_number(std::string_view text, std::uint32_t& number) {
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failed == std::errc{} && end == text.data() + text.size();
}

bool read_lines(const std::string& text, Suppression& into) {
    if (text == "*") return true;
    const std::size_t dash = text.find('-');
    if (dash == std::string::npos) {
        into.last_line = 0;
        return read_number(text, into.first_line) && read_number(text, into.last_line);
    }
    return read_number(text.substr(0, dash), into.first_line) && read_number(text.substr(dash + 1), into.last_line) &&
           into.first_line <= into.last_line;
}

// Whether any kind has a name that the pattern means.
bool is_kind(const std::string& pattern) {
    return std::any_of(kNames<HazardKind>.begin(), kNames<HazardKind>.end(),
                       [&](const auto& row) { return glob_match(pattern, row.name); });
}

// A pattern without a folder is held against the name alone.
bool file_matches(const std::string& pattern, const std::string& file) {
    const std::size_t slash = file.rfind('/');
    return glob_match(pattern, file) || (slash != std::string::npos && glob_match(pattern, file.substr(slash + 1)));
}

bool is_at(const Suppression& rule, const std::string& file, std::uint32_t line) {
    return file_matches(rule.file, file) && line >= rule.first_line && line <= rule.last_line;
}

bool hides(const Suppression& rule, const Hazard& hazard, std::string_view entry) {
    if (!glob_match(rule.kind, name_of(hazard.kind))) return false;
    if (rule.kernel != "*" && !kernel_matches(rule.kernel, hazard.kernel, entry)) return false;
    return is_at(rule, hazard.file, hazard.line) ||
           (hazard.other_line != 0 && is_at(rule, hazard.other_file, hazard.other_line));
}

// "// tilescope: ignore race"
bool says_ignore(const std::string& line, HazardKind kind) {
    constexpr std::string_view kWords = "tilescope: ignore ";
    const std::size_t at = line.find(kWords);
    if (at == std::string::npos) return false;
    std::istringstream words(line.substr(at + kWords.size()));
    for (std::string word; words >> word;) {
        if (word.ends_with(',')) word.pop_back();
        if (word == "all" || word == name_of(kind)) return true;
    }
    return false;
}

}  // namespace

Result<std::vector<Suppression>> parse_suppressions(std::string_view text, const std::string& name) {
    std::vector<Suppression> rules;
    Diagnostics errors;
    std::istringstream lines{std::string(text)};
    std::uint32_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        std::istringstream words(line.substr(0, line.find('#')));
        std::vector<std::string> found;
        for (std::string word; words >> word;) found.push_back(word);
        if (found.empty()) continue;
        Suppression rule;
        rule.kind = found[0];
        if (found.size() > 1) rule.file = found[1];
        if (found.size() > 2) rule.kernel = found[2];
        if (!is_kind(rule.kind))
            errors.push_back(error("report-suppressions", {name, number}, "there is no hazard \"" + rule.kind + "\"",
                                   all_names<HazardKind>("")));
        else if (found.size() > 4 || (found.size() > 3 && !read_lines(found[3], rule)))
            errors.push_back(error("report-suppressions", {name, number}, "not a suppression: " + line,
                                   "KIND [FILE [KERNEL [LINES]]], for instance: race *.cu tiled* 10-20"));
        rules.push_back(std::move(rule));
    }
    if (!errors.empty()) return errors;
    return rules;
}

bool is_of_thread(const Hazard& hazard) { return hazard.facts.what != HazardCase::kLuckyBarrier; }

bool is_finding(const Hazard& hazard) {
    switch (hazard.kind) {
        case HazardKind::kRace:
        case HazardKind::kDivergentBarrier:
        case HazardKind::kUninitialized:
        case HazardKind::kLeak:
        case HazardKind::kOverlappingCopy:
        case HazardKind::kStreamRace:
        case HazardKind::kStaleRead: return true;
        // A kernel that does this faults, host code goes on.
        default: return hazard.severity != Severity::kError || hazard.kernel.empty();
    }
}

void hide(const std::vector<Suppression>& suppressions, SourceText& source, Profile& profile) {
    const auto is_hidden = [&](const Hazard& hazard, std::string_view entry) {
        if (!is_finding(hazard)) return false;
        for (const Suppression& rule : suppressions)
            if (hides(rule, hazard, entry)) return true;
        return (hazard.line != 0 && says_ignore(source.line(hazard.file, hazard.line), hazard.kind)) ||
               (hazard.other_line != 0 && says_ignore(source.line(hazard.other_file, hazard.other_line), hazard.kind));
    };
    // None that has hazards is repeated (journal.cpp).
    for (LaunchProfile& launch : profile.launches.distinct())
        profile.suppressed +=
            std::erase_if(launch.hazards, [&](const Hazard& hazard) { return is_hidden(hazard, launch.entry); });
    profile.suppressed += std::erase_if(profile.hazards, [&](const Hazard& hazard) { return is_hidden(hazard, {}); });
}

}  // namespace tilescope::report
