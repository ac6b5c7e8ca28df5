// Comparison and selection. Numbers of every type are compared as long doubles or 128-bit integers, which hold them
// all.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/isa/row_harness.h"

namespace tilescope::isa::test {
namespace {

// A floating-point number from its fields.
double number(std::uint64_t bits, unsigned exponent_bits, unsigned fraction_bits, bool flush) {
    const std::uint64_t fraction = bits & ((std::uint64_t{1} << fraction_bits) - 1);
    const int top = (1 << exponent_bits) - 1, bias = top >> 1;
    const int exponent = static_cast<int>(bits >> fraction_bits) & top;
    const bool negative = bits >> (exponent_bits + fraction_bits) & 1;
    double magnitude;
    if (exponent == top)
        magnitude = fraction ? std::nan("") : HUGE_VAL;
    else if (exponent == 0)
        magnitude = flush ? 0.0 : std::ldexp(static_cast<double>(fraction), 1 - bias - static_cast<int>(fraction_bits));
    else
        magnitude = std::ldexp(static_cast<double>(fraction | std::uint64_t{1} << fraction_bits),
                               exponent - bias - static_cast<int>(fraction_bits));
    return negative ? -magnitude : magnitude;
}
double number(std::uint64_t bits, Type type, bool flush) {
    switch (type) {
        case Type::kF16:
        case Type::kF16x2: return number(bits & 0xffff, 5, 10, flush);
        case Type::kBf16:
        case Type::kBf16x2: return number(bits & 0xffff, 8, 7, flush);
        case Type::kF32: return number(bits, 8, 23, flush);
        default: return number(bits, 11, 52, flush);
    }
}

// -1, 0, 1: how a stands to b; 2: one of them is no number.
constexpr int kUnordered = 2;
int order(const Form& form, const Thread& t, Type type, unsigned half) {
    if (is_float(type)) {
        const double a = number(t.u(1) >> 16 * half, type, form.has("ftz"));
        const double b = number(t.u(2) >> 16 * half, type, form.has("ftz"));
        if (std::isnan(a) || std::isnan(b)) return kUnordered;
        return a < b ? -1 : a > b ? 1 : 0;
    }
    if (is_signed(type)) return t.s(1) < t.s(2) ? -1 : t.s(1) > t.s(2) ? 1 : 0;
    return t.u(1) < t.u(2) ? -1 : t.u(1) > t.u(2) ? 1 : 0;
}

// The relation each operator accepts; "u" at the end of a name accepts the unordered as well.
struct Operator {
    std::string_view name;
    bool less, equal, greater, unordered;
};
constexpr Operator kOperators[] = {
    {"eq", false, true, false, false}, {"ne", true, false, true, false},  {"lt", true, false, false, false},
    {"le", true, true, false, false},  {"gt", false, false, true, false}, {"ge", false, true, true, false},
    {"lo", true, false, false, false}, {"ls", true, true, false, false},  {"hi", false, false, true, false},
    {"hs", false, true, true, false},  {"equ", false, true, false, true}, {"neu", true, false, true, true},
    {"ltu", true, false, false, true}, {"leu", true, true, false, true},  {"gtu", false, false, true, true},
    {"geu", false, true, true, true},  {"num", true, true, true, false},  {"nan", false, false, false, true},
};
bool compares(const Form& form, const Thread& t, Type type, unsigned half = 0) {
    for (const Operator& op : kOperators) {
        if (form.words()[0] != op.name) continue;
        switch (order(form, t, type, half)) {
            case -1: return op.less;
            case 0: return op.equal;
            case 1: return op.greater;
            default: return op.unordered;
        }
    }
    ADD_FAILURE() << "no comparison operator " << form.words()[0];
    return false;
}
bool combine(const Form& form, const Thread& t, bool compared) {
    if (form.has("and")) return compared && t.u(3) != 0;
    if (form.has("or")) return compared || t.u(3) != 0;
    if (form.has("xor")) return compared != (t.u(3) != 0);
    return compared;
}
bool is_packed(Type type) { return type == Type::kF16x2 || type == Type::kBf16x2; }

void setp(const Form& form, Thread& t) {
    const bool low = compares(form, t, form.type());
    const bool other = is_packed(form.type()) ? compares(form, t, form.type(), 1) : !low;
    const bool first = combine(form, t, low), second = combine(form, t, other);
    t.set(0, first);
    if (t.operands[0].size() > 1) t.set(0, second, 1);
}

// The value of "true" in a destination of the given type.
std::uint64_t yes(Type type) {
    switch (type) {
        case Type::kF32: return 0x3f800000;
        case Type::kF16:
        case Type::kF16x2: return 0x3c00;
        case Type::kBf16:
        case Type::kBf16x2: return 0x3f80;
        default: return 0xffffffff;
    }
}
void set(const Form& form, Thread& t) {
    const Type source = form.type(1);
    std::uint64_t result = combine(form, t, compares(form, t, source)) ? yes(form.type()) : 0;
    if (is_packed(source))
        result = (result & 0xffff) | (combine(form, t, compares(form, t, source, 1)) ? yes(form.type()) << 16 : 0);
    t.set(0, result);
}

void selp(const Form&, Thread& t) { t.set(0, t.u(3) != 0 ? t.u(1) : t.u(2)); }
void slct(const Form& form, Thread& t) {
    const bool first = form.type(1) == Type::kS32 ? t.s(3) >= 0 : number(t.u(3), Type::kF32, form.has("ftz")) >= 0;
    t.set(0, first ? t.u(1) : t.u(2));
}

void testp(const Form& form, Thread& t) {
    const double x = number(t.u(1), form.type(), false);
    const double smallest = form.type() == Type::kF32 ? 0x1p-126 : 0x1p-1022;
    const bool subnormal = x != 0 && std::fabs(x) < smallest;
    const std::string_view what = form.words()[0];
    bool result = false;
    if (what == "finite") result = std::isfinite(x);
    if (what == "infinite") result = std::isinf(x);
    if (what == "number") result = !std::isnan(x);
    if (what == "notanumber") result = std::isnan(x);
    if (what == "normal") result = std::isfinite(x) && !subnormal;
    if (what == "subnormal") result = subnormal;
    t.set(0, result);
}
void copysign_bits(const Form& form, Thread& t) {
    const unsigned top = 8 * bytes_of(form.type()) - 1;
    std::uint64_t result = t.u(2);
    result &= ~(std::uint64_t{1} << top);
    result |= t.u(1) >> top << top;
    t.set(0, result);
}

constexpr Oracle kCompare[] = {{"setp", &setp}, {"set", &set}};
constexpr Oracle kSelect[] = {{"selp", &selp}, {"slct", &slct}, {"testp", &testp}, {"copysign", &copysign_bits}};

TEST(CompareRows, AgreeWithTheSpecification) {
    expect_family_agrees("compare", kCompare, {.spellings = 2000, .rounds = 10, .seed = 4});
}
TEST(SelectRows, AgreeWithTheSpecification) {
    expect_family_agrees("select", kSelect, {.spellings = 2000, .rounds = 60, .seed = 5});
}

}  // namespace
}  // namespace tilescope::isa::test
