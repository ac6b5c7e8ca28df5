// What PTX and mangled names tell about a kernel's parameters.
#include "scope/session/parameter_kind.h"

#include <gtest/gtest.h>

#include "scope/base/names.h"

namespace tilescope {
namespace {

using Types = std::vector<std::string>;

TEST(ParameterKind, TypesStandInTheLastParentheses) {
    EXPECT_EQ(parameter_types("naive(float const*, float*, int)"), (Types{"float const*", "float*", "int"}));
    EXPECT_EQ(parameter_types("scale<float, (Mode)2>(pair<int, float>, void (*)(int, float), double)"),
              (Types{"pair<int, float>", "void (*)(int, float)", "double"}));
    EXPECT_EQ(parameter_types("none()"), Types{});
    EXPECT_EQ(parameter_types("plain_c_name"), Types{});
}

ParameterKind kind(const std::string& ptx_type, std::string_view type, bool is_pointer = false) {
    ptx::Variable parameter;
    parameter.type = ptx_type;
    parameter.is_pointer = is_pointer;
    return parameter_kind(parameter, type);
}

TEST(ParameterKind, PtxAndTheNameTellNumbersApart) {
    EXPECT_EQ(kind("f32", ""), ParameterKind::kFloat);
    EXPECT_EQ(kind("f64", "double"), ParameterKind::kFloat);
    EXPECT_EQ(kind("u32", ""), ParameterKind::kInteger);
    EXPECT_EQ(kind("u64", "float*"), ParameterKind::kPointer);
    EXPECT_EQ(kind("u64", "", true), ParameterKind::kPointer);
    EXPECT_EQ(kind("b32", "float"), ParameterKind::kFloat);
    EXPECT_EQ(kind("b32", "unsigned int"), ParameterKind::kInteger);
    EXPECT_EQ(kind("b32", ""), ParameterKind::kUnknown);
    EXPECT_EQ(kind("b64", "Handle"), ParameterKind::kUnknown);
}

TEST(ParameterKind, StructuresAreUnknown) {
    ptx::Variable parameter;
    parameter.type = "b8";
    parameter.dimensions = {16};
    EXPECT_EQ(parameter_kind(parameter, "float4"), ParameterKind::kUnknown);
}

}  // namespace
}  // namespace tilescope
