#include "scope/isa/library/print_conversion.h"

#include <algorithm>
#include <cstdio>

namespace tilescope::isa {
namespace {

// A field wider than any line is a mistake or an attack, and is cut.
std::optional<int> read_number(std::string_view format, std::size_t& at) {
    std::optional<int> number;
    for (; at < format.size() && format[at] >= '0' && format[at] <= '9'; ++at)
        number = std::min(kWidestField, 10 * number.value_or(0) + (format[at] - '0'));
    return number;
}

// 0: no size that CUDA knows.
unsigned integer_bytes(std::string_view size) {
    if (size.empty()) return 4;
    if (size == "h") return 2;
    if (size == "hh") return 1;
    return size == "l" || size == "ll" ? 8 : 0;
}

template <class... Values>
std::string print(const std::string& format, Values... values) {
    const int size = std::snprintf(nullptr, 0, format.c_str(), values...);
    std::string text(static_cast<std::size_t>(std::max(0, size)) + 1, '\0');
    std::snprintf(text.data(), text.size(), format.c_str(), values...);
    text.pop_back();
    return text;
}

// What the host's printf is asked for.
std::string host_format(const PrintConversion& conversion, std::string_view size) {
    std::string format = "%" + conversion.flags;
    if (conversion.width) format += std::to_string(*conversion.width);
    if (conversion.precision) format += "." + std::to_string(*conversion.precision);
    return format.append(size) + conversion.letter;
}

}  // namespace

void PrintConversion::set_width(int value) {
    if (value < 0) flags += '-';
    width = static_cast<int>(std::min<long long>(kWidestField, value < 0 ? -static_cast<long long>(value) : value));
}

bool PrintConversion::is_integer() const { return std::string_view("diuxXo").find(letter) != std::string_view::npos; }
bool PrintConversion::is_floating() const {
    return std::string_view("fFeEgGaA").find(letter) != std::string_view::npos;
}

std::string PrintConversion::integer(std::uint64_t raw) const {
    const unsigned unused = 64 - 8 * bytes;
    const bool is_signed = letter == 'd' || letter == 'i';
    if (is_signed) return print(host_format(*this, "ll"), static_cast<long long>(raw << unused) >> unused);
    return print(host_format(*this, "ll"), static_cast<unsigned long long>(raw << unused >> unused));
}

std::string PrintConversion::floating(double value) const { return print(host_format(*this, ""), value); }
std::string PrintConversion::character(std::uint32_t value) const {
    return print(host_format(*this, ""), static_cast<int>(value));
}
std::string PrintConversion::pointer(std::uint64_t value) const {
    return print(host_format(*this, ""), reinterpret_cast<void*>(value));
}
std::string PrintConversion::text(const char* value) const { return print(host_format(*this, ""), value); }

std::optional<PrintConversion> read_conversion(std::string_view format) {
    PrintConversion conversion;
    std::size_t at = 1;
    const auto is_one_of = [&](std::string_view letters) {
        return at < format.size() && letters.find(format[at]) != std::string_view::npos;
    };
    for (; is_one_of("-+ #0"); ++at)
        if (conversion.flags.find(format[at]) == std::string::npos) conversion.flags += format[at];
    conversion.width_is_argument = is_one_of("*");
    if (conversion.width_is_argument)
        ++at;
    else
        conversion.width = read_number(format, at);
    if (is_one_of(".")) {
        ++at;
        conversion.precision = read_number(format, at).value_or(0);
    }
    const std::size_t size = at;
    while (is_one_of("hl")) ++at;
    conversion.bytes = integer_bytes(format.substr(size, at - size));
    if (conversion.bytes == 0 || !is_one_of("diuxXocpsfFeEgGaA")) return std::nullopt;
    conversion.letter = format[at];
    conversion.length = at + 1;
    return conversion;
}

}  // namespace tilescope::isa
