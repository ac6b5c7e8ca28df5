#include "scope/views/page/compared_json.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace tilescope::views::page {

using namespace report;
namespace {

double change_of(const ComparedTime& time) { return std::abs(time.before.value_or(0) - time.after.value_or(0)); }

std::uint64_t change_of(const ComparedLine& line) {
    return std::max(line.bytes_before, line.bytes_after) - std::min(line.bytes_before, line.bytes_after);
}

// Those that changed most, in their order.
template <class T, class Change>
void keep_changed(std::vector<T>& list, std::size_t most, std::string_view what, LeftOut& left, Change change) {
    if (list.size() <= most) return;
    std::vector<std::size_t> order(list.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return change(list[a]) > change(list[b]); });
    order.resize(most);
    std::sort(order.begin(), order.end());
    std::vector<T> kept;
    kept.reserve(order.size());
    for (const std::size_t i : order) kept.push_back(std::move(list[i]));
    left.add(what, list.size() - kept.size());
    list = std::move(kept);
}

}  // namespace

Comparison kept_comparison(const Comparison& comparison, const PageLimits& limits, LeftOut& left) {
    Comparison kept = comparison;
    keep_changed(kept.launches, limits.pairs, "more pairs of launches, whose time changed less", left,
                 [](const ComparedLaunch& launch) { return change_of(launch.time); });
    keep_changed(kept.kernels, limits.names, "more kernels in the comparison", left,
                 [](const ComparedKernel& kernel) { return change_of(kernel.time); });
    for (ComparedLaunch& launch : kept.launches) {
        keep_changed(launch.lines, limits.compared_lines, "more lines in the comparison", left,
                     [](const ComparedLine& line) { return change_of(line); });
        keep(launch.hazards, limits.hazards, "more hazards in the comparison", left);
        keep(launch.advice, limits.advice, "more pieces of advice in the comparison", left);
    }
    keep(kept.only_before, limits.names, "more launches that only the first has", left);
    keep(kept.only_after, limits.names, "more launches that only the second has", left);
    keep(kept.hazards, limits.hazards, "more hazards in the comparison", left);
    keep(kept.advice, limits.advice, "more pieces of advice in the comparison", left);
    return kept;
}

}  // namespace tilescope::views::page
