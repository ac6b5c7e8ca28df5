// `launch` and `run` from end to end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "scope/base/npy.h"
#include "scope/cli/exit_status.h"
#include "tests/cli/tilescope_program.h"
#include "tests/places.h"
#include "tests/scratch.h"

namespace tilescope::cli {
namespace {

using Json = nlohmann::json;

const std::string kPtx = source_dir() + "/tests/cli/data/copy.ptx";
const std::string kTwice = "launch " + kPtx + " --kernel twice --grid 4 --block 256 --arg buffer:f32[1000]=iota ";
const std::string kProgram = "run --compiler clang --color never " + source_dir() + "/tests/cli/data/twice.cu ";

class Execution : public ::testing::Test {
protected:
};

TEST_F(Execution, LaunchComputesCountsAndSaves) {
    const Ran ran =
        run_tilescope(kTwice + "--arg buffer:f32[1000]=zeros --arg u32=1000 --save 1=" + scratch_file("out.npy") +
                      " --json " + scratch_file("profile.json"));
    ASSERT_EQ(ran.status, kRan) << ran.output;
    EXPECT_TRUE(holds(ran, "grid 4  block 256")) << ran.output;
    auto out = read_npy(scratch_file("out.npy"));
    ASSERT_TRUE(out);
    EXPECT_EQ(out->shape, (std::vector<std::uint64_t>{1000}));
    for (std::size_t i = 0; i < 1000; ++i) {
        float value = 0;
        std::memcpy(&value, out->data.data() + 4 * i, 4);
        ASSERT_EQ(value, 2 * static_cast<float>(i));
    }
    const Json occupancy = Json::parse(file_text(scratch_file("profile.json")))["launches"][0]["occupancy"];
    EXPECT_EQ(occupancy["blocks_per_sm"], 8);
    EXPECT_EQ(occupancy["by"]["threads"], 8);
    EXPECT_EQ(occupancy["textbook"]["threads_per_sm"], 2048);
    EXPECT_EQ(occupancy["shared_bytes_per_block"], 1024);  // the driver's own
    EXPECT_EQ(occupancy["next"], Json::array());
    const Json counters = Json::parse(file_text(scratch_file("profile.json")))["launches"][0]["counters"];
    EXPECT_EQ(counters["global_load_requests"], 32);  // 31 full warps and one of 8 lanes
    EXPECT_EQ(counters["global_load_sectors"], 125);
    EXPECT_EQ(counters["global_store_sectors"], 125);
    EXPECT_EQ(counters["global_load_bytes_requested"], 4000);
    EXPECT_EQ(counters["fp32_add"], 1000);
}

// The file has no .loc: its own lines are the only ones.
TEST_F(Execution, HotLinesOfPtxWithoutASource) {
    const Ran ran =
        run_tilescope(kTwice + "--arg buffer:f32[1000]=zeros --arg u32=1000 --json " + scratch_file("p.json"));
    ASSERT_EQ(ran.status, kRan) << ran.output;
    EXPECT_TRUE(holds(ran, "  hot lines        26  ld.global.f32 %f1, [%rd6];")) << ran.output;
    EXPECT_TRUE(holds(ran, "lines of the PTX, which has no source lines")) << ran.output;
    EXPECT_TRUE(holds(ran, "copy.ptx:26")) << ran.output;
    const Json launch = Json::parse(file_text(scratch_file("p.json")))["launches"][0];
    Json load;
    for (const Json& line : launch["lines"]) {
        EXPECT_EQ(line["from"], "ptx") << line;
        if (line["line"] == 26) load = line;
    }
    ASSERT_TRUE(load.is_object()) << launch["lines"];
    EXPECT_EQ(load["text"], "ld.global.f32 %f1, [%rd6];");
    EXPECT_EQ(load["counters"]["global_load_sectors"], launch["counters"]["global_load_sectors"]);
    // A report made of the profile says the same, wherever the file is.
    EXPECT_TRUE(holds(run_tilescope("report " + scratch_file("p.json")), "26  ld.global.f32 %f1, [%rd6];"));
}

TEST_F(Execution, LinesOfASourceAreNotCalledPtx) {
    ASSERT_EQ(run_tilescope(kProgram + "-q --json " + scratch_file("source.json")).status, kRan);
    const Json lines = Json::parse(file_text(scratch_file("source.json")))["launches"][0]["lines"];
    ASSERT_FALSE(lines.empty());
    for (const Json& line : lines) EXPECT_FALSE(line.contains("from")) << line;
}

TEST_F(Execution, SarifHasTheCallThatWroteIt) {
    const std::string file = scratch_file("found.sarif");
    const Ran ran = run_tilescope(kProgram + "-q --budget 'twice*: instructions < 1' --sarif " + file);
    ASSERT_EQ(ran.status, kBroken) << ran.output;
    const Json run = Json::parse(file_text(file))["runs"][0];
    const Json& invocation = run["invocations"][0];
    EXPECT_EQ(invocation["exitCode"], kBroken);
    EXPECT_EQ(invocation["executionSuccessful"], true);
    EXPECT_EQ(invocation["arguments"][0], "run");
    const std::string line = invocation["commandLine"];
    EXPECT_EQ(line.find("tilescope run --compiler clang --color never "), 0U) << line;
    EXPECT_NE(line.find(" -q --budget 'twice*: instructions < 1' --sarif "), std::string::npos) << line;
    const std::string begin = invocation["startTimeUtc"], end = invocation["endTimeUtc"];
    EXPECT_EQ(begin.size(), std::string("2026-01-01T00:00:00Z").size());
    EXPECT_LE(begin, end);
    const auto is_budget = [](const Json& result) {
        return result["ruleId"] == "budget" && result["level"] == "error";
    };
    EXPECT_TRUE(std::any_of(run["results"].begin(), run["results"].end(), is_budget)) << run["results"];
}

TEST_F(Execution, OccupancyOfASourceFileAndOfItsProfileAgree) {
    const std::string source = source_dir() + "/tests/cli/data/twice.cu";
    ASSERT_EQ(run_tilescope(kProgram + "-q --json " + scratch_file("profile.json")).status, kRan);
    const std::string how = " --threads 256 --curve none --json";
    const Ran compiled = run_tilescope("occupancy --compiler clang --kernel " + source + ":twice" + how);
    ASSERT_EQ(compiled.status, kRan) << compiled.output;
    const Ran profiled = run_tilescope("occupancy --kernel " + scratch_file("profile.json") + ":twice" + how);
    ASSERT_EQ(profiled.status, kRan) << profiled.output;
    const Json kernel = Json::parse(compiled.output);
    Json of_launch = Json::parse(profiled.output)["occupancy"];
    EXPECT_EQ(of_launch.erase("waves"), 1u);  // only a launch has a grid
    EXPECT_EQ(kernel["occupancy"], of_launch);
    EXPECT_EQ(kernel["kernel"]["name"], "twice(float const*, float*, int)");
    EXPECT_EQ(kernel["occupancy"]["blocks_per_sm"], 8);
}

TEST_F(Execution, TheProfileIsTheSameForAnyNumberOfJobs) {
    for (const char* jobs : {"1", "2", "5"})
        ASSERT_EQ(run_tilescope(kTwice + "--arg buffer:f32[1000]=zeros --arg u32=1000 -q --jobs " + jobs + " --json " +
                                scratch_file(jobs))
                      .status,
                  kRan);
    EXPECT_EQ(file_text(scratch_file("1")), file_text(scratch_file("2")));
    EXPECT_EQ(file_text(scratch_file("1")), file_text(scratch_file("5")));
}

TEST_F(Execution, BudgetsDecideTheStatus) {
    const std::string launch = kTwice + "--arg buffer:f32[1000]=zeros --arg u32=1000 --budget ";
    EXPECT_EQ(run_tilescope(launch + "'twice: global_load_sectors_per_request <= 4'").status, kRan);
    const Ran broken = run_tilescope(launch + "'tw*: global_load_sectors < 125'");
    EXPECT_EQ(broken.status, kBroken);
    EXPECT_TRUE(holds(broken, "global_load_sectors = 125")) << broken.output;
}

TEST_F(Execution, LaunchMistakesAreStatusTwoAndSayWhatWouldDo) {
    const Ran several = run_tilescope("launch " + kPtx);
    EXPECT_EQ(several.status, kUsage);
    EXPECT_TRUE(holds(several, "twice") && holds(several, "forever")) << several.output;
    EXPECT_EQ(run_tilescope("launch " + kPtx + " --kernel none").status, kUsage);
    const Ran few = run_tilescope(kTwice);
    EXPECT_EQ(few.status, kUsage);
    EXPECT_TRUE(holds(few, "takes 3")) << few.output;
    const Ran large = run_tilescope("launch " + kPtx + " --kernel forever --block 2048");
    EXPECT_EQ(large.status, kUsage) << large.output;
}

TEST_F(Execution, FaultsAreStatusThree) {
    const Ran ran = run_tilescope(kTwice + "--arg buffer:f32[999]=zeros --arg u32=1000");
    EXPECT_EQ(ran.status, kFault);
    EXPECT_TRUE(holds(ran, "out-of-bounds") && holds(ran, "block (3, 0, 0), thread (231, 0, 0)")) << ran.output;
    // Where it lies rather than an address, which is another one in every run.
    EXPECT_TRUE(holds(ran, "is out of bounds: element 999 of 999, just past the end of the allocation of 3996 bytes"))
        << ran.output;
    EXPECT_FALSE(holds(ran, "0x7")) << ran.output;
    const Ran null = run_tilescope(kTwice + "--arg u64=64 --arg u32=1000");
    EXPECT_TRUE(holds(null, "a null pointer or an offset from one")) << null.output;
}

TEST_F(Execution, HazardsAppearOnceOnATerminal) {
    const std::string run = "run --check races --compiler clang " + source_dir() +
                            "/lessons/09_barriers_removed/barriers_removed.cu -- first";
    const Ran terminal = run_on_terminal(run), pipe = run_tilescope(run);
    EXPECT_EQ(terminal.status, kHazard) << terminal.output;
    EXPECT_TRUE(holds(terminal, "fix: add __syncthreads() after line 23")) << terminal.output;
    EXPECT_FALSE(holds(terminal, "[hazard-race]")) << terminal.output;
    EXPECT_EQ(pipe.status, kHazard);
    EXPECT_TRUE(holds(pipe, "[hazard-race]")) << pipe.output;
    const Ran quiet = run_on_terminal("run -q" + run.substr(3));
    EXPECT_FALSE(holds(quiet, "fix: add")) << quiet.output;
    EXPECT_TRUE(holds(quiet, "[hazard-race]")) << quiet.output;
}

TEST_F(Execution, FaultsNameFullHeapsWrappedIndicesAndReferences) {
    const std::string run = "run --compiler clang " + source_dir() + "/tests/cli/data/causes_of_faults.cu -- ";
    const auto expect_words = [&](const std::string& cause, const std::string& words) {
        const Ran ran = run_tilescope(run + cause);
        EXPECT_EQ(ran.status, kFault) << ran.output;
        EXPECT_TRUE(holds(ran, words)) << ran.output;
    };
    expect_words("heap", "returned null because the device's heap of 1048576 bytes is full");
    expect_words("bytes", "; plus 2^32 the address lies in an allocation of 3221225472 bytes: a 32-bit index wrapped");
    expect_words("elements", "; plus 2^32 × 8 the address lies in an allocation of 18253611008 bytes: a 32-bit index");
    expect_words("reference", "a parameter of this kernel is a C++ reference");
    const Ran slip = run_tilescope(run + "slip");
    EXPECT_EQ(slip.status, kFault) << slip.output;
    EXPECT_TRUE(holds(slip, "just past the end of the allocation of 400 bytes")) << slip.output;
    EXPECT_FALSE(holds(slip, "2^32")) << slip.output;
    const Ran pointer = run_tilescope(run + "pointer");
    EXPECT_TRUE(holds(pointer, "that is the host program's memory")) << pointer.output;
    EXPECT_FALSE(holds(pointer, "2^32") || holds(pointer, "heap of") || holds(pointer, "C++ reference"));
}

// What lies past memory that is shared with the host is in the host's own, and an overrun all the same.
TEST_F(Execution, AnOverrunOfSharedMemorySaysOfWhich) {
    const std::string run = "run --compiler clang " + source_dir() + "/tests/cli/data/past_shared_memory.cu -- ";
    for (const std::string kind : {"managed", "pinned"}) {
        const Ran ran = run_tilescope(run + kind);
        EXPECT_EQ(ran.status, kFault) << ran.output;
        EXPECT_TRUE(holds(
            ran, "element 1048576 of 1048576, just past the end of the allocation of 4194304 bytes (allocated at "))
            << ran.output;
    }
    const Ran own = run_tilescope(run + "own");
    EXPECT_EQ(own.status, kFault) << own.output;
    EXPECT_TRUE(holds(own, "that is the host program's memory")) << own.output;
}

// What lies far from every array is called a slip past none of them.
TEST_F(Execution, AFaultFarFromEverythingBlamesNoNeighbour) {
    for (const std::string kernel : {"far", "far_constant"}) {
        const std::string far = "launch " + source_dir() + "/tests/cli/data/far.ptx --kernel " + kernel +
                                " --arg buffer:u8[2]=zeros --arg ";
        const Ran ran = run_tilescope(far + "u64=67712");
        EXPECT_EQ(ran.status, kFault);
        EXPECT_TRUE(holds(ran, "nothing is allocated there; the nearest allocation, of ")) << ran.output;
        EXPECT_FALSE(holds(ran, "past the end")) << ran.output;
        const Ran near = run_tilescope(far + "u64=40");
        EXPECT_TRUE(holds(near, "element 40 of 2, past the end of the allocation of 2 bytes")) << near.output;
    }
}

// A kernel goes on after its bad accesses: the good ones count and have their results, the bad ones are listed once.
TEST_F(Execution, OnFaultContinueRunsToTheEnd) {
    const std::string out = scratch_file("went_on.npy"), json = scratch_file("went_on.json");
    const Ran ran = run_tilescope(
        kTwice + "--arg buffer:f32[900]=zeros --arg u32=1000 --on-fault continue --save 1=" + out + " --json " + json);
    EXPECT_EQ(ran.status, kFault) << ran.output;
    EXPECT_TRUE(holds(ran, "out-of-bounds (100 times): 4-byte write of global memory is out of bounds")) << ran.output;
    EXPECT_TRUE(holds(ran, "the first of 100 such accesses")) << ran.output;
    EXPECT_TRUE(holds(ran, "global loads")) << ran.output;
    EXPECT_EQ(file_text(out).size(), 128u + 4 * 900);
    const std::string profile = file_text(json);
    EXPECT_NE(profile.find("\"count\": 100"), std::string::npos) << profile;
    EXPECT_NE(profile.find("\"global_load_bytes_requested\": 4000"), std::string::npos) << profile;
    EXPECT_NE(profile.find("\"global_store_bytes_requested\": 3600"), std::string::npos) << profile;
    const Ran wrong = run_tilescope(kTwice + "--arg buffer:f32[900]=zeros --arg u32=1000 --on-fault never");
    EXPECT_EQ(wrong.status, kUsage) << wrong.output;
}

TEST_F(Execution, AReportThatCannotBeWrittenIsStatusTwo) {
    if (!std::ofstream("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
    for (const char* arguments : {"occupancy --threads 64", "devices h200", "roofline --intensity 1"}) {
        const Ran ran = run_tilescope(std::string(arguments) + " > /dev/full");
        EXPECT_EQ(ran.status, kUsage) << arguments;
        EXPECT_TRUE(holds(ran, "cannot write to standard output")) << ran.output;
    }
}

TEST_F(Execution, LimitsAreStatusSix) {
    const Ran ran = run_tilescope("launch " + kPtx + " --kernel forever --max-instructions 100k");
    EXPECT_EQ(ran.status, kLimit);
    EXPECT_TRUE(holds(ran, "forever")) << ran.output;
    // No block of this kernel is long enough to be stopped half-way; the next one does not start.
    const Ran brief = run_tilescope(kTwice + "--arg buffer:f32[1000]=zeros --arg u32=1000 --max-instructions 10");
    EXPECT_EQ(brief.status, kLimit) << brief.output;
    EXPECT_TRUE(holds(brief, "the limit on executed instructions was reached")) << brief.output;
}

TEST_F(Execution, RunPassesOutputArgumentsAndStatusThrough) {
    const Ran ran = run_tilescope(kProgram + "--json " + scratch_file("profile.json") + " -- 7");
    EXPECT_EQ(ran.status, 7) << ran.output;
    EXPECT_EQ(ran.output.find("sum of ends 1998\n"), 0U) << ran.output;
    EXPECT_TRUE(holds(ran, "twice(float const*, float*, int)")) << ran.output;
    EXPECT_TRUE(holds(ran, "out[i] = 2 * in[i]")) << ran.output;
    const Json profile = Json::parse(file_text(scratch_file("profile.json")));
    EXPECT_EQ(profile["launches"][0]["counters"]["global_load_sectors"], 125);
    EXPECT_EQ(profile["compiler"].get<std::string>().find("clang "), 0U);
    EXPECT_EQ(run_tilescope(kProgram + "-q").output, "sum of ends 1998\n");
}

// Even when the program itself ignores the error.
TEST_F(Execution, WhatAKernelLacksIsNamedOnce) {
    const Ran ran = run_tilescope("run --compiler clang " + source_dir() + "/tests/cli/data/unsupported.cu --json " +
                                  scratch_file("profile.json"));
    EXPECT_EQ(ran.status, kFault) << ran.output;
    const std::size_t at = ran.output.find("istypep.texref");
    ASSERT_NE(at, std::string::npos) << ran.output;
    EXPECT_EQ(ran.output.find("error:", ran.output.find("error:") + 1), std::string::npos) << ran.output;
    const Json diagnostics = Json::parse(file_text(scratch_file("profile.json")))["diagnostics"];
    ASSERT_EQ(diagnostics.size(), 1U);
    EXPECT_EQ(diagnostics[0]["code"], "isa-unsupported-instruction");
}

TEST_F(Execution, AFaultWinsOverTheProgramsOwnStatus) {
    const Ran ran = run_tilescope(kProgram + "-- 7 outside");
    EXPECT_EQ(ran.status, kFault) << ran.output;
    EXPECT_TRUE(holds(ran, "twice.cu:9")) << ran.output;
}

TEST_F(Execution, AProgramThatIsKilledSaysSo) {
    const Ran ran = run_tilescope(kProgram + "-- 0 abort");
    EXPECT_EQ(ran.status, 128 + 6) << ran.output;
    EXPECT_TRUE(holds(ran, "ended by signal 6")) << ran.output;
}

TEST_F(Execution, KernelsSeeTheDevicesComputeCapability) {
    for (const char* device : {"v100", "t4", "h200", "b200", "rtx5090"}) {
        const Ran ran = run_tilescope("run -q --compiler clang --device " + std::string(device) + " " + source_dir() +
                                      "/tests/cli/data/capability.cu");
        EXPECT_EQ(ran.status, kRan) << device << "\n" << ran.output;
        EXPECT_TRUE(holds(ran, "kernels see")) << ran.output;
    }
}

}  // namespace
}  // namespace tilescope::cli
