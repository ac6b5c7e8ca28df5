// Code that its own .target and .version, or the chosen device, does not have: rejected as ptxas and the driver do, and
// what the report says of code and devices that do not fit.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "scope/cli/exit_status.h"
#include "tests/cli/tilescope_program.h"
#include "tests/places.h"
#include "tests/scratch.h"

namespace tilescope::cli {
namespace {

using Json = nlohmann::json;

const std::string kTargetData = source_dir() + "/tests/cli/data/";
const std::string kRedux = "redux.sync.add.s32 %r1, 1, 0xffffffff;";
const std::string kProduct =
    "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%f2, %f3, %f4, %f5}, "
    "{%r1, %r1, %r1, %r1}, {%r1, %r1}, {%f1, %f1, %f1, %f1};";

class TargetChecks : public ::testing::Test {
protected:
    // A kernel whose one instruction stands in line 9.
    std::string kernel(const std::string& version, const std::string& target, const std::string& instruction) const {
        const std::string path = folder_ + "kernel.ptx";
        std::ofstream(path) << ".version " << version << "\n.target " << target << "\n.address_size 64\n"
                            << ".visible .entry k(.param .u64 p) {\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n"
                            << ".reg .b64 %d<4>;\nmov.b32 %r1, 0; mov.f32 %f1, 0f00000000; ld.param.u64 %d1, [p];\n"
                            << instruction << "\nret;\n}\n";
        return path;
    }
    Ran launch(const std::string& device, const std::string& file, const std::string& options = "") {
        return run("launch --arg buffer:u32[64]=zeros --block 32 " + options + " --device " + device + " " + file);
    }
    Ran run(const std::string& arguments) {
        const Ran ran = run_tilescope(arguments + " --caches off --color never --json " + folder_ + "profile.json");
        profile_ = Json::parse(file_text(folder_ + "profile.json"), nullptr, false);
        return ran;
    }
    // The message of the profile's diagnostic of this code; "" where there is none.
    std::string message_of(const std::string& code) const {
        if (!profile_.is_object() || !profile_.contains("diagnostics")) return {};
        for (const Json& each : profile_["diagnostics"])
            if (each.value("code", "") == code) return each.value("message", "");
        return {};
    }

