// OpFlow: what each op does with its input values, for observers that follow data.
//
// Owns: OpFlow. Guarantees: made while lowering, on request only (isa::LowerRequest::with_flow). A program without it
// runs the same. Does not model: rounding and types; one class such as "sum" covers all its forms.
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
    kInsert,     // the low bits of source 0 into source 1
    kCompare,    // the result is a predicate
    kConvert,    // kMove to another type or kind of address
    kExtreme,    // the least or the greatest of the sources
    kUpperHalf,  // of a product; its kind is kOther, since no reader would recognise the product
};

// How bits that nobody has defined go from the sources of an op to its results. Sources are numbered as in
// OpFlow::sources; where there are none, the predicates are meant.
enum class Spread : std::uint8_t {
    kAll,          // any of them leaves all results undefined
    kSame,         // result i is source i
    kConvert,      // likewise, between integers of other widths (OpFlow::from_type, to_type)
    kConcatenate,  // the results side by side are the sources side by side
    kBits,         // bit by bit: one undefined source bit is enough
    kAnd,          // bit by bit; a defined 0 decides
    kOr,           // a defined 1 does
    kLogic,        // bit by bit of three sources, by the table that the fourth one is
    kUpwards,      // from the lowest undefined bit up, as carries go
    kShiftLeft,    // source 0 by source 1
    kShiftRight,   // likewise, with the sign where OpFlow::to_type has one
    kFunnelLeft,   // sources 1 and 0 side by side, by source 2, of which 32 or more are `clamped` or wrap
    kFunnelRight,
    kExtract,  // source 2 bits of source 0 from bit source 1 on, with the sign where OpFlow::to_type has one
    kInsert,   // source 3 bits of source 0 into source 1 at bit source 2
    kPermute,  // bytes of sources 0 and 1, chosen by the nibbles of source 2
    kSelect,   // source 0 or 1, by the predicate
    kCompare,  // by OpFlow::relation: the predicate is defined where the defined bits decide
    kLanes,    // source 0 of another lane of the warp; a second result is defined
    kBallot,   // a bit of the result for each lane's predicate
    kAgree,    // one lane's undefined source leaves the results of all undefined
};

enum class Relation : std::uint8_t { kNone, kEqual, kLess, kLessOrEqual };  // or its opposite, of either order

// Type of integers: their width in bytes and whether they have a sign.
struct FlowInteger {
    std::uint8_t bytes = 0;
    bool is_signed = false;
};

// A register, constant or launch value. bytes 0: a predicate, or absent.
struct FlowValue {
    Operand place;
    std::uint8_t bytes = 0;
    bool is_absent = false;
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
    bool reads_clock = false;
    bool reads_carry = false, writes_carry = false;
    bool is_exchange = false;    // kAtomic: source 0 takes the place of the old value
    bool is_hint = false;        // reaches memory and leaves it as it is
    bool is_surface = false;     // kOther: reads or writes texels; results are of element_bytes each
    std::string_view name;       // kApply, kAtomic: as PTX spells it; lives as long as the instruction tables
    std::string_view opcode;     // of any kind, likewise
    unsigned element_bytes = 0;  // kLoad, kStore, kAtomic: of one element; kCopy: of all
    std::vector<FlowValue> results, sources;
    std::vector<Operand> predicates;  // that it reads, its guard apart
    std::uint32_t negated = 0;        // of these, by bit
    Spread spread = Spread::kAll;
    Relation relation = Relation::kNone;
    FlowInteger from_type, to_type;  // of the sources and results, where these are integers
    bool clamps = false;             // kFunnelLeft, kFunnelRight: amounts beyond 32 are 32
    FlowAddress address, from;
    // kSelect: decides. kCopy: lanes for which it holds read nothing and write zeros.
    Operand predicate;
    bool has_predicate = false, predicate_negated = false;
};

}  // namespace tilescope::machine
