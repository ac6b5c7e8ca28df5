// Step 3b: a product and a sum that name no rounding become one multiply-add, as ptxas makes of them.
//
// Read off machine code of ptxas 13.0.88 for sm_75, sm_80, sm_89 and sm_90 (25 November 2026), alike for f32, f64, f16,
// f16x2, bf16 and bf16x2:
// - a * b + c, c + a * b, a * b - c and c - a * b, a product's negative included (but of bf16x2). Whatever a, b and c
//   are: constants, 0, the same register. Two constants, however they came about, are multiplied beforehand; a product
//   by 1 is a copy, and by -1 a negative (of f16x2 and bf16x2: not).
// - Any rounding of the two, .rn as well, forbids it, and so does .sat of the product; .ftz has to be the same of both.
//   .sat of the sum stays with the multiply-add. The sum may be guarded, the product not.
// - Every use of the product is such a sum, or nothing is fused: where a product is stored as well it is there anyhow.
//   A sum of a product and itself is none. What only leads to values that nobody reads is no use.
// - Of two products the one that only this sum reads is fused, of equals the first. Sums that can have one of these
//   come first, in order; then those whose products several sums read. What a sum leaves of two is no longer fused
//   anywhere behind it.
// - Only within a basic block. Barriers, shuffles, votes, atomics and labels that nobody jumps to do not end one;
//   fences, calls, guarded exits, guarded accesses (of local memory not) and divisions and roots that may take a call
//   do.
// - Nothing with -O0, -g or --fmad=false.
// Does not model: products carried around a loop, which ptxas fuses between the turns of one that it has unrolled, and
// products whose factors are overwritten before the sum (PTX by hand): those stay as they are written.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "scope/isa/lower/used_values.h"
#include "scope/isa/table/access_words.h"

namespace tilescope::isa {
namespace {

bool names_rounding(const Form& form) { return form.one_of({"rn", "rz", "rm", "rp"}) != ""; }

// Floating-point arithmetic with two sources that names no rounding.
bool is_plain(const Instruction& instruction) {
    return instruction.control == Control::kNone && instruction.operands.size() == 3 &&
           is_float(instruction.chosen->form.type()) && instruction.chosen->form.type_count() == 1 &&
           !names_rounding(instruction.chosen->form);
}

bool is_product(const Instruction& instruction) {
    return is_plain(instruction) && instruction.chosen->row->effect.flow == machine::FlowKind::kMultiply &&
           !instruction.chosen->form.has("sat") && instruction.guard == kNoRegister &&
           instruction.operands[0].reg != kNoRegister;
}

bool is_sum(const Instruction& instruction) {
    const machine::FlowKind flow = instruction.chosen->row->effect.flow;
    return is_plain(instruction) && (flow == machine::FlowKind::kAdd || flow == machine::FlowKind::kSubtract);
}

bool agree(const Form& one, const Form& other) {
    return one.type() == other.type() && one.has("ftz") == other.has("ftz");
}

bool is_fence(const Row& row, const Form& form) {
    return row.kind == Class::kSync && row.control == Control::kNone && row.effect.action == Action::kNone &&
           order_of(row, form) != machine::Order::kWeak;
}

// 1 of a type, and the bit of its sign.
struct One {
    std::uint64_t bits, sign;
};
std::optional<One> one_of(Type type) {
    switch (type) {
        case Type::kF64: return One{0x3ff0000000000000, std::uint64_t{1} << 63};
        case Type::kF32: return One{0x3f800000, 0x80000000};
        case Type::kF16: return One{0x3c00, 0x8000};
        case Type::kBf16: return One{0x3f80, 0x8000};
        default: return std::nullopt;
    }
}

// Whether ptxas has ended a basic block there.
bool ends_block(const Instruction& instruction) {
    const Row& row = *instruction.chosen->row;
    const Form& form = instruction.chosen->form;
    if (instruction.control == Control::kCall || is_fence(row, form)) return true;
    if (instruction.guard != kNoRegister && (instruction.control != Control::kNone || row.kind == Class::kSync ||
                                             (row.kind == Class::kMemory && !form.has("local"))))
        return true;
    if (row.effect.expansion != Expansion::kSubroutine) return false;
    if (form.type() == Type::kF64) return !form.has("ftz");
    if (is_float(form.type())) return !form.has("approx") && !form.has("full");
    return is_signed(form.type()) || bytes_of(form.type()) != 4;
}

// Lets the block behind it go on with it.
bool goes_on(const Instruction& last) {
    switch (last.control) {
        case Control::kReturn:
        case Control::kExit:
        case Control::kTrap:
        case Control::kBranchIndexed:
        case Control::kCall: return false;
        default: return true;
    }
}

bool has_products(const FunctionCode& code) {
    return std::any_of(code.blocks.begin(), code.blocks.end(), [&](const CodeBlock& block) {
        return std::any_of(block.instructions.begin(), block.instructions.end(),
                           [&](std::uint32_t index) { return is_product(code.instructions[index]); });
    });
}

class Contraction {
public:
    Contraction(Lowering& lowering, FunctionCode& code) : lowering_(lowering), code_(code), known_(code) {}

