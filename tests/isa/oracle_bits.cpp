// Bit counting and bit fields, bit by bit as the PTX specification's semantics sections say.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/isa/row_harness.h"

namespace tilescope::isa::test {
namespace {

void popc(const Form& form, Thread& t) {
    unsigned count = 0;
    for (unsigned n = 0; n < width(form); ++n) count += bit(t.u(1), n);
    t.set(0, count);
}
void clz(const Form& form, Thread& t) {
    unsigned count = 0;
    while (count < width(form) && !bit(t.u(1), width(form) - 1 - count)) ++count;
    t.set(0, count);
}
void bfind(const Form& form, Thread& t) {
    const int top = static_cast<int>(width(form)) - 1;
    const bool sought = !(is_signed(form.type()) && bit(t.u(1), static_cast<unsigned>(top)));
    int found = -1;
    for (int n = top; n >= 0 && found < 0; --n)
        if (bit(t.u(1), static_cast<unsigned>(n)) == sought) found = n;
    if (form.has("shiftamt") && found >= 0) found = top - found;
    t.set(0, static_cast<std::uint64_t>(static_cast<std::int64_t>(found)));
}
void fns(const Form&, Thread& t) {
    const std::uint64_t mask = t.u(1);
    const std::int64_t offset = t.s(3);
    std::uint64_t result = 0xffffffff;
    // PTX gives no meaning to a base above 31; nothing is found there.
    if (t.u(2) <= 31) {
        const auto base = static_cast<std::int64_t>(t.u(2));
        if (offset == 0) {
            if (bit(mask, static_cast<unsigned>(base))) result = t.u(2);
        } else {
            std::int64_t count = (offset < 0 ? -offset : offset) - 1;
            for (std::int64_t at = base; at >= 0 && at<32; at += offset> 0 ? 1 : -1) {
                if (!bit(mask, static_cast<unsigned>(at))) continue;
                if (count-- == 0) {
                    result = static_cast<std::uint64_t>(at);
                    break;
                }
            }
        }
    }
    t.set(0, result);
}
void brev(const Form& form, Thread& t) {
    std::uint64_t result = 0;
    for (unsigned n = 0; n < width(form); ++n)
        if (bit(t.u(1), n)) result |= std::uint64_t{1} << (width(form) - 1 - n);
    t.set(0, result);
}
// PTX restricts positions and lengths to 0..255. Larger ones as on an H200: their low byte in 32-bit forms, clamped in
// 64-bit ones.
unsigned field(const Form& form, std::uint64_t value) {
    return static_cast<unsigned>(width(form) == 32 ? value % 256 : std::min<std::uint64_t>(value, 255));
}
void bfe(const Form& form, Thread& t) {
    const unsigned top = width(form) - 1;
    const unsigned position = field(form, t.u(2)), length = field(form, t.u(3));
    bool sign = false;
    if (is_signed(form.type()) && length != 0) {
        const unsigned last = position + length - 1;
        sign = bit(t.u(1), last < top ? last : top);
    }
    std::uint64_t result = 0;
    for (unsigned n = 0; n <= top; ++n) {
        const bool inside = n < length && position + n <= top;
        if (inside ? bit(t.u(1), position + n) : sign) result |= std::uint64_t{1} << n;
    }
    t.set(0, result);
}
void bfi(const Form& form, Thread& t) {
    const unsigned top = width(form) - 1;
    const unsigned position = field(form, t.u(3)), length = field(form, t.u(4));
    std::uint64_t result = t.u(2);
    for (unsigned n = 0; n < length && position + n <= top; ++n) {
        result &= ~(std::uint64_t{1} << (position + n));
        if (bit(t.u(1), n)) result |= std::uint64_t{1} << (position + n);
    }
    t.set(0, result);
}
void bmsk(const Form& form, Thread& t) {
    const std::uint64_t from = t.u(1) & 31, count = t.u(2) & 31;
    const bool clamp = form.has("clamp");
    std::uint32_t result = 0;
    for (unsigned n = 0; n < 32; ++n) {
        const bool below_end = (clamp && t.u(2) >= 32) || n < from + count;
        if (n >= from && below_end) result |= 1u << n;
    }
    t.set(0, clamp && t.u(1) >= 32 ? 0u : result);
}
void szext(const Form& form, Thread& t) {
    if (form.has("clamp") && t.u(2) >= 32) return t.set(0, t.u(1));
    const auto count = static_cast<unsigned>(t.u(2) & 31);
    std::uint64_t result = 0;
    const bool sign = form.type() == Type::kS32 && count > 0 && bit(t.u(1), count - 1);
    for (unsigned n = 0; n < 32; ++n)
        if (n < count ? bit(t.u(1), n) : sign) result |= std::uint64_t{1} << n;
    t.set(0, result);
}

// The n-th piece of `bits` bits, as a number of the given type's signedness.
std::int64_t piece(std::uint64_t value, unsigned n, unsigned bits, Type type) {
    auto raw = static_cast<std::int64_t>(value >> n * bits & ((1u << bits) - 1));
    if (type == Type::kS32 && raw >= std::int64_t{1} << (bits - 1)) raw -= std::int64_t{1} << bits;
    return raw;
}
void dp4a(const Form& form, Thread& t) {
    std::int64_t sum = static_cast<std::int64_t>(t.u(3));
    for (unsigned n = 0; n < 4; ++n) sum += piece(t.u(1), n, 8, form.type(0)) * piece(t.u(2), n, 8, form.type(1));
    t.set(0, static_cast<std::uint64_t>(sum));
}
void dp2a(const Form& form, Thread& t) {
    std::int64_t sum = static_cast<std::int64_t>(t.u(3));
    const unsigned first = form.has("hi") ? 2 : 0;
    for (unsigned n = 0; n < 2; ++n)
        sum += piece(t.u(1), n, 16, form.type(0)) * piece(t.u(2), first + n, 8, form.type(1));
    t.set(0, static_cast<std::uint64_t>(sum));
}

constexpr Oracle kBitOracles[] = {
    {"popc", &popc}, {"clz", &clz},   {"bfind", &bfind}, {"fns", &fns},   {"brev", &brev}, {"bfe", &bfe},
    {"bfi", &bfi},   {"bmsk", &bmsk}, {"szext", &szext}, {"dp4a", &dp4a}, {"dp2a", &dp2a},
};

TEST(BitRows, AgreeWithTheSpecification) {
    expect_family_agrees("bits", kBitOracles, {.spellings = 2000, .rounds = 200, .seed = 2});
}

}  // namespace
}  // namespace tilescope::isa::test
