// `tilescope pattern`, `tile` and `claims` as a user meets them: goldens at 100 columns, JSON, mistakes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scope/cli/exit_status.h"
#include "scope/report/format.h"
#include "tests/cli/tilescope_program.h"
#include "tests/places.h"
#include "tests/scratch.h"

namespace tilescope::cli {
namespace {

using Json = nlohmann::json;

// Held against tests/cli/golden/NAME, which TILESCOPE_UPDATE_GOLDENS=1 writes anew.
void expect_explorer_golden(const std::string& name, const std::string& arguments) {
    const Ran ran = run_tilescope(arguments);
    EXPECT_EQ(ran.status, kRan) << ran.output;
    const std::string file = source_dir() + "/tests/cli/golden/" + name;
    if (std::getenv("TILESCOPE_UPDATE_GOLDENS") != nullptr) std::ofstream(file) << ran.output;
    EXPECT_EQ(ran.output, file_text(file)) << name;
    if (name.ends_with(".json")) return;
    std::istringstream lines(ran.output);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(report::columns(line), 100u) << line;
}

TEST(PatternCommand, GoldensOfTextAndJson) {
    expect_explorer_golden("pattern_17.txt", "pattern 'tid*17'");
    expect_explorer_golden("pattern_column.txt", "pattern 'tid, 0'");
    expect_explorer_golden("pattern_padded.txt", "pattern 'tid, 0' --pad 1 -v");
    expect_explorer_golden("pattern_groups.txt", "pattern '(tid/8)*32 + tid%8'");
    expect_explorer_golden("pattern_double.txt", "pattern 'tid*2' --element 8");
    expect_explorer_golden("pattern_strides.txt", "pattern --strides 1..33");
    expect_explorer_golden("pattern_8.json", "pattern 'tid*8' --json");
}

TEST(PatternCommand, PicturesAndFiles) {
    const std::string folder = scratch_folder();
    const Ran ran = run_tilescope("pattern 'tid*2' --svg " + folder + "/s.svg --banks-svg " + folder +
                                  "/b.svg --json " + folder + "/p.json");
    EXPECT_EQ(ran.status, kRan) << ran.output;
    EXPECT_NE(file_text(folder + "/s.svg").find("8 sectors"), std::string::npos);
    EXPECT_NE(file_text(folder + "/b.svg").find("2 wavefronts at the banks"), std::string::npos);
    EXPECT_EQ(Json::parse(file_text(folder + "/p.json"))["shared"]["conflicts"], 1);
    EXPECT_TRUE(holds(ran, "greatest common divisor 2"));
}

TEST(PatternCommand, MistakesShowTheirPlace) {
    const Ran unknown = run_tilescope("pattern 'tdi*17'");
    EXPECT_EQ(unknown.status, kUsage);
    EXPECT_TRUE(holds(unknown, "    tdi*17\n    ^~~ [pattern-syntax]\n  hint: did you mean tid?")) << unknown.output;
    EXPECT_EQ(run_tilescope("pattern").status, kUsage);
    EXPECT_EQ(run_tilescope("pattern 'tid/0'").status, kUsage);
    EXPECT_TRUE(holds(run_tilescope("pattern tid --element 3"), "1, 2, 4, 8 or 16 bytes, not 3"));
    EXPECT_TRUE(holds(run_tilescope("pattern tid --element x"), "--element: cannot use \"x\""));
    EXPECT_TRUE(holds(run_tilescope("pattern tid --block 8,8,8"), "one or two dimensions"));
    EXPECT_TRUE(holds(run_tilescope("pattern tid --strides 1..3"), "does not name the stride"));
    EXPECT_TRUE(holds(run_tilescope("pattern --strides 1..9999999"), "at most 256 strides"));
    EXPECT_TRUE(holds(run_tilescope("pattern tid -D 3=4"), "write NAME=NUMBER"));
    EXPECT_TRUE(holds(run_tilescope("pattern tid --elemnt 4"), "did you mean `--element`?"));
    EXPECT_TRUE(holds(run_tilescope("pattern '-tid + 31'"), "goes into parentheses: '(-tid + 31)'"));
    EXPECT_EQ(run_tilescope("pattern '(-tid + 31)'").status, kRan);
    EXPECT_TRUE(holds(run_tilescope("pattern 'k*2' -D k=3"), "one broadcast serves them"));
}

TEST(TileCommand, TextAndJsonSayTheSame) {
    const Ran text = run_tilescope("tile --device a100 --n 1000");
    EXPECT_EQ(text.status, kRan) << text.output;
    EXPECT_TRUE(holds(text, "matrix product 1,000 × 1,000 by 1,000 × 1,000 · f32 · a100")) << text.output;
    EXPECT_TRUE(holds(text, "is the shortest time (estimated)")) << text.output;
    std::istringstream lines(text.output);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(report::columns(line), 100u) << line;
    const Json json = Json::parse(run_tilescope("tile --device a100 --n 1000 --json").output);
    EXPECT_EQ(json["tiles"].size(), 32u);  // 4, 5, 8, 10, 16, 20, 25, 32, with 1, 2, 4, 8 results
    for (const Json& tile : json["tiles"]) {
        EXPECT_GE(tile["microseconds"].get<double>(), json["best"]["microseconds"].get<double>());
        EXPECT_EQ(tile["padding"] == 0,
                  1000 % tile["tile"].get<int>() == 0 &&
                      1000 % (tile["tile"].get<int>() * tile["results_per_thread"].get<int>()) == 0)
            << tile;
    }
    const Json row =
        Json::parse(run_tilescope("tile --device a100 --n 1024 --tile 16 --results 1 --json").output)["tiles"][0];
    EXPECT_EQ(row["requested_elements"], 2ull * 1024 * 1024 * 1024 / 16);
    EXPECT_EQ(row["intensity"], 4.0);
    EXPECT_EQ(row["shared_bytes_per_thread"], 8.0);
    EXPECT_EQ(row["registers_from"], "estimate");
}

TEST(TileCommand, Mistakes) {
    EXPECT_TRUE(holds(run_tilescope("tile"), "which product?"));
    const Ran large = run_tilescope("tile --device a100 --n 512 --tile 40");
    EXPECT_EQ(large.status, kUsage);
    EXPECT_TRUE(holds(large, "takes 1600 threads")) << large.output;
    EXPECT_TRUE(holds(large, "hint: the nearest that fits is 32"));
    EXPECT_TRUE(holds(run_tilescope("tile --device a10 0 --n 512"), "error"));
    EXPECT_TRUE(holds(run_tilescope("tile --device a1000 --n 512"), "did you mean"));
    EXPECT_TRUE(holds(run_tilescope("tile --n 0"), "--n: cannot use \"0\""));
    EXPECT_TRUE(holds(run_tilescope("tile --n 512 --tile 8,,16"), "--tile: cannot use"));
    EXPECT_TRUE(holds(run_tilescope("tile --n 512 --type f16"), "did you mean f32?"));
    EXPECT_TRUE(holds(run_tilescope("tile --n 5 --what-if x.json"), "--n, --m and --k do not go with it"));
    EXPECT_EQ(run_tilescope("tile --what-if nowhere.json").status, kUsage);
    EXPECT_EQ(run_tilescope("tile --what-if " + source_dir() + "/tests/report/golden/sample.json:nothing").status,
              kUsage);
}

std::string claims_in(const std::string& expected) {
    const std::string file = scratch_file("claims_" + expected + ".toml");
    std::ofstream(file)
        << "title = \"Notes\"\n[runs.stride]\ncommand = [\"pattern\", \"tid*17\"]\n[runs.fit]\n"
           "command = [\"occupancy\", \"--threads\", \"64\", \"--registers\", \"27\", \"--shared\", \"4096\", "
           "\"--device\", \"textbook\"]\n"
           "[[claims]]\nsays = \"A stride of 17 words has no conflict.\"\nrun = \"stride\"\n"
           "value = \"shared.conflicts\"\nexpected = "
        << expected
        << "\n[[claims]]\nsays = \"24 blocks fit.\"\nrun = \"fit\"\nvalue = "
           "\"occupancy.blocks_per_sm\"\nexpected = 24\n";
    return file;
}

TEST(ClaimsCommand, StatusSaysWhetherAllHold) {
    const Ran good = run_tilescope("claims " + claims_in("0"));
    EXPECT_EQ(good.status, kRan) << good.output;
    EXPECT_TRUE(holds(good, "2 claims hold")) << good.output;
    const Ran bad = run_tilescope("claims " + claims_in("16"));
    EXPECT_EQ(bad.status, kClaimFailed) << bad.output;
    EXPECT_TRUE(holds(bad, "1 FAILS"));
    const Ran json = run_tilescope("claims --json - " + claims_in("16"));
    EXPECT_EQ(json.status, kClaimFailed);
    const Json said = Json::parse(json.output)["lessons"][0];
    EXPECT_EQ(said["met"], false);
    EXPECT_EQ(said["claims"][0]["verdict"], "FAILS");
    EXPECT_EQ(said["claims"][0]["found"], "0");
    EXPECT_EQ(said["claims"][1]["verdict"], "holds");
    EXPECT_EQ(run_tilescope("claims -q " + claims_in("0")).output, "");
}

TEST(ClaimsCommand, Mistakes) {
    EXPECT_EQ(run_tilescope("claims").status, kUsage);
    EXPECT_TRUE(holds(run_tilescope("claims nowhere.toml"), "cannot read this file"));
    const std::string file = scratch_file("broken.toml");
    std::ofstream(file) << "title = \n";
    const Ran broken = run_tilescope("claims " + file);
    EXPECT_EQ(broken.status, kUsage);
    EXPECT_TRUE(holds(broken, "broken.toml:1:")) << broken.output;
    // Names that stand for nothing leave a claim unknown, which is no success.
    std::ofstream(file)
        << "[runs.a]\ncommand = [\"pattern\", \"tid\"]\n[[claims]]\nsays = \"s\"\nvalue = \"no.such\"\nexpected = 1\n";
    EXPECT_EQ(run_tilescope("claims " + file).status, kClaimFailed);
}

}  // namespace
}  // namespace tilescope::cli
