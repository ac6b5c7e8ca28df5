#include "scope/views/words/boundaries.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scope/report/format.h"

namespace tilescope::views {
namespace {

bool has_verdict(const BoundaryLine& line, CheckVerdict verdict) {
    return std::any_of(line.outcomes.begin(), line.outcomes.end(),
                       [&](const BoundaryOutcome& outcome) { return outcome.verdict == verdict; });
}

// "out-of-bounds at matmul.cu:14".
std::string hazard_place(const BoundaryHazard& hazard) {
    const std::string kind(report::name_of(hazard.kind));
    if (hazard.line == 0) return kind;
    return fmt::format("{} at {}:{}", kind, report::printable(report::file_name(hazard.file)), hazard.line);
}

// Each once.
std::string hazard_places(const std::vector<BoundaryHazard>& hazards) {
    std::vector<std::string> places;
    for (const BoundaryHazard& hazard : hazards)
        if (std::string place = hazard_place(hazard); std::find(places.begin(), places.end(), place) == places.end())
            places.push_back(std::move(place));
    return fmt::format("{}", fmt::join(places, ", "));
}

std::string difference(const BoundaryOutcome& outcome) {
    std::vector<std::string> what;
    if (outcome.memory_differs) what.emplace_back("memory");
    if (outcome.output_differs) what.emplace_back("what the program prints");
    if (outcome.status_differs) what.emplace_back("its exit status");
    if (outcome.is_endless) return "it does not end";
    return fmt::format("{} {}", fmt::join(what, " and "), what.size() == 1 ? "differs" : "differ");
}

std::string outcome_text(const BoundaryOutcome& outcome) {
    switch (outcome.verdict) {
        case CheckVerdict::kFound: return "found: " + hazard_places(outcome.hazards);
        case CheckVerdict::kSilent: return "silent: " + difference(outcome) + ", and nothing is reported";
        case CheckVerdict::kHarmless: return "harmless: nothing differs";
        case CheckVerdict::kUnclear: break;
    }
    return "unclear: " + difference(outcome) + ", as between two runs with the check";
}

std::string checks_are(std::uint64_t count, std::string_view what) {
    return count == 0 ? std::string() : fmt::format("{} {}", count, what);
}

}  // namespace

std::string boundaries_summary(const Boundaries& boundaries) {
    std::uint64_t all = 0, found = 0, silent = 0, harmless = 0, unclear = 0;
    for (const BoundaryLine& line : boundaries.lines) {
        if (line.kind != CheckKind::kGuards) continue;
        ++all;
        const bool is_silent = has_verdict(line, CheckVerdict::kSilent);
        const bool is_found = has_verdict(line, CheckVerdict::kFound);
        const bool is_unclear = has_verdict(line, CheckVerdict::kUnclear);
        silent += is_silent ? 1 : 0;
        found += !is_silent && is_found ? 1 : 0;
        unclear += !is_silent && !is_found && is_unclear ? 1 : 0;
        harmless += !is_silent && !is_found && !is_unclear ? 1 : 0;
    }
    if (all == 0) return "no kernel that ran has a check of an index that can be taken out";
    std::vector<std::string> parts;
    for (const std::string& part :
         {checks_are(found, "found wherever missing it changes anything"), checks_are(silent, "silent at some size"),
          checks_are(harmless, "harmless at all sizes that were tried"), checks_are(unclear, "unclear")})
        if (!part.empty()) parts.push_back(part);
    return fmt::format("{}, each taken out in turn: {}", report::counted(all, "check"), fmt::join(parts, ", "));
}

std::string boundary_size_text(const BoundarySize& size) {
    std::string text = report::counted(size.launches, "launch", "launches");
    text += size.hazards.empty() ? ", no hazard" : ", " + hazard_places(size.hazards);
    if (size.status != 0) text += fmt::format("; status {}", size.status);
    return text;
}

std::string boundary_line_text(const Boundaries& boundaries, const BoundaryLine& line) {
    if (line.kind == CheckKind::kEndsLoop) return "not taken out: a loop ends by it and by nothing else";
    if (line.kind == CheckKind::kEitherWay)
        return "not taken out: both ways lead to accesses, so it chooses and keeps nobody out";
    // Sizes at which the same came of it, together.
    std::vector<std::pair<std::string, std::vector<std::string>>> groups;
    for (std::size_t i = 0; i < line.outcomes.size(); ++i) {
        std::string text = outcome_text(line.outcomes[i]);
        const auto known =
            std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == text; });
        const std::string& size = boundaries.sizes[i].size;
        if (known == groups.end())
            groups.emplace_back(std::move(text), std::vector{size});
        else
            known->second.push_back(size);
    }
    std::vector<std::string> parts;
    parts.reserve(groups.size());
    for (const auto& [text, sizes] : groups)
        parts.push_back(sizes.front().empty() ? text : fmt::format("{} {}", fmt::join(sizes, ", "), text));
    return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace tilescope::views
