// What an expression comes to, and references as they are written.
#include <fmt/format.h>

#include "scope/report/expression.h"

namespace tilescope::report {
namespace {

bool is_comparison(char op) { return std::string_view("<>lgen").find(op) != std::string_view::npos; }

Diagnostic mismatch(const std::string& what) {
    return error("expression-type", {}, what, "numbers are compared with numbers and 'texts' with 'texts'");
}

Value compare_numbers(char op, double a, double b) {
    switch (op) {
        case '<': return a < b;
        case '>': return a > b;
        case 'l': return a <= b;
        case 'g': return a >= b;
        case 'e': return a == b;
        default: return a != b;
    }
}

Value calculate(char op, double a, double b) {
    switch (op) {
        case '+': return a + b;
        case '-': return a - b;
        case '*': return a * b;
        default: break;
    }
    if (b == 0) return {};
    return a / b;
}

Result<Value> apply(char op, const Value& a, const Value& b, bool missing_is_unknown) {
    const bool none = std::holds_alternative<std::monostate>(a) || std::holds_alternative<std::monostate>(b);
    if (none && is_comparison(op)) {
        if (missing_is_unknown) return Value();
        return error("expression-missing", {}, "one side of a comparison has no value");
    }
    if (none && (op == '&' || op == '|')) {
        const Value decides(op == '|');
        return a == decides || b == decides ? decides : Value();
    }
    if (none) return Value();
    if (op == '&' || op == '|') {
        const bool *left = std::get_if<bool>(&a), *right = std::get_if<bool>(&b);
        if (left == nullptr || right == nullptr) return mismatch("&& and || join conditions");
        return Value(op == '&' ? *left && *right : *left || *right);
    }
    const double *left = std::get_if<double>(&a), *right = std::get_if<double>(&b);
    if (left != nullptr && right != nullptr)
        return is_comparison(op) ? compare_numbers(op, *left, *right) : calculate(op, *left, *right);
    if ((op == 'e' || op == 'n') && a.index() == b.index()) return Value((a == b) == (op == 'e'));
    return mismatch(is_comparison(op) ? "these two cannot be compared" : "arithmetic needs numbers");
}

Result<Value> apply_unary(StepKind kind, const Value& value) {
    if (std::holds_alternative<std::monostate>(value)) return Value();
    if (const auto* number = std::get_if<double>(&value); number != nullptr && kind == StepKind::kNegate)
        return Value(-*number);
    if (const auto* truth = std::get_if<bool>(&value); truth != nullptr && kind == StepKind::kNot)
        return Value(!*truth);
    return mismatch(kind == StepKind::kNot ? "! needs a condition" : "- needs a number");
}

std::string literal(const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return "'" + *text + "'";
    if (const auto* number = std::get_if<double>(&value)) return fmt::format("{:g}", *number);
    return {};
}

}  // namespace

std::string text_of(const Reference& reference) {
    std::string text;
    for (const Link& link : reference) {
        switch (link.kind) {
            case LinkKind::kName: text += (text.empty() ? "" : ".") + link.text; break;
            case LinkKind::kIndex: text += fmt::format("[{}]", link.index); break;
            case LinkKind::kPick: text += "['" + link.text + "']"; break;
            case LinkKind::kCall: {
                text += (text.empty() ? "" : ".") + link.text + "(";
                for (const Value& argument : link.arguments)
                    text += (&argument == link.arguments.data() ? "" : ", ") + literal(argument);
                text += ")";
                break;
            }
        }
    }
    return text;
}

Result<Value> evaluate(const Expression& expression, const std::function<Result<Value>(const Reference&)>& resolve,
                       bool missing_is_unknown) {
    std::vector<Value> stack;
    for (const ExpressionStep& step : expression.steps) {
        Result<Value> result{Value()};
        switch (step.kind) {
            case StepKind::kNumber: result = Value(step.number); break;
            case StepKind::kText: result = Value(step.text); break;
            case StepKind::kReference: result = resolve(step.reference); break;
            case StepKind::kNegate:
            case StepKind::kNot:
                result = apply_unary(step.kind, stack.back());
                stack.pop_back();
                break;
            case StepKind::kBinary: {
                const Value right = std::move(stack.back());
                stack.pop_back();
                result = apply(step.op, stack.back(), right, missing_is_unknown);
                stack.pop_back();
                break;
            }
        }
        if (!result) return result.errors();
        stack.push_back(std::move(*result));
    }
    return stack.back();
}

}  // namespace tilescope::report
