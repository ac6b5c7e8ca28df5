// Rules about what stays on the SM: banks, constants, shared memory without a use, barriers.
#include <algorithm>
#include <cmath>

#include "scope/models/advice_rules.h"
#include "scope/report/ratios.h"

namespace tilescope::models {
namespace {

using C = Counter;

// Shared memory as good as unused: a tenth of a byte's repetitions is what edges of tiles come to.
constexpr double kNoReuse = 1.1;
// Below a twentieth of the launch's traffic, taking shared memory out changes nothing.
constexpr double kLeastTraffic = 0.05;

std::uint64_t shared_requests(const CounterSet& c) {
    return c[C::kSharedLoadRequests] + c[C::kSharedStoreRequests] + c[C::kSharedAtomicRequests];
}

// The shared array that a line's conflicts lie in: the one that was noted, or the only one there is.
const Variable* array_of(const LaunchProfile& launch, const LineProfile& line) {
    const Variable* only = nullptr;
    std::size_t arrays = 0;
    for (const Variable& variable : launch.variables) {
        constexpr std::uint64_t kScalar = 8;
        if (variable.space != VariableSpace::kShared || variable.bytes <= kScalar) continue;
        if (!line.shared_variable.empty() && variable.name == line.shared_variable) return &variable;
        only = &variable;
        ++arrays;
    }
    return arrays == 1 ? only : nullptr;
}

// What says how to shift an array's elements apart.
AdviceFacts padding_of(const Variable* array, double element_bytes) {
    AdviceFacts facts;
    if (array != nullptr) {
        facts.variable = array->name;
        facts.extents = array->extents;
    }
    facts.figures.set(AdviceFigure::kRowElements,
                      std::floor(kWavefrontBytes / std::max(4.0, std::min(element_bytes, kWavefrontBytes))));
    return facts;
}

}  // namespace

std::vector<Finding> find_bank_conflicts(const Case& about) {
    // Padding that leaves more than half of the conflicts is no remedy.
    constexpr double kRemedy = 0.5;
    Finding finding(about);
    double spared = 0, most = 0;
    for (const LineProfile& line : about.lines) {
        const CounterSet& c = line.counters;
        const std::uint64_t loads = c[C::kSharedLoadBankConflicts], stores = c[C::kSharedStoreBankConflicts];
        if (loads + stores == 0 || c[C::kMatrixLoadRequests] + c[C::kMatrixStoreRequests] != 0) continue;
        const bool is_load = loads >= stores;
        const double requests = as_double(c[is_load ? C::kSharedLoadRequests : C::kSharedStoreRequests]);
        const std::uint64_t left = c[C::kSharedConflictsIfPadded];
        if (requests == 0 || as_double(left) > kRemedy * as_double(loads + stores)) continue;
        const double asked = as_double(c[is_load ? C::kSharedLoadBytesRequested : C::kSharedStoreBytesRequested]);
        const double lanes = requests * about.device.warp_size;
        const double passes = as_double(c[is_load ? C::kSharedLoadWavefronts : C::kSharedStoreWavefronts]);
        const double its = as_double(loads + stores - left);
        finding.at(line, its);
        spared += its;
        if (its <= most) continue;
        most = its;
        finding.facts = padding_of(array_of(about.launch, line), asked / lanes);
        finding.facts.variant = is_load ? AdviceVariant::kLoads : AdviceVariant::kStores;
        finding.facts.figures.set(AdviceFigure::kActual, passes / requests);
        finding.facts.figures.set(AdviceFigure::kIdeal, (passes - as_double(is_load ? loads : stores)) / requests);
    }
    if (spared == 0) return {};
    finding.saves_bytes = kWavefrontBytes * spared;
    finding.change.spare_wavefronts(spared);
    return {std::move(finding)};
}

std::vector<Finding> find_constant_divergence(const Case& about) {
    Finding finding(about);
    double extra = 0, most = 0;
    for (const LineProfile& line : about.lines) {
        const std::uint64_t requests = line.counters[C::kConstantRequests], passes = line.counters[C::kConstantPasses];
        if (passes <= requests || requests == 0) continue;
        const double its = as_double(passes - requests);
        finding.at(line, its);
        extra += its;
        if (its <= most) continue;
        most = its;
        finding.facts.figures.set(AdviceFigure::kActual, as_double(passes) / as_double(requests));
    }
    if (extra == 0) return {};
    constexpr double kWord = 4;  // what a pass brings to the lanes that want it
    finding.saves_bytes = kWord * extra;
    finding.change.spare_constant_passes(extra);
    return {std::move(finding)};
}

// Shared memory pays when it replaces repeated loads or carries bytes from one thread to another. Where the observer
// saw neither, it is a detour. Not so a thread's own array with an index known at run time only, which no register can
// hold, nor what cp.async brings ahead of its use.
std::vector<Finding> find_no_reuse(const Case& about) {
    const LaunchProfile& launch = about.launch;
    if (!launch.tiling || shared_requests(launch.counters) == 0 || launch.shared_reuse.empty()) return {};
    if (launch.tiling->potential() >= kNoReuse || about[C::kAsyncCopyInstructions] != 0) return {};
    for (const SharedReuse& variable : launch.shared_reuse)
        if (variable.read_by_others_bytes != 0 || variable.indexed_at_run_time) return {};
    const double bytes = kWavefrontBytes * about.work.wavefronts;
    if (bytes < kLeastTraffic * as_double(report::traffic_bytes(launch.counters))) return {};
    Finding finding(about);
    const LineProfile* place = line_of_most(about, C::kSharedLoadRequests);
    if (place == nullptr) place = line_of_most(about, C::kSharedStoreRequests);
    if (place != nullptr) finding.at(*place, bytes);
    finding.saves_bytes = bytes;
    finding.change.spare_shared_share(1);
    finding.change.spare_barriers();
    finding.is_effort = true;
    if (launch.tiling->potential() != 1) finding.facts.variant = AdviceVariant::kHardlyAny;
    finding.facts.figures = {{AdviceFigure::kTimes, launch.tiling->potential()},
                             {AdviceFigure::kBarriers, as_double(about[C::kBarriers])}};
    return {std::move(finding)};
}

std::vector<Finding> find_redundant_barriers(const Case& about) {
    const std::uint64_t barriers = about[C::kBarriers];
    if (barriers == 0 || about.launch.threads_meet.value_or(true)) return {};
    Finding finding(about);
    if (const LineProfile* line = line_of_most(about, C::kBarriers)) finding.at(*line, as_double(barriers));
    finding.change.spare_barriers();
    finding.is_effort = true;
    finding.facts.figures.set(AdviceFigure::kBarriers, as_double(barriers));
    return {std::move(finding)};
}

}  // namespace tilescope::models
