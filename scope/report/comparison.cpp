#include "scope/report/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "scope/base/names.h"
#include "scope/report/metrics.h"

namespace tilescope::report {
namespace {

constexpr double kNoise = 1e-3;

std::vector<const LaunchProfile*> counted_launches(const Profile& profile) {
    std::vector<const LaunchProfile*> launches;
    for (const LaunchProfile& launch : profile.launches)
        if (launch.observed) launches.push_back(&launch);
    return launches;
}

std::vector<ComparedFigure> figures(const LaunchProfile& before, const LaunchProfile& after) {
    std::vector<ComparedFigure> all;
    for (std::size_t i = 0; i < kCounterCount; ++i) {
        const auto counter = static_cast<Counter>(i);
        if (is_modelled(counter) && !(before.counters.modelled && after.counters.modelled)) continue;
        const std::uint64_t a = before.counters[counter], b = after.counters[counter];
        if (a != 0 || b != 0)
            all.push_back({info(counter).name, info(counter).unit, static_cast<double>(a), static_cast<double>(b)});
    }
    for (const Ratio& ratio : ratios()) {
        const auto a = ratio.value(before.counters), b = ratio.value(after.counters);
        if (a || b) all.push_back({ratio.name, ratio.unit, a, b});
    }
    for (const Fact& fact : facts()) {
        if (fact.needs_time && !(before.time && after.time)) continue;
        const double a = fact.value(before), b = fact.value(after);
        if (a != 0 || b != 0) all.push_back({fact.name, fact.unit, a, b});
    }
    return all;
}

// Says of each figure when it was not counted.
void mark(const LaunchProfile& before, const LaunchProfile& after, std::vector<ComparedFigure>& figures) {
    for (ComparedFigure& figure : figures) {
        const Metric metric = metric_by_name(figure.name);
        figure.origin = metric.origin(before);
        if (figure.origin.empty()) figure.origin = metric.origin(after);
    }
}

ComparedLaunch pair(const LaunchProfile& before, const LaunchProfile& after) {
    ComparedLaunch compared{before.kernel, {}, before.index, after.index, figures(before, after)};
    mark(before, after, compared.figures);
    if (after.kernel != before.kernel) compared.other_kernel = after.kernel;
    return compared;
}

std::string ordinal(std::size_t number) {
    const std::size_t tens = number % 100, ones = number % 10;
    const char* ending = "th";
    if (tens < 11 || tens > 13) ending = ones == 1 ? "st" : ones == 2 ? "nd" : ones == 3 ? "rd" : "th";
    return std::to_string(number) + ending;
}

// Pairs what carries the same name, in order. Names are held against each other whole where each side has the other's,
// and by their short form otherwise.
template <class A, class B, class Pair>
void match(const std::vector<A>& before, const std::vector<B>& after, Comparison& comparison, const Pair& add) {
    std::set<std::string> known;
    for (const A& launch : before) known.insert(launch->kernel);
    std::set<std::string> shared;
    for (const B& launch : after)
        if (known.count(launch->kernel) != 0) shared.insert(launch->kernel);
    const auto key = [&](const std::string& kernel) {
        return shared.count(kernel) != 0 ? kernel : std::string(short_kernel_name(kernel));
    };
    std::map<std::string, std::vector<const B*>> partners;
    for (const B& launch : after) partners[key(launch->kernel)].push_back(&launch);
    std::map<std::string, std::size_t> used;
    for (const A& launch : before) {
        const std::string name = key(launch->kernel);
        const std::size_t number = used[name]++;
        const auto found = partners.find(name);
        if (found != partners.end() && number < found->second.size())
            comparison.launches.push_back(add(*launch, **found->second[number]));
        else
            comparison.only_before.push_back(launch->kernel + " (" + ordinal(number + 1) + " launch)");
    }
    for (const auto& [name, launches] : partners)
        for (std::size_t i = used[name]; i < launches.size(); ++i)
            comparison.only_after.push_back((*launches[i])->kernel + " (" + ordinal(i + 1) + " launch)");
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

bool ComparedFigure::equal() const {
    if (before.has_value() != after.has_value()) return false;
    if (!before) return true;
    return std::fabs(*before - *after) <= kNoise * std::max(std::fabs(*before), std::fabs(*after));
}

Comparison compare(const Profile& before, const Profile& after) {
    Comparison comparison{before.program + " on " + before.device, after.program + " on " + after.device, {}, {}, {}};
    match(counted_launches(before), counted_launches(after), comparison, pair);
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
        mark(ours, ours, compared.figures);
        return compared;
    });
    return comparison;
}

Result<Comparison> compare_kernels(const Profile& profile, std::string_view one, std::string_view other) {
    const auto matching = [&](std::string_view pattern) {
        std::vector<const LaunchProfile*> launches = counted_launches(profile);
        std::erase_if(launches, [&](const LaunchProfile* launch) {
            return !kernel_matches(pattern, launch->kernel, launch->entry);
        });
        return launches;
    };
    const auto before = matching(one), after = matching(other);
    Diagnostics errors;
    if (before.empty()) errors.push_back(no_kernel(profile, one));
    if (after.empty()) errors.push_back(no_kernel(profile, other));
    if (!errors.empty()) return errors;
    Comparison comparison{std::string(one), std::string(other), {}, {}, {}};
    const std::size_t pairs = std::min(before.size(), after.size());
    for (std::size_t i = 0; i < pairs; ++i) comparison.launches.push_back(pair(*before[i], *after[i]));
    for (std::size_t i = pairs; i < before.size(); ++i)
        comparison.only_before.push_back(before[i]->kernel + " (" + ordinal(i + 1) + " launch)");
    for (std::size_t i = pairs; i < after.size(); ++i)
        comparison.only_after.push_back(after[i]->kernel + " (" + ordinal(i + 1) + " launch)");
    return comparison;
}

}  // namespace tilescope::report
