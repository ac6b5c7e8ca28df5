// What the rules of the assembler ask of an instruction, read off its row and form.
#pragma once

#include <cstdint>

#include "scope/isa/lower/lowering.h"

namespace tilescope::isa {

// What an instruction computes, as far as addresses are made that way. Integers only; all else is kOther.
enum class Operation : std::uint8_t {
    kOther,
    kMove,     // of a whole register
    kPack,     // mov of {low, high} to a register twice as wide
    kUnpack,   // and back
    kConvert,  // between integers, or kinds of addresses
    kAdd,
    kSubtract,
    kNegate,
    kMultiply,     // the low half, or all of it
    kMultiplyAdd,  // likewise
    kShiftLeft,
    kShiftRight,
    kAnd,
    kOr,
    kXor,
    kSelect,
    kInsert,     // bfi
    kRemainder,  // unsigned
    kCompare,
};
Operation operation_of(const Instruction& instruction);

// How an instruction touches memory.
enum class MemoryUse : std::uint8_t { kNone, kLoad, kStore, kReduction, kAtomic, kCopy };
struct MemoryEffect {
    MemoryUse use = MemoryUse::kNone;
    bool shared = false, global = false;  // what it may touch; both: a generic address
    bool is_strong = false;               // volatile, relaxed, acquire, release: stays as it is written
    bool orders = false;                  // a barrier, a fence, a wait: nothing moves across
};
MemoryEffect memory_effect_of(const Instruction& instruction);

// Elements of an access.
inline unsigned vector_length(const Form& form) {
    return form.has("v2") ? 2 : form.has("v4") ? 4 : form.has("v8") ? 8 : 1;
}

// How a register comes to be compared (kCompare), by the words of setp.
enum class Comparison : std::uint8_t { kNone, kEqual, kUnequal, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };
struct ComparisonOf {
    Comparison how = Comparison::kNone;
    bool is_signed = false;
};
ComparisonOf comparison_of(const Instruction& instruction);

// What an instruction counts in the size of a loop's body (unroll_loops.h has the measurement).
unsigned size_of(const Instruction& instruction);

// The integer type of 16 bits that an instruction makes 32 or 64 of; kNone when it does not.
Type widened_by(const Instruction& instruction);

// Whether lanes that exchange values all get the same one.
bool gives_all_the_same(const Instruction& instruction);

// The reductions that the assembler can do within a warp first.
enum class Combining : std::uint8_t { kNone, kAdd, kBitsOrExtremes };
Combining combining_of(const Instruction& instruction);

}  // namespace tilescope::isa
