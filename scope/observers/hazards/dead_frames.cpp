#include "scope/observers/hazards/dead_frames.h"

#include <algorithm>

namespace tilescope::observers {

std::uint32_t DeadFrames::owner_of(std::uint64_t address) const {
    if (address < top_) return kNobody;
    for (const Frame& frame : frames_)
        if (address >= frame.begin && address < frame.end) return frame.function;
    return kNobody;
}

std::uint64_t DeadFrames::begin_of(std::uint32_t function) const {
    for (const Frame& frame : frames_)
        if (frame.function == function) return frame.begin;
    return 0;
}

FunctionsByOp::FunctionsByOp(const machine::Program& program) {
    if (program.functions.size() < 2) return;
    for (std::uint32_t i = 0; i < program.functions.size(); ++i) {
        const machine::Function& function = program.functions[i];
        functions_.push_back({program.blocks[function.entry].first, i, function.local_bytes});
    }
    std::sort(functions_.begin(), functions_.end(),
              [](const Function& a, const Function& b) { return a.first < b.first; });
}

void FunctionsByOp::note(std::uint32_t op, std::uint64_t local_frame, DeadFrames& frames) const {
    if (functions_.empty()) return;
    const auto behind =
        std::upper_bound(functions_.begin(), functions_.end(), op,
                         [](std::uint32_t at, const Function& function) { return at < function.first; });
    if (behind == functions_.begin()) return;
    const Function& function = *(behind - 1);
    frames.runs(function.index, local_frame, local_frame + function.local_bytes);
}

}  // namespace tilescope::observers
