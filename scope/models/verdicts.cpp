#include "scope/models/verdicts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "scope/report/ratios.h"
#include "scope/report/reuse.h"

namespace tilescope::models {
namespace {

using C = Counter;

// Of requests, from where on more than the ideal is a fault: what unaligned ends and edges come to is none.
constexpr double kPoorRequest = 1.25;
constexpr double kPoorConstantHits = 0.5;
constexpr double kNearlyAllLanes = 0.9;
constexpr std::uint64_t kBranchesPerDivergent = 20;
constexpr double kHighOccupancy = 0.75;  // beyond, more warps rarely make a difference
constexpr double kTypeNamed = 0.1;  // a division of doubles ends in a check in single precision: nobody's arithmetic
constexpr double kPaddingSeen = 0.01;
constexpr double kFills = 0.5;  // of a tile that a line loads, else it is no load of a tile
constexpr double kSameWork = 0.02, kSameIntensity = 0.05, kLeastGain = 0.1;
constexpr std::size_t kLaunchesOfCurve = 3;
constexpr double kDifferenceOfCurve = 0.1;
constexpr double kShareSeen = 0.01, kShareMost = 0.6, kExplains = 0.1;
constexpr double kNearPeak = 0.6;  // where hardware's queues begin to show; a profiler calls it high from there on, too
constexpr double kPartSeen = 0.05, kMostOfTheLine = 0.5;
constexpr double kLeastMicroseconds = 0.1;  // below, the model tells nothing

double as_double(std::uint64_t count) { return static_cast<double>(count); }

Verdict judged(bool is_poor, Why why) { return is_poor ? Verdict{Grade::kPoor, why} : Verdict{Grade::kGood}; }

}  // namespace

std::string_view name_of(Grade grade) {
    static constexpr std::array<std::string_view, 3> kNames = {"none", "good", "poor"};
    return kNames[static_cast<std::size_t>(grade)];
}

std::string_view name_of(Why why) {
    static constexpr std::array<std::string_view, 7> kNames = {
        "none", "scattered", "banks-meet", "addresses-differ", "constants-miss", "lanes-idle", "branches-part"};
    return kNames[static_cast<std::size_t>(why)];
}

Verdict sectors_verdict(double each, double ideal) {
    if (ideal <= 0) return {};
    return judged(each > kPoorRequest * ideal, Why::kScattered);
}

bool is_line_left(std::uint64_t sectors, std::uint64_t lines, std::uint64_t requests) {
    constexpr std::uint64_t kSpread = 2, kMostOfFour = 3;  // lines of a request; sectors of a line
    return lines >= kSpread * requests && sectors < kMostOfFour * lines;
}

Verdict bank_verdict(std::uint64_t conflicts) { return judged(conflicts != 0, Why::kBanksMeet); }

Verdict constant_verdict(double passes_per_request) {
    return judged(passes_per_request > kPoorRequest, Why::kAddressesDiffer);
}

Verdict constant_cache_verdict(double hit_rate) { return judged(hit_rate < kPoorConstantHits, Why::kConstantsMiss); }

Verdict lanes_verdict(const CounterSet& c) {
    const auto active = report::ratio_by_name("lane_efficiency")->value(c);
    if (!active) return {};
    if (*active < kNearlyAllLanes) return {Grade::kPoor, Why::kLanesIdle};
    if (kBranchesPerDivergent * c[C::kDivergentBranches] > c[C::kBranches]) return {Grade::kNone, Why::kBranchesPart};
    return {Grade::kGood};
}

ReuseVerdict reuse_verdict(const LaunchProfile& launch) {
    if (!launch.tiling || launch.tiling->unique_bytes_per_block == 0) return ReuseVerdict::kUnknown;
    const Tiling& tiling = *launch.tiling;
    if (tiling.potential() == 1) return ReuseVerdict::kNone;
    if (tiling.potential() <= kAskedAgain) return ReuseVerdict::kLittle;
    if (tiling.between_threads() <= kAskedAgain)
        return tiling.register_share > kAskedAgain - 1 ? ReuseVerdict::kOwnInRegisters : ReuseVerdict::kOwn;
    return report::asked_again(launch, kAskedAgain).alike ? ReuseVerdict::kEven : ReuseVerdict::kUneven;
}

LaunchBinding binding_of(const TimeProfile& time) {
    LaunchBinding binding{kind_of(time.bound), time.bound};
    binding.microseconds = time.microseconds;
    binding.share = time.microseconds > 0 ? time.breakdown[time.bound] / time.microseconds : 0;
    binding.next_bound = time.next_bound;
    binding.next_microseconds = time.next_microseconds;
    binding.fewer_bytes_help =
        time.bound == TimeBound::kDram || time.bound == TimeBound::kL2 || time.bound == TimeBound::kL1;
    return binding;
}

bool does_ridge_decide(const LaunchProfile& launch, bool is_beyond) {
    if (!launch.time) return true;
    return is_beyond == (kind_of(launch.time->bound) == BoundKind::kCompute);
}

bool is_occupancy_low(double occupancy) { return occupancy <= kHighOccupancy; }

bool is_worth_naming(std::uint64_t flop, std::uint64_t all) { return as_double(flop) >= kTypeNamed * as_double(all); }

bool is_padding_seen(std::uint64_t padded, std::uint64_t all) {
    return as_double(padded) >= kPaddingSeen * as_double(all);
}

double unfilled_share(const LaunchProfile& launch) {
    std::uint64_t loaded = 0, written = 0;
    for (const LineProfile& line : launch.lines) {
        // A load and the store of what it brought are one line of a source, and two of PTX.
        if (line.from == LinesFrom::kPtx) return 0;
        const std::uint64_t in = line.counters[C::kGlobalLoadBytesRequested];
        const std::uint64_t out = line.counters[C::kSharedStoreBytesRequested];
        if (in >= out || as_double(in) < kFills * as_double(out)) continue;
        loaded += in;
        written += out;
    }
    if (written == 0) return 0;
    const double share = as_double(written - loaded) / as_double(written);
    return share < kPaddingSeen ? 0 : share;
}

double intensity_gain(const LaunchProfile& launch, const LaunchProfile& first) {
    const report::Ratio& intensity = *report::ratio_by_name("intensity");
    const auto its = intensity.value(launch.counters), other = intensity.value(first.counters);
    const double work = as_double(report::flop(launch.counters)), base = as_double(report::flop(first.counters));
    if (!its || !other || *other <= 0 || std::abs(work - base) > kSameWork * base) return 0;
    const double gain = *its / *other;
    return std::abs(gain - 1) < kSameIntensity || gain < kLeastGain ? 0 : gain;
}

bool is_worth_curve(std::size_t launches, double difference) {
    return launches >= kLaunchesOfCurve && difference >= kDifferenceOfCurve;
}

bool is_share_seen(double share) { return share >= kShareSeen; }
bool is_share_most(double share) { return share >= kShareMost; }

bool is_worth_reasons(std::uint64_t its_misses, std::uint64_t its_first_touches, std::uint64_t all_misses) {
    if (its_misses == all_misses) return false;
    const double part = all_misses == 0 ? 0 : as_double(its_misses) / as_double(all_misses);
    const double needed = its_misses == 0 ? 0 : as_double(its_first_touches) / as_double(its_misses);
    return part >= kExplains && needed < 1 - kExplains;
}

bool is_near_peak(double share) { return share >= kNearPeak; }
bool is_part_seen(double share) { return share >= kPartSeen; }

std::string_view name_of(ProgramRuler ruler) {
    static constexpr std::string_view kNames[] = {"kernels", "copies", "pages", "idle"};
    return kNames[static_cast<std::size_t>(ruler)];
}

std::optional<std::array<ProgramPart, 4>> program_parts(const Profile& profile) {
    if (!profile.timeline_totals || profile.timeline_totals->microseconds <= 0) return {};
    const TimelineTotals& line = *profile.timeline_totals;
    if (line.until) return {};  // no shares of a part of the program
    double kernels = line.kernels, idle = line.microseconds - line.kernels - line.copies + line.hidden, pages = 0;
    if (profile.pages) {
        const PageMoves& moves = profile.pages->total;
        const double of_device = std::min(kernels, moves.device_stall_microseconds);
        const double of_host = std::clamp(moves.host_stall_microseconds, 0.0, std::max(0.0, idle));
        kernels -= of_device;
        idle -= of_host;
        pages = of_device + of_host;
    }
    return std::array<ProgramPart, 4>{{{ProgramRuler::kKernels, kernels},
                                       {ProgramRuler::kCopies, line.copies - line.hidden},
                                       {ProgramRuler::kPages, pages},
                                       {ProgramRuler::kIdle, idle}}};
}

std::optional<ProgramVerdict> program_verdict(const Profile& profile) {
    const auto parts = program_parts(profile);
    if (!parts) return {};
    const ProgramPart most = *std::max_element(parts->begin(), parts->end(), [](const auto& one, const auto& other) {
        return one.microseconds < other.microseconds;
    });
    const double share = most.microseconds / profile.timeline_totals->microseconds;
    if (share < kMostOfTheLine) return {};
    return ProgramVerdict{most.what, most.microseconds, share, parts->front().microseconds};
}

bool promises_speed(const Advice& advice) { return advice.speedup > 1; }

bool tells_time(const Advice& advice) {
    return advice.saves_microseconds && *advice.saves_microseconds >= kLeastMicroseconds;
}

}  // namespace tilescope::models
