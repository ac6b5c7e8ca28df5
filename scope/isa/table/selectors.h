// Selectors: the bytes and halves that an operand of a video instruction may name, as in "%r1.b3" or "%r2.h10".
//
// Guarantees: read_selector() takes exactly what PTX allows for the kind.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tilescope::isa {

// What a row says that an operand may name; in a signature by these words behind a dot.
enum class SelectorKind : std::uint8_t {
    kNone,
    kPart,      // a byte or half of the register: b0 to b3, h0, h1
    kPlace,     // the same, and it must
    kHalves,    // two of the four halves of both sources, the upper one first: h32
    kBytes,     // four of their eight bytes, likewise: b7654
    kHalfMask,  // which of its halves: h0, h1, h10
    kByteMask,  // which of its bytes, falling: b0, b310
    kRegister,  // nothing, but it is no immediate either
};

inline constexpr unsigned kElementsMax = 4;

// Elements by number, the lowest place first. None: the operand names nothing.
struct Selector {
    std::uint8_t bits = 32;  // of an element
    std::uint8_t count = 0;
    std::array<std::uint8_t, kElementsMax> at{};
};

// By the word in a signature ("part"); kNone for others.
SelectorKind selector_kind(std::string_view word);

// `text` without its dot. Nothing when it is no selector of this kind.
std::optional<Selector> read_selector(SelectorKind kind, std::string_view text);

}  // namespace tilescope::isa
