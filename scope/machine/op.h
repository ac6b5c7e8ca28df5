// A decoded instruction: one call over the 32 lanes of a warp.
//
// Owns: Operand (where a value of all lanes lies) and Op. Guarantees: an Op is immutable once its Program is built and
// is shared by every worker. Does not model: what an instruction means; that is behind `fn` (scope/isa).
#pragma once

#include <cstddef>
#include <cstdint>

namespace tilescope::machine {

inline constexpr unsigned kWarpSize = 32;
inline constexpr std::uint32_t kFullMask = 0xffffffffu;

struct Warp;
struct Op;

// Executes one warp instruction for the lanes in warp.exec.
using OpFn = void (*)(Warp&, const Op&);

// The arrays a value can lie in. Each holds, per value, its 32 lanes side by side.
enum class Bank : std::uint32_t {
    kRegisters = 0,  // the running frame of this warp; the only bank that is written
    kConstants = 1,  // immediates, broadcast; one array per Program
    kLaunch = 2,     // kernel parameters and grid-wide special registers, broadcast; one array per launch
    kSpecial = 3,    // special registers that differ by warp or lane (%tid, %laneid, %ctaid); one array per warp
};

// A byte offset into a bank. A predicate is one 32-bit mask, bit = lane; any other value is 32 elements of its width.
struct Operand {
    std::uint32_t bits = 0;

    Operand() = default;
    Operand(Bank bank, std::uint32_t offset) : bits(static_cast<std::uint32_t>(bank) << 30 | offset) {}
    unsigned bank() const { return bits >> 30; }
    std::uint32_t offset() const { return bits & 0x3fffffffu; }
    bool operator==(const Operand&) const = default;
};

struct Op {
    OpFn fn = nullptr;       // what the machine calls
    OpFn guarded = nullptr;  // behind a guard: the instruction's own function, called with exec narrowed
    Operand dst, a, b, c;
    Operand guard;  // a predicate; meaningful when `guarded` is set
    bool guard_negated = false;
    std::uint8_t width = 0;       // bytes a lane reads or writes in memory (element x vector), memory instructions only
    std::uint16_t flags = 0;      // the instruction family's own
    std::uint32_t index = 0;      // position in Program::ops
    std::uint32_t site = 0;       // dense number among guarded instructions and accesses; indexes per-worker state
    std::int64_t immediate = 0;   // address offset, or the family's own
    const void* extra = nullptr;  // further operands, owned by the Program
};

}  // namespace tilescope::machine
