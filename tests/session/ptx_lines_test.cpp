// Lines of a launch: the source's, and the PTX's where that names none of a source.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scope/report/json.h"
#include "scope/session/session.h"
#include "scope/views/view.h"

namespace tilescope::test {
namespace {

constexpr std::uint64_t kThreads = 64, kSpan = kThreads * 4;
// Where the two accesses stand, counted from 1.
constexpr std::uint32_t kLoadLine = 10, kStoreLine = 13;

// Loads a float at the line above, computes as `between` says, and stores it. Lines of a source only where `loc` says
// so.
std::string copy_kernel(const std::string& loc, const std::string& between) {
    return R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 from, .param .u64 to)
{
.reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>;
ld.param.u64 %d1, [from]; ld.param.u64 %d2, [to]; mov.u32 %r1, %tid.x; mul.wide.u32 %d3, %r1, 4;
add.u64 %d4, %d1, %d3; add.u64 %d5, %d2, %d3;
)" + loc + R"(
ld.global.f32 %f1, [%d4];
)" + between +
           R"(

st.global.f32 [%d5], %f1;
ret;
}
.file 1 "copy.cu"
)";
}

Profile run(const std::string& ptx) {
    SessionOptions options;
    options.jobs = 1;
    auto session = Session::create(options);
    EXPECT_TRUE(session);
    const auto module = (*session)->load_module(ptx, "some/copy.ptx");
    EXPECT_TRUE(module) << render(module.errors());
    std::uint64_t parameters[2];
    for (std::uint64_t& parameter : parameters)
        parameter =
            reinterpret_cast<std::uint64_t>((*session)->memory().allocate(kSpan, machine::AllocationKind::kDevice));
    LaunchRequest request;
    request.kernel = *(*session)->find_kernel(*module, "k");
    request.block = {kThreads, 1, 1};
    request.parameters = std::as_bytes(std::span(parameters));
    EXPECT_EQ((*session)->launch(request).status, LaunchStatus::kOk);
    return (*session)->profile();
}

const LineProfile* line_at(const LaunchProfile& launch, std::uint32_t line) {
    const auto found = std::find_if(launch.lines.begin(), launch.lines.end(),
                                    [&](const LineProfile& each) { return each.line == line; });
    return found == launch.lines.end() ? nullptr : &*found;
}

std::string report_of(const Profile& profile) { return views::text_view(profile, {}); }

TEST(PtxLines, StandWhereNoSourceIsNamed) {
    const Profile profile = run(copy_kernel("", "fma.rn.f32 %f1, %f1, %f1, %f1;"));
    const LaunchProfile& launch = profile.launches.front();
    const LineProfile *load = line_at(launch, kLoadLine), *store = line_at(launch, kStoreLine);
    ASSERT_TRUE(load != nullptr && store != nullptr);
    EXPECT_EQ(load->file, "some/copy.ptx");
    EXPECT_EQ(load->from, LinesFrom::kPtx);
    EXPECT_EQ(load->text, "ld.global.f32 %f1, [%d4];");
    EXPECT_EQ(load->counters[Counter::kGlobalLoadSectors], kSpan / 32);
    EXPECT_EQ(load->counters[Counter::kGlobalStoreSectors], 0u);
    EXPECT_EQ(store->text, "st.global.f32 [%d5], %f1;");
    EXPECT_EQ(store->counters[Counter::kGlobalStoreSectors], kSpan / 32);
}

TEST(PtxLines, AreInTheReportWithTheirInstructions) {
    const std::string report = report_of(run(copy_kernel("", "")));
    EXPECT_NE(report.find("ld.global.f32 %f1, [%d4];"), std::string::npos) << report;
    EXPECT_NE(report.find("lines of the PTX, which has no source lines"), std::string::npos) << report;
    // Each of the two moves half.
    EXPECT_NE(report.find("50 % of traffic"), std::string::npos) << report;
    EXPECT_NE(report.find("copy.ptx:10"), std::string::npos) << report;
}

TEST(PtxLines, AreNotAddedToThoseOfASource) {
    const Profile profile = run(copy_kernel(".loc 1 7 3", ""));
    const LaunchProfile& launch = profile.launches.front();
    ASSERT_EQ(launch.lines.size(), 1u);
    EXPECT_EQ(launch.lines.front().line, 7u);
    EXPECT_EQ(launch.lines.front().from, LinesFrom::kSource);
    EXPECT_TRUE(launch.lines.front().text.empty());
    EXPECT_EQ(report_of(profile).find("lines of the PTX"), std::string::npos);
}

