// Control flow: the machine carries these out (machine/block*.cpp); the rows say which control each one is.
#include <iterator>

#include "scope/isa/families/lane_functions.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

constexpr Row kControlRows[] = {
    {.syntax = "bra{.uni}",
     .operands = "label",
     .kind = Class::kControl,
     .bind = &bind_nothing,
     .control = Control::kBranch},
    {.syntax = "brx.idx~{.uni}",
     .operands = "u32 list",
     .kind = Class::kControl,
     .bind = &bind_nothing,
     .needs = {60, 30},
     .control = Control::kBranchIndexed},
    {.syntax = "call{.uni}",
     .operands = "callee",
     .kind = Class::kControl,
     .bind = &bind_nothing,
     .control = Control::kCall},
    {.syntax = "ret{.uni}",
     .operands = "",
     .kind = Class::kControl,
     .bind = &bind_nothing,
     .control = Control::kReturn},
    {.syntax = "exit", .operands = "", .kind = Class::kControl, .bind = &bind_nothing, .control = Control::kExit},
    {.syntax = "trap", .operands = "", .kind = Class::kControl, .bind = &bind_nothing, .control = Control::kTrap},
    {.syntax = "brkpt",
     .operands = "",
     .kind = Class::kControl,
     .bind = &bind_nothing,
     .control = Control::kTrap,
     .note = "ends the kernel: there is no debugger to stop for"},
};

}  // namespace

const Family& control_family() {
    static constexpr Family kFamily{"control", "control flow", kControlRows, std::size(kControlRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
