// The reasons why L1 and L2 miss a load's sector.
//
// Guarantees: each missed sector has one reason per level, which follows from the cache simulation alone. Does not
// model: conflict misses. No measured stride shows the sets of L1, and those of L2 are unknown.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tilescope::observers {

enum class FirstMiss : std::uint8_t {
    kFirstTouch,   // the SM has not had it in this launch
    kCapacity,     // it had to give way
    kPartWritten,  // a store of the SM left some of its bytes, and others were requested
    kFence,        // a fence emptied L1
    kAtomic,       // an atomic of the SM changed it in L2
    kBypass,       // the instruction goes past L1, or there is none
};
inline constexpr std::size_t kFirstMisses = 6;  // numeric: of the enumeration

enum class SecondMiss : std::uint8_t {
    kFirstTouch,   // nobody has requested it in this launch
    kCapacity,     // it had to give way
    kOtherPart,    // it is in the other part of L2
    kOutdated,     // as well, and was here until a store from that side, or an atomic, changed it there
    kPartWritten,  // some of its bytes were written, the others are in device memory
};
inline constexpr std::size_t kSecondMisses = 5;  // numeric: likewise

using FirstMisses = std::array<std::uint64_t, kFirstMisses>;
using SecondMisses = std::array<std::uint64_t, kSecondMisses>;

// Of the sectors of a line, three bits each: 0, or the reason and 1.
class SectorReasons {
public:
    void add(unsigned sectors, SecondMiss why) {
        // numeric: each bit that is set becomes three
        const unsigned spread = (sectors & 1) | (sectors & 2) << 2 | (sectors & 4) << 4 | (sectors & 8) << 6;
        packed_ = static_cast<std::uint16_t>(packed_ | spread * (static_cast<unsigned>(why) + 1));
    }
    // Those of `sectors`.
    void count(SecondMisses& into, unsigned sectors) const {
        // numeric: three bits a sector
        for (unsigned left = packed_; left != 0; left >>= 3, sectors >>= 1)
            // numeric: likewise
            if ((left & 7) != 0 && (sectors & 1) != 0) ++into[(left & 7) - 1];
    }

private:
    std::uint16_t packed_ = 0;
};

}  // namespace tilescope::observers
