// Oracles of the float32, float64 and half families.
#include "tests/isa/oracle_float.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace tilescope::isa::test {
namespace {

constexpr std::uint64_t kQuiet = std::uint64_t{1} << 51, kInvalid = 0xfff8000000000000u;

bool nan64(std::uint64_t bits) { return (bits & ~(std::uint64_t{1} << 63)) > 0x7ff0000000000000u; }

// Which operand's NaN a double-precision operation hands on.
std::uint64_t nan_result(std::string_view opcode, const std::uint64_t* bits) {
    const char* order = opcode == "div" ? "01" : opcode == "fma" || opcode == "mad" ? "120" : "10";
    if (opcode == "sqrt" || opcode == "rcp") order = "0";
    for (; *order; ++order)
        if (nan64(bits[*order - '0'])) return bits[*order - '0'] | kQuiet;
    return kInvalid;
}

std::uint64_t smaller_or_larger(const Form& form, bool max, SoftFormat format, const std::uint64_t* bits) {
    const int width = format.width();
    const std::uint64_t sign = std::uint64_t{1} << (width - 1);
    const bool magnitudes = form.has("xorsign");
    Soft a = unpack(format, bits[0]), b = unpack(format, bits[1]);
    if (form.has("ftz")) a = flushed(format, a), b = flushed(format, b);
    if ((a.nan() && b.nan()) || (form.has("NaN") && (a.nan() || b.nan())))
        return width == 64 ? bits[1] | kQuiet : nan_of(format);
    const bool negative = a.negative != b.negative;
    if (magnitudes) a.negative = b.negative = false;
    const Soft& chosen = a.nan() ? b : b.nan() ? a : (compare(a, b) < 0) != max ? a : b;
    const std::uint64_t r = pack(format, chosen, Mode::kNearest);
    return magnitudes && negative ? r | sign : r;
}

std::uint64_t with_sign(const Form& form, bool flip, SoftFormat format, std::uint64_t bits) {
    Soft a = unpack(format, bits);
    if (a.nan()) return format.width() == 64 ? bits | kQuiet : nan_of(format);
    if (form.has("ftz")) a = flushed(format, a);
    a.negative = flip && !a.negative;
    return pack(format, a, Mode::kNearest);
}

Soft exact(std::string_view opcode, const Soft* x, Mode mode) {
    const Soft one{Soft::kFinite, false, 1, 0};
    if (opcode == "add") return add(x[0], x[1], mode);
    if (opcode == "sub") return add(x[0], negate(x[1]), mode);
    if (opcode == "mul") return multiply(x[0], x[1]);
    if (opcode == "div") return divide(x[0], x[1]);
    if (opcode == "rcp") return divide(one, x[0]);
    if (opcode == "sqrt") return square_root(x[0]);
    return add(multiply(x[0], x[1]), x[2], mode);
}

}  // namespace

std::uint64_t arithmetic(const Form& form, std::string_view opcode, SoftFormat format, const std::uint64_t* bits) {
    if (opcode == "min" || opcode == "max") return smaller_or_larger(form, opcode == "max", format, bits);
    if (opcode == "abs") {
        const std::uint64_t sign = std::uint64_t{1} << (format.width() - 1);
        return unpack(format, bits[0]).nan() ? with_sign(form, false, format, bits[0])
                                             : with_sign(form, false, format, bits[0] & ~sign);
    }
    if (opcode == "neg") return with_sign(form, true, format, bits[0]);
    const Mode mode = mode_of(form);
    const std::size_t operands = opcode == "fma" || opcode == "mad" ? 3 : opcode == "sqrt" || opcode == "rcp" ? 1 : 2;
    Soft x[3];
    for (std::size_t i = 0; i < operands; ++i) {
        x[i] = unpack(format, bits[i]);
        if (form.has("ftz")) x[i] = flushed(format, x[i]);
    }
    if (form.has("oob") && ((bits[0] & 0x7fff) == 0x7ff7 || (bits[1] & 0x7fff) == 0x7ff7)) return 0;
    Soft r = exact(opcode, x, mode);
    if (form.has("sat")) r = limited(r);
    if (r.nan()) return format.width() == 64 ? nan_result(opcode, bits) : nan_of(format);
    if (form.has("relu") && r.negative) return 0;
    return pack(format, r, mode, form.has("ftz"));
}

