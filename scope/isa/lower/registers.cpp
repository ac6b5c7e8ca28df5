// Step 4: which virtual registers live at the same time, and the slots they share.
//
// A register's life is the hull of all places where it is alive, in the order of the code. Lanes that took another path
// may still hold a value in the same slot: writes touch the active lanes only, so paths never disturb each other.
#include <algorithm>
#include <array>
#include <queue>

#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {
namespace {

constexpr unsigned kClasses = 5;  // predicates, then 2, 4, 8 and 16 bytes a lane

unsigned class_of(unsigned bytes) { return bytes == 0 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : bytes == 8 ? 3 : 4; }
constexpr std::array<std::uint32_t, kClasses> kSlotBytes = {4, 64, 128, 256, 512};

template <class Visit>
void for_each_register(const OpenOperand& operand, Visit visit) {
    if (operand.reg != kNoRegister) visit(operand.reg, operand.writes);
    for (const OpenOperand& element : operand.elements) for_each_register(element, visit);
}

struct Life {
    std::uint32_t from = ~0u, to = 0;
    void cover(std::uint32_t at) {
        from = std::min(from, at);
        to = std::max(to, at);
    }
};

class Allocator {
public:
    explicit Allocator(FunctionCode& code) : code_(code), lives_(code.registers.size()) {}

    void run() {
        drop_dead_loads();
        find_lives();
        place();
    }

private:
    template <class Visit>
    void visit_uses(const Instruction& instruction, Visit visit) const {
        if (instruction.guard != kNoRegister) visit(instruction.guard);
        for (const OpenOperand& operand : instruction.operands)
            for_each_register(operand, [&](std::int32_t reg, bool writes) {
                if (!writes) visit(reg);
            });
        for (std::int32_t reg : instruction.extra_uses) visit(reg);
    }
    template <class Visit>
    void visit_defs(const Instruction& instruction, Visit visit) const {
        for (const OpenOperand& operand : instruction.operands)
            for_each_register(operand, [&](std::int32_t reg, bool writes) {
                if (writes) visit(reg);
            });
        for (std::int32_t reg : instruction.extra_defs) visit(reg);
    }

    // A load that does more than give a value: it orders other accesses, or reading is an effect in itself.
    static bool has_effect(const Form& form) { return form.has("volatile") || form.has("acquire") || form.has("mmio"); }

    // The assembler removes loads whose results nobody reads, and atomics' unread results.
    void drop_dead_loads() {
        for (const Instruction& instruction : code_.instructions)
            visit_uses(instruction, [&](std::int32_t reg) { ++code_.registers[reg].uses; });
        for (std::int32_t formal : code_.formal_results)
            if (code_.parameters[formal].reg != kNoRegister) ++code_.registers[code_.parameters[formal].reg].uses;
        for (Instruction& instruction : code_.instructions) {
            const Action action = instruction.chosen->row->effect.action;
            const bool load = action == Action::kLoad && !has_effect(instruction.chosen->form);
            const bool atomic = action == Action::kAtomic;
            if (!load && !atomic) continue;
            bool read = false;
            visit_defs(instruction, [&](std::int32_t reg) { read |= code_.registers[reg].uses != 0; });
            if (read) continue;
            if (load)
                instruction.dead = true;
            else
                instruction.operands[0] = OpenOperand{};
        }
    }

    // Positions: instruction i of the function's order reads at 2i and writes at 2i + 1.
    void find_lives() {
        const std::size_t count = code_.blocks.size();
        std::vector<std::uint32_t> first(count), last(count);
        std::vector<std::vector<std::int32_t>> exposed(count);  // read in the block before written there
        std::vector<std::uint32_t> written(code_.registers.size(), ~0u), noted(code_.registers.size(), ~0u);
        std::vector<std::vector<std::int32_t>> kills(count);
        std::uint32_t at = 0;
        for (std::uint32_t b = 0; b < count; ++b) {
            first[b] = 2 * at;
            for (std::uint32_t index : code_.blocks[b].instructions) {
                const Instruction& instruction = code_.instructions[index];
                if (instruction.dead) continue;
                const std::uint32_t position = 2 * at++;
                visit_uses(instruction, [&](std::int32_t reg) {
                    lives_[reg].cover(position);
                    if (written[reg] != b && noted[reg] != b) {
                        noted[reg] = b;
                        exposed[b].push_back(reg);
                    }
                });
                unsigned results = 0;
                visit_defs(instruction, [&](std::int32_t reg) {
                    lives_[reg].cover(position + 1);
                    ++results;
                    // A guarded write keeps the other lanes' value: it needs the old one.
                    if (instruction.guard != kNoRegister) {
                        if (written[reg] != b && noted[reg] != b) {
                            noted[reg] = b;
                            exposed[b].push_back(reg);
                        }
                    } else if (written[reg] != b) {
                        written[reg] = b;
                        kills[b].push_back(reg);
                    }
                });
                // Several results: what is read must outlive the first write.
                if (results > 1) visit_uses(instruction, [&](std::int32_t reg) { lives_[reg].cover(position + 1); });
            }
            last[b] = at == 0 ? 0 : 2 * at - 1;
            last[b] = std::max(last[b], first[b]);
        }
        spread(first, last, exposed, kills);
    }

