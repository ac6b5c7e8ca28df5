// What becomes of the values that plain loads bring.
//
// A value is followed through moves and arithmetic, and through registers that differ by the way that it chose, to all
// instructions that it reaches, none of which is in code that no way leads to from the load. It only decides when it
// reaches branches, guards, and compare-and-swaps at the address that it was read from, and nothing else. What follows
// from the result of such a compare-and-swap follows from memory as it was then. Does not model: values of which a part
// is thrown away again.
#include <algorithm>
#include <optional>
#include <set>

#include "scope/isa/lower/control_ways.h"
#include "scope/isa/lower/race_facts.h"
#include "scope/isa/table/access_words.h"

namespace tilescope::isa {
namespace {

using machine::FlowFunction;
using machine::FlowKind;
using machine::PlainRead;
using machine::Space;

bool is_plain_load(const Instruction& instruction) {
    if (instruction.dead || instruction.chosen == nullptr || instruction.chosen->row->effect.action != Action::kLoad)
        return false;
    const Form& form = instruction.chosen->form;
    const Space space = space_of(form);
    return (space == Space::kGlobal || space == Space::kGeneric) &&
           order_of(*instruction.chosen->row, form) == machine::Order::kWeak && !form.has("nc");
}

const OpenOperand* address_operand(const Instruction& instruction) {
    const auto found =
        std::find_if(instruction.operands.begin(), instruction.operands.end(),
                     [](const OpenOperand& operand) { return operand.bound.kind == BoundKind::kAddress; });
    return found == instruction.operands.end() ? nullptr : &*found;
}

bool is_swap(const Instruction& instruction) {
    return instruction.chosen != nullptr && instruction.chosen->row->effect.action == Action::kAtomic &&
           instruction.chosen->form.has("cas");
}

// Whether doing it twice is the same as doing it once.
bool is_idempotent(const Instruction& atomic) {
    return !atomic.chosen->form.one_of({"min", "max", "and", "or"}).empty();
}

// What an address is made of, where two instructions that compute the same are the same.
class Addresses {
public:
    explicit Addresses(const FunctionCode& code) : code_(code) {}

    bool is_same(const Instruction& one, const Instruction& other) const {
        const OpenOperand *a = address_operand(one), *b = address_operand(other);
        if (a == nullptr || b == nullptr || a->bound.frame_relative || b->bound.frame_relative) return false;
        const Place place = place_of(*a), other_place = place_of(*b);
        if (place.offset != other_place.offset) return false;
        if (place.base == kNoRegister || other_place.base == kNoRegister) return place.base == other_place.base;
        return is_same(place.base, other_place.base, kDepth);
    }

private:
    static constexpr unsigned kDepth = 12;

    const Instruction* writer_of(std::int32_t reg) const {
        const Definition& definition = code_.definitions[static_cast<std::size_t>(reg)];
        if (definition.count != 1) return nullptr;
        const Instruction& writer = code_.instructions[definition.last];
        const bool plain = writer.guard == kNoRegister && writer.control == Control::kNone && writer.chosen != nullptr;
        return plain ? &writer : nullptr;
    }

    // What an address counts from, and how far it is from there.
    struct Place {
        std::int32_t base = kNoRegister;  // kNoRegister: from 0
        std::int64_t offset = 0;
    };

    Place place_of(const OpenOperand& address) const {
        Place place{address.reg, address.bound.value};
        for (unsigned left = kDepth; left != 0 && place.base != kNoRegister; --left) {
            const Instruction* const writer = writer_of(place.base);
            if (writer == nullptr) break;
            const FlowKind kind = writer->chosen->row->effect.flow;
            const auto& operands = writer->operands;
            if (kind == FlowKind::kMove && operands.size() == 2 && operands[1].elements.empty() &&
                (operands[1].reg != kNoRegister || operands[1].bound.is_immediate)) {
                if (operands[1].reg == kNoRegister) place.offset += operands[1].bound.value;
                place.base = operands[1].reg;
            } else if (kind == FlowKind::kAdd && operands.size() == 3 && operands[1].reg != kNoRegister &&
                       operands[2].reg == kNoRegister && operands[2].bound.is_immediate) {
                place.offset += operands[2].bound.value;
                place.base = operands[1].reg;
            } else {
                break;
            }
        }
        return place;
    }

    std::int32_t root_of(std::int32_t reg) const {
        for (unsigned left = kDepth; left != 0; --left) {
            const Instruction* const writer = writer_of(reg);
            if (writer == nullptr || writer->chosen->row->effect.flow != FlowKind::kMove ||
                writer->operands.size() != 2 || writer->operands[1].reg == kNoRegister)
                break;
            reg = writer->operands[1].reg;
        }
        return reg;
    }

