// Budgets: what a launch must keep to, as an expression (expression.h) over its counters.
//
//   'tiled*: global_load_sectors_per_request <= 4 && bank_conflicts_per_request == 0'
//
// Owns: Budget and what keeping to one means. Guarantees: parsing is safe on any text and its errors point at a
// column; evaluation is a pure function. What a launch has no value for (nothing was loaded, so there are no sectors
// per load) neither keeps nor breaks a budget, whatever stands around it, unless the rest decides alone:
// 'global_load_requests == 0 || global_load_sectors_per_request <= 4'. Does not model: which launches ran (see
// check_budgets).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scope/base/result.h"
#include "scope/report/expression.h"
#include "scope/report/profile.h"

namespace tilescope::report {

struct Budget {
    std::string text;    // as given
    std::string kernel;  // glob
    Expression condition;
};

Result<Budget> parse_budget(std::string_view text);

// Whether the launch keeps to the budget; nothing where a value that decides it is missing. `values` gets "name =
// value" for each name in it, `missing` those that have none, for the message.
std::optional<bool> keeps(const Budget& budget, const LaunchProfile& launch, std::string* values = nullptr,
                          std::vector<std::string>* missing = nullptr);

struct BudgetOutcome {
    bool broken = false;      // a launch broke one
    bool unmatched = false;   // a budget's pattern selected no launch that was counted, or one without its values
    Diagnostics diagnostics;  // one for each budget and launch that broke it, and for each budget unmatched
    std::vector<BudgetResult> results;  // one for each budget
};

BudgetOutcome check_budgets(const std::vector<Budget>& budgets, const Profile& profile);

// Every name that may stand in an expression, for hints and completions.
std::vector<std::string> budget_names();

}  // namespace tilescope::report
