#include "scope/models/advice.h"

#include <algorithm>
#include <cmath>

#include "scope/models/advice_rules.h"

namespace tilescope::models {
namespace {

using Finder = AdviceRule::Finder;

constexpr Finder kFinders[] = {
    {find_uncoalesced},       {find_tiles},         {find_bank_conflicts},      {find_atomics},
    {find_local_arrays},      {find_spills},        {find_constant_divergence}, {find_low_occupancy},
    {find_divergence},        {find_partial_warps}, {find_tiny_grid},           {find_no_reuse},
    {find_redundant_barriers}};

constexpr AdviceRule kRules[] = {
    {"coalesce", "global requests that touch more sectors than their bytes need", &kFinders[0]},
    {"tile", "bytes of global memory that a block asks for several times", &kFinders[1]},
    {"pad", "shared requests whose lanes meet in a bank", &kFinders[2]},
    {"atomics", "atomics that take turns", &kFinders[3]},
    {"local", "arrays of a thread that lie in local memory", &kFinders[4]},
    {"spills", "values kept in local memory for want of registers", &kFinders[5]},
    {"constant", "loads from constant memory at more than one address a warp", &kFinders[6]},
    {"occupancy", "too few warps on an SM to keep memory busy", &kFinders[7]},
    {"divergence", "lanes idle because a branch sent them another way", &kFinders[8]},
    {"partial-warps", "lanes idle because the block has no thread for them", &kFinders[9]},
    {"grid", "fewer blocks than would occupy a quarter of the SMs", &kFinders[10]},
    {"no-reuse", "shared memory that no other thread reads, for data without reuse", &kFinders[11]},
    {"barriers", "barriers in a kernel without shared memory", &kFinders[12]},
};
static_assert(std::size(kFinders) == std::size(kRules));

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
    for (Finding& finding : rule.finder->find(about)) {
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
