// What the assembler does to neighbouring shared loads.
//
// Counters count machine code, and the assembler (ptxas 13.0, seen in tests/truth: the tiled products) turns aligned
// neighbours off one base into one wide load: four 32-bit loads into a 128-bit one. Counts follow it: the lowest of the
// group counts with the whole width, the others with none. What the loads read is not touched.
//
// A group lies in one basic block with nothing between that could write shared memory, and its alignment must follow
// from the code, as the assembler has to prove it: shifts, products with constants and where the variable lies.
#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <unordered_map>

#include "scope/isa/lower/lowering.h"
#include "scope/isa/table/access_words.h"

namespace tilescope::isa {
namespace {

constexpr unsigned kUnknownYet = 64;
constexpr unsigned kWidest = 16;

// Trailing zero bits that every value of a register is known to have.
class Alignment {
public:
    explicit Alignment(const FunctionCode& code)
        : zeros_(code.registers.size(), kUnknownYet), readers_(code.registers.size()) {
        for (const auto& formals : {code.formals, code.formal_results})
            for (std::int32_t formal : formals)
                if (code.parameters[formal].reg != kNoRegister) zeros_[code.parameters[formal].reg] = 0;
        for (const Instruction& instruction : code.instructions)
            for_each_source(instruction, [&](std::int32_t reg) { readers_[reg].push_back(&instruction); });
        for (const Instruction& instruction : code.instructions) visit(instruction);
        // Whatever reads a register of which less is known than before is looked at again.
        while (!changed_.empty()) {
            const std::int32_t reg = changed_.back();
            changed_.pop_back();
            for (const Instruction* reader : readers_[reg]) visit(*reader);
        }
    }

    unsigned of(std::int32_t reg) const { return zeros_[reg]; }

private:
    template <class Visit>
    static void for_each_source(const Instruction& instruction, Visit visit) {
        for (const OpenOperand& operand : instruction.operands)
            if (operand.reg != kNoRegister && !operand.writes) visit(operand.reg);
    }

    void visit(const Instruction& instruction) {
        const unsigned found = result(instruction);
        auto lower = [&](std::int32_t reg, unsigned to) {
            if (to >= zeros_[reg]) return;
            zeros_[reg] = to;
            changed_.push_back(reg);
        };
        for (const OpenOperand& operand : instruction.operands) {
            if (!operand.writes && operand.elements.empty()) continue;
            if (operand.reg != kNoRegister && operand.writes) lower(operand.reg, found);
            for (const OpenOperand& element : operand.elements)
                if (element.writes && element.reg != kNoRegister) lower(element.reg, 0);
        }
        for (std::int32_t reg : instruction.extra_defs) lower(reg, 0);
    }

    unsigned zeros(const OpenOperand& operand) const {
        if (operand.reg != kNoRegister) return zeros_[operand.reg];
        if (!operand.bound.is_immediate) return 0;
        return operand.bound.value == 0
                   ? kUnknownYet
                   : static_cast<unsigned>(std::countr_zero(static_cast<std::uint64_t>(operand.bound.value)));
    }

    unsigned result(const Instruction& instruction) const {
        if (instruction.chosen->row->control != Control::kNone || instruction.operands.size() < 2) return 0;
        const std::string_view opcode = opcode_of(instruction.chosen->row->syntax);
        const auto& operands = instruction.operands;
        auto source = [&](std::size_t i) { return i + 1 < operands.size() ? zeros(operands[i + 1]) : 0u; };
        auto capped = [](unsigned value) { return std::min(value, kUnknownYet); };
        if (opcode == "mov" || opcode == "cvta") return source(0);
        if (opcode == "cvt" && !is_float(instruction.chosen->form.type(0)) &&
            !is_float(instruction.chosen->form.type(1)))
            return source(0);
        if (opcode == "add" || opcode == "sub" || opcode == "or" || opcode == "xor")
            return is_float(instruction.chosen->form.type(0)) ? 0 : std::min(source(0), source(1));
        // Masks are left out: no measured launch shows the assembler drawing alignment from one.
        if (opcode == "selp") return std::min(source(0), source(1));
        const bool whole = instruction.chosen->form.has("lo") || instruction.chosen->form.has("wide");
        if (opcode == "mul" && whole) return capped(source(0) + source(1));
        if (opcode == "mad" && whole) return std::min(capped(source(0) + source(1)), source(2));
        if (opcode == "shl" && operands.size() > 2 && operands[2].bound.is_immediate)
            return capped(source(0) +
                          static_cast<unsigned>(std::min<std::int64_t>(operands[2].bound.value & 0xff, 64)));
        return 0;
    }

    std::vector<unsigned> zeros_;
    std::vector<std::vector<const Instruction*>> readers_;  // by register
    std::vector<std::int32_t> changed_;
};

// An address as a base register and a constant.
struct Place {
    std::int32_t base = kNoRegister;  // kNoRegister: an absolute offset
    std::int64_t offset = 0;
};

bool touches_shared(const Instruction& instruction) {
    const std::string_view opcode = opcode_of(instruction.chosen->row->syntax);
    if (instruction.chosen->row->kind == Class::kSync || instruction.control != Control::kNone) return true;
    if (instruction.chosen->row->kind != Class::kMemory) return false;
    const Form& form = instruction.chosen->form;
    if (form.has("volatile") || opcode == "cp") return true;
    if (opcode == "ld" || opcode == "prefetch") return false;
    return form.one_of({"global", "local", "param", "param::func"}) == "";
}

class Merger {
public:
    explicit Merger(FunctionCode& code) : code_(code), alignment_(code) { find_writes(); }

