#include "scope/models/advice.h"

#include <algorithm>
#include <cmath>

#include "scope/models/advice_rules.h"
#include "scope/models/time/launch_time.h"

namespace tilescope::models {
namespace {

constexpr AdviceRule kRules[] = {
    {AdviceKind::kCoalesce, "global requests that touch more sectors than their bytes need", &find_uncoalesced},
    {AdviceKind::kTile, "bytes of global memory that several threads of a block ask for", &find_tiles},
    {AdviceKind::kRegister, "elements of global memory that one thread asks for again and again", &find_registers},
    {AdviceKind::kPad, "shared requests whose lanes meet in a bank", &find_bank_conflicts},
    {AdviceKind::kAtomics, "atomics that take turns at an address", &find_atomics},
    {AdviceKind::kFp64, "single-precision values that are computed with in double precision", &find_stray_doubles},
    {AdviceKind::kLocal, "arrays of a thread that lie in local memory", &find_local_arrays},
    {AdviceKind::kSpills, "values kept in local memory for want of registers", &find_spills},
    {AdviceKind::kConstant, "loads from constant memory at more than one address a warp", &find_constant_divergence},
    {AdviceKind::kOccupancy, "too few warps on an SM to keep memory busy", &find_low_occupancy},
    {AdviceKind::kDivergence, "lanes idle because a branch sent them another way", &find_divergence},
    {AdviceKind::kPartialWarps, "lanes idle because the block has no thread for them", &find_partial_warps},
    {AdviceKind::kGrid, "fewer blocks than would occupy a quarter of the SMs", &find_tiny_grid},
    {AdviceKind::kNoReuse, "shared memory that no other thread reads, for data without reuse", &find_no_reuse},
    {AdviceKind::kBarriers, "barriers in a kernel whose threads hand each other nothing", &find_redundant_barriers},
};

Case case_of(const LaunchProfile& launch, const Device& device) {
    Case about{launch, device, work_of(launch), 0, launch_time(device, launch), launch.lines, 1, 1};
    about.seconds = seconds(about.work, device);
    if (about.lines.empty()) about.lines.push_back({{}, 0, launch.counters, launch.tiling});
    for (const std::uint32_t extent : launch.grid) about.blocks *= extent;
    for (const std::uint32_t extent : launch.block) about.threads *= extent;
    return about;
}

// Adds what a saving comes to on a full device, where it is too small to be seen in a launch that leaves the device
// half empty. False where it would be as small on a device that is full.
bool add_full_size(const Case& about, double saved_seconds, double saved_bytes, AdviceFigures& figures) {
    const std::uint64_t full =
        std::uint64_t{occupancy(about.device, resources_of(about)).blocks_per_sm} * about.device.sm_count;
    const double times = as_double(full) / as_double(about.blocks);
    constexpr double kWorthTelling = kSeenSeconds / 2;  // 0.1 microseconds
    if (times <= 1 || saved_seconds * times < kWorthTelling) return false;
    figures.set(AdviceFigure::kBlocks, as_double(about.blocks));
    figures.set(AdviceFigure::kFullBlocks, as_double(full));
    if (saved_bytes > 0) figures.set(AdviceFigure::kFullBytes, saved_bytes * times);
    figures.set(AdviceFigure::kFullMicroseconds, 1e6 * (saved_seconds * times));
    return true;
}

// One rule's findings that are worth it, the best lines only.
std::vector<Advice> weigh(const AdviceRule& rule, const Case& about) {
    std::vector<Advice> worth;
    for (Finding& finding : rule.find(about)) {
        Advice advice{rule.kind, finding.file, finding.line, 0, finding.speedup};
        advice.saves_bytes = static_cast<std::uint64_t>(std::llround(std::max(0.0, finding.saves_bytes)));
        const double after = seconds(finding.after, about.device);
        if (finding.speedup == 0) advice.speedup = after > 0 ? about.seconds / after : 1;
        if (finding.is_effort) {
            if (advice.speedup < kLeastSpeedup) advice.speedup = 1;
        } else {
            const double saved = about.seconds * (1 - 1 / std::max(1.0, advice.speedup));
            if (advice.speedup < kLeastSpeedup) continue;
            const bool is_more_when_full =
                saved < kSeenSeconds && add_full_size(about, saved, finding.saves_bytes, finding.facts.figures);
            if (saved < kLeastSeconds && !is_more_when_full) continue;
        }
        advice.saves_microseconds = saved_microseconds(about, finding);
        advice.facts = std::move(finding.facts);
        worth.push_back(std::move(advice));
    }
    std::stable_sort(worth.begin(), worth.end(), [](const Advice& a, const Advice& b) {
        return a.speedup != b.speedup ? a.speedup > b.speedup : a.saves_bytes > b.saves_bytes;
    });
    if (worth.size() > kMaxLinesPerRule) worth.resize(kMaxLinesPerRule);
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
    if (all.size() > kMaxAdvice) all.resize(kMaxAdvice);
    return all;
}

}  // namespace tilescope::models
