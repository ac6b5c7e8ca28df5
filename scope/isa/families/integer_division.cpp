// div and rem.
//
// PTX leaves division by zero open. An H200 yields all ones for the quotient and for the remainder, signed or not, at
// every width; so do these. The most negative number by -1 wraps to itself, remainder 0.
#include <type_traits>

#include "scope/isa/families/choose.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

// Through floating point, which has vector division: the rounded quotient of two 32-bit integers in double (or 16-bit
// ones in float) is never rounded up to an integer, as the gap below one is wider than the rounding.
inline std::uint16_t quotient(std::uint16_t a, std::uint16_t b) {
    return static_cast<std::uint16_t>(static_cast<std::int32_t>(static_cast<float>(a) / static_cast<float>(b)));
}
inline std::uint32_t quotient(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::uint32_t>(static_cast<double>(a) / static_cast<double>(b));
}
inline std::uint64_t quotient(std::uint64_t a, std::uint64_t b) { return a / b; }

// Quotients and remainders of magnitudes; a divisor of zero stands for one here.
template <class T>
struct Magnitudes {
    using U = std::make_unsigned_t<T>;
    U a, b, q;
    bool negative_a, negative_q;

    Magnitudes(T x, T y) {
        negative_a = x < 0;
        negative_q = (x < 0) != (y < 0);
        a = static_cast<U>(x < 0 ? U{0} - static_cast<U>(x) : static_cast<U>(x));
        b = static_cast<U>(y < 0 ? U{0} - static_cast<U>(y) : static_cast<U>(y));
        b = b == 0 ? U{1} : b;
        q = quotient(a, b);
    }
};

template <class T>
struct Div {
    static T apply(T a, T b) {
        const Magnitudes<T> m(a, b);
        using U = std::make_unsigned_t<T>;
        const U q = static_cast<U>(m.negative_q ? U{0} - m.q : m.q);
        return static_cast<T>(b == 0 ? static_cast<U>(~U{0}) : q);
    }
};
template <class T>
struct Rem {
    static T apply(T a, T b) {
        const Magnitudes<T> m(a, b);
        using U = std::make_unsigned_t<T>;
        const U r = static_cast<U>(m.a - static_cast<std::uint64_t>(m.q) * m.b);
        const U with_sign = static_cast<U>(m.negative_a ? U{0} - r : r);  // the sign of the dividend
        return static_cast<T>(b == 0 ? static_cast<U>(~U{0}) : with_sign);
    }
};

OpFn bind_div(Binding& b) { return binary_integer<Div>(b.type()); }
OpFn bind_rem(Binding& b) { return binary_integer<Rem>(b.type()); }

constexpr Row kIntegerDivisionRows[] = {
    {.syntax = "div.[u16 u32 u64 s16 s32 s64]", .operands = "=T0 T0 T0", .effect = effect::kDivide, .bind = &bind_div},
    {.syntax = "rem.[u16 u32 u64 s16 s32 s64]",
     .operands = "=T0 T0 T0",
     .effect = effect::kRemainder,
     .bind = &bind_rem},
};

}  // namespace

const Family& integer_division_family() {
    static constexpr Family kFamily{"integer_division", "integer division", kIntegerDivisionRows,
                                    std::size(kIntegerDivisionRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
