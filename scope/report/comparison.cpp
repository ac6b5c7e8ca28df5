#include "scope/report/comparison.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "scope/base/names.h"
#include "scope/report/compared_launch.h"
#include "scope/report/metrics.h"

namespace tilescope::report {
namespace {

std::vector<const LaunchProfile*> counted_launches(const Profile& profile) {
    std::vector<const LaunchProfile*> launches;
    for (const LaunchProfile& launch : profile.launches)
        if (launch.observed) launches.push_back(&launch);
    return launches;
}

std::string ordinal(std::size_t number) {
    const std::size_t tens = number % 100, ones = number % 10;
    const char* ending = "th";
    if (tens < 11 || tens > 13) ending = ones == 1 ? "st" : ones == 2 ? "nd" : ones == 3 ? "rd" : "th";
    return std::to_string(number) + ending;
}

// How a launch was made; a profiler does not say.
using Shape = std::pair<Dim3, Dim3>;
std::optional<Shape> shape_of(const LaunchProfile& launch) { return Shape{launch.grid, launch.block}; }
std::optional<Shape> shape_of(const MeasuredLaunch&) { return {}; }

// What belongs together, of all launches of one kernel: those of the same shape in order, then the others in order. By
// their places in the lists; of those that have no partner the other place is kNone.
constexpr std::size_t kNone = ~std::size_t{0};
template <class A, class B>
std::vector<std::pair<std::size_t, std::size_t>> partners_of(const std::vector<const A*>& before,
                                                             const std::vector<const B*>& after) {
    std::map<Shape, std::vector<std::size_t>> alike;  // of `after`, the last first
    for (std::size_t j = after.size(); j-- > 0;)
        if (const auto shape = shape_of(*after[j])) alike[*shape].push_back(j);
    std::vector<std::size_t> partners(before.size(), kNone);
    std::vector<bool> taken(after.size(), false);
    const auto take = [&](std::size_t i, std::size_t j) {
        partners[i] = j;
        taken[j] = true;
    };
    for (std::size_t i = 0; i < before.size(); ++i)
        if (const auto shape = shape_of(*before[i]))
            if (const auto found = alike.find(*shape); found != alike.end() && !found->second.empty()) {
                take(i, found->second.back());
                found->second.pop_back();
            }
    std::size_t next = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        while (next < after.size() && taken[next]) ++next;
        if (partners[i] == kNone && next < after.size()) take(i, next);
    }
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0; i < before.size(); ++i) pairs.emplace_back(i, partners[i]);
    for (std::size_t j = 0; j < after.size(); ++j)
        if (!taken[j]) pairs.emplace_back(kNone, j);
    return pairs;
}

// Launches of one kernel, as the program made them.
template <class A, class B>
struct KernelLaunches {
    std::vector<const A*> before;
    std::vector<const B*> after;
};

void add_time(const LaunchProfile& launch, std::optional<double>& sum, std::optional<TimeBound>& bound, double& most) {
    if (!launch.time) return;
    sum = sum.value_or(0) + launch.time->microseconds;
    if (bound && launch.time->microseconds <= most) return;
    most = launch.time->microseconds;
    bound = launch.time->bound;
}
// Of a profiler's launches there is a time where it was asked for.
void add_time(const MeasuredLaunch& launch, std::optional<double>& sum, std::optional<TimeBound>&, double&) {
    for (const MeasuredFigure& figure : launch.figures)
        if (figure.name == "microseconds") sum = sum.value_or(0) + figure.value;
}

template <class Launches>
void add_times(const Launches& launches, std::optional<double>& sum, std::optional<TimeBound>& bound) {
    double most = 0;
    for (const auto* launch : launches) add_time(*launch, sum, bound, most);
}

void count_findings(const LaunchProfile& launch, std::size_t& hazards, std::size_t& advice) {
    hazards += launch.hazards.size() + launch.hazards_passed_over;
    advice += launch.advice.size();
}
void count_findings(const MeasuredLaunch&, std::size_t&, std::size_t&) {}

template <class A, class B>
ComparedKernel kernel_of(const KernelLaunches<A, B>& launches) {
    ComparedKernel kernel;
    kernel.kernel = launches.before.empty() ? launches.after.front()->kernel : launches.before.front()->kernel;
    if (!launches.before.empty() && !launches.after.empty() && launches.after.front()->kernel != kernel.kernel)
        kernel.other_kernel = launches.after.front()->kernel;
    kernel.launches_before = launches.before.size();
    kernel.launches_after = launches.after.size();
    for (const A* launch : launches.before) count_findings(*launch, kernel.hazards_before, kernel.advice_before);
    for (const B* launch : launches.after) count_findings(*launch, kernel.hazards_after, kernel.advice_after);
    add_times(launches.before, kernel.time.before, kernel.time.bound_before);
    add_times(launches.after, kernel.time.after, kernel.time.bound_after);
    return kernel;
}

// Takes in the launches of one kernel.
template <class A, class B, class Pair>
void add_kernel(const KernelLaunches<A, B>& launches, const Pair& pair, Comparison& comparison) {
    comparison.kernels.push_back(kernel_of(launches));
    const auto name = [](const auto& launch, std::size_t place) {
        return launch.kernel + " (" + ordinal(place + 1) + " launch)";
    };
    for (const auto& [before, after] : partners_of(launches.before, launches.after)) {
        if (after == kNone)
            comparison.only_before.push_back(name(*launches.before[before], before));
        else if (before == kNone)
            comparison.only_after.push_back(name(*launches.after[after], after));
        else
            comparison.launches.push_back(pair(*launches.before[before], *launches.after[after]));
    }
}

