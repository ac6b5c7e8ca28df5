// Kernels of random address arithmetic, made from any bytes.
//
// Guarantees: every text parses and lowers; what it computes is up to the bytes. Each value that it loads is compared
// with kMarker, and where one is equal the kernel writes kFound to the first word of its first parameter. Wild writes
// may reach that word, too, as any of the kernel's own memory; only kFound counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace tilescope::fuzz {

inline constexpr std::uint32_t kMarker = 0xc0deface, kFound = 0x5ca1ab1e;
inline constexpr unsigned kForeignAddresses = 8;  // 64-bit parameters 2 to 9: places that are none of the kernel's

// Parameter 0: 64 bytes for the findings; parameter 1: the kernel's own buffer.
std::string wild_program(std::span<const std::uint8_t> bytes);

}  // namespace tilescope::fuzz
