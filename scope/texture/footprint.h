// The sectors that a request of the texture unit asks L1 for, and which bytes of them its threads want.
//
// Guarantees: counts as an H200 has them (27 November 2026; bench/hardware/texture_counters.cu): a sector of an array
// is 16 bytes wide and two rows high, one of other memory 32 bytes of it; addresses are those of tiles.h.
#pragma once

#include <array>
#include <cstdint>

#include "scope/texture/texture.h"

namespace tilescope::texture {

// Threads that share a request, neighbours in the warp.
inline constexpr unsigned kQuad = 4, kTwoQuads = 8;
constexpr unsigned threads_of_request(Shape shape) { return shape == Shape::kLinear ? kTwoQuads : kQuad; }

// Filtered volumes, and filtered texels of 16 bytes, are asked for by two threads at a time; the latter twice, once for
// either half of their channels.
inline constexpr unsigned kPair = 2, kWideTexel = 16;
constexpr unsigned threads_of_part(unsigned threads, bool filters, bool is_volume, unsigned bytes) {
    return filters && (is_volume || bytes >= kWideTexel) ? kPair : threads;
}
constexpr unsigned times_asked(bool filters, unsigned bytes) { return filters && bytes >= kWideTexel ? 2 : 1; }

// bytes: one bit each. Without values of its own: lists of them are made at each fetch, and filled.
struct Sector {
    std::uint64_t address;
    std::uint32_t bytes;

    bool operator==(const Sector&) const = default;
};

// The different sectors of one request.
class Footprint {
public:
    static constexpr std::uint64_t kSectorBytes = 32;
    static constexpr unsigned kMaxSectors = 64;  // two levels of eight texels for each of four threads

    // A texel, which lies in one of them.
    void add(std::uint64_t address, unsigned bytes) {
        const std::uint64_t sector = address & ~(kSectorBytes - 1);
        const std::uint32_t wanted = ((1u << bytes) - 1) << (address % kSectorBytes);
        for (unsigned i = 0; i < count_; ++i)
            if (sectors_[i].address == sector) {
                sectors_[i].bytes |= wanted;
                return;
            }
        if (count_ < sectors_.size()) sectors_[count_++] = {sector, wanted};
    }
    void clear() { count_ = 0; }
    const Sector* begin() const { return sectors_.data(); }
    const Sector* end() const { return sectors_.data() + count_; }
    unsigned count() const { return count_; }

private:
    std::array<Sector, kMaxSectors> sectors_;
    unsigned count_ = 0;
};

}  // namespace tilescope::texture
