#include "scope/views/document/launch_curves.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "scope/base/names.h"
#include "scope/models/verdicts.h"
#include "scope/report/ratios.h"

namespace tilescope::views {
namespace {

constexpr std::size_t kMostCurves = 4;  // geometry: kernels of a run that are drawn
constexpr double kPercent = 100;        // geometry: of a whole

struct Launches {
    std::string kernel;
    std::size_t order = 0;
    std::vector<std::pair<double, const LaunchProfile*>> list;  // by their numbers
};

// Of the launches that have this ratio, in per cent; nothing where they hardly differ.
report::Curve curve_of(const Launches& launches, const char* ratio, const char* name) {
    report::Curve curve;
    curve.name = name;
    double least = 1, most = 0;
    for (const auto& [number, launch] : launches.list) {
        const auto share = report::ratio_by_name(ratio)->value(launch->counters);
        if (!share) continue;
        curve.points.emplace_back(number, *share * kPercent);
        least = std::min(least, *share);
        most = std::max(most, *share);
    }
    if (!models::is_worth_curve(curve.points.size(), most - least)) curve.points.clear();
    return curve;
}

}  // namespace

std::vector<report::Chart> launch_curves(const Profile& profile) {
    using Key = std::tuple<std::string, Dim3, Dim3, std::uint64_t>;
    std::map<Key, Launches> kernels;
    for (std::size_t i = 0; i < profile.launches.size(); ++i) {
        const LaunchProfile& launch = profile.launches[i];
        if (!launch.observed || !launch.counters.modelled || launch.folded > 1) continue;
        Launches& launches = kernels[{launch.entry, launch.grid, launch.block, launch.dynamic_shared_bytes}];
        if (launches.list.empty()) launches.order = i;
        launches.kernel = launch.kernel;
        // One that came out like the one before says nothing new.
        if (launches.list.empty() || launches.list.back().second->counters.values != launch.counters.values)
            launches.list.emplace_back(profile.launches.marks(i).index, &launch);
    }
    std::vector<const Launches*> order;
    order.reserve(kernels.size());
    for (const auto& [key, launches] : kernels) order.push_back(&launches);
    std::sort(order.begin(), order.end(), [](const Launches* a, const Launches* b) { return a->order < b->order; });
    std::vector<report::Chart> charts;
    for (const Launches* launches : order) {
        report::Chart chart;
        for (report::Curve& curve :
             std::vector{curve_of(*launches, "l1_hit_rate", "L1"), curve_of(*launches, "l2_hit_rate", "L2")})
            if (!curve.points.empty()) chart.curves.push_back(std::move(curve));
        if (chart.curves.empty()) continue;
        chart.title = std::string(short_kernel_name(launches->kernel)) + ": what its caches have, launch by launch";
        chart.x = {"launch", false, launches->list.front().first, launches->list.back().first};
        chart.y = {"hits, % (modeled)", false, 0, kPercent};
        charts.push_back(std::move(chart));
        if (charts.size() == kMostCurves) break;
    }
    return charts;
}

}  // namespace tilescope::views
