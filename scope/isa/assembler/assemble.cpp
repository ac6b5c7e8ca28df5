#include "scope/isa/assembler/assemble.h"

#include <algorithm>

#include "scope/isa/assembler/combine_atomics.h"
#include "scope/isa/assembler/merge_accesses.h"
#include "scope/isa/assembler/operation.h"
#include "scope/isa/assembler/places.h"
#include "scope/isa/assembler/unroll_loops.h"

namespace tilescope::isa {
namespace {

class Assembly {
public:
    explicit Assembly(FunctionCode& code) : code_(code), readers_(code), places_(code) {}

    void run() {
        // From the last block on: copies of a loop are put behind it.
        std::vector<char> is_labelled(code_.blocks.size(), 0);
        for (std::uint32_t target : code_.label_blocks)
            if (target < is_labelled.size()) is_labelled[target] = 1;
        for (std::size_t end = code_.blocks.size(); end > 0;) {
            std::size_t first = end - 1;
            while (first > 0 && !is_labelled[first] && goes_on(code_.blocks[first - 1])) --first;
            straight(first, end);
            end = first;
        }
    }

private:
    // Lanes that exchange values end a block here, and nothing for the assembler.
    bool goes_on(const CodeBlock& block) const {
        if (block.instructions.empty()) return false;
        const Instruction& last = code_.instructions[block.instructions.back()];
        return last.control == Control::kConverge && !memory_effect_of(last).orders;
    }

    void straight(std::size_t first, std::size_t end) {
        if (end == first + 1) {
            const UnrolledLoop loop = unrolled_loop(code_, static_cast<std::uint32_t>(first), places_);
            if (loop.copies > 1) {
                unroll(static_cast<std::uint32_t>(first), loop);
                return;
            }
        }
        AccessMerger merger(readers_);
        PlaceWalk walk(code_, places_);
        for (std::size_t block = first; block < end; ++block)
            for (std::uint32_t index : code_.blocks[block].instructions) {
                merger.visit(code_.instructions[index], walk);
                walk.step(code_.instructions[index], false);
            }
        merger.flush();
    }

    void unroll(std::uint32_t block, const UnrolledLoop& loop) {
        AccessMerger merger(readers_);
        PlaceWalk walk(code_, places_);
        for (const Induction& induction : loop.inductions) {
            Place start = induction.start;
            const unsigned kept = loop.all_turns ? kAllZero : zeros_of_value(induction.step * loop.copies);
            start.id = induction.reg;
            start.offset = 0;
            start.zeros = std::min(start.zeros, kept);
            start.own_zeros = std::min(start.own_zeros, kept);
            walk.set(induction.reg, start);
        }
        std::vector<std::vector<Instruction>> copies(loop.copies - 1);
        const std::vector<std::uint32_t> body = code_.blocks[block].instructions;
        for (auto& copy : copies)
            for (std::uint32_t index : body) copy.push_back(code_.instructions[index]);
        for (std::uint32_t copy = 0; copy < loop.copies; ++copy)
            for (std::size_t i = 0; i < body.size(); ++i) {
                Instruction& instruction = copy == 0 ? code_.instructions[body[i]] : copies[copy - 1][i];
                merger.visit(instruction, walk);
                walk.step(instruction, copy != 0);
            }
        merger.flush();
        insert_copies(code_, block, std::move(copies));
    }

    FunctionCode& code_;
    const Readers readers_;
    Places places_;
};

bool touches_memory(const FunctionCode& code) {
    return std::any_of(code.instructions.begin(), code.instructions.end(), [](const Instruction& instruction) {
        const MemoryEffect effect = memory_effect_of(instruction);
        return effect.use != MemoryUse::kNone && (effect.shared || effect.global);
    });
}

}  // namespace

void assemble(FunctionCode& code, const machine::Program& program) {
    if (!touches_memory(code)) return;
    combine_atomics(code, program, Readers(code).is_read);
    Assembly(code).run();
}

}  // namespace tilescope::isa
