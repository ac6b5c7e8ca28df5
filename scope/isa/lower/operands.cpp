// Step 2: each instruction's row, and its operands resolved against the row's signature.
#include <algorithm>
#include <bit>
#include <cstring>

#include "scope/isa/lower/operand_reader.h"
#include "scope/ptx/printer.h"

namespace tilescope::isa {
namespace {

constexpr std::uint64_t kMask[] = {0, 0xff, 0xffff, 0, 0xffffffff, 0, 0, 0, ~std::uint64_t{0}};

// A floating literal in the pattern of the type that is wanted.
std::uint64_t float_bits(const ptx::FloatLiteral& literal, Type type) {
    const double value = literal.is_single ? std::bit_cast<float>(static_cast<std::uint32_t>(literal.bits))
                                           : std::bit_cast<double>(literal.bits);
    if (type == Type::kF64) return literal.is_single ? std::bit_cast<std::uint64_t>(value) : literal.bits;
    if (type == Type::kF32)
        return literal.is_single ? literal.bits : std::bit_cast<std::uint32_t>(static_cast<float>(value));
    return literal.bits;
}

constexpr const char* kWrongNumber = "wrong number of operands";

int component_index(std::string_view component) {
    if (component == "x" || component == "r") return 0;
    if (component == "y" || component == "g") return 1;
    if (component == "z" || component == "b") return 2;
    if (component == "w" || component == "a") return 3;
    return -1;
}

}  // namespace

void OperandReader::run() {
    Instruction instruction;
    instruction.text = &text_;
    if (text_.guard) {
        const Entity* guard = find(text_.guard->predicate);
        std::int32_t reg = guard ? register_of(text_.guard->predicate, "", *guard) : kNoRegister;
        if (reg == kNoRegister || code_.registers[reg].bytes != 0) {
            fail("isa-bad-guard", "'" + text_.guard->predicate + "' is not a declared predicate");
            return;
        }
        instruction.guard = reg;
        instruction.guard_negated = text_.guard->negated;
    }
    const std::vector<Candidate>& candidates = lowering_.rows().find(text_.opcode, text_.modifiers);
    if (candidates.empty()) {
        const bool known = lowering_.rows().knows(text_.opcode);
        fail("isa-unsupported-instruction",
             std::string(known ? "this form of the instruction is not supported: "
                               : "the instruction is not supported: ") +
                 spelling(),
             known ? "see docs/reference/instructions.md for the forms that are"
                   : "see docs/reference/instructions.md for what is");
        return;
    }
    std::string reason;
    for (const Candidate& candidate : candidates) {
        reason_.clear();
        instruction.operands.clear();
        instruction.chosen = &candidate;
        instruction.control = candidate.row->control;
        before_.clear();
        if (!match(candidate, instruction)) {
            // What is wrong with an operand says more than that there are too many or too few.
            if (reason.empty() || reason == kWrongNumber) reason = reason_;
            continue;
        }
        if (lowering_.request().on_row) lowering_.request().on_row(*instruction.chosen->row);
        for (Instruction& prefix : before_) code_.blocks.back().instructions.push_back(add(std::move(prefix)));
        code_.blocks.back().instructions.push_back(add(std::move(instruction)));
        return;
    }
    fail("isa-bad-operands",
         "the operands of '" + ptx::print(text_) + "' do not fit" + (reason.empty() ? "" : ": " + reason));
}

std::uint32_t OperandReader::add(Instruction&& instruction) {
    code_.instructions.push_back(std::move(instruction));
    return static_cast<std::uint32_t>(code_.instructions.size() - 1);
}

std::string OperandReader::spelling() const {
    std::string name = text_.opcode;
    for (const std::string& modifier : text_.modifiers) name += "." + modifier;
    return name;
}

void OperandReader::fail(std::string code, std::string message, std::string hint) {
    lowering_.fail(std::move(code), text_.position, std::move(message), std::move(hint));
}

bool OperandReader::no(std::string reason) {
    reason_ = std::move(reason);
    return false;
}

bool OperandReader::match(const Candidate& candidate, Instruction& instruction) {
    if (candidate.row->control == Control::kCall) return match_call(instruction);
    const std::vector<Token>& tokens = candidate.tokens;
    std::size_t required = 0;
    for (const Token& token : tokens) required += token.optional ? 0 : 1;
    if (text_.operands.size() < required || text_.operands.size() > tokens.size()) return no(kWrongNumber);
    std::size_t spare = text_.operands.size() - required, next = 0;
    for (const Token& token : tokens) {
        OpenOperand operand;
        operand.writes = token.writes;
        if (token.optional) {
            if (spare == 0) {
                instruction.operands.push_back(std::move(operand));
                continue;
            }
            --spare;
        }
        const ptx::Operand& from = text_.operands[next++];
        if (!read(candidate, token, from, operand, instruction)) return false;
        instruction.operands.push_back(std::move(operand));
    }
    if (candidate.row->effect.adds_up) {
        instruction.extra_uses.clear();
        for_each_result(instruction, [&](std::int32_t reg) { instruction.extra_uses.push_back(reg); });
    }
    return true;
}

Type OperandReader::type_of(const Candidate& candidate, const Token& token) const {
    return token.fixed != Type::kNone ? token.fixed : candidate.form.type(token.type_index);
}

bool OperandReader::read(const Candidate& candidate, const Token& token, const ptx::Operand& from, OpenOperand& to,
                         Instruction& instruction) {
    const Type type = type_of(candidate, token);
    switch (token.kind) {
        case SignatureTokenKind::kTyped:
            if (token.pair) {
                if (const auto* pair = std::get_if<ptx::PairOperand>(&from.value))
                    return read_pair(*pair, token, type, to);
            }
            if (token.selector != SelectorKind::kNone || token.may_be_minus) return read_part(from, token, type, to);
            return read_value(from, type, bytes_of(type), false, to);
        case SignatureTokenKind::kWide: return read_value(from, type, 2 * bytes_of(candidate.form.type(0)), false, to);
        case SignatureTokenKind::kLoose: return read_value(from, type, bytes_of(type), true, to);
        case SignatureTokenKind::kVector:
            if (token.pair)
                if (const auto* pair = std::get_if<ptx::PairOperand>(&from.value))
                    return read_vector_pair(*pair, token, type, to);
            if (const auto* vector = std::get_if<ptx::VectorOperand>(&from.value))
                return read_vector(vector->elements, type, true, to);
            return read_value(from, type, bytes_of(type), true, to);
        case SignatureTokenKind::kBraces:
            if (const auto* vector = std::get_if<ptx::VectorOperand>(&from.value)) {
                // Registers of 8 bits are as wide as those of 16: how many there are tells them apart.
                if (vector->elements.size() * bytes_of(type) != bytes_of(candidate.form.type()))
                    return no("the vector's elements do not make the whole");
                return read_vector(vector->elements, type, false, to);
            }
            return no("a brace vector is wanted");
        case SignatureTokenKind::kAddress: return read_address(candidate, from, to);
        case SignatureTokenKind::kIndexed: return read_indexed(candidate, from, to);
        case SignatureTokenKind::kLabel: return read_label(from, instruction);
        case SignatureTokenKind::kList: return read_list(from, instruction);
        default: return no("an operand of this kind");
    }
}

bool OperandReader::read_pair(const ptx::PairOperand& pair, const Token& token, Type type, OpenOperand& to) {
    if (pair.elements.size() != 2) return no("a pair has two parts");
    to.bound.kind = BoundKind::kVector;
    const Type types[] = {type, token.second};
    for (unsigned i = 0; i < 2; ++i) {
        OpenOperand part;
        part.writes = to.writes;
        if (!read_value(pair.elements[i], types[i], bytes_of(types[i]), false, part)) return false;
        to.elements.push_back(std::move(part));
    }
    return true;
}

// A vector of results, and a predicate.
bool OperandReader::read_vector_pair(const ptx::PairOperand& pair, const Token& token, Type type, OpenOperand& to) {
    if (pair.elements.size() != 2) return no("a pair has two parts");
    const auto* vector = std::get_if<ptx::VectorOperand>(&pair.elements[0].value);
    if (!vector) return no("a brace vector is wanted");
    to.bound.kind = BoundKind::kVector;
    OpenOperand values, second;
    values.writes = second.writes = to.writes;
    if (!read_vector(vector->elements, type, true, values)) return false;
    if (!read_value(pair.elements[1], token.second, bytes_of(token.second), false, second)) return false;
    to.elements = std::move(values.elements);
    to.elements.push_back(std::move(second));
    return true;
}

bool OperandReader::read_vector(const std::vector<ptx::Operand>& elements, Type type, bool loose, OpenOperand& to) {
    to.bound.kind = BoundKind::kVector;
    for (const ptx::Operand& element : elements) {
        OpenOperand part;
        part.writes = to.writes;
        if (!read_value(element, type, bytes_of(type), loose, part)) return false;
        to.elements.push_back(std::move(part));
    }
    return true;
}

bool OperandReader::read_part(const ptx::Operand& from, const Token& token, Type type, OpenOperand& to) {
    const bool may_be_immediate = token.selector == SelectorKind::kPart || token.selector == SelectorKind::kNone;
    const auto* symbol = std::get_if<ptx::Symbol>(&from.value);
    if (symbol == nullptr) {
        if (!may_be_immediate) return no("a register is wanted");
        return read_value(from, type, bytes_of(type), false, to);
    }
    if (from.minus && !token.may_be_minus) return no("'-' is not for this operand");
    to.bound.minus = from.minus;
    ptx::Operand whole = from;
    whole.minus = false;
    const Entity* entity = find(symbol->name);
    if (entity == nullptr) return no("a declared register is wanted");
    const bool names_part = !symbol->component.empty() && entity->components == 1;
    if (names_part && token.selector != SelectorKind::kNone) {
        const auto selector = read_selector(token.selector, symbol->component);
        if (!selector) return no("'." + symbol->component + "' names no part that this operand may have");
        to.bound.selector = *selector;
        std::get<ptx::Symbol>(whole.value).component.clear();
    }
    if (token.selector == SelectorKind::kPlace && to.bound.selector.count == 0)
        return no("a byte or half of the result has to be named");
    return read_value(whole, type, bytes_of(type), false, to);
}

// A register, an immediate or a special register.
bool OperandReader::read_value(const ptx::Operand& from, Type type, unsigned bytes, bool loose, OpenOperand& to) {
    BoundOperand& bound = to.bound;
    bound.kind = BoundKind::kValue;
    bound.negated = from.negated;
    if (const auto* integer = std::get_if<ptx::IntegerLiteral>(&from.value)) {
        if (to.writes) return no("a register is wanted");
        return immediate(static_cast<std::uint64_t>(integer->value), type, bytes, to);
    }
    if (const auto* literal = std::get_if<ptx::FloatLiteral>(&from.value)) {
        if (to.writes) return no("a register is wanted");
        return immediate(float_bits(*literal, type), type, bytes, to);
    }
    const auto* symbol = std::get_if<ptx::Symbol>(&from.value);
    if (!symbol || from.minus) return no("a register or an immediate is wanted");
    if (symbol->index >= 0)
        return no("an indexed name such as '" + symbol->name + "[" + std::to_string(symbol->index) + "]'");
    if (symbol->name == "_") {
        bound.kind = BoundKind::kAbsent;
        return to.writes ? true : no("'_' has no value");
    }
    if (const Entity* entity = find(symbol->name)) return read_entity(*symbol, *entity, type, bytes, loose, to);
    if (auto special = special_register(symbol->name, symbol->component)) return read_special(*special, bytes, to);
    if (symbol->name.starts_with('%'))
        return no("'" + symbol->name + (symbol->component.empty() ? "" : "." + symbol->component) +
                  "' is no declared register and no special register that is supported");
    return read_global_symbol(*symbol, type, bytes, to);
}

bool OperandReader::immediate(std::uint64_t bits, Type type, unsigned bytes, OpenOperand& to) {
    if (type == Type::kPred) {  // the mask of all lanes, or of none
        to.bound.is_immediate = true;
        to.bound.bytes = 0;
        to.bound.value = bits != 0 ? 1 : 0;
        to.bound.slot = lowering_.constant(bits != 0 ? machine::kFullMask : 0, sizeof(std::uint32_t));
        return true;
    }
    const unsigned slot = std::max(2u, bytes);
    if (slot > 8) return no("an immediate of 128 bits");
    to.bound.is_immediate = true;
    to.bound.bytes = static_cast<std::uint8_t>(slot);
    const std::uint64_t cut = bits & kMask[slot];
    to.bound.value = slot == 8 ? static_cast<std::int64_t>(bits)
                               : static_cast<std::int64_t>(cut << (64 - 8 * slot)) >> (64 - 8 * slot);
    to.bound.slot = lowering_.constant(cut, slot);
    return true;
}

const Entity* OperandReader::find(std::string_view name) const {
    for (const NameScope* scope = &scope_; scope; scope = scope->parent) {
        if (auto found = scope->names.find(name); found != scope->names.end()) return &found->second;
        std::size_t digits = name.size();
        while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
        if (digits == name.size() || digits == 0) continue;
        // "%r12" may be the prefix "%r" or, with ranges named so, "%r1": the longest prefix first.
        for (std::size_t cut = name.size() - 1; cut >= digits; --cut)
            if (auto range = scope->ranges.find(name.substr(0, cut)); range != scope->ranges.end())
                return &range->second;
    }
    return nullptr;
}

std::int32_t OperandReader::register_of(std::string_view name, std::string_view component, const Entity& entity) const {
    if (entity.kind != EntityKind::kRegister) return kNoRegister;
    std::uint32_t index = 0;
    if (entity.count > 1 || is_range(entity)) {
        std::size_t digits = name.size();
        while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
        for (std::size_t i = digits; i < name.size(); ++i) {
            index = index * 10 + static_cast<std::uint32_t>(name[i] - '0');
            if (index >= entity.count) return kNoRegister;
        }
    }
    if (entity.components == 1)
        return component.empty() ? entity.first + static_cast<std::int32_t>(index) : kNoRegister;
    const int part = component_index(component);
    if (part < 0 || part >= static_cast<int>(entity.components)) return kNoRegister;
    return entity.first + static_cast<std::int32_t>(index * entity.components) + part;
}

void Lowering::lower_operands(FunctionCode& code, NameScope& scope, const ptx::Instruction& text) {
    OperandReader(*this, code, scope, text).run();
}

}  // namespace tilescope::isa
