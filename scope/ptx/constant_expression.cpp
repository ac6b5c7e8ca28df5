// Literals and constant expressions: C's operators over 64-bit integers and doubles, with the types ptxas gives them.
//
// Integers are signed unless a U, a cast or a value above 2^63-1 says otherwise; mixed operands are unsigned. '~' and
// '%' are unsigned, comparisons and logic signed, a shift keeps its left type and counts modulo 64. Doubles take + - *
// / and comparisons among themselves; 0f literals stand alone.
#include <charconv>

#include "scope/ptx/parser_impl.h"

namespace tilescope::ptx {
namespace {

using Type = Constant::Type;

double to_double(const Constant& value) {
    double result;
    static_assert(sizeof result == sizeof value.bits);
    __builtin_memcpy(&result, &value.bits, sizeof result);
    return result;
}

Constant from_double(double value) {
    Constant result{Type::kDouble, 0};
    __builtin_memcpy(&result.bits, &value, sizeof value);
    return result;
}

Constant from_bool(bool value) { return {Type::kSigned, value ? 1u : 0u}; }

int precedence_of(PunctuationCode code) {
    switch (code) {
        case punctuation('|', '|'): return 1;
        case punctuation('&', '&'): return 2;
        case punctuation('|'): return 3;
        case punctuation('^'): return 4;
        case punctuation('&'): return 5;
        case punctuation('=', '='):
        case punctuation('!', '='): return 6;
        case punctuation('<'):
        case punctuation('>'):
        case punctuation('<', '='):
        case punctuation('>', '='): return 7;
        case punctuation('<', '<'):
        case punctuation('>', '>'): return 8;
        case punctuation('+'):
        case punctuation('-'): return 9;
        case punctuation('*'):
        case punctuation('/'):
        case punctuation('%'): return 10;
        default: return 0;
    }
}
constexpr int kTermPrecedence = 10;

int digit_value(char character) {
    if (character >= '0' && character <= '9') return character - '0';
    return (character | 0x20) - 'a' + 10;
}

bool is_less(const Constant& left, const Constant& right, bool is_unsigned) {
    return is_unsigned ? left.bits < right.bits : left.as_signed() < right.as_signed();
}

}  // namespace

// ---- literals

// The lexer has checked the digits; what is left is the range.
bool Parser::parse_integer_literal(Constant& value) {
    std::string_view digits = current_.text;
    value = {};
    if (digits.back() == 'U') {
        value.type = Type::kUnsigned;
        digits.remove_suffix(1);
    }
    std::uint64_t base = 10;
    if (digits.size() > 1 && digits[0] == '0') {
        char prefix = static_cast<char>(digits[1] | 0x20);
        base = prefix == 'x' ? 16 : prefix == 'b' ? 2 : 8;
        digits.remove_prefix(base == 8 ? 1 : 2);
    }
    for (char digit : digits) {
        std::uint64_t scaled = 0;
        if (__builtin_mul_overflow(value.bits, base, &scaled) ||
            __builtin_add_overflow(scaled, static_cast<std::uint64_t>(digit_value(digit)), &value.bits)) {
            return fail(current_.position, "ptx-integer-overflow", "this integer does not fit 64 bits");
        }
    }
    if (value.as_signed() < 0) value.type = Type::kUnsigned;
    advance();
    return true;
}

bool Parser::parse_float_literal(Constant& value) {
    std::string_view text = current_.text;
    const char* end = text.data() + text.size();
    char prefix = text.size() > 1 && text[0] == '0' ? static_cast<char>(text[1] | 0x20) : '\0';
    if (prefix == 'f' || prefix == 'd') {
        value = {prefix == 'f' ? Type::kSingle : Type::kDouble, 0};
        for (char digit : text.substr(2)) value.bits = value.bits << 4 | static_cast<std::uint64_t>(digit_value(digit));
    } else {
        double number = 0;
        auto result = std::from_chars(text.data(), end, number);
        if (result.ec != std::errc{} || result.ptr != end)
            return fail(current_.position, "ptx-float-range", "this number is out of the range of a double");
        value = from_double(number);
    }
    advance();
    return true;
}

// A plain integer where PTX allows no expression: .loc, .file, <count>.
bool Parser::parse_unsigned_literal(std::uint32_t& value, const char* what) {
    if (current_.kind != TokenKind::kInteger) return fail_expected(what);
    Position position = current_.position;
    Constant literal;
    if (!parse_integer_literal(literal)) return false;
    value = static_cast<std::uint32_t>(literal.bits);
    if (literal.bits <= 0xFFFFFFFFu) return true;
    return fail(position, "ptx-integer-overflow", std::string("too large for ") + what);
}

// ---- expressions

bool Parser::parse_constant(Constant& value) { return parse_binary_constant(value, 0); }

bool Parser::parse_integer_constant(std::int64_t& value, const char* what) {
    bool can_start = current_.kind == TokenKind::kInteger || current_.is_identifier() || current_.code != 0;
    if (!can_start || (current_.is_identifier() && current_.text != "WARP_SZ")) return fail_expected(what);
    Position position = current_.position;
    Constant constant;
    if (!parse_constant(constant)) return false;
    if (!constant.is_integer()) return fail(position, "ptx-syntax", std::string("expected ") + what);
    value = constant.as_signed();
    return true;
}

// A product: what an offset adds.
bool Parser::parse_term_constant(Constant& value) { return parse_binary_constant(value, kTermPrecedence); }

// Precedence climbing; `least_precedence` 0 takes the conditional operator too.
bool Parser::parse_binary_constant(Constant& value, int least_precedence) {
    if (!parse_unary_constant(value)) return false;
    while (true) {
        PunctuationCode operation = current_.code;
        int precedence = precedence_of(operation);
        if (precedence == 0 || precedence < least_precedence) break;
        Position position = current_.position;
        advance();
        Constant right;
        if (!parse_binary_constant(right, precedence + 1) || !combine(value, operation, right, position)) return false;
    }
    return least_precedence != 0 || !is('?') || parse_conditional_tail(value);
}

// At '?'. Both branches are read, one is kept.
bool Parser::parse_conditional_tail(Constant& condition) {
    Nesting nesting(*this);
    if (!nesting.allowed()) return false;
    Position position = current_.position;
    if (!condition.is_integer()) return fail(position, "ptx-constant", "the condition before '?' must be an integer");
    advance();
    Constant chosen, other;
    if (!parse_constant(chosen) || !expect(':', "the first choice") || !parse_constant(other)) return false;
    if (!chosen.is_integer() || !other.is_integer())
        return fail(position, "ptx-constant", "'?:' chooses between integers only");
    condition = condition.bits != 0 ? chosen : other;
    return true;
}

bool Parser::parse_unary_constant(Constant& value) {
    PunctuationCode operation = current_.code;
    if (operation != punctuation('-') && operation != punctuation('+') && operation != punctuation('!') &&
        operation != punctuation('~'))
        return parse_primary_constant(value);
    Nesting nesting(*this);
    if (!nesting.allowed()) return false;
    Position position = current_.position;
    advance();
    if (!parse_unary_constant(value)) return false;
    bool is_sign = operation == punctuation('-') || operation == punctuation('+');
    if (value.type == Type::kSingle || (!is_sign && !value.is_integer()))
        return fail(position, "ptx-constant", "this operator does not apply to this literal",
                    value.type == Type::kSingle ? "write the sign into the 0f pattern" : "");
    if (operation == punctuation('!')) value = from_bool(value.bits == 0);
    if (operation == punctuation('~')) value = {Type::kUnsigned, ~value.bits};
    if (operation == punctuation('-')) {
        if (value.is_integer()) {
            value.bits = 0 - value.bits;
        } else {
            value = from_double(-to_double(value));
        }
    }
    return true;
}

bool Parser::parse_primary_constant(Constant& value) {
    if (current_.kind == TokenKind::kInteger) return parse_integer_literal(value);
    if (current_.kind == TokenKind::kFloat) return parse_float_literal(value);
    if (is('(')) return parse_parenthesised_constant(value);
    if (current_.is_identifier() && current_.text == "WARP_SZ") {
        advance();
        value = {Type::kSigned, 32};
        return true;
    }
    std::string hint = current_.is_identifier() ? "a constant expression has no names but WARP_SZ" : "";
    return fail_expected("a register, a name or a constant", std::move(hint));
}

// (expression), (.s64)value or (.u64)value
bool Parser::parse_parenthesised_constant(Constant& value) {
    Nesting nesting(*this);
    if (!nesting.allowed()) return false;
    advance();
    if (!current_.is_dotted()) return parse_constant(value) && expect(')', "the expression");
    bool is_unsigned = current_.text == "u64";
    if (!is_unsigned && current_.text != "s64") return fail_expected("the cast (.s64) or (.u64)");
    advance();
    Position position = current_.position;
    if (!expect(')', "the type of a cast") || !parse_unary_constant(value)) return false;
    if (!value.is_integer()) return fail(position, "ptx-constant", "a cast applies to integers only");
    value.type = is_unsigned ? Type::kUnsigned : Type::kSigned;
    return true;
}

bool Parser::combine_doubles(Constant& left, PunctuationCode operation, double b, Position position) {
    double a = to_double(left);
    switch (operation) {
        case punctuation('+'): left = from_double(a + b); return true;
        case punctuation('-'): left = from_double(a - b); return true;
        case punctuation('*'): left = from_double(a * b); return true;
        case punctuation('/'):
            if (b == 0) return fail(position, "ptx-constant", "a constant expression divides by zero");
            left = from_double(a / b);
            return true;
        case punctuation('<'): left = from_bool(a < b); return true;
        case punctuation('>'): left = from_bool(a > b); return true;
        case punctuation('<', '='): left = from_bool(a <= b); return true;
        case punctuation('>', '='): left = from_bool(a >= b); return true;
        case punctuation('=', '='): left = from_bool(a == b); return true;
        case punctuation('!', '='): left = from_bool(a != b); return true;
        default: return fail(position, "ptx-constant", "this operator does not apply to floating-point constants");
    }
}

bool Parser::combine(Constant& left, PunctuationCode operation, const Constant& right, Position position) {
    if (left.type == Type::kDouble && right.type == Type::kDouble)
        return combine_doubles(left, operation, to_double(right), position);
    if (!left.is_integer() || !right.is_integer())
        return fail(position, "ptx-constant", "a constant expression mixes integers and floating point",
                    "write integers with a decimal point");
    bool is_unsigned = left.type == Type::kUnsigned || right.type == Type::kUnsigned;
    Type type = is_unsigned ? Type::kUnsigned : Type::kSigned;
    std::uint64_t a = left.bits, b = right.bits;
    switch (operation) {
        case punctuation('+'): left = {type, a + b}; break;
        case punctuation('-'): left = {type, a - b}; break;
        case punctuation('*'): left = {type, a * b}; break;
        case punctuation('/'):
        case punctuation('%'):
            if (b == 0) return fail(position, "ptx-constant", "a constant expression divides by zero");
            if (operation == punctuation('%')) {
                left = {Type::kUnsigned, a % b};
            } else if (is_unsigned) {
                left = {type, a / b};
            } else {  // -1 apart: the quotient of -2^63 and -1 does not fit
                left = {type, right.as_signed() == -1
                                  ? 0 - a
                                  : static_cast<std::uint64_t>(left.as_signed() / right.as_signed())};
            }
            break;
        case punctuation('<', '<'): left.bits = a << (b & 63); break;
        case punctuation('>', '>'):
            left.bits =
                left.type == Type::kUnsigned ? a >> (b & 63) : static_cast<std::uint64_t>(left.as_signed() >> (b & 63));
            break;
        case punctuation('&'): left = {type, a & b}; break;
        case punctuation('|'): left = {type, a | b}; break;
        case punctuation('^'): left = {type, a ^ b}; break;
        case punctuation('<'): left = from_bool(is_less(left, right, is_unsigned)); break;
        case punctuation('>'): left = from_bool(is_less(right, left, is_unsigned)); break;
        case punctuation('<', '='): left = from_bool(!is_less(right, left, is_unsigned)); break;
        case punctuation('>', '='): left = from_bool(!is_less(left, right, is_unsigned)); break;
        case punctuation('=', '='): left = from_bool(a == b); break;
        case punctuation('!', '='): left = from_bool(a != b); break;
        case punctuation('&', '&'): left = from_bool(a != 0 && b != 0); break;
        case punctuation('|', '|'): left = from_bool(a != 0 || b != 0); break;
        default: return fail(position, "ptx-constant", "no such operator in a constant expression");
    }
    return true;
}

}  // namespace tilescope::ptx
