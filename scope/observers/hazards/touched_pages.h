// Which bytes a piece of work touches: read or written, plainly or by atomics and other strong accesses.
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

// Strong accesses do not conflict with each other; those of system scope (volatile ones are) not with the host's
// either.
enum class Touch : std::uint8_t { kRead, kWrite, kStrongRead, kStrong, kSystemRead, kSystem };
inline constexpr unsigned kTouches = 6;
inline constexpr unsigned bit_of(Touch touch) { return 1U << static_cast<unsigned>(touch); }
inline constexpr bool changes(Touch touch) {
    return touch == Touch::kWrite || touch == Touch::kStrong || touch == Touch::kSystem;
}
inline constexpr bool is_strong(Touch touch) { return touch != Touch::kRead && touch != Touch::kWrite; }
inline constexpr bool in_conflict(Touch a, Touch b) {
    return (changes(a) || changes(b)) && !(is_strong(a) && is_strong(b));
}

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
    // The first of these bytes that is touched in one of these ways (bits of Touch).
    struct Meeting {
        std::uint64_t address = 0;
        Touch touch = Touch::kRead;
        std::uint32_t op = kNoOp;
    };
    std::optional<Meeting> meeting(std::uint64_t address, std::uint64_t bytes, unsigned ways) const;
    // visit(address of the page, bits of the ways in which some of it is touched), in no order.
    template <class Visit>
    void each_page(Visit&& visit) const {
        for (const auto& [number, page] : pages_) {
            unsigned ways = 0;
            for (unsigned i = 0; i < kTouches; ++i) ways |= page.layers[i].none() ? 0U : 1U << i;
            visit(number * kPage, ways);
        }
    }
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