    bool is_same(std::int32_t one, std::int32_t other, unsigned depth) const {
        one = root_of(one);
        other = root_of(other);
        if (one == other) return true;
        const Instruction *x = writer_of(one), *y = writer_of(other);
        if (x == nullptr || y == nullptr || depth == 0 || x->chosen->row != y->chosen->row ||
            x->operands.size() != y->operands.size() || x->chosen->row->effect.varies ||
            (x->chosen->row->effect.action != Action::kNone && x->chosen->row->effect.action != Action::kLoad))
            return false;
        for (std::size_t i = 0; i < x->operands.size(); ++i) {
            const OpenOperand &a = x->operands[i], &b = y->operands[i];
            if (!a.elements.empty() || !b.elements.empty()) return false;
            if (a.writes) continue;
            if (a.bound.value != b.bound.value || (a.reg == kNoRegister) != (b.reg == kNoRegister)) return false;
            if (a.reg == kNoRegister ? !(a.bound.slot == b.bound.slot) : !is_same(a.reg, b.reg, depth - 1))
                return false;
        }
        return true;
    }

    const FunctionCode& code_;
};

class PlainReads {
public:
    explicit PlainReads(const FunctionCode& code)
        : code_(code), ways_(code), addresses_(code), varies_(varying_registers(code)) {
        readers_.resize(code.registers.size());
        marked_.resize(code.registers.size());
        copies_.resize(code.registers.size());
        block_of_.resize(code.instructions.size());
        for (std::uint32_t block = 0; block < code.blocks.size(); ++block)
            for (const std::uint32_t index : code.blocks[block].instructions) {
                block_of_[index] = block;
                if (code.instructions[index].dead) continue;
                for_each_read(code.instructions[index], [&](std::int32_t reg, bool) {
                    auto& list = readers_[static_cast<std::size_t>(reg)];
                    if (list.empty() || list.back() != index) list.push_back(index);
                });
            }
        writers_ = writers_of_registers(code);
    }

    std::vector<PlainRead> find() {
        std::vector<PlainRead> found;
        for (const CodeBlock& block : code_.blocks)
            for (const std::uint32_t index : block.instructions) {
                if (!is_plain_load(code_.instructions[index])) continue;
                PlainRead read;
                read.op = code_.instructions[index].op;
                read.is_guess = follow(index, /*is_guess=*/true);
                read.only_decides = !read.is_guess && follow(index, false) && describe(read);
                if (read.is_guess || read.only_decides) found.push_back(std::move(read));
            }
        std::sort(found.begin(), found.end(), [](const PlainRead& a, const PlainRead& b) { return a.op < b.op; });
        return found;
    }

private:
    static constexpr unsigned kMoves = 4;  // that a result is followed through

    // Reaches everything that the value of a load reaches. False: that is more than it may be.
    bool follow(std::uint32_t load, bool is_guess) {
        load_ = &code_.instructions[load];
        is_guess_ = is_guess;
        for (const std::int32_t reg : touched_) marked_[static_cast<std::size_t>(reg)] = 0;
        for (const std::int32_t reg : touched_) copies_[static_cast<std::size_t>(reg)] = 0;
        touched_.clear();
        open_.clear();
        branches_.clear();
        guarded_.clear();
        find_later(block_of_[load]);
        find_copies();
        for_each_result(*load_, [&](std::int32_t reg) { mark(reg); });
        while (!open_.empty()) {
            const std::int32_t reg = open_.back();
            open_.pop_back();
            if (code_.registers[static_cast<std::size_t>(reg)].fixed) return false;
            for (const std::uint32_t index : readers_[static_cast<std::size_t>(reg)])
                if (is_later(index) && !reach(index, reg)) return false;
        }
        return true;
    }

    // A register may have had another value before the load, in code that doesn't come behind it.
    void find_later(std::uint32_t block) {
        if (later_than_ == block) return;
        later_than_ = block;
        is_later_.assign(code_.blocks.size(), 0);
        is_later_[block] = 1;
        for (const std::uint32_t each : ways_.behind(block)) is_later_[each] = 1;
    }
    bool is_later(std::uint32_t index) const { return is_later_[block_of_[index]] != 0; }

    void mark(std::int32_t reg) {
        if (marked_[static_cast<std::size_t>(reg)] != 0) return;
        marked_[static_cast<std::size_t>(reg)] = 1;
        touched_.push_back(reg);
        open_.push_back(reg);
    }

