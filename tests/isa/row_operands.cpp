#include "tests/isa/row_operands.h"

namespace tilescope::isa::test {

using machine::Bank;
using machine::kWarpSize;
using machine::Operand;

std::vector<Token> tokens_of(std::string_view signature) {
    std::vector<Token> tokens;
    while (!signature.empty()) {
        std::size_t end = std::min(signature.find(' '), signature.size());
        std::string_view word = signature.substr(0, end);
        signature.remove_prefix(std::min(end + 1, signature.size()));
        if (word.empty()) continue;
        Token token;
        if (word.front() == '=') token.written = true, word.remove_prefix(1);
        if (word.back() == '?') token.optional = true, word.remove_suffix(1);
        if (word.front() == '-') token.may_be_minus = true, word.remove_prefix(1);
        if (const std::size_t dot = word.find('.'); dot != std::string_view::npos) {
            token.selector = selector_kind(word.substr(dot + 1));
            word = word.substr(0, dot);
        }
        if (word.front() == '{') token.vector = true, word = word.substr(1, word.size() - 2);
        if (std::size_t bar = word.find('|'); bar != std::string_view::npos) {
            token.second = word.substr(bar + 1);
            word = word.substr(0, bar);
        }
        token.text = word;
        tokens.push_back(token);
    }
    return tokens;
}

// The type and width that a token asks for.
bool OperandMaker::place_of(std::string_view text, bool written, Place& place, std::string& reason) {
    const bool numbered = text.size() == 2 && text[1] >= '0' && text[1] <= '9';
    place.written = written;
    if (numbered && (text[0] == 'T' || text[0] == 'L' || text[0] == 'W')) {
        place.type = form_.type(static_cast<unsigned>(text[1] - '0'));
        if (place.type == Type::kNone) {
            reason = "the spelling has no type for " + std::string(text);
            return false;
        }
    } else {
        place.type = type_by_name(text);
        if (place.type == Type::kNone) {
            reason = "no operands for token " + std::string(text);
            return false;
        }
    }
    unsigned bytes = bytes_of(place.type);
    if (bytes == 1) bytes = 2;  // 8-bit values live in wider registers
    if (text[0] == 'W') {
        bytes *= 2;
        place.type = bytes == 4 ? Type::kB32 : bytes == 8 ? Type::kB64 : Type::kB128;
    }
    if (text[0] == 'L' && numbered)
        while (bytes < 8 && below(random_, 3) == 0) bytes *= 2;
    place.bytes = static_cast<std::uint8_t>(bytes);
    return true;
}

Operand OperandMaker::new_slot(Place& place) {
    const std::uint32_t size = place.bytes == 0 ? 4 : place.bytes * kWarpSize;
    auto take = [&](Bank bank, std::uint32_t& next) {
        if (size > 4) next = (next + 63) / 64 * 64;
        Operand slot(bank, next);
        next += size;
        return slot;
    };
    if (place.is_immediate) return take(Bank::kConstants, next_constant_);
    auto share = [&](const std::vector<Place>& others) -> const Place* {
        if (!sharing_ || others.empty() || below(random_, 2)) return nullptr;
        const Place& other = others[below(random_, others.size())];
        return other.bytes == place.bytes && other.slot.bank() == 0 ? &other : nullptr;
    };
    if (place.written) {
        // A destination may be a source's slot, never another destination's.
        if (const Place* source = share(read_)) {
            bool taken = false;
            for (const Place& other : written_) taken |= other.slot == source->slot;
            if (!taken) return source->slot;
        }
        return take(Bank::kRegisters, next_register_);
    }
    if (const Place* source = share(read_)) return source->slot;
    if (place.bytes != 0 && below(random_, 8) == 0) return take(Bank::kSpecial, next_special_);
    return take(Bank::kRegisters, next_register_);
}

// One of those that the kind has, or none where it may be left out.
Selector OperandMaker::selector_of(SelectorKind kind) {
    if (kind == SelectorKind::kNone || kind == SelectorKind::kRegister) return {};
    if (kind != SelectorKind::kPlace && below(random_, 3) == 0) return {};
    for (;;) {
        std::string text(1, below(random_, 2) == 0 ? 'b' : 'h');
        for (std::size_t digits = 1 + below(random_, kElementsMax); digits > 0; --digits)
            text += static_cast<char>('0' + below(random_, 8));
        if (const auto selector = read_selector(kind, text)) return *selector;
    }
}

BoundOperand OperandMaker::bound(const Place& place) const {
    BoundOperand operand;
    operand.bytes = place.bytes;
    if (!place.present) return operand;
    operand.kind = BoundKind::kValue;
    operand.slot = place.slot;
    operand.is_immediate = place.is_immediate;
    operand.negated = place.negated;
    operand.selector = place.selector;
    operand.minus = place.minus;
    const unsigned unused = 64 - 8 * std::min<unsigned>(place.bytes, 8);
    operand.value = place.bytes == 0 ? static_cast<std::int64_t>(place.value.lo)
                                     : static_cast<std::int64_t>(place.value.lo << unused) >> unused;
    return operand;
}

bool OperandMaker::make(OperandSet& set, std::string& reason) {
    set = {};
    read_.clear();
    written_.clear();
    next_register_ = next_constant_ = next_special_ = 0;
    immediates_ = below(random_, 2) == 0;
    sharing_ = below(random_, 2) == 0;
    set.places.resize(tokens_.size());
    // Sources first, so that destinations can share their slots.
    for (const bool written : {false, true}) {
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const Token& token = tokens_[i];
            if (token.written != written) continue;
            const std::size_t count = token.vector ? std::size_t{2} << below(random_, 3) : token.second.empty() ? 1 : 2;
            for (std::size_t j = 0; j < count; ++j) {
                Place place;
                if (!place_of(j == 1 && !token.vector ? token.second : token.text, written, place, reason))
                    return false;
                if (!written && place.bytes <= 8 && immediates_ && below(random_, 2)) place.is_immediate = true;
                if (token.selector > SelectorKind::kPart) place.is_immediate = false;
                if (token.optional && below(random_, 2)) place.present = false;
                if (!place.is_immediate) place.selector = selector_of(token.selector);
                place.minus = token.may_be_minus && !place.is_immediate && below(random_, 3) == 0;
                // Sinks: elements of a vector or pair, one of which stays.
                if (written && count > 1 && below(random_, 4) == 0 && (j == 0 || set.places[i][0].present))
                    place.present = false;
                if (place.type == Type::kPred && !written) place.negated = below(random_, 3) == 0;
                if (place.is_immediate) place.value = random_value(place.type, random_);
                if (place.is_immediate)
                    place.value.lo &= ~std::uint64_t{0} >> (place.bytes == 0 ? 63 : 64 - 8 * place.bytes);
                if (place.present) place.slot = new_slot(place);
                if (place.present && !place.is_immediate) (written ? written_ : read_).push_back(place);
                set.places[i].push_back(place);
            }
        }
    }
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        BoundOperand operand = bound(set.places[i][0]);
        const bool lone_pair = !tokens_[i].second.empty() && !set.places[i][1].present && below(random_, 2);
        if (set.places[i].size() > 1 && !lone_pair) {
            operand = {};
            operand.kind = BoundKind::kVector;
            for (const Place& place : set.places[i]) operand.elements.push_back(bound(place));
        }
        set.operands.push_back(std::move(operand));
    }
    return true;
}

void place_in_op(const std::vector<Token>& tokens, const OperandSet& set, machine::Op& op) {
    Operand* const sources[] = {&op.a, &op.b, &op.c};
    std::size_t reads = 0;
    bool wrote = false;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const BoundOperand& operand = set.operands[i];
        const Operand slot = operand.elements.empty() ? operand.slot : operand.elements[0].slot;
        if (tokens[i].written && !wrote) op.dst = slot, wrote = true;
        if (!tokens[i].written && reads < 3) *sources[reads++] = slot;
    }
}

}  // namespace tilescope::isa::test
