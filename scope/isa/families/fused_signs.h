// The signs of a multiply-add d = a * b + c that was made of a product and a sum or difference (lower/contract.cpp).
#pragma once

#include <bit>
#include <cstdint>

#include "scope/isa/families/lane_functions.h"
#include "scope/isa/table/binding.h"

namespace tilescope::isa::TILESCOPE_TARGET {

inline bool negates_product(const Binding& b) { return b.operands[1].negated; }
inline bool negates_addend(const Binding& b) { return b.operands[3].negated; }

// Signs of a in the lower half of op.immediate, of c in the upper one: bits to turn over. One body for all signs, since
// four of each take minutes to compile.
inline void keep_signs(Binding& b, std::uint32_t sign) {
    const std::uint64_t product = negates_product(b) ? sign : 0, addend = negates_addend(b) ? sign : 0;
    b.op.immediate = static_cast<std::int64_t>(addend << 32 | product);
}

// Bits is the unsigned integer as wide as T.
template <class T, class Bits, class Body>
void signed_ternary(Warp& warp, const Op& op) {
    const Bits* a = warp.source<Bits>(op.a);
    const T* b = warp.source<T>(op.b);
    const Bits* c = warp.source<Bits>(op.c);
    const auto signs = static_cast<std::uint64_t>(op.immediate);
    const auto product = static_cast<Bits>(signs), addend = static_cast<Bits>(signs >> 32);
    write_lanes(warp.exec, warp.target<T>(op.dst), [&](unsigned i) -> T {
        return Body::apply(std::bit_cast<T>(static_cast<Bits>(a[i] ^ product)), b[i],
                           std::bit_cast<T>(static_cast<Bits>(c[i] ^ addend)));
    });
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
