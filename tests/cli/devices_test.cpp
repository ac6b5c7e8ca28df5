// `devices` as a user sees it.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scope/cli/exit_status.h"
#include "scope/models/device.h"
#include "scope/report/format.h"
#include "tests/cli/tilescope_program.h"
#include "tests/scratch.h"

namespace tilescope::cli {
namespace {

std::size_t widest(const std::string& text) {
    std::istringstream lines(text);
    std::size_t most = 0;
    for (std::string line; std::getline(lines, line);) most = std::max(most, report::columns(line));
    return most;
}

TEST(Devices, TheTableHasALineForEach) {
    const Ran ran = run_tilescope("devices");
    EXPECT_EQ(ran.status, kRan);
    for (const std::string& name : models::device_names()) EXPECT_TRUE(holds(ran, "\n" + name + " ")) << name;
    EXPECT_LE(widest(ran.output), 100U);
    EXPECT_FALSE(holds(ran, "…")) << ran.output;
    const auto json = nlohmann::json::parse(run_tilescope("devices --json").output);
    EXPECT_EQ(json.size(), models::device_names().size());
    EXPECT_EQ(json[0]["name"], models::device_names().front());
}

TEST(Devices, EachFitsTheScreenByTheme) {
    for (const std::string& name : models::device_names()) {
        const Ran ran = run_tilescope("devices " + name);
        EXPECT_EQ(ran.status, kRan);
        EXPECT_LE(widest(ran.output), 100U) << ran.output;
        EXPECT_FALSE(holds(ran, "…")) << ran.output;
        for (const char* title :
             {"\nCompute\n", "\nLimits\n", "\nMemory\n", "\nBandwidth by level\n", "\nLatency by level\n",
              "\nTime, for its model\n", "\nHost, link and managed memory, for the timeline\n",
              "\nCaches, for their model\n", "\nEnergy by level\n", "\nSources\n"})
            EXPECT_TRUE(holds(ran, title)) << name << title;
    }
}

TEST(Devices, SayWhetherApproximateFunctionsWereComparedWithTheirOwn) {
    const auto row = [](const std::string& name) {
        const std::string text = run_tilescope("devices " + name).output;
        const std::size_t at = text.find("approximate functions (__sinf, rsqrtf, ...)");
        return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
    };
    for (const char* name : {"h200", "h100"}) EXPECT_TRUE(row(name).ends_with("an H200's bits  measured")) << row(name);
    for (const char* name : {"a100", "rtx4090", "t4"})
        EXPECT_TRUE(row(name).ends_with("an H200's bits  assumed")) << row(name);
}

TEST(Devices, TheTextbooksLatenciesStandBesideTheDevicesOwn) {
    const Ran h200 = run_tilescope("devices h200");
    for (const char* row :
         {"measured; textbook 1 for a register\n", "measured; textbook 10\n", "measured; textbook 100 to 200\n",
          "measured; textbook 400 to 800\n", "measured; textbook 100\n"})
        EXPECT_TRUE(holds(h200, row)) << row << h200.output;
}

TEST(Devices, TheCachesOfAnH200AreShownAsMeasuredThere) {
    const auto json = nlohmann::json::parse(run_tilescope("devices h200 --json").output);
    const auto& turns = json["figures"]["cache_turn_sms"];
    EXPECT_EQ(turns["value"], nlohmann::json({8, 8, 16, 16, 16, 16, 16, 18, 18}));
    EXPECT_NE(turns["source"].get<std::string>().find("groups.cu on an H200"), std::string::npos);
    EXPECT_TRUE(holds(run_tilescope("devices h200"), "of L1 that a ring of lines cannot use")) << "in words, too";
    const auto pcie = nlohmann::json::parse(run_tilescope("devices h100-pcie --json").output);
    EXPECT_EQ(pcie["figures"]["cache_turn_sms"]["source"].get<std::string>().rfind("assumed", 0), 0u);
}

TEST(Devices, EachFigureSaysWhatItRestsOn) {
    const Ran h200 = run_tilescope("devices h200");
    for (const char* row :
         {"3,400 cycles  [", "] measured\n", "] published\n", "] fitted\n", "] inferred\n", "] assumed\n"})
        EXPECT_TRUE(holds(h200, row)) << row << h200.output;
    EXPECT_FALSE(holds(h200, "] stated"));
    const auto json = nlohmann::json::parse(run_tilescope("devices h100 --json").output);
    EXPECT_EQ(json["figures"]["time_barrier"]["kind"], "inferred");
    EXPECT_EQ(json["figures"]["shared_swap_try"]["kind"], "measured");
    EXPECT_EQ(json["figures"]["sm_count"]["kind"], "published");
}

TEST(Devices, FiguresAreCountedByWhatTheyRestOn) {
    const Ran all = run_tilescope("devices --figures");
    EXPECT_EQ(all.status, kRan);
    EXPECT_LE(widest(all.output), 100U);
    for (const char* kind : {"measured", "published", "fitted", "inferred", "assumed"})
        EXPECT_TRUE(holds(all, kind)) << all.output;
    std::istringstream lines(all.output);
    std::string line;
    std::getline(lines, line);
    std::size_t devices = 0;
    for (; std::getline(lines, line); ++devices) {
        std::istringstream words(line);
        std::string name;
        unsigned whole = 0, sum = 0;
        words >> name >> whole;
        for (unsigned one = 0; words >> one;) sum += one;
        EXPECT_EQ(sum, whole) << line;
        const Ran one = run_tilescope("devices --figures " + name);
        EXPECT_TRUE(holds(one, name + ": " + std::to_string(whole) + " figures by what they rest on\n")) << one.output;
        EXPECT_LE(widest(one.output), 100U) << one.output;
    }
    EXPECT_EQ(devices, models::device_names().size());
    EXPECT_EQ(run_tilescope("devices h200 --figures --json").status, kUsage);
}

// Row M7: shown, with its figures.
TEST(Devices, RegistersAreHeldAgainstDeviceMemory) {
    const Ran h200 = run_tilescope("devices h200");
    EXPECT_TRUE(holds(h200, "535.3 TB/s  112× DRAM")) << h200.output;
    EXPECT_TRUE(holds(h200, "DRAM over a register                               156×")) << h200.output;
    const Ran b200 = run_tilescope("devices b200");
    EXPECT_TRUE(holds(b200, "74.4× DRAM")) << b200.output;
    EXPECT_FALSE(holds(b200, "over a register")) << b200.output;  // unknown: nothing is concluded
}

TEST(Devices, TheA100IsTheTextbooks) {
    const Ran ran = run_tilescope("devices a100-40gb");
    for (const char* text : {"a100: NVIDIA A100-SXM4-40GB", "1.555 TB/s", "19.5 TFLOP/s", "156 TFLOP/s",
                             "12.5 FLOP/byte", "compute capability                                 8.0"})
        EXPECT_TRUE(holds(ran, text)) << text << "\n" << ran.output;
}

TEST(Devices, AFileOverABaseShowsWhatItBecame) {
    const std::string file = scratch_file("own_device.json");
    std::ofstream(file) << R"({"name": "own", "product": "Own", "description": "small", "base": "cc/8.9", "figures": {
        "sm_count": {"value": 3, "unit": "SMs", "source": "counted, 2026"},
        "clock": {"value": 1000000, "unit": "kHz", "source": "counted, 2026"},
        "dram_size": {"value": 1073741824, "unit": "bytes", "source": "counted, 2026"}}})";
    const Ran ran = run_tilescope("devices " + file);
    EXPECT_EQ(ran.status, kRan) << ran.output;
    EXPECT_TRUE(holds(ran, "3 SMs") && holds(ran, "100 KiB") && holds(ran, "counted, 2026")) << ran.output;
    EXPECT_FALSE(holds(ran, "FLOP/byte")) << ran.output;
    const auto whole = nlohmann::json::parse(run_tilescope("devices --json " + file).output);
    EXPECT_FALSE(whole.contains("base"));
    EXPECT_EQ(whole["figures"]["max_threads_per_sm"]["value"], 1536);
    std::remove(file.c_str());
}

TEST(Devices, AMistypedNameIsAnsweredWithTheNearest) {
    const Ran ran = run_tilescope("devices rtx4900");
    EXPECT_EQ(ran.status, kUsage);
    EXPECT_TRUE(holds(ran, "did you mean rtx")) << ran.output;
}

}  // namespace
}  // namespace tilescope::cli
