// Memory order and scope of an instruction: PTX's memory consistency model as two enumerations.
#pragma once

#include <cstdint>

namespace tilescope::machine {

enum class Order : std::uint8_t {
    kWeak,      // plain: orders nothing, and may race
    kVolatile,  // like kRelaxed at kSys, and never left out
    kRelaxed,
    kAcquire,
    kRelease,
    kAcquireRelease,
    kSequential,  // fences alone
};

// The threads for which an order holds. kNone: weak accesses.
enum class Scope : std::uint8_t { kNone, kBlock, kCluster, kGpu, kSystem };

}  // namespace tilescope::machine
