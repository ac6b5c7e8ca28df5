#include "scope/isa/assembler/address_sources.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "scope/isa/assembler/operation.h"

namespace tilescope::isa {
namespace {

constexpr std::uint8_t kWidestStructure = 16;  // bytes that one access of a thread can ask for

bool is_call(const Instruction& instruction) { return instruction.control == Control::kCall; }

// Whether its result comes out of memory that the kernel's threads share.
bool brings_data(const Instruction& instruction) {
    const MemoryUse use = memory_effect_of(instruction).use;
    return use == MemoryUse::kLoad || use == MemoryUse::kAtomic;
}

const OpenOperand* address_of(const Instruction& instruction) {
    for (const OpenOperand& operand : instruction.operands)
        if (operand.bound.kind == BoundKind::kAddress) return &operand;
    return nullptr;
}

// Which registers arithmetic makes of which, and what follows along those ways. All of it is linear in the code's size:
// code may be as long, and as entangled, as it likes.
class Arithmetic {
public:
    explicit Arithmetic(const FunctionCode& code)
        : made_of_(code.registers.size()),
          makes_(code.registers.size()),
          number_(code.registers.size(), 0),
          low_(number_),
          loop_(number_),
          is_open_(number_.size(), 0) {
        for (const Instruction& instruction : code.instructions) {
            if (instruction.chosen == nullptr || is_call(instruction) || brings_data(instruction)) continue;
            for_each_result(instruction, [&](std::int32_t to) {
                for_each_source(instruction, [&](std::int32_t from) { add(to, from); });
            });
        }
        for (std::size_t reg = 0; reg < made_of_.size(); ++reg)
            if (number_[reg] == 0) visit(reg);
    }

    // Which loop makes a register of itself, a counter or a pointer that walks; 0: none.
    std::uint32_t loop(std::int32_t reg) const { return loop_[static_cast<std::size_t>(reg)]; }

    // By register, whether it is one of these or made of them; walks are made of nothing else where `past_walks` is
    // not set.
    std::vector<char> made_of(const std::vector<std::int32_t>& these, bool past_walks) const {
        std::vector<char> is_made(makes_.size(), 0);
        std::vector<std::size_t> open;
        const auto reach = [&](std::size_t reg) {
            if (is_made[reg] != 0 || (!past_walks && loop_[reg] != 0)) return;
            is_made[reg] = 1;
            open.push_back(reg);
        };
        for (const std::int32_t reg : these) reach(static_cast<std::size_t>(reg));
        while (!open.empty()) {
            const std::size_t reg = open.back();
            open.pop_back();
            for (const std::uint32_t to : makes_[reg]) reach(to);
        }
        return is_made;
    }

private:
    void add(std::int32_t to, std::int32_t from) {
        const auto a = static_cast<std::size_t>(to), b = static_cast<std::size_t>(from);
        if (a == b) loop_[a] = static_cast<std::uint32_t>(a + 1);
        made_of_[a].push_back(static_cast<std::uint32_t>(b));
        makes_[b].push_back(static_cast<std::uint32_t>(a));
    }

    // Tarjan's strongly connected components, with a stack of our own.
    void visit(std::size_t root) {
        std::vector<std::pair<std::size_t, std::size_t>> path{{root, 0}};
        open(root);
        while (!path.empty()) {
            auto& [reg, next] = path.back();
            if (next < made_of_[reg].size()) {
                const std::size_t to = made_of_[reg][next++];
                if (number_[to] == 0) {
                    open(to);
                    path.emplace_back(to, 0);
                } else if (is_open_[to] != 0) {
                    low_[reg] = std::min(low_[reg], number_[to]);
                }
                continue;
            }
            const std::size_t done = reg;
            path.pop_back();
            if (!path.empty()) low_[path.back().first] = std::min(low_[path.back().first], low_[done]);
            if (low_[done] == number_[done]) close(done);
        }
    }
    void open(std::size_t reg) {
        number_[reg] = low_[reg] = ++count_;
        is_open_[reg] = 1;
        open_.push_back(reg);
    }
    void close(std::size_t root) {
        const bool is_loop = open_.back() != root;
        for (bool more = true; more;) {
            const std::size_t reg = open_.back();
            open_.pop_back();
            is_open_[reg] = 0;
            if (is_loop) loop_[reg] = static_cast<std::uint32_t>(root + 1);
            more = reg != root;
        }
    }