    void run() {
        find_live();
        std::vector<char> done(code_.blocks.size(), 0);
        for (std::uint32_t first = 0; first < code_.blocks.size(); ++first)
            if (!follows(first)) walk_chain(first, done);
        for (std::uint32_t first = 0; first < code_.blocks.size(); ++first)
            if (!done[first]) walk_chain(first, done);  // of a ring that nobody enters
        if (!any_removed_) return;
        for (CodeBlock& block : code_.blocks)
            block.instructions.erase(std::remove_if(block.instructions.begin(), block.instructions.end(),
                                                    [&](std::uint32_t index) { return removed_.count(index) != 0; }),
                                     block.instructions.end());
    }

private:
    struct Use {
        std::size_t sum;  // in sums_
        int side;
        bool negated;
    };
    struct Product {
        std::uint32_t instruction;
        std::vector<std::uint32_t> copies;  // moves and negations of it
        std::vector<Use> uses;
        unsigned first_version = 0, second_version = 0;
        bool stays = false;  // somebody needs the product itself
    };
    struct Sum {
        std::uint32_t instruction;
        int product[2] = {-1, -1};
        bool negated[2] = {false, false};
        int fused = -1;  // the product that has become part of it
    };
    struct Copy {
        std::int32_t from = kNoRegister;
        bool negates = false;
    };
    struct Value {
        int product = -1;
        bool negated = false;
        std::uint32_t reads = 0;  // seen since it was written
    };

    // Registers that are written in several places and may hold a product: where they are alive.
    void find_live() {
        for (const CodeBlock& block : code_.blocks)
            for (const std::uint32_t index : block.instructions) {
                const Instruction& instruction = code_.instructions[index];
                if (!is_product(instruction) && copied_by(instruction).from == kNoRegister) continue;
                const std::int32_t reg = instruction.operands[0].reg;
                if (known_.writes(reg) > 1) followed_.try_emplace(reg, followed_.size());
            }
        const std::size_t count = code_.blocks.size();
        std::vector<std::vector<char>> kills(count, std::vector<char>(followed_.size()));
        live_in_.assign(count, std::vector<char>(followed_.size()));
        if (followed_.empty()) return;
        for (std::size_t b = 0; b < count; ++b)
            for (const std::uint32_t index : code_.blocks[b].instructions) {
                const Instruction& instruction = code_.instructions[index];
                if (!known_.is_used(index)) continue;
                for_each_source(instruction, [&](std::int32_t reg) {
                    const auto found = followed_.find(reg);
                    if (found != followed_.end() && !kills[b][found->second]) live_in_[b][found->second] = 1;
                });
                if (instruction.guard != kNoRegister) continue;
                for_each_result(instruction, [&](std::int32_t reg) {
                    const auto found = followed_.find(reg);
                    if (found != followed_.end()) kills[b][found->second] = 1;
                });
            }
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t b = count; b-- > 0;)
                for (const std::uint32_t next : code_.blocks[b].successors)
                    for (std::size_t i = 0; i < followed_.size(); ++i)
                        if (live_in_[next][i] && !kills[b][i] && !live_in_[b][i]) live_in_[b][i] = changed = true;
        }
    }

