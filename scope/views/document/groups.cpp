#include "scope/views/document/groups.h"

#include <algorithm>
#include <functional>

#include "scope/report/ratios.h"

namespace tilescope::views {

using namespace report;
namespace {

bool same_kernel(const LaunchProfile& a, const LaunchProfile& b) {
    return a.entry == b.entry && a.kernel == b.kernel && a.grid == b.grid && a.block == b.block &&
           a.dynamic_shared_bytes == b.dynamic_shared_bytes && a.sampled == b.sampled &&
           a.counters.values == b.counters.values && a.hazards.empty() && b.hazards.empty();
}

std::uint64_t instructions(const CounterSet& counters) { return counters[Counter::kInstructions]; }

}  // namespace

std::vector<LaunchGroup> group_launches(const Profile& profile) {
    std::vector<LaunchGroup> groups;
    for (std::size_t i = 0; i < profile.launches.size(); ++i) {
        const LaunchProfile& launch = profile.launches[i];
        if (!launch.observed) continue;
        if (!groups.empty() && (groups.back().launch == &launch || same_kernel(*groups.back().launch, launch)))
            ++groups.back().count;
        else
            groups.push_back({&launch, 1, profile.launches.marks(i).index});
    }
    return groups;
}

std::vector<HotLine> hot_lines(const LaunchProfile& launch, std::size_t most) {
    const bool of_traffic = traffic_bytes(launch.counters) != 0;
    const auto weight = of_traffic ? traffic_bytes : instructions;
    std::vector<HotLine> lines;
    double total = 0;
    for (const LineProfile& line : launch.lines) total += static_cast<double>(weight(line.counters));
    // Of the PTX's lines a launch only has the hottest.
    if (!launch.lines.empty() && launch.lines.back().from == LinesFrom::kPtx)
        total = static_cast<double>(weight(launch.counters));
    for (const LineProfile& line : launch.lines)
        if (line.line != 0 && weight(line.counters) != 0)
            lines.push_back({&line, static_cast<double>(weight(line.counters)) / total, of_traffic});
    // Lines are stored one after another, so their addresses keep the order of the file among equals.
    std::sort(lines.begin(), lines.end(), [](const HotLine& a, const HotLine& b) {
        return a.share != b.share ? a.share > b.share : std::less<>()(a.line, b.line);
    });
    if (lines.size() > most) lines.resize(most);
    return lines;
}

const LineProfile* line_of_most(const LaunchProfile& launch, Counter counter) {
    const LineProfile* best = nullptr;
    for (const LineProfile& line : launch.lines)
        if (line.line != 0 && line.counters[counter] > (best == nullptr ? 0 : best->counters[counter])) best = &line;
    return best;
}

}  // namespace tilescope::views