    void run() {
        for (const CodeBlock& block : code_.blocks) {
            for (std::uint32_t index : block.instructions) {
                Instruction& instruction = code_.instructions[index];
                if (is_candidate(instruction))
                    add(index);
                else if (touches_shared(instruction))
                    flush();
            }
            flush();
        }
    }

private:
    // Where each register that several instructions write is written.
    void find_writes() {
        for (std::uint32_t i = 0; i < code_.instructions.size(); ++i)
            for_each_result(code_.instructions[i], [&](std::int32_t reg) {
                if (code_.definitions[reg].count > 1) writes_[reg].push_back(i);
            });
    }

    static unsigned width_of(const Instruction& instruction) {
        const Form& form = instruction.chosen->form;
        return bytes_of(form.type()) * (form.has("v2") ? 2 : form.has("v4") ? 4 : 1);
    }

    bool is_candidate(const Instruction& instruction) const {
        if (opcode_of(instruction.chosen->row->syntax) != "ld" || instruction.guard != kNoRegister) return false;
        const Form& form = instruction.chosen->form;
        if (!is_shared(form) || order_of(*instruction.chosen->row, form) != machine::Order::kWeak) return false;
        const unsigned width = width_of(instruction);
        return (width == 4 || width == 8) && instruction.operands[1].bound.kind == BoundOperand::Kind::kAddress;
    }

    // The addition of a constant that alone makes a register, or nothing.
    const Instruction* constant_step(std::int32_t reg) const {
        if (code_.definitions[reg].count != 1) return nullptr;
        const Instruction& from = *code_.definitions[reg].last;
        if (opcode_of(from.chosen->row->syntax) != "add" || from.guard != kNoRegister || from.operands.size() != 3)
            return nullptr;
        const OpenOperand &a = from.operands[1], &b = from.operands[2];
        return a.reg == kNoRegister || !b.bound.is_immediate || b.reg != kNoRegister ? nullptr : &from;
    }

    // Follows additions of constants; what they lead to is remembered for every register on the way.
    Place place_of(const Instruction& load) {
        Place place{load.operands[1].reg, load.operands[1].bound.value};
        std::vector<std::pair<std::int32_t, std::int64_t>> way;  // registers, and the constant added to the next
        std::int32_t at = place.base;
        std::optional<Place> end;
        while (at != kNoRegister && !end) {
            if (const auto known = places_.find(at); known != places_.end()) {
                end = known->second;
            } else if (const Instruction* step = constant_step(at); step != nullptr) {
                places_[at] = {at, 0};  // for the time being: a way that comes back here ends here
                way.emplace_back(at, step->operands[2].bound.value);
                at = step->operands[1].reg;
            } else {
                end = Place{at, 0};
            }
        }
        if (!end) return place;
        for (auto each = way.rbegin(); each != way.rend(); ++each) {
            end->offset += each->second;
            places_[each->first] = *end;
        }
        return {end->base, end->offset + place.offset};
    }

    void add(std::uint32_t index) {
        const Instruction& load = code_.instructions[index];
        const Place place = place_of(load);
        groups_[{place.base, width_of(load)}].push_back({place.offset, index});
    }

    void flush() {
        for (auto& [key, loads] : groups_) merge(key.first, key.second, loads);
        groups_.clear();
    }

    using Load = std::pair<std::int64_t, std::uint32_t>;

    void merge(std::int32_t base, unsigned width, std::vector<Load>& loads) {
        if (base != kNoRegister && code_.definitions[base].count != 1 && loop_variable_changes_between(base, loads))
            return;
        std::sort(loads.begin(), loads.end());
        const unsigned zeros = base == kNoRegister ? kUnknownYet : alignment_.of(base);
        for (std::size_t at = 0; at < loads.size();) {
            std::size_t taken = 1;
            for (unsigned wide = kWidest; wide > width; wide /= 2) {
                const std::size_t count = wide / width;
                if (zeros < static_cast<unsigned>(std::countr_zero(wide)) || loads[at].first % wide != 0 ||
                    at + count > loads.size())
                    continue;
                bool together = true;
                for (std::size_t k = 1; k < count; ++k)
                    together =
                        together && loads[at + k].first == loads[at].first + static_cast<std::int64_t>(k * width);
                if (!together) continue;
                code_.instructions[loads[at].second].counted_width = static_cast<std::uint8_t>(wide);
                for (std::size_t k = 1; k < count; ++k) code_.instructions[loads[at + k].second].counted_width = 0;
                taken = count;
                break;
            }
            at += taken;
        }
    }

    // A base written more than once: is it written between the first and the last of these loads?
    bool loop_variable_changes_between(std::int32_t base, const std::vector<Load>& loads) const {
        std::uint32_t first = ~0u, last = 0;
        for (const Load& load : loads) {
            first = std::min(first, load.second);
            last = std::max(last, load.second);
        }
        const auto written = writes_.find(base);
        if (written == writes_.end()) return false;
        const auto next = std::lower_bound(written->second.begin(), written->second.end(), first);
        return next != written->second.end() && *next <= last;
    }

    FunctionCode& code_;
    Alignment alignment_;
    std::unordered_map<std::int32_t, std::vector<std::uint32_t>> writes_;
    std::unordered_map<std::int32_t, Place> places_;
    std::map<std::pair<std::int32_t, unsigned>, std::vector<Load>> groups_;
};

}  // namespace

void Lowering::merge_shared_loads(FunctionCode& code) {
    const bool any =
        std::any_of(code.instructions.begin(), code.instructions.end(), [](const Instruction& instruction) {
            return instruction.chosen->row->kind == Class::kMemory && is_shared(instruction.chosen->form);
        });
    if (any) Merger(code).run();
}

}  // namespace tilescope::isa
