// `tilescope roofline` as a user meets it. TILESCOPE_UPDATE_GOLDENS=1 writes the expected outputs anew.
#include <gtest/gtest.h>

#include <cstdio>
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

const std::string kData = source_dir() + "/tests/cli/data/";
const std::string kProductsProfile = kData + "products.json";

void expect_roofline_golden(const std::string& name, const std::string& arguments) {
    const Ran ran = run_tilescope(arguments);
    EXPECT_EQ(ran.status, kRan) << ran.output;
    if (std::getenv("TILESCOPE_UPDATE_GOLDENS") != nullptr) {
        std::ofstream(kData + name, std::ios::binary) << ran.output;
        return;
    }
    EXPECT_EQ(ran.output, file_text(kData + name)) << "differs from " << kData + name;
}

TEST(Roofline, PrintsWhatIsExpected) {
    expect_roofline_golden("roofline_a100.txt", "roofline --intensity 0.25 --device a100");
    expect_roofline_golden("roofline_toy_memory.txt", "roofline --flop 36 --bytes 28 --peak 200G --bandwidth 100G");
    expect_roofline_golden("roofline_toy_compute.txt", "roofline --flop 36 --bytes 28 --peak 300G --bandwidth 250G");
    expect_roofline_golden("roofline_products.txt", "roofline " + kProductsProfile);
    expect_roofline_golden("roofline_measured.txt",
                           "roofline " + kProductsProfile + " --kernel naive --microseconds 57.824");
}

TEST(Roofline, PrintsTheFiguresOfTheTextbooks) {
    const std::string a100 = run_tilescope("roofline --intensity 0.25 --device a100").output;
    for (const char* figure :
         {"389 GFLOP/s (388.75)", "2 % (1.994 %) of 19,500 GFLOP/s fp32", "12.5 FLOP/B (12.5402)",
          "about 50 FLOP per 4-byte value (50.1608)", "0.25 % (0.2492 %)", "156,000", "64 × 64 would suffice"})
        EXPECT_NE(a100.find(figure), std::string::npos) << figure << "\n" << a100;
    const std::string tensor = run_tilescope("roofline --intensity 0.25 --device a100 --type tf32").output;
    EXPECT_NE(tensor.find("0.25 % (0.2492 %) of 156,000 GFLOP/s tf32"), std::string::npos) << tensor;
}

TEST(Roofline, FitsAHundredColumns) {
    for (const char* arguments :
         {"--intensity 0.25 --device a100", "--flop 36 --bytes 28 --bandwidth 100G",
          "--flop 36 --bytes 28 --device b200 --type int8",
          "--intensity a=0.0012345678 --intensity b=987654321 --intensity c=3 --intensity d=4"}) {
        std::istringstream text(run_tilescope(std::string("roofline ") + arguments).output);
        for (std::string line; std::getline(text, line);) EXPECT_LE(report::columns(line), 100U) << line;
    }
    std::istringstream text(run_tilescope("roofline " + kProductsProfile).output);
    for (std::string line; std::getline(text, line);) EXPECT_LE(report::columns(line), 100U) << line;
}

TEST(Roofline, ADeviceWithoutRatesIsToldWhatIsMissing) {
    const std::string file = scratch_file("roofline_blind.json");
    std::ofstream(file) << R"({"name": "blind", "product": "p", "description": "d", "base": "h100",
                               "figures": {"dram_bandwidth": null, "peak_fp32": null}})";
    const std::string profile = "roofline " + kProductsProfile + " --kernel naive --device " + file;
    const std::string text = run_tilescope(profile).output;
    for (const char* part : {"DRAM not known", "268,435,456 FLOP, fp32", "0.25 FLOP/B (0.249756)", "1,074,790,400 B",
                             "the rate of fp32 and the bandwidth of DRAM are not known", "--bandwidth"})
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    for (const char* part : {"bound", "ridge", "Roofline of"}) EXPECT_EQ(text.find(part), std::string::npos) << text;
    const Json json = Json::parse(run_tilescope(profile + " --json -").output);
    EXPECT_FALSE(json["kernels"][0].contains("roofline"));
    EXPECT_EQ(json["kernels"][0]["unknown"], Json({"fp32", "dram"}));
    // Both can be given.
    const Ran told = run_tilescope(profile + " --peak 66.9T --bandwidth 3.35T");
    EXPECT_NE(told.output.find("Memory-bound"), std::string::npos) << told.output;
    std::remove(file.c_str());
}

TEST(Roofline, AMeasuredTimeIsJudged) {
    const std::string truth =
        run_tilescope("roofline " + kProductsProfile + " --kernel naive --microseconds 57.824").output;
    EXPECT_NE(truth.find("4.64 TFLOP/s"), std::string::npos) << truth;
    EXPECT_NE(truth.find("caches caught"), std::string::npos) << truth;
    EXPECT_NE(run_tilescope("roofline --intensity 0.25 --achieved 380 --device a100").output.find("on the slope"),
              std::string::npos);
    // A suffix makes it FLOP/s.
    const std::string bare = run_tilescope("roofline --intensity 0.25 --achieved 380").output;
    EXPECT_NE(bare.find("380 GFLOP/s"), std::string::npos) << bare;
    EXPECT_EQ(run_tilescope("roofline --intensity 0.25 --achieved 380G").output, bare);
}

