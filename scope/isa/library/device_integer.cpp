// Device library: integer functions and views of a number's bits.
#include "scope/isa/library/device_functions.h"

namespace tilescope::isa::device {
namespace {

template <class T>
T reversed(T a) {
    T r = 0;
    for (unsigned i = 0; i < sizeof(T) * 8; ++i, a >>= 1) r = static_cast<T>(r << 1 | (a & 1));
    return r;
}

U32 byte_perm(U32 a, U32 b, U32 selector) {
    const U64 bytes = static_cast<U64>(b) << 32 | a;
    U32 r = 0;
    for (unsigned i = 0; i < 4; ++i) r |= static_cast<U32>(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return r;
}

// The upper half of a 128-bit product, in 32-bit parts.
U64 upper_product(U64 a, U64 b) {
    const U64 al = a & 0xffffffffu, ah = a >> 32, bl = b & 0xffffffffu, bh = b >> 32;
    const U64 middle = ah * bl + (al * bl >> 32);
    const U64 other = al * bh + (middle & 0xffffffffu);
    return ah * bh + (middle >> 32) + (other >> 32);
}
S64 upper_product(S64 a, S64 b) {
    U64 r = upper_product(static_cast<U64>(a), static_cast<U64>(b));
    if (a < 0) r -= static_cast<U64>(b);
    if (b < 0) r -= static_cast<U64>(a);
    return static_cast<S64>(r);
}

S32 low24(S32 a) { return static_cast<S32>(static_cast<U32>(a) << 8) >> 8; }
U32 distance(S32 a, S32 b) {
    return a < b ? static_cast<U32>(b) - static_cast<U32>(a) : static_cast<U32>(a) - static_cast<U32>(b);
}
U32 distance(U32 a, U32 b) { return a < b ? b - a : a - b; }
U32 magnitude(S32 a) { return a < 0 ? 0u - static_cast<U32>(a) : static_cast<U32>(a); }
U64 magnitude(S64 a) { return a < 0 ? U64{0} - static_cast<U64>(a) : static_cast<U64>(a); }

U32 upper_word(F64 a) { return static_cast<U32>(std::bit_cast<U64>(a) >> 32); }
// rcp.approx.ftz.f64: of the upper words alone.
F64 rcp_upper(F64 a) {
    const U64 bits = std::bit_cast<U64>(a) & 0xffffffff00000000u, exponent = 0x7ff0000000000000u, sign = U64{1} << 63;
    const F64 r = 1.0 / std::bit_cast<F64>((bits & exponent) ? bits : bits & sign);
    if (std::isnan(r)) return std::bit_cast<F64>(U64{0x7fffffff00000000u});
    const U64 cut = std::bit_cast<U64>(r) & 0xffffffff00000000u;
    return std::bit_cast<F64>((cut & exponent) ? cut : cut & sign);
}

void add_views(std::vector<Row>& rows) {
    TILESCOPE_FUNCTION(float_as_int, (F32 a)->S32, std::bit_cast<S32>(a));
    TILESCOPE_FUNCTION(float_as_uint, (F32 a)->U32, std::bit_cast<U32>(a));
    TILESCOPE_FUNCTION(int_as_float, (S32 a)->F32, std::bit_cast<F32>(a));
    TILESCOPE_FUNCTION(uint_as_float, (U32 a)->F32, std::bit_cast<F32>(a));
    TILESCOPE_FUNCTION(double_as_longlong, (F64 a)->S64, std::bit_cast<S64>(a));
    TILESCOPE_FUNCTION(longlong_as_double, (S64 a)->F64, std::bit_cast<F64>(a));
    TILESCOPE_FUNCTION(double2hiint, (F64 a)->S32, static_cast<S32>(upper_word(a)));
    TILESCOPE_FUNCTION(double2loint, (F64 a)->S32, static_cast<S32>(std::bit_cast<U64>(a)));
    TILESCOPE_FUNCTION(hiloint2double, (U32 a, U32 b)->F64, std::bit_cast<F64>(static_cast<U64>(a) << 32 | b));
    TILESCOPE_FUNCTION(rcp64h, (F64 a)->F64, rcp_upper(a));
}

}  // namespace

void add_integer(std::vector<Row>& rows) {
    const std::size_t first = rows.size();
    add_views(rows);
    TILESCOPE_FUNCTION(abs, (S32 a)->S32, static_cast<S32>(magnitude(a)));
    TILESCOPE_FUNCTION(llabs, (S64 a)->S64, static_cast<S64>(magnitude(a)));
    TILESCOPE_FUNCTION(min, (S32 a, S32 b)->S32, a < b ? a : b);
    TILESCOPE_FUNCTION(max, (S32 a, S32 b)->S32, a > b ? a : b);
    TILESCOPE_FUNCTION(umin, (U32 a, U32 b)->U32, a < b ? a : b);
    TILESCOPE_FUNCTION(umax, (U32 a, U32 b)->U32, a > b ? a : b);
    TILESCOPE_FUNCTION(llmin, (S64 a, S64 b)->S64, a < b ? a : b);
    TILESCOPE_FUNCTION(llmax, (S64 a, S64 b)->S64, a > b ? a : b);
    TILESCOPE_FUNCTION(ullmin, (U64 a, U64 b)->U64, a < b ? a : b);
    TILESCOPE_FUNCTION(ullmax, (U64 a, U64 b)->U64, a > b ? a : b);
    TILESCOPE_FUNCTION(mulhi, (S32 a, S32 b)->S32, static_cast<S32>((static_cast<S64>(a) * b) >> 32));
    TILESCOPE_FUNCTION(umulhi, (U32 a, U32 b)->U32, static_cast<U32>((static_cast<U64>(a) * b) >> 32));
    TILESCOPE_FUNCTION(mul64hi, (S64 a, S64 b)->S64, upper_product(a, b));
    TILESCOPE_FUNCTION(umul64hi, (U64 a, U64 b)->U64, upper_product(a, b));
    TILESCOPE_FUNCTION(mul24, (S32 a, S32 b)->S32, static_cast<S32>(static_cast<S64>(low24(a)) * low24(b)));
    TILESCOPE_FUNCTION(umul24, (U32 a, U32 b)->U32, (a & 0xffffffu) * (b & 0xffffffu));
    TILESCOPE_FUNCTION(sad, (S32 a, S32 b, U32 c)->U32, distance(a, b) + c);
    TILESCOPE_FUNCTION(usad, (U32 a, U32 b, U32 c)->U32, distance(a, b) + c);
    TILESCOPE_FUNCTION(hadd, (S32 a, S32 b)->S32, static_cast<S32>((static_cast<S64>(a) + b) >> 1));
    TILESCOPE_FUNCTION(rhadd, (S32 a, S32 b)->S32, static_cast<S32>((static_cast<S64>(a) + b + 1) >> 1));
    TILESCOPE_FUNCTION(uhadd, (U32 a, U32 b)->U32, static_cast<U32>((static_cast<U64>(a) + b) >> 1));
    TILESCOPE_FUNCTION(urhadd, (U32 a, U32 b)->U32, static_cast<U32>((static_cast<U64>(a) + b + 1) >> 1));
    TILESCOPE_FUNCTION(clz, (U32 a)->S32, std::countl_zero(a));
    TILESCOPE_FUNCTION(clzll, (U64 a)->S32, std::countl_zero(a));
    TILESCOPE_FUNCTION(popc, (U32 a)->S32, std::popcount(a));
    TILESCOPE_FUNCTION(popcll, (U64 a)->S32, std::popcount(a));
    TILESCOPE_FUNCTION(ffs, (U32 a)->S32, a ? std::countr_zero(a) + 1 : 0);
    TILESCOPE_FUNCTION(ffsll, (U64 a)->S32, a ? std::countr_zero(a) + 1 : 0);
    TILESCOPE_FUNCTION(brev, (U32 a)->U32, reversed(a));
    TILESCOPE_FUNCTION(brevll, (U64 a)->U64, reversed(a));
    TILESCOPE_FUNCTION(byte_perm, (U32 a, U32 b, U32 c)->U32, byte_perm(a, b, c));
    for (std::size_t i = first; i < rows.size(); ++i) rows[i].kind = Class::kInteger;
}

}  // namespace tilescope::isa::device
