#include "scope/models/timeline/sharing.h"

#include <algorithm>
#include <numeric>

namespace tilescope::models {

Shares shares_of(const TimeProfile& time, double spread) {
    const TimeBreakdown& all = time.breakdown;
    const double running = time.microseconds - all.launch - all.imbalance;
    if (running <= 0) return {};
    const auto share = [&](double microseconds, double of) { return std::min(1.0, microseconds / running) * of; };
    return {share(all.issue + all.fp32 + all.integer + all.fp64 + all.special, spread),
            share(all.l1 + all.constant + all.writes, spread), share(all.l2 + all.atomics, 1), share(all.dram, 1)};
}

std::vector<double> paces(const std::vector<Shares>& running) {
    std::vector<double> paces(running.size(), 1.0);
    std::vector<std::size_t> order(running.size());
    for (unsigned what = 0; what < kShared; ++what) {
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(),
                  [&](std::size_t a, std::size_t b) { return running[a][what] < running[b][what]; });
        double left = 1;
        for (std::size_t i = 0; i < order.size(); ++i) {
            const double wanted = running[order[i]][what];
            const double given = std::min(wanted, left / static_cast<double>(order.size() - i));
            left -= given;
            if (wanted > 0) paces[order[i]] = std::min(paces[order[i]], given / wanted);
        }
    }
    return paces;
}

}  // namespace tilescope::models