    const Instruction* last_of(std::uint32_t block) const {
        const auto& all = code_.blocks[block].instructions;
        return all.empty() ? nullptr : &code_.instructions[all.back()];
    }

    // Whether a block only continues the one before it.
    bool follows(std::uint32_t block) const {
        if (block == 0 || code_.blocks[block].predecessors.size() != 1) return false;
        const std::uint32_t before = code_.blocks[block].predecessors[0];
        const Instruction* last = last_of(before);
        return code_.blocks[before].successors.size() == 1 && (last == nullptr || goes_on(*last));
    }

    void walk_chain(std::uint32_t first, std::vector<char>& done) {
        std::vector<std::uint32_t> chain;
        for (std::uint32_t block = first;;) {
            done[block] = 1;
            last_block_ = block;
            const auto& all = code_.blocks[block].instructions;
            chain.insert(chain.end(), all.begin(), all.end());
            const auto& successors = code_.blocks[block].successors;
            if (successors.size() != 1 || !follows(successors[0]) || done[successors[0]]) break;
            block = successors[0];
        }
        std::size_t from = 0;
        for (std::size_t i = 0; i <= chain.size(); ++i) {
            if (i != chain.size() && !ends_block(code_.instructions[chain[i]])) continue;
            if (i > from) walk_segment(chain, from, i);
            from = i;  // it may begin the next with its result
        }
    }

    // Of a move, a negation or a product by 1 or -1, which ptxas makes part of what reads it: the register that it
    // copies.
    Copy copied_by(const Instruction& instruction) {
        if (is_product(instruction)) return copied_by_product(instruction);
        const Effect& effect = instruction.chosen->row->effect;
        if (instruction.guard != kNoRegister || instruction.operands.size() != 2 ||
            !instruction.operands[0].elements.empty() || !instruction.operands[1].elements.empty())
            return {};
        const std::int32_t to = instruction.operands[0].reg, from = instruction.operands[1].reg;
        if (to == kNoRegister || from == kNoRegister || code_.registers[to].bytes != code_.registers[from].bytes)
            return {};
        const Type type = instruction.chosen->form.type();
        const bool moves = effect.flow == machine::FlowKind::kMove && effect.expansion == Expansion::kNone &&
                           effect.function == machine::FlowFunction::kNamed;
        const bool negates = effect.flow == machine::FlowKind::kNegate && is_float(type) && type != Type::kBf16x2;
        return moves || negates ? Copy{from, negates} : Copy{};
    }

    Copy copied_by_product(const Instruction& instruction) {
        const std::optional<One> one = one_of(instruction.chosen->form.type());
        if (!one) return {};
        for (int side = 1; side <= 2; ++side) {
            const std::optional<std::uint64_t> bits = known_.bits_of(instruction.operands[side]);
            const std::int32_t from = instruction.operands[3 - side].reg;
            if (!bits || from == kNoRegister) continue;
            const std::uint64_t value = *bits & (one->sign | (one->sign - 1));
            if ((value & ~one->sign) == one->bits) return {from, value != one->bits};
        }
        return {};
    }

    void walk_segment(const std::vector<std::uint32_t>& chain, std::size_t from, std::size_t to) {
        products_.clear();
        sums_.clear();
        values_.clear();
        versions_.clear();
        for (std::size_t i = from; i < to; ++i)
            if (known_.is_used(chain[i])) visit(chain[i]);
        if (products_.empty() || sums_.empty()) return;
        for (const auto& [reg, value] : values_) {
            if (value.product < 0) continue;
            if (is_needed(chain, to, reg, value)) products_[value.product].stays = true;
        }
        fuse_all();
    }