// A kernel has thousands of instructions, and a program thousands of launches.
TEST(PtxLines, OfALongKernelAreTheHottest) {
    constexpr std::size_t kLong = 500, kAtMost = 32;
    std::string between;
    for (std::size_t i = 0; i < kLong; ++i) between += "fma.rn.f32 %f1, %f1, %f1, %f1;\n";
    const Profile profile = run(copy_kernel("", between));
    const LaunchProfile& launch = profile.launches.front();
    EXPECT_EQ(launch.lines.size(), kAtMost);
    EXPECT_NE(line_at(launch, kLoadLine), nullptr);
    EXPECT_NE(line_at(launch, kStoreLine + kLong), nullptr);
    EXPECT_TRUE(std::is_sorted(launch.lines.begin(), launch.lines.end(),
                               [](const LineProfile& a, const LineProfile& b) { return a.line < b.line; }));
}

// What was left out has its share of the whole: no line of many alike stands for all of it.
TEST(PtxLines, HaveTheirShareOfTheLaunch) {
    constexpr std::size_t kLong = 98;
    std::string body =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b)\n"
        "{\n.reg .f32 %f<2>;\nmov.f32 %f1, 0f3F800000;\n";
    for (std::size_t i = 0; i < kLong; ++i) body += "add.f32 %f1, %f1, %f1;\n";
    const std::string report = report_of(run(body + "ret;\n}\n"));
    EXPECT_NE(report.find(" 1 % of instructions"), std::string::npos) << report;
}

TEST(PtxLines, ComeBackFromAProfile) {
    const Profile profile = run(copy_kernel("", ""));
    const auto again = report::from_json(report::to_json(profile), "profile.json");
    ASSERT_TRUE(again) << render(again.errors());
    EXPECT_EQ(again->launches.front().lines, profile.launches.front().lines);
}

const LineCode* code_at(const KernelCode& code, std::uint32_t line) {
    const auto found =
        std::find_if(code.lines.begin(), code.lines.end(), [&](const LineCode& each) { return each.line == line; });
    return found == code.lines.end() ? nullptr : &*found;
}

TEST(PtxLines, StandBesideTheSourceOnceForAKernel) {
    const Profile profile = run(copy_kernel(".loc 1 7 0", "fma.rn.f32 %f1, %f1, %f1, %f1;\n.loc 1 8 0"));
    ASSERT_EQ(profile.code.size(), 1U);
    const KernelCode& code = profile.code.front();
    EXPECT_EQ(code.entry, "k");
    EXPECT_EQ(code.left_out, 0U);
    const LineCode *load = code_at(code, 7), *store = code_at(code, 8);
    ASSERT_TRUE(load != nullptr && store != nullptr);
    EXPECT_EQ(load->file, "copy.cu");
    EXPECT_EQ(load->instructions,
              (std::vector<std::string>{"ld.global.f32 %f1, [%d4];", "fma.rn.f32 %f1, %f1, %f1, %f1;"}));
    EXPECT_EQ(store->instructions, (std::vector<std::string>{"st.global.f32 [%d5], %f1;", "ret;"}));
    const auto back = report::from_json(report::to_json(profile), "back.json");
    ASSERT_TRUE(back);
    EXPECT_EQ(back->code, profile.code);
    // Without lines of a source there is nothing that it could stand beside.
    EXPECT_TRUE(run(copy_kernel("", "")).code.empty());
}

TEST(PtxLines, OfALongKernelAreCutAndCounted) {
    std::string between;
    for (int i = 0; i < 1500; ++i) between += "fma.rn.f32 %f1, %f1, %f1, %f1;\n";
    const Profile profile = run(copy_kernel(".loc 1 7 0", between));
    ASSERT_EQ(profile.code.size(), 1U);
    const KernelCode& code = profile.code.front();
    ASSERT_EQ(code.lines.size(), 1U);
    EXPECT_EQ(code.lines[0].instructions.size(), 1000U);
    EXPECT_EQ(code.left_out, 503U);
}

}  // namespace
}  // namespace tilescope::test
