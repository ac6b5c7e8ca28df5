#include "scope/isa/assembler/padding.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "scope/isa/assembler/operation.h"
#include "scope/isa/lower/loops.h"
#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {
namespace {

using machine::FlowKind;
using machine::PaddingPlan;

enum class ValueSourceKind : std::uint8_t { kZero, kLoad, kOther };

// Where a value may come from.
struct ValueSource {
    ValueSourceKind kind = ValueSourceKind::kOther;
    std::uint32_t instruction = 0, element = 0;  // of a load
    bool operator<(const ValueSource& other) const {
        return std::tie(kind, instruction, element) < std::tie(other.kind, other.instruction, other.element);
    }
};
using ValueSources = std::set<ValueSource>;

// The sources of registers, by walking backwards.
class SourceWalk {
public:
    explicit SourceWalk(const FunctionCode& code) : code_(code) {}

    // Of what the register holds before the instruction at `position` of a block.
    ValueSources of(std::int32_t reg, std::uint32_t block, std::size_t position) {
        found_.clear();
        entered_.clear();
        steps_ = 0;
        walk(reg, block, position);
        return std::move(found_);
    }

private:
    void walk(std::int32_t reg, std::uint32_t block, std::size_t position) {
        constexpr unsigned kMaxSteps = 20000;
        const auto& all = code_.blocks[block].instructions;
        while (position-- > 0) {
            if (++steps_ > kMaxSteps) return other();
            const Instruction& instruction = code_.instructions[all[position]];
            bool writes = false;
            for_each_result(instruction, [&](std::int32_t result) { writes |= result == reg; });
            if (!writes) continue;
            take(instruction, all[position], reg, block, position);
            if (instruction.guard == kNoRegister) return;
        }
        if (code_.blocks[block].predecessors.empty() || block == 0) other();
        for (const std::uint32_t before : code_.blocks[block].predecessors)
            if (entered_.emplace(reg, before).second) walk(reg, before, code_.blocks[before].instructions.size());
    }

    void take(const Instruction& instruction, std::uint32_t index, std::int32_t reg, std::uint32_t block,
              std::size_t position) {
        const auto& operands = instruction.operands;
        if (instruction.control != Control::kNone || instruction.chosen == nullptr) return other();
        if (memory_effect_of(instruction).use == MemoryUse::kLoad) return take_load(instruction, index, reg);
        // Moves, and conversions, which leave a zero one.
        if (instruction.chosen->row->effect.flow != FlowKind::kMove || operands.size() != 2 ||
            !operands[0].elements.empty() || !operands[1].elements.empty())
            return other();
        const OpenOperand& from = operands[1];
        if (from.reg != kNoRegister) return walk(from.reg, block, position);
        if (from.bound.kind != BoundKind::kValue || !from.bound.is_immediate || from.bound.value != 0) return other();
        found_.insert({ValueSourceKind::kZero});
    }

    void take_load(const Instruction& load, std::uint32_t index, std::int32_t reg) {
        const OpenOperand& to = load.operands[0];
        if (to.reg == reg) {
            found_.insert({ValueSourceKind::kLoad, index, 0});
            return;
        }
        for (std::uint32_t i = 0; i < to.elements.size(); ++i)
            if (to.elements[i].reg == reg) {
                found_.insert({ValueSourceKind::kLoad, index, i});
                return;
            }
        other();
    }

    void other() { found_.insert({}); }

    const FunctionCode& code_;
    ValueSources found_;
    std::set<std::pair<std::int32_t, std::uint32_t>> entered_;
    unsigned steps_ = 0;
};

class PaddingSearch {
public:
    PaddingSearch(const FunctionCode& code, machine::PaddingPlan& plan) : code_(code), plan_(plan), sources_(code) {}

    void find_fills() {
        find_places();
        for_each([&](const Instruction& instruction, std::uint32_t block, std::size_t position) {
            if (is_shared(instruction, MemoryUse::kStore)) find_fill(instruction, block, position);
        });
    }

