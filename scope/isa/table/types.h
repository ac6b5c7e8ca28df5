// The fundamental types of PTX, as instructions spell them.
#pragma once

#include <cstdint>
#include <string_view>

namespace tilescope::isa {

enum class Type : std::uint8_t {
    kNone,
    kPred,
    kB8,
    kU8,
    kS8,
    kB16,
    kU16,
    kS16,
    kF16,
    kBf16,
    kB32,
    kU32,
    kS32,
    kF32,
    kF16x2,
    kBf16x2,
    kTf32,
    kU16x2,
    kS16x2,
    kB64,
    kU64,
    kS64,
    kF64,
    kB128,
};

// ".s32" without its dot; kNone when the word is no type (it is some other modifier).
Type type_by_name(std::string_view name);
std::string_view name_of(Type type);
// Bytes of one value; 0 for kNone and kPred.
unsigned bytes_of(Type type);
bool is_signed(Type type);  // kS8..kS64
bool is_float(Type type);   // any floating type, packed ones included

}  // namespace tilescope::isa