    std::vector<std::vector<std::uint32_t>> made_of_, makes_;  // by register
    std::vector<std::uint32_t> number_, low_, loop_;
    std::uint32_t count_ = 0;
    std::vector<char> is_open_;
    std::vector<std::size_t> open_;
};

// What loads brought, and what arithmetic made of it without a walk from there.
std::vector<char> data_registers(const FunctionCode& code, const Arithmetic& arithmetic) {
    std::vector<std::int32_t> brought;
    for (const Instruction& instruction : code.instructions)
        if (instruction.chosen != nullptr && !is_call(instruction) && brings_data(instruction))
            for_each_result(instruction, [&](std::int32_t reg) { brought.push_back(reg); });
    return arithmetic.made_of(brought, false);
}

bool has_constant(const Instruction& instruction) {
    return std::any_of(instruction.operands.begin(), instruction.operands.end(),
                       [](const OpenOperand& operand) { return operand.bound.is_immediate; });
}

// What is made of a register that goes on by a constant with each turn of a loop: along a row, element by element.
std::vector<char> row_registers(const FunctionCode& code, const Arithmetic& arithmetic) {
    std::vector<std::int32_t> counting;
    for (const Instruction& instruction : code.instructions) {
        if (instruction.chosen == nullptr || operation_of(instruction) != Operation::kAdd || !has_constant(instruction))
            continue;
        for_each_result(instruction, [&](std::int32_t to) {
            for_each_source(instruction, [&](std::int32_t from) {
                if (arithmetic.loop(to) != 0 && arithmetic.loop(to) == arithmetic.loop(from)) counting.push_back(to);
            });
        });
    }
    return arithmetic.made_of(counting, true);
}

// Accesses of a basic block that ask for the parts of structures.
class Structures {
public:
    // What a loop walks along is a row, whose elements follow each other as a structure's parts do.
    explicit Structures(const std::vector<char>& is_along_row) : is_along_row_(is_along_row) {}

    void visit(Instruction& instruction) {
        const MemoryEffect effect = memory_effect_of(instruction);
        if (effect.orders) flush();
        const bool is_load = effect.use == MemoryUse::kLoad, is_store = effect.use == MemoryUse::kStore;
        const OpenOperand* address = address_of(instruction);
        if ((is_load || is_store) && effect.global && !effect.shared && !effect.is_strong &&
            instruction.counted.as_written && instruction.guard == kNoRegister && address != nullptr &&
            address->reg != kNoRegister && is_along_row_[static_cast<std::size_t>(address->reg)] == 0) {
            const unsigned width = bytes_of(instruction.chosen->form.type()) * vector_length(instruction.chosen->form);
            parts_[{address->reg, is_load, width}].push_back({address->bound.value, &instruction});
        }
        for_each_result(instruction, [&](std::int32_t reg) { end(reg); });
    }
    void flush() {
        for (auto& [key, parts] : parts_) tell(std::get<2>(key), parts);
        parts_.clear();
    }

private:
    using Key = std::tuple<std::int32_t, bool, unsigned>;  // register, whether it loads, width
    struct Part {
        std::int64_t offset = 0;
        Instruction* instruction = nullptr;
    };

    void end(std::int32_t reg) {
        const auto from = parts_.lower_bound({reg, false, 0}), to = parts_.lower_bound({reg + 1, false, 0});
        for (auto it = from; it != to; ++it) tell(std::get<2>(it->first), it->second);
        parts_.erase(from, to);
    }

    static void tell(unsigned width, std::vector<Part>& parts) {
        std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.offset < b.offset; });
        const std::size_t count = parts.size();
        if (count < 2 || width == 0 || width * count > kWidestStructure) return;
        for (std::size_t i = 1; i < count; ++i)
            if (parts[i].offset != parts[i - 1].offset + width) return;
        for (std::size_t i = 0; i < count; ++i)
            parts[i].instruction->structure = {static_cast<std::uint8_t>(width * count), i != 0};
    }

    const std::vector<char>& is_along_row_;
    std::map<Key, std::vector<Part>> parts_;
};

}  // namespace

void find_address_sources(FunctionCode& code) {
    const Arithmetic arithmetic(code);
    const std::vector<char> is_data = data_registers(code, arithmetic), is_along_row = row_registers(code, arithmetic);
    for (const CodeBlock& block : code.blocks) {
        Structures structures(is_along_row);
        for (const std::uint32_t index : block.instructions) {
            Instruction& instruction = code.instructions[index];
            if (instruction.chosen == nullptr) continue;
            const OpenOperand* address = address_of(instruction);
            instruction.by_data = address != nullptr && address->reg != kNoRegister &&
                                  is_data[static_cast<std::size_t>(address->reg)] != 0;
            structures.visit(instruction);
        }
        structures.flush();
    }
}

}  // namespace tilescope::isa
