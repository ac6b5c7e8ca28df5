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

void take_kind(OpFlow& flow, const Instruction& instruction, const Effect& effect) {
    if (instruction.control != Control::kNone && instruction.control != Control::kYield) return;
    flow.kind = effect.flow;
    flow.function = effect.function;
    const bool is_product = flow.kind == FlowKind::kMultiply || flow.kind == FlowKind::kMultiplyAdd;
    if (!is_product || !instruction.chosen->form.has("hi")) return;
    flow.kind = FlowKind::kOther;
    flow.function = machine::FlowFunction::kUpperHalf;
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
    if (bound.kind == BoundKind::kVector) {
        for (const BoundOperand& element : bound.elements) add_values(element, into);
        return;
    }
    const bool absent = bound.kind == BoundKind::kAbsent;
    into.push_back({bound.slot, static_cast<std::uint8_t>(absent ? 0 : bound.bytes), absent});
}

void take_predicate(OpFlow& flow, const BoundOperand& bound) {
    flow.predicate = bound.slot;
    if (bound.negated) flow.negated |= 1u << flow.predicates.size();
    flow.predicates.push_back(bound.slot);
    flow.has_predicate = true;
    flow.predicate_negated = bound.negated;
}

// Moves that pack or unpack say nothing about whole values.
bool is_plain_move(const OpFlow& flow) {
    return flow.results.size() == flow.sources.size() &&
           std::all_of(flow.results.begin(), flow.results.end(), [](const FlowValue& v) { return v.bytes != 0; });
}

machine::FlowInteger integer_of(Type type) {
    if (is_float(type)) return {};
    return {static_cast<std::uint8_t>(bytes_of(type)), is_signed(type)};
}

machine::Relation relation_of(const Form& form) {
    if (form.one_of({"eq", "ne"}) != "") return machine::Relation::kEqual;
    if (form.one_of({"lt", "ge", "lo", "hs"}) != "") return machine::Relation::kLess;
    return machine::Relation::kLessOrEqual;
}

// The row's, where the form's types are what it is meant for.
void take_spread(OpFlow& flow, const Effect& effect, const Form& form) {
    using machine::Spread;
    flow.spread = effect.spread;
    flow.to_type = integer_of(form.type(0));
    flow.from_type = form.type_count() > 1 ? integer_of(form.type(1)) : flow.to_type;
    flow.relation = relation_of(form);
    flow.clamps = form.has("clamp");
    const bool is_number = is_float(form.type(0)) || is_float(form.type(1));
    const bool is_limited = form.has("sat") || form.has("hi");
    switch (flow.spread) {
        case Spread::kUpwards:
        case Spread::kConvert:
            if (is_number || is_limited) flow.spread = Spread::kAll;
            break;
        case Spread::kCompare:
            if (is_number || !flow.predicates.empty()) flow.spread = Spread::kAll;
            break;
        case Spread::kSame:
            if (flow.results.size() != flow.sources.size() && !flow.sources.empty()) flow.spread = Spread::kConcatenate;
            break;
        default: break;
    }
    // Parameters that lie in slots, of which a narrower type may be read.
    const bool is_slot_move = flow.kind == FlowKind::kMove && effect.flow != FlowKind::kMove;
    if (is_slot_move) flow.spread = is_number ? Spread::kSame : Spread::kConvert;
}

}  // namespace

OpFlow data_flow(const Instruction& instruction, const std::vector<BoundOperand>& bound) {
    OpFlow flow;
    const Form& form = instruction.chosen->form;
    flow.opcode = flow.name = opcode_of(instruction.chosen->row->syntax);
    const Effect& effect = instruction.chosen->row->effect;
    take_kind(flow, instruction, effect);
    flow.varies = effect.varies;
    flow.reads_clock = effect.reads_clock;
    flow.reads_carry = effect.reads_carry;
    flow.writes_carry = effect.writes_carry;
    flow.is_hint = effect.action == Action::kHint;
    flow.is_surface = effect.action == Action::kSurface;
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
        if (operand.kind == BoundKind::kAddress) {
            (addressed ? flow.from : flow.address) = address_of(operand, addressed ? Space::kGlobal : space);
            addressed = true;
        } else if (writes) {
            add_values(operand, flow.results);
        } else if (operand.kind == BoundKind::kValue && operand.bytes == 0 && !operand.is_immediate) {
            take_predicate(flow, operand);
        } else if (operand.kind != BoundKind::kAbsent) {
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
    flow.is_exchange = flow.kind == FlowKind::kAtomic && flow.name == "exch";
    if (flow.kind == FlowKind::kCopy) {
        flow.address.space = Space::kShared;
        flow.element_bytes = static_cast<unsigned>(bound[2].value);
        flow.sources.erase(flow.sources.begin());  // what is left: how many bytes are read
    }
    take_spread(flow, effect, form);
    return flow;
}

}  // namespace tilescope::isa
