// Warp: what an instruction's function sees of the machine.
//
// Owns: the view (lane masks, banks) of the fragment of a warp that runs now, and the way to its block's memory.
// Guarantees: banks are aligned to 64 bytes; exec is a subset of active and is never 0 inside an instruction.
// Does not model: scheduling and divergence (fragment.h, block.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "scope/machine/access.h"
#include "scope/machine/op.h"

namespace tilescope::machine {

struct Worker;  // per host thread: memory views, observers, counters (worker.h)

// Lanes that meet in a warp-wide instruction although they stand at different places of the code.
struct Meeting {
    std::uint32_t lanes = 0;  // all that take part
    // What they bring, in the order of Program::brought: each 32 elements, or a mask of predicates.
    const std::byte* const* brought = nullptr;
};

struct Warp {
    std::uint32_t exec = 0;    // lanes that this instruction acts on: active lanes whose guard holds
    std::uint32_t active = 0;  // lanes of the running fragment
    std::uint32_t live = 0;    // lanes that have not exited
    std::uint32_t index = 0;   // %warpid: number within the block
    // CC.CF, the carry (no borrow) of add.cc, addc, sub.cc, ...: bit = lane. Only lanes of exec are read or written, so
    // the fragments of a diverged warp share it.
    std::uint32_t carry = 0;
    const Meeting* meeting = nullptr;  // nullptr, nearly always: exec takes part, with what its own operand holds
    std::byte* banks[4] = {nullptr, nullptr, nullptr, nullptr};
    Worker* worker = nullptr;

    // Local memory of this warp: word w of lane l at local[(w * 32 + l) * 4]. local_frame is the running function's
    // first byte within each lane's stack.
    std::byte* local = nullptr;
    std::uint32_t local_frame = 0;

    WarpClock clock{};  // stands still where the launch has no paces

    template <class T>
    const T* source(Operand operand) const {
        return reinterpret_cast<const T*>(banks[operand.bank()] + operand.offset());
    }
    template <class T>
    T* target(Operand operand) {
        return reinterpret_cast<T*>(banks[operand.bank()] + operand.offset());
    }
    std::uint32_t predicate(Operand operand) const { return *source<std::uint32_t>(operand); }
    // Writes the lanes of exec only.
    void set_predicate(Operand operand, std::uint32_t lanes) {
        std::uint32_t* to = target<std::uint32_t>(operand);
        *to = (*to & ~exec) | (lanes & exec);
    }
};

}  // namespace tilescope::machine
