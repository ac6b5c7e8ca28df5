#include "scope/ptx/string_literal.h"

namespace tilescope::ptx {
namespace {

struct Escape {
    char letter;
    char byte;
};
constexpr Escape kEscapes[] = {{'n', '\n'}, {'t', '\t'}, {'r', '\r'},  {'a', '\a'},  {'b', '\b'}, {'f', '\f'},
                               {'v', '\v'}, {'"', '"'},  {'\'', '\''}, {'\\', '\\'}, {'?', '?'}};

int hex_value(char character) {
    if (character >= '0' && character <= '9') return character - '0';
    char lower = static_cast<char>(character | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Up to `most` digits of `base` from `at` on; moves `at` behind them. -1 when there is none.
int take_number(std::string_view text, std::size_t& at, int base, int most) {
    int value = -1;
    for (; most > 0 && at < text.size(); --most, ++at) {
        int digit = hex_value(text[at]);
        if (digit < 0 || digit >= base) break;
        value = (value < 0 ? 0 : value) * base + digit;
    }
    return value;
}

}  // namespace

std::string unescape(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size());
    std::size_t at = 0;
    while (at < text.size()) {
        char character = text[at++];
        if (character != '\\' || at == text.size()) {
            bytes += character;
            continue;
        }
        char letter = text[at];
        std::size_t digits = letter == 'x' ? at + 1 : at;
        int value = letter == 'x' ? take_number(text, digits, 16, 2) : take_number(text, digits, 8, 3);
        if (value >= 0) {
            bytes += static_cast<char>(value);
            at = digits;
            continue;
        }
        char byte = '\0';
        for (Escape escape : kEscapes) {
            if (escape.letter == letter) byte = escape.byte;
        }
        if (byte == '\0') {
            bytes += '\\';
        } else {
            bytes += byte;
            ++at;
        }
    }
    return bytes;
}

std::string quote(std::string_view bytes) {
    std::string text = "\"";
    for (char character : bytes) {
        auto byte = static_cast<unsigned char>(character);
        if (character == '"' || character == '\\') {
            text += '\\';
            text += character;
        } else if (byte < 0x20 || byte == 0x7f) {
            text += '\\';
            for (int shift = 6; shift >= 0; shift -= 3) text += static_cast<char>('0' + (byte >> shift & 7));
        } else {
            text += character;
        }
    }
    return text + '"';
}

}  // namespace tilescope::ptx
