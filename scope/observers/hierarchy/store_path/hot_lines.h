// HotLines: the number of stores to the line with the most stores.
//
// Owns: counts for 4,096 sums of lines. Lines with one sum are not distinguished, because they are rare. Guarantees:
// at least the true number, and at most that of the busiest sum.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "scope/observers/hierarchy/lines.h"

namespace tilescope::observers {

class HotLines {
public:
    void take(std::uint64_t line) { ++(*counts_)[line * kHash >> (kHashBits - kBits)]; }
    void add(const HotLines& other) {
        for (std::size_t i = 0; i < kSums; ++i) (*counts_)[i] += (*other.counts_)[i];
    }
    // A share of each.
    void add(const HotLines& other, double share) {
        for (std::size_t i = 0; i < kSums; ++i)
            (*counts_)[i] += static_cast<std::uint64_t>(share * static_cast<double>((*other.counts_)[i]));
    }
    std::uint64_t most() const { return *std::max_element(counts_->begin(), counts_->end()); }

private:
    static constexpr unsigned kBits = 12, kHashBits = 64;  // numeric: of our sums
    static constexpr std::size_t kSums = std::size_t{1} << kBits;
    std::unique_ptr<std::array<std::uint64_t, kSums>> counts_ = std::make_unique<std::array<std::uint64_t, kSums>>();
};

// What stores send to L2, those that are joined on their way once.
struct StoresSent {
    HotLines by_line;
    std::uint64_t lines = 0, in_part = 0;  // times a line was sent, and sectors that were not sent whole

    void take(std::uint64_t line, std::uint64_t sectors_in_part) {
        by_line.take(line);
        ++lines;
        in_part += sectors_in_part;
    }
    void add(const StoresSent& other) {
        by_line.add(other.by_line);
        lines += other.lines;
        in_part += other.in_part;
    }
};

}  // namespace tilescope::observers
