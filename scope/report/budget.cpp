#include "scope/report/budget.h"

#include <algorithm>
#include <optional>

#include "scope/base/names.h"
#include "scope/report/format.h"
#include "scope/report/metrics.h"

namespace tilescope::report {

Result<Budget> parse_budget(std::string_view text) {
    Budget budget;
    budget.text = std::string(text);
    // The last colon, for kernels have "::" in their names and expressions have none.
    const std::size_t colon = text.rfind(':');
    const std::string hint = "write 'KERNEL: EXPR', such as 'tiled*: global_load_sectors_per_request <= 4'";
    if (colon == std::string_view::npos)
        return error("budget-syntax", {"--budget", 1, 1}, "this names no kernel", hint);
    std::string_view kernel = text.substr(0, colon);
    while (!kernel.empty() && (kernel.back() == ' ' || kernel.back() == '\t')) kernel.remove_suffix(1);
    while (!kernel.empty() && (kernel.front() == ' ' || kernel.front() == '\t')) kernel.remove_prefix(1);
    if (kernel.empty()) return error("budget-syntax", {"--budget", 1, 1}, "this names no kernel", hint);
    budget.kernel = std::string(kernel);
    ExpressionRules rules;
    rules.place = {"--budget", 1, static_cast<std::uint32_t>(colon + 2)};
    rules.code = "budget-syntax";
    rules.condition = true;
    rules.metrics_only = true;
    auto condition = parse_expression(text.substr(colon + 1), rules);
    if (!condition) return condition.errors();
    budget.condition = std::move(*condition);
    return budget;
}

namespace {

// Facts of which a launch has no figure although a number stands there: spills where nobody told them, what fits on an
// SM of a device that is not known.
bool is_told(const Metric& metric, const LaunchProfile& launch) {
    if (metric.fact == nullptr) return true;
    const std::string_view name = metric.fact->name;
    if (name.starts_with("spill_")) return launch.registers_from != RegistersFrom::kEstimate;
    const bool is_residency = name == "blocks_per_sm" || name == "warps_per_sm" || name == "occupancy";
    return !is_residency || launch.blocks_per_sm != 0;
}

// Why the launch has no value of this name.
std::string why_missing(const std::string& name, const LaunchProfile& launch) {
    const Metric metric = metric_by_name(name);
    const bool has_model = metric.fact != nullptr ? launch.time.has_value() : launch.counters.modelled;
    if (metric.is_modelled() && !has_model) return "run it with --caches on and without --sample";
    if (metric.fact != nullptr && name.starts_with("spill_")) return "only machine code or ptxas tells it";
    if (metric.fact != nullptr) return "the device is not known here";
    return "it did nothing that this is a share of; 'COUNTER == 0 || ...' allows that";
}

Diagnostic cannot_tell(const Budget& budget, std::uint32_t index, const LaunchProfile& launch,
                       const std::vector<std::string>& missing) {
    const std::string of = "launch " + std::to_string(index) + ", " + launch.kernel;
    std::string why = of + " divides by zero there";
    if (!missing.empty()) why = of + " has no " + missing.front() + ": " + why_missing(missing.front(), launch);
    return error("budget-no-value", {}, "cannot be checked: " + budget.text, why);
}

Diagnostic not_matched(const Budget& budget, const Profile& profile) {
    std::vector<std::string> kernels;
    for (const LaunchProfile& launch : profile.launches)
        if (launch.observed && std::find(kernels.begin(), kernels.end(), launch.kernel) == kernels.end())
            kernels.push_back(launch.kernel);
    std::string known;
    for (const std::string& kernel : kernels) known += (known.empty() ? "" : "; ") + kernel;
    return error("budget-unmatched", {}, "no counted launch matches the kernel of budget: " + budget.text,
                 known.empty() ? "no launch was counted" : "kernels that ran: " + known);
}

BudgetResult check_budget(const Budget& budget, const Profile& profile, Diagnostics& diagnostics) {
    BudgetResult result;
    result.budget = budget.text;
    std::uint32_t index = 0;
    const auto note = [&](const LaunchProfile& launch, const std::string& values) {
        result.launch = index;
        result.kernel = launch.kernel;
        result.values = values;
    };
    for (std::size_t i = 0; i < profile.launches.size(); ++i) {
        const LaunchProfile& launch = profile.launches[i];
        index = profile.launches.marks(i).index;
        if (!launch.observed || !kernel_matches(budget.kernel, launch.kernel, launch.entry)) continue;
        ++result.launches;
        std::string values;
        std::vector<std::string> missing;
        const std::optional<bool> kept = keeps(budget, launch, &values, &missing);
        if (!kept && result.verdict == BudgetVerdict::kKept) {
            result.verdict = BudgetVerdict::kNoValue;
            note(launch, values);
            diagnostics.push_back(cannot_tell(budget, index, launch, missing));
        }
        if (kept.value_or(true)) continue;
        if (result.broken++ == 0) note(launch, values);
        result.verdict = BudgetVerdict::kBroken;
        diagnostics.push_back(error("budget-broken", {}, "budget broken: " + budget.text,
                                    "launch " + std::to_string(index) + ", " + launch.kernel + ": " + values));
    }
    if (result.launches == 0) {
        result.verdict = BudgetVerdict::kNoLaunch;
        diagnostics.push_back(not_matched(budget, profile));
    }
    return result;
}

}  // namespace

std::optional<bool> keeps(const Budget& budget, const LaunchProfile& launch, std::string* values,
                          std::vector<std::string>* missing) {
    std::vector<std::string_view> named;
    const auto value_of = [&](const Reference& reference) -> Result<Value> {
        const std::string& name = reference.front().text;
        const Metric metric = metric_by_name(name);
        std::optional<double> value = metric.value(launch);
        if (!is_told(metric, launch)) value.reset();
        const bool is_new = std::find(named.begin(), named.end(), name) == named.end();
        if (is_new) named.push_back(name);
        if (is_new && !value && missing != nullptr) missing->push_back(name);
        if (is_new && values != nullptr) {
            *values += (values->empty() ? "" : ", ") + name + " = " + (value ? plain_number(*value) : "none");
            if (const auto origin = metric.origin(launch); !origin.empty())
                *values += " (" + std::string(origin_words(origin)) + ")";
        }
        return value ? Value(*value) : Value();
    };
    // The parser lets nothing through that could fail here.
    const auto kept = evaluate(budget.condition, value_of, /*missing_is_unknown=*/true);
    const bool* holds = kept ? std::get_if<bool>(&*kept) : nullptr;
    return holds != nullptr ? std::optional(*holds) : std::nullopt;
}

BudgetOutcome check_budgets(const std::vector<Budget>& budgets, const Profile& profile) {
    BudgetOutcome outcome;
    for (const Budget& budget : budgets) {
        const BudgetResult& result = outcome.results.emplace_back(check_budget(budget, profile, outcome.diagnostics));
        outcome.broken |= result.verdict == BudgetVerdict::kBroken;
        outcome.unmatched |= result.verdict == BudgetVerdict::kNoValue || result.verdict == BudgetVerdict::kNoLaunch;
    }
    return outcome;
}

std::vector<std::string> budget_names() {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kCounterCount; ++i) names.emplace_back(info(static_cast<Counter>(i)).name);
    for (const Ratio& ratio : ratios()) names.emplace_back(ratio.name);
    for (const Fact& fact : facts()) names.emplace_back(fact.name);
    return names;
}

}  // namespace tilescope::report
