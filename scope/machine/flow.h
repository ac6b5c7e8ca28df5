// What each op does with the values it reads, for those who follow data through a run.
//
// Owns: OpFlow. Guarantees: made while lowering, on request only (isa::LowerRequest::with_flow); a program without it
// runs the same. Does not model: rounding and types of the arithmetic; an idea such as "sum" stands for all its forms.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "scope/machine/access.h"
#include "scope/machine/op.h"

namespace tilescope::machine {

enum class FlowKind : std::uint8_t {
    kOther,  // results are values of which nothing is known
    kMove,   // result i is source i, at most converted
    kAdd,
    kSubtract,
    kMultiply,
    kMultiplyAdd,  // source 0 times source 1, plus source 2
    kNegate,
    kSelect,  // source 0 where the predicate holds, else source 1
    kApply,   // a function of its sources alone, by `function` or by `name`
    kLoad,    // result i is element i at `address`
    kStore,   // source i goes to element i at `address`
    kAtomic,  // source 0 meets the element at `address` by the operation `name`; result 0 is the old value
    kCopy,    // bytes at `from` go to `address`
    kObject,  // Op::width bytes at `address` are read, and may change, in ways that only the op knows
};

// Functions that more is known of than their name.
enum class FlowFunction : std::uint8_t {
    kNamed,
    kAnd,
    kOr,
    kXor,
    kShiftLeft,
    kShiftRight,
    kDivide,
    kRemainder,
    kInsert,   // the low bits of source 0 into source 1
    kCompare,  // the result is a predicate
    kConvert,  // kMove to another type or kind of address
};

// A register, constant or launch value. bytes 0: a predicate, or absent.
struct FlowValue {
    Operand place;
    std::uint8_t bytes = 0;
};

// base + offset, as the op computes it per lane.
struct FlowAddress {
    Operand base;
    std::uint8_t base_bytes = 8;
    bool frame_relative = false;  // counts from the running function's stack frame
    Space space = Space::kGeneric;
    std::int64_t offset = 0;
};

struct OpFlow {
    FlowKind kind = FlowKind::kOther;
    FlowFunction function = FlowFunction::kNamed;
    bool is_float = false;  // values are floating-point numbers
    bool varies = false;    // gives another value each time
    bool reads_carry = false, writes_carry = false;
    bool is_hint = false;        // reaches memory and leaves it as it is
    std::string_view name;       // kApply, kAtomic: as PTX spells it; lives as long as the instruction tables
    std::string_view opcode;     // of any kind, likewise
    unsigned element_bytes = 0;  // kLoad, kStore, kAtomic: of one element; kCopy: of all
    std::vector<FlowValue> results, sources;
    std::vector<Operand> predicates;  // that it reads, its guard apart
    FlowAddress address, from;
    // kSelect: decides. kCopy: lanes for which it holds read nothing and write zeros.
    Operand predicate;
    bool has_predicate = false, predicate_negated = false;
};

}  // namespace tilescope::machine
