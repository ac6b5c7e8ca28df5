// .cu files through the library: compiled by whatever compiler is there.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "scope/image/toolchain.h"
#include "scope/library/tilescope.h"
#include "tests/scratch.h"

namespace tilescope::library {
namespace {

TEST(Library, CompilesCuFiles) {
    if (!image::find_toolchain(image::Compiler::kClang)) GTEST_SKIP() << "there is no clang";
    const auto file = scratch_file("scale.cu");
    std::ofstream(file) << "template <int kTimes> __global__ void scale(float* data, int count) {\n"
                           "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                           "    if (i < count) data[i] *= kTimes * FACTOR;\n"
                           "}\n"
                           "template __global__ void scale<2>(float*, int);\n";
    Options options;
    options.compiler = "clang";
    options.compile_flags = {"-DFACTOR=3"};
    auto session = Session::create(options);
    ASSERT_TRUE(session) << session.error().text();
    const auto module = session->load(file);
    ASSERT_TRUE(module) << module.error().text();
    const auto kernel = module->kernel("scale");
    ASSERT_TRUE(kernel) << kernel.error().text();
    EXPECT_NE(kernel->name().find("scale<2>(float*, int)"), std::string::npos) << kernel->name();
    const auto data = session->buffer(std::vector<float>(100, 1.0F));
    const auto launch = session->launch(*kernel, {{1}, {128}}, *data, 100);
    ASSERT_TRUE(launch) << launch.error().text();
    EXPECT_EQ(data->read()->back(), 6.0F);
    const auto line = std::find_if(launch->lines.begin(), launch->lines.end(),
                                   [](const Line& at) { return at.counters.count("global_load_sectors") != 0; });
    ASSERT_NE(line, launch->lines.end());
    EXPECT_EQ(line->at.line, 3u);
    // By their kinds: a buffer is no number, and a number no buffer.
    EXPECT_EQ(session->launch(*kernel, {{1}, {128}}, std::uint64_t{0}, 100).error().code, "library-argument");

    std::ofstream(file) << "__global__ void k() { nonsense; }\n";
    const auto broken = session->load(file);
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().code, "image-compile");
    EXPECT_EQ(broken.error().line, 1u);
}

}  // namespace
}  // namespace tilescope::library
