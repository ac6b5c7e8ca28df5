// What a spelling needs: the first PTX version and the targets that have it, with all of its words.
//
// Guarantees: pure functions of their arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "scope/isa/table/form.h"
#include "scope/isa/table/row.h"

namespace tilescope::isa {

// Which targets have an instruction, counted from its first.
enum class Since : std::uint8_t {
    kAllLater,       // that one and every later one
    kOneAlone,       // its architecture-specific form alone: sm_90a
    kSpecificLater,  // architecture- and family-specific forms, of that one and of later ones: sm_90a, sm_100a, sm_100f
};

struct Requirement {
    Needs needs;
    Since since = Since::kAllLater;
    std::optional<Needs> dropped = std::nullopt;  // gone where version and target are both this late
};

Requirement requirement_of(const Row& row, const Form& form);

// The operands of an instruction, as far as its needs depend on them.
struct OperandUse {
    std::size_t count = 0;
    bool discards_result = false;    // the first is "_"
    bool has_second_result = false;  // the first is "a|p"
    bool has_predicate = false;      // one behind the first is a predicate register
};
struct UseNeeds {
    std::string_view what;  // "with a predicate"; "": no operand needs anything
    Needs needs;
};
// Whether needs_of_use() looks at the operands of this opcode at all.
bool depends_on_use(std::string_view opcode);
UseNeeds needs_of_use(std::string_view opcode, std::span<const std::string> modifiers, const OperandUse& use);

// The same of a special register, by its name with the percent sign, of a directive by its name without the dot, and
// of the type of a declaration.
Needs needs_of_register(std::string_view name);
Needs needs_of_directive(std::string_view name);
Needs needs_of_type(std::string_view type);

}  // namespace tilescope::isa
