// `tilescope occupancy` as a user meets it: the textbook's exercises as goldens, every way to name a kernel, mistakes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scope/cli/exit_status.h"
#include "tests/cli/tilescope_program.h"
#include "tests/places.h"
#include "tests/scratch.h"

namespace tilescope::cli {
namespace {

using Json = nlohmann::json;

const std::string kSource = source_dir();
const std::string kSampleProfile = kSource + "/tests/report/golden/sample.json";
const std::string kPtx = kSource + "/tests/cli/data/copy.ptx";

// Held against tests/cli/golden/NAME, which TILESCOPE_UPDATE_GOLDENS=1 writes anew.
void expect_occupancy_golden(const std::string& name, const Ran& ran) {
    EXPECT_EQ(ran.status, kRan) << ran.output;
    const std::string file = kSource + "/tests/cli/golden/" + name;
    if (std::getenv("TILESCOPE_UPDATE_GOLDENS") != nullptr) std::ofstream(file) << ran.output;
    EXPECT_EQ(ran.output, file_text(file)) << name;
}

TEST(OccupancyCommand, TheTextbooksExercises) {
    expect_occupancy_golden(
        "occupancy_shared_limits.txt",
        run_tilescope("occupancy --threads 64 --registers 27 --shared 4096 --device textbook --curve none"));
    expect_occupancy_golden(
        "occupancy_full.txt",
        run_tilescope("occupancy --threads 256 --registers 31 --shared 8192 --device textbook --curve none"));
    expect_occupancy_golden("occupancy_three_answers.txt",
                            run_tilescope("occupancy --threads 256 --shared 32768 --device a100 --curve none"));
    expect_occupancy_golden("occupancy_three_answers.json",
                            run_tilescope("occupancy --threads 256 --shared 32k --device a100 --curve shared --json"));
    expect_occupancy_golden("occupancy_sweep.txt", run_tilescope("occupancy --threads 256 --registers 40 --shared 2048 "
                                                                 "--shared-per-thread --sweep --curve none"));
}

TEST(OccupancyCommand, WavesOfAGridAndLanesWithoutAThread) {
    const Ran waves = run_tilescope("occupancy --threads 256 --registers 32 --device h200 --grid 4096 --curve none");
    EXPECT_TRUE(holds(waves, "4,096 blocks: 3 full waves of 1,056, then 928 (88 % of a wave)")) << waves.output;
    const Ran json =
        run_tilescope("occupancy --threads 256 --registers 32 --device h200 --grid 100 --curve none --json");
    EXPECT_EQ(Json::parse(json.output)["occupancy"]["waves"]["idle_sms"], 32);
    const Ran lanes = run_tilescope("occupancy --threads 33 --registers 16 --device h200 --curve none");
    EXPECT_TRUE(holds(lanes, "threads in their 2,048 lanes")) << lanes.output;
    EXPECT_FALSE(holds(waves, "lanes"));
}

TEST(OccupancyCommand, NumbersAreThoseOfTheSource) {
    const Ran shared = run_tilescope("occupancy --threads 64 --registers 27 --shared 4096 --device textbook");
    EXPECT_TRUE(holds(shared, "24 blocks, 1,536 of 2,048 threads: 75 %, limited by shared memory"));
    EXPECT_TRUE(holds(shared, "24 blocks on an SM, 48 of 64 warps: 75 %, limited by shared memory"));
    const Ran full = run_tilescope("occupancy --threads 256 --registers 31 --shared 8192 --device textbook");
    EXPECT_TRUE(holds(full, "8 blocks on an SM, 64 of 64 warps: 100 %"));
    const Ran three = run_tilescope("occupancy --threads 256 --shared 32768 --device a100");
    EXPECT_TRUE(holds(three, "4 blocks on an SM, 32 of 64 warps: 50 %"));
    EXPECT_TRUE(holds(three, "5 blocks, 1,280 of 2,048 threads: 62.5 %"));
    EXPECT_TRUE(holds(three, "1,312 threads, 64.1 %"));
    EXPECT_TRUE(holds(three, "at most 82.0 bytes of shared memory per thread: 167,936 / 2,048 (80.08 if"));
    EXPECT_TRUE(holds(three, "The driver reserves 1,024 bytes of shared memory per block"));
}

TEST(OccupancyCommand, WithoutABlockSizeAnswersForAllOfThem) {
    const Ran ran = run_tilescope("occupancy --registers 40 --device t4");
    EXPECT_EQ(ran.status, kRan) << ran.output;
    for (const char* size : {"\n        32 ", "\n       256 ", "\n     1,024 "})
        EXPECT_TRUE(holds(ran, size)) << size << ran.output;
    EXPECT_TRUE(holds(run_tilescope("occupancy --shared 48KB --device a100"), "49,152 bytes"));
    EXPECT_EQ(run_tilescope("occupancy").status, kUsage);
}

TEST(OccupancyCommand, ADeviceAloneSaysWhatItLimits) {
    const Ran a100 = run_tilescope("occupancy --device a100");
    expect_occupancy_golden("occupancy_device.txt", a100);
    EXPECT_TRUE(holds(
        a100,
        "at most 82.0 bytes of shared memory per thread: 167,936 / 2,048 (80.08 if a KB\n                  were"));
    EXPECT_TRUE(holds(a100, "at most 32 registers per thread: 65,536 / 2,048"));
    EXPECT_TRUE(holds(a100, "at least 64 threads per block: 2,048 / 32"));
    const Json json = Json::parse(run_tilescope("occupancy --device a100 --json").output);
    EXPECT_EQ(json["limits"]["shared_bytes_per_sm"], 167936);
    EXPECT_EQ(json["full_occupancy"]["shared_bytes_per_thread"], 82.0);
    EXPECT_EQ(json["full_occupancy"]["by_block_size"][3]["shared_bytes_per_thread"], 78.0);
    EXPECT_EQ(json["full_occupancy"]["by_block_size"][3]["registers_per_thread"], 32);
    EXPECT_TRUE(
        holds(run_tilescope("occupancy --threads 2048 --device a100"), "textbook        no block fits, either"));
    // Of the textbook's SM nothing is kept by the driver: 96 KB over 2,048 threads for every size that fills it.
    EXPECT_TRUE(holds(run_tilescope("occupancy --device textbook"), "at most 48.0 bytes of shared memory per thread"));
    const Ran unknown = run_tilescope("occupancy --device a10O");
    EXPECT_EQ(unknown.status, kUsage);
    EXPECT_TRUE(holds(unknown, "a100")) << unknown.output;
}

TEST(OccupancyCommand, DrawsWhatIsResident) {
    const Ran ran = run_tilescope("occupancy --threads 96 --registers 41 --shared 8k --device a100 --curve resident");
    EXPECT_TRUE(holds(ran, "Resident on an SM at a time: 13 blocks, A to M; · is free\n")) << ran.output;
    EXPECT_TRUE(holds(ran, "  part 0      ABCEFGIJKM······  16 warps at most; one issues each cycle\n")) << ran.output;
    EXPECT_TRUE(holds(ran, "  part 3      BCDFGHJKL·······\n")) << ran.output;
    EXPECT_TRUE(holds(ran, "  4,608 of 65,536\n")) << ran.output;
    EXPECT_TRUE(holds(ran, "  9,216 of 167,936 B\n")) << ran.output;
    EXPECT_FALSE(holds(ran, "Occupancy by"));
    const Ran one = run_tilescope("occupancy --threads 1024 --shared 90k --device a100");
    EXPECT_TRUE(holds(one, "1 block, A; · is free")) << one.output;
    EXPECT_TRUE(holds(one, "Occupancy by block size"));
    EXPECT_FALSE(holds(run_tilescope("occupancy --threads 1024 --registers 65 --curve resident"), "Resident"));
}

TEST(OccupancyCommand, DrawsTheCurvesWithTheKernelsPoint) {
    const Ran all = run_tilescope("occupancy --threads 256 --shared 32768 --device a100");
    EXPECT_TRUE(holds(all, "Occupancy by block size\n"));
    EXPECT_TRUE(holds(all, "Occupancy by registers\n"));
    EXPECT_TRUE(holds(all, "Occupancy by shared memory\n"));
    EXPECT_TRUE(holds(all, "this kernel: 32 warps at 256\n")) << all.output;
    EXPECT_TRUE(holds(all, "this kernel: 32 warps at 32,768\n"));
    EXPECT_TRUE(holds(all, "●"));
    const Ran one = run_tilescope("occupancy --threads 256 --registers 35 --device h200 --curve registers");
    EXPECT_TRUE(holds(one, "this kernel: 48 warps at 35\n")) << one.output;
    EXPECT_FALSE(holds(one, "Occupancy by block size"));
}

TEST(OccupancyCommand, FitsAHundredColumns) {
    for (const char* options :
         {"--threads 256 --registers 40 --shared 40000 --carveout 50 --sweep --device h200",
          "--threads 1000 --registers 255 --shared 12345 --dynamic-shared 54321 --barriers 16 --device rtx5090",
          "--threads 100000 --registers 300 --shared 1M --device v100", "--threads 32 --device textbook",
          "--device textbook", "--device rtx5090", "--help"}) {
        std::istringstream text(run_tilescope(std::string("occupancy ") + options).output);
        for (std::string line; std::getline(text, line);) {
            if (line.starts_with("tilescope: ") || line.starts_with("  hint: "))
                continue;  // standard error wraps itself
            const auto columns = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; });
            EXPECT_LE(columns, 100) << line;
        }
    }
}

