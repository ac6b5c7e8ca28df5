// Op::flags of memory instructions.
#pragma once

#include <cstdint>

namespace tilescope::isa {

inline constexpr std::uint16_t kNarrowAddress = 1;  // the base register has 32 bits
inline constexpr std::uint16_t kFrameRelative = 2;  // local: the offset counts from the running function's stack frame
inline constexpr std::uint16_t kUncounted = 4;      // not announced: parameters of device functions
inline constexpr std::uint16_t kSignExtend = 8;     // a narrow element fills a wider register with its sign
inline constexpr std::uint16_t kOrderDependent = 16;  // results depend on the order in which blocks run
// Atomics.
inline constexpr std::uint16_t kOnShared = 32;
inline constexpr std::uint16_t kOnGlobal = 64;
inline constexpr std::uint16_t kNoResult = 128;  // nobody reads the old value
inline constexpr std::uint16_t kAddsOne = 256;   // a reduction that adds the constant one to 32 bits
inline constexpr std::uint16_t kCombined = 512;  // the assembler reduces within the warp first (combine_atomics.h)
inline constexpr std::uint16_t kCombinedIfFull = 1024;  // only where all lanes of the warp take part
inline constexpr std::uint16_t kHasPolicy = 2048;       // Op::c is a policy for the second-level cache
// What the machine code has no reduction for, or no instruction at all.
inline constexpr std::uint16_t kStaysAtomic = 4096;    // also where nobody reads the old value
inline constexpr std::uint16_t kLoopsOnShared = 8192;  // a loop of compare-and-swap on shared memory
inline constexpr std::uint16_t kLoops = 16384;         // on any

}  // namespace tilescope::isa
