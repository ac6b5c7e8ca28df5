// Atomics that the assembler does once for a warp, and what it knows to be the same in all lanes.
//
// Where the address is the same in all lanes by its making, one lane goes out for those that take part (ptxas 13.0,
// machine code and counters of an H200; tests/truth: assembler.cu):
// - 32-bit add, min, max, and, or, xor whose result nobody reads, whatever is combined;
// - add of 32 or 64 bits of a value that is the same in all lanes too, its result read or not;
// - 32-bit add of any value with its result read, where all 32 lanes take part.
// Not inc, dec, exch, cas, not floating-point numbers, nothing else of 64 bits. Not either where the code before has
// compared the thread's number for equality: the assembler expects one lane then (x % 3 == 0 is such a comparison).
#pragma once

#include <vector>

#include "scope/isa/lower/lowering.h"
#include "scope/machine/program.h"

namespace tilescope::isa {

// The registers of a function that are the same in all lanes of a warp.
class Uniformity {
public:
    Uniformity(const FunctionCode& code, const machine::Program& program);
    bool is_uniform(const OpenOperand& operand) const;

private:
    bool follows_from_uniform(const Instruction& instruction) const;
    void find_divergent_regions();
    void note_region(std::uint32_t block);

    const FunctionCode& code_;
    const machine::Program& program_;
    std::vector<char> uniform_;    // by register
    std::vector<char> divergent_;  // by block: lanes may part before it and meet behind it
};

// Writes Instruction::combined. `is_read`: by register.
void combine_atomics(FunctionCode& code, const machine::Program& program, const std::vector<char>& is_read);

}  // namespace tilescope::isa
