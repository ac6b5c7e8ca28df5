// Last, on request: what addresses in global memory are made of (machine/index_facts.h).
//
// Each register that one instruction writes is the sum of products that the instruction makes of its sources. One that
// a loop carries is what it begins with and, for each turn, what is added: other registers of several writers are
// unknown. Bounds on terms, factors and depth keep the work small whatever the program; beyond them values are unknown.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "scope/isa/lower/lowering.h"
#include "scope/isa/table/access_words.h"
#include "scope/machine/index_facts.h"

namespace tilescope::isa {
namespace {

using machine::AccessIndex;
using machine::FlowFunction;
using machine::FlowKind;
using machine::IndexAtom;
using machine::IndexFactor;
using machine::IndexForm;
using machine::LaunchValue;
using machine::Special;

constexpr std::size_t kMaxTerms = 24, kMaxFactors = 3;
constexpr unsigned kMaxDepth = 200;
constexpr std::size_t kMaxInstructions = 50000;  // of a function that is looked at

// Products by their sorted factors, to what they are multiplied with.
using Sum = std::map<std::vector<IndexAtom>, std::int64_t>;

Sum constant(std::int64_t value) { return value == 0 ? Sum() : Sum{{{}, value}}; }
Sum atom(IndexAtom what) { return Sum{{{what}, 1}}; }

std::optional<Sum> sum(const Sum& a, const Sum& b, std::int64_t times) {
    Sum result = a;
    for (const auto& [factors, scale] : b) {
        std::int64_t scaled = 0;
        auto& into = result[factors];
        if (__builtin_mul_overflow(scale, times, &scaled) || __builtin_add_overflow(into, scaled, &into))
            return std::nullopt;
        if (into == 0) result.erase(factors);
    }
    return result.size() <= kMaxTerms ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<Sum> product(const Sum& a, const Sum& b) {
    Sum result;
    for (const auto& [one, one_scale] : a)
        for (const auto& [other, other_scale] : b) {
            std::vector<IndexAtom> factors = one;
            factors.insert(factors.end(), other.begin(), other.end());
            if (factors.size() > kMaxFactors) return std::nullopt;
            std::sort(factors.begin(), factors.end());
            std::int64_t scaled = 0;
            auto& into = result[factors];
            if (__builtin_mul_overflow(one_scale, other_scale, &scaled) || __builtin_add_overflow(into, scaled, &into))
                return std::nullopt;
            if (into == 0) result.erase(factors);
        }
    return result.size() <= kMaxTerms ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<IndexFactor> factor_of(Special what) {
    switch (what) {
        case Special::kTidX: return IndexFactor::kTidX;
        case Special::kTidY: return IndexFactor::kTidY;
        case Special::kTidZ: return IndexFactor::kTidZ;
        case Special::kCtaidX: return IndexFactor::kCtaidX;
        case Special::kCtaidY: return IndexFactor::kCtaidY;
        case Special::kCtaidZ: return IndexFactor::kCtaidZ;
        default: return std::nullopt;
    }
}

std::optional<IndexFactor> factor_of(LaunchValue what) {
    switch (what) {
        case LaunchValue::kNtidX: return IndexFactor::kNtidX;
        case LaunchValue::kNtidY: return IndexFactor::kNtidY;
        case LaunchValue::kNtidZ: return IndexFactor::kNtidZ;
        case LaunchValue::kNctaidX: return IndexFactor::kNctaidX;
        case LaunchValue::kNctaidY: return IndexFactor::kNctaidY;
        case LaunchValue::kNctaidZ: return IndexFactor::kNctaidZ;
        case LaunchValue::kParameter: return IndexFactor::kParameter;
        default: return std::nullopt;
    }
}

// Whether `a | b` is `a + b`: the bits of one lie below all those of the other's terms, as compilers arrange it.
bool is_apart(const Sum& a, const Sum& b) {
    const auto shifted = [](const Sum& one) {
        return !one.empty() &&
               std::all_of(one.begin(), one.end(), [](const auto& term) { return term.second % 2 == 0; });
    };
    return shifted(a) != shifted(b);
}

bool ends_thread(const Instruction& instruction) {
    return instruction.control == Control::kReturn || instruction.control == Control::kExit;
}

IndexForm form_of(const Sum& sum) {
    IndexForm form;
    for (const auto& [factors, scale] : sum) form.push_back({scale, factors});
    return form;
}

class IndexForms {
public:
    IndexForms(const FunctionCode& code, machine::Program& program)
        : code_(code), program_(program), writers_(writers_of_registers(code)), origins_(address_origins(code)) {
        for (const machine::SpecialSlot& slot : program.specials)
            if (const auto factor = factor_of(slot.what)) specials_[slot.offset] = {*factor, 0, 4};
        for (const machine::LaunchSlot& slot : program.launch_slots)
            if (const auto factor = factor_of(slot.what))
                launch_[slot.offset] = {*factor, slot.parameter_offset, slot.bytes};
        find_comparisons();
    }

    void run() {
        for (std::uint32_t block = 0; block < code_.blocks.size(); ++block)
            for (const std::uint32_t index : code_.blocks[block].instructions)
                look_at(block, code_.instructions[index]);
        for (const auto& [index, source] : widened_) {
            const std::optional<Sum> value = resolve(source.value);
            if (value)
                program_.index_facts.widened.push_back(
                    {code_.instructions[index].op, source.is_signed, form_of(*value)});
        }
        for (const std::uint32_t index : comparisons_) add_comparison(code_.instructions[index]);
    }

private:
    struct Widened {
        bool is_signed = false;
        Sum value;
    };

    // Whether every way through the function comes by this block.
    bool is_for_all(std::uint32_t block) {
        const auto [known, fresh] = for_all_.try_emplace(block, true);
        if (!fresh) return known->second;
        std::vector<char> seen(code_.blocks.size(), 0);
        std::vector<std::uint32_t> open;
        const auto add = [&](std::uint32_t to) {
            if (to == block || seen[to] != 0) return;
            seen[to] = 1;
            open.push_back(to);
        };
        add(0);
        while (!open.empty() && known->second) {
            const CodeBlock& at = code_.blocks[open.back()];
            open.pop_back();
            const bool may_end = at.successors.empty() ||
                                 (!at.instructions.empty() && ends_thread(code_.instructions[at.instructions.back()]));
            if (may_end) known->second = false;
            for (const std::uint32_t to : at.successors) add(to);
        }
        return known->second;
    }

    void look_at(std::uint32_t block, const Instruction& instruction) {
        if (instruction.chosen == nullptr || instruction.dead) return;
        const Action action = instruction.chosen->row->effect.action;
        const bool accesses = action == Action::kLoad || action == Action::kStore || action == Action::kAtomic ||
                              action == Action::kReduction;
        if (!accesses) return;
        const machine::Space space = space_of(instruction.chosen->form);
        if (space != machine::Space::kGlobal && space != machine::Space::kGeneric) return;
        for (const OpenOperand& operand : instruction.operands) {
            if (operand.bound.kind != BoundKind::kAddress || operand.reg == kNoRegister) continue;
            const std::int32_t origin = origins_[static_cast<std::size_t>(operand.reg)];
            if (origin < kFirstPointer) return;
            const machine::PointerSource& pointer = program_.pointers[static_cast<std::size_t>(origin - kFirstPointer)];
            if (!pointer.is_parameter) return;
            std::optional<Sum> bytes = resolve(of_register(operand.reg, 0));
            if (bytes) bytes = sum(*bytes, constant(operand.bound.value), 1);
            const std::vector<IndexAtom> base{
                {IndexFactor::kParameter, static_cast<std::uint32_t>(pointer.at), sizeof(std::uint64_t)}};
            if (!bytes || bytes->count(base) == 0 || bytes->at(base) != 1) return;
            bytes->erase(base);
            const Form& form = instruction.chosen->form;
            const unsigned elements = form.has("v2") ? 2 : form.has("v4") ? 4 : form.has("v8") ? 8 : 1;
            const bool is_guarded = instruction.guard != kNoRegister || !is_for_all(block);
            program_.index_facts.accesses.push_back({instruction.op, origin - kFirstPointer,
                                                     static_cast<std::uint8_t>(elements * bytes_of(form.type())),
                                                     is_guarded, form_of(*bytes)});
            return;
        }
    }

    // Also which values are compared as numbers with a sign: compilers widen such a one without it where it is not
    // negative, and multiply alike with and without.
    void find_comparisons() {
        for (std::uint32_t index = 0; index < code_.instructions.size(); ++index) {
            const Instruction& instruction = code_.instructions[index];
            if (instruction.chosen == nullptr || instruction.dead) continue;
            const Form& form = instruction.chosen->form;
            if (instruction.chosen->row->effect.function != FlowFunction::kCompare || is_float(form.type(0)) ||
                form.one_of({"lt", "le", "gt", "ge"}).empty())
                continue;
            comparisons_.push_back(index);
            if (is_signed(form.type(0))) for_each_source(instruction, [&](std::int32_t reg) { signed_.insert(reg); });
        }
    }

    void add_comparison(const Instruction& instruction) {
        std::vector<IndexForm> sides;
        for (const OpenOperand& operand : instruction.operands) {
            if (operand.writes || operand.bound.kind == BoundKind::kAbsent) continue;
            const auto value = of_operand(operand, 0);
            const auto resolved = value ? resolve(*value) : std::nullopt;
            if (!resolved) return;
            sides.push_back(form_of(*resolved));
        }
        if (sides.size() == 2) program_.index_facts.comparisons.push_back({std::move(sides[0]), std::move(sides[1])});
    }

    Sum other(std::int32_t reg) const { return atom({IndexFactor::kOther, static_cast<std::uint32_t>(reg), 4}); }

    Sum of_register(std::int32_t reg, unsigned depth) {
        if (const auto known = known_.find(reg); known != known_.end()) return known->second;
        if (depth > kMaxDepth || !open_.insert(reg).second) return other(reg);
        const std::vector<std::uint32_t>& writers = writers_[static_cast<std::size_t>(reg)];
        Sum value = other(reg);
        if (writers.size() == 1) {
            if (auto one = of_instruction(writers.front(), reg, depth + 1)) value = std::move(*one);
        } else if (writers.size() > 1) {
            carry(reg, writers, depth + 1);
        }
        open_.erase(reg);
        known_[reg] = value;
        return value;
    }

    // A register of several writers, as loops carry them: remembered as what it is, and known by its own name until all
    // are seen.
    void carry(std::int32_t reg, const std::vector<std::uint32_t>& writers, unsigned depth) {
        const std::vector<IndexAtom> itself{{IndexFactor::kOther, static_cast<std::uint32_t>(reg), 4}};
        std::optional<Sum> begin, step;
        for (const std::uint32_t writer : writers) {
            std::optional<Sum> value = of_instruction(writer, reg, depth);
            if (!value) return;
            const bool is_step = value->count(itself) != 0;
            if (is_step && value->at(itself) != 1) return;
            if (is_step) value->erase(itself);
            for (const auto& [factors, scale] : *value)
                if (std::find(factors.begin(), factors.end(), itself.front()) != factors.end()) return;
            std::optional<Sum>& into = is_step ? step : begin;
            if (into && *into != *value) return;
            into = std::move(value);
        }
        if (!begin) return;
        // No step: the same on all ways here, which compilers write more than once to save a block.
        const auto turns =
            product(step ? *step : Sum(), atom({IndexFactor::kTurns, static_cast<std::uint32_t>(reg), 4}));
        const auto all = turns ? sum(*begin, *turns, 1) : std::nullopt;
        if (all) carried_[itself.front()] = *all;
    }

    std::optional<Sum> of_operand(const OpenOperand& operand, unsigned depth) {
        if (operand.reg != kNoRegister) return of_register(operand.reg, depth);
        if (operand.bound.kind != BoundKind::kValue) return std::nullopt;
        if (operand.bound.is_immediate) return constant(operand.bound.value);
        const auto& slots =
            operand.bound.slot.bank() == static_cast<unsigned>(machine::Bank::kSpecial) ? specials_ : launch_;
        const unsigned bank = operand.bound.slot.bank();
        if (bank != static_cast<unsigned>(machine::Bank::kSpecial) &&
            bank != static_cast<unsigned>(machine::Bank::kLaunch))
            return std::nullopt;
        const auto found = slots.find(operand.bound.slot.offset());
        return found == slots.end() ? std::nullopt : std::optional(atom(found->second));
    }

    // What a load of parameters puts into a register.
    std::optional<Sum> of_parameters(const Instruction& instruction, std::int32_t reg, unsigned depth) {
        std::vector<const OpenOperand*> values;
        for (const OpenOperand& operand : instruction.operands)
            for (const OpenOperand& element : operand.elements)
                if (!element.writes) values.push_back(&element);
        std::size_t number = 0, at = values.size();
        for_each_result(instruction, [&](std::int32_t result) {
            if (result == reg) at = number;
            ++number;
        });
        if (at >= values.size()) return std::nullopt;
        return of_operand(*values[at], depth);
    }

    std::optional<Sum> of_instruction(std::uint32_t index, std::int32_t reg, unsigned depth) {
        const Instruction& instruction = code_.instructions[index];
        if (instruction.chosen == nullptr || instruction.control != Control::kNone || instruction.guard != kNoRegister)
            return std::nullopt;
        const Form& form = instruction.chosen->form;
        if (is_float(form.type(0)) || is_float(form.type(1)) || form.has("hi") || form.has("sat")) return std::nullopt;
        const Effect& effect = instruction.chosen->row->effect;
        if (effect.flow == FlowKind::kLoad) return of_parameters(instruction, reg, depth);
        std::vector<Sum> sources;
        for (const OpenOperand& operand : instruction.operands) {
            if (operand.writes || operand.bound.kind == BoundKind::kAbsent) continue;
            auto one = of_operand(operand, depth);
            if (!one) return std::nullopt;
            sources.push_back(std::move(*one));
        }
        widen(index, sources);
        switch (effect.flow) {
            case FlowKind::kMove: return sources.size() == 1 ? std::optional(sources[0]) : std::nullopt;
            case FlowKind::kAdd: return sources.size() == 2 ? sum(sources[0], sources[1], 1) : std::nullopt;
            case FlowKind::kSubtract: return sources.size() == 2 ? sum(sources[0], sources[1], -1) : std::nullopt;
            case FlowKind::kMultiply: return sources.size() == 2 ? product(sources[0], sources[1]) : std::nullopt;
            case FlowKind::kMultiplyAdd: {
                if (sources.size() != 3) return std::nullopt;
                const auto scaled = product(sources[0], sources[1]);
                return scaled ? sum(*scaled, sources[2], 1) : std::nullopt;
            }
            case FlowKind::kApply: return of_bits(effect.function, sources);
            default: return std::nullopt;
        }
    }

    static std::optional<Sum> of_bits(FlowFunction function, const std::vector<Sum>& sources) {
        if (sources.size() != 2) return std::nullopt;
        if (function == FlowFunction::kOr && is_apart(sources[0], sources[1])) return sum(sources[0], sources[1], 1);
        if (function != FlowFunction::kShiftLeft) return std::nullopt;
        constexpr std::int64_t kMostShift = 31;
        const Sum& by = sources[1];
        if (by.empty()) return sources[0];
        if (by.size() != 1 || !by.begin()->first.empty() || by.begin()->second < 0 || by.begin()->second > kMostShift)
            return std::nullopt;
        return product(sources[0], constant(std::int64_t{1} << by.begin()->second));
    }

    // Notes values of 32 bits that become 64 bits wide here.
    void widen(std::uint32_t index, const std::vector<Sum>& sources) {
        const Instruction& instruction = code_.instructions[index];
        const Form& form = instruction.chosen->form;
        const Effect& effect = instruction.chosen->row->effect;
        constexpr unsigned kNarrow = 4, kWide = 8;
        const bool converts = effect.flow == FlowKind::kMove && effect.function == FlowFunction::kConvert &&
                              form.type_count() > 1 && bytes_of(form.type(0)) == kWide &&
                              bytes_of(form.type(1)) == kNarrow;
        const bool multiplies = form.has("wide") && bytes_of(form.type(0)) == kNarrow;
        if ((!converts && !multiplies) || sources.empty()) return;
        bool has_sign = is_signed(converts ? form.type(1) : form.type(0));
        for_each_source(instruction, [&](std::int32_t reg) { has_sign |= signed_.contains(reg); });
        widened_[index] = {has_sign, sources[0]};
    }

    // With what loops carry in place of its name.
    std::optional<Sum> resolve(Sum value) const {
        constexpr unsigned kRounds = 4;  // a loop's value in another's
        for (unsigned round = 0; round < kRounds; ++round) {
            Sum result;
            bool changed = false;
            for (const auto& [factors, scale] : value) {
                std::optional<Sum> term = constant(scale);
                for (const IndexAtom& factor : factors) {
                    const auto known = carried_.find(factor);
                    changed |= known != carried_.end();
                    term = term ? product(*term, known == carried_.end() ? atom(factor) : known->second) : std::nullopt;
                }
                auto next = term ? sum(result, *term, 1) : std::nullopt;
                if (!next) return std::nullopt;
                result = std::move(*next);
            }
            value = std::move(result);
            if (!changed) break;
        }
        return value;
    }

    const FunctionCode& code_;
    machine::Program& program_;
    std::vector<std::vector<std::uint32_t>> writers_;
    std::vector<std::int32_t> origins_;
    std::map<std::uint32_t, IndexAtom> specials_, launch_;  // by offset in their banks
    std::map<std::int32_t, Sum> known_;
    std::map<std::uint32_t, bool> for_all_;     // is_for_all()
    std::set<std::int32_t> signed_;             // compared with a sign
    std::vector<std::uint32_t> comparisons_;    // instructions
    std::set<std::int32_t> open_;               // being worked out
    std::map<IndexAtom, Sum> carried_;          // by the name that it has meanwhile
    std::map<std::uint32_t, Widened> widened_;  // by instruction
};

}  // namespace

void Lowering::find_indices() {
    if (!request_.with_indices) return;
    for (const auto& code : functions_) {
        for (const auto& [barrier, branch] : code->conditional_barriers)
            program_->index_facts.barriers.push_back({code->instructions[barrier].op, code->instructions[branch].op});
        if (code->instructions.size() <= kMaxInstructions) IndexForms(*code, *program_).run();
    }
}

}  // namespace tilescope::isa
