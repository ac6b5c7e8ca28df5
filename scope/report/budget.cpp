#include "scope/report/budget.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "scope/base/names.h"
#include "scope/report/format.h"
#include "scope/report/metrics.h"

namespace tilescope::report {
namespace {

using Kind = BudgetStep::Kind;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Recursive descent over
//   or: and ('||' and)*          and: comparison ('&&' comparison)*       comparison: sum (('<='|...) sum)?
//   sum: product (('+'|'-') product)*      product: unary (('*'|'/') unary)*
//   unary: ('-'|'!') unary | number | name | '(' or ')'
class Parser {
public:
    Parser(std::string_view whole, std::size_t start, Budget& budget) : text_(whole), at_(start), budget_(budget) {}

    std::optional<Diagnostic> run() {
        const Type type = parse_or();
        skip();
        if (!failure_ && at_ < text_.size()) fail(at_, "unexpected '" + std::string(1, text_[at_]) + "'");
        if (!failure_ && type != Type::kTruth)
            fail(start_of_text(), "this is a value, not a condition",
                 "compare it: " + std::string(trimmed()) + " <= 4");
        return failure_;
    }

private:
    enum class Type : std::uint8_t { kValue, kTruth };
    struct Operator {
        std::string_view text;
        char op;
    };

    void skip() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    }
    std::size_t start_of_text() const { return budget_text_start(); }
    std::size_t budget_text_start() const { return text_.find_first_not_of(" \t", text_.rfind(':') + 1); }
    std::string_view trimmed() const {
        std::string_view rest = text_.substr(budget_text_start());
        return rest.substr(0, rest.find_last_not_of(" \t") + 1);
    }
    void fail(std::size_t at, std::string message, std::string hint = {}) {
        if (failure_) return;
        failure_ = error("budget-syntax", {"--budget", 1, static_cast<std::uint32_t>(at + 1)}, std::move(message),
                         std::move(hint));
    }
    std::optional<char> accept(std::initializer_list<Operator> operators) {
        skip();
        for (const Operator& candidate : operators) {
            if (!text_.substr(at_).starts_with(candidate.text)) continue;
            at_ += candidate.text.size();
            return candidate.op;
        }
        return std::nullopt;
    }
    void push_binary(char op) { budget_.steps.push_back({Kind::kBinary, 0, {}, op}); }
    void expect(Type got, Type wanted, std::size_t at) {
        if (got == wanted) return;
        if (wanted == Type::kValue)
            fail(at, "a condition cannot be used as a value");
        else
            fail(at, "a value cannot be used as a condition", "compare it with something, such as <= 4");
    }

    // Left-associative operators of one level, all taking and yielding the same type.
    template <class Next>
    Type chain(Type type, std::initializer_list<Operator> operators, Next next) {
        skip();
        std::size_t at = at_;
        const Type left = next();
        bool any = false;
        while (!failure_) {
            const auto op = accept(operators);
            if (!op) break;
            if (!any) expect(left, type, at);
            any = true;
            skip();
            at = at_;
            expect(next(), type, at);
            push_binary(*op);
        }
        return any ? type : left;
    }
    Type parse_or() {
        return chain(Type::kTruth, {{"||", '|'}}, [this] { return parse_and(); });
    }
    Type parse_and() {
        return chain(Type::kTruth, {{"&&", '&'}}, [this] { return parse_comparison(); });
    }
    Type parse_comparison() {
        skip();
        std::size_t at = at_;
        const Type left = parse_sum();
        const auto op = accept({{"<=", 'l'}, {">=", 'g'}, {"==", 'e'}, {"!=", 'n'}, {"<", '<'}, {">", '>'}});
        if (!op || failure_) {
            skip();
            if (at_ < text_.size() && text_[at_] == '=') fail(at_, "'=' is not a comparison", "write ==");
            return left;
        }
        expect(left, Type::kValue, at);
        skip();
        at = at_;
        expect(parse_sum(), Type::kValue, at);
        push_binary(*op);
        if (accept({{"<", '<'}, {">", '>'}, {"==", 'e'}, {"!=", 'n'}}))
            fail(at_ - 1, "comparisons cannot be chained", "join two of them with &&");
        return Type::kTruth;
    }
    Type parse_sum() {
        return chain(Type::kValue, {{"+", '+'}, {"-", '-'}}, [this] { return parse_product(); });
    }
    Type parse_product() {
        return chain(Type::kValue, {{"*", '*'}, {"/", '/'}}, [this] { return parse_unary(); });
    }
    Type parse_unary() {
        constexpr int kDeepest = 200;
        skip();
        const std::size_t at = at_;
        if (depth_ >= kDeepest) fail(at, "nested too deeply");
        if (failure_) return Type::kValue;
        ++depth_;
        const Type type = parse_operand(at);
        --depth_;
        return type;
    }
    Type parse_operand(std::size_t at) {
        if (at >= text_.size()) {
            fail(at, "the expression ends too early");
            return Type::kValue;
        }
        const char c = text_[at];
        if (c == '-' || (c == '!' && !text_.substr(at).starts_with("!="))) {
            ++at_;
            const Type wanted = c == '-' ? Type::kValue : Type::kTruth;
            skip();
            const std::size_t operand = at_;
            expect(parse_unary(), wanted, operand);
            budget_.steps.push_back({c == '-' ? Kind::kNegate : Kind::kNot, 0, {}, 0});
            return wanted;
        }
        if (c == '(') {
            ++at_;
            const Type type = parse_or();
            if (!accept({{")", ')'}})) fail(at_, "')' is missing");
            return type;
        }
        if (is_digit(c) || c == '.') return parse_number();
        if (is_letter(c)) return parse_name();
        fail(at, std::string("unexpected '") + c + "'");
        return Type::kValue;
    }
    Type parse_number() {
        double value = 0;
        const char* first = text_.data() + at_;
        const char* last = text_.data() + text_.size();
        const auto [end, status] = std::from_chars(first, last, value);
        if (status != std::errc()) {
            fail(at_, "this is not a number");
            return Type::kValue;
        }
        at_ += static_cast<std::size_t>(end - first);
        if (at_ < text_.size() && (is_letter(text_[at_]) || text_[at_] == '.')) fail(at_, "this is not a number");
        budget_.steps.push_back({Kind::kNumber, value, {}, 0});
        return Type::kValue;
    }
    Type parse_name() {
        const std::size_t at = at_;
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
        std::string name(text_.substr(at, at_ - at));
        const Metric metric = metric_by_name(name);
        if (!metric.known()) {
            const std::string near = nearest(name, budget_names());
            fail(at, "there is no counter or ratio \"" + name + "\"",
                 near.empty() ? "the man page lists the names" : "did you mean " + near + "?");
        }
        budget_.steps.push_back({Kind::kName, 0, std::move(name), 0});
        return Type::kValue;
    }

