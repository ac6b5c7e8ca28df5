// Energy, the mix of instructions and the table of variables, as text and data.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "scope/report/fold.h"
#include "scope/report/json.h"
#include "scope/views/view.h"

namespace tilescope::report {
namespace {

LaunchProfile a_launch() {
    LaunchProfile launch;
    launch.kernel = "k(float const*, float*)";
    launch.entry = "_Z1k";
    launch.grid = {8, 1, 1};
    launch.block = {128, 1, 1};
    launch.counters[Counter::kInstructions] = 100;
    launch.counters[Counter::kIntegerInstructions] = 50;
    launch.counters[Counter::kMemoryInstructions] = 30;
    launch.counters[Counter::kFloatInstructions] = 20;
    launch.counters[Counter::kGlobalLoadInstructions] = 20;
    launch.counters[Counter::kSharedStoreInstructions] = 10;
    launch.variables = {
        {"registers", VariableSpace::kRegister, 72, 1024, VariableScope::kThread, VariableLifetime::kGrid},
        {"local arrays", VariableSpace::kLocal, 32, 1024, VariableScope::kThread, VariableLifetime::kGrid},
        {"tile", VariableSpace::kShared, 512, 8, VariableScope::kBlock, VariableLifetime::kGrid, {128}},
        {"table", VariableSpace::kConstant, 64, 1, VariableScope::kGrid, VariableLifetime::kApplication}};
    launch.automatic_variables = {{"i", "unsigned int", {}, 4, VariableSpace::kRegister, false},
                                  {"x", "float", {4}, 16, VariableSpace::kRegister, false},
                                  {"mine", "int", {8}, 32, VariableSpace::kLocal, false}};
    launch.shared_reuse = {{"tile", 0, 512, 4096, 3072, true}};
    BufferReuse a;
    a.parameter = 0;
    a.name = "a";
    a.bytes = 16384;
    a.tiling.requested_bytes = 32768;
    a.tiling.unique_bytes = 16384;
    launch.buffers = {a};
    launch.tiling = a.tiling;
    launch.energy = EnergyProfile{12.5,
                                  {{EnergyLevel::kRegisters, 1000, 0.5, 2.5, 0.2},
                                   {EnergyLevel::kL1, 320, {}, 0, 0},
                                   {EnergyLevel::kDram, 8000, 125, 10, 0.8}}};
    return launch;
}

Profile a_program() {
    Profile profile;
    profile.program = "k.cu";
    profile.launches = {a_launch()};
    return profile;
}

std::string in_full(const Profile& profile, std::size_t width = 100) {
    views::ViewOptions options;
    options.verbose = true;
    options.width = width;
    return views::text_view(profile, options);
}

TEST(EnergyRow, ChoosesThePrefixByTheSum) {
    Profile profile = a_program();
    profile.launches[0].energy->microjoules = 14387.7;
    EXPECT_NE(in_full(profile).find("about 14.4 mJ to move its bytes"), std::string::npos);
    profile.launches[0].energy->microjoules = 2.5e6;
    EXPECT_NE(in_full(profile).find("about 2.5 J to move its bytes"), std::string::npos);
}

TEST(Effort, VariablesAreATable) {
    const std::string text = in_full(a_program());
    for (const char* row : {"name", "space", "scope", "lifetime", "read by others\n", "72 B × 1,024 = 74 kB",
                            "512 B × 8 = 4.1 kB", "75 %\n", "x[4]", "mine[8]", "requests per element: a 2.0\n",
                            "in registers (all indices are constant after unrolling): x[4]\n",
                            "in local memory (an index is known only at run time): mine[8]\n"})
        EXPECT_NE(text.find(row), std::string::npos) << row << "\n" << text;
    const auto line_of = [&](const std::string& name) {
        const std::size_t at = text.find("\n                 " + name + " ");
        return at == std::string::npos ? std::string() : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
    };
    EXPECT_NE(line_of("i").find("register  thread    thread"), std::string::npos) << line_of("i") << text;
    EXPECT_NE(line_of("tile[128]").find("shared   block     block"), std::string::npos) << line_of("tile[128]");
    EXPECT_NE(line_of("table").find("constant    grid   program"), std::string::npos) << line_of("table");
    EXPECT_NE(line_of("a").find("global    grid   program"), std::string::npos) << line_of("a");
    EXPECT_EQ(views::text_view(a_program(), {}).find("lifetime"), std::string::npos) << "a short report has one line";
}

TEST(Effort, InstructionsAreCountedByKind) {
    const std::string text = in_full(a_program());
    EXPECT_NE(text.find("100 warp instructions: 50 % integer, 30 % memory, 20 % floating point\n"), std::string::npos)
        << text;
    EXPECT_NE(text.find("20 global loads, 10 shared stores; values in registers need none\n"), std::string::npos)
        << text;
    EXPECT_EQ(in_full(Profile{}).find("instructions"), std::string::npos);
}

TEST(Effort, EnergyIsAnEstimateThatSaysWhatIsNotKnown) {
    const std::string text = in_full(a_program(), 200);
    EXPECT_NE(text.find("about 12.5 µJ to move its bytes: 80 % DRAM (125 pJ/B), 20 % registers (0.5 pJ/B); no cost "
                        "per byte known for L1 (estimated)\n"),
              std::string::npos)
        << text;
    const auto json = nlohmann::json::parse(to_json(a_program()))["launches"][0];
    EXPECT_EQ(json["energy"]["microjoules"], 12.5);
    EXPECT_EQ(json["energy"]["levels"][2]["level"], "dram");
    EXPECT_FALSE(json["energy"]["levels"][1].contains("microjoules"));
    EXPECT_EQ(json["automatic_variables"][1]["extents"], nlohmann::json({4}));
    const auto back = from_json(to_json(a_program()), "profile");
    ASSERT_TRUE(back) << render(back.errors());
    EXPECT_EQ(back->launches[0].energy, a_launch().energy);
    EXPECT_EQ(back->launches[0].automatic_variables, a_launch().automatic_variables);
}

TEST(Effort, EnergyOfLaunchesTogetherIsTheirSum) {
    Profile profile = a_program();
    LaunchProfile other = a_launch();
    other.index = 1;
    other.counters[Counter::kInstructions] = 200;
    other.energy->parts.erase(other.energy->parts.begin());
    other.energy->microjoules = 10;
    profile.launches.push_back(other);
    const Profile folded = fold(profile);
    ASSERT_TRUE(folded.launches[0].energy);
    const EnergyProfile& sum = *folded.launches[0].energy;
    EXPECT_DOUBLE_EQ(sum.microjoules, 22.5);
    ASSERT_EQ(sum.parts.size(), 3u);
    EXPECT_EQ(sum.parts[2].bytes, 16000u);
    EXPECT_DOUBLE_EQ(sum.parts[2].share, 20 / 22.5);
    EXPECT_EQ(sum.parts[0].bytes, 1000u);
    other.energy.reset();
    profile.launches.push_back(other);
    EXPECT_FALSE(fold(profile).launches[0].energy) << "of one nothing is known";
}

}  // namespace
}  // namespace tilescope::report