    void find_products() {
        find_places();
        for_each([&](const Instruction& instruction, std::uint32_t block, std::size_t position) {
            if (is_product(instruction)) find_factors(instruction, block, position);
        });
    }

private:
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::uint32_t b = 0; b < code_.blocks.size(); ++b)
            for (std::size_t i = 0; i < code_.blocks[b].instructions.size(); ++i) {
                const Instruction& instruction = code_.instructions[code_.blocks[b].instructions[i]];
                if (instruction.chosen != nullptr && !instruction.dead) visit(instruction, b, i);
            }
    }

    static bool is_shared(const Instruction& instruction, MemoryUse use) {
        if (instruction.chosen->row->kind != Class::kMemory || instruction.control != Control::kNone) return false;
        const MemoryEffect effect = memory_effect_of(instruction);
        return effect.use == use && effect.shared && !effect.global;
    }

    void find_places() {
        block_of_.assign(code_.instructions.size(), 0);
        place_of_.assign(code_.instructions.size(), 0);
        for (std::uint32_t b = 0; b < code_.blocks.size(); ++b)
            for (std::size_t i = 0; i < code_.blocks[b].instructions.size(); ++i) {
                block_of_[code_.blocks[b].instructions[i]] = b;
                place_of_[code_.blocks[b].instructions[i]] = i;
            }
    }

    static unsigned element_bytes(const Instruction& access) { return bytes_of(access.chosen->form.type()); }
    void note_element(const Instruction& access) {
        plan_.granule = static_cast<std::uint8_t>(std::min<unsigned>(plan_.granule, element_bytes(access)));
    }

    void find_fill(const Instruction& store, std::uint32_t block, std::size_t position) {
        if (element_bytes(store) < 2 || store.operands.size() < 2) return;
        const OpenOperand& what = store.operands[1];  // behind the address
        if (what.elements.empty()) return find_fill(store, what, 0, block, position);
        for (std::uint32_t i = 0; i < what.elements.size(); ++i) find_fill(store, what.elements[i], i, block, position);
    }
    void find_fill(const Instruction& store, const OpenOperand& what, std::uint32_t element, std::uint32_t block,
                   std::size_t position) {
        PaddingPlan::Fill fill{store.op, element, vector_length(store.chosen->form), {}};
        if (what.reg == kNoRegister) {
            if (!what.bound.is_immediate || what.bound.value != 0) return;
        } else {
            bool has_zero = false, in_turn = false;
            for (const ValueSource& source : sources_.of(what.reg, block, position)) {
                if (source.kind == ValueSourceKind::kOther) return;
                if (source.kind == ValueSourceKind::kZero) {
                    has_zero = true;
                    continue;
                }
                const Instruction& load = code_.instructions[source.instruction];
                const MemoryEffect effect = memory_effect_of(load);
                if (effect.shared || !effect.global) return;
                in_turn = in_turn || runs_each_turn_of(block, block_of_[source.instruction]);
                fill.loads.push_back(load.op);
            }
            if (!has_zero || (!fill.loads.empty() && !in_turn)) return;
        }
        note_element(store);
        plan_.fills.push_back(std::move(fill));
    }

    // Whether the innermost loop around a block holds the other one, too.
    bool runs_each_turn_of(std::uint32_t block, std::uint32_t other) {
        if (!loops_) loops_ = find_loops(code_);
        const Loop* innermost = nullptr;
        for (const Loop& loop : *loops_)
            if (std::binary_search(loop.blocks.begin(), loop.blocks.end(), block)) innermost = &loop;
        return innermost == nullptr || std::binary_search(innermost->blocks.begin(), innermost->blocks.end(), other);
    }

    static bool is_product(const Instruction& instruction) {
        if (instruction.control != Control::kNone || instruction.guard != kNoRegister) return false;
        const FlowKind flow = instruction.chosen->row->effect.flow;
        if (flow != FlowKind::kMultiply && flow != FlowKind::kMultiplyAdd) return false;
        switch (instruction.chosen->form.type()) {
            case Type::kF16:
            case Type::kBf16:
            case Type::kF32:
            case Type::kF64: return true;
            default: return false;
        }
    }

    void find_factors(const Instruction& product, std::uint32_t block, std::size_t position) {
        PaddingPlan::Product found;
        found.op = product.op;
        const Type type = product.chosen->form.type();
        found.type = type == Type::kF64   ? PaddingPlan::Type::kFp64
                     : type == Type::kF32 ? PaddingPlan::Type::kFp32
                                          : PaddingPlan::Type::kFp16;
        found.flop = product.chosen->row->effect.flow == FlowKind::kMultiplyAdd ? 2 : 1;
        std::int64_t last = -1;
        for (unsigned i = 0; i < 2; ++i) {
            const std::int32_t reg = product.operands[1 + i].reg;
            if (reg == kNoRegister) continue;
            const ValueSources from = sources_.of(reg, block, position);
            if (from.size() != 1 || from.begin()->kind != ValueSourceKind::kLoad) continue;
            const std::uint32_t index = from.begin()->instruction;
            const Instruction& load = code_.instructions[index];
            if (!is_shared(load, MemoryUse::kLoad) || load.guard != kNoRegister) continue;
            found.factors[i] = value_of(load, from.begin()->element);
            const auto place = static_cast<std::int64_t>(place_of_[index]);
            if (block_of_[index] != block || place > static_cast<std::int64_t>(position) || place <= last) continue;
            last = place;
            found.after = load.op;
        }
        if (last >= 0) plan_.products.push_back(found);
    }

    std::int32_t value_of(const Instruction& load, std::uint32_t element) {
        const auto [known, fresh] =
            values_.try_emplace({load.op, element}, static_cast<std::int32_t>(plan_.values.size()));
        if (fresh) {
            note_element(load);
            plan_.values.push_back({load.op, element, vector_length(load.chosen->form)});
        }
        return known->second;
    }

    const FunctionCode& code_;
    PaddingPlan& plan_;
    SourceWalk sources_;
    std::optional<std::vector<Loop>> loops_;
    std::vector<std::uint32_t> block_of_;  // by instruction
    std::vector<std::size_t> place_of_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int32_t> values_;
};

}  // namespace

void find_fills(const FunctionCode& code, PaddingPlan& plan) { PaddingSearch(code, plan).find_fills(); }

void find_padded_products(const FunctionCode& code, PaddingPlan& plan) { PaddingSearch(code, plan).find_products(); }

}  // namespace tilescope::isa
