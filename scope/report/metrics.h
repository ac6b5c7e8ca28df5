// Metrics: everything about a launch that has a name and a value: counters, ratios and facts of the launch itself.
//
// Owns: the list of facts and the look-up over all three. Guarantees: a name has one meaning. Does not model: anything.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "scope/report/profile.h"
#include "scope/report/ratios.h"

namespace tilescope::report {

struct Fact {
    std::string_view name, unit, description;
    double (*figure)(const LaunchProfile&) = nullptr;  // no number where it is not known
    bool needs_time = false;                           // only has a value where a time was modelled
    bool of_registers = false;                         // follows from how many registers a thread has
    std::optional<double> value(const LaunchProfile& launch) const;
};

std::span<const Fact> facts();

// A name that was looked up. Exactly one of the three is set when known() is true.
struct Metric {
    std::optional<Counter> counter;
    const Ratio* ratio = nullptr;
    const Fact* fact = nullptr;

    bool known() const { return counter.has_value() || ratio != nullptr || fact != nullptr; }
    // Whether it only has a value where caches were modelled (CounterSet::modelled).
    bool is_modelled() const {
        return (counter && tilescope::is_modelled(*counter)) || (ratio != nullptr && ratio->modelled) ||
               (fact != nullptr && fact->needs_time);
    }
    // "modelled" or "estimated" where the launch's value is, which is to be said wherever it is shown; "" where it
    // counted.
    std::string_view origin(const LaunchProfile& launch) const;
    // Nothing when the ratio has nothing to divide by, or it was not modelled.
    std::optional<double> value(const LaunchProfile& launch) const;
};

Metric metric_by_name(std::string_view name);

}  // namespace tilescope::report
