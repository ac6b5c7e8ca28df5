// Step 2, continued: what a symbol's value is: a register, a variable's address, a special register.
#include <algorithm>

#include "scope/isa/lower/operand_reader.h"

namespace tilescope::isa {
bool OperandReader::read_entity(const ptx::Symbol& symbol, const Entity& entity, Type type, unsigned bytes, bool loose,
                                OpenOperand& to) {
    switch (entity.kind) {
        case EntityKind::kRegister: {
            if (symbol.offset != 0) return no("an offset on a register");
            const std::int32_t reg = register_of(symbol.name, symbol.component, entity);
            if (reg == kNoRegister && !symbol.component.empty() && entity.components == 1)
                return no("'." + symbol.component + "' on an operand of which no part can be named");
            if (reg == kNoRegister) return no("'" + symbol.name + "' is not declared");
            return use_register(reg, type, bytes, loose, to);
        }
        case EntityKind::kShared:
            to.origin = lowering_.shared_variable_at(entity.offset);
            return immediate(lowering_.shared_address(entity.offset) + static_cast<std::uint64_t>(symbol.offset), type,
                             bytes, to);
        case EntityKind::kLocal:
            return frame_address(entity.offset + static_cast<std::uint64_t>(symbol.offset), bytes, to);
        case EntityKind::kParameter:
            if (code_.parameters[entity.parameter].reg != kNoRegister)
                return use_register(code_.parameters[entity.parameter].reg, type, bytes, true, to);
            return frame_address(
                code_.parameters[entity.parameter].local_offset + static_cast<std::uint64_t>(symbol.offset), bytes, to);
        default: return no("'" + symbol.name + "' is no value");
    }
}

bool OperandReader::use_register(std::int32_t reg, Type type, unsigned bytes, bool loose, OpenOperand& to) {
    const unsigned width = code_.registers[reg].bytes;
    if (type == Type::kPred ? width != 0
                            : width == 0 || (width != std::max(2u, bytes) && !(loose && width > bytes) && bytes != 1))
        return no("a register has the wrong width");
    to.reg = reg;
    to.bound.bytes = static_cast<std::uint8_t>(width);
    return true;
}

bool OperandReader::read_special(const SpecialRegister& special, unsigned bytes, OpenOperand& to) {
    if (to.writes) return no("special registers cannot be written");
    if (bytes != special.bytes && !(special.kind == SpecialRegisterKind::kLaunch && bytes < special.bytes))
        return no("a special register has the wrong width");
    to.bound.bytes = static_cast<std::uint8_t>(bytes);
    if (special.kind == SpecialRegisterKind::kWarp) {
        to.bound.slot = lowering_.special_slot(special.warp);
    } else if (special.kind == SpecialRegisterKind::kLaunch) {
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
std::int32_t OperandReader::prefix(std::string_view opcode, std::int64_t value, unsigned bytes) {
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
    to.bound.kind = BoundKind::kValue;
    to.bound.bytes = fresh.bytes;
    instruction.operands.push_back(to);
    from.bound.kind = BoundKind::kValue;
    immediate(static_cast<std::uint64_t>(value), Type::kU64, 8, from);
    instruction.operands.push_back(from);
    before_.push_back(std::move(instruction));
    return reg;
}

bool OperandReader::frame_address(std::uint64_t offset, unsigned bytes, OpenOperand& to) {
    if (to.writes) return no("a register is wanted");
    if (bytes != 4 && bytes != 8) return no("an address needs 32 or 64 bits");
    to.reg = prefix("%frame_address", static_cast<std::int64_t>(offset), bytes);
    to.bound.bytes = static_cast<std::uint8_t>(bytes);
    return true;
}

// A module variable or a function: its address.
bool OperandReader::read_global_symbol(const ptx::Symbol& symbol, Type type, unsigned bytes, OpenOperand& to) {
    if (to.writes) return no("a register is wanted");
    const auto offset = static_cast<std::uint64_t>(symbol.offset);
    if (auto shared = lowering_.shared_variable(symbol.name)) {
        to.origin = lowering_.shared_variable_at(*shared);
        return immediate(lowering_.shared_address(*shared) + offset, type, bytes, to);
    }
    if (auto address = lowering_.module_variable(symbol.name, text_.position)) {
        to.origin = lowering_.pointer_origin({false, *address});
        return immediate(*address + offset, type, bytes, to);
    }
    if (auto parameter = kernel_parameter(symbol.name)) {
        machine::LaunchSlot slot{};
        slot.what = machine::LaunchValue::kParameterAddress;
        slot.slot_bytes = 8;
        slot.parameter_offset = parameter->offset + static_cast<std::uint32_t>(offset);
        to.bound.bytes = 8;
        to.bound.slot = lowering_.launch_slot(slot);
        return bytes == 8 ? true : no("a parameter's address has 64 bits");
    }
    if (lowering_.function(symbol.name))
        return immediate(*function_handle(*lowering_.request().module, *lowering_.function_text(symbol.name)), type,
                         bytes, to);
    return no("'" + symbol.name + "' is not declared");
}

}  // namespace tilescope::isa
