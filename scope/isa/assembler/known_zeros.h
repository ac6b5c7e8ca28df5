// Low bits of registers that are known to be zero, as the assembler knows them.
//
// ptxas 13.0 carries the number of trailing zeros through integer operations, registers that several instructions write
// included; it knows no ones, and nothing through shifts to the right, minima, remainders of other than powers of two,
// differences of two registers, shuffles. Each case was seen in its machine code for one load pair per operation.
#pragma once

#include <functional>
#include <vector>

#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {

inline constexpr unsigned kAllZero = 64;

// What is known of registers.
struct SourceFacts {
    std::function<unsigned(std::int32_t reg)> zeros;
    std::function<bool(std::int32_t reg)> is_constant;
};

// Trailing zeros of the n-th result of an instruction, from those of its sources.
unsigned zeros_after(const Instruction& instruction, std::size_t result, const SourceFacts& facts);
// Of an immediate.
unsigned zeros_of_value(std::int64_t value);

class KnownZeros {
public:
    explicit KnownZeros(const FunctionCode& code);
    unsigned of(std::int32_t reg) const { return zeros_[reg]; }

private:
    void visit(const Instruction& instruction);

    std::vector<unsigned> zeros_;
    std::vector<char> constant_;                            // registers that one move from an immediate makes
    std::vector<std::vector<const Instruction*>> readers_;  // by register
    std::vector<std::int32_t> changed_;
};

}  // namespace tilescope::isa
