// CUarray_format: what the driver calls the channels of an array. Formats with a meaning of their own (normalised,
// compressed, of several planes) are not there.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>

#include "scope/runtime/service/arrays/arrays.h"

namespace tilescope::runtime::driver {

struct ChannelFormat {
    int number;  // CUarray_format
    int bits;
    int kind;  // as Channels has it: 0 signed, 1 unsigned, 2 float
};
inline constexpr ChannelFormat kChannelFormats[] = {{0x01, 8, 1},  {0x02, 16, 1}, {0x03, 32, 1}, {0x08, 8, 0},
                                                    {0x09, 16, 0}, {0x0a, 32, 0}, {0x10, 16, 2}, {0x20, 32, 2}};

inline std::optional<Channels> channels_of(int format, unsigned count) {
    const auto* const found = std::find_if(std::begin(kChannelFormats), std::end(kChannelFormats),
                                           [&](const ChannelFormat& row) { return row.number == format; });
    if (found == std::end(kChannelFormats) || (count != 1 && count != 2 && count != 4)) return std::nullopt;
    Channels channels;
    std::fill_n(channels.bits, count, found->bits);
    channels.kind = found->kind;
    return channels;
}

// 0: the driver has no number for it.
inline int format_number(const Channels& channels) {
    for (const ChannelFormat& row : kChannelFormats)
        if (row.bits == channels.bits[0] && row.kind == channels.kind) return row.number;
    return 0;
}

inline unsigned count_of(const Channels& channels) {
    return static_cast<unsigned>(
        std::count_if(std::begin(channels.bits), std::end(channels.bits), [](int bits) { return bits != 0; }));
}

}  // namespace tilescope::runtime::driver
