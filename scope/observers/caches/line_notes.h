// LineNotes: a few bits for each line that was ever asked for, however many there are.
//
// Guarantees: what is noted of a line stays until clear(). Neighbouring lines share one of the host's cache lines, so
// that what a scattered request notes lies close together. Does not model: anything.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace tilescope::observers {

// Local memory lies beyond all that programs can address, in lines.
inline constexpr std::uint64_t kLocalLines = std::uint64_t{1} << 52;

template <class Note>
class LineNotes {
public:
    // `spread`: of so many lines that follow each other, one is noted here.
    explicit LineNotes(unsigned spread = 1) : spread_(spread) {}

    Note& of(std::uint64_t line) {
        const std::uint64_t index = line / spread_, number = index / kNotes;
        if (number != last_number_) {
            last_ = &chunk(number);
            last_number_ = number;
        }
        return last_->notes[index % kNotes];
    }
    void clear() { *this = LineNotes(spread_); }
    std::uint64_t bytes() const { return slabs_.size() * sizeof(Chunk) * kSlab + regions_ * sizeof(Region); }

private:
    static constexpr std::size_t kChunkBytes = 64, kNotes = kChunkBytes / sizeof(Note), kSlab = 32, kRegion = 256;
    static constexpr std::size_t kMaxRoots = 1 << 14;

    struct alignas(kChunkBytes) Chunk {
        std::array<Note, kNotes> notes{};
    };
    using Region = std::array<Chunk*, kRegion>;

    // Lines from which on they are local, or addresses of the host: those are few and far between.
    std::unique_ptr<Region>& root(std::uint64_t number) {
        const bool is_local = number >= kLocalLines / spread_ / kNotes;
        const std::uint64_t from = is_local ? kLocalLines / spread_ / kNotes / kRegion : 0;
        const std::uint64_t at = number / kRegion - from;
        if (at >= kMaxRoots) return far_[number / kRegion];
        std::vector<std::unique_ptr<Region>>& roots = roots_[is_local ? 1 : 0];
        if (at >= roots.size()) roots.resize(at + 1);
        return roots[at];
    }
    Chunk& chunk(std::uint64_t number) {
        std::unique_ptr<Region>& region = root(number);
        if (!region) [[unlikely]] {
            region = std::make_unique<Region>();
            ++regions_;
        }
        Chunk*& chunk = (*region)[number % kRegion];
        if (chunk == nullptr) [[unlikely]] {
            if (used_ == slabs_.size() * kSlab) slabs_.push_back(std::make_unique<Chunk[]>(kSlab));
            chunk = &slabs_[used_ / kSlab][used_ % kSlab];
            ++used_;
        }
        return *chunk;
    }

    unsigned spread_ = 1;
    std::uint64_t last_number_ = ~std::uint64_t{0};
    Chunk* last_ = nullptr;
    std::array<std::vector<std::unique_ptr<Region>>, 2> roots_;  // of global and of local memory
    std::unordered_map<std::uint64_t, std::unique_ptr<Region>> far_;
    std::vector<std::unique_ptr<Chunk[]>> slabs_;
    std::size_t used_ = 0, regions_ = 0;
};

}  // namespace tilescope::observers
