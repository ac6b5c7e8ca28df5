// A barrier object in shared memory (PTX: mbarrier): 64 bits that programs must not interpret.
//
// Owns: the layout of the counts in those bits, and the effect of an arrival. Guarantees: a phase completes when no
// arrivals and no bytes are pending. The next phase expects the initial count less the dropped arrivals. Does not
// model: NVIDIA's layout of the bits, which is not published.
#pragma once

#include <cstdint>

namespace tilescope::machine {

struct BarrierObject {
    static constexpr std::uint32_t kMaxArrivals = (1u << 20) - 1;
    static constexpr std::int32_t kMaxBytes = (1 << 20) - 1;

    std::uint32_t pending = 0;   // arrivals that the phase still waits for
    std::uint32_t expected = 0;  // of each phase
    std::int32_t bytes = 0;      // that asynchronous copies are still to bring; negative when they came first
    bool odd_phase = false;
    bool valid = false;  // the bits are a barrier object, as far as can be seen

    static BarrierObject read(std::uint64_t bits) {
        BarrierObject object;
        object.pending = static_cast<std::uint32_t>(bits & kMaxArrivals);
        object.expected = static_cast<std::uint32_t>(bits >> 20 & kMaxArrivals);
        object.bytes = static_cast<std::int32_t>(bits >> 40 & 0x1fffffu) - (1 << 20);
        object.odd_phase = (bits >> 61 & 1) != 0;
        object.valid = bits >> 62 == kMark && object.pending <= object.expected;
        return object;
    }
    std::uint64_t bits() const {
        return std::uint64_t{pending} | std::uint64_t{expected} << 20 |
               static_cast<std::uint64_t>(bytes + (1 << 20)) << 40 | std::uint64_t{odd_phase} << 61 | kMark << 62;
    }

    // Ends the phase if nothing is pending. Whether it did.
    bool complete() {
        if (pending != 0 || bytes != 0) return false;
        pending = expected;
        odd_phase = !odd_phase;
        return true;
    }

private:
    static constexpr std::uint64_t kMark = 2;
};

}  // namespace tilescope::machine