    // Registers that moves alone bring the value to.
    void find_copies() {
        std::vector<std::int32_t> open;
        const auto add = [&](std::int32_t reg) {
            if (is_copy(reg)) return;
            copies_[static_cast<std::size_t>(reg)] = 1;
            touched_.push_back(reg);
            open.push_back(reg);
        };
        for_each_result(*load_, add);
        while (!open.empty()) {
            const std::int32_t reg = open.back();
            open.pop_back();
            for (const std::uint32_t reader : readers_[static_cast<std::size_t>(reg)]) {
                const Instruction& instruction = code_.instructions[reader];
                if (instruction.chosen != nullptr && is_copying(instruction)) for_each_result(instruction, add);
            }
        }
    }
    static bool is_copying(const Instruction& instruction) {
        const Effect& effect = instruction.chosen->row->effect;
        return effect.flow == FlowKind::kMove && effect.function != FlowFunction::kConvert;
    }
    bool is_copy(std::int32_t reg) const { return reg != kNoRegister && copies_[static_cast<std::size_t>(reg)] != 0; }

    bool is_checking_swap(const Instruction& instruction) const {
        if (!is_swap(instruction) || !addresses_.is_same(*load_, instruction)) return false;
        const std::size_t count = instruction.operands.size();
        // Result, address, what it compares with, what it stores.
        return count >= 4 && is_copy(instruction.operands[2].reg);
    }

    // A comparison with what such a compare-and-swap found: that follows from memory as it was then.
    bool compares_with_swap(const Instruction& instruction) const {
        if (instruction.chosen->row->effect.function != FlowFunction::kCompare) return false;
        bool any = false;
        for_each_source(instruction, [&](std::int32_t reg) { any = any || comes_of_swap(reg, kMoves); });
        return any;
    }
    bool comes_of_swap(std::int32_t reg, unsigned moves) const {
        const auto& writers = writers_[static_cast<std::size_t>(reg)];
        return !writers.empty() && std::all_of(writers.begin(), writers.end(), [&](std::uint32_t writer) {
            const Instruction& instruction = code_.instructions[writer];
            if (is_checking_swap(instruction)) return instruction.operands[0].reg == reg;
            if (moves == 0 || instruction.chosen == nullptr || !is_copying(instruction)) return false;
            bool all = true;
            for_each_source(instruction, [&](std::int32_t source) { all = all && comes_of_swap(source, moves - 1); });
            return all;
        });
    }

    bool reach(std::uint32_t index, std::int32_t reg) {
        const Instruction& instruction = code_.instructions[index];
        bool is_source = false, is_address = false;
        for_each_read(instruction, [&](std::int32_t each, bool as_address) {
            is_address = is_address || (each == reg && as_address);
        });
        for_each_source(instruction, [&](std::int32_t each) { is_source = is_source || each == reg; });
        if (is_address) return false;
        if (instruction.guard == reg && !decide(index)) return false;
        if (!is_source) return true;
        if (instruction.chosen == nullptr) return false;
        if (instruction.control == Control::kBranchIndexed) return decide(index);
        const Effect& effect = instruction.chosen->row->effect;
        if (is_checking_swap(instruction)) return true;
        if (instruction.control != Control::kNone || effect.action != Action::kNone || effect.varies) return false;
        if (compares_with_swap(instruction)) return true;
        for_each_result(instruction, [&](std::int32_t result) { mark(result); });
        return true;
    }

    // The value chooses whether an instruction runs, or where the program goes on.
    bool decide(std::uint32_t index) {
        if (is_guess_) return false;
        const Instruction& instruction = code_.instructions[index];
        switch (instruction.control) {
            case Control::kNone:
                guarded_.insert(index);
                for_each_result(instruction, [&](std::int32_t reg) { mark(reg); });
                return true;
            case Control::kBranch:
            case Control::kBranchIndexed:
            case Control::kReturn:
            case Control::kExit: break;
            default: return false;
        }
        const std::uint32_t block = block_of_[index];
        if (!branches_.insert(block).second) return true;
        // Registers that have one of several values where the ways meet, by the way that was taken.
        const std::vector<std::uint32_t> blocks = ways_.between(block);
        std::vector<char> is_inside(code_.blocks.size(), 0);
        for (const std::uint32_t each : blocks) is_inside[each] = 1;
        for (const std::uint32_t each : blocks)
            for (const std::uint32_t at : code_.blocks[each].instructions)
                for_each_result(code_.instructions[at], [&](std::int32_t reg) {
                    if (code_.definitions[static_cast<std::size_t>(reg)].count < 2) return;
                    const auto& readers = readers_[static_cast<std::size_t>(reg)];
                    if (std::any_of(readers.begin(), readers.end(), [&](std::uint32_t reader) {
                            return is_later(reader) && is_inside[block_of_[reader]] == 0;
                        }))
                        mark(reg);
                });
        return true;
    }

