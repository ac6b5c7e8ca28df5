// DeadFrames: the stack frames of a warp's device functions that have returned, so that a pointer into one is found.
//
// Owns: the frames that functions of a warp had, and which function runs now. Guarantees: what belongs to a running
// function or was never a frame has no owner here. Does not model: a dead frame that a later call has taken over:
// its memory is that call's.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/machine/program.h"

namespace tilescope::observers {

class DeadFrames {
public:
    static constexpr std::uint32_t kNobody = ~0u;

    void reset() {
        frames_.clear();
        top_ = 0;
    }
    // The code of a function runs on a frame, [begin, end) of each lane's stack.
    void runs(std::uint32_t function, std::uint64_t begin, std::uint64_t end) {
        top_ = end;
        if (begin == end) return;
        for (Frame& frame : frames_)
            if (frame.function == function) {
                frame.begin = begin;
                frame.end = end;
                return;
            }
        frames_.push_back({function, begin, end});
    }
    // Whether any frame lies behind the one that runs.
    bool has_returned() const {
        for (const Frame& frame : frames_)
            if (frame.begin >= top_) return true;
        return false;
    }
    // The function that has returned and had its variables there.
    std::uint32_t owner_of(std::uint64_t address) const;
    std::uint64_t begin_of(std::uint32_t function) const;

private:
    struct Frame {
        std::uint32_t function = 0;
        std::uint64_t begin = 0, end = 0;  // of its latest call
    };
    std::vector<Frame> frames_;
    std::uint64_t top_ = 0;  // end of the frame that runs
};

// Which function an op belongs to.
class FunctionsByOp {
public:
    FunctionsByOp() = default;
    // Empty for a program without calls.
    explicit FunctionsByOp(const machine::Program& program);
    // Code runs, its first op being this one.
    void note(std::uint32_t op, std::uint64_t local_frame, DeadFrames& frames) const;

private:
    struct Function {
        std::uint32_t first = 0;  // op
        std::uint32_t index = 0, local_bytes = 0;
    };
    std::vector<Function> functions_;  // by first op
};

}  // namespace tilescope::observers
