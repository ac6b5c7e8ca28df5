// Expressions: arithmetic and conditions over named values, for budgets and for the claims of lessons.
//
//   global_load_sectors_per_request <= 4 && bank_conflicts_per_request == 0
//   2 * line('[inner]').fp32_fma / naive.global_load_bytes_requested
//
// Owns: Expression, its parser and its evaluation. Guarantees: parsing is safe on any text and its errors point at a
// column; evaluation is a pure function of what names stand for. Does not model: what names mean; whoever asks says so.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scope/base/result.h"

namespace tilescope::report {

// Nothing, a number, a text, or true or false.
using Value = std::variant<std::monostate, double, std::string, bool>;

enum class LinkKind : std::uint8_t { kName, kCall, kIndex, kPick };

// A part of a reference: a name, a call of one with its arguments, or the element of a list.
struct Link {
    LinkKind kind = LinkKind::kName;
    std::string text;              // the name; of a kPick: the text that an element has
    std::int64_t index = 0;        // of a kIndex; from the end when negative
    std::vector<Value> arguments;  // of a kCall: numbers and texts
};
// "trace.phases[0].rows" and "line('[inner]').fp32_fma".
using Reference = std::vector<Link>;
// As it is written.
std::string text_of(const Reference& reference);

enum class StepKind : std::uint8_t { kNumber, kText, kReference, kNegate, kNot, kBinary };

// A parsed expression, in the order in which a stack machine runs it.
struct ExpressionStep {
    StepKind kind = StepKind::kNumber;
    double number = 0;
    std::string text;
    Reference reference;
    char op = 0;  // + - * / and < > l(<=) g(>=) e(==) n(!=) &(&&) |(||)
};

struct Expression {
    std::string text;  // as given
    std::vector<ExpressionStep> steps;
};

// What may stand in an expression, and where it is from.
struct ExpressionRules {
    SourceLocation place;  // for errors; its column is that of the text's first character
    std::string code = "expression-syntax";
    bool condition = false;  // only true or false will do
    // Names are those of counters, ratios and facts (metrics.h), and numbers all of them. Otherwise a reference may be
    // anything, and what it is shows when it is evaluated.
    bool metrics_only = false;
};

Result<Expression> parse_expression(std::string_view text, const ExpressionRules& rules);

// What an expression comes to. `resolve` says what a reference stands for. What has no value (a quotient by zero) gives
// std::monostate, and so does a comparison with it where `missing_is_unknown`; otherwise that is an error. What is
// unknown stays so under ! and decides nothing: "no value && false" is false, "no value || true" is true.
Result<Value> evaluate(const Expression& expression, const std::function<Result<Value>(const Reference&)>& resolve,
                       bool missing_is_unknown = false);

}  // namespace tilescope::report
