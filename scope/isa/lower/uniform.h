// What the assembler knows to be the same in all lanes of a warp.
#pragma once

#include <vector>

#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {

// The registers of a function that follow from parameters, constants and block numbers alone.
class Uniformity {
public:
    explicit Uniformity(const FunctionCode& code);

    // A reduction that adds a constant to an address which is the same in all lanes: the assembler (ptxas 13.0,
    // tests/truth: atomic_one_address) adds up the lanes first and lets one of them do it.
    bool is_combined(const Instruction& instruction) const;

private:
    bool is_uniform(const OpenOperand& operand) const;
    bool follows_from_uniform(const Instruction& instruction) const;

    std::vector<char> uniform_;  // by register
};

}  // namespace tilescope::isa
