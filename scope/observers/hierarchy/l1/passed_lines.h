// PassedLines: the lines that an L1 would hold from requests that are skipped without a clock.
//
// Owns: a hash table with the last line of each place, and their order. Guarantees: each sector in it was requested or
// written, and not invalidated since. Does not model: replacement, so its hits are no L1 hits; they only keep requests
// from L2 that L1 would have served.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "scope/observers/hierarchy/lines.h"

namespace tilescope::observers {

class PassedLines {
public:
    struct Line {
        std::uint64_t line = ~std::uint64_t{0};
        std::uint32_t sectors = 0;
    };

    // Those of a line's sectors that are missing; they come.
    unsigned load(std::uint64_t line, unsigned sectors) {
        Line& place = place_of(line);
        if (place.line != line) {
            place = {line, sectors};
            came_.push_back(line);
            if (came_.size() == 2 * kPlaces) came_.erase(came_.begin(), came_.begin() + kPlaces);
            return sectors;
        }
        const unsigned missing = sectors & ~place.sectors;
        place.sectors |= sectors;
        return missing;
    }
    // How many of a store's sectors are there; those that it writes as a whole come.
    unsigned store(std::uint64_t line, unsigned sectors, unsigned whole) {
        const Line& place = place_of(line);
        const unsigned hits = place.line == line ? sectors & place.sectors : 0;
        if (whole != 0) load(line, whole);
        return hits;
    }
    void drop(std::uint64_t line) {
        if (Line& place = place_of(line); place.line == line) place.sectors = 0;
    }
    void clear() {
        places_.fill({});
        came_.clear();
    }
    // Tells `take` of the last lines that came and are still there, in their order, `most` at most.
    template <class Take>
    void for_last(std::size_t most, const Take& take) const {
        for (std::size_t i = came_.size() - std::min(most, came_.size()); i < came_.size(); ++i)
            if (const Line& place = places_[index_of(came_[i])]; place.line == came_[i] && place.sectors != 0)
                take(place.line, place.sectors);
    }

private:
    static constexpr std::size_t kPlaces = 2048;  // numeric: about as many as an L1 has lines
    static constexpr unsigned kShift = 53;        // numeric: the upper eleven bits of a hash

    static std::size_t index_of(std::uint64_t line) { return static_cast<std::size_t>(line * kHash >> kShift); }
    Line& place_of(std::uint64_t line) { return places_[index_of(line)]; }

    std::array<Line, kPlaces> places_{};
    std::vector<std::uint64_t> came_;
};

}  // namespace tilescope::observers