namespace {

// The opcode is not part of a form: one function for each.
#define TILESCOPE_OPCODES(X) X(add) X(sub) X(mul) X(fma) X(mad) X(div) X(rcp) X(sqrt) X(abs) X(neg) X(min) X(max)

void compute(std::string_view opcode, const Form& form, Thread& thread) {
    const SoftFormat format = format_of(form.type());
    const bool packed = form.type() == Type::kF16x2 || form.type() == Type::kBf16x2;
    std::uint64_t bits[3] = {}, high[3] = {};
    for (std::size_t i = 1; i < thread.operands.size(); ++i) {
        bits[i - 1] = packed ? thread.u(i) & 0xffff : thread.u(i);
        high[i - 1] = thread.u(i) >> 16 & 0xffff;
    }
    const std::uint64_t low = arithmetic(form, opcode, format, bits);
    thread.set(0, packed ? low | arithmetic(form, opcode, format, high) << 16 : low);
}

#define TILESCOPE_COMPUTE(opcode) \
    void compute_##opcode(const Form& form, Thread& thread) { compute(#opcode, form, thread); }
TILESCOPE_OPCODES(TILESCOPE_COMPUTE)

// tanh.approx and ex2.approx of halves: PTX's bounds.
long double element(const Thread& thread, std::size_t i, SoftFormat format, unsigned at) {
    return value_of(unpack(format, thread.u(i) >> at & 0xffff));
}
template <long double (*kFunction)(long double)>
bool half_is_close(const Form& form, const Thread& inputs, const Scalar&, const Scalar& actual) {
    const SoftFormat format = format_of(form.type());
    const bool packed = form.type() == Type::kF16x2 || form.type() == Type::kBf16x2;
    for (unsigned at = 0; at < (packed ? 32u : 16u); at += 16) {
        long double a = element(inputs, 1, format, at);
        const Soft r = unpack(format, actual.lo >> at & 0xffff);
        if (std::isnan(a)) {
            if ((actual.lo >> at & 0xffff) != 0x7fff) return false;
            continue;
        }
        const long double want = kFunction(a), got = value_of(r);
        const long double largest = format.digits == 11 ? 65504.0L : 0x1.fep127L;
        const long double bound = format.digits == 11 ? 0x1p-9L : 0x1p-7L;
        const long double least = std::ldexp(1.0L, format.least - (form.has("ftz") ? 0 : format.digits - 1));
        if (std::isinf(got) ? want < largest : std::fabs(got - want) > std::fabs(want) * bound + least) return false;
        if (std::isinf(want) && !std::isinf(got)) return false;
    }
    return true;
}

constexpr Oracle kFloatOracles[] = {
#define TILESCOPE_ORACLE(opcode) {#opcode, &compute_##opcode},
    TILESCOPE_OPCODES(TILESCOPE_ORACLE)
#undef TILESCOPE_ORACLE
        {"tanh", &leave, &half_is_close<std::tanh>},
    {"ex2", &leave, &half_is_close<std::exp2>},
};

TEST(SoftFloat, AgreesWithTheHostWhereTheHostIsExact) {
    const double values[] = {0.0, -0.0, 1.0, -1.5, 0x1p-1074, 0x1.8p-1060, 1e308, -3.25e-5, 0x1.fffffffffffffp0, 7.0};
    for (double a : values) {
        for (double b : values) {
            const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
            const Soft x = unpack(kSoftF64, bits(a)), y = unpack(kSoftF64, bits(b));
            EXPECT_EQ(pack(kSoftF64, add(x, y, Mode::kNearest), Mode::kNearest), bits(a + b)) << a << " + " << b;
            EXPECT_EQ(pack(kSoftF64, multiply(x, y), Mode::kNearest), bits(a * b)) << a << " * " << b;
            if (b == 0.0) continue;
            EXPECT_EQ(pack(kSoftF64, divide(x, y), Mode::kNearest), bits(a / b)) << a << " / " << b;
        }
    }
}

TEST(Float32Rows, AgreeWithTheSpecification) { expect_family_agrees("float32", kFloatOracles); }
TEST(Float64Rows, AgreeWithTheSpecification) { expect_family_agrees("float64", kFloatOracles); }
TEST(HalfRows, AgreeWithTheSpecification) { expect_family_agrees("half", kFloatOracles); }

}  // namespace
}  // namespace tilescope::isa::test
