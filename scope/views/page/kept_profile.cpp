#include "scope/views/page/kept_profile.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "scope/report/ratios.h"

namespace tilescope::views::page {
namespace {

void keep_parts(Profile& profile, const PageLimits& limits, LeftOut& left) {
    for (LaunchProfile& launch : profile.launches.distinct()) {
        keep_hazards(launch.hazards, limits.hazards, kMoreHazards, left);
        keep(launch.advice, limits.advice, "more pieces of advice", left);
        keep(launch.variables, limits.variables, "more variables", left);
        keep(launch.buffers, limits.buffers, "more buffers", left);
        keep(launch.cached_buffers, limits.buffers, "more buffers of the caches", left);
        keep(launch.shared_reuse, limits.buffers, "more pieces of shared memory", left);
    }
    keep_hazards(profile.hazards, limits.findings, kMoreHostHazards, left);
    keep(profile.advice, limits.advice, "more pieces of advice", left);
    keep(profile.failed_calls, limits.calls, "more places whose calls failed", left);
    keep(profile.transfers, limits.transfers, "more places that copy", left);
    keep(profile.budgets, limits.calls, "more budgets", left);
    keep(profile.diagnostics, limits.diagnostics, "more messages", left);
    if (profile.pages) keep(profile.pages->launches, limits.page_launches, "more launches that move pages", left);
}

// The longest, in the order in which they end.
void keep_spans(Profile& profile, const PageLimits& limits, LeftOut& left) {
    std::vector<TimelineSpan>& spans = profile.timeline;
    if (spans.size() <= limits.spans) return;
    std::vector<std::size_t> order(spans.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return spans[a].microseconds > spans[b].microseconds; });
    order.resize(limits.spans);
    std::sort(order.begin(), order.end());
    std::vector<TimelineSpan> kept;
    kept.reserve(order.size());
    for (const std::size_t i : order) kept.push_back(std::move(spans[i]));
    left.add("shorter spans of the timeline", spans.size() - kept.size());
    spans = std::move(kept);
}

}  // namespace

Profile kept_profile(const PageSource& source, const PageLimits& limits, LeftOut& left) {
    Profile kept = source.shown;
    keep_parts(kept, limits, left);
    keep_spans(kept, limits, left);
    return kept;
}

void keep_lines(Profile& profile, std::size_t shown, const PageLimits& limits, LeftOut& left) {
    const std::size_t most =
        std::min(limits.lines_of_launch, std::max<std::size_t>(1, limits.lines / std::max<std::size_t>(1, shown)));
    for (LaunchProfile& launch : profile.launches) {
        if (launch.lines.size() <= most) continue;
        std::vector<const LineProfile*> order;
        for (const LineProfile& line : launch.lines) order.push_back(&line);
        const auto weight = [](const LineProfile* line) {
            return std::pair(report::traffic_bytes(line->counters), line->counters[Counter::kInstructions]);
        };
        std::stable_sort(order.begin(), order.end(),
                         [&](const LineProfile* a, const LineProfile* b) { return weight(a) > weight(b); });
        order.resize(most);
        const std::set<const LineProfile*> chosen(order.begin(), order.end());
        std::vector<LineProfile> kept;
        for (const LineProfile& line : launch.lines)
            if (chosen.count(&line) != 0) kept.push_back(line);
        left.add("more lines of the source that moved little", launch.lines.size() - kept.size());
        launch.lines = std::move(kept);
    }
}

void keep_code(Profile& profile, const PageLimits& limits, LeftOut& left) {
    std::map<std::string, std::set<std::pair<std::string, std::uint32_t>>> shown;  // lines by kernel
    for (const LaunchProfile& launch : std::as_const(profile.launches))
        for (const LineProfile& line : launch.lines) shown[launch.entry].emplace(line.file, line.line);
    std::erase_if(profile.code, [&](const KernelCode& code) { return shown.count(code.entry) == 0; });
    std::uint64_t passed_over = 0;
    for (KernelCode& code : profile.code) {
        const auto& lines = shown[code.entry];
        std::erase_if(code.lines, [&](const LineCode& line) { return lines.count({line.file, line.line}) == 0; });
        std::size_t room = limits.ptx_bytes / profile.code.size();
        for (LineCode& line : code.lines) {
            std::size_t kept = 0;
            for (; kept < line.instructions.size() && line.instructions[kept].size() < room; ++kept)
                room -= line.instructions[kept].size();
            passed_over += line.instructions.size() - kept;
            line.instructions.resize(kept);
        }
        passed_over += std::exchange(code.left_out, 0);
    }
    left.add("more instructions of PTX", passed_over);
}

}  // namespace tilescope::views::page
