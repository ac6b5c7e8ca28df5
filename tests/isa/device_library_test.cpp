// The device library: every row runs under its mask, exact functions have their exact values, the others lie within a
// few units of long double's.
#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <stdexcept>

#include "scope/isa/families.h"
#include "scope/machine/warp.h"
#include "tests/isa/row_operands.h"

namespace tilescope::isa::test {
namespace {

const Family& library() {
    for (const Family* family : families())
        if (family->name == "device_library") return *family;
    throw std::logic_error("the device library's family is not registered");
}

const Row* row_named(std::string_view name) {
    for (std::size_t i = 0; i < library().count; ++i)
        if (library().rows[i].syntax == name) return &library().rows[i];
    return nullptr;
}

// Lane 5 of a call with these operands; the other lanes are inactive and must stay.
std::uint64_t call(std::string_view name, std::vector<std::uint64_t> arguments) {
    const Row* row = row_named(name);
    EXPECT_NE(row, nullptr) << name;
    if (row == nullptr) return 0;
    const auto form = Form::match(row->syntax, row->syntax, {});
    EXPECT_TRUE(form.has_value());
    const std::vector<Token> tokens = tokens_of(row->operands);
    EXPECT_EQ(tokens.size(), arguments.size() + 1) << name;
    BankBytes bank{};
    std::vector<BoundOperand> operands(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const unsigned bytes = bytes_of(type_by_name(tokens[i].text));
        operands[i].kind = BoundKind::kValue;
        operands[i].bytes = static_cast<std::uint8_t>(bytes);
        operands[i].slot = machine::Operand(machine::Bank::kRegisters, static_cast<std::uint32_t>(i * 256));
        if (i > 0) std::memcpy(bank.bytes + i * 256 + 5 * bytes, &arguments[i - 1], bytes);
    }
    machine::Op op;
    op.dst = operands[0].slot;
    TestBinding binding(*form, op, operands);
    op.fn = row->bind(binding);
    machine::Warp warp;
    warp.exec = warp.active = warp.live = 1u << 5;
    warp.banks[0] = bank.bytes;
    op.fn(warp, op);
    std::uint64_t result = 0;
    std::memcpy(&result, bank.bytes + 5 * operands[0].bytes, operands[0].bytes);
    std::memset(bank.bytes + 5 * operands[0].bytes, 0, operands[0].bytes);
    for (std::size_t at = 0; at < 256; ++at) EXPECT_EQ(bank.bytes[at], std::byte{0}) << name << " wrote another lane";
    return result;
}

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }
std::uint64_t bits(float x) { return std::bit_cast<std::uint32_t>(x); }
double real(std::uint64_t x) { return std::bit_cast<double>(x); }
float single(std::uint64_t x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x)); }

TEST(DeviceLibrary, NamesEveryFunctionOnce) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < library().count; ++i)
        EXPECT_TRUE(names.insert(library().rows[i].syntax).second) << library().rows[i].syntax;
    EXPECT_GE(names.size(), 413u);
}

TEST(DeviceLibrary, ElementaryFunctionsAreCloseInBothPrecisions) {
    using Function = long double (*)(long double);
    const std::map<std::string, Function> functions = {
        {"sin", std::sin},     {"cos", std::cos},     {"tan", std::tan},       {"asin", std::asin},
        {"acos", std::acos},   {"atan", std::atan},   {"sinh", std::sinh},     {"cosh", std::cosh},
        {"tanh", std::tanh},   {"asinh", std::asinh}, {"atanh", std::atanh},   {"exp", std::exp},
        {"exp2", std::exp2},   {"expm1", std::expm1}, {"log", std::log},       {"log2", std::log2},
        {"log10", std::log10}, {"log1p", std::log1p}, {"cbrt", std::cbrt},     {"sqrt", std::sqrt},
        {"erf", std::erf},     {"erfc", std::erfc},   {"tgamma", std::tgamma},
    };
    // Those that have nvcc's bits (device_single_test.cpp) have its errors, in units of the last place.
    const std::map<std::string, int> units = {{"tan", 4}, {"exp", 2}, {"log10", 2}, {"tanh", 2}};
    for (const auto& [name, function] : functions) {
        const long double allowed = units.contains(name) ? units.at(name) : 1;
        for (const float x : {0.015625f, 0.1f, 0.3f, 0.5f, 0.7f, 0.99f}) {
            const long double want = function(x);
            const double got = real(call("__nv_" + name, {bits(static_cast<double>(x))}));
            EXPECT_LE(std::fabs(got - want), std::fabs(want) * 0x1p-49L) << name << "(" << x << ")";
            const float got_single = single(call("__nv_" + name + "f", {bits(x)}));
            EXPECT_LE(std::fabs(got_single - want), allowed * std::fabs(want) * 0x1p-23L) << name << "f(" << x << ")";
        }
    }
}

