// Follower: sees the registers of a run, around the execution of every basic block.
//
// Guarantees: an observer that offers one (Observer::follower) runs the ops of its launch itself; other launches pay
// nothing. Called on the thread of the worker that runs the block. Does not model: iterations in which a block is
// examined for a hang; the follower only learns that there were some.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "scope/machine/op.h"

namespace tilescope::machine {

struct Terminator;
struct Warp;

class Follower {
public:
    virtual ~Follower() = default;
    // A warp of a block that begins; its registers are all its frames.
    virtual void begin_warp(const Warp& warp, std::span<const std::byte> registers) = 0;
    // Must call each op's function, in order.
    virtual void run(Warp& warp, const Op* first, const Op* end) = 0;
    // What ends the basic block is about to act for these lanes.
    virtual void at_end(Warp& warp, std::uint32_t lanes, const Terminator& end) = 0;
    // Lanes that met (warp.exec) execute an instruction together; must call run(warp, op) once.
    virtual void meet(Warp& warp, const Op& op, OpFn run) = 0;
    // A function is entered by the active lanes, whose stack frame of so many bytes begins here; what is passed
    // follows.
    virtual void enter(const Warp& warp, std::uint64_t local_frame, std::uint32_t bytes) = 0;
    // Arguments or results are copied between frames of registers or stacks.
    virtual void copied(const Warp& warp, const std::byte* to, const std::byte* from, std::size_t bytes,
                        bool is_predicate) = 0;
    // Something was executed that it did not see.
    virtual void forget(const Warp& warp) = 0;
};

}  // namespace tilescope::machine
