// The differential harness: every spelling of a row, run through its bind and lane functions, against a scalar oracle.
//
// Owns: making operands out of a row's signature (registers, immediates, sinks, negated predicates, shared slots),
// random values with the special ones of each type, random lane masks, and the comparison.
// Guarantees: all register bytes are compared, so a write to an inactive lane, to a source or past a slot is found, and
// so is a changed rounding mode. A row or spelling without an oracle, or one that no operands could be bound for, is a
// failure.
// Does not model: rows with addresses, labels or lists; the machine; the lowering.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scope/isa/table/form.h"
#include "scope/isa/table/row.h"
#include "scope/isa/table/selectors.h"

namespace tilescope::isa::test {

// One thread's value of one scalar operand (or element of a pair or vector).
struct Scalar {
    bool present = true;           // false: an optional operand that is not there, or the sink `_`
    bool is_immediate = false;     // an immediate or constant predicate
    std::uint8_t bytes = 0;        // width of the register; 0 for a predicate
    std::uint64_t lo = 0, hi = 0;  // bits, zero-extended; a predicate is 0 or 1, negation (!p) already applied
    Selector selector{};           // r.b0
    bool minus = false;            // -r
};

// What an oracle sees: the operands of one thread, in the order of the row's signature. It computes the result from the
// read ones and writes it into the written ones; what it leaves alone in a written scalar is the old value.
struct Thread {
    std::vector<std::vector<Scalar>> operands;  // one scalar each; two for a pair p|q, several for a brace vector
    bool carry = false;                         // CC.CF, read and written
    unsigned lane = 0;

    bool has(std::size_t i, std::size_t element = 0) const {
        return i < operands.size() && element < operands[i].size() && operands[i][element].present;
    }
    std::uint64_t u(std::size_t i, std::size_t element = 0) const { return operands[i][element].lo; }
    std::int64_t s(std::size_t i) const;  // sign-extended from the register's width
    float f32(std::size_t i) const;
    double f64(std::size_t i) const;
    // Writes are cut to the width of the register; ignored when the scalar is a sink.
    void set(std::size_t i, std::uint64_t bits, std::size_t element = 0);
    void set_f32(std::size_t i, float value);
    void set_f64(std::size_t i, double value);
};

// For oracles: the bits of the form's type, and one bit of a value.
inline unsigned width(const Form& form) { return 8 * bytes_of(form.type()); }
inline bool bit(std::uint64_t value, std::uint64_t n) { return value >> n & 1; }

// The reference of one opcode. A table of these, explicit, per test file.
struct Oracle {
    std::string_view opcode;
    void (*compute)(const Form& form, Thread& thread);
    // Whether `actual` will do for the computed `expected` (functions with an error bound); inputs holds the operands
    // as they were. nullptr: the same bits.
    bool (*accepts)(const Form& form, const Thread& inputs, const Scalar& expected, const Scalar& actual) = nullptr;
};

struct HarnessOptions {
    std::size_t spellings = 2000;  // at most, per row
    unsigned rounds = 12;          // operand shapes tried per spelling, each on 32 lanes of random values
    std::uint64_t seed = 1;
};

// The disagreements of one family, one text per spelling; empty when there are none.
std::vector<std::string> check_family(const Family& family, std::span<const Oracle> oracles,
                                      const HarnessOptions& options = {});

// The same for the named family on every target that this processor can run, as GoogleTest expectations.
void expect_family_agrees(std::string_view family, std::span<const Oracle> oracles, const HarnessOptions& options = {});

}  // namespace tilescope::isa::test