    std::string_view text_;
    std::size_t at_;
    Budget& budget_;
    int depth_ = 0;
    std::optional<Diagnostic> failure_;
};

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();

double apply(char op, double a, double b) {
    // A comparison with what has no value holds.
    const bool none = std::isnan(a) || std::isnan(b);
    switch (op) {
        case '+': return a + b;
        case '-': return a - b;
        case '*': return a * b;
        case '/': return b == 0 ? kNoValue : a / b;
        case '<': return none || a < b;
        case '>': return none || a > b;
        case 'l': return none || a <= b;
        case 'g': return none || a >= b;
        case 'e': return none || a == b;
        case 'n': return none || a != b;
        case '&': return a != 0 && b != 0;
        case '|': return a != 0 || b != 0;
    }
    return kNoValue;
}

}  // namespace

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
    if (auto failure = Parser(text, colon + 1, budget).run()) return *failure;
    return budget;
}

bool keeps(const Budget& budget, const LaunchProfile& launch, std::string* values) {
    std::vector<double> stack;
    std::vector<std::string_view> named;
    for (const BudgetStep& step : budget.steps) {
        switch (step.kind) {
            case Kind::kNumber: stack.push_back(step.number); break;
            case Kind::kName: {
                const Metric metric = metric_by_name(step.name);
                const double value = metric.value(launch).value_or(kNoValue);
                stack.push_back(value);
                if (values == nullptr || std::find(named.begin(), named.end(), step.name) != named.end()) break;
                named.push_back(step.name);
                *values += (values->empty() ? "" : ", ") + step.name + " = " +
                           (std::isnan(value) ? std::string("none") : plain_number(value));
                if (const auto origin = metric.origin(launch); !origin.empty())
                    *values += " (" + std::string(origin) + ")";
                break;
            }
            case Kind::kNegate: stack.back() = -stack.back(); break;
            case Kind::kNot: stack.back() = stack.back() == 0; break;
            case Kind::kBinary: {
                const double right = stack.back();
                stack.pop_back();
                stack.back() = apply(step.op, stack.back(), right);
                break;
            }
        }
    }
    return stack.back() != 0;
}

namespace {

// The first name of the budget that only a model of the caches can tell, where there was none.
std::string missing_model(const Budget& budget, const LaunchProfile& launch) {
    for (const BudgetStep& step : budget.steps) {
        if (step.kind != BudgetStep::Kind::kName) continue;
        const Metric metric = metric_by_name(step.name);
        const bool is_there = metric.fact != nullptr ? launch.time.has_value() : launch.counters.modelled;
        if (metric.is_modelled() && !is_there) return step.name;
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