TEST(DeviceLibrary, InversesUndoTheirFunctions) {
    for (const double y : {1e-300, 1e-20, 0.001, 0.25, 0.5, 0.75, 0.9, 0.999}) {
        const long double x = real(call("__nv_erfcinv", {bits(y)}));
        EXPECT_NEAR(static_cast<double>(std::erfc(x) / y), 1.0, 1e-12) << y;
        const long double z = real(call("__nv_normcdfinv", {bits(y)}));
        EXPECT_NEAR(static_cast<double>(std::erfc(-z / std::sqrt(2.0L)) / 2 / y), 1.0, 1e-12) << y;
        const long double w = real(call("__nv_erfinv", {bits(y)}));
        EXPECT_NEAR(static_cast<double>(std::erf(w) / y), 1.0, 1e-14) << y;
        EXPECT_EQ(real(call("__nv_erfinv", {bits(-y)})), static_cast<double>(-w));
    }
    EXPECT_TRUE(std::isinf(real(call("__nv_erfinv", {bits(1.0)}))));
    EXPECT_TRUE(std::isnan(real(call("__nv_erfinv", {bits(1.5)}))));
}

TEST(DeviceLibrary, HalfTurnsAreExact) {
    EXPECT_EQ(real(call("__nv_sinpi", {bits(1e15)})), 0.0);
    EXPECT_EQ(real(call("__nv_sinpi", {bits(2.5)})), 1.0);
    EXPECT_EQ(real(call("__nv_cospi", {bits(1.5)})), 0.0);
    EXPECT_EQ(real(call("__nv_cospi", {bits(3.0)})), -1.0);
    EXPECT_NEAR(real(call("__nv_cospi", {bits(0.25)})), std::sqrt(0.5), 1e-16);
}

TEST(DeviceLibrary, ModifiedBesselFunctionsAgreeWithTheStandardLibrary) {
    for (const double x : {0.01, 1.0, 10.0, 29.9, 30.1, 300.0}) {
        const double i0 = real(call("__nv_cyl_bessel_i0", {bits(x)})), i1 = real(call("__nv_cyl_bessel_i1", {bits(x)}));
        // I0' = I1, by a difference in a step that both precisions bear.
        const double h = x * 1e-4;
        const double slope =
            (real(call("__nv_cyl_bessel_i0", {bits(x + h)})) - real(call("__nv_cyl_bessel_i0", {bits(x - h)}))) /
            (2 * h);
        EXPECT_NEAR(slope / i1, 1.0, 1e-3) << x << " " << i0;
    }
    EXPECT_EQ(real(call("__nv_cyl_bessel_i1", {bits(-2.0)})), -real(call("__nv_cyl_bessel_i1", {bits(2.0)})));
}