    // Whether the value of a register is read behind the segment, or before it in the next turn of a loop.
    bool is_needed(const std::vector<std::uint32_t>& chain, std::size_t to, std::int32_t reg,
                   const Value& value) const {
        if (code_.registers[reg].fixed) return true;
        if (known_.writes(reg) == 1) return known_.reads(reg) != value.reads;
        for (std::size_t i = to; i < chain.size(); ++i) {
            const Instruction& instruction = code_.instructions[chain[i]];
            if (!known_.is_used(chain[i])) continue;
            bool read = false, written = false;
            for_each_source(instruction, [&](std::int32_t source) { read |= source == reg; });
            for_each_result(instruction, [&](std::int32_t result) { written |= result == reg; });
            if (read) return true;
            if (written && instruction.guard == kNoRegister) return false;
        }
        const auto found = followed_.find(reg);
        if (found == followed_.end()) return true;
        const auto& next = code_.blocks[last_block_].successors;
        return std::any_of(next.begin(), next.end(), [&](std::uint32_t b) { return live_in_[b][found->second] != 0; });
    }

    int product_in(const OpenOperand& operand) {
        const auto found = operand.reg == kNoRegister ? values_.end() : values_.find(operand.reg);
        return found == values_.end() ? -1 : found->second.product;
    }

    unsigned version_of(const OpenOperand& operand) { return operand.reg == kNoRegister ? 0 : versions_[operand.reg]; }

    void visit(std::uint32_t index) {
        const Instruction& instruction = code_.instructions[index];
        const bool sum = is_sum(instruction);
        const Copy copied = copied_by(instruction);
        Value copy;
        if (copied.from != kNoRegister) {
            const auto found = values_.find(copied.from);
            if (found != values_.end()) copy = found->second;
            if (copy.product >= 0 && (copied.negates || is_product(instruction))) {
                const Form& form = code_.instructions[products_[copy.product].instruction].chosen->form;
                copy.negated ^= copied.negates;
                if (!agree(form, instruction.chosen->form)) products_[copy.product].stays = true;
            }
            if (copy.product >= 0) products_[copy.product].copies.push_back(index);
        }
        for_each_source(instruction, [&](std::int32_t reg) {
            const auto found = values_.find(reg);
            if (found == values_.end() || found->second.product < 0) return;
            ++found->second.reads;
            if (!sum && copied.from == kNoRegister) products_[found->second.product].stays = true;
        });
        if (sum) add_sum(index);
        for_each_result(instruction, [&](std::int32_t reg) {
            ++versions_[reg];
            const auto found = values_.find(reg);
            if (found == values_.end()) return;
            // With a guard the old value is there for the other lanes.
            if (instruction.guard != kNoRegister && found->second.product >= 0)
                products_[found->second.product].stays = true;
            values_.erase(found);
        });
        if (copy.product >= 0) {
            copy.reads = 0;
            values_[instruction.operands[0].reg] = copy;
        } else if (is_product(instruction) &&
                   !(known_.is_constant(instruction.operands[1]) && known_.is_constant(instruction.operands[2]))) {
            add_product(index);
        }
    }

    void add_product(std::uint32_t index) {
        const Instruction& instruction = code_.instructions[index];
        Product product;
        product.instruction = index;
        product.first_version = version_of(instruction.operands[1]);
        product.second_version = version_of(instruction.operands[2]);
        values_[instruction.operands[0].reg] = Value{static_cast<int>(products_.size())};
        products_.push_back(std::move(product));
    }

    void add_sum(std::uint32_t index) {
        const Instruction& instruction = code_.instructions[index];
        Sum sum;
        sum.instruction = index;
        for (int side = 0; side < 2; ++side) {
            const OpenOperand& operand = instruction.operands[1 + side];
            const int number = product_in(operand);
            if (number < 0) continue;
            Product& product = products_[number];
            const Instruction& factors = code_.instructions[product.instruction];
            if (!agree(factors.chosen->form, instruction.chosen->form) ||
                version_of(factors.operands[1]) != product.first_version ||
                version_of(factors.operands[2]) != product.second_version)
                product.stays = true;
            sum.product[side] = number;
            sum.negated[side] = values_[operand.reg].negated;
            product.uses.push_back({sums_.size(), side, sum.negated[side]});
        }
        if (sum.product[0] >= 0 && sum.product[0] == sum.product[1]) products_[sum.product[0]].stays = true;
        sums_.push_back(sum);
    }

