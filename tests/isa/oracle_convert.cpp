// Oracles of the convert and convert_packed families: numbers taken apart and rounded in integers.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/isa/oracle_float.h"

namespace tilescope::isa::test {
namespace {

std::uint64_t low_bits(unsigned width) { return ~std::uint64_t{0} >> (64 - width); }
unsigned width_of(Type type) { return 8 * bytes_of(type); }

std::uint64_t extended(Type type, std::uint64_t bits) {
    const unsigned width = width_of(type);
    bits &= low_bits(width);
    return is_signed(type) && bits >> (width - 1) ? bits | ~low_bits(width) : bits;
}

// A whole number limited to the type.
std::uint64_t limited_integer(Type type, const Soft& x) {
    const unsigned width = width_of(type);
    const std::uint64_t most = is_signed(type) ? low_bits(width - 1) : low_bits(width);
    const std::uint64_t least = is_signed(type) ? ~low_bits(width - 1) : 0;
    if (x.zero()) return 0;
    if (x.kind == Soft::kInfinite) return x.negative ? least : most;
    Wide size = x.m;
    for (int e = x.e; e > 0 && size >> 64 == 0; --e) size <<= 1;
    if (x.negative)
        return size > Wide{0} - static_cast<Wide>(static_cast<__int128>(static_cast<std::int64_t>(least)))
                   ? least
                   : 0 - static_cast<std::uint64_t>(size);
    return size > most ? most : static_cast<std::uint64_t>(size);
}

std::uint64_t largest_of(SoftFormat format) { return format.width() == 16 && format.digits == 11 ? 0x7bff : 0x7f7f; }

// A NaN's upper bits in another format, made quiet.
std::uint64_t carried_nan(SoftFormat to, SoftFormat from, std::uint64_t bits) {
    const std::uint64_t sign = bits >> (from.width() - 1) & 1;
    std::uint64_t fraction = bits & ((std::uint64_t{1} << (from.digits - 1)) - 1);
    fraction = to.digits > from.digits ? fraction << (to.digits - from.digits) : fraction >> (from.digits - to.digits);
    const std::uint64_t top = static_cast<std::uint64_t>(2 * to.most + 1) << (to.digits - 1);
    return sign << (to.width() - 1) | top | fraction | std::uint64_t{1} << (to.digits - 2);
}

std::uint64_t to_float(const Form& form, Type d, Type a, Soft x, std::uint64_t bits) {
    const SoftFormat to = format_of(d), from = format_of(a);
    const bool whole = !form.one_of({"rni", "rzi", "rmi", "rpi"}).empty(), ftz = form.has("ftz");
    if (x.nan() && !form.has("sat")) {
        const bool moved = d == a && !whole && form.words().size() == 2 && (d == Type::kF32 || d == Type::kF64);
        if (moved) return bits;
        if (d == Type::kF32 && a == Type::kBf16 && !ftz) return bits << 16;
        if (a == Type::kF64 || (d == Type::kF64 && !ftz)) return carried_nan(to, from, bits);
        if (d == Type::kF64) return 0x7fffffffe0000000u;
        return nan_of(to);
    }
    if (whole) x = round_whole(x, mode_of(form));
    if (form.has("sat")) x = limited(x);
    if (form.has("relu") && x.negative) x = Soft{};
    const std::uint64_t r = pack(to, x, whole ? Mode::kNearest : mode_of(form), ftz && d == Type::kF32);
    const std::uint64_t size = r & low_bits(to.width() - 1);
    return form.has("satfinite") && size > largest_of(to) ? (r ^ size) | largest_of(to) : r;
}

Soft source(const Form& form, Type a, std::uint64_t bits) {
    if (!is_float(a)) return from_integer(extended(a, bits), is_signed(a));
    const Soft x = unpack(format_of(a), bits);
    // Of f16 results an H200 does not flush the operand.
    return form.has("ftz") && a == Type::kF32 && form.type(0) != Type::kF16 ? flushed(kSoftF32, x) : x;
}

void convert(const Form& form, Thread& thread) {
    const Type d = form.type(0), a = form.type(1);
    const std::uint64_t bits = thread.u(1) & low_bits(width_of(a));
    Soft x = source(form, a, bits);
    if (is_float(d)) {
        thread.set(0, to_float(form, d, a, x, bits));
    } else if (!is_float(a)) {
        const bool cut = !form.has("sat");
        thread.set(0, extended(d, cut ? extended(a, bits) : limited_integer(d, x)));
    } else if (x.nan()) {
        const bool upper = a == Type::kF64 || width_of(d) == 64;
        thread.set(0, upper ? extended(d, std::uint64_t{1} << (width_of(d) - 1)) : 0);
    } else {
        thread.set(0, extended(d, limited_integer(d, round_whole(x, mode_of(form)))));
    }
}

// ---- packed and narrow formats

// e4m3 and e5m2 by search over all numbers of the format: the nearest, ties to the even code.
long double byte_value(bool e4m3, unsigned code) {
    const int fraction_bits = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
    const int exponent = static_cast<int>(code) >> fraction_bits;
    Soft x{Soft::kFinite, false, code & ((1u << fraction_bits) - 1), 1 - bias - fraction_bits};
    if (exponent > 0) x.m += 1u << fraction_bits, x.e += exponent - 1;
    return value_of(x);
}
std::uint64_t to_byte(const Form& form, bool e4m3, const Soft& x) {
    const unsigned largest = e4m3 ? 0x7e : 0x7b;
    if (x.nan()) return 0x7f;
    if (form.has("relu") && x.negative) return 0;
    const long double size = value_of(Soft{x.kind, false, x.m, x.e});
    unsigned best = 0;
    for (unsigned code = 1; code <= largest; ++code) {
        const long double below = size - byte_value(e4m3, best), above = byte_value(e4m3, code) - size;
        if (above < below || (above == below && code % 2 == 0)) best = code;
    }
    return best | (x.negative ? 0x80 : 0);
}
std::uint64_t from_byte(const Form& form, bool e4m3, std::uint64_t byte) {
    const bool negative = byte & 0x80;
    const auto code = static_cast<unsigned>(byte & 0x7f);
    if (e4m3 ? code == 0x7f : code > 0x7c) return 0x7fff;
    if (negative && form.has("relu")) return 0;
    if (!e4m3) return byte << 8;
    const int exponent = static_cast<int>(code >> 3);
    Soft x{Soft::kFinite, negative, code & 7, -9};
    if (exponent > 0) x.m += 8, x.e += exponent - 1;
    return pack(kSoftF16, x, Mode::kNearest);
}

std::uint64_t to_tf32(const Form& form, std::uint64_t bits) {
    constexpr SoftFormat kTf32{11, -126, 127};
    Soft x = unpack(kSoftF32, bits);
    const bool away = form.has("rna");
    if (x.nan()) return away && !form.has("satfinite") ? bits & 0xffffe000u : 0x7fffe000u;
    if (form.has("relu") && x.negative) return 0;
    const std::uint64_t size = bits & 0x7fffffffu, sign = bits & 0x80000000u;
    if (away && x.kind == Soft::kFinite && (size & 0x1fff) == 0x1000) {
        const std::uint64_t up = size + 0x1000;  // a tie, exactly half a step below
        return sign | (form.has("satfinite") ? std::min<std::uint64_t>(up, 0x7f7fe000u) : up);
    }
    const std::uint64_t r = pack(kTf32, x, mode_of(form)) << 13;
    return form.has("satfinite") && (r & 0x7fffffffu) >= 0x7f800000u ? sign | 0x7f7fe000u : r;
}

std::uint64_t limited_part(unsigned width, bool is_signed_part, std::int64_t a) {
    const std::int64_t least = is_signed_part ? -(std::int64_t{1} << (width - 1)) : 0;
    const std::int64_t most = (std::int64_t{1} << (is_signed_part ? width - 1 : width)) - 1;
    return static_cast<std::uint64_t>(std::clamp(a, least, most)) & low_bits(width);
}
void pack_integers(const Form& form, Thread& thread) {
    const std::string_view to = form.words()[2];
    const unsigned width = to.substr(1) == "16" ? 16 : static_cast<unsigned>(to[1] - '0');
    const auto part = [&](std::size_t i) { return limited_part(width, to[0] == 's', thread.s(i)); };
    const std::uint64_t above = width == 16 ? 0 : thread.u(3) << (2 * width);
    thread.set(0, above | part(1) << width | part(2));
}

void convert_packed(const Form& form, Thread& thread) {
    if (form.has("pack")) return pack_integers(form, thread);
    if (form.has("tf32")) return thread.set(0, to_tf32(form, thread.u(1)));
    const std::string_view to = *(form.words().end() - 2), from = form.words().back();
    const bool e4m3 = form.has("e4m3x2");
    if (to[0] == 'e') {
        const bool halves = from == "f16x2";
        const Soft upper = halves ? unpack(kSoftF16, thread.u(1) >> 16 & 0xffff) : unpack(kSoftF32, thread.u(1));
        const Soft lower = halves ? unpack(kSoftF16, thread.u(1) & 0xffff) : unpack(kSoftF32, thread.u(2));
        return thread.set(0, to_byte(form, e4m3, upper) << 8 | to_byte(form, e4m3, lower));
    }
    if (from[0] == 'e')
        return thread.set(
            0, from_byte(form, e4m3, thread.u(1) >> 8 & 0xff) << 16 | from_byte(form, e4m3, thread.u(1) & 0xff));
    const Type d = to == "f16x2" ? Type::kF16 : Type::kBf16;
    const auto half = [&](std::size_t i) {
        return to_float(form, d, Type::kF32, unpack(kSoftF32, thread.u(i)), thread.u(i));
    };
    thread.set(0, half(1) << 16 | half(2));
}

constexpr Oracle kConvert[] = {{"cvt", &convert}};
constexpr Oracle kConvertPacked[] = {{"cvt", &convert_packed}};

TEST(ConvertRows, AgreeWithTheSpecification) { expect_family_agrees("convert", kConvert); }
TEST(ConvertPackedRows, AgreeWithTheSpecification) { expect_family_agrees("convert_packed", kConvertPacked); }

}  // namespace
}  // namespace tilescope::isa::test
