// TexelRecorder: records the cache requests of texture fetches and surface accesses.
//
// Owns: shapes that requests of a block share. Guarantees: the announced sectors of each request, in order. Writes of
// a warp to one line are one piece, as for other stores. Does not model: surface reductions, which count as writes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "scope/observers/hierarchy/record/addresses.h"
#include "scope/observers/hierarchy/record/traffic.h"
#include "scope/observers/texture_rule.h"

namespace tilescope::observers {

class TexelRecorder {
public:
    // The line that a request counts from, and its shape.
    using Note = std::function<void(std::uint64_t line, std::uint32_t shape)>;

    explicit TexelRecorder(const TextureRules& rules) : rules_(rules) {}

    void begin_block() { known_.fill({}); }
    void take(const machine::Texels& event, bool waits, const CacheAddresses& addresses,
              std::vector<std::uint64_t>& words, const Note& note);
    void merge(const TexelRecorder& other) {
        passes_ += other.passes_;
        lines_ += other.lines_;
    }
    // Of all reads: of the texture unit, and lines of L1 that they asked for.
    std::uint64_t passes() const { return passes_; }
    std::uint64_t lines() const { return lines_; }

private:
    struct Known {
        std::uint64_t hash = 0;
        std::uint32_t at = 0, size = 0;  // in the block's words
    };
    // Where the caches have an address.
    std::uint64_t place_of(std::uint64_t address, const CacheAddresses& addresses) {
        if (!range_.holds(address)) range_ = addresses.find(address);
        return address + range_.shift;
    }
    void put(const Note& note, Shape shape, std::vector<std::uint64_t>& words);
    void read(const machine::Texels& event, Shape shape, const CacheAddresses& addresses,
              std::vector<std::uint64_t>& words, const Note& note);
    void write(const machine::Texels& event, Shape shape, const CacheAddresses& addresses,
               std::vector<std::uint64_t>& words, const Note& note);
    void add_piece(Shape& shape, std::uint64_t line, const std::array<std::uint32_t, kSectorsPerLine>& bytes);

    const TextureRules& rules_;
    CacheAddresses::Range range_;
    std::uint64_t first_ = 0;            // line of the shape that is being made
    std::vector<std::uint64_t> pieces_;  // of it
    std::array<Known, 512> known_{};     // numeric: shapes of a block, by their hashes
    std::uint64_t passes_ = 0, lines_ = 0;
};

}  // namespace tilescope::observers
