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

bool keeps(const Budget& budget, const LaunchProfile& launch, std::string* values) {
    std::vector<std::string_view> named;
    const auto value_of = [&](const Reference& reference) -> Result<Value> {
        const std::string& name = reference.front().text;
        const Metric metric = metric_by_name(name);
        const std::optional<double> value = metric.value(launch);
        if (values != nullptr && std::find(named.begin(), named.end(), name) == named.end()) {
            named.push_back(name);
            *values += (values->empty() ? "" : ", ") + name + " = " + (value ? plain_number(*value) : "none");
            if (const auto origin = metric.origin(launch); !origin.empty()) *values += " (" + std::string(origin) + ")";
        }
        return value ? Value(*value) : Value();
    };
    // The parser lets nothing through that could fail here.
    const auto kept = evaluate(budget.condition, value_of, /*missing_holds=*/true);
    const bool* holds = kept ? std::get_if<bool>(&*kept) : nullptr;
    return holds != nullptr && *holds;
}

namespace {

// The first name of the budget that only a model of the caches can tell, where there was none.
std::string missing_model(const Budget& budget, const LaunchProfile& launch) {
    for (const ExpressionStep& step : budget.condition.steps) {
        if (step.kind != ExpressionStep::Kind::kReference) continue;
        const std::string& name = step.reference.front().text;
        const Metric metric = metric_by_name(name);
        const bool is_there = metric.fact != nullptr ? launch.time.has_value() : launch.counters.modelled;
        if (metric.is_modelled() && !is_there) return name;
    }
    return {};
}

}  // namespace

BudgetOutcome check_budgets(const std::vector<Budget>& budgets, const Profile& profile) {
    BudgetOutcome outcome;
    for (const Budget& budget : budgets) {
        bool matched = false;
        for (const LaunchProfile& launch : profile.launches) {
            if (!launch.observed || !kernel_matches(budget.kernel, launch.kernel, launch.entry)) continue;
            matched = true;
            if (const std::string missing = missing_model(budget, launch); !missing.empty()) {
                outcome.unmatched = true;
                outcome.diagnostics.push_back(error("budget-not-modelled", {}, "cannot be checked: " + budget.text,
                                                    "launch " + std::to_string(launch.index) + ", " + launch.kernel +
                                                        " has no " + missing +
                                                        ": run it with --caches on and without --sample"));
                break;
            }
            std::string values;
            if (keeps(budget, launch, &values)) continue;
            outcome.broken = true;
            outcome.diagnostics.push_back(
                error("budget-broken", {}, "budget broken: " + budget.text,
                      "launch " + std::to_string(launch.index) + ", " + launch.kernel + ": " + values));
        }
        if (matched) continue;
        outcome.unmatched = true;
        std::vector<std::string> kernels;
        for (const LaunchProfile& launch : profile.launches)
            if (launch.observed && std::find(kernels.begin(), kernels.end(), launch.kernel) == kernels.end())
                kernels.push_back(launch.kernel);
        std::string known;
        for (const std::string& kernel : kernels) known += (known.empty() ? "" : "; ") + kernel;
        outcome.diagnostics.push_back(error("budget-unmatched", {},
                                            "no counted launch matches the kernel of budget: " + budget.text,
                                            known.empty() ? "no launch was counted" : "kernels that ran: " + known));
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
