// Row: all that is known of one instruction form. One constexpr table of rows per instruction family.
//
// The rows are the only list of instructions in the project: the lowering, the error for an unknown instruction, the
// page of supported instructions, the differential tests and the fuzzers all read them.
//
// clang-format off
// syntax: the spelling with its choices. The words before a `~` belong to the instruction's name and follow the opcode in
// this order; without a `~` the opcode alone is the name. All other words may stand in any order, as NVIDIA's assembler
// takes them (tests/isa/orders_ptxas.txt), but words of one kind keep theirs: types, layouts, state spaces, priorities,
// bit operations (form.cpp).
//   .x          must stand there          {.x}        may stand there
//   .[a b c]    one of these              {.[a b]}    one of these or none
//   Examples: "add{.[rn rz rm rp]}{.ftz}{.sat}.f32", "mad.[lo hi]~.cc.[u32 s32]".
// operands: one token each, separated by spaces. `=` before a token: the instruction writes it. `?` after: it may be absent.
//   T0 T1 T2    a register or immediate of the form's n-th type (types count in order of appearance in the spelling)
//   W0          of twice the width of T0 (mul.wide)
//   b16 u32 f32 pred ...   of that fixed type
//   L0 L1       like T0 and T1, but a register may be wider than the type (ld, st, cvt: PTX's relaxed rule)
//   pred|pred   the pair p|q, whose second part may be missing; T0|pred likewise (shfl)
//   []          an address; []+c a texture or surface with coordinates: the layer, if there is one, then those of T1, or
//               of b32 where the form has no second type
//   V0          a brace vector or a single register of T0 elements, each may be wider (ld.v4, st.v2); V0|pred with a
//               predicate behind it; Vs32 of that fixed type
//   {T0}        a brace vector of T0 (mov.b64 {a, b})
//   T0.part     a register that may name a byte or half of it, or an immediate; .place: a register that has to
//   T0.halves T0.bytes   a register that may name two halves, or four bytes, of both sources
//   T0.half_mask T0.byte_mask   a register that may name some of its halves or bytes
//   T0.register a register and no immediate
//   -T0         a register that may stand behind a minus
//   label fn list callee   control operands
// clang-format on
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "scope/machine/flow.h"
#include "scope/machine/op.h"
#include "scope/machine/order.h"
#include "scope/report/counters.h"

