#include "scope/isa/lower/copy_parts.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "scope/base/copy_mark.h"

namespace tilescope::isa {

std::map<const Instruction*, std::int32_t> places_of_vectors(const FunctionCode& code, std::uint32_t block) {
    struct Part {
        const Instruction* instruction = nullptr;
        std::int64_t begin = 0, end = 0;
        std::uint32_t window = 0;
    };
    std::map<std::pair<std::int32_t, Action>, std::vector<Part>> parts;  // by register of the address
    for (const std::uint32_t index : code.blocks[block].instructions) {
        const Instruction& instruction = code.instructions[index];
        if (instruction.dead || instruction.chosen == nullptr || instruction.text->loc < 0) continue;
        const Action action = instruction.chosen->row->effect.action;
        if (action != Action::kLoad && action != Action::kStore) continue;
        const auto address =
            std::find_if(instruction.operands.begin(), instruction.operands.end(),
                         [](const OpenOperand& operand) { return operand.bound.kind == BoundKind::kAddress; });
        if (address == instruction.operands.end() || address->reg == kNoRegister ||
            code.definitions[static_cast<std::size_t>(address->reg)].count != 1)
            continue;
        const Form& form = instruction.chosen->form;
        const unsigned elements = form.has("v2") ? 2 : form.has("v4") ? 4 : 1;
        const auto begin = static_cast<std::int64_t>(address->bound.value);
        const ptx::Loc& loc = code.text->locs[static_cast<std::size_t>(instruction.text->loc)];
        parts[{address->reg, action}].push_back(
            {&instruction, begin, begin + bytes_of(form.type()) * elements, copy_window(loc.column)});
    }
    std::map<const Instruction*, std::int32_t> places;
    for (const auto& [key, all] : parts)
        for (const Part& vector : all)
            for (const Part& part : all) {
                const Form& form = vector.instruction->chosen->form;
                const bool is_vector = form.has("v2") || form.has("v4");
                const bool is_beside = vector.end == part.begin || vector.begin == part.end;
                const bool fits = std::max(vector.end, part.end) - std::min(vector.begin, part.begin) <= part.window;
                if (is_vector && vector.window == 0 && is_beside && fits)
                    places[vector.instruction] = part.instruction->text->loc;
            }
    return places;
}

}  // namespace tilescope::isa
