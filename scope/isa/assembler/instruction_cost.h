// What one PTX instruction is to an SM, as far as it can be told without what stands around it. Internal to the work
// pass (work.h).
#pragma once

#include "scope/isa/lower/lowering.h"
#include "scope/report/work.h"

namespace tilescope::isa {

// What an instruction is to the SM.
struct Cost : PipeWork<float> {
    float movable = 0;  // of integers: that the multiply-add pipe can do as well
    Wait wait = Wait::kNone;
    bool is_load = false, is_store = false;
    bool passes_stores = false;  // reads what nobody writes
    bool is_name = false;        // costs nothing, and its result is its source

    explicit Cost(float issued = 1, float on_the_way = 1) { instructions = issued, steps = on_the_way; }
};

// Of 4 cycles each, as ptxas 13.0 keeps instructions apart: what is under a predicate, a branch above all, comes 13
// cycles behind the comparison, not 4 (1,379 of 1,700 branches wait for just that, none less; a selection is 4 behind
// it); what follows a branch that is not taken, 5 behind that. Behind one that leads back to a loop's head, and is
// taken, a card takes 10. It issues an instruction each cycle at most (bench/hardware/chains.cu).
inline constexpr float kGuardSteps = 2.25f, kBranchSteps = 1.25f, kTakenSteps = 2.5f, kIssueSteps = 0.25f;

// Whether it reads a special register.
bool reads_special(const Instruction& instruction);

Cost cost_of_access(const Instruction& instruction);
// The reciprocal of an integer divisor is worked out once.
Cost cost_of_division(const Instruction& instruction, bool divisor_known);
// Of tensor cores: the pipe's share in cycles of an H200's sub-partition. `unpacked`: words of its factors that are
// made into others for it (unpacks()).
Cost cost_of_matrices(const Instruction& instruction, unsigned unpacked);
// Whether its factors are 8-bit floats of which f16 is made, word by word.
bool unpacks(const Instruction& instruction);
// Of bytes and halves, which ordinary instructions take out and put together.
Cost cost_of_parts(const Instruction& instruction);
Cost cost_of_special(const Instruction& instruction);
Cost cost_of_conversion(const Instruction& instruction);

}  // namespace tilescope::isa
