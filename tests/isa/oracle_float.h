// What the floating-point oracles share: reading the rounding and the types of a form.
#pragma once

#include "scope/isa/table/types.h"
#include "tests/isa/row_harness.h"
#include "tests/isa/soft_float.h"

namespace tilescope::isa::test {

inline Mode mode_of(const Form& form) {
    if (form.has("rz") || form.has("rzi")) return Mode::kZero;
    if (form.has("rm") || form.has("rmi")) return Mode::kDown;
    return form.has("rp") || form.has("rpi") ? Mode::kUp : Mode::kNearest;
}

inline SoftFormat format_of(Type type) {
    switch (type) {
        case Type::kF16:
        case Type::kF16x2: return kSoftF16;
        case Type::kBf16:
        case Type::kBf16x2: return kSoftBf16;
        case Type::kF64: return kSoftF64;
        default: return kSoftF32;
    }
}

// The NaN that arithmetic in the format yields; double precision has none.
inline std::uint64_t nan_of(SoftFormat format) { return format.width() == 32 ? 0x7fffffffu : 0x7fffu; }

inline Soft limited(const Soft& x) {  // to [0, 1]
    const Soft one{Soft::kFinite, false, 1, 0}, zero{};
    if (x.nan() || x.negative || x.zero()) return zero;
    return compare(x, one) > 0 ? one : x;
}

// For results with an error bound: anything but the old value.
inline void leave(const Form&, Thread& thread) { thread.set(0, ~thread.u(0)); }

// One operation's result in one element, its operands as encoded.
std::uint64_t arithmetic(const Form& form, std::string_view opcode, SoftFormat format, const std::uint64_t* bits);

}  // namespace tilescope::isa::test
