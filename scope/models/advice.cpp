#include "scope/models/advice.h"

#include <algorithm>
#include <cmath>

#include "scope/models/advice_rules.h"

namespace tilescope::models {
namespace {

constexpr AdviceRule kRules[] = {
    {"coalesce", "global requests that touch more sectors than their bytes need", &find_uncoalesced},
    {"tile", "bytes of global memory that a block asks for several times", &find_tiles},
    {"pad", "shared requests whose lanes meet in a bank", &find_bank_conflicts},
    {"atomics", "atomics that take turns", &find_atomics},
    {"local", "arrays of a thread that lie in local memory", &find_local_arrays},
    {"spills", "values kept in local memory for want of registers", &find_spills},
    {"constant", "loads from constant memory at more than one address a warp", &find_constant_divergence},
    {"occupancy", "too few warps on an SM to keep memory busy", &find_low_occupancy},
    {"divergence", "lanes idle because a branch sent them another way", &find_divergence},
    {"partial-warps", "lanes idle because the block has no thread for them", &find_partial_warps},
    {"grid", "fewer blocks than would occupy a quarter of the SMs", &find_tiny_grid},
    {"no-reuse", "shared memory that no other thread reads, for data without reuse", &find_no_reuse},
    {"barriers", "barriers in a kernel without shared memory", &find_redundant_barriers},
};

Case case_of(const LaunchProfile& launch, const Device& device) {
    Case about{launch, device, work_of(launch), 0, launch.lines, 1, 1};
    about.seconds = seconds(about.work, device);
    if (about.lines.empty()) about.lines.push_back({{}, 0, launch.counters, launch.tiling});
    for (const std::uint32_t extent : launch.grid) about.blocks *= extent;
    for (const std::uint32_t extent : launch.block) about.threads *= extent;
    return about;
}

// One rule's findings that are worth it, the best lines only.
std::vector<Advice> weigh(const AdviceRule& rule, const Case& about) {
    std::vector<Advice> worth;
    for (Finding& finding : rule.find(about)) {
        Advice advice{std::string(rule.name), finding.file, finding.line, 0, finding.speedup, finding.message};
        advice.saves_bytes = static_cast<std::uint64_t>(std::llround(std::max(0.0, finding.saves_bytes)));
        if (finding.is_effort) {
            advice.speedup = 1;
        } else {
            const double after = seconds(finding.after, about.device);
            if (finding.speedup == 0) advice.speedup = after > 0 ? about.seconds / after : 1;
            const double saved = about.seconds * (1 - 1 / std::max(1.0, advice.speedup));
            if (advice.speedup < kLeastSpeedup || saved < kLeastSeconds) continue;
        }
        worth.push_back(std::move(advice));
    }
    std::stable_sort(worth.begin(), worth.end(), [](const Advice& a, const Advice& b) {
        return a.speedup != b.speedup ? a.speedup > b.speedup : a.saves_bytes > b.saves_bytes;
    });
    if (worth.size() > kMostLinesPerRule) worth.resize(kMostLinesPerRule);
    return worth;
}

}  // namespace

std::span<const AdviceRule> advice_rules() { return kRules; }

const LineProfile* line_of_most(const Case& about, Counter counter) {
    const LineProfile* best = nullptr;
    for (const LineProfile& line : about.lines)
        if (line.counters[counter] > (best == nullptr ? 0 : best->counters[counter])) best = &line;
    return best;
}

std::vector<Advice> advise(const LaunchProfile& launch, const Device& device) {
    if (!launch.observed || !launch.hazards.empty() || launch.counters.empty() || device.sm_count == 0) return {};
    const Case about = case_of(launch, device);
    std::vector<Advice> all;
    for (const AdviceRule& rule : kRules)
        for (Advice& advice : weigh(rule, about)) all.push_back(std::move(advice));
    std::stable_sort(all.begin(), all.end(), [](const Advice& a, const Advice& b) { return a.speedup > b.speedup; });
    if (all.size() > kMostAdvice) all.resize(kMostAdvice);
    return all;
}

}  // namespace tilescope::models
