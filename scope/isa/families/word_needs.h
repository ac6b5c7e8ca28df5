// What a spelling needs: the first PTX version and the targets that have it, with all of its words.
//
// Guarantees: pure functions of the row and the words. Does not model: operands that only later targets take.
#pragma once

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
};

Requirement requirement_of(const Row& row, const Form& form);

// The same of a special register, by its name with the percent sign, and of a directive by its name without the dot.
Needs needs_of_register(std::string_view name);
Needs needs_of_directive(std::string_view name);

}  // namespace tilescope::isa