    // Carries every exposed read back along the paths that reach it.
    void spread(const std::vector<std::uint32_t>& first, const std::vector<std::uint32_t>& last,
                const std::vector<std::vector<std::int32_t>>& exposed,
                const std::vector<std::vector<std::int32_t>>& kills) {
        const std::size_t count = code_.blocks.size();
        std::vector<std::vector<std::uint32_t>> readers(code_.registers.size()), killers(code_.registers.size());
        for (std::uint32_t b = 0; b < count; ++b) {
            for (std::int32_t reg : exposed[b]) readers[reg].push_back(b);
            for (std::int32_t reg : kills[b]) killers[reg].push_back(b);
        }
        std::vector<std::uint32_t> alive(count, ~0u), killed(count, ~0u), work;
        for (std::uint32_t reg = 0; reg < code_.registers.size(); ++reg) {
            if (readers[reg].empty()) continue;
            for (std::uint32_t b : killers[reg]) killed[b] = reg;
            work.assign(readers[reg].begin(), readers[reg].end());
            for (std::uint32_t b : work) alive[b] = reg;
            while (!work.empty()) {
                const std::uint32_t b = work.back();
                work.pop_back();
                lives_[reg].cover(first[b]);
                if (b == 0) entry_.push_back(static_cast<std::int32_t>(reg));
                for (std::uint32_t p : code_.blocks[b].predecessors) {
                    lives_[reg].cover(last[p]);
                    if (killed[p] == reg || alive[p] == reg) continue;
                    alive[p] = reg;
                    work.push_back(p);
                }
            }
        }
    }

    // A function's parameters lie first, in an order its type alone decides. Returns the bytes they take.
    std::uint32_t place_formals() {
        std::uint32_t bytes = 0;
        for (const auto* list : {&code_.formals, &code_.formal_results})
            for (std::int32_t formal : *list)
                if (const std::int32_t reg = code_.parameters[formal].reg; reg != kNoRegister) {
                    code_.registers[reg].slot = bytes;
                    bytes = (bytes + kSlotBytes[class_of(code_.registers[reg].bytes)] + 63) / 64 * 64;
                }
        return bytes;
    }

    // Linear scan, one pool of slots per width.
    void place() {
        std::uint32_t bytes = place_formals();
        std::vector<std::uint32_t> order;
        for (std::uint32_t i = 0; i < code_.registers.size(); ++i)
            if (!code_.registers[i].fixed && lives_[i].from != ~0u) order.push_back(i);
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::pair(lives_[a].from, a) < std::pair(lives_[b].from, b);
        });
        // Wide slots first in the frame keeps everything aligned; pools grow on demand, so offsets are given at the
        // end.
        struct Busy {
            std::uint32_t until, slot;
            bool operator<(const Busy& other) const {
                return std::pair(until, slot) > std::pair(other.until, other.slot);  // the first to end is the greatest
            }
        };
        std::array<std::priority_queue<Busy>, kClasses> busy;
        std::array<std::vector<std::uint32_t>, kClasses> free;
        std::array<std::uint32_t, kClasses> made{};
        std::uint32_t pressure = 0;
        for (std::uint32_t index : order) {
            VirtualRegister& reg = code_.registers[index];
            std::uint32_t now = 0;
            for (unsigned c = 0; c < kClasses; ++c) {
                for (; !busy[c].empty() && busy[c].top().until < lives_[index].from; busy[c].pop())
                    free[c].push_back(busy[c].top().slot);
                now += static_cast<std::uint32_t>(busy[c].size()) * (c == 0 ? 0 : c <= 2 ? 1 : c == 3 ? 2 : 4);
            }
            const unsigned c = class_of(reg.bytes);
            if (free[c].empty()) free[c].push_back(made[c]++);
            reg.slot = free[c].back();
            free[c].pop_back();
            busy[c].push({lives_[index].to, reg.slot});
            pressure = std::max(pressure, now + (c == 0 ? 0 : c <= 2 ? 1 : c == 3 ? 2 : 4));
        }
        std::array<std::uint32_t, kClasses> base{};
        for (unsigned c = kClasses; c-- > 0;) {
            base[c] = bytes;
            bytes += made[c] * kSlotBytes[c];
        }
        for (std::uint32_t index : order) {
            VirtualRegister& reg = code_.registers[index];
            reg.slot = base[class_of(reg.bytes)] + reg.slot * kSlotBytes[class_of(reg.bytes)];
        }
        bytes = (bytes + 63) / 64 * 64;
        code_.frame_bytes = bytes + machine::Function::kNowhereBytes;  // the last slot takes results that go nowhere
        code_.pressure = pressure;
        for (std::int32_t reg : entry_)
            if (!is_formal(reg))
                code_.zeroed.push_back({code_.registers[reg].slot, kSlotBytes[class_of(code_.registers[reg].bytes)]});
    }

    bool is_formal(std::int32_t reg) const {
        for (std::int32_t formal : code_.formals)
            if (code_.parameters[formal].reg == reg) return true;
        return false;
    }

    FunctionCode& code_;
    std::vector<Life> lives_;
    std::vector<std::int32_t> entry_;  // read before written on some path
};

}  // namespace

void Lowering::lower_registers(FunctionCode& code) {
    // A function's results are read by its caller.
    for (Instruction& instruction : code.instructions)
        if (instruction.control == Control::kReturn)
            for (std::int32_t formal : code.formal_results)
                if (code.parameters[formal].reg != kNoRegister)
                    instruction.extra_uses.push_back(code.parameters[formal].reg);
    Allocator(code).run();
}

}  // namespace tilescope::isa
