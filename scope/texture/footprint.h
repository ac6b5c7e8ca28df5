// The sectors that a request of the texture unit asks L1 for.
//
// Guarantees: counts as an H200 has them (27 November 2026; bench/hardware/texture_counters.cu): a sector of an array
// is 16 bytes wide and two rows high, one of other memory 32 bytes of it. Does not model: where a card puts an array's
// sectors; each has a number of its own, and no address.
#pragma once

#include <array>
#include <cstdint>

#include "scope/texture/texture.h"

namespace tilescope::texture {

// Threads that share a request, neighbours in the warp.
inline constexpr unsigned kQuad = 4, kTwoQuads = 8;
constexpr unsigned threads_of_request(Shape shape) { return shape == Shape::kLinear ? kTwoQuads : kQuad; }

// The sector of a byte of a row.
std::uint64_t sector_of(const Image& image, const Level& level, std::uint64_t byte, std::uint32_t row,
                        std::uint32_t slice);

// The different sectors of one request.
class Footprint {
public:
    void add(std::uint64_t sector) {
        for (unsigned i = 0; i < count_; ++i)
            if (sectors_[i] == sector) return;
        if (count_ < sectors_.size()) sectors_[count_++] = sector;
    }
    void clear() { count_ = 0; }
    const std::uint64_t* data() const { return sectors_.data(); }
    unsigned count() const { return count_; }

private:
    // Two levels of eight texels for each of four threads.
    std::array<std::uint64_t, 64> sectors_{};
    unsigned count_ = 0;
};

}  // namespace tilescope::texture
