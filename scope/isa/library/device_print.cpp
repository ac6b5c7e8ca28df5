#include "scope/isa/library/device_print.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "scope/isa/families/memory_bounds.h"
#include "scope/isa/library/print_conversion.h"

namespace tilescope::isa {
namespace {

using machine::kLocalWindow;
using machine::kSharedWindow;
using machine::kWarpSize;
using machine::kWindowBytes;

constexpr std::size_t kLongestString = 4096;

// One byte at a generic address, as the lane sees it.
bool read_byte(const machine::Warp& warp, unsigned lane, std::uint64_t address, unsigned char& byte) {
    const machine::Worker& worker = *warp.worker;
    if (address - kSharedWindow < kWindowBytes) {
        const std::uint64_t offset = address - worker.shared_window;
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
    if (address - reinterpret_cast<std::uint64_t>(worker.parameters) < worker.parameter_bytes) {
        std::memcpy(&byte, reinterpret_cast<const void*>(address), 1);
        return true;
    }
    const auto allocation = worker.memory->find(address);
    if (!allocation) return false;
    std::memcpy(&byte, allocation->at(address), 1);
    return true;
}

std::uint64_t read_argument(machine::Warp& warp, const machine::Op& op, unsigned lane, std::uint64_t& at,
                            unsigned bytes) {
    at = (at + bytes - 1) / bytes * bytes;
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) {
        unsigned char byte = 0;
        if (!read_byte(warp, lane, at + i, byte)) {
            refuse(warp, op, machine::FaultKind::kOutOfBounds, machine::Space::kLocal, lane, false,
                   [] { return "printf's arguments are not readable"; });
            break;
        }
        value |= std::uint64_t{byte} << 8 * i;
    }
    at += bytes;
    return value;
}

std::string convert(machine::Warp& warp, const machine::Op& op, unsigned lane, PrintConversion conversion,
                    std::uint64_t& at) {
    const auto argument = [&](unsigned bytes) { return read_argument(warp, op, lane, at, bytes); };
    if (conversion.width_is_argument) conversion.set_width(static_cast<std::int32_t>(argument(4)));
    // Arguments narrower than an int were passed as one.
    if (conversion.is_integer()) return conversion.integer(argument(std::max(4u, conversion.bytes)));
    if (conversion.is_floating()) return conversion.floating(std::bit_cast<double>(argument(8)));
    if (conversion.letter == 'c')
        return conversion.character(static_cast<std::uint32_t>(argument(std::max(4u, conversion.bytes))));
    const std::uint64_t address = argument(8);
    if (conversion.letter == 'p') return conversion.pointer(address);
    return conversion.text(address == 0 ? nullptr : read_string(warp, op, lane, address).c_str());
}

}  // namespace

std::string read_string(machine::Warp& warp, const machine::Op& op, unsigned lane, std::uint64_t address) {
    std::string text;
    while (text.size() < kLongestString) {
        unsigned char byte = 0;
        if (!read_byte(warp, lane, address + text.size(), byte))
            refuse(warp, op, machine::FaultKind::kOutOfBounds, machine::Space::kGlobal, lane, false,
                   [] { return "a string that printf is to print is not readable"; });
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
        if (pattern.compare(i, 2, "%%") == 0) {
            out += '%';
            ++i;
            continue;
        }
        const auto conversion = read_conversion(std::string_view(pattern).substr(i));
        if (!conversion) {
            out += '%';  // what follows it comes out as it stands
            continue;
        }
        out += convert(warp, op, lane, *conversion, arguments);
        conversions += conversion->width_is_argument ? 2 : 1;
        i += conversion->length - 1;
    }
    return out;
}

}  // namespace tilescope::isa
