#include "scope/views/render/svg_text.h"

#include <cstddef>
#include <cstdint>

namespace tilescope::views {
namespace {

// One character of UTF-8 at the front; length 0 when it is none (overlong forms and surrogates included).
struct Character {
    std::uint32_t code = 0;
    std::size_t length = 0;
};

Character first_character(std::string_view text) {
    const auto byte = static_cast<unsigned char>(text[0]);
    if (byte < 0x80) return {byte, 1};
    const std::size_t length = (byte & 0xE0U) == 0xC0U   ? 2
                               : (byte & 0xF0U) == 0xE0U ? 3
                               : (byte & 0xF8U) == 0xF0U ? 4
                                                         : 0;
    if (length == 0 || text.size() < length) return {};
    std::uint32_t code = byte & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const auto next = static_cast<unsigned char>(text[i]);
        if ((next & 0xC0U) != 0x80U) return {};
        code = (code << 6U) | (next & 0x3FU);
    }
    constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < kLeast[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
    return {code, length};
}

}  // namespace

std::string svg_escaped(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const Character next = first_character(text);
        const bool forbidden = next.code < 0x20 || next.code == 0x7F || next.code == 0xFFFE || next.code == 0xFFFF;
        if (next.length == 0 || forbidden)
            out += "\xEF\xBF\xBD";
        else if (next.code == '&')
            out += "&amp;";
        else if (next.code == '<')
            out += "&lt;";
        else if (next.code == '>')
            out += "&gt;";
        else if (next.code == '"')
            out += "&quot;";
        else
            out += text.substr(0, next.length);
        text.remove_prefix(next.length == 0 ? 1 : next.length);
    }
    return out;
}

}  // namespace tilescope::views
