// A kernel's fault on its way from the instruction that caused it to the launch that it ends.
//
// Thrown inside the machine only; Grid::run catches it. No fault crosses into the runtime's C interface.
#pragma once

#include <cstdint>
#include <string>

namespace tilescope::machine {

enum class FaultKind : std::uint8_t {
    kOutOfBounds,
    kUseAfterFree,
    kMisaligned,
    kTrap,
    kDeadlock,
    kStackOverflow,
    kIllegalInstruction,
    kInvalidFree,
    kAssert,
    kInstructionLimit,
};

struct Fault {
    FaultKind kind = FaultKind::kTrap;
    FaultKind on_card = FaultKind::kTrap;  // what a card takes it for; mostly the same
    std::string message;                   // "4-byte load from 0x... is past the end of ..." without place and thread
    std::string space;                     // "global", "shared", "local", "constant" or ""
    std::uint32_t op = 0;                  // index into Program::ops; filled by the machine
    std::uint32_t lane = 0;                // the lowest faulting lane
    std::uint32_t block[3] = {0, 0, 0}, thread[3] = {0, 0, 0};  // filled by the machine
};

}  // namespace tilescope::machine
