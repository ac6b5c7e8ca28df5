// LineNotes: a few bits for each line that was ever requested.
//
// Guarantees: a note stays until clear(). Neighboring lines share a cache line of the host, so the notes of a
// scattered request are close together.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace tilescope::observers {

// Local memory lies beyond all that programs can address, in lines.
inline constexpr std::uint64_t kLocalLines = std::uint64_t{1} << 52;  // numeric: no address of a program is so high

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
    // The host is told that a line will be asked for, where something is noted near it.
    void expect(std::uint64_t line) const {
        const std::uint64_t number = line / spread_ / kNotes;
        const bool is_local = number >= kLocalLines / spread_ / kNotes;
        const std::uint64_t at = number / kRegion - (is_local ? kLocalLines / spread_ / kNotes / kRegion : 0);
        const std::vector<Region*>& roots = roots_[is_local ? 1 : 0];
        if (at < roots.size() && roots[at] != nullptr) __builtin_prefetch((*roots[at])[number % kRegion], 1);
    }
    void clear() { *this = LineNotes(spread_); }
    std::uint64_t bytes() const { return chunks_.bytes() + regions_.bytes(); }

private:
    // numeric: a cache line of the host, and how the tables below grow
    static constexpr std::size_t kChunkBytes = 64, kNotes = kChunkBytes / sizeof(Note), kRegion = 256;
    static constexpr std::size_t kMaxRoots = 1 << 14;  // numeric: likewise

    struct alignas(kChunkBytes) Chunk {
        std::array<Note, kNotes> notes{};
    };
    using Region = std::array<Chunk*, kRegion>;

    // Room for items that are all let go together, in pieces that grow.
    template <class Item>
    class Pool {
    public:
        Item* take() {
            if (left_ == 0) {
                left_ = std::min(std::max<std::size_t>(count_, kFewest), kMostBytes / sizeof(Item));
                pieces_.push_back(std::make_unique<Item[]>(left_));
                next_ = pieces_.back().get();
                count_ += left_;
            }
            --left_;
            return next_++;
        }
        std::uint64_t bytes() const { return count_ * sizeof(Item); }

    private:
        static constexpr std::size_t kFewest = 4, kMostBytes = 64 << 10;  // numeric: likewise

        std::vector<std::unique_ptr<Item[]>> pieces_;
        Item* next_ = nullptr;
        std::size_t left_ = 0, count_ = 0;
    };

    // Lines from which on they are local, or addresses of the host: those are few and far between.
    Region*& root(std::uint64_t number) {
        const bool is_local = number >= kLocalLines / spread_ / kNotes;
        const std::uint64_t from = is_local ? kLocalLines / spread_ / kNotes / kRegion : 0;
        const std::uint64_t at = number / kRegion - from;
        if (at >= kMaxRoots) return far_[number / kRegion];
        std::vector<Region*>& roots = roots_[is_local ? 1 : 0];
        if (at >= roots.size()) roots.resize(at + 1);
        return roots[at];
    }
    Chunk& chunk(std::uint64_t number) {
        Region*& region = root(number);
        if (region == nullptr) [[unlikely]]
            region = regions_.take();
        Chunk*& chunk = (*region)[number % kRegion];
        if (chunk == nullptr) [[unlikely]]
            chunk = chunks_.take();
        return *chunk;
    }

    unsigned spread_ = 1;
    std::uint64_t last_number_ = ~std::uint64_t{0};
    Chunk* last_ = nullptr;
    std::array<std::vector<Region*>, 2> roots_;  // of global and of local memory
    std::unordered_map<std::uint64_t, Region*> far_;
    Pool<Chunk> chunks_;
    Pool<Region> regions_;
};

}  // namespace tilescope::observers
