#include "scope/explore/index_expression.h"

#include <algorithm>
#include <array>
#include <optional>

#include "scope/base/characters.h"
#include "scope/base/names.h"

namespace tilescope::explore {
namespace {

constexpr const char* kSyntax = "pattern-syntax";
constexpr const char* kOperators = "there are + - * / % << >> & | ^ ~ and parentheses";

bool is_name_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

struct BinaryRow {
    std::string_view text;
    IndexOp op;
    int level;  // the higher, the tighter it binds
};
// As in C.
constexpr std::array kBinary = {BinaryRow{"|", IndexOp::kOr, 1},       BinaryRow{"^", IndexOp::kXor, 2},
                                BinaryRow{"&", IndexOp::kAnd, 3},      BinaryRow{"<<", IndexOp::kLeft, 4},
                                BinaryRow{">>", IndexOp::kRight, 4},   BinaryRow{"+", IndexOp::kAdd, 5},
                                BinaryRow{"-", IndexOp::kSubtract, 5}, BinaryRow{"*", IndexOp::kMultiply, 6},
                                BinaryRow{"/", IndexOp::kDivide, 6},   BinaryRow{"%", IndexOp::kRemainder, 6}};
// C has them, and they begin as one that is here.
constexpr std::array<std::string_view, 4> kNotHere = {"||", "&&", "++", "--"};

class IndexParser {
public:
    IndexParser(std::string_view text, std::span<const IndexName> names) : text_(text), names_(names) {}

    Result<std::vector<IndexExpression>> run(std::size_t max) {
        std::vector<IndexExpression> all;
        if (text_.size() > kMaxIndexText)
            return error(kSyntax, {},
                         "the expression has " + std::to_string(text_.size()) + " characters, and at most " +
                             std::to_string(kMaxIndexText) + " may be");
        do {
            steps_.clear();
            skip();
            const std::size_t begin = at_;
            binary(1);
            if (failure_) return *failure_;
            IndexExpression one{std::string(text_), std::string(text_.substr(begin, last_ - begin)), steps_};
            all.push_back(std::move(one));
            skip();
        } while (all.size() < max && accept(','));
        if (at_ < text_.size()) unexpected();
        if (failure_) return *failure_;
        return all;
    }

private:
    void skip() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    }
    bool accept(char c) {
        skip();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        last_ = ++at_;
        return true;
    }
    void fail(std::size_t begin, std::size_t end, const std::string& message, const std::string& hint = {}) {
        if (!failure_) failure_ = error(kSyntax, {}, message + "\n" + pointed(text_, begin, end), hint);
    }
    void unexpected() {
        const char c = text_[at_];
        const std::string shown = c > ' ' && c <= '~' ? std::string("'") + c + "'" : "this character";
        if (c == ')') return fail(at_, at_ + 1, "there is no '(' for this ')'");
        if (c == ',') return fail(at_, at_ + 1, "a comma stands between the row and the column of one element alone");
        fail(at_, at_ + 1, shown + " cannot stand here", kOperators);
    }
    void push(IndexOp op, std::size_t begin, std::size_t end) {
        IndexStep step;
        step.op = op;
        step.begin = static_cast<std::uint32_t>(begin);
        step.end = static_cast<std::uint32_t>(end);
        steps_.push_back(step);
    }

    const BinaryRow* next_operator() {
        skip();
        const std::string_view rest = text_.substr(std::min(at_, text_.size()));
        for (const std::string_view none : kNotHere)
            if (rest.starts_with(none)) {
                // "a - -b" is two operators; "a--b" is none in C.
                fail(at_, at_ + none.size(), "'" + std::string(none) + "' cannot stand here", kOperators);
                return nullptr;
            }
        for (const BinaryRow& row : kBinary)
            if (rest.starts_with(row.text)) return &row;
        return nullptr;
    }

    // Operators that bind at least as tightly as `level`, those of one level from the left.
    void binary(int level) {
        skip();
        const std::size_t begin = at_;
        unary();
        while (!failure_) {
            const BinaryRow* row = next_operator();
            if (row == nullptr || row->level < level) return;
            at_ += row->text.size();
            binary(row->level + 1);
            push(row->op, begin, last_);
        }
    }

    void unary() {
        skip();
        if (at_ >= text_.size()) return fail(text_.size(), text_.size() + 1, "the expression ends too early");
        if (depth_ >= kMaxIndexDepth) return fail(at_, at_ + 1, "this is nested too deeply");
        ++depth_;
        operand(at_);
        --depth_;
    }

