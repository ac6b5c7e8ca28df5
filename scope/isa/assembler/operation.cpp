#include "scope/isa/assembler/operation.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string_view>

namespace tilescope::isa {
namespace {

struct Named {
    std::string_view opcode;
    Operation operation;
};
constexpr Named kOperations[] = {
    {"mov", Operation::kMove},          {"cvta", Operation::kConvert},   {"cvt", Operation::kConvert},
    {"add", Operation::kAdd},           {"sub", Operation::kSubtract},   {"neg", Operation::kNegate},
    {"mul", Operation::kMultiply},      {"mul24", Operation::kMultiply}, {"mad", Operation::kMultiplyAdd},
    {"mad24", Operation::kMultiplyAdd}, {"shl", Operation::kShiftLeft},  {"shr", Operation::kShiftRight},
    {"and", Operation::kAnd},           {"or", Operation::kOr},          {"xor", Operation::kXor},
    {"selp", Operation::kSelect},       {"bfi", Operation::kInsert},     {"rem", Operation::kRemainder},
    {"setp", Operation::kCompare},
};

std::string_view opcode(const Instruction& instruction) { return opcode_of(instruction.chosen->row->syntax); }

// Lanes that exchange values order no memory.
constexpr std::string_view kExchanges[] = {"shfl", "vote", "match", "activemask", "redux", "elect"};

// Sizes in instructions; what is not named counts one. A division or a root is a call of a subroutine.
struct Sized {
    std::string_view opcode;
    unsigned size;
};
constexpr unsigned kTooMuch = 1000;
constexpr Sized kSizes[] = {
    {"mov", 0},   {"cvta", 0},       {"ld", 2},         {"ldu", 2},         {"st", 2},         {"red", 12},
    {"atom", 12}, {"ex2", 6},        {"lg2", 6},        {"rsqrt", 6},       {"sin", 6},        {"cos", 6},
    {"tanh", 6},  {"div", kTooMuch}, {"rem", kTooMuch}, {"sqrt", kTooMuch}, {"rcp", kTooMuch},
};

}  // namespace

Operation operation_of(const Instruction& instruction) {
    if (instruction.control != Control::kNone) return Operation::kOther;
    const Form& form = instruction.chosen->form;
    if (is_float(form.type(0)) || form.has("cc") || form.has("sat")) return Operation::kOther;
    const std::string_view name = opcode(instruction);
    for (const Named& known : kOperations) {
        if (known.opcode != name) continue;
        if (form.has("hi")) return Operation::kOther;
        if (known.operation == Operation::kConvert && is_float(form.type(1))) return Operation::kOther;
        if (known.operation == Operation::kRemainder && is_signed(form.type(0))) return Operation::kOther;
        if (known.operation == Operation::kMove && instruction.operands.size() == 2) {
            if (!instruction.operands[0].elements.empty()) return Operation::kUnpack;
            if (!instruction.operands[1].elements.empty()) return Operation::kPack;
        }
        return known.operation;
    }
    return Operation::kOther;
}

MemoryEffect memory_effect_of(const Instruction& instruction) {
    MemoryEffect effect;
    const Row& row = *instruction.chosen->row;
    const Form& form = instruction.chosen->form;
    const std::string_view name = opcode(instruction);
    const bool exchanges = std::find(std::begin(kExchanges), std::end(kExchanges), name) != std::end(kExchanges);
    effect.orders = (row.kind == Class::kSync && !exchanges && !form.has("commit_group")) ||
                    row.control == Control::kBarrier || row.control == Control::kCall || name == "nanosleep";
    if (row.kind != Class::kMemory) return effect;
    if (form.one_of({"local", "const", "param", "param::entry", "param::func"}) != "") return effect;
    const bool shared = form.one_of({"shared", "shared::cta", "shared::cluster"}) != "";
    effect.shared = shared || !form.has("global");
    effect.global = !shared;
    effect.is_strong = form.one_of({"volatile", "relaxed", "acquire", "release", "mmio"}) != "";
    if (name == "ld" || name == "ldu") {
        effect.use = MemoryUse::kLoad;
    } else if (name == "st") {
        effect.use = MemoryUse::kStore;
    } else if (name == "red") {
        effect.use = MemoryUse::kReduction;
    } else if (name == "atom") {
        effect.use = MemoryUse::kAtomic;
    } else if (name == "prefetch" || name == "prefetchu") {
        effect.shared = effect.global = false;
    } else {
        effect.use = MemoryUse::kCopy;
        effect.shared = effect.global = true;
    }
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
    const std::string_view name = opcode(instruction);
    for (const Sized& known : kSizes)
        if (known.opcode == name) return known.size;
    return 1;
}

Type widened_by(const Instruction& instruction) {
    if (operation_of(instruction) != Operation::kConvert || instruction.chosen->form.type_count() != 2)
        return Type::kNone;
    const Type to = instruction.chosen->form.type(0), from = instruction.chosen->form.type(1);
    return bytes_of(to) >= 4 && bytes_of(from) == 2 ? from : Type::kNone;
}

bool gives_all_the_same(const Instruction& instruction) {
    const std::string_view name = opcode(instruction);
    if (name == "redux" || name == "vote") return true;
    return name == "shfl" && instruction.chosen->form.has("idx") && instruction.operands.size() > 2 &&
           instruction.operands[2].bound.is_immediate;
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
