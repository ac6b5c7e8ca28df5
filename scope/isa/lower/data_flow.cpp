#include "scope/isa/lower/data_flow.h"

#include <algorithm>
#include <iterator>

#include "scope/isa/table/access_words.h"

namespace tilescope::isa {
namespace {

using machine::FlowAddress;
using machine::FlowKind;
using machine::FlowValue;
using machine::OpFlow;
using machine::Space;

FlowKind kind_of(const Instruction& instruction, const Effect& effect) {
    if (instruction.control != Control::kNone && instruction.control != Control::kYield) return FlowKind::kOther;
    // Upper halves of products are no products that a reader would recognise.
    const bool product = effect.flow == FlowKind::kMultiply || effect.flow == FlowKind::kMultiplyAdd;
    return product && instruction.chosen->form.has("hi") ? FlowKind::kOther : effect.flow;
}

FlowAddress address_of(const BoundOperand& bound, Space space) {
    FlowAddress address;
    address.base = bound.slot;
    address.base_bytes = bound.bytes;
    address.frame_relative = bound.frame_relative;
    address.offset = bound.value;
    // Parameters of device functions that lie on the stack.
    address.space = bound.frame_relative ? Space::kLocal : space;
    return address;
}

void add_values(const BoundOperand& bound, std::vector<FlowValue>& into) {
    if (bound.kind == BoundOperand::Kind::kVector) {
        for (const BoundOperand& element : bound.elements) add_values(element, into);
        return;
    }
    const bool absent = bound.kind == BoundOperand::Kind::kAbsent;
    into.push_back({bound.slot, static_cast<std::uint8_t>(absent ? 0 : bound.bytes)});
}

void take_predicate(OpFlow& flow, const BoundOperand& bound) {
    flow.predicate = bound.slot;
    flow.predicates.push_back(bound.slot);
    flow.has_predicate = true;
    flow.predicate_negated = bound.negated;
}

// Moves that pack or unpack say nothing about whole values.
bool is_plain_move(const OpFlow& flow) {
    return flow.results.size() == flow.sources.size() &&
           std::all_of(flow.results.begin(), flow.results.end(), [](const FlowValue& v) { return v.bytes != 0; });
}

}  // namespace

OpFlow data_flow(const Instruction& instruction, const std::vector<BoundOperand>& bound) {
    OpFlow flow;
    const Form& form = instruction.chosen->form;
    flow.opcode = flow.name = opcode_of(instruction.chosen->row->syntax);
    const Effect& effect = instruction.chosen->row->effect;
    flow.kind = kind_of(instruction, effect);
    flow.function = effect.function;
    flow.varies = effect.varies;
    flow.reads_carry = effect.reads_carry;
    flow.writes_carry = effect.writes_carry;
    flow.is_hint = effect.action == Action::kHint;
    flow.is_float = is_float(form.type(0));
    flow.element_bytes = bytes_of(form.type(0));
    const Space space = space_of(form);
    bool addressed = false;
    // A policy for the second-level cache comes last, and is no value that goes anywhere.
    const std::size_t values = bound.size() - (form.has("L2::cache_hint") ? 1 : 0);
    for (std::size_t i = 0; i < values; ++i) {
        const BoundOperand& operand = bound[i];
        const bool writes = instruction.operands[i].writes ||
                            (!instruction.operands[i].elements.empty() && instruction.operands[i].elements[0].writes);
        if (operand.kind == BoundOperand::Kind::kAddress) {
            (addressed ? flow.from : flow.address) = address_of(operand, addressed ? Space::kGlobal : space);
            addressed = true;
        } else if (writes) {
            add_values(operand, flow.results);
        } else if (operand.kind == BoundOperand::Kind::kValue && operand.bytes == 0 && !operand.is_immediate) {
            take_predicate(flow, operand);
        } else if (operand.kind != BoundOperand::Kind::kAbsent) {
            add_values(operand, flow.sources);
        }
    }
    // Parameters that lie in registers or launch slots: moves.
    if ((flow.kind == FlowKind::kLoad || flow.kind == FlowKind::kStore) && !addressed) flow.kind = FlowKind::kMove;
    if (flow.kind == FlowKind::kMove && !is_plain_move(flow)) flow.kind = FlowKind::kOther;
    if (flow.kind == FlowKind::kAtomic && form.one_of({"v2", "v4", "v8"}) != "") flow.kind = FlowKind::kObject;
    if (flow.kind == FlowKind::kObject && !addressed) flow.kind = FlowKind::kOther;
    if (flow.kind == FlowKind::kAtomic)
        flow.name = form.one_of({"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"});
    if (flow.kind == FlowKind::kCopy) {
        flow.address.space = Space::kShared;
        flow.element_bytes = static_cast<unsigned>(bound[2].value);
        flow.sources.erase(flow.sources.begin());  // what is left: how many bytes are read
    }
    return flow;
}

}  // namespace tilescope::isa