    void fuse_all() {
        // A product that overwrites a factor cannot be both: computed, and part of several sums.
        for (Product& product : products_) {
            const Instruction& factors = code_.instructions[product.instruction];
            const std::int32_t to = factors.operands[0].reg;
            if (product.uses.size() > 1 && (factors.operands[1].reg == to || factors.operands[2].reg == to))
                product.stays = true;
        }
        for (Sum& sum : sums_)
            for (int side = 0; side < 2 && sum.fused < 0; ++side)
                if (const int number = sum.product[side]; number >= 0 && products_[number].uses.size() == 1)
                    try_fuse(sum, side);
        for (Sum& sum : sums_)
            for (int side = 0; side < 2 && sum.fused < 0; ++side)
                if (sum.product[side] >= 0) try_fuse(sum, side);
        for (const Product& product : products_) remove(product);
    }

    void try_fuse(Sum& sum, int side) {
        const int number = sum.product[side];
        if (products_[number].stays) return;
        for (const Use& use : products_[number].uses)
            if (sums_[use.sum].fused >= 0 && sums_[use.sum].fused != number) return;
        const Candidate* fused = fused_form(code_.instructions[sum.instruction].chosen->form);
        if (fused == nullptr) return;
        sum.fused = number;
        rewrite(sum, side, fused);
        if (const int other = sum.product[1 - side]; other >= 0) products_[other].stays = true;
    }

    // The multiply-add that rounds to nearest, with the modifiers of a sum.
    const Candidate* fused_form(const Form& form) {
        std::vector<std::string> words{"rn"};
        for (const std::string_view word : form.words()) words.emplace_back(word);
        return lowering_.rows().multiply_add(words);
    }

    void rewrite(const Sum& sum, int side, const Candidate* fused) {
        Instruction& instruction = code_.instructions[sum.instruction];
        const Instruction& factors = code_.instructions[products_[sum.fused].instruction];
        const bool subtracts = instruction.chosen->row->effect.flow == machine::FlowKind::kSubtract;
        OpenOperand first = factors.operands[1], addend = instruction.operands[2 - side];
        first.bound.negated = sum.negated[side] != (subtracts && side == 1);
        addend.bound.negated = subtracts && side == 0;
        instruction.chosen = fused;
        instruction.operands = {instruction.operands[0], std::move(first), factors.operands[2], std::move(addend)};
    }

    void remove(const Product& product) {
        if (product.uses.empty()) return;
        for (const Use& use : product.uses)
            if (sums_[use.sum].fused != static_cast<int>(&product - products_.data())) return;
        any_removed_ = true;
        removed_.insert(product.instruction);
        for (const std::uint32_t copy : product.copies) removed_.insert(copy);
    }

    Lowering& lowering_;
    FunctionCode& code_;
    UsedValues known_;
    std::unordered_map<std::int32_t, std::size_t> followed_;  // registers to places in live_in_
    std::vector<std::vector<char>> live_in_;                  // by block
    std::uint32_t last_block_ = 0;                            // of the chain
    std::vector<Product> products_;                           // of the segment, as what follows
    std::vector<Sum> sums_;
    std::unordered_map<std::int32_t, Value> values_;       // by register
    std::unordered_map<std::int32_t, unsigned> versions_;  // how often written
    std::unordered_set<std::uint32_t> removed_;
    bool any_removed_ = false;
};

}  // namespace

void Lowering::lower_contraction(FunctionCode& code) {
    const std::vector<std::string>& target = request_.module->target;
    if (!request_.contracts || std::find(target.begin(), target.end(), "debug") != target.end()) return;
    if (has_products(code)) Contraction(*this, code).run();
}

}  // namespace tilescope::isa