    const ScratchFolder scratch_;
    const std::string folder_ = std::string(scratch_.path()) + "/";
    Json profile_;
};

bool is_missing(const Ran& ran) { return holds(ran, "image-no-compiler"); }

TEST_F(TargetChecks, LaunchRejectsInstructionNewerThanTheFile) {
    const std::string old_version = kernel("6.0", "sm_90", kRedux);
    const Ran version = launch("h200", old_version);
    EXPECT_EQ(version.status, kUsage) << version.output;
    EXPECT_TRUE(holds(version, old_version + ":9:1: error: 'redux.sync.add.s32' needs PTX .version 7.0 or later"))
        << version.output;
    EXPECT_NE(message_of("isa-newer-than-version"), "");

    const Ran target = launch("h200", kernel("7.0", "sm_70", kProduct));
    EXPECT_EQ(target.status, kUsage) << target.output;
    EXPECT_TRUE(holds(target, "bf16.f32' needs .target sm_80 or later; this file's is sm_70")) << target.output;

    const Ran dropped = launch("h200", kernel("6.4", "sm_70", "shfl.idx.b32 %r2, %r1, 0, 31;"));
    EXPECT_EQ(dropped.status, kUsage) << dropped.output;
    EXPECT_TRUE(holds(dropped, "dropped 'shfl.idx.b32' for .target sm_70 and later")) << dropped.output;
    EXPECT_EQ(launch("h200", kernel("6.3", "sm_70", "shfl.idx.b32 %r2, %r1, 0, 31;")).status, kRan);
}

TEST_F(TargetChecks, DeviceRejectsInstructionThatItLacksAndNamesOthers) {
    struct Case {
        const char *device, *version, *target, *instruction, *message, *others;
    };
    const Case cases[] = {
        {"v100", "7.0", "sm_80", "cp.async.wait_all;", "does not have 'cp.async.wait_all'", "a100"},
        {"a100", "8.0", "sm_90a", "wgmma.fence.sync.aligned;", "only compute capability 9.0 has it", "h100, h200"},
        {"b200", "8.0", "sm_90a", "wgmma.fence.sync.aligned;", "does not have 'wgmma.fence.sync.aligned'", "h200"},
        {"t4", "8.4", "sm_89",
         "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%f2, %f3, %f4, %f5}, {%r1, %r1, %r1, %r1}, {%r1, %r1}, "
         "{%f1, %f1, %f1, %f1};",
         "does not have 'mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32'", "l4, h100"},
    };
    for (const Case& each : cases) {
        const Ran ran = launch(each.device, kernel(each.version, each.target, each.instruction));
        EXPECT_EQ(ran.status, kUsage) << ran.output;
        EXPECT_TRUE(holds(ran, "kernel.ptx:9:1: error: " + std::string(each.device))) << ran.output;
        EXPECT_TRUE(holds(ran, each.message)) << ran.output;
        EXPECT_TRUE(holds(ran, "devices that have it: ") && holds(ran, each.others)) << ran.output;
        EXPECT_NE(message_of("session-not-on-device"), "") << each.device;
    }
}

TEST_F(TargetChecks, CodeForNewerDeviceRunsWithLineInTheHead) {
    const Ran ran = launch("a100", kernel("7.8", "sm_90", kRedux));
    EXPECT_EQ(ran.status, kRan) << ran.output;
    const std::string caveat = "compiled for sm_90; an A100 SXM4 (sm_80) would not load it";
    EXPECT_LT(ran.output.find(caveat), ran.output.find("\n\n")) << ran.output;
    EXPECT_EQ(message_of("compiled-for-newer"), caveat);
    launch("h200", kernel("7.8", "sm_90", kRedux));
    EXPECT_EQ(message_of("compiled-for-newer"), "");
}

TEST_F(TargetChecks, SumsOfUnknownRuleAreNamedInHeadProfileAndStandardError) {
    const std::string product = kernel("7.0", "sm_80", kProduct);
    const Ran ran = launch("a100", product);
    EXPECT_EQ(ran.status, kRan) << ran.output;
    const std::string caveat = message_of("tensor-sums-of-hopper");
    ASSERT_NE(caveat, "") << ran.output;
    EXPECT_LT(ran.output.find(caveat), ran.output.find("\n\n")) << ran.output;
    // Diagnostics alone: run_tilescope() reads standard error of what sends standard output away.
    const Ran quiet = launch("a100", product, "-q >/dev/null");
    EXPECT_EQ(quiet.status, kRan);
    EXPECT_TRUE(holds(quiet, "warning: " + caveat)) << quiet.output;
    launch("h200", product);
    EXPECT_EQ(message_of("tensor-sums-of-hopper"), "");
}

// The numbers of each call that an H200's driver returned for such text, and that a fallback is taken.
TEST_F(TargetChecks, DriverReturnsErrorsThatFallbacksRead) {
    for (const std::string compiler : {"clang", "nvcc"}) {
        const Ran ran =
            run("run -lcuda --compiler " + compiler + " --device a100 " + kTargetData + "target_fallback.cu");
        if (is_missing(ran)) continue;
        EXPECT_EQ(ran.status, kRan) << ran.output;
        EXPECT_TRUE(holds(ran, "version 218, target 218, dropped 218, newer target 218, newer release 222"))
            << ran.output;
        EXPECT_TRUE(holds(ran, "hopper 218, answer 32")) << ran.output;
    }
}

TEST_F(TargetChecks, RuntimeReturnsErrorsOfCodeThatDoesNotLoad) {
    const Ran own = run("run --compiler clang --device a100 " + kTargetData + "target_lacks.cu");
    EXPECT_EQ(own.status, kRan) << own.output;
    EXPECT_TRUE(holds(own, "launch 218, attributes 218, then 0")) << own.output;
    EXPECT_TRUE(holds(own, "target_lacks.cu:5: warning: 'wgmma.fence.sync.aligned' needs .target sm_90a"))
        << own.output;
    EXPECT_TRUE(holds(own, "devices that have it: h100, h200")) << own.output;

    // Built for Hopper alone, by the compiler itself.
    const std::string nvcc = "/usr/local/cuda/bin/nvcc", program = folder_ + "hopper";
    if (!std::filesystem::exists(nvcc)) GTEST_SKIP() << "no nvcc";
    ASSERT_EQ(std::system((nvcc + " -cudart shared -gencode arch=compute_90a,code=compute_90a -o " + program + " " +
                           kTargetData + "target_lacks.cu")
                              .c_str()),
              0);
    const Ran other = run("run --device a100 " + program);
    EXPECT_EQ(other.status, kRan) << other.output;
    EXPECT_TRUE(holds(other, "launch 209, attributes 209, then 0")) << other.output;
    EXPECT_TRUE(holds(other, "does not have 'wgmma.fence.sync.aligned'")) << other.output;
}

TEST_F(TargetChecks, EveryCompilersCodeForItsDeviceLoads) {
    for (const std::string compiler : {"clang-14", "clang-15", "clang-16", "clang-19", "nvcc"}) {
        const Ran ran = run("run -q --compiler " + compiler + " " + kTargetData + "target_modern.cu");
        if (is_missing(ran)) continue;
        EXPECT_EQ(ran.status, kRan) << compiler << "\n" << ran.output;
        EXPECT_EQ(ran.output, "modern: 500\n") << compiler;
    }
}

}  // namespace
}  // namespace tilescope::cli