TEST(OccupancyCommand, TakesAKernelFromAProfile) {
    // The profile brings its device, its block and its registers.
    const Ran tiled = run_tilescope("occupancy --curve none --kernel " + kSampleProfile + ":tiled");
    EXPECT_TRUE(holds(tiled, "tiled(float const*, float const*, float*, int)")) << tiled.output;
    EXPECT_TRUE(holds(tiled, "h200, compute capability 9.0"));
    EXPECT_TRUE(holds(tiled, "256 threads per block, 32 registers per thread (estimated), 2,048 bytes"));
    EXPECT_TRUE(holds(tiled, "this kernel: 8.0 bytes and 32 registers per thread"));
    // What is given on the command line replaces what the file says.
    const Ran other =
        run_tilescope("occupancy --curve none --registers 64 --device t4 --kernel " + kSampleProfile + ":1");
    EXPECT_TRUE(holds(other, "t4, compute capability 7.5")) << other.output;
    EXPECT_TRUE(holds(other, "64 registers per thread, 2,048 bytes"));
    EXPECT_TRUE(holds(run_tilescope("occupancy --kernel " + kSampleProfile + ":99"), "there is no launch 99"));
}

TEST(OccupancyCommand, TakesAKernelFromPtx) {
    const Ran ran = run_tilescope("occupancy --curve none --threads 128 --kernel " + kPtx + ":twice");
    EXPECT_EQ(ran.status, kRan) << ran.output;
    EXPECT_TRUE(holds(ran, "128 threads per block"));
    EXPECT_TRUE(holds(ran, "16 blocks on an SM, 64 of 64 warps: 100 %")) << ran.output;
    // Without a block size the best is taken, and it says so.
    const Ran best = run_tilescope("occupancy --curve none --kernel " + kPtx + ":twice");
    EXPECT_TRUE(holds(best, "1,024 threads per block (the best; --threads takes yours)")) << best.output;
}

