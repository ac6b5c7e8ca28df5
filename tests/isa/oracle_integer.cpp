// The integer families, written from the PTX specification in exact arithmetic: every value is a 128-bit integer, and
// results are cut to the destination's width.
#include <gtest/gtest.h>

#include "tests/isa/row_harness.h"

namespace tilescope::isa::test {
namespace {

__extension__ typedef __int128 Integer;

// An operand as the mathematical value that its type gives it.
Integer value(const Form& form, const Thread& t, std::size_t i) {
    return is_signed(form.type()) ? Integer{t.s(i)} : Integer{t.u(i)};
}

void put(Thread& t, Integer result) { t.set(0, static_cast<std::uint64_t>(result)); }

Integer clamp32(Integer x) {
    if (x > 2147483647) return 2147483647;
    return x < -Integer{2147483648} ? -Integer{2147483648} : x;
}

// One 16-bit half of a packed operand.
Integer half(const Form& form, std::uint64_t bits, unsigned which) {
    const auto part = static_cast<std::uint16_t>(bits >> 16 * which);
    return form.type() == Type::kS16x2 ? Integer{static_cast<std::int16_t>(part)} : Integer{part};
}
template <class Operation>
void each_half(const Form& form, Thread& t, Operation operation) {
    std::uint64_t result = 0;
    for (unsigned n = 0; n < 2; ++n)
        result |= (static_cast<std::uint64_t>(operation(half(form, t.u(1), n), half(form, t.u(2), n))) & 0xffff)
                  << 16 * n;
    t.set(0, result);
}
bool packed(const Form& form) { return form.type() == Type::kU16x2 || form.type() == Type::kS16x2; }

void sum_with_carry(const Form& form, Thread& t, Integer left, Integer right, bool takes, bool gives) {
    const Integer sum = left + right + (takes && t.carry ? 1 : 0);
    put(t, sum);
    if (gives) t.carry = (sum >> width(form) & 1) != 0;
}

void add(const Form& form, Thread& t) {
    if (form.has("cc")) return sum_with_carry(form, t, t.u(1), t.u(2), false, true);
    if (packed(form)) return each_half(form, t, [](Integer a, Integer b) { return a + b; });
    const Integer sum = value(form, t, 1) + value(form, t, 2);
    put(t, form.has("sat") ? clamp32(sum) : sum);
}
void addc(const Form& form, Thread& t) { sum_with_carry(form, t, t.u(1), t.u(2), true, form.has("cc")); }

// The flag of a difference is set when nothing is borrowed, as on an H200; PTX shows it to subc only.
void sub(const Form& form, Thread& t) {
    const Integer difference = value(form, t, 1) - value(form, t, 2);
    put(t, form.has("sat") ? clamp32(difference) : difference);
    if (form.has("cc")) t.carry = t.u(1) >= t.u(2);
}
void subc(const Form& form, Thread& t) {
    const Integer difference = Integer{t.u(1)} - Integer{t.u(2)} - (t.carry ? 0 : 1);
    put(t, difference);
    if (form.has("cc")) t.carry = difference >= 0;
}

// The chosen half of the product of operands 1 and 2, as a bit pattern (lo) or signed number (hi).
Integer product_half(const Form& form, const Thread& t) {
    const bool is_64 = width(form) == 64;
    if (!form.has("hi")) return Integer{t.u(1) * t.u(2)};
    if (!is_64) return (value(form, t, 1) * value(form, t, 2)) >> width(form);
    __extension__ typedef unsigned __int128 Natural;
    if (is_signed(form.type())) return (value(form, t, 1) * value(form, t, 2)) >> 64;
    return static_cast<Integer>((Natural{t.u(1)} * t.u(2)) >> 64);
}
void mul(const Form& form, Thread& t) {
    if (form.has("wide")) return put(t, value(form, t, 1) * value(form, t, 2));
    put(t, product_half(form, t));
}
void mad(const Form& form, Thread& t) {
    if (form.has("wide")) return put(t, value(form, t, 1) * value(form, t, 2) + value(form, t, 3));
    const Integer product = product_half(form, t);
    if (form.has("sat")) return put(t, clamp32(product + value(form, t, 3)));
    if (!form.has("cc")) return put(t, product + value(form, t, 3));
    const auto mask = static_cast<std::uint64_t>(width(form) == 64 ? ~std::uint64_t{0} : 0xffffffffu);
    sum_with_carry(form, t, Integer{static_cast<std::uint64_t>(product) & mask}, t.u(3), false, true);
}
void madc(const Form& form, Thread& t) {
    const auto mask = static_cast<std::uint64_t>(width(form) == 64 ? ~std::uint64_t{0} : 0xffffffffu);
    const Integer product{static_cast<std::uint64_t>(product_half(form, t)) & mask};
    sum_with_carry(form, t, product, t.u(3), true, form.has("cc"));
}

Integer low24(const Form& form, std::uint64_t bits) {
    const auto low = static_cast<std::int64_t>(bits & 0xffffff);
    return form.type() == Type::kS32 && low >= 0x800000 ? low - 0x1000000 : low;
}
Integer product24(const Form& form, const Thread& t) {
    const Integer product = low24(form, t.u(1)) * low24(form, t.u(2));
    // lo: the product's bits 31..0; hi: its bits 47..16.
    const auto bits = static_cast<std::uint32_t>(form.has("lo") ? product : product >> 16);
    return form.type() == Type::kS32 ? Integer{static_cast<std::int32_t>(bits)} : Integer{bits};
}
void mul24(const Form& form, Thread& t) { put(t, product24(form, t)); }
void mad24(const Form& form, Thread& t) {
    const Integer sum = product24(form, t) + value(form, t, 3);
    put(t, form.has("sat") ? clamp32(sum) : sum);
}

void sad(const Form& form, Thread& t) {
    const Integer a = value(form, t, 1), b = value(form, t, 2);
    put(t, value(form, t, 3) + (a < b ? b - a : a - b));
}
void abs_value(const Form& form, Thread& t) {
    const Integer a = value(form, t, 1);
    put(t, a < 0 ? -a : a);
}
void neg(const Form& form, Thread& t) { put(t, -value(form, t, 1)); }

template <bool kMax>
void extreme(const Form& form, Thread& t) {
    const bool relu = form.has("relu");
    auto pick = [relu](Integer a, Integer b) {
        const Integer chosen = (kMax ? a > b : a < b) ? a : b;
        return relu && chosen < 0 ? Integer{0} : chosen;
    };
    if (packed(form)) return each_half(form, t, pick);
    put(t, pick(value(form, t, 1), value(form, t, 2)));
}

// PTX leaves division by zero open; these are the results of an H200.
void div(const Form& form, Thread& t) {
    const Integer b = value(form, t, 2);
    put(t, b == 0 ? Integer{-1} : value(form, t, 1) / b);
}
void rem(const Form& form, Thread& t) {
    const Integer b = value(form, t, 2);
    put(t, b == 0 ? Integer{-1} : value(form, t, 1) % b);
}

constexpr Oracle kIntegerOracles[] = {
    {"add", &add},
    {"addc", &addc},
    {"sub", &sub},
    {"subc", &subc},
    {"mul", &mul},
    {"mad", &mad},
    {"madc", &madc},
    {"mul24", &mul24},
    {"mad24", &mad24},
    {"sad", &sad},
    {"abs", &abs_value},
    {"neg", &neg},
    {"min", &extreme<false>},
    {"max", &extreme<true>},
    {"div", &div},
    {"rem", &rem},
};

constexpr HarnessOptions kMany{.spellings = 2000, .rounds = 60, .seed = 1};

TEST(IntegerRows, AgreeWithTheSpecification) { expect_family_agrees("integer", kIntegerOracles, kMany); }
TEST(IntegerRows, DivisionAgreesWithTheSpecification) {
    expect_family_agrees("integer_division", kIntegerOracles, kMany);
}
TEST(IntegerRows, CarriesAgreeWithTheSpecification) { expect_family_agrees("integer_carry", kIntegerOracles, kMany); }

}  // namespace
}  // namespace tilescope::isa::test