TEST(DeviceLibrary, NamedRoundingsBracketTheResult) {
    EXPECT_EQ(single(call("__nv_fdiv_rd", {bits(1.0f), bits(3.0f)})), 0x1.555554p-2f);
    EXPECT_EQ(single(call("__nv_fdiv_ru", {bits(1.0f), bits(3.0f)})), 0x1.555556p-2f);
    EXPECT_EQ(single(call("__nv_fdiv_rz", {bits(-1.0f), bits(3.0f)})), -0x1.555554p-2f);
    EXPECT_EQ(real(call("__nv_dadd_ru", {bits(1.0), bits(0x1p-80)})), 0x1.0000000000001p0);
    EXPECT_EQ(real(call("__nv_dadd_rd", {bits(1.0), bits(0x1p-80)})), 1.0);
    EXPECT_EQ(single(call("__nv_fmaf_rn", {bits(0x1.000002p0f), bits(0x1.000002p0f), bits(-1.0f)})), 0x1.000001p-22f);
    EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(DeviceLibrary, ConversionsRoundAndSaturate) {
    const auto to_int = [](const char* name, float x) { return static_cast<std::int32_t>(call(name, {bits(x)})); };
    EXPECT_EQ(to_int("__nv_float2int_rn", 2.5f), 2);
    EXPECT_EQ(to_int("__nv_float2int_rd", -2.5f), -3);
    EXPECT_EQ(to_int("__nv_float2int_ru", -2.5f), -2);
    EXPECT_EQ(to_int("__nv_float2int_rz", -2.5f), -2);
    EXPECT_EQ(to_int("__nv_float2int_rz", 3e9f), INT32_MAX);
    EXPECT_EQ(to_int("__nv_float2int_rz", NAN), 0);
    EXPECT_EQ(call("__nv_double2int_rz", {bits(static_cast<double>(NAN))}), 0x80000000u);
    EXPECT_EQ(call("__nv_float2ull_rn", {bits(-1.0f)}), 0u);
    EXPECT_EQ(single(call("__nv_uint2float_ru", {0x1000001u})), 0x1.000002p24f);
    EXPECT_EQ(single(call("__nv_ll2float_rd", {0})), 0.0f);
    EXPECT_FALSE(std::signbit(single(call("__nv_ll2float_rd", {0}))));
    EXPECT_EQ(call("__nv_float2half_rn", {bits(65519.0f)}), 0x7bffu);
    EXPECT_EQ(call("__nv_float2half_rn", {bits(65520.0f)}), 0x7c00u);
    EXPECT_EQ(call("__nv_float2half_rn", {bits(0x1.8p-24f)}), 2u);
    EXPECT_EQ(single(call("__nv_half2float", {0x8001})), -0x1p-24f);
    EXPECT_EQ(single(call("__nv_half2float", {0x3c01})), 1.0009765625f);
}

TEST(DeviceLibrary, IntegerFunctionsAreExact) {
    EXPECT_EQ(call("__nv_clz", {1}), 31u);
    EXPECT_EQ(call("__nv_clzll", {0}), 64u);
    EXPECT_EQ(call("__nv_ffs", {0}), 0u);
    EXPECT_EQ(call("__nv_brev", {1}), 0x80000000u);
    EXPECT_EQ(call("__nv_byte_perm", {0x33221100, 0x77665544, 0x7531}), 0x77553311u);
    EXPECT_EQ(call("__nv_mulhi", {0xffffffff, 2}), 0xffffffffu);
    EXPECT_EQ(call("__nv_umul64hi", {~0ull, ~0ull}), ~0ull - 1);
    EXPECT_EQ(call("__nv_mul64hi", {~0ull, ~0ull}), 0u);
    EXPECT_EQ(call("__nv_sad", {0x80000000, 0x7fffffff, 1}), 0u);
    EXPECT_EQ(call("__nv_mul24", {0xffffff, 2}), 0xfffffffeu);
    EXPECT_EQ(call("__nv_hadd", {0xffffffff, 0xfffffffe}), 0xfffffffeu);
    EXPECT_EQ(call("__nv_vaddus4", {0xff01ff01, 0x01010101}), 0xff02ff02u);
    EXPECT_EQ(call("__nv_vavgs2", {2, 0xffc5}), 0xffe3u);
    EXPECT_EQ(call("__nv_vcmpgts2", {0x00018000, 0x00000000}), 0xffff0000u);
    EXPECT_EQ(call("__nv_vabsss4", {0x80ff0102}), 0x7f010102u);
}

TEST(DeviceLibrary, FourthArgumentsArrive) {
    EXPECT_EQ(single(call("__nv_norm4df", {bits(2.0f), bits(4.0f), bits(5.0f), bits(6.0f)})), 9.0f);
    EXPECT_EQ(real(call("__nv_norm3d", {bits(1e300), bits(2e300), bits(2e300)})), 3e300);
}

}  // namespace
}  // namespace tilescope::isa::test
