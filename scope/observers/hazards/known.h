// Known: up to when somebody knows what threads did. The vector clock of the race check.
//
// Owns: a map from keys (KnownKey) to times, as a tree that copies share; a map is never changed once made. Guarantees:
// joining two that have parts in common looks at these parts once, and gives back one of the two where it holds the
// other. What is known of a key is everything before its time; 0: nothing.
// Does not model: threads on several workers. Reference counts are plain, so a Known stays with its observer.
#pragma once

#include <cstdint>
#include <utility>

namespace tilescope::observers {

// Keys of a block lie together: the block as a whole, its warps, its threads, and the asynchronous copies of these.
// What is left of each block's range is for places of memory, which are numbered and of no block.
struct KnownKey {
    static constexpr std::uint64_t kPerBlock = 4096;
    static std::uint64_t block(std::uint64_t block) { return block * kPerBlock; }
    static std::uint64_t warp(std::uint64_t block, unsigned warp) { return block * kPerBlock + 1 + warp; }
    static std::uint64_t thread(std::uint64_t block, unsigned thread) { return block * kPerBlock + 64 + thread; }
    static std::uint64_t copies(std::uint64_t block, unsigned thread) { return block * kPerBlock + 2048 + thread; }
    static std::uint64_t place(std::uint32_t place) { return place / 1024 * kPerBlock + 3072 + place % 1024; }
};

class Known {
public:
    Known() = default;
    Known(const Known& other);
    Known(Known&& other) noexcept : root_(std::exchange(other.root_, nullptr)) {}
    Known& operator=(Known other) noexcept {
        std::swap(root_, other.root_);
        return *this;
    }
    ~Known();

    bool empty() const { return root_ == nullptr; }
    std::uint32_t of(std::uint64_t key) const;
    // Makes this one know of `key` up to `time`, at least.
    void add(std::uint64_t key, std::uint32_t time);
    void join(const Known& other);
    void clear() { *this = Known(); }
    bool is_same(const Known& other) const { return root_ == other.root_; }

    struct Node;

private:
    Node* root_ = nullptr;
};

}  // namespace tilescope::observers