// What carries the same name. Names are held against each other whole where each side has the other's, and by their
// short form otherwise.
template <class A, class B, class Pair>
void match(const std::vector<const A*>& before, const std::vector<const B*>& after, Comparison& comparison,
           const Pair& pair) {
    std::set<std::string> known, shared;
    for (const A* launch : before) known.insert(launch->kernel);
    for (const B* launch : after)
        if (known.count(launch->kernel) != 0) shared.insert(launch->kernel);
    std::map<std::string, std::size_t> numbers;
    std::vector<KernelLaunches<A, B>> kernels;
    const auto of = [&](const std::string& kernel) -> KernelLaunches<A, B>& {
        const std::string key = shared.count(kernel) != 0 ? kernel : std::string(short_kernel_name(kernel));
        const auto [at, is_new] = numbers.try_emplace(key, kernels.size());
        if (is_new) kernels.emplace_back();
        return kernels[at->second];
    };
    for (const A* launch : before) of(launch->kernel).before.push_back(launch);
    for (const B* launch : after) of(launch->kernel).after.push_back(launch);
    for (const KernelLaunches<A, B>& launches : kernels) add_kernel(launches, pair, comparison);
    // As the first side made them.
    std::stable_sort(comparison.launches.begin(), comparison.launches.end(),
                     [](const ComparedLaunch& a, const ComparedLaunch& b) { return a.before < b.before; });
}

// Of a run: its time line where there is one, and what its kernels take one after the other.
struct ProgramTime {
    std::string_view name;
    std::optional<double> (*of)(const Profile&);
};
constexpr ProgramTime kProgramTimes[] = {
    {"time_line",
     [](const Profile& profile) -> std::optional<double> {
         if (!profile.timeline_totals) return {};
         return profile.timeline_totals->microseconds;
     }},
    {"kernels",
     [](const Profile& profile) -> std::optional<double> {
         std::optional<double> sum;
         for (const LaunchProfile& launch : profile.launches)
             if (launch.observed && launch.time) sum = sum.value_or(0) + launch.time->microseconds;
         return sum;
     }},
    {"copies",
     [](const Profile& profile) -> std::optional<double> {
         std::optional<double> sum;
         for (const Transfer& transfer : profile.transfers)
             if (transfer.microseconds) sum = sum.value_or(0) + *transfer.microseconds;
         return sum;
     }},
    {"host_waits",
     [](const Profile& profile) -> std::optional<double> {
         if (!profile.timeline_totals) return {};
         return profile.timeline_totals->host_waits;
     }},
};

void add_program(const Profile& before, const Profile& after, Comparison& comparison) {
    comparison.device_before = before.device;
    comparison.device_after = after.device;
    for (const ProgramTime& row : kProgramTimes) {
        NamedTime named{row.name, {row.of(before), row.of(after), {}, {}}};
        if (named.time.is_known()) comparison.program.push_back(named);
    }
    compare_host_hazards(before, after, comparison);
    comparison.advice = compare_advice(before.advice, after.advice);
}

Diagnostic no_kernel(const Profile& profile, std::string_view pattern) {
    std::string hint = "kernels there are:";
    std::set<std::string> names;
    for (const LaunchProfile* launch : counted_launches(profile)) names.insert(launch->kernel);
    for (const std::string& name : names) hint += "\n  " + name;
    return error("compare-no-kernel", {}, "no launch matches \"" + std::string(pattern) + "\"",
                 names.empty() ? "the profile has no counted launch" : hint);
}

}  // namespace

Comparison compare(const Profile& before, const Profile& after) {
    Comparison comparison{before.program + " on " + before.device, after.program + " on " + after.device, {}, {}, {}};
    add_program(before, after, comparison);
    match(counted_launches(before), counted_launches(after), comparison, compare_launches);
    return comparison;
}

Comparison compare(const Profile& model, const std::vector<MeasuredLaunch>& measured) {
    Comparison comparison{"tilescope", "profiler", {}, {}, {}};
    std::vector<const MeasuredLaunch*> launches;
    launches.reserve(measured.size());
    for (const MeasuredLaunch& launch : measured) launches.push_back(&launch);
    match(counted_launches(model), launches, comparison, [](const LaunchProfile& ours, const MeasuredLaunch& theirs) {
        ComparedLaunch compared{ours.kernel, {}, ours.index, theirs.index, {}};
        for (const MeasuredFigure& figure : theirs.figures)
            if (const Metric metric = metric_by_name(figure.name); metric.known())
                compared.figures.push_back({figure.name, figure.unit, metric.value(ours), figure.value});
        mark_origins(ours, ours, compared.figures);
        return compared;
    });
    return comparison;
}

Result<Comparison> compare_kernels(const Profile& before, std::string_view one, const Profile& after,
                                   std::string_view other) {
    const auto matching = [](const Profile& profile, std::string_view pattern) {
        std::vector<const LaunchProfile*> launches = counted_launches(profile);
        std::erase_if(launches, [&](const LaunchProfile* launch) {
            return !kernel_matches(pattern, launch->kernel, launch->entry);
        });
        return launches;
    };
    const KernelLaunches<LaunchProfile, LaunchProfile> launches{matching(before, one), matching(after, other)};
    Diagnostics errors;
    if (launches.before.empty()) errors.push_back(no_kernel(before, one));
    if (launches.after.empty()) errors.push_back(no_kernel(after, other));
    if (!errors.empty()) return errors;
    Comparison comparison{std::string(one), std::string(other), {}, {}, {}};
    comparison.device_before = before.device;
    comparison.device_after = after.device;
    add_kernel(launches, compare_launches, comparison);
    return comparison;
}

}  // namespace tilescope::report
