// Operands: registers, literals, addresses, vectors, lists and pairs.
#include <iterator>

#include "scope/ptx/parser_impl.h"

namespace tilescope::ptx {

// One operand, or two or more joined by '|' (setp, shfl, elect).
bool Parser::parse_operand(Operand& operand, bool is_call) {
    if (!parse_single_operand(operand, is_call)) return false;
    if (!is('|')) return true;
    PairOperand pair;
    Position position = operand.position;
    pair.elements.push_back(std::move(operand));
    while (accept('|')) {
        if (!parse_single_operand(pair.elements.emplace_back(), is_call)) return false;
    }
    operand = Operand{std::move(pair), false, false, position};
    return true;
}

bool Parser::parse_single_operand(Operand& operand, bool is_call) {
    operand.position = current_.position;
    if (current_.is_identifier()) {
        if (current_.text == "WARP_SZ") return parse_constant_operand(operand);
        return parse_symbol(operand.value.emplace<Symbol>(), true);
    }
    switch (current_.code) {
        case punctuation('['): return parse_address(operand);
        case punctuation('{'):
            advance();
            return parse_operand_list(operand.value.emplace<VectorOperand>().elements, '}', is_call);
        case punctuation('('): {
            Token inside = peek();
            if (!starts_symbol(inside) && (!is_call || inside.is_dotted())) return parse_constant_operand(operand);
            advance();
            return parse_operand_list(operand.value.emplace<ListOperand>().elements, ')', is_call);
        }
        case punctuation('!'):
        case punctuation('-'): {
            if (!starts_symbol(peek())) return parse_constant_operand(operand);
            (is('!') ? operand.negated : operand.minus) = true;
            advance();
            return parse_symbol(operand.value.emplace<Symbol>(), true);
        }
        default: return parse_constant_operand(operand);
    }
}

// name, name.x, name[3], name+4
bool Parser::parse_symbol(Symbol& symbol, bool with_offset) {
    if (!take_identifier(symbol.name, "a name")) return false;
    if (current_.is_dotted()) {
        symbol.component = current_.text;
        advance();
    }
    if (is('[')) {
        Position position = current_.position;
        advance();
        if (!parse_integer_constant(symbol.index, "an element's index")) return false;
        if (symbol.index < 0) return fail(position, "ptx-bad-index", "an array index cannot be negative");
        if (!expect(']', "the index")) return false;
    }
    return !with_offset || parse_offset(symbol.offset);
}

// Any number of "+4" and "-4", added to `offset` modulo 2^64.
bool Parser::parse_offset(std::int64_t& offset) {
    while (is('+') || is('-')) {
        bool is_minus = is('-');
        advance();
        Position position = current_.position;
        Constant term;
        if (!parse_term_constant(term)) return false;
        if (!term.is_integer()) return fail(position, "ptx-syntax", "an offset must be an integer");
        std::uint64_t sum = static_cast<std::uint64_t>(offset);
        offset = static_cast<std::int64_t>(is_minus ? sum - term.bits : sum + term.bits);
    }
    return true;
}

// At '['. [base+offset], [constant], [tex, sampler, {coordinates}], and [a].unified.
bool Parser::parse_address(Operand& operand) {
    auto& address = operand.value.emplace<AddressOperand>();
    advance();
    if (starts_symbol(current_)) {
        if (!parse_symbol(address.base.emplace(), false) || !parse_offset(address.offset)) return false;
    } else if (!parse_integer_constant(address.offset, "a register, variable or constant in the address")) {
        return false;
    }
    if (accept(',')) return parse_operand_list(address.coordinates, ']', false);
    if (!is(']')) {
        std::string hint = current_.is_identifier() ? "an address adds constants only: compute the sum first" : "";
        return fail_expected("']' after the address", std::move(hint));
    }
    advance();
    if (!current_.is_dotted()) return true;
    if (current_.text != "unified") return fail_expected("',' or ';' after the address");
    address.is_unified = true;
    advance();
    return true;
}

// Behind the opening bracket, to behind `close`.
bool Parser::parse_operand_list(std::vector<Operand>& elements, char close, bool is_call) {
    Nesting nesting(*this);
    if (!nesting.allowed()) return false;
    if (accept(close)) return true;
    std::size_t from = operand_stack_.size();
    do {
        Operand element;
        if (!parse_operand(element, is_call)) return false;
        operand_stack_.push_back(std::move(element));
    } while (accept(','));
    move_operands(from, elements);
    return expect(close, "the last element");
}

bool Parser::parse_constant_operand(Operand& operand) {
    Constant value;
    if (!parse_constant(value)) return false;
    if (value.is_integer()) {
        operand.value = IntegerLiteral{value.as_signed(), value.type == Constant::Type::kUnsigned};
    } else {
        operand.value = FloatLiteral{value.bits, value.type == Constant::Type::kSingle};
    }
    return true;
}

// The top of the operand stack, from `from` on, into a vector of exactly that size.
void Parser::move_operands(std::size_t from, std::vector<Operand>& into) {
    auto first = operand_stack_.begin() + static_cast<std::ptrdiff_t>(from);
    into.assign(std::make_move_iterator(first), std::make_move_iterator(operand_stack_.end()));
    operand_stack_.erase(first, operand_stack_.end());
}

}  // namespace tilescope::ptx
