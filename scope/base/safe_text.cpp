#include "scope/base/safe_text.h"

#include <array>
#include <cstddef>

namespace tilescope {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0;  // 0: this is no UTF-8
};

// The character that the text begins with. Overlong spellings, surrogates and what lies beyond U+10FFFF are none.
Character first_of(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80) return {lead, 1};
    const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
    std::uint32_t code = lead & (0xffU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        const auto next = static_cast<unsigned char>(text[i]);
        if ((next & 0xc0U) != 0x80) return {};
        code = code << 6U | (next & 0x3fU);
    }
    constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
    const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
    if (code < kLeast[bytes] || code > 0x10ffff || is_surrogate) return {};
    return {code, bytes};
}

bool is_control(std::uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

// Separators of lines and paragraphs, and marks that turn the direction in which the rest is written.
bool turns_text(std::uint32_t code) {
    return code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

void append_hex(std::string& text, std::string_view prefix, std::uint32_t value, unsigned digits) {
    text += prefix;
    for (unsigned i = digits; i-- > 0;) text += kDigits[value >> (4 * i) & 0xfU];
}

}  // namespace

std::string safe_text(std::string_view text, LineFeeds line_feeds) {
    std::string clean;
    clean.reserve(text.size());
    while (!text.empty()) {
        const Character first = first_of(text);
        const std::size_t bytes = first.bytes == 0 ? 1 : first.bytes;
        const bool is_kept = first.code == '\t' || (first.code == '\n' && line_feeds == LineFeeds::kKeep);
        if (first.bytes == 0)
            append_hex(clean, "\\x", static_cast<unsigned char>(text[0]), 2);
        else if (first.code == '\n' && !is_kept)
            clean += "\\n";
        else if (is_control(first.code) && !is_kept)
            append_hex(clean, "\\x", first.code, 2);
        else if (turns_text(first.code))
            append_hex(clean, "\\u", first.code, 4);
        else
            clean += text.substr(0, bytes);
        text.remove_prefix(bytes);
    }
    return clean;
}

}  // namespace tilescope
