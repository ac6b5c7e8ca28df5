#include "scope/observers/caches/issues.h"

#include <algorithm>

namespace tilescope::observers {

using machine::AccessKind;

std::vector<Issue> issues_of(const machine::Program& program) {
    std::vector<Issue> issues(program.ops.size());
    for (std::uint32_t b = 0; b < program.blocks.size(); ++b) {
        const machine::BasicBlock& block = program.blocks[b];
        std::vector<std::uint32_t> loaded;
        const auto is_loaded = [&](const machine::Operand& operand) {
            return operand.bank() == static_cast<unsigned>(machine::Bank::kRegisters) &&
                   std::find(loaded.begin(), loaded.end(), operand.offset()) != loaded.end();
        };
        const std::uint32_t end = block.first + block.count + (block.end.op != nullptr ? 1 : 0);
        for (std::uint32_t i = block.first; i < std::min<std::uint32_t>(end, static_cast<std::uint32_t>(issues.size()));
             ++i) {
            const machine::Op& op = program.ops[i];
            const Counter memory = program.facts[i].memory;
            const bool loads = memory == Counter::kGlobalLoadInstructions;
            // A load takes an address alone; its second operand is where it brings things to.
            const bool is_load = memory != Counter::kCount && program.sites[op.site].is_access &&
                                 program.sites[op.site].kind == AccessKind::kLoad;
            const bool takes = is_loaded(op.a) || (!is_load && (is_loaded(op.b) || is_loaded(op.c)));
            issues[i] = {b, block.first, end, takes};
            if (op.dst.bank() != static_cast<unsigned>(machine::Bank::kRegisters)) continue;
            std::erase(loaded, op.dst.offset());  // registers share slots: what was loaded there is no more
            if ((loads || takes) && loaded.size() < 64) loaded.push_back(op.dst.offset());
        }
    }
    return issues;
}

}  // namespace tilescope::observers
