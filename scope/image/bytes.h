// Reading out of bytes that may hold anything; private to this room.
//
// Owns: Bytes, read_at(). Guarantees: never reads outside the bytes. Does not model: byte order; numbers are as this
// machine has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace tilescope::image {

using Bytes = std::span<const std::byte>;

// The value that begins at an offset; nullopt where the bytes do not hold all of it.
template <class T>
std::optional<T> read_at(Bytes bytes, std::uint64_t at) {
    if (at > bytes.size() || bytes.size() - at < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    return value;
}

}  // namespace tilescope::image
