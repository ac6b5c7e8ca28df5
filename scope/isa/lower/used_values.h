// What becomes of the values of a function's code: which matter to somebody, and which the assembler knows.
//
// Guarantees: an instruction counts as unused only where no path leads from its results to something that happens; a
// value counts as constant only where every run gives it. Does not model: values that are constant on some paths, and
// functions of constants beyond moves, conversions, sums, products and negatives.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {

class UsedValues {
public:
    // The code has its blocks and definitions.
    explicit UsedValues(const FunctionCode& code);

    bool is_used(std::uint32_t instruction) const { return used_[instruction] != 0; }
    // How often instructions that are used read and write it.
    std::uint32_t reads(std::int32_t reg) const { return reads_[reg]; }
    std::uint32_t writes(std::int32_t reg) const { return writes_[reg]; }
    // Whether the assembler knows the value.
    bool is_constant(const OpenOperand& operand);
    // The bits of a constant that stands there, or that moves bring.
    std::optional<std::uint64_t> bits_of(const OpenOperand& operand);

private:
    void find_used();
    void count();
    const Instruction* writer_of(std::int32_t reg) const;

    const FunctionCode& code_;
    std::vector<char> used_;                            // by instruction
    std::vector<std::uint32_t> reads_, writes_;         // by register
    std::unordered_map<std::int32_t, bool> constants_;  // by register, where somebody asked
};

}  // namespace tilescope::isa