TEST(Roofline, WritesDataAndPictures) {
    const Json json = Json::parse(run_tilescope("roofline " + kProductsProfile + " --json -").output);
    EXPECT_EQ(json["device"], "h200");
    EXPECT_EQ(json["kernels"].size(), 2U);
    EXPECT_EQ(json["kernels"][1]["roofline"]["bound"], "shared");
    EXPECT_EQ(json["kernels"][0]["roofline"]["points"][0]["bytes"], 1'074'790'400);
    EXPECT_EQ(json["slopes"][0]["level"], "dram");
    EXPECT_EQ(json["ceilings"][1]["type"], "fp32");
    const Json thought = Json::parse(run_tilescope("roofline --intensity 0.25 --device a100 --json -").output);
    EXPECT_EQ(thought["kernels"][0]["roofline"]["attainable"], 388.75e9);
    EXPECT_FALSE(thought["kernels"][0]["roofline"]["points"][0].contains("bytes"));
    const std::string file = scratch_file("roofline_test.svg");
    EXPECT_EQ(run_tilescope("roofline --intensity 0.25 --device a100 --svg " + file).status, kRan);
    EXPECT_EQ(file_text(file), run_tilescope("roofline --intensity 0.25 --device a100 --svg -").output);
    EXPECT_EQ(file_text(file).find("<svg "), 0U);
    std::remove(file.c_str());
}

TEST(Roofline, TheDocumentsPictureIsThisCommands) {
    EXPECT_EQ(
        run_tilescope("roofline --device a100 --intensity naive=0.25 --intensity '16 × 16 tiles=4' --svg -").output,
        file_text(source_dir() + "/docs/images/roofline-a100.svg"));
}

TEST(Roofline, WrongUsageIsStatusTwoWithAReason) {
    const std::pair<std::string, const char*> cases[] = {
        {"", "nothing to place under the roofs"},
        {"--flop 36", "--flop and --bytes go together"},
        {"--bytes 36", "--flop and --bytes go together"},
        {"--intensity 0", "cannot use \"0\""},
        {"--intensity naive=x", "cannot use \"x\""},
        {"--intensity nan", "cannot use \"nan\""},
        {"--intensity 1e400", "cannot use"},
        {"--intensity 1 --type fp31", "unknown type \"fp31\""},
        {"--intensity 1 --type fp8 --device a100", "unknown rate of fp8 on a100"},
        {"--intensity 1 --device nosuch", "nosuch"},
        {"--intensity 1 --device ''", "--device: its value is empty"},
        {"--intensity 1 --peak 0", "--peak"},
        {"--intensity 1 --microseconds 3", "--microseconds needs --flop and --bytes"},
        {"--intensity 1 --intensity 2 --achieved 3", "is of one kernel, and there are 2"},
        {"--flop 1 --bytes 1 --achieved 3 --microseconds 3", "say the same"},
        {kProductsProfile + " --intensity 1", "not both"},
        {kProductsProfile + " --kernel nosuch", "no counted launch that --kernel selects"},
        {"/no/such.json", "cannot read this profile: No such file or directory"},
        {"/dev/null", "not a JSON object"},  // an empty file
    };
    for (const auto& [arguments, reason] : cases) {
        const Ran ran = run_tilescope("roofline " + arguments);
        EXPECT_EQ(ran.status, kUsage) << arguments << "\n" << ran.output;
        EXPECT_NE(ran.output.find(reason), std::string::npos) << arguments << "\n" << ran.output;
    }
}

TEST(Roofline, KernelsWithoutArithmeticHaveNoPlace) {
    const std::string file = scratch_file("roofline_copy.json");
    Json json = Json::parse(file_text(kProductsProfile));
    json["launches"].erase(1);
    json["launches"][0]["counters"].erase("fp32_fma");
    std::ofstream(file) << json.dump();
    const Ran ran = run_tilescope("roofline " + file);
    EXPECT_EQ(ran.status, kRan);
    EXPECT_NE(ran.output.find("no floating-point work"), std::string::npos) << ran.output;
    EXPECT_NE(ran.output.find("request take 224 µs of DRAM's time"), std::string::npos) << ran.output;
    EXPECT_EQ(ran.output.find("FLOP/s\n"), std::string::npos) << "no chart without a point";
    std::remove(file.c_str());
}

TEST(Roofline, ColourIsOnlyThereWhenAskedFor) {
    EXPECT_EQ(run_tilescope("roofline --intensity 1").output.find('\x1b'), std::string::npos);
    EXPECT_NE(run_tilescope("roofline --intensity 1 --color always").output.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace tilescope::cli