namespace tilescope::isa {

class Binding;

// What an instruction is counted as in the mix.
enum class Class : std::uint8_t { kInteger, kFloat, kTensor, kConversion, kMove, kMemory, kControl, kSync };

// Control effects that the machine must know (it knows these, not the instructions).
enum class Control : std::uint8_t {
    kNone,
    kBranch,         // bra
    kBranchIndexed,  // brx.idx
    kCall,
    kReturn,
    kExit,
    kTrap,      // never returns
    kBarrier,   // waits for threads of the block
    kConverge,  // waits for named lanes of the warp, then runs fn once for all of them (shfl.sync, vote.sync, ...)
    kYield,     // may find that it has to wait (Worker::yields): other warps run before the next try
};

// What an instruction does to memory. Where, how wide and how strongly ordered stands in the form's modifiers.
enum class Action : std::uint8_t {
    kNone,
    kLoad,
    kStore,
    kAtomic,          // gives the old value
    kReduction,       // the same without it
    kCopy,            // from one space to another
    kObject,          // reads and changes a barrier object, in ways that only the instruction knows
    kHint,            // reaches memory and leaves it as it is
    kPrint,           // writes to the program's output
    kAllocate,        // takes or gives back memory
    kExchange,        // gives values of other lanes
    kPause,           // does nothing for a while
    kMatrixLoad,      // reads rows of matrices from shared memory
    kMatrixStore,     // writes them
    kCommitProducts,  // those so far are a group
    kWaitProducts,    // for all groups but the latest, so many as its operand says
    kFactorLoad,      // multiplies matrices that shared memory holds
    kTexture,         // reads texels of a texture
    kSurface,         // reads or writes those of a surface
};

// How many machine instructions are made of one (measured: assembler/unroll_loops.h). What reaches memory takes its
// own.
enum class Expansion : std::uint8_t {
    kOne,
    kNone,        // it is only a name for a value
    kSpecial,     // of the special function unit, with what goes before and behind
    kSpecialOne,  // one of that unit alone
    kSubroutine,  // a call
    kParts,       // of bytes and halves: several that take these out, compute and put together
};

// Of Expansion::kParts: machine instructions of a form whose sources have no sign; more where results are limited to
// their type; all of them where the elements are all a word's own, if ptxas has a way for these (0: it has not).
struct PartsWork {
    std::uint8_t plain = 1, limited = 0, whole = 0;
};

// What an instruction does besides taking its turn: everything that passes, counters and proofs ask of it. A pass never
// looks at how an instruction is spelled.
struct Effect {
    Action action = Action::kNone;
    machine::FlowKind flow = machine::FlowKind::kOther;  // what its results are of its sources
    machine::FlowFunction function = machine::FlowFunction::kNamed;
    machine::Spread spread = machine::Spread::kAll;  // how undefined bits go to its results; kAll is always safe
    bool varies = false;                             // gives another value each time: a clock, an allocation
    bool reads_clock = false;
    bool reads_carry = false, writes_carry = false;
    bool same_for_all = false;  // all lanes that take part get one value
    bool is_query = false;      // asks what a texture or surface is like, and reads no texel
    bool adds_up = false;       // its results are sources, too
    Expansion expansion = Expansion::kOne;
    PartsWork parts{};
};

namespace effect {

using machine::FlowFunction;
using machine::FlowKind;
using machine::Spread;

// The spread of arithmetic is that of integers; floating-point numbers and upper halves spread to all bits.
inline constexpr Effect kMove{.flow = FlowKind::kMove, .spread = Spread::kSame, .expansion = Expansion::kNone};
inline constexpr Effect kConvert{
    .flow = FlowKind::kMove, .function = FlowFunction::kConvert, .spread = Spread::kConvert};
inline constexpr Effect kConvertAddress{.flow = FlowKind::kMove,
                                        .function = FlowFunction::kConvert,
                                        .spread = Spread::kSame,
                                        .expansion = Expansion::kNone};
inline constexpr Effect kAdd{.flow = FlowKind::kAdd, .spread = Spread::kUpwards};
inline constexpr Effect kSubtract{.flow = FlowKind::kSubtract, .spread = Spread::kUpwards};
inline constexpr Effect kMultiply{.flow = FlowKind::kMultiply, .spread = Spread::kUpwards};
inline constexpr Effect kMultiplyAdd{.flow = FlowKind::kMultiplyAdd, .spread = Spread::kUpwards};
inline constexpr Effect kNegate{.flow = FlowKind::kNegate, .spread = Spread::kUpwards};
inline constexpr Effect kSelect{.flow = FlowKind::kSelect, .spread = Spread::kSelect};
inline constexpr Effect kApply{.flow = FlowKind::kApply};
inline constexpr Effect kExtreme{.flow = FlowKind::kApply, .function = FlowFunction::kExtreme};
inline constexpr Effect kCountBits{.flow = FlowKind::kApply, .expansion = Expansion::kSpecialOne};
inline constexpr Effect kAnd{.flow = FlowKind::kApply, .function = FlowFunction::kAnd, .spread = Spread::kAnd};
inline constexpr Effect kOr{.flow = FlowKind::kApply, .function = FlowFunction::kOr, .spread = Spread::kOr};
inline constexpr Effect kXor{.flow = FlowKind::kApply, .function = FlowFunction::kXor, .spread = Spread::kBits};
inline constexpr Effect kNot{.flow = FlowKind::kApply, .spread = Spread::kBits};
inline constexpr Effect kLogic{.flow = FlowKind::kApply, .spread = Spread::kLogic};
inline constexpr Effect kShiftLeft{
    .flow = FlowKind::kApply, .function = FlowFunction::kShiftLeft, .spread = Spread::kShiftLeft};
inline constexpr Effect kShiftRight{
    .flow = FlowKind::kApply, .function = FlowFunction::kShiftRight, .spread = Spread::kShiftRight};
inline constexpr Effect kFunnelLeft{.flow = FlowKind::kApply, .spread = Spread::kFunnelLeft};
inline constexpr Effect kFunnelRight{.flow = FlowKind::kApply, .spread = Spread::kFunnelRight};
inline constexpr Effect kExtract{.flow = FlowKind::kApply, .spread = Spread::kExtract};
inline constexpr Effect kPermute{.flow = FlowKind::kApply, .spread = Spread::kPermute};
inline constexpr Effect kDivide{
    .flow = FlowKind::kApply, .function = FlowFunction::kDivide, .expansion = Expansion::kSubroutine};
inline constexpr Effect kRemainder{
    .flow = FlowKind::kApply, .function = FlowFunction::kRemainder, .expansion = Expansion::kSubroutine};
inline constexpr Effect kRoot{.flow = FlowKind::kApply, .expansion = Expansion::kSubroutine};  // and reciprocals
inline constexpr Effect kSpecial{.flow = FlowKind::kApply,
                                 .expansion = Expansion::kSpecial};  // sines, powers, logarithms
inline constexpr Effect kInsert{.flow = FlowKind::kApply, .function = FlowFunction::kInsert, .spread = Spread::kInsert};
inline constexpr Effect kCompare{.function = FlowFunction::kCompare, .spread = Spread::kCompare};
inline constexpr Effect kLoad{.action = Action::kLoad, .flow = FlowKind::kLoad};
inline constexpr Effect kStore{.action = Action::kStore, .flow = FlowKind::kStore};
inline constexpr Effect kAtomic{.action = Action::kAtomic, .flow = FlowKind::kAtomic};
inline constexpr Effect kReduction{.action = Action::kReduction, .flow = FlowKind::kAtomic};
inline constexpr Effect kCopy{.action = Action::kCopy, .flow = FlowKind::kCopy};
inline constexpr Effect kObject{.action = Action::kObject, .flow = FlowKind::kObject};
inline constexpr Effect kHint{.action = Action::kHint};
inline constexpr Effect kExchange{.action = Action::kExchange, .spread = Spread::kAgree};
inline constexpr Effect kShuffle{.action = Action::kExchange, .spread = Spread::kLanes};
inline constexpr Effect kAgree{.action = Action::kExchange, .spread = Spread::kAgree, .same_for_all = true};
inline constexpr Effect kBallot{.action = Action::kExchange, .spread = Spread::kBallot, .same_for_all = true};
inline constexpr Effect kMatrixLoad{.action = Action::kMatrixLoad};
inline constexpr Effect kMatrixStore{.action = Action::kMatrixStore};
inline constexpr Effect kCommitProducts{.action = Action::kCommitProducts};
inline constexpr Effect kWaitProducts{.action = Action::kWaitProducts};
inline constexpr Effect kAddProduct{.action = Action::kFactorLoad, .adds_up = true};
inline constexpr Effect kTexture{.action = Action::kTexture};
inline constexpr Effect kSurface{.action = Action::kSurface, .varies = true};
inline constexpr Effect kTextureQuery{.action = Action::kTexture, .is_query = true};
inline constexpr Effect kSurfaceQuery{.action = Action::kSurface, .is_query = true};
inline constexpr Effect kPause{.action = Action::kPause};
inline constexpr Effect kPrint{.action = Action::kPrint};
inline constexpr Effect kReadsClock{.varies = true, .reads_clock = true};
inline constexpr Effect kAllocate{.action = Action::kAllocate, .varies = true};
// With the carry as one more source, and as a result where the form says `.cc`.
inline constexpr Effect kCarries{.reads_carry = true, .writes_carry = true};

constexpr Effect carry_out(Effect effect) {
    effect.writes_carry = true;
    return effect;
}

constexpr Effect of_parts(PartsWork work) {
    return {.flow = FlowKind::kApply, .expansion = Expansion::kParts, .parts = work};
}

}  // namespace effect

// What an instruction needs of the four warps of its group.
enum class WarpGroup : std::uint8_t {
    kNone,
    kNeeded,             // the block has to have them
    kMeets,              // and they wait for each other
    kMeetsUnlessBehind,  // likewise, unless one that meets stands before it in the same stretch of code
};

// How lanes meet (Control::kConverge): by which of their operands, counted from 0 as in `operands`.
struct Meets {
    static constexpr std::uint8_t kNoOperand = 0xff;
    std::uint8_t members = kNoOperand;  // names the lanes; no operand: all that live have to come
    std::uint16_t brought = 0;          // a bit for each that lanes hand over, for others to read
    WarpGroup group = WarpGroup::kNone;
};

constexpr Meets meet_by(std::uint8_t members, std::initializer_list<unsigned> brought = {}) {
    Meets meets{members, 0};
    for (const unsigned operand : brought) meets.brought = static_cast<std::uint16_t>(meets.brought | 1u << operand);
    return meets;
}
constexpr Meets of_group(WarpGroup group, Meets meets) {
    meets.group = group;
    return meets;
}

struct Needs {
    std::uint16_t ptx = 10;  // first PTX ISA version, times ten: 63 is 6.3
    std::uint16_t sm = 50;   // first target
};

// Floating-point operations, conversions and sums of products of one thread, for the counters of arithmetic. An
// instruction that the assembler expands counts what its expansion runs on ordinary operands, as hardware's do.
using Operations = CounterAmounts;

struct Row {
    std::string_view syntax;
    std::string_view operands;
    Class kind = Class::kInteger;
    Effect effect{};
    // Chooses the function for the form and fills what is special in op. The operands have been placed in op.dst, op.a,
    // op.b, op.c by then. Returns nullptr after binding.fail(...) when the combination is not supported.
    machine::OpFn (*bind)(Binding&) = nullptr;
    Needs needs{};
    Operations operations{};
    Control control = Control::kNone;
    Meets meets{};
    // Of a spelling that names none: see table/access_words.h.
    machine::Order order = machine::Order::kWeak;
    machine::Scope scope = machine::Scope::kNone;
    std::string_view note{};  // for the page of supported instructions: limits, accuracy
};

struct Family {
    std::string_view name;         // "integer"
    std::string_view description;  // one line
    const Row* rows = nullptr;
    std::size_t count = 0;
};

}  // namespace tilescope::isa
