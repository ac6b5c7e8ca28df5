#include "tests/golden/values.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace tilescope::golden {
namespace {

// Splits at white space.
std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t start = text.find_first_not_of(" \t", at);
        if (start == std::string_view::npos) break;
        const std::size_t end = std::min(text.find_first_of(" \t", start), text.size());
        words.push_back(text.substr(start, end - start));
        at = end;
    }
    return words;
}

// "5*3" is 5 and 3.
std::optional<std::pair<std::string_view, std::size_t>> repetition(std::string_view word) {
    const std::size_t star = word.find('*');
    if (star == std::string_view::npos) return std::pair{word, std::size_t{1}};
    std::size_t times = 0;
    const std::string_view count = word.substr(star + 1);
    const auto read = std::from_chars(count.data(), count.data() + count.size(), times);
    if (read.ec != std::errc{} || read.ptr != count.data() + count.size()) return std::nullopt;
    return std::pair{word.substr(0, star), times};
}

template <class T>
std::optional<T> number(std::string_view text, int base) {
    T value{};
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (read.ec != std::errc{} || read.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<std::uint64_t> integer_bits(std::string_view word) {
    const bool minus = word.starts_with('-');
    if (minus) word.remove_prefix(1);
    const bool hexadecimal = word.starts_with("0x");
    const auto magnitude = number<std::uint64_t>(hexadecimal ? word.substr(2) : word, hexadecimal ? 16 : 10);
    if (!magnitude) return std::nullopt;
    return minus ? 0 - *magnitude : *magnitude;
}

template <class T>
std::optional<std::uint64_t> float_bits(std::string_view word) {
    T value{};
    const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
    if (read.ec != std::errc{} || read.ptr != word.data() + word.size()) return std::nullopt;
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}

std::optional<std::uint64_t> bits_of(ValueType type, std::string_view word) {
    if (type.kind != 'f') return integer_bits(word);
    if (word.starts_with("0f") || word.starts_with("0d")) return number<std::uint64_t>(word.substr(2), 16);
    return type.bytes == 4 ? float_bits<float>(word) : float_bits<double>(word);
}

std::uint64_t load(ValueType type, const std::byte* at) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, type.bytes);
    return bits;
}

std::string hexadecimal(std::string prefix, std::uint64_t bits, unsigned digits) {
    for (unsigned i = digits; i-- > 0;) prefix += "0123456789abcdef"[bits >> 4 * i & 15];
    return prefix;
}

template <class T>
std::string print_float(std::uint64_t bits) {
    T value{};
    std::memcpy(&value, &bits, sizeof value);
    if (std::isnan(value)) return hexadecimal(sizeof value == 4 ? "0f" : "0d", bits, 2 * sizeof value);
    char text[64];
    return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

// Bits in the order of the numbers they stand for.
template <class S>
S ordered(S bits) {
    return bits < 0 ? static_cast<S>(std::numeric_limits<S>::min() - bits) : bits;
}

}  // namespace

std::optional<ValueType> value_type(std::string_view name) {
    if (name.empty()) return std::nullopt;
    const auto bits = number<unsigned>(name.substr(1), 10);
    if (!bits || std::string_view("usbf").find(name[0]) == std::string_view::npos) return std::nullopt;
    if (*bits != 8 && *bits != 16 && *bits != 32 && *bits != 64) return std::nullopt;
    if (name[0] == 'f' && *bits < 32) return std::nullopt;
    return ValueType{name[0], *bits / 8};
}

std::size_t count_values(std::string_view text) {
    std::size_t count = 0;
    for (std::string_view word : words_of(text))
        if (const auto part = repetition(word)) count += part->second;
    return count;
}

std::optional<std::vector<std::byte>> read_values(ValueType type, std::string_view text, std::size_t count) {
    std::vector<std::byte> bytes;
    auto add = [&](std::uint64_t bits) {
        for (unsigned i = 0; i < type.bytes; ++i) bytes.push_back(static_cast<std::byte>(bits >> 8 * i));
    };
    const std::vector<std::string_view> words = words_of(text);
    if (words.size() == 1 && (words[0] == "iota" || words[0] == "zeros" || words[0] == "ones")) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::string value = std::to_string(words[0] == "iota" ? i : words[0] == "ones" ? 1 : 0);
            add(bits_of(type, value).value());
        }
        return bytes;
    }
    for (std::string_view word : words) {
        const auto part = repetition(word);
        const auto bits = part ? bits_of(type, part->first) : std::nullopt;
        if (!bits || part->second > count) return std::nullopt;
        for (std::size_t i = 0; i < part->second; ++i) add(*bits);
    }
    if (bytes.size() != count * type.bytes) return std::nullopt;
    return bytes;
}

std::string print_value(ValueType type, const std::byte* at) {
    const std::uint64_t bits = load(type, at);
    switch (type.kind) {
        case 'f': return type.bytes == 4 ? print_float<float>(bits) : print_float<double>(bits);
        case 'b': return hexadecimal("0x", bits, 2 * type.bytes);
        case 's': {
            const unsigned unused = 64 - 8 * type.bytes;
            return std::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
        }
        default: return std::to_string(bits);
    }
}

std::string print_values(ValueType type, std::span<const std::byte> bytes) {
    std::string text;
    for (std::size_t i = 0; i < bytes.size();) {
        std::size_t same = 1;
        while (i + (same + 1) * type.bytes <= bytes.size() &&
               std::memcmp(&bytes[i], &bytes[i + same * type.bytes], type.bytes) == 0)
            ++same;
        text += (text.empty() ? "" : " ") + print_value(type, &bytes[i]);
        if (same > 1) text += "*" + std::to_string(same);
        i += same * type.bytes;
    }
    return text;
}

bool is_close(ValueType type, const std::byte* a, const std::byte* b, const Tolerance& within) {
    if (std::memcmp(a, b, type.bytes) == 0) return true;
    if (type.kind != 'f' || (within.ulps == 0 && within.absolute == 0)) return false;
    auto near = [&]<class F, class S>(F x, F y, S p, S q) {
        std::memcpy(&x, a, sizeof x);
        std::memcpy(&y, b, sizeof y);
        std::memcpy(&p, a, sizeof p);
        std::memcpy(&q, b, sizeof q);
        if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
        if (std::fabs(static_cast<double>(x) - static_cast<double>(y)) <= within.absolute) return true;
        p = ordered(p);
        q = ordered(q);
        return (p > q ? static_cast<std::uint64_t>(p) - static_cast<std::uint64_t>(q)
                      : static_cast<std::uint64_t>(q) - static_cast<std::uint64_t>(p)) <= within.ulps;
    };
    return type.bytes == 4 ? near(0.0f, 0.0f, std::int32_t{}, std::int32_t{})
                           : near(0.0, 0.0, std::int64_t{}, std::int64_t{});
}

}  // namespace tilescope::golden
