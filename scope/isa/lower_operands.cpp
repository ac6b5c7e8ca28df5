// Step 2: each instruction's row, and its operands resolved against the row's signature.
#include <bit>
#include <cstring>

#include "scope/isa/lowering.h"
#include "scope/isa/special_registers.h"
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

int component_index(std::string_view component) {
    if (component == "x" || component == "r") return 0;
    if (component == "y" || component == "g") return 1;
    if (component == "z" || component == "b") return 2;
    if (component == "w" || component == "a") return 3;
    return -1;
}

}  // namespace

// Reads one instruction's operands.
class OperandReader {
public:
    OperandReader(Lowering& lowering, FunctionCode& code, NameScope& scope, const ptx::Instruction& text)
        : lowering_(lowering), code_(code), scope_(scope), text_(text) {}

    void run() {
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
                 known ? "see docs/INSTRUCTIONS.md for the forms that are" : "see docs/INSTRUCTIONS.md for what is");
            return;
        }
        for (const Candidate& candidate : candidates) {
            reason_.clear();
            instruction.operands.clear();
            instruction.chosen = &candidate;
            instruction.control = candidate.row->control;
            before_.clear();
            if (!match(candidate, instruction)) continue;
            for (Instruction& prefix : before_) code_.blocks.back().instructions.push_back(add(std::move(prefix)));
            code_.blocks.back().instructions.push_back(add(std::move(instruction)));
            return;
        }
        fail("isa-bad-operands",
             "the operands of '" + ptx::print(text_) + "' do not fit" + (reason_.empty() ? "" : ": " + reason_));
    }

