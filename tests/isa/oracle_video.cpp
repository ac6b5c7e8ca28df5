// Video instructions, element by element: what PTX says, but where an H200's results are others (ptxas 13.0 makes
// ordinary instructions of them; bench/hardware/video.cu has every form's digest).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/isa/row_harness.h"

namespace tilescope::isa::test {
namespace {

using Number = std::int64_t;

Number power(unsigned exponent) { return Number{1} << exponent; }

// Bits from a place on, as a number of that many bits.
Number element(std::uint64_t from, unsigned at, unsigned bits, bool with_sign) {
    Number number = 0;
    for (unsigned n = 0; n < bits; ++n)
        if (bit(from, at + n)) number += with_sign && n + 1 == bits ? -power(n) : power(n);
    return number;
}
Number part_of(const Scalar& scalar, bool with_sign) {
    const Selector& selector = scalar.selector;
    return element(scalar.lo, selector.count == 0 ? 0 : selector.at[0] * selector.bits, selector.bits, with_sign);
}

// In the order of a form's types: the result's, a's, b's. A comparison names none for its result.
struct Signs {
    bool result = false, a = false, b = false;

    explicit Signs(const Form& form) {
        const bool compares = form.type_count() == 2;
        a = is_signed(form.type(compares ? 0 : 1));
        b = is_signed(form.type(compares ? 1 : 2));
        result = is_signed(form.type(0));
    }
};

bool holds(const Form& form, Number a, Number b) {
    if (form.has("eq")) return a == b;
    if (form.has("ne")) return a != b;
    if (form.has("lt")) return a < b;
    if (form.has("le")) return a <= b;
    return form.has("gt") ? a > b : a >= b;
}

using Operation = Number (*)(const Form& form, Number a, Number b);
Number add(const Form&, Number a, Number b) { return a + b; }
Number subtract(const Form&, Number a, Number b) { return a - b; }
Number distance(const Form&, Number a, Number b) { return std::abs(a - b); }
Number lesser(const Form&, Number a, Number b) { return std::min(a, b); }
Number greater(const Form&, Number a, Number b) { return std::max(a, b); }
Number compare(const Form& form, Number a, Number b) { return holds(form, a, b) ? 1 : 0; }
Number mean(const Form&, Number a, Number b) {  // rounded, halves away from zero
    const Number sum = a + b, half = sum / 2;
    return sum % 2 == 0 ? half : sum > 0 ? half + 1 : half - 1;
}
Number shift_count(const Form& form, Number b) { return form.has("wrap") ? b % 32 : std::min<Number>(b, 32); }
// The low 64 bits.
Number shift_left(const Form& form, Number a, Number b) {
    for (Number n = shift_count(form, b); n > 0; --n) a = static_cast<Number>(static_cast<std::uint64_t>(a) * 2);
    return a;
}
Number shift_right(const Form& form, Number a, Number b) {
    for (Number n = shift_count(form, b); n > 0; --n) a = a >= 0 ? a / 2 : (a - 1) / 2;
    return a;
}

// What ptxas makes of an operation beyond a word.
enum class Kind { kInWords, kWide, kLeft, kRight };

Number limited(Number x, bool with_sign, const Selector& place, Kind kind) {
    if (place.count != 0 && kind != Kind::kLeft && kind != Kind::kRight) {  // PTX: the least for negative ones
        const Number most = power(place.bits - (with_sign ? 1 : 0)) - 1;
        return x < 0 || x > most ? most : x;
    }
    if (kind == Kind::kLeft) x = element(static_cast<std::uint64_t>(x), 0, 34, true);
    if (with_sign) return std::clamp(x, -power(31), power(31) - 1);
    if (x < 0) return 0;
    return kind == Kind::kLeft ? std::min(x, power(32) - 1) : x;  // PTX: always so
}

void on_parts(const Form& form, Thread& t, Operation operation, Kind kind) {
    const Signs sign(form);
    const Selector& place = t.operands[0][0].selector;
    Number x = operation(form, part_of(t.operands[1][0], sign.a), part_of(t.operands[2][0], sign.b));
    if (form.has("sat")) x = limited(x, sign.result, place, kind);
    const auto low = static_cast<std::uint32_t>(x);
    if (place.count != 0) {
        const unsigned at = place.at[0] * place.bits;
        std::uint64_t word = t.u(3);
        for (unsigned n = 0; n < place.bits; ++n) {
            // PTX: the result's low bits for the upper half, too.
            const bool set = bit(low, place.bits == 16 && at == 16 ? 16 + n : n);
            word = (word & ~(std::uint64_t{1} << (at + n))) | std::uint64_t{set} << (at + n);
        }
        return t.set(0, word);
    }
    if (form.has("add")) return t.set(0, low + t.u(3));
    const bool least = form.has("min"), most = form.has("max");
    if (!least && !most) return t.set(0, low);
    if (kind == Kind::kInWords || (form.has("sat") && kind != Kind::kWide)) x = element(low, 0, 32, true);
    const Number c = element(t.u(3), 0, 32, sign.result);
    const bool less = sign.result ? x < c : static_cast<std::uint64_t>(x) < static_cast<std::uint64_t>(c);
    t.set(0, less == least ? low : t.u(3));
}
template <Operation kOperation, Kind kKind>
void one(const Form& form, Thread& t) {
    on_parts(form, t, kOperation, kKind);
}

void multiply_add(const Form& form, Thread& t) {
    const Signs sign(form);
    const auto word = [](Number x) { return element(static_cast<std::uint64_t>(x), 0, 32, true); };
    // PTX: numbers without a sign are not words with one.
    const Number a = word(part_of(t.operands[1][0], sign.a)), b = word(part_of(t.operands[2][0], sign.b));
    const Number c = word(static_cast<Number>(t.u(3)));
    const bool minus = t.operands[1][0].minus != t.operands[2][0].minus, minus_c = t.operands[3][0].minus;
    const bool with_sign = sign.a || sign.b || minus || minus_c;
    Number sum = a * b * (minus ? -1 : 1) + c * (minus_c ? -1 : 1) + (form.has("po") ? 1 : 0);
    const unsigned shift = form.has("shr7") ? 7 : form.has("shr15") ? 15 : 0;
    if (shift != 0) sum = element(static_cast<std::uint64_t>(sum), shift, 64 - shift, with_sign);
    if (form.has("sat"))
        sum = with_sign ? std::clamp(sum, -power(31), power(31) - 1) : std::clamp(sum, Number{0}, power(32) - 1);
    t.set(0, static_cast<std::uint64_t>(sum));
}

void on_elements(const Form& form, Thread& t, Operation operation, unsigned bits) {
    const Signs sign(form);
    const Selector &to = t.operands[0][0].selector, &first = t.operands[1][0].selector,
                   &second = t.operands[2][0].selector;
    const std::uint64_t both = t.u(1) | t.u(2) << 32;
    std::uint64_t word = t.u(3);
    const unsigned count = 32 / bits;
    for (unsigned n = 0; n < count; ++n) {
        if (to.count != 0 && std::find(to.at.begin(), to.at.begin() + to.count, n) == to.at.begin() + to.count)
            continue;
        const unsigned a = first.count != 0 ? first.at[n] : n, b = second.count != 0 ? second.at[n] : count + n;
        Number x = operation(form, element(both, a * bits, bits, sign.a), element(both, b * bits, bits, sign.b));
        if (form.has("add")) {
            word += static_cast<std::uint64_t>(x);
            continue;
        }
        if (form.has("sat"))
            x = sign.result ? std::clamp(x, -power(bits - 1), power(bits - 1) - 1)
                            : std::clamp(x, Number{0}, power(bits) - 1);
        const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
        word = (word & ~(mask << n * bits)) | (static_cast<std::uint64_t>(x) & mask) << n * bits;
    }
    t.set(0, word & 0xffffffffu);
}
template <Operation kOperation, unsigned kBits>
void several(const Form& form, Thread& t) {
    on_elements(form, t, kOperation, kBits);
}

constexpr Oracle kOracles[] = {
    {"vadd", &one<add, Kind::kInWords>},
    {"vsub", &one<subtract, Kind::kInWords>},
    {"vabsdiff", &one<distance, Kind::kWide>},
    {"vmin", &one<lesser, Kind::kWide>},
    {"vmax", &one<greater, Kind::kWide>},
    {"vset", &one<compare, Kind::kWide>},
    {"vshl", &one<shift_left, Kind::kLeft>},
    {"vshr", &one<shift_right, Kind::kRight>},
    {"vmad", &multiply_add},
};
constexpr Oracle kPackedOracles[] = {
    {"vadd2", &several<add, 16>},          {"vadd4", &several<add, 8>},          {"vsub2", &several<subtract, 16>},
    {"vsub4", &several<subtract, 8>},      {"vavrg2", &several<mean, 16>},       {"vavrg4", &several<mean, 8>},
    {"vabsdiff2", &several<distance, 16>}, {"vabsdiff4", &several<distance, 8>}, {"vmin2", &several<lesser, 16>},
    {"vmin4", &several<lesser, 8>},        {"vmax2", &several<greater, 16>},     {"vmax4", &several<greater, 8>},
    {"vset2", &several<compare, 16>},      {"vset4", &several<compare, 8>},
};

TEST(VideoRows, AgreeWithTheSpecification) {
    expect_family_agrees("video", kOracles, {.spellings = 2000, .rounds = 24, .seed = 51});
}
TEST(VideoRows, OfSeveralElementsAgreeWithTheSpecification) {
    expect_family_agrees("video_packed", kPackedOracles, {.spellings = 2000, .rounds = 24, .seed = 52});
}

}  // namespace
}  // namespace tilescope::isa::test
