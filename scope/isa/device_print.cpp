#include "scope/isa/device_print.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace tilescope::isa {
namespace {

using machine::kLocalWindow;
using machine::kSharedWindow;
using machine::kWarpSize;
using machine::kWindowBytes;

constexpr std::size_t kLongestString = 4096;
constexpr int kWidestField = 1024;

// One byte at a generic address, as the lane sees it.
bool read_byte(const machine::Warp& warp, unsigned lane, std::uint64_t address, unsigned char& byte) {
    const machine::Worker& worker = *warp.worker;
    if (address - kSharedWindow < kWindowBytes) {
        const std::uint64_t offset = address - kSharedWindow;
        if (offset >= worker.shared_bytes) return false;
        std::memcpy(&byte, worker.shared + offset, 1);
        return true;
    }
    if (address - kLocalWindow < kWindowBytes) {
        const std::uint64_t offset = address - kLocalWindow;
        if (offset >= worker.local_bytes) return false;
        std::memcpy(&byte, warp.local + (offset / 4 * kWarpSize + lane) * 4 + offset % 4, 1);
        return true;
    }
    const auto allocation = worker.memory->find(address);
    if (!allocation) return false;
    std::memcpy(&byte, reinterpret_cast<const void*>(address), 1);
    return true;
}

std::uint64_t read_argument(machine::Warp& warp, const machine::Op& op, unsigned lane, std::uint64_t& at,
                            unsigned bytes) {
    at = (at + bytes - 1) / bytes * bytes;
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) {
        unsigned char byte = 0;
        if (!read_byte(warp, lane, at + i, byte))
            machine::raise(warp, op, machine::FaultKind::kOutOfBounds, "local", lane,
                           "printf's arguments are not readable");
        value |= std::uint64_t{byte} << 8 * i;
    }
    at += bytes;
    return value;
}

// One conversion specification: flags, width and precision kept, lengths turned into 64 bits.
struct Conversion {
    std::string flags;  // "%-08.3"
    char letter = 0;
    bool is_long = false;
};

std::string format_one(machine::Warp& warp, const machine::Op& op, unsigned lane, const Conversion& conversion,
                       std::uint64_t& at) {
    char text[kWidestField + 64];
    const std::string& flags = conversion.flags;
    switch (conversion.letter) {
        case 'd':
        case 'i': {
            const std::uint64_t raw = read_argument(warp, op, lane, at, conversion.is_long ? 8 : 4);
            const long long value = conversion.is_long ? static_cast<long long>(raw) : static_cast<std::int32_t>(raw);
            std::snprintf(text, sizeof text, (flags + "lld").c_str(), value);
            return text;
        }
        case 'u':
        case 'x':
        case 'X':
        case 'o':
            std::snprintf(
                text, sizeof text, (flags + "ll" + conversion.letter).c_str(),
                static_cast<unsigned long long>(read_argument(warp, op, lane, at, conversion.is_long ? 8 : 4)));
            return text;
        case 'c':
            std::snprintf(text, sizeof text, (flags + "c").c_str(),
                          static_cast<int>(read_argument(warp, op, lane, at, 4)));
            return text;
        case 'p':
            std::snprintf(text, sizeof text, (flags + "p").c_str(),
                          reinterpret_cast<void*>(read_argument(warp, op, lane, at, 8)));
            return text;
        case 's': {
            const std::string value = read_string(warp, op, lane, read_argument(warp, op, lane, at, 8));
            std::string wide(value.size() + kWidestField + 1, '\0');
            const int size = std::snprintf(wide.data(), wide.size(), (flags + "s").c_str(), value.c_str());
            wide.resize(size < 0 ? 0 : std::min<std::size_t>(static_cast<std::size_t>(size), wide.size() - 1));
            return wide;
        }
        default: {
            const std::uint64_t bits = read_argument(warp, op, lane, at, 8);
            double value;
            std::memcpy(&value, &bits, 8);
            const int size = std::snprintf(nullptr, 0, (flags + conversion.letter).c_str(), value);
            std::string wide(static_cast<std::size_t>(size < 0 ? 0 : size) + 1, '\0');
            std::snprintf(wide.data(), wide.size(), (flags + conversion.letter).c_str(), value);
            wide.pop_back();
            return wide;
        }
    }
}

}  // namespace

std::string read_string(machine::Warp& warp, const machine::Op& op, unsigned lane, std::uint64_t address) {
    std::string text;
    while (text.size() < kLongestString) {
        unsigned char byte = 0;
        if (!read_byte(warp, lane, address + text.size(), byte))
            machine::raise(warp, op, machine::FaultKind::kOutOfBounds, "global", lane,
                           "a string that printf is to print is not readable");
        if (byte == 0) break;
        text += static_cast<char>(byte);
    }
    return text;
}

std::string format_print(machine::Warp& warp, const machine::Op& op, unsigned lane, std::uint64_t format,
                         std::uint64_t arguments, unsigned& conversions) {
    const std::string pattern = read_string(warp, op, lane, format);
    std::string out;
    conversions = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '%') {
            out += pattern[i];
            continue;
        }
        if (i + 1 < pattern.size() && pattern[i + 1] == '%') {
            out += '%';
            ++i;
            continue;
        }
        Conversion conversion;
        conversion.flags = "%";
        std::size_t at = i + 1;
        for (; at < pattern.size() && std::strchr("-+ #0123456789.*", pattern[at]); ++at) {
            if (pattern[at] != '*') {
                conversion.flags += pattern[at];
                continue;
            }
            const auto width = static_cast<std::int32_t>(read_argument(warp, op, lane, arguments, 4));
            conversion.flags += std::to_string(std::max(-kWidestField, std::min(kWidestField, width)));
        }
        for (; at < pattern.size() && std::strchr("hlLqjzt", pattern[at]); ++at)
            conversion.is_long |= pattern[at] != 'h' && pattern[at] != 'L';
        if (at >= pattern.size() || !std::strchr("diuxXocpsfFeEgGaA", pattern[at])) {
            out += pattern.substr(i, at - i + 1);  // no conversion: as it stands
            i = at;
            continue;
        }
        conversion.letter = pattern[at];
        // A field wider than any line is a mistake or an attack; digits beyond four are cut.
        unsigned digits = 0;
        std::string kept;
        for (char c : conversion.flags) {
            digits = c >= '0' && c <= '9' ? digits + 1 : 0;
            if (digits <= 3) kept += c;
        }
        conversion.flags = kept;
        out += format_one(warp, op, lane, conversion, arguments);
        ++conversions;
        i = at;
    }
    return out;
}

}  // namespace tilescope::isa