    // What the code does that the value decides about. False: threads meet there, or nobody knows.
    bool describe(PlainRead& read) const {
        std::set<std::uint32_t> strict = guarded_, wide;
        for (const std::uint32_t branch : branches_) {
            for (const std::uint32_t block : ways_.between(branch)) add(block, strict);
            // Behind a loop that waits for the value, all the rest depends on it.
            if (ways_.leaves_loop(branch))
                for (const std::uint32_t block : ways_.behind(branch)) add(block, wide);
        }
        for (const std::uint32_t index : strict)
            if (!describe(index, /*is_strict=*/true, read)) return false;
        for (const std::uint32_t index : wide)
            if (!strict.contains(index) && !describe(index, false, read)) return false;
        return true;
    }

    void add(std::uint32_t block, std::set<std::uint32_t>& into) const {
        for (const std::uint32_t index : code_.blocks[block].instructions)
            if (!code_.instructions[index].dead) into.insert(index);
    }

    bool describe(std::uint32_t index, bool is_strict, PlainRead& read) const {
        const Instruction& instruction = code_.instructions[index];
        switch (instruction.control) {
            case Control::kBarrier:
            case Control::kConverge:
            case Control::kYield:
            case Control::kCall: return !is_strict;
            case Control::kNone: break;
            default: return true;
        }
        if (instruction.chosen == nullptr) return false;
        const Form& form = instruction.chosen->form;
        if (!form.one_of({"param", "param::entry", "param::func", "const", "local"}).empty()) return true;
        switch (instruction.chosen->row->effect.action) {
            case Action::kNone:
            case Action::kHint:
            case Action::kPause: return true;
            case Action::kLoad: read.loads.push_back(instruction.op); return true;
            case Action::kStore:
                read.has_effects = read.has_effects || stores_what_varies(instruction, varies_);
                read.stores.push_back(instruction.op);
                return true;
            case Action::kAtomic:
            case Action::kReduction: read.has_effects = read.has_effects || !is_idempotent(instruction); return true;
            default: return !is_strict;
        }
    }

    const FunctionCode& code_;
    ControlWays ways_;
    Addresses addresses_;
    std::vector<char> varies_;                         // varying_registers()
    std::vector<std::vector<std::uint32_t>> readers_;  // by register
    std::vector<std::vector<std::uint32_t>> writers_;
    std::vector<std::uint32_t> block_of_;  // by instruction

    // Of the load that is followed.
    const Instruction* load_ = nullptr;
    bool is_guess_ = false;
    std::vector<char> marked_, copies_;  // by register: the value reaches it; by moves alone
    std::vector<std::int32_t> touched_, open_;
    std::set<std::uint32_t> branches_, guarded_;  // blocks and instructions that it decides about
    std::uint32_t later_than_ = machine::kNoBlock;
    std::vector<char> is_later_;  // by block: whether a way leads there from the load
};

}  // namespace

std::vector<PlainRead> plain_reads(const FunctionCode& code) {
    constexpr std::size_t kMostBlocks = 1000;  // of larger functions nothing is known: each load may look at all of it
    return code.blocks.size() <= kMostBlocks ? PlainReads(code).find() : std::vector<PlainRead>();
}

void Lowering::find_races() {
    if (!request_.with_races) return;
    constexpr std::uint32_t kNone = machine::RaceFacts::kNoOp;
    machine::RaceFacts& facts = program_->race_facts;
    facts.parted_by.assign(program_->ops.size(), kNone);
    std::vector<std::uint32_t> called_by(functions_.size(), kNone);  // by function: a call that not all threads make
    std::vector<std::vector<std::uint32_t>> parted;
    for (const auto& code : functions_) {
        parted.push_back(parted_by(*code, *program_));
        for (PlainRead& read : plain_reads(*code)) facts.reads.push_back(std::move(read));
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < functions_.size(); ++i)
            for (std::uint32_t index = 0; index < functions_[i]->instructions.size(); ++index) {
                const Instruction& instruction = functions_[i]->instructions[index];
                if (instruction.control != Control::kCall) continue;
                const std::uint32_t by =
                    parted[i][index] != kNone ? functions_[i]->instructions[parted[i][index]].op : called_by[i];
                const auto callee = function(functions_[i]->calls[instruction.call].callee);
                if (by == kNone || !callee || called_by[*callee] != kNone) continue;
                called_by[*callee] = by;
                changed = true;
            }
    }
    for (std::size_t i = 0; i < functions_.size(); ++i) {
        const FunctionCode& code = *functions_[i];
        for (const CodeBlock& block : code.blocks)
            for (const std::uint32_t index : block.instructions) {
                if (code.instructions[index].dead) continue;
                const std::uint32_t by = parted[i][index];
                facts.parted_by[code.instructions[index].op] = by == kNone ? called_by[i] : code.instructions[by].op;
            }
    }
    std::sort(facts.reads.begin(), facts.reads.end(),
              [](const PlainRead& a, const PlainRead& b) { return a.op < b.op; });
}

}  // namespace tilescope::isa