private:
    std::uint32_t add(Instruction&& instruction) {
        code_.instructions.push_back(std::move(instruction));
        return static_cast<std::uint32_t>(code_.instructions.size() - 1);
    }

    std::string spelling() const {
        std::string name = text_.opcode;
        for (const std::string& modifier : text_.modifiers) name += "." + modifier;
        return name;
    }

    void fail(std::string code, std::string message, std::string hint = {}) {
        lowering_.fail(std::move(code), text_.position, std::move(message), std::move(hint));
    }

    bool no(std::string reason) {
        reason_ = std::move(reason);
        return false;
    }

    bool match(const Candidate& candidate, Instruction& instruction) {
        if (candidate.row->control == Control::kCall) return match_call(instruction);
        const std::vector<Token>& tokens = candidate.tokens;
        std::size_t required = 0;
        for (const Token& token : tokens) required += token.optional ? 0 : 1;
        if (text_.operands.size() < required || text_.operands.size() > tokens.size())
            return no("wrong number of operands");
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
        return true;
    }

    Type type_of(const Candidate& candidate, const Token& token) const {
        return token.fixed != Type::kNone ? token.fixed : candidate.form.type(token.type_index);
    }

    bool read(const Candidate& candidate, const Token& token, const ptx::Operand& from, OpenOperand& to,
              Instruction& instruction) {
        const Type type = type_of(candidate, token);
        switch (token.kind) {
            case Token::Kind::kTyped:
                if (token.pair) {
                    if (const auto* pair = std::get_if<ptx::PairOperand>(&from.value))
                        return read_pair(*pair, token, type, to);
                }
                return read_value(from, type, bytes_of(type), false, to);
            case Token::Kind::kWide: return read_value(from, type, 2 * bytes_of(candidate.form.type(0)), false, to);
            case Token::Kind::kLoose: return read_value(from, type, bytes_of(type), true, to);
            case Token::Kind::kVector:
                if (const auto* vector = std::get_if<ptx::VectorOperand>(&from.value))
                    return read_vector(vector->elements, type, true, to);
                return read_value(from, type, bytes_of(type), true, to);
            case Token::Kind::kBraces:
                if (const auto* vector = std::get_if<ptx::VectorOperand>(&from.value))
                    return read_vector(vector->elements, type, false, to);
                return no("a brace vector is wanted");
            case Token::Kind::kAddress: return read_address(candidate, from, to);
            case Token::Kind::kLabel: return read_label(from, instruction);
            case Token::Kind::kList: return read_list(from, instruction);
            default: return no("an operand of this kind");
        }
    }

    bool read_pair(const ptx::PairOperand& pair, const Token& token, Type type, OpenOperand& to) {
        if (pair.elements.size() != 2) return no("a pair has two parts");
        to.bound.kind = BoundOperand::Kind::kVector;
        const Type types[] = {type, token.second};
        for (unsigned i = 0; i < 2; ++i) {
            OpenOperand part;
            part.writes = to.writes;
            if (!read_value(pair.elements[i], types[i], bytes_of(types[i]), false, part)) return false;
            to.elements.push_back(std::move(part));
        }
        return true;
    }

    bool read_vector(const std::vector<ptx::Operand>& elements, Type type, bool loose, OpenOperand& to) {
        to.bound.kind = BoundOperand::Kind::kVector;
        for (const ptx::Operand& element : elements) {
            OpenOperand part;
            part.writes = to.writes;
            if (!read_value(element, type, bytes_of(type), loose, part)) return false;
            to.elements.push_back(std::move(part));
        }
        return true;
    }

    // A register, an immediate or a special register.
    bool read_value(const ptx::Operand& from, Type type, unsigned bytes, bool loose, OpenOperand& to) {
        BoundOperand& bound = to.bound;
        bound.kind = BoundOperand::Kind::kValue;
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
        if (symbol->name == "_") {
            bound.kind = BoundOperand::Kind::kAbsent;
            return to.writes ? true : no("'_' has no value");
        }
        if (const Entity* entity = find(symbol->name)) return read_entity(*symbol, *entity, type, bytes, loose, to);
        if (auto special = special_register(symbol->name, symbol->component)) return read_special(*special, bytes, to);
        if (symbol->name.starts_with('%'))
            return no("'" + symbol->name + (symbol->component.empty() ? "" : "." + symbol->component) +
                      "' is no declared register and no special register that is supported");
        return read_global_symbol(*symbol, type, bytes, to);
    }

    bool immediate(std::uint64_t bits, Type type, unsigned bytes, OpenOperand& to) {
        if (type == Type::kPred) return no("a predicate register is wanted");
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

    bool read_entity(const ptx::Symbol& symbol, const Entity& entity, Type type, unsigned bytes, bool loose,
                     OpenOperand& to) {
        switch (entity.kind) {
            case Entity::Kind::kRegister: {
                if (symbol.offset != 0) return no("an offset on a register");
                const std::int32_t reg = register_of(symbol.name, symbol.component, entity);
                if (reg == kNoRegister) return no("'" + symbol.name + "' is not declared");
                return use_register(reg, type, bytes, loose, to);
            }
            case Entity::Kind::kShared:
                return immediate(entity.offset + static_cast<std::uint64_t>(symbol.offset), type, bytes, to);
            case Entity::Kind::kLocal:
                return frame_address(entity.offset + static_cast<std::uint64_t>(symbol.offset), bytes, to);
            case Entity::Kind::kParameter:
                if (code_.parameters[entity.parameter].reg != kNoRegister)
                    return use_register(code_.parameters[entity.parameter].reg, type, bytes, true, to);
                return no("the address of a device function's parameter");
            default: return no("'" + symbol.name + "' is no value");
        }
    }

    bool use_register(std::int32_t reg, Type type, unsigned bytes, bool loose, OpenOperand& to) {
        const unsigned width = code_.registers[reg].bytes;
        if (type == Type::kPred
                ? width != 0
                : width == 0 || (width != std::max(2u, bytes) && !(loose && width > bytes) && bytes != 1))
            return no("a register has the wrong width");
        to.reg = reg;
        to.bound.bytes = static_cast<std::uint8_t>(width);
        return true;
    }

    bool read_special(const SpecialRegister& special, unsigned bytes, OpenOperand& to) {
        if (to.writes) return no("special registers cannot be written");
        if (bytes != special.bytes && !(special.kind == SpecialRegister::Kind::kLaunch && bytes < special.bytes))
            return no("a special register has the wrong width");
        to.bound.bytes = static_cast<std::uint8_t>(bytes);
        if (special.kind == SpecialRegister::Kind::kWarp) {
            to.bound.slot = lowering_.special_slot(special.warp);
        } else if (special.kind == SpecialRegister::Kind::kLaunch) {
            machine::LaunchSlot slot{};
            slot.what = special.launch;
            slot.slot_bytes = static_cast<std::uint8_t>(bytes);
            to.bound.slot = lowering_.launch_slot(slot);
        } else {
            to.reg = prefix(special.instruction, 0, bytes);
        }
        return true;
    }

    // An internal instruction that writes a fresh register just before this one.
    std::int32_t prefix(std::string_view opcode, std::int64_t value, unsigned bytes) {
        VirtualRegister fresh;
        fresh.bytes = static_cast<std::uint8_t>(bytes);
        const auto reg = static_cast<std::int32_t>(code_.registers.size());
        code_.registers.push_back(fresh);
        Instruction instruction;
        instruction.text = &text_;
        instruction.chosen = &lowering_.rows().find(std::string(opcode), {bytes == 8 ? "u64" : "u32"}).at(0);
        OpenOperand to, from;
        to.writes = true;
        to.reg = reg;
        to.bound.kind = BoundOperand::Kind::kValue;
        to.bound.bytes = fresh.bytes;
        instruction.operands.push_back(to);
        from.bound.kind = BoundOperand::Kind::kValue;
        immediate(static_cast<std::uint64_t>(value), Type::kU64, 8, from);
        instruction.operands.push_back(from);
        before_.push_back(std::move(instruction));
        return reg;
    }

    bool frame_address(std::uint64_t offset, unsigned bytes, OpenOperand& to) {
        if (to.writes) return no("a register is wanted");
        if (bytes != 4 && bytes != 8) return no("an address needs 32 or 64 bits");
        to.reg = prefix("%frame_address", static_cast<std::int64_t>(offset), bytes);
        to.bound.bytes = static_cast<std::uint8_t>(bytes);
        return true;
    }

    // A module variable or a function: its address.
    bool read_global_symbol(const ptx::Symbol& symbol, Type type, unsigned bytes, OpenOperand& to) {
        if (to.writes) return no("a register is wanted");
        const auto offset = static_cast<std::uint64_t>(symbol.offset);
        if (auto shared = lowering_.shared_variable(symbol.name)) return immediate(*shared + offset, type, bytes, to);
        if (auto address = lowering_.request().address_of(symbol.name))
            return immediate(*address + offset, type, bytes, to);
        if (auto parameter = kernel_parameter(symbol.name)) {
            machine::LaunchSlot slot{};
            slot.what = machine::LaunchValue::kParameterAddress;
            slot.slot_bytes = 8;
            slot.parameter_offset = parameter->offset + static_cast<std::uint32_t>(offset);
            to.bound.bytes = 8;
            to.bound.slot = lowering_.launch_slot(slot);
            return bytes == 8 ? true : no("a parameter's address has 64 bits");
        }
        // A function's handle is its index plus one, so that null stays null.
        if (auto function = lowering_.function(symbol.name)) return immediate(*function + 1, type, bytes, to);
        return no("'" + symbol.name + "' is not declared");
    }

    std::optional<ParameterPlace> kernel_parameter(std::string_view name) const {
        if (!code_.text->is_entry) return std::nullopt;
        const auto& parameters = code_.text->parameters;
        for (std::size_t i = 0; i < parameters.size(); ++i)
            if (parameters[i].name == name) return place_parameters(parameters)[i];
        return std::nullopt;
    }

    bool read_address(const Candidate& candidate, const ptx::Operand& from, OpenOperand& to) {
        const auto* address = std::get_if<ptx::AddressOperand>(&from.value);
        if (!address || !address->coordinates.empty()) return no("an address is wanted");
        to.bound.kind = BoundOperand::Kind::kAddress;
        to.bound.value = address->offset;
        to.bound.bytes = 8;
        to.writes = false;
        if (!address->base) {
            to.bound.slot = lowering_.constant(0, 8);
            return true;
        }
        const ptx::Symbol& base = *address->base;
        to.bound.value += base.offset;
        if (const Entity* entity = find(base.name)) {
            if (entity->kind == Entity::Kind::kRegister && entity->parameter == -1) {
                const std::int32_t reg = register_of(base.name, base.component, *entity);
                if (reg == kNoRegister) return no("'" + base.name + "' is not declared");
                const unsigned width = code_.registers[reg].bytes;
                if (width != 4 && width != 8) return no("an address register has 32 or 64 bits");
                to.reg = reg;
                to.bound.bytes = static_cast<std::uint8_t>(width);
                return true;
            }
            to.bound.slot = lowering_.constant(0, 8);
            if (entity->kind == Entity::Kind::kShared) {
                to.bound.value += static_cast<std::int64_t>(entity->offset);
                return true;
            }
            if (entity->kind == Entity::Kind::kLocal) {
                to.bound.value += static_cast<std::int64_t>(entity->offset);
                to.bound.frame_relative = true;
                return true;
            }
            if (entity->parameter != -1)
                return read_function_parameter(candidate, code_.parameters[entity->parameter], to);
            return no("'" + base.name + "' has no address");
        }
        if (auto parameter = kernel_parameter(base.name)) return read_kernel_parameter(candidate, *parameter, to);
        to.bound.slot = lowering_.constant(0, 8);
        if (auto shared = lowering_.shared_variable(base.name)) {
            to.bound.value += static_cast<std::int64_t>(*shared);
            return true;
        }
        if (auto global = lowering_.request().address_of(base.name)) {
            to.bound.value += static_cast<std::int64_t>(*global);
            return true;
        }
        return no("'" + base.name + "' is not declared");
    }

    // How many elements the access has, and how wide the registers are.
    struct AccessShape {
        unsigned elements = 1, element_bytes = 4;
        bool is_signed = false;
        std::vector<unsigned> register_bytes;
    };
    AccessShape shape_of(const Candidate& candidate) const {
        AccessShape shape;
        const Form& form = candidate.form;
        shape.elements = form.has("v2") ? 2 : form.has("v4") ? 4 : form.has("v8") ? 8 : 1;
        shape.element_bytes = bytes_of(form.type());
        shape.is_signed = is_signed(form.type());
        shape.register_bytes.assign(shape.elements, std::max(2u, shape.element_bytes));
        const bool stores = candidate.row->syntax.starts_with("st");
        const ptx::Operand& value = text_.operands[stores ? 1 : 0];
        auto width = [&](const ptx::Operand& operand, unsigned k) {
            const auto* symbol = std::get_if<ptx::Symbol>(&operand.value);
            const Entity* entity = symbol ? find(symbol->name) : nullptr;
            if (!entity || entity->kind != Entity::Kind::kRegister) return;
            const std::int32_t reg = register_of(symbol->name, symbol->component, *entity);
            if (reg != kNoRegister) shape.register_bytes[k] = code_.registers[reg].bytes;
        };
        if (const auto* vector = std::get_if<ptx::VectorOperand>(&value.value)) {
            for (unsigned k = 0; k < shape.elements && k < vector->elements.size(); ++k) width(vector->elements[k], k);
        } else {
            width(value, 0);
        }
        return shape;
    }

    // ld.param of a kernel parameter: values that the launch broadcasts.
    bool read_kernel_parameter(const Candidate& candidate, const ParameterPlace& place, OpenOperand& to) {
        if (!candidate.row->syntax.starts_with("ld")) return no("kernel parameters can only be loaded");
        const AccessShape shape = shape_of(candidate);
        const std::int64_t offset = to.bound.value;
        if (offset < 0 || offset + shape.elements * shape.element_bytes > place.size)
            return no("the access is outside the parameter");
        to.bound.kind = BoundOperand::Kind::kVector;
        for (unsigned k = 0; k < shape.elements; ++k) {
            OpenOperand element;
            machine::LaunchSlot slot{};
            slot.what = machine::LaunchValue::kParameter;
            slot.slot_bytes = static_cast<std::uint8_t>(shape.register_bytes[k]);
            slot.bytes = static_cast<std::uint8_t>(shape.element_bytes);
            slot.is_signed = shape.is_signed;
            slot.parameter_offset = place.offset + static_cast<std::uint32_t>(offset) + k * shape.element_bytes;
            if (slot.slot_bytes > 8) return no("a 128-bit kernel parameter");
            element.bound.kind = BoundOperand::Kind::kValue;
            element.bound.bytes = slot.slot_bytes;
            element.bound.slot = lowering_.launch_slot(slot);
            to.elements.push_back(std::move(element));
        }
        return true;
    }

    // ld.param and st.param of a device function: a register when the parameter is scalar, else bytes on the stack.
    bool read_function_parameter(const Candidate& candidate, const ParameterVariable& parameter, OpenOperand& to) {
        const bool stores = candidate.row->syntax.starts_with("st");
        const AccessShape shape = shape_of(candidate);
        const std::uint64_t room = std::max<std::uint64_t>(parameter.bytes, shape.element_bytes);
        if (to.bound.value < 0 ||
            static_cast<std::uint64_t>(to.bound.value) + shape.elements * shape.element_bytes > room)
            return no("the access is outside the parameter");
        if (parameter.reg == kNoRegister) {
            to.bound.value += static_cast<std::int64_t>(parameter.local_offset);
            to.bound.frame_relative = true;
            to.bound.slot = lowering_.constant(0, 8);
            return true;
        }
        const unsigned width = code_.registers[parameter.reg].bytes;
        if (shape.elements != 1 || to.bound.value != 0 || shape.register_bytes[0] != width)
            return no("a scalar parameter is accessed in pieces");
        to.bound.kind = BoundOperand::Kind::kVector;
        OpenOperand element;
        element.writes = stores;
        element.reg = parameter.reg;
        element.bound.kind = BoundOperand::Kind::kValue;
        element.bound.bytes = static_cast<std::uint8_t>(width);
        to.elements.push_back(std::move(element));
        return true;
    }

    bool read_label(const ptx::Operand& from, Instruction& instruction) {
        const auto* symbol = std::get_if<ptx::Symbol>(&from.value);
        const Entity* entity = symbol ? find(symbol->name) : nullptr;
        if (!entity || entity->kind != Entity::Kind::kLabel) return no("the target is no label of this function");
        instruction.label = entity->label;
        return true;
    }

    bool read_list(const ptx::Operand& from, Instruction& instruction) {
        const auto* symbol = std::get_if<ptx::Symbol>(&from.value);
        const Entity* entity = symbol ? find(symbol->name) : nullptr;
        if (!entity || entity->kind != Entity::Kind::kTargets || entity->targets->is_calls)
            return no("no .branchtargets of that name");
        for (const std::string& target : entity->targets->targets) {
            const Entity* label = find(target);
            if (!label || label->kind != Entity::Kind::kLabel)
                return no("'" + target + "' is no label of this function");
            instruction.labels.push_back(label->label);
        }
        return !instruction.labels.empty() || no("an empty list of targets");
    }

    bool match_call(Instruction& instruction);
    bool read_call_values(const ptx::ListOperand& list, bool writes, OpenCall& call);
    bool bind_library_call(OpenCall& call, Instruction& instruction);

    const Entity* find(std::string_view name) const {
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

    std::int32_t register_of(std::string_view name, std::string_view component, const Entity& entity) const {
        if (entity.kind != Entity::Kind::kRegister) return kNoRegister;
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
    static bool is_range(const Entity& entity) { return entity.count != 1; }

    Lowering& lowering_;
    FunctionCode& code_;
    NameScope& scope_;
    const ptx::Instruction& text_;
    std::string reason_;
    std::vector<Instruction> before_;
};

// ---- calls ----------------------------------------------------------------------------------------------------------

bool OperandReader::read_call_values(const ptx::ListOperand& list, bool writes, OpenCall& call) {
    auto& values = writes ? call.results : call.arguments;
    auto& parameters = writes ? call.result_parameters : call.argument_parameters;
    auto& bytes = writes ? call.result_bytes : call.argument_bytes;
    for (const ptx::Operand& from : list.elements) {
        OpenOperand to;
        to.writes = writes;
        std::int32_t parameter = -1;
        const auto* symbol = std::get_if<ptx::Symbol>(&from.value);
        const Entity* entity = symbol ? find(symbol->name) : nullptr;
        if (entity && entity->parameter != -1) {
            const ParameterVariable& variable = code_.parameters[entity->parameter];
            bytes.push_back(variable.bytes);
            if (variable.reg == kNoRegister) {
                parameter = entity->parameter;
            } else {
                to.reg = variable.reg;
                to.bound.kind = BoundOperand::Kind::kValue;
                to.bound.bytes = code_.registers[variable.reg].bytes;
            }
        } else if (entity && entity->kind == Entity::Kind::kRegister) {
            to.reg = register_of(symbol->name, symbol->component, *entity);
            if (to.reg == kNoRegister) return no("'" + symbol->name + "' is not declared");
            to.bound.kind = BoundOperand::Kind::kValue;
            to.bound.bytes = code_.registers[to.reg].bytes;
            bytes.push_back(to.bound.bytes);
        } else if (!writes) {
            // An immediate: its width is the formal's, found when the callee is known; 64 bits hold any.
            if (!read_value(from, Type::kB64, 8, false, to)) return false;
            bytes.push_back(8);
        } else {
            return no("a result that is no register or parameter");
        }
        values.push_back(std::move(to));
        parameters.push_back(parameter);
    }
    return true;
}

bool OperandReader::match_call(Instruction& instruction) {
    OpenCall call;
    std::size_t next = 0;
    const auto& operands = text_.operands;
    if (next < operands.size())
        if (const auto* results = std::get_if<ptx::ListOperand>(&operands[next].value)) {
            if (!read_call_values(*results, true, call)) return false;
            ++next;
        }
    const auto* callee = next < operands.size() ? std::get_if<ptx::Symbol>(&operands[next].value) : nullptr;
    if (!callee) return no("a call needs a function");
    ++next;
    if (next < operands.size())
        if (const auto* arguments = std::get_if<ptx::ListOperand>(&operands[next].value)) {
            if (!read_call_values(*arguments, false, call)) return false;
            ++next;
        }
    if (const Entity* pointer = find(callee->name); pointer && pointer->kind == Entity::Kind::kRegister) {
        call.pointer.reg = register_of(callee->name, callee->component, *pointer);
        if (call.pointer.reg == kNoRegister || code_.registers[call.pointer.reg].bytes != 8)
            return no("a function pointer has 64 bits");
        call.pointer.bound.kind = BoundOperand::Kind::kValue;
        const auto* prototype = next < operands.size() ? std::get_if<ptx::Symbol>(&operands[next].value) : nullptr;
        const Entity* entity = prototype ? find(prototype->name) : nullptr;
        if (!entity) return no("a call through a pointer needs a prototype");
        if (entity->kind == Entity::Kind::kTargets) return no("a call with .calltargets");
        if (entity->kind != Entity::Kind::kPrototype) return no("a call through a pointer needs a prototype");
        call.prototype = entity->prototype;
    } else {
        call.callee = callee->name;
        if (!lowering_.function(callee->name)) return bind_library_call(call, instruction);
    }
    for (const auto* side : {&call.arguments, &call.results})
        for (const OpenOperand& value : *side)
            if (value.reg != kNoRegister)
                (side == &call.results ? instruction.extra_defs : instruction.extra_uses).push_back(value.reg);
    if (call.pointer.reg != kNoRegister) instruction.extra_uses.push_back(call.pointer.reg);
    instruction.call = static_cast<std::uint32_t>(code_.calls.size());
    code_.calls.push_back(std::move(call));
    return true;
}

// A function without a body that the rows know: the device library's and the system's.
bool OperandReader::bind_library_call(OpenCall& call, Instruction& instruction) {
    const std::vector<Candidate>& candidates = lowering_.rows().find(call.callee, {});
    for (const Candidate& candidate : candidates) {
        std::size_t results = 0;
        for (const Token& token : candidate.tokens) results += token.writes ? 1 : 0;
        if (results < call.results.size() || candidate.tokens.size() - results != call.arguments.size()) continue;
        instruction.chosen = &candidate;
        instruction.control = candidate.row->control;
        std::size_t result = 0, argument = 0;
        for (const Token& token : candidate.tokens) {
            OpenOperand operand;
            operand.writes = token.writes;
            if (token.writes) {
                if (result < call.results.size()) operand = call.results[result++];
            } else {
                operand = call.arguments[argument++];
            }
            instruction.operands.push_back(operand);
        }
        return true;
    }
    lowering_.fail("isa-undefined-function", text_.position,
                   candidates.empty() ? "the function '" + call.callee + "' has no body in this module"
                                      : "the call of '" + call.callee + "' does not fit its signature",
                   "link the module that defines it, or compile with whole-program device code (-rdc=false)");
    instruction.control = Control::kNone;
    instruction.chosen = &lowering_.rows().find("exit", {}).at(0);
    return true;
}

void Lowering::lower_operands(FunctionCode& code, NameScope& scope, const ptx::Instruction& text) {
    OperandReader(*this, code, scope, text).run();
}

}  // namespace tilescope::isa
