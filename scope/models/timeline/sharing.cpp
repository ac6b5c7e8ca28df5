#include "scope/models/timeline/sharing.h"

#include <algorithm>
#include <numeric>

namespace tilescope::models {

Shares shares_of(const TimeProfile& time, double spread) {
    using enum TimeBound;
    const TimeParts& all = time.breakdown;
    const double running = time.microseconds - all[kLaunch] - all[kImbalance];
    if (running <= 0) return {};
    const auto share = [&](std::initializer_list<TimeBound> parts, double of) {
        double microseconds = 0;
        for (const TimeBound part : parts) microseconds += all[part];
        return std::min(1.0, microseconds / running) * of;
    };
    return {share({kIssue, kFp32, kInteger, kFp64, TimeBound::kSpecial, TimeBound::kTensor}, spread),
            share({kL1, kConstant, kWrites}, spread), share({kL2, kAtomics}, 1), share({kDram}, 1)};
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
