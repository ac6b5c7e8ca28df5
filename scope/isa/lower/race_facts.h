// What machine::RaceFacts are made of, function by function.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/isa/lower/lowering.h"
#include "scope/machine/race_facts.h"

namespace tilescope::isa {

// By instruction: the one whose condition keeps some threads of the block from it; RaceFacts::kNoOp: none does.
std::vector<std::uint32_t> parted_by(const FunctionCode& code, const machine::Program& program);

// The plain loads of global memory whose value only decides, by instruction. Ops are those that were emitted.
std::vector<machine::PlainRead> plain_reads(const FunctionCode& code);

}  // namespace tilescope::isa
