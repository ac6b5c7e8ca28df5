// Bitwise logic, shifts and byte permutation, bit by bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/isa/row_harness.h"

namespace tilescope::isa::test {
namespace {

void and_bits(const Form&, Thread& t) { t.set(0, t.u(1) & t.u(2)); }
void or_bits(const Form&, Thread& t) { t.set(0, t.u(1) | t.u(2)); }
void xor_bits(const Form&, Thread& t) { t.set(0, t.u(1) ^ t.u(2)); }
void not_bits(const Form&, Thread& t) { t.set(0, ~t.u(1)); }
void cnot(const Form&, Thread& t) { t.set(0, t.u(1) == 0 ? 1 : 0); }

void lop3(const Form& form, Thread& t) {
    // The table is what the function makes of 0xF0, 0xCC and 0xAA: entry a << 2 | b << 1 | c.
    std::uint64_t result = 0;
    for (unsigned n = 0; n < 32; ++n) {
        const unsigned entry = (bit(t.u(1), n) ? 4u : 0u) + (bit(t.u(2), n) ? 2u : 0u) + (bit(t.u(3), n) ? 1u : 0u);
        if (bit(t.u(4) & 0xff, entry)) result |= std::uint64_t{1} << n;
    }
    t.set(0, result);
    if (!form.has("or") && !form.has("and")) return;
    const bool nonzero = result != 0, with = t.u(5) != 0;
    t.set(0, form.has("and") ? nonzero && with : nonzero || with, 1);
}

void shl(const Form& form, Thread& t) {
    std::uint64_t result = 0;
    for (std::uint64_t n = 0; n < width(form); ++n)
        if (n >= t.u(2) && bit(t.u(1), n - t.u(2))) result |= std::uint64_t{1} << n;
    t.set(0, result);
}
void shr(const Form& form, Thread& t) {
    const std::uint64_t top = width(form) - 1;
    const bool fill = is_signed(form.type()) && bit(t.u(1), top);
    std::uint64_t result = 0;
    for (std::uint64_t n = 0; n <= top; ++n) {
        const std::uint64_t from = n + t.u(2);
        if (from <= top ? bit(t.u(1), from) : fill) result |= std::uint64_t{1} << n;
    }
    t.set(0, result);
}
void shf(const Form& form, Thread& t) {
    const std::uint64_t n = form.has("clamp") ? std::min<std::uint64_t>(t.u(3), 32) : t.u(3) & 31;
    // Shifted by 0 or 32 a 32-bit C++ value is its own case.
    const std::uint64_t a = t.u(1), b = t.u(2);
    const std::uint64_t left = n == 0 ? b : n == 32 ? a : (b << n & 0xffffffff) | a >> (32 - n);
    const std::uint64_t right = n == 0 ? a : n == 32 ? b : (b << (32 - n) & 0xffffffff) | a >> n;
    t.set(0, form.has("l") ? left : right);
}

using Selection = std::array<unsigned, 4>;  // source byte of result bytes 3, 2, 1, 0
struct Mode {
    std::string_view name;
    Selection choices[4];  // for the low two bits of c
};
constexpr Mode kModes[] = {
    {"f4e", {{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}}},
    {"b4e", {{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}}},
    {"rc8", {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}},
    {"ecl", {{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}}},
    {"ecr", {{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}}},
    {"rc16", {{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}},
};
void prmt(const Form& form, Thread& t) {
    unsigned char bytes[8];
    for (unsigned n = 0; n < 4; ++n) {
        bytes[n] = static_cast<unsigned char>(t.u(1) >> 8 * n);
        bytes[4 + n] = static_cast<unsigned char>(t.u(2) >> 8 * n);
    }
    std::uint64_t result = 0;
    const Mode* mode = nullptr;
    for (const Mode& candidate : kModes)
        if (form.has(candidate.name)) mode = &candidate;
    for (unsigned n = 0; n < 4; ++n) {
        std::uint64_t byte;
        if (mode) {
            byte = bytes[mode->choices[t.u(3) & 3][3 - n]];
        } else {
            const auto selector = static_cast<unsigned>(t.u(3) >> 4 * n & 15);
            byte = bytes[selector & 7];
            if (selector & 8) byte = byte & 0x80 ? 0xff : 0;
        }
        result |= byte << 8 * n;
    }
    t.set(0, result);
}

constexpr Oracle kLogicOracles[] = {
    {"and", &and_bits}, {"or", &or_bits}, {"xor", &xor_bits}, {"not", &not_bits}, {"cnot", &cnot},
    {"lop3", &lop3},    {"shl", &shl},    {"shr", &shr},      {"shf", &shf},      {"prmt", &prmt},
};

TEST(LogicRows, AgreeWithTheSpecification) {
    expect_family_agrees("logic", kLogicOracles, {.spellings = 2000, .rounds = 200, .seed = 3});
}

}  // namespace
}  // namespace tilescope::isa::test
