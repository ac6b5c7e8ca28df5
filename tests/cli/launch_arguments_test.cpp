#include "scope/cli/launch_arguments.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "scope/base/npy.h"
#include "tests/scratch.h"

namespace tilescope::cli {
namespace {

template <class T>
T scalar(const std::string& text) {
    auto argument = parse_argument(text);
    EXPECT_TRUE(argument) << text;
    T value{};
    if (argument) std::memcpy(&value, argument->value.data(), sizeof value);
    return value;
}

template <class T>
std::vector<T> contents(const std::string& text, std::size_t position = 0) {
    auto argument = parse_argument(text);
    EXPECT_TRUE(argument) << (argument ? "" : render(argument.errors()));
    if (!argument) return {};
    std::vector<T> values(argument->bytes / sizeof(T));
    fill(*argument, position, std::as_writable_bytes(std::span(values)));
    return values;
}

std::string failure(const std::string& text) {
    auto argument = parse_argument(text);
    return argument ? "" : render(argument.errors());
}

// The bits that CUDA's conversions give (cuda_fp16.h, cuda_bf16.h, cuda_fp8.h of CUDA 13.0).
TEST(LaunchArguments, RoundsSmallFloatsAsCudaDoes) {
    EXPECT_EQ(scalar<std::uint16_t>("f16=1.5"), 0x3e00);
    EXPECT_EQ(scalar<std::uint16_t>("f16=2049"), 0x6800);
    EXPECT_EQ(scalar<std::uint16_t>("f16=65519"), 0x7bff);
    EXPECT_EQ(scalar<std::uint16_t>("half=65520"), 0x7c00);
    EXPECT_EQ(scalar<std::uint16_t>("f16=-5.9604645e-8"), 0x8001);
    EXPECT_EQ(scalar<std::uint16_t>("bf16=3.14159"), 0x4049);
    EXPECT_EQ(scalar<std::uint16_t>("__nv_bfloat16=-inf"), 0xff80);
    EXPECT_EQ(scalar<std::uint8_t>("f8e4m3=448"), 0x7e);
    EXPECT_EQ(scalar<std::uint8_t>("f8e4m3=1000"), 0x7e);
    EXPECT_EQ(scalar<std::uint8_t>("e4m3=0.001953125"), 0x01);
    EXPECT_EQ(scalar<std::uint8_t>("f8e5m2=1e9"), 0x7b);
    EXPECT_EQ(contents<std::uint16_t>("buffer:f16[3]=iota"), (std::vector<std::uint16_t>{0, 0x3c00, 0x4000}));
    EXPECT_EQ(contents<std::uint8_t>("buffer:f8e5m2[2]=ones"), (std::vector<std::uint8_t>{0x3c, 0x3c}));
}

TEST(LaunchArguments, AcceptsNamesOfCudaTypes) {
    EXPECT_EQ(scalar<std::int32_t>("int=-5"), -5);
    EXPECT_EQ(scalar<float>("float=1.5"), 1.5F);
    EXPECT_EQ(scalar<std::uint32_t>("unsigned=7"), 7U);
    EXPECT_EQ(scalar<std::uint64_t>("unsigned long long=7"), 7U);
    EXPECT_EQ(contents<double>("buffer:double[2]=ones"), (std::vector<double>{1, 1}));
}

TEST(LaunchArguments, Scalars) {
    EXPECT_EQ(scalar<std::int32_t>("i32=-5"), -5);
    EXPECT_EQ(scalar<std::uint64_t>("u64=0x10"), 16U);
    EXPECT_EQ(scalar<std::int32_t>("i32=0xffffffff"), -1);
    EXPECT_EQ(scalar<std::int64_t>("i64=-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(scalar<std::uint8_t>("u8=255"), 255);
    EXPECT_EQ(scalar<std::int16_t>("i16=-32768"), -32768);
    EXPECT_EQ(scalar<float>("f32=1.5"), 1.5F);
    EXPECT_EQ(scalar<double>("f64=-1e-300"), -1e-300);
}

TEST(LaunchArguments, BuffersAreFilled) {
    EXPECT_EQ(contents<float>("buffer:f32[2x3]=iota"), (std::vector<float>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(contents<std::int64_t>("buffer:i64[2]=ones"), (std::vector<std::int64_t>{1, 1}));
    EXPECT_EQ(contents<double>("buffer:f64[2]=zeros"), (std::vector<double>{0, 0}));
    EXPECT_EQ(contents<std::uint8_t>("buffer:u8[300]=iota")[257], 1);
}

TEST(LaunchArguments, RandomIsTheSameEveryTimeAndDiffersByPosition) {
    const auto first = contents<float>("buffer:f32[1000]=random");
    EXPECT_EQ(first, contents<float>("buffer:f32[1000]=random"));
    EXPECT_NE(first, contents<float>("buffer:f32[1000]=random", 1));
    double sum = 0;
    for (float value : first) {
        EXPECT_GE(value, 0);
        EXPECT_LT(value, 1);
        sum += value;
    }
    EXPECT_NEAR(sum / 1000, 0.5, 0.05);
    for (std::int32_t value : contents<std::int32_t>("buffer:i32[1000]=random")) {
        EXPECT_GE(value, 0);
        EXPECT_LT(value, 100);
    }
}

TEST(LaunchArguments, BuffersComeFromFiles) {
    const std::string file = scratch_file("argument_test.npy");
    const std::vector<float> values = {1, 2, 3, 4};
    const std::uint64_t shape[] = {2, 2};
    ASSERT_TRUE(write_npy(file, 'f', 4, shape, std::as_bytes(std::span(values))));
    EXPECT_EQ(contents<float>("buffer:f32[2x2]=@" + file), values);
    EXPECT_EQ(contents<float>("buffer:f32=@" + file), values);
    EXPECT_NE(failure("buffer:f32[4]=@" + file).find("[2x2]"), std::string::npos);
    EXPECT_NE(failure("buffer:i32[2x2]=@" + file).find("f32"), std::string::npos);
    EXPECT_NE(failure("buffer:f32=@" + file + ".gone").find("cannot read"), std::string::npos);
    std::filesystem::remove(file);
}

TEST(LaunchArguments, MistakesAreNamed) {
    for (const char* text : {"",
                             "i32",
                             "i32=",
                             "i32=x",
                             "i32=1.5",
                             "i32=2147483648",
                             "u8=-1",
                             "u8=0x100",
                             "f12=1",
                             "f32=1x",
                             "i32=0x",
                             "buffer:f32=zeros",
                             "buffer:f32[]=zeros",
                             "buffer:f32[0]=zeros",
                             "buffer:f32[2]=twos",
                             "buffer:f32[2=zeros",
                             "buffer:f32[2x]=zeros",
                             "buffer:f32[x2]=zeros",
                             "buffer:f31[2]=zeros",
                             "buffer:f32[-1]=zeros",
                             "buffer:=zeros",
                             "buffer:f32[4294967296x4294967296]=zeros",
                             "buffer:f64[2305843009213693952]=zeros"})
        EXPECT_NE(failure(text).find("--arg"), std::string::npos) << text;
}

KernelInfo kernel() {
    KernelInfo info;
    info.name = "scale(float*, float, int)";
    info.parameters = {{"data", 0, 8, 8}, {"factor", 8, 4, 4}, {"n", 12, 4, 4}};
    info.parameter_bytes = 16;
    return info;
}

std::vector<LaunchArgument> arguments(const std::vector<std::string>& texts) {
    std::vector<LaunchArgument> result;
    for (const std::string& text : texts) result.push_back(*parse_argument(text));
    return result;
}

TEST(LaunchArguments, AreLaidOutAsTheKernelSays) {
    const auto given = arguments({"buffer:f32[4]=zeros", "f32=2", "i32=4"});
    const std::uint64_t addresses[] = {0x7f0011223344, 0, 0};
    auto buffer = bind_parameters(kernel(), given, addresses);
    ASSERT_TRUE(buffer) << render(buffer.errors());
    ASSERT_EQ(buffer->size(), 16U);
    std::uint64_t address = 0;
    float factor = 0;
    std::int32_t n = 0;
    std::memcpy(&address, buffer->data(), 8);
    std::memcpy(&factor, buffer->data() + 8, 4);
    std::memcpy(&n, buffer->data() + 12, 4);
    EXPECT_EQ(address, 0x7f0011223344U);
    EXPECT_EQ(factor, 2);
    EXPECT_EQ(n, 4);
}

TEST(LaunchArguments, AMismatchListsTheParameters) {
    const std::uint64_t addresses[] = {0, 0, 0};
    auto few = bind_parameters(kernel(), arguments({"i32=4"}), addresses);
    ASSERT_FALSE(few);
    EXPECT_NE(render(few.errors()).find("factor (4 B)"), std::string::npos) << render(few.errors());
    auto wrong = bind_parameters(kernel(), arguments({"i32=4", "f64=2", "i32=4"}), addresses);
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.errors().size(), 2U);
    EXPECT_NE(render(wrong.errors()).find("parameter 1 (factor) has 4"), std::string::npos) << render(wrong.errors());
}

// The bits of an integer are no float, nor the other way round.
TEST(LaunchArguments, KindsMustAgree) {
    KernelInfo typed = kernel();
    typed.parameters[0].kind = ParameterKind::kPointer;
    typed.parameters[1].kind = ParameterKind::kFloat;
    typed.parameters[2].kind = ParameterKind::kInteger;
    const std::uint64_t addresses[] = {0x7f0011223344, 0, 0};
    EXPECT_TRUE(bind_parameters(typed, arguments({"buffer:f32[4]=zeros", "f32=2", "u32=4"}), addresses));
    EXPECT_TRUE(bind_parameters(typed, arguments({"u64=64", "f32=2", "i32=4"}), addresses));
    const auto wrong = bind_parameters(typed, arguments({"f64=1", "i32=2", "f32=4"}), addresses);
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.errors().size(), 3U);
    EXPECT_NE(render(wrong.errors()).find("--arg i32=2 is an integer, parameter 1 (factor) is floating point"),
              std::string::npos)
        << render(wrong.errors());
}

TEST(LaunchArguments, SaveNamesABuffer) {
    const auto given = arguments({"buffer:f32[4]=zeros", "f32=2"});
    auto request = parse_save("0=out.npy", given);
    ASSERT_TRUE(request);
    EXPECT_EQ(request->index, 0U);
    EXPECT_EQ(request->file, "out.npy");
    for (const char* text : {"", "0", "0=", "=x", "x=y", "1=out.npy", "2=out.npy", "-1=out.npy"})
        EXPECT_FALSE(parse_save(text, given)) << text;
}

}  // namespace
}  // namespace tilescope::cli
