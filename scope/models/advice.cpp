#include "scope/models/advice.h"

#include <algorithm>
#include <cmath>

#include "scope/models/advice_program.h"
#include "scope/models/advice_rules.h"
#include "scope/models/time/launch_time.h"

namespace tilescope::models {
namespace {

constexpr AdviceRule kRules[] = {
    {AdviceKind::kCoalesce, "global requests that touch more sectors than their bytes need", &find_uncoalesced},
    {AdviceKind::kAlignment, "structures whose parts are requested one by one", &find_split_structures},
    {AdviceKind::kHalfLines, "lines of which half is never requested", &find_half_lines},
    {AdviceKind::kTile, "bytes of global memory that several threads of a block request", &find_tiles},
    {AdviceKind::kRegister, "elements that one thread requests repeatedly", &find_registers},
    {AdviceKind::kPad, "shared-memory requests with bank conflicts", &find_bank_conflicts},
    {AdviceKind::kAtomics, "atomics serialized at one address", &find_atomics},
    {AdviceKind::kSharedAtomics, "shared-memory atomics serialized at one address", &find_shared_atomics},
    {AdviceKind::kFp64, "single-precision values that are computed in double precision", &find_stray_doubles},
    {AdviceKind::kLocal, "per-thread arrays in local memory", &find_local_arrays},
    {AdviceKind::kSpills, "register spills to local memory", &find_spills},
    {AdviceKind::kConstant, "constant-memory loads with several addresses per request", &find_constant_divergence},
    {AdviceKind::kOccupancy, "too few warps per SM to hide memory latency", &find_low_occupancy},
    {AdviceKind::kDivergence, "lanes that idle because of divergent branches", &find_divergence},
    {AdviceKind::kPartialWarps, "lanes that idle because the block size is not a multiple of the warp size",
     &find_partial_warps},
    {AdviceKind::kGrid, "fewer blocks than SMs", &find_tiny_grid},
    {AdviceKind::kInFlight, "threads that wait for each load before they issue the next", &find_few_in_flight},
    {AdviceKind::kImbalance, "a block or a warp that runs after all others have finished", &find_imbalance},
    {AdviceKind::kNoReuse, "shared memory that no other thread reads, for data without reuse", &find_no_reuse},
    {AdviceKind::kBarriers, "barriers in a kernel whose threads exchange no data", &find_redundant_barriers},
    {AdviceKind::kTexture, "texture fetches that loads, a CUDA array or hardware filtering could replace",
     &find_texture_ways},
    {AdviceKind::kSwizzle, "bank conflicts of ldmatrix and stmatrix", &find_matrix_conflicts},
    {AdviceKind::kTensor, "matrix products that tensor cores could compute", &find_products},
};

constexpr ProgramRule kProgramRules[] = {
    {AdviceKind::kCopies, "redundant copies to the device, and copies of pageable memory"},
    {AdviceKind::kSmallLaunch, "consecutive launches with more launch overhead than work"},
};

Case case_of(const LaunchProfile& launch, const Device& device) {
    Case about{launch, device, work_of(launch), 0, launch_time(device, launch), launch.lines, 1, 1};
    about.seconds = seconds(about.work, device);
    // One line of source is many of PTX: what rules ask of a line, those do not tell.
    std::erase_if(about.lines, [](const LineProfile& line) { return line.from == LinesFrom::kPtx; });
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

// Sectors between SMs and L2.
double moved_sectors(const CounterSet& c) {
    double sectors = 0;
    for (const Counter counter : {Counter::kL2ReadSectors, Counter::kL2WriteSectors, Counter::kGlobalAtomicSectors,
                                  Counter::kGlobalReductionSectors})
        sectors += as_double(c[counter]);
    return sectors;
}

double saved_bytes(const Case& about, const Finding& finding) {
    if (!about.launch.counters.modelled) return std::max(0.0, finding.saves_bytes);
    const double moved = moved_sectors(about.launch.counters), left = moved_sectors(finding.change.launch().counters);
    return kSectorBytes * std::max(0.0, moved - left);
}

// The lines that a finding is about: the first names the place, a few more are told beside it.
void place(Finding& finding, Advice& advice) {
    constexpr std::size_t kMoreLines = 4;
    std::stable_sort(finding.places.begin(), finding.places.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    if (finding.places.empty()) return;
    advice.file = finding.places.front().second->file;
    advice.line = finding.places.front().second->line;
    for (std::size_t i = 1; i < finding.places.size() && finding.facts.lines.size() < kMoreLines; ++i) {
        const LineProfile& line = *finding.places[i].second;
        const bool weighs = finding.places[i].first >= kLeastShare * finding.places.front().first;
        if (line.file == advice.file && line.line != 0 && weighs) finding.facts.lines.push_back(line.line);
    }
}

// Of a launch's time, spent on launching: its blocks have hardly anything to do.
constexpr double kMostlyLaunch = 0.5;

// Whether a finding is worth saying, with what it is worth.
bool weigh(const Case& about, Finding& finding, Advice& advice) {
    const Work after = work_of(finding.change.launch());
    const double left = seconds(after, about.device);
    const double by_bounds = finding.speedup > 0 ? finding.speedup : left > 0 ? about.seconds / left : 1;
    const double bound_seconds = about.seconds * (1 - 1 / std::max(1.0, by_bounds));
    advice.saves_bytes = static_cast<std::uint64_t>(std::llround(saved_bytes(about, finding)));
    advice.saves_microseconds = saved_microseconds(about, finding);
    if (advice.saves_microseconds) {
        const double all = about.time->microseconds, saved = *advice.saves_microseconds;
        advice.speedup = saved < all ? all / (all - saved) : 1;
        if (saved >= finding.least_share * all && saved >= 1e6 * kSeenSeconds) return true;
    } else {
        advice.speedup = std::max(1.0, by_bounds);
        if (by_bounds >= kLeastSpeedup && bound_seconds >= kSeenSeconds) return true;
    }
    // What cannot be seen of this launch is told of a full device; effort is worth telling all the same.
    const bool is_small = !about.time || about.share_of(TimeBound::kLaunch) >= kMostlyLaunch;
    const bool is_more_when_full = is_small && by_bounds >= kLeastSpeedup &&
                                   add_full_size(about, bound_seconds, finding.saves_bytes, finding.facts.figures);
    if (is_more_when_full ||
        (!advice.saves_microseconds && by_bounds >= kLeastSpeedup && bound_seconds >= kLeastSeconds))
        return true;
    if (!finding.is_effort) return false;
    advice.speedup = 1;
    if (advice.saves_microseconds) advice.saves_microseconds = 0;
    return true;
}

}  // namespace

std::span<const AdviceRule> advice_rules() { return kRules; }
std::span<const ProgramRule> program_rules() { return kProgramRules; }

double Case::warps() const {
    const auto lanes = static_cast<double>(device.warp_size);
    return as_double(blocks) * std::ceil(as_double(threads) / lanes);
}

double Case::share_of(TimeBound bound) const {
    return time && time->microseconds > 0 ? time->breakdown[bound] / time->microseconds : 0;
}

const LineProfile* line_of_most(const Case& about, Counter counter) {
    const LineProfile* best = nullptr;
    for (const LineProfile& line : about.lines)
        if (line.counters[counter] > (best == nullptr ? 0 : best->counters[counter])) best = &line;
    return best;
}

std::optional<double> saved_microseconds(const Case& about, const Finding& finding) {
    if (!about.time) return {};
    const std::optional<double> then =
        finding.then ? finding.then : changed_microseconds(about.device, about.launch, finding.change.launch());
    if (!then) return {};
    return std::clamp(about.time->microseconds - *then, 0.0, about.time->microseconds);
}

std::vector<Advice> advise(const LaunchProfile& launch, const Device& device) {
    if (!launch.observed || !launch.hazards.empty() || launch.counters.empty() || device.sm_count == 0) return {};
    const Case about = case_of(launch, device);
    std::vector<Advice> all;
    for (const AdviceRule& rule : kRules)
        for (Finding& finding : rule.find(about)) {
            Advice advice;
            advice.rule = rule.kind;
            place(finding, advice);
            if (!weigh(about, finding, advice)) continue;
            advice.facts = std::move(finding.facts);
            all.push_back(std::move(advice));
        }
    std::stable_sort(all.begin(), all.end(), [](const Advice& a, const Advice& b) { return a.speedup > b.speedup; });
    if (all.size() > kMaxAdvice) all.resize(kMaxAdvice);
    return all;
}

}  // namespace tilescope::models
