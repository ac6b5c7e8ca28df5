#include "scope/isa/assembler/operation.h"

#include <initializer_list>
#include <string_view>

#include "scope/isa/table/access_words.h"

namespace tilescope::isa {
namespace {

const Effect& effect_of(const Instruction& instruction) { return instruction.chosen->row->effect; }

Operation of_function(machine::FlowFunction function, const Form& form) {
    using machine::FlowFunction;
    switch (function) {
        case FlowFunction::kAnd: return Operation::kAnd;
        case FlowFunction::kOr: return Operation::kOr;
        case FlowFunction::kXor: return Operation::kXor;
        case FlowFunction::kShiftLeft: return Operation::kShiftLeft;
        case FlowFunction::kShiftRight: return Operation::kShiftRight;
        case FlowFunction::kInsert: return Operation::kInsert;
        case FlowFunction::kCompare: return Operation::kCompare;
        case FlowFunction::kRemainder: return is_signed(form.type(0)) ? Operation::kOther : Operation::kRemainder;
        default: return Operation::kOther;
    }
}

Operation of_move(const Instruction& instruction) {
    if (effect_of(instruction).function == machine::FlowFunction::kConvert)
        return is_float(instruction.chosen->form.type(1)) ? Operation::kOther : Operation::kConvert;
    if (instruction.operands.size() == 2) {
        if (!instruction.operands[0].elements.empty()) return Operation::kUnpack;
        if (!instruction.operands[1].elements.empty()) return Operation::kPack;
    }
    return Operation::kMove;
}

}  // namespace

Operation operation_of(const Instruction& instruction) {
    using machine::FlowKind;
    if (instruction.control != Control::kNone) return Operation::kOther;
    const Form& form = instruction.chosen->form;
    const Effect& effect = effect_of(instruction);
    if (is_float(form.type(0)) || form.has("cc") || form.has("sat") || effect.reads_carry) return Operation::kOther;
    if (effect.function == machine::FlowFunction::kCompare) return Operation::kCompare;  // `hi` is a relation there
    if (form.has("hi")) return Operation::kOther;
    switch (effect.flow) {
        case FlowKind::kMove: return of_move(instruction);
        case FlowKind::kAdd: return Operation::kAdd;
        case FlowKind::kSubtract: return Operation::kSubtract;
        case FlowKind::kNegate: return Operation::kNegate;
        case FlowKind::kMultiply: return Operation::kMultiply;
        case FlowKind::kMultiplyAdd: return Operation::kMultiplyAdd;
        case FlowKind::kSelect: return Operation::kSelect;
        case FlowKind::kApply: return of_function(effect.function, form);
        default: return Operation::kOther;
    }
}

MemoryEffect memory_effect_of(const Instruction& instruction) {
    MemoryEffect effect;
    const Row& row = *instruction.chosen->row;
    const Form& form = instruction.chosen->form;
    const Action action = row.effect.action;
    // Lanes that exchange values order no memory.
    effect.orders = (row.kind == Class::kSync && action != Action::kExchange && !form.has("commit_group")) ||
                    row.control == Control::kBarrier || row.control == Control::kCall || action == Action::kPause;
    const bool is_texel = action == Action::kTexture || action == Action::kSurface;
    const bool accesses = row.kind == Class::kMemory || action == Action::kFactorLoad;
    if (!accesses || action == Action::kHint || is_texel) return effect;
    const machine::Space space = space_of(form);
    const bool shared = space == machine::Space::kShared;
    if (!shared && space != machine::Space::kGlobal && space != machine::Space::kGeneric) return effect;
    effect.shared = space != machine::Space::kGlobal;
    effect.global = !shared;
    const machine::Order order = order_of(row, form);
    switch (action) {
        // Of rows that lanes share out: no pass of ours may take them for a lane's own.
        case Action::kMatrixLoad:
        case Action::kMatrixStore:
        case Action::kFactorLoad: effect.use = MemoryUse::kCopy; break;
        case Action::kLoad: effect.use = MemoryUse::kLoad; break;
        case Action::kStore: effect.use = MemoryUse::kStore; break;
        case Action::kReduction: effect.use = MemoryUse::kReduction; break;
        case Action::kAtomic: effect.use = MemoryUse::kAtomic; break;
        default: effect.use = MemoryUse::kCopy; effect.shared = effect.global = true;
    }
    effect.is_strong = order != machine::Order::kWeak;
    return effect;
}

ComparisonOf comparison_of(const Instruction& instruction) {
    if (operation_of(instruction) != Operation::kCompare || instruction.operands.size() != 3) return {};
    const Form& form = instruction.chosen->form;
    ComparisonOf comparison{Comparison::kNone, is_signed(form.type(0))};
    const struct {
        std::initializer_list<std::string_view> words;
        Comparison how;
    } kWords[] = {
        {{"eq"}, Comparison::kEqual},         {{"ne"}, Comparison::kUnequal},
        {{"lt", "lo"}, Comparison::kLess},    {{"le", "ls"}, Comparison::kLessOrEqual},
        {{"gt", "hi"}, Comparison::kGreater}, {{"ge", "hs"}, Comparison::kGreaterOrEqual},
    };
    for (const auto& known : kWords)
        if (form.one_of(known.words) != "") comparison.how = known.how;
    return comparison;
}

unsigned size_of(const Instruction& instruction) {
    constexpr unsigned kOfAccess = 2, kOfAtomic = 12, kOfSpecial = 6, kTooMuch = 1000;
    const Effect& effect = effect_of(instruction);
    switch (effect.action) {
        case Action::kLoad:
        case Action::kMatrixLoad:
        case Action::kMatrixStore:
        case Action::kTexture:
        case Action::kSurface:
        case Action::kStore: return kOfAccess;
        case Action::kAtomic:
        case Action::kReduction: return kOfAtomic;
        default: break;
    }
    switch (effect.expansion) {
        case Expansion::kNone: return 0;
        case Expansion::kOne:
        case Expansion::kSpecialOne: return 1;
        case Expansion::kSpecial:
        case Expansion::kParts: return kOfSpecial;
        case Expansion::kSubroutine: return kTooMuch;
    }
    return 1;
}

Type widened_by(const Instruction& instruction) {
    if (operation_of(instruction) != Operation::kConvert || instruction.chosen->form.type_count() != 2)
        return Type::kNone;
    const Type to = instruction.chosen->form.type(0), from = instruction.chosen->form.type(1);
    return bytes_of(to) >= 4 && bytes_of(from) == 2 ? from : Type::kNone;
}

bool gives_all_the_same(const Instruction& instruction) {
    const Effect& effect = effect_of(instruction);
    if (effect.same_for_all) return true;
    return effect.action == Action::kExchange && instruction.chosen->form.has("idx") &&
           instruction.operands.size() > 2 && instruction.operands[2].bound.is_immediate;
}

Combining combining_of(const Instruction& instruction) {
    const MemoryUse use = memory_effect_of(instruction).use;
    if (use != MemoryUse::kReduction && use != MemoryUse::kAtomic) return Combining::kNone;
    const Form& form = instruction.chosen->form;
    if (is_float(form.type())) return Combining::kNone;
    if (form.has("add")) return Combining::kAdd;
    return form.one_of({"min", "max", "and", "or", "xor"}) != "" ? Combining::kBitsOrExtremes : Combining::kNone;
}

}  // namespace tilescope::isa
