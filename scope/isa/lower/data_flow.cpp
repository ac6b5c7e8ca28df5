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

struct Idea {
    std::string_view opcode;
    FlowKind kind;
};

constexpr Idea kIdeas[] = {
    {"mov", FlowKind::kMove},        {"cvt", FlowKind::kMove},        {"add", FlowKind::kAdd},
    {"sub", FlowKind::kSubtract},    {"mul", FlowKind::kMultiply},    {"mul24", FlowKind::kMultiply},
    {"fma", FlowKind::kMultiplyAdd}, {"mad", FlowKind::kMultiplyAdd}, {"mad24", FlowKind::kMultiplyAdd},
    {"neg", FlowKind::kNegate},      {"selp", FlowKind::kSelect},     {"ld", FlowKind::kLoad},
    {"ldu", FlowKind::kLoad},        {"st", FlowKind::kStore},        {"atom", FlowKind::kAtomic},
    {"red", FlowKind::kAtomic},      {"cp", FlowKind::kCopy},         {"mbarrier", FlowKind::kObject},
};

// Functions of their operands alone, which a reader knows by name.
constexpr std::string_view kFunctions[] = {
    "abs",      "min", "max", "div",  "rem",  "rcp",  "sqrt", "rsqrt", "sin",  "cos",   "ex2",  "lg2",
    "tanh",     "and", "or",  "xor",  "not",  "cnot", "shl",  "shr",   "popc", "clz",   "brev", "bfe",
    "copysign", "sad", "shf", "lop3", "prmt", "bfi",  "set",  "dp4a",  "dp2a", "bfind", "slct",
};

FlowKind kind_of(const Instruction& instruction, std::string_view opcode) {
    if (instruction.control != Control::kNone && instruction.control != Control::kYield) return FlowKind::kOther;
    const Form& form = instruction.chosen->form;
    // Upper halves of products are no products that a reader would recognise.
    const bool upper = form.has("hi");
    for (const Idea& idea : kIdeas)
        if (idea.opcode == opcode)
            return upper && (idea.kind == FlowKind::kMultiply || idea.kind == FlowKind::kMultiplyAdd) ? FlowKind::kOther
                                                                                                      : idea.kind;
    return std::find(std::begin(kFunctions), std::end(kFunctions), opcode) != std::end(kFunctions) ? FlowKind::kApply
                                                                                                   : FlowKind::kOther;
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
    flow.kind = kind_of(instruction, flow.opcode);
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
        if (!addressed || flow.sources.empty()) {
            flow.kind = addressed ? FlowKind::kObject : FlowKind::kOther;  // the arrival of copies; commit and wait
        } else {
            flow.address.space = Space::kShared;
            flow.element_bytes = static_cast<unsigned>(bound[2].value);
            flow.sources.erase(flow.sources.begin());  // what is left: how many bytes are read
        }
    }
    return flow;
}

}  // namespace tilescope::isa
