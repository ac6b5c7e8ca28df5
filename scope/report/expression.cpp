#include "scope/report/expression.h"

#include <charconv>
#include <optional>

#include "scope/base/characters.h"
#include "scope/base/names.h"
#include "scope/report/budget.h"
#include "scope/report/metrics.h"

namespace tilescope::report {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Recursive descent over
//   or: and ('||' and)*          and: comparison ('&&' comparison)*       comparison: sum (('<='|...) sum)?
//   sum: product (('+'|'-') product)*      product: unary (('*'|'/') unary)*
//   unary: ('-'|'!') unary | number | text | reference | '(' or ')'
//   reference: part ('.' part)*            part: name ('(' literal (',' literal)* ')')? ('[' literal ']')*
class Parser {
public:
    Parser(std::string_view text, const ExpressionRules& rules, Expression& into)
        : text_(text), rules_(rules), into_(into) {}

    std::optional<Diagnostic> run() {
        const Type type = parse_or();
        skip();
        if (!failure_ && at_ < text_.size()) fail(at_, "unexpected '" + std::string(1, text_[at_]) + "'");
        if (!failure_ && rules_.condition && type == Type::kValue)
            fail(first(), "this is a value, not a condition", "compare it: " + std::string(trimmed()) + " <= 4");
        return failure_;
    }

private:
    enum class Type : std::uint8_t { kValue, kTruth, kAny };
    struct Operator {
        std::string_view text;
        char op;
    };

    void skip() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    }
    std::size_t first() const { return text_.find_first_not_of(" \t"); }
    std::string_view trimmed() const {
        const std::string_view rest = text_.substr(first());
        return rest.substr(0, rest.find_last_not_of(" \t") + 1);
    }
    void fail(std::size_t at, std::string message, std::string hint = {}) {
        if (failure_) return;
        SourceLocation place = rules_.place;
        place.column += static_cast<std::uint32_t>(at);
        failure_ = error(rules_.code, std::move(place), std::move(message), std::move(hint));
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
    void push(StepKind kind) { into_.steps.push_back({kind, 0, {}, {}, 0}); }
    void push_binary(char op) {
        push(StepKind::kBinary);
        into_.steps.back().op = op;
    }
    void expect(Type got, Type wanted, std::size_t at) {
        if (got == wanted || got == Type::kAny) return;
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
            push(c == '-' ? StepKind::kNegate : StepKind::kNot);
            return wanted;
        }
        if (c == '(') {
            ++at_;
            const Type type = parse_or();
            if (!accept({{")", ')'}})) fail(at_, "')' is missing");
            return type;
        }
        if (is_digit(c) || c == '.') {
            const double number = parse_number();
            push(StepKind::kNumber);
            into_.steps.back().number = number;
            return Type::kValue;
        }
        if (is_text()) {
            std::string words = parse_text();
            push(StepKind::kText);
            into_.steps.back().text = std::move(words);
            return Type::kValue;
        }
        if (is_letter(c)) return rules_.metrics_only ? parse_metric() : parse_reference();
        fail(at, std::string("unexpected '") + c + "'");
        return Type::kValue;
    }

    bool is_text() const { return !rules_.metrics_only && at_ < text_.size() && text_[at_] == '\''; }
    double parse_number() {
        double value = 0;
        const char* first = text_.data() + at_;
        const char* last = text_.data() + text_.size();
        const auto [end, status] = std::from_chars(first, last, value);
        if (status != std::errc()) {
            fail(at_, "this is not a number");
            return 0;
        }
        at_ += static_cast<std::size_t>(end - first);
        if (at_ < text_.size() && (is_letter(text_[at_]) || text_[at_] == '.')) fail(at_, "this is not a number");
        return value;
    }
    std::string parse_text() {
        const std::size_t begin = at_ + 1, end = text_.find('\'', begin);
        if (end == std::string_view::npos) {
            fail(at_, "the text's second ' is missing");
            return {};
        }
        at_ = end + 1;
        return std::string(text_.substr(begin, end - begin));
    }
    std::string parse_word() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
        return std::string(text_.substr(begin, at_ - begin));
    }
    void push_reference(Reference reference) {
        push(StepKind::kReference);
        into_.steps.back().reference = std::move(reference);
    }
    Type parse_metric() {
        const std::size_t at = at_;
        std::string name = parse_word();
        if (!metric_by_name(name).known()) {
            const std::string near = nearest(name, budget_names());
            fail(at, "there is no counter or ratio \"" + name + "\"",
                 near.empty() ? "the man page lists the names" : "did you mean " + near + "?");
        }
        push_reference({{LinkKind::kName, std::move(name), 0, {}}});
        return Type::kValue;
    }
    Type parse_reference() {
        Reference reference;
        while (!failure_) {
            if (at_ >= text_.size() || !is_letter(text_[at_])) {
                fail(at_, "a name is missing");
                break;
            }
            reference.push_back({LinkKind::kName, parse_word(), 0, {}});
            if (at_ < text_.size() && text_[at_] == '(') parse_arguments(reference.back());
            while (!failure_ && at_ < text_.size() && text_[at_] == '[') reference.push_back(parse_element());
            if (at_ >= text_.size() || text_[at_] != '.') break;
            ++at_;
        }
        push_reference(std::move(reference));
        return Type::kAny;
    }
    Value parse_literal() {
        skip();
        if (is_text()) return parse_text();
        const bool negative = at_ < text_.size() && text_[at_] == '-';
        if (negative) ++at_;
        if (at_ >= text_.size() || !is_digit(text_[at_])) {
            fail(at_, "a number or a 'text' is missing");
            return {};
        }
        const double number = parse_number();
        return negative ? -number : number;
    }
    void parse_arguments(Link& link) {
        link.kind = LinkKind::kCall;
        ++at_;
        if (accept({{")", ')'}})) return;
        do link.arguments.push_back(parse_literal());
        while (!failure_ && accept({{",", ','}}));
        if (!accept({{")", ')'}})) fail(at_, "')' is missing");
    }
    Link parse_element() {
        constexpr double kFarthest = 1e9;
        const std::size_t at = ++at_;
        Link link;
        Value which = parse_literal();
        if (auto* text = std::get_if<std::string>(&which)) {
            link.kind = LinkKind::kPick;
            link.text = std::move(*text);
        } else if (const auto* number = std::get_if<double>(&which)) {
            link.kind = LinkKind::kIndex;
            if (!(*number >= -kFarthest && *number <= kFarthest) ||
                *number != static_cast<double>(static_cast<std::int64_t>(*number)))
                fail(at, "an element's number is whole", "[0] is the first, [-1] the last");
            else
                link.index = static_cast<std::int64_t>(*number);
        }
        if (!accept({{"]", ']'}})) fail(at_, "']' is missing");
        return link;
    }

    std::string_view text_;
    const ExpressionRules& rules_;
    Expression& into_;
    std::size_t at_ = 0;
    int depth_ = 0;
    std::optional<Diagnostic> failure_;
};

}  // namespace

Result<Expression> parse_expression(std::string_view text, const ExpressionRules& rules) {
    Expression expression;
    expression.text = std::string(text);
    if (auto failure = Parser(text, rules, expression).run()) return *failure;
    return expression;
}

}  // namespace tilescope::report