    void operand(std::size_t begin) {
        const char c = text_[begin];
        if (c == '-' || c == '~' || c == '+') {
            ++at_;
            unary();
            if (c != '+') push(c == '-' ? IndexOp::kNegate : IndexOp::kInvert, begin, last_);
        } else if (c == '(') {
            ++at_;
            binary(1);
            if (!failure_ && !accept(')')) fail(begin, begin + 1, "the ')' for this '(' is missing");
        } else if (is_digit(c)) {
            number(begin);
        } else if (is_name_letter(c)) {
            name(begin);
        } else {
            unexpected();
        }
    }

    void number(std::size_t begin) {
        while (at_ < text_.size() && (is_digit(text_[at_]) || is_name_letter(text_[at_]) || text_[at_] == '.')) ++at_;
        last_ = at_;
        std::string_view digits = text_.substr(begin, at_ - begin);
        bool is_unsigned = digits.ends_with('u') || digits.ends_with('U');
        if (is_unsigned) digits.remove_suffix(1);
        std::uint64_t base = 10;
        if (digits.starts_with("0x") || digits.starts_with("0X")) base = 16;
        if (digits.starts_with("0b") || digits.starts_with("0B")) base = 2;
        const bool has_mark = base != 10;
        if (!has_mark && digits.size() > 1 && digits[0] == '0') base = 8;  // C's octal numbers
        if (has_mark) digits.remove_prefix(2);
        std::uint64_t value = 0;
        bool good = !digits.empty();
        for (const char c : digits) {
            std::uint64_t digit = base;
            if (is_digit(c)) digit = static_cast<std::uint64_t>(c - '0');
            if (c >= 'a' && c <= 'f') digit = static_cast<std::uint64_t>(c - 'a') + 10;
            if (c >= 'A' && c <= 'F') digit = static_cast<std::uint64_t>(c - 'A') + 10;
            if (digit >= base) good = false;
            value = std::min<std::uint64_t>(value * base + digit, std::uint64_t{1} << 40);
        }
        if (!good)
            return fail(begin, at_, "this is not a whole number",
                        base == 8 ? "a number that begins with 0 is octal in C: 8 and 9 are no digits of it" : "");
        constexpr std::uint64_t kIntMax = 0x7fffffff, kUnsignedMax = 0xffffffff;
        if (has_mark && value > kIntMax) is_unsigned = true;
        if (value > (is_unsigned ? kUnsignedMax : kIntMax))
            return fail(begin, at_, "this number does not fit into 32 bits");
        push(IndexOp::kNumber, begin, at_);
        steps_.back().number = {static_cast<std::int64_t>(value), is_unsigned};
    }

    void name(std::size_t begin) {
        while (at_ < text_.size() && (is_digit(text_[at_]) || is_name_letter(text_[at_]) || text_[at_] == '.')) ++at_;
        last_ = at_;
        const std::string found(text_.substr(begin, at_ - begin));
        for (std::uint32_t i = 0; i < names_.size(); ++i) {
            if (names_[i].name != found) continue;
            push(IndexOp::kName, begin, at_);
            steps_.back().name = i;
            return;
        }
        std::vector<std::string> known;
        for (const IndexName& each : names_) known.push_back(each.name);
        const std::string near = nearest(found, known);
        std::string all;
        for (const std::string& each : known) all += (all.empty() ? "" : ", ") + each;
        fail(begin, at_, "there is no \"" + (found.size() > 60 ? found.substr(0, 60) + "…" : found) + "\" here",
             near.empty() ? "there are " + all : "did you mean " + near + "?");
    }