TEST(OccupancyCommand, AnAmbiguousNameListsWhatItMayMean) {
    const Ran several = run_tilescope("occupancy --kernel " + kPtx);
    EXPECT_EQ(several.status, kUsage);
    EXPECT_TRUE(holds(several, "there are several kernels in this file; name one as " + kPtx + ":NAME"))
        << several.output;
    EXPECT_TRUE(holds(several, "kernels: "));
    const Ran matching = run_tilescope("occupancy --kernel '" + kSampleProfile + ":*'");
    EXPECT_EQ(matching.status, kUsage);
    EXPECT_TRUE(holds(matching, "several kernels match \"*\"")) << matching.output;
    EXPECT_TRUE(holds(matching, "0: naive(float const*, float const*, float*, int) in blocks of 16×16"));
    EXPECT_TRUE(holds(run_tilescope("occupancy --kernel " + kPtx + ":thrice"), "there is no kernel \"thrice\""));
}

TEST(OccupancyCommand, ABlockThatDoesNotFitSaysWhyAndWhatWould) {
    const Ran registers = run_tilescope("occupancy --threads 1024 --registers 65 --curve none");
    EXPECT_EQ(registers.status, kUsage);
    EXPECT_TRUE(holds(registers,
                      "no block of this kernel fits on the h200: one takes 73,728 registers, and an SM has "
                      "65,536 [cli-no-fit]"))
        << registers.output;
    EXPECT_TRUE(holds(registers, "what would fit  1 register fewer per thread (64): 1 block, 50 %"));
    const Ran threads = run_tilescope("occupancy --threads 2000 --curve none");
    EXPECT_TRUE(holds(threads, "a block may have 1,024 threads, and this one has 2,000"));
    const Ran shared = run_tilescope("occupancy --threads 32 --shared 230k --curve none --device h200");
    EXPECT_TRUE(holds(shared, "a block may have 232,448 bytes of shared memory, and this one has 235,520"));
    EXPECT_TRUE(holds(shared, "3,072 bytes less shared memory per block (232,448): 1 block"));
}

