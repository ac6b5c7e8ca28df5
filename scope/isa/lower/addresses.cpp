// Step 2, continued: addresses, parameters, labels.
#include <algorithm>

#include "scope/isa/lower/operand_reader.h"

namespace tilescope::isa {
std::optional<ParameterPlace> OperandReader::kernel_parameter(std::string_view name) const {
    return code_.text->is_entry ? lowering_.kernel_parameter(name) : std::nullopt;
}

bool OperandReader::read_address(const Candidate& candidate, const ptx::Operand& from, OpenOperand& to) {
    const auto* address = std::get_if<ptx::AddressOperand>(&from.value);
    if (!address || !address->coordinates.empty()) return no("an address is wanted");
    to.bound.kind = BoundKind::kAddress;
    to.bound.value = address->offset;
    to.bound.bytes = 8;
    to.writes = false;
    if (!address->base) {
        to.bound.slot = lowering_.constant(0, 8);
        return true;
    }
    const ptx::Symbol& base = *address->base;
    if (base.index >= 0) return no("an indexed name in an address");
    to.bound.value += base.offset;
    if (const Entity* entity = find(base.name)) {
        if (entity->kind == EntityKind::kRegister && entity->parameter == -1) {
            const std::int32_t reg = register_of(base.name, base.component, *entity);
            if (reg == kNoRegister) return no("'" + base.name + "' is not declared");
            const unsigned width = code_.registers[reg].bytes;
            if (width != 4 && width != 8) return no("an address register has 32 or 64 bits");
            to.reg = reg;
            to.bound.bytes = static_cast<std::uint8_t>(width);
            to.bound.of_function = !code_.text->is_entry;
            return true;
        }
        to.bound.slot = lowering_.constant(0, 8);
        if (entity->kind == EntityKind::kShared) {
            to.bound.value += static_cast<std::int64_t>(lowering_.shared_address(entity->offset));
            to.origin = lowering_.shared_variable_at(entity->offset);
            return true;
        }
        if (entity->kind == EntityKind::kLocal) {
            to.bound.value += static_cast<std::int64_t>(entity->offset);
            to.bound.frame_relative = true;
            return true;
        }
        if (entity->parameter != -1) return read_function_parameter(candidate, code_.parameters[entity->parameter], to);
        return no("'" + base.name + "' has no address");
    }
    if (auto parameter = kernel_parameter(base.name)) return read_kernel_parameter(candidate, *parameter, to);
    to.bound.slot = lowering_.constant(0, 8);
    if (auto shared = lowering_.shared_variable(base.name)) {
        to.bound.value += static_cast<std::int64_t>(lowering_.shared_address(*shared));
        to.origin = lowering_.shared_variable_at(*shared);
        return true;
    }
    if (auto global = lowering_.module_variable(base.name, text_.position)) {
        to.bound.value += static_cast<std::int64_t>(*global);
        to.origin = lowering_.pointer_origin({false, *global});
        return true;
    }
    return no("'" + base.name + "' is not declared");
}

bool OperandReader::read_indexed(const Candidate& candidate, const ptx::Operand& from, OpenOperand& to) {
    const auto* address = std::get_if<ptx::AddressOperand>(&from.value);
    if (!address || address->coordinates.empty()) return no("an object with coordinates is wanted");
    if (address->coordinates.size() != 1) return no("a sampler apart from its texture (.texmode_independent)");
    const auto* coordinates = std::get_if<ptx::VectorOperand>(&address->coordinates[0].value);
    const Entity* entity = address->base ? find(address->base->name) : nullptr;
    if (address->base && (!entity || entity->kind != EntityKind::kRegister))
        return no("'" + address->base->name + "' is a texture or surface reference: use objects");
    if (!address->base || address->offset != 0) return no("a register with a handle is wanted");
    to.bound.kind = BoundKind::kVector;
    ptx::Operand handle;
    handle.value = *address->base;
    OpenOperand object;
    if (!read_value(handle, Type::kB64, bytes_of(Type::kB64), false, object)) return false;
    to.elements.push_back(std::move(object));
    const Form& form = candidate.form;
    // Whoever has coordinates of numbers has a layer that is a whole one all the same.
    const bool is_layered = form.one_of({"a1d", "a2d", "acube"}) != "";
    const Type type = form.type_count() > 1 ? form.type(1) : Type::kB32;
    const auto take = [&](const ptx::Operand& part, bool is_layer) {
        OpenOperand coordinate;
        const Type wanted = is_layer ? Type::kB32 : type;
        if (!read_value(part, wanted, bytes_of(wanted), false, coordinate)) return false;
        to.elements.push_back(std::move(coordinate));
        return true;
    };
    if (!coordinates) return take(address->coordinates[0], false);
    for (std::size_t i = 0; i < coordinates->elements.size(); ++i)
        if (!take(coordinates->elements[i], is_layered && i == 0)) return false;
    return true;
}

OperandReader::AccessShape OperandReader::shape_of(const Candidate& candidate) const {
    AccessShape shape;
    const Form& form = candidate.form;
    shape.elements = form.has("v2") ? 2 : form.has("v4") ? 4 : form.has("v8") ? 8 : 1;
    shape.element_bytes = bytes_of(form.type());
    shape.is_signed = is_signed(form.type());
    shape.register_bytes.assign(shape.elements, std::max(2u, shape.element_bytes));
    const bool stores = candidate.row->effect.action == Action::kStore;
    const ptx::Operand& value = text_.operands[stores ? 1 : 0];
    auto width = [&](const ptx::Operand& operand, unsigned k) {
        const auto* symbol = std::get_if<ptx::Symbol>(&operand.value);
        const Entity* entity = symbol ? find(symbol->name) : nullptr;
        if (!entity || entity->kind != EntityKind::kRegister) return;
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
bool OperandReader::read_kernel_parameter(const Candidate& candidate, const ParameterPlace& place, OpenOperand& to) {
    if (candidate.row->effect.action != Action::kLoad) return no("kernel parameters can only be loaded");
    const AccessShape shape = shape_of(candidate);
    const std::int64_t offset = to.bound.value;
    if (offset < 0 || offset + shape.elements * shape.element_bytes > place.size)
        return no("the access is outside the parameter");
    to.bound.kind = BoundKind::kVector;
    for (unsigned k = 0; k < shape.elements; ++k) {
        OpenOperand element;
        machine::LaunchSlot slot{};
        slot.what = machine::LaunchValue::kParameter;
        slot.slot_bytes = static_cast<std::uint8_t>(shape.register_bytes[k]);
        slot.bytes = static_cast<std::uint8_t>(shape.element_bytes);
        slot.is_signed = shape.is_signed;
        slot.parameter_offset = place.offset + static_cast<std::uint32_t>(offset) + k * shape.element_bytes;
        if (slot.slot_bytes > 8) return no("a 128-bit kernel parameter");
        if (slot.bytes == 8) element.origin = lowering_.pointer_origin({true, slot.parameter_offset});
        element.bound.kind = BoundKind::kValue;
        element.bound.bytes = slot.slot_bytes;
        element.bound.slot = lowering_.launch_slot(slot);
        to.elements.push_back(std::move(element));
    }
    return true;
}

// ld.param and st.param of a device function: a register when the parameter is scalar, else bytes on the stack.
bool OperandReader::read_function_parameter(const Candidate& candidate, const ParameterVariable& parameter,
                                            OpenOperand& to) {
    const bool stores = candidate.row->effect.action == Action::kStore;
    const AccessShape shape = shape_of(candidate);
    const std::uint64_t room = std::max<std::uint64_t>(parameter.bytes, shape.element_bytes);
    if (to.bound.value < 0 || static_cast<std::uint64_t>(to.bound.value) + shape.elements * shape.element_bytes > room)
        return no("the access is outside the parameter");
    if (parameter.reg == kNoRegister) {
        to.bound.value += static_cast<std::int64_t>(parameter.local_offset);
        to.bound.frame_relative = true;
        to.bound.slot = lowering_.constant(0, 8);
        return true;
    }
    const unsigned width = code_.registers[parameter.reg].bytes;
    if (shape.elements != 1 || to.bound.value != 0 || shape.element_bytes > width)
        return no("a scalar parameter is accessed in pieces");
    to.bound.kind = BoundKind::kVector;
    OpenOperand element;
    element.writes = stores;
    element.reg = parameter.reg;
    element.bound.of_function = true;
    element.bound.kind = BoundKind::kValue;
    element.bound.bytes = static_cast<std::uint8_t>(width);
    to.elements.push_back(std::move(element));
    return true;
}

bool OperandReader::read_label(const ptx::Operand& from, Instruction& instruction) {
    const auto* symbol = std::get_if<ptx::Symbol>(&from.value);
    const Entity* entity = symbol ? find(symbol->name) : nullptr;
    if (!entity || entity->kind != EntityKind::kLabel) return no("the target is no label of this function");
    instruction.label = entity->label;
    return true;
}

bool OperandReader::read_list(const ptx::Operand& from, Instruction& instruction) {
    const auto* symbol = std::get_if<ptx::Symbol>(&from.value);
    const Entity* entity = symbol ? find(symbol->name) : nullptr;
    if (!entity || entity->kind != EntityKind::kTargets || entity->targets->is_calls)
        return no("no .branchtargets of that name");
    for (const std::string& target : entity->targets->targets) {
        const Entity* label = find(target);
        if (!label || label->kind != EntityKind::kLabel) return no("'" + target + "' is no label of this function");
        instruction.labels.push_back(label->label);
    }
    return !instruction.labels.empty() || no("an empty list of targets");
}

}  // namespace tilescope::isa
