#include "scope/base/names.h"

#include <gtest/gtest.h>

namespace tilescope {
namespace {

TEST(Names, GlobsMatchWholeTexts) {
    EXPECT_TRUE(glob_match("", ""));
    EXPECT_TRUE(glob_match("*", ""));
    EXPECT_TRUE(glob_match("tiled*", "tiled_checked"));
    EXPECT_TRUE(glob_match("*ed*", "tiled"));
    EXPECT_TRUE(glob_match("t?l*d", "tiled"));
    EXPECT_TRUE(glob_match("*a*b*c", "aXbXbXc"));
    EXPECT_FALSE(glob_match("tiled", "tiled_checked"));
    EXPECT_FALSE(glob_match("?", ""));
    EXPECT_FALSE(glob_match("*a*b*c", "aXbXbX"));
    // Would take for ever if every star tried every place.
    EXPECT_FALSE(glob_match("*a*a*a*a*a*a*a*a*a*a*b", std::string(5000, 'a')));
}

TEST(Names, KernelsAreSelectedByWhateverPeopleCallThem) {
    const char* name = "void ns::work<(int)16, float>(float const*, float*, int)";
    for (const char* pattern :
         {"work", "work*", "ns::work", "ns::work<*", "void ns::work<*", "*float const**", "_ZN2ns*",
          "ns::work<(int)16, float>", "ns::work<(int)16,float>", "ns::work<(int)16,float>(float const*,float*,int)"})
        EXPECT_TRUE(kernel_matches(pattern, name, "_ZN2ns4workILi16EfEEvPKfPfi")) << pattern;
    for (const char* pattern : {"ns", "wor", "void", "other*"})
        EXPECT_FALSE(kernel_matches(pattern, name, "_ZN2ns4workILi16EfEEvPKfPfi")) << pattern;
    EXPECT_EQ(short_kernel_name(name), "work");
    EXPECT_EQ(short_kernel_name("naive(float const*, int)"), "naive");
    EXPECT_EQ(short_kernel_name("kernel"), "kernel");
    EXPECT_EQ(short_kernel_name(""), "");
    EXPECT_EQ(short_kernel_name("(anonymous namespace)::hidden(int)"), "hidden");
}

TEST(Names, NearestIsNearOrNothing) {
    const std::vector<std::string> known = {"instructions", "branches", "barriers"};
    EXPECT_EQ(nearest("instuctions", known), "instructions");
    EXPECT_EQ(nearest("barrier", known), "barriers");
    EXPECT_EQ(nearest("wavelength", known), "");
    EXPECT_EQ(nearest("", known), "");
    EXPECT_EQ(nearest(std::string(100000, 'x'), known), "");
}

using Parts = std::vector<std::string>;

TEST(Names, DemangledNamesComeApart) {
    EXPECT_EQ(template_arguments("ns::k<2, Pair<int, float> >(int)"), (Parts{"2", "Pair<int, float>"}));
    EXPECT_EQ(template_arguments("k(Pair<int, float>)"), Parts{});
    EXPECT_EQ(parameter_types("k<(Mode)1>(float const*, Pair<int, float>*, int)"),
              (Parts{"float const*", "Pair<int, float>*", "int"}));
    EXPECT_EQ(parameter_types("(anonymous namespace)::k(float*)"), Parts{"float*"});
    EXPECT_EQ(parameter_types("k"), Parts{});
}

}  // namespace
}  // namespace tilescope