TEST(OccupancyCommand, MistakesAreNamed) {
    for (const char* arguments :
         {"", "--threads 0", "--threads -3", "--threads 1.5", "--threads 32 --registers 2000000",
          "--threads 32 --shared 1x", "--threads 32 --carveout 101", "--threads 32 --barriers 17",
          "--threads 32 --curve all", "--threads 32 --device h900", "--kernel /no/such.cu:x",
          "--kernel /no/such.json:x", "--threads 32 --svg x.svg --curve none", "--threads 32 --svg /no/such/x.svg"}) {
        const Ran ran = run_tilescope(std::string("occupancy ") + arguments);
        EXPECT_EQ(ran.status, kUsage) << arguments << "\n" << ran.output;
        EXPECT_TRUE(holds(ran, "error: ")) << arguments << "\n" << ran.output;
    }
}

TEST(OccupancyCommand, WritesJsonAndAPicture) {
    const std::string json = scratch_file("occupancy.json"), svg = scratch_file("occupancy.svg");
    const Ran ran = run_tilescope("occupancy --threads 192 --registers 50 --shared 6000 --device l4 --json " + json +
                                  " --svg " + svg);
    EXPECT_EQ(ran.status, kRan) << ran.output;
    EXPECT_TRUE(holds(ran, "blocks on an SM"));
    const Json written = Json::parse(file_text(json));
    EXPECT_EQ(written["device"], "l4");
    EXPECT_EQ(written["compute_capability"], "8.9");
    EXPECT_EQ(written["kernel"]["registers_per_thread"], 50);
    EXPECT_EQ(written["occupancy"]["blocks_per_sm"], written["block_sizes"][5]["blocks_per_sm"]);
    EXPECT_EQ(written["curves"].size(), 3U);
    ASSERT_EQ(written["charts"].size(), 3U);
    EXPECT_EQ(written["charts"][1]["kind"], "chart");
    EXPECT_EQ(written["table"]["threads"][5], written["occupancy"]["by"]["threads"]);
    EXPECT_EQ(written["occupancy"]["by"]["threads"], 8);
    // What a page draws it with comes with a picture alone.
    EXPECT_EQ(run_tilescope("occupancy --threads 192 --registers 50 --device l4 --json " + json).status, kRan);
    EXPECT_FALSE(Json::parse(file_text(json)).contains("charts"));
    const std::string picture = file_text(svg);
    EXPECT_TRUE(picture.starts_with("<svg "));
    std::size_t documents = 0;
    for (std::size_t at = picture.find("<svg "); at != std::string::npos; at = picture.find("<svg ", at + 1))
        ++documents;
    EXPECT_EQ(documents, 4U);  // three in one
    EXPECT_NE(picture.find("Occupancy by registers"), std::string::npos);
    std::remove(json.c_str());
    std::remove(svg.c_str());
}

}  // namespace
}  // namespace tilescope::cli
