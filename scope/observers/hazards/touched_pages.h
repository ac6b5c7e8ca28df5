// Which bytes a piece of work touches: read, written, or both by atomics and other strong accesses.
//
// Owns: TouchedPages. Guarantees: exact to the byte. A page of which all bytes are touched alike costs no more than an
// entry. Does not model: what is written.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>

namespace tilescope::observers {

enum class Touch : std::uint8_t {
    kRead,
    kWrite,
    kStrong,  // atomic or volatile: with its like it does not conflict
};
inline constexpr unsigned kTouches = 3;

class TouchedPages {
public:
    static constexpr std::uint64_t kPage = 4096;
    static constexpr std::uint32_t kNoOp = ~0u, kManyOps = ~0u - 1;

    // A conflict: bytes that two pieces of work share, of which at least one changes them.
    struct Conflict {
        std::uint64_t address = 0;  // of the first byte
        Touch first = Touch::kRead, second = Touch::kRead;
        std::uint32_t first_op = kNoOp,
                      second_op = kNoOp;  // the one instruction that so touches the page, if it is one
    };

    void mark(std::uint64_t address, std::uint64_t bytes, Touch touch, std::uint32_t op = kNoOp);
    // As if these bytes had not been touched.
    void clear(std::uint64_t address, std::uint64_t bytes);
    void merge(const TouchedPages& other);
    // Releases what pages that are touched alike all over do not need.
    void compact();
    std::optional<Conflict> conflict(const TouchedPages& second) const;
    bool empty() const { return pages_.empty(); }
    std::uint64_t table_bytes() const;

private:
    static constexpr unsigned kWords = kPage / 64;
    using Bits = std::array<std::uint64_t, kWords>;
    struct Layer {
        bool all = false;  // of the page; then there are no bits
        std::uint32_t op = kNoOp;
        std::unique_ptr<Bits> bits;

        bool none() const { return !all && !bits; }
    };
    struct Page {
        std::array<Layer, kTouches> layers;
    };
    static void mark_in_page(Layer& layer, unsigned from, unsigned bytes, std::uint32_t op);
    static void clear_in_page(Layer& layer, unsigned from, unsigned bytes);
    static void add(Layer& layer, const Layer& other);
    static std::optional<unsigned> meet(const Layer& a, const Layer& b);

    std::unordered_map<std::uint64_t, Page> pages_;
    std::uint64_t last_number_ = ~std::uint64_t{0};
    Page* last_ = nullptr;  // pages stay where they are
};

}  // namespace tilescope::observers