    std::string_view text_;
    std::span<const IndexName> names_;
    std::vector<IndexStep> steps_;
    std::size_t at_ = 0, last_ = 0;  // last_: behind the last token
    std::size_t depth_ = 0;
    std::optional<Diagnostic> failure_;
};

// Why a step has no value, or nothing.
struct StepFault {
    const char* what = nullptr;
    const char* hint = "";
};

constexpr std::int64_t kIntLow = -(std::int64_t{1} << 31), kIntHigh = (std::int64_t{1} << 31) - 1;

// The result in the type of the operation: unsigned ones wrap around.
StepFault settle(IndexNumber& number) {
    if (number.is_unsigned) {
        number.value &= 0xffffffff;
    } else if (number.value < kIntLow || number.value > kIntHigh) {
        return {"overflows: it does not fit into a 32-bit int", "what a kernel would do then C does not say"};
    }
    return {};
}

std::int64_t as_unsigned(std::int64_t value) { return value & 0xffffffff; }

StepFault apply_shift(IndexOp op, IndexNumber& left, const IndexNumber& right) {
    constexpr std::int64_t kBits = 32;
    if (right.value < 0 || right.value >= kBits)
        return {"shifts by less than 0 or by 32 bits and more", "C allows 0 to 31"};
    if (op == IndexOp::kRight) {
        left.value >>= right.value;
        return {};
    }
    left.value <<= right.value;  // of 31 bits and a sign by at most 31: fits into 64
    return settle(left);
}

StepFault apply_binary(IndexOp op, IndexNumber& left, IndexNumber right) {
    if (op == IndexOp::kLeft || op == IndexOp::kRight) return apply_shift(op, left, right);
    // An int beside an unsigned one becomes unsigned.
    if (left.is_unsigned || right.is_unsigned) {
        left = {as_unsigned(left.value), true};
        right.value = as_unsigned(right.value);
    }
    switch (op) {
        case IndexOp::kMultiply:
            // Of two unsigned numbers: their product modulo 2^64 keeps its low 32 bits.
            left.value = static_cast<std::int64_t>(static_cast<std::uint64_t>(left.value) *
                                                   static_cast<std::uint64_t>(right.value));
            break;
        case IndexOp::kDivide:
        case IndexOp::kRemainder:
            if (right.value == 0) return {"divides by zero"};
            if (!left.is_unsigned && left.value == kIntLow && right.value == -1)
                return {"overflows: it does not fit into a 32-bit int"};
            left.value = op == IndexOp::kDivide ? left.value / right.value : left.value % right.value;
            break;
        case IndexOp::kAdd: left.value += right.value; break;
        case IndexOp::kSubtract: left.value -= right.value; break;
        case IndexOp::kAnd: left.value &= right.value; break;
        case IndexOp::kXor: left.value ^= right.value; break;
        case IndexOp::kOr: left.value |= right.value; break;
        default: break;
    }
    return settle(left);
}

}  // namespace

bool IndexExpression::uses(std::uint32_t name) const {
    return std::any_of(steps.begin(), steps.end(),
                       [&](const IndexStep& step) { return step.op == IndexOp::kName && step.name == name; });
}

Result<std::vector<IndexExpression>> parse_indexes(std::string_view text, std::span<const IndexName> names,
                                                   std::size_t max) {
    return IndexParser(text, names).run(max);
}

Result<IndexNumber> evaluate(const IndexExpression& expression, std::span<const IndexName> names,
                             const std::string& who) {
    std::vector<IndexNumber> stack;
    stack.reserve(expression.steps.size());
    for (const IndexStep& step : expression.steps) {
        if (step.op == IndexOp::kNumber) {
            stack.push_back(step.number);
            continue;
        }
        if (step.op == IndexOp::kName) {
            stack.push_back(names[step.name].value);
            continue;
        }
        StepFault fault;
        if (step.op == IndexOp::kNegate || step.op == IndexOp::kInvert) {
            IndexNumber& top = stack.back();
            top.value = step.op == IndexOp::kNegate ? -top.value : ~top.value;
            fault = settle(top);
        } else {
            const IndexNumber right = stack.back();
            stack.pop_back();
            fault = apply_binary(step.op, stack.back(), right);
        }
        if (fault.what != nullptr)
            return error("pattern-arithmetic", {},
                         who + ": this " + fault.what + "\n" + pointed(expression.text, step.begin, step.end),
                         fault.hint);
    }
    return stack.back();
}

std::string pointed(std::string_view text, std::size_t begin, std::size_t end) {
    constexpr std::size_t kBefore = 50, kShown = 90;
    const std::size_t from = begin > kBefore && text.size() > kShown ? begin - kBefore : 0;
    std::string line, mark;
    for (std::size_t i = from; i < text.size() && i < from + kShown; ++i)
        line += text[i] >= ' ' && text[i] <= '~' ? text[i] : text[i] == '\t' ? ' ' : '?';
    for (std::size_t i = from; i < std::min(std::max(end, begin + 1), from + kShown); ++i)
        mark += i < begin ? ' ' : i == begin ? '^' : '~';
    return "    " + line + "\n    " + mark;
}

}  // namespace tilescope::explore
