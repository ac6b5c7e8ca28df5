// The program as a user meets it: arguments in, output and exit status out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scope/cli/exit_status.h"
#include "scope/cli/version.h"
#include "scope/image/toolkit_flags.h"
#include "scope/models/advice.h"
#include "scope/models/advice_program.h"
#include "scope/report/counters.h"
#include "scope/report/glossary.h"
#include "scope/report/metrics.h"
#include "scope/report/ratios.h"
#include "tests/cli/tilescope_program.h"
#include "tests/places.h"
#include "tests/scratch.h"

namespace tilescope::cli {
namespace {

const std::string kSample = source_dir() + "/tests/report/golden/sample.json";

TEST(Commands, HelpListsAllOfThem) {
    const Ran help = run_tilescope("--help");
    EXPECT_EQ(help.status, kRan);
    for (const char* name : {"run", "launch", "devices", "report", "occupancy", "roofline", "compare", "explain",
                             "trace", "lesson", "pattern", "tile", "claims", "sweep", "grade"})
        EXPECT_NE(help.output.find(std::string("\n  ") + name + " "), std::string::npos) << name;
    EXPECT_EQ(help.output.find("generate-man"), std::string::npos);
    EXPECT_EQ(run_tilescope("").output, help.output);
    for (const char* name : {"run", "launch", "devices", "report"})
        EXPECT_NE(run_tilescope(std::string(name) + " --help").output.find("Usage: tilescope " + std::string(name)),
                  std::string::npos);
    EXPECT_NE(run_tilescope("run --help").output.find("[PROGRAM] [-- ARG...]"), std::string::npos);
    EXPECT_EQ(run_tilescope("--version").output.find("tilescope 0."), 0U);
}

TEST(Commands, ShortHelpListsTenOptionsAndHelpAllOfThem) {
    for (const std::string name : {"run", "check", "launch", "trace"}) {
        const Ran brief = run_tilescope(name + " -h"), whole = run_tilescope(name + " --help");
        EXPECT_EQ(brief.status, kRan);
        EXPECT_EQ(whole.status, kRan);
        EXPECT_NE(brief.output.find("`tilescope " + name + " --help` prints all "), std::string::npos) << brief.output;
        for (const char* option : {"\n  --device ", "\n  -D ", "\n  --json "}) {
            EXPECT_NE(brief.output.find(option), std::string::npos) << name << option;
            EXPECT_NE(whole.output.find(option), std::string::npos) << name << option;
        }
        EXPECT_EQ(brief.output.find("--memory-limit"), std::string::npos);
        EXPECT_NE(whole.output.find("\n  --memory-limit "), std::string::npos);
        EXPECT_LE(std::count(brief.output.begin(), brief.output.end(), '\n'), 40);
    }
    EXPECT_EQ(run_tilescope("report -h").output, run_tilescope("report --help").output);
}

TEST(Commands, AnOptionOfRunTakesThreeLinesOfHelpAtMost) {
    std::istringstream text(run_tilescope("run --help").output);
    unsigned lines = 0;
    for (std::string line; std::getline(text, line);) {
        lines = line.starts_with("                              ") ? lines + 1 : 0;
        EXPECT_LE(lines, 2U) << line;
    }
}

TEST(Commands, TheVersionTellsWhatWasFoundOnThisMachine) {
    EXPECT_EQ(run_tilescope("--version").output, std::string("tilescope ") + kVersion + "\n");
    const Ran whole = run_tilescope("--version -v");
    EXPECT_EQ(whole.status, kRan);
    EXPECT_EQ(whole.output, run_tilescope("-v --version").output);
    for (const char* text : {"built by", "lanes", "; used: ", "h200", "for .cu files", "ptxas", "runtimes",
                             "CUDA headers", "installed", "cores"})
        EXPECT_NE(whole.output.find(text), std::string::npos) << text << " in " << whole.output;
    EXPECT_EQ(run_tilescope("-v").status, kUsage);
    EXPECT_EQ(run_tilescope("-v devices").status, kUsage);
}

TEST(Commands, HelpFitsAHundredColumns) {
    for (const char* name : {"", "run", "launch", "devices", "report", "compare", "explain"}) {
        std::istringstream text(run_tilescope(std::string(name) + " --help").output);
        for (std::string line; std::getline(text, line);) EXPECT_LE(line.size(), 100U) << line;
    }
}

TEST(Commands, WhatIsNotThereYetIsRefusedByName) {
    for (const char* command : {"sweep a.cu", "grade a.toml"}) {
        const Ran ran = run_tilescope(command);
        const std::string name = std::string(command).substr(0, std::string(command).find(' '));
        EXPECT_EQ(ran.status, kUsage) << command;
        EXPECT_NE(ran.output.find("`tilescope " + name + "` is not there yet"), std::string::npos) << ran.output;
    }
}

TEST(Commands, WrongUsageIsStatusTwoWithAHint) {
    for (const char* arguments :
         {"rnu x.cu", "run", "run --no-such-option x.cu", "run x.cu stray", "run --color maybe x.cu",
          "run --jobs 0 x.cu", "run -v -q x.cu", "launch", "launch k.ptx --arg i32", "devices h900", "devices -- x",
          "report", "report /no/such.json", "run /no/such.cu", "run /", "run /etc/passwd", "launch /no/such.ptx",
          "report --text --csv x.json"}) {
        const Ran ran = run_tilescope(arguments);
        EXPECT_EQ(ran.status, kUsage) << arguments << "\n" << ran.output;
        EXPECT_NE(ran.output.find("error: "), std::string::npos) << arguments << "\n" << ran.output;
    }
    EXPECT_NE(run_tilescope("rnu x.cu").output.find("did you mean `run`?"), std::string::npos);
    EXPECT_NE(run_tilescope("run --jason p.json x.cu").output.find("did you mean `--json`?"), std::string::npos);
    EXPECT_NE(run_tilescope("launch --blok=32 k.ptx").output.find("did you mean `--block`?"), std::string::npos);
    EXPECT_EQ(run_tilescope("run --zzzzzzzzzz x.cu").output.find("did you mean"), std::string::npos);
}

// An option that is taken for a flag of nvcc's goes to the compiler, and is lost.
TEST(Commands, OwnOptionsAreNoCompilerFlags) {
    for (const char* command : {"run", "check", "launch", "trace"}) {
        std::istringstream help(run_tilescope(std::string(command) + " --help").output);
        std::size_t options = 0;
        for (std::string word; help >> word;) {
            while (!word.empty() && (word.back() == ',' || word.back() == ')')) word.pop_back();
            if (!word.starts_with("--") || word.size() < 4) continue;
            ++options;
            EXPECT_EQ(image::words_of_toolkit_flag(word, "1"), 0u) << command << " " << word;
            EXPECT_EQ(image::words_of_toolkit_flag(word + "=1", ""), 0u) << command << " " << word;
        }
        EXPECT_GT(options, 10u) << command;
    }
}

TEST(Commands, LoneSourceHintsAtRun) {
    const std::string source = source_dir() + "/examples/matmul.cu";
    EXPECT_NE(run_tilescope(source).output.find("`tilescope run " + source + "`"), std::string::npos);
}

TEST(Commands, ProfilerOptionsHintAtOurs) {
    EXPECT_NE(run_tilescope("run -k tiled x.cu").output.find("--kernel GLOB"), std::string::npos);
    EXPECT_NE(run_tilescope("run --kernel-name=tiled x.cu").output.find("--kernel GLOB"), std::string::npos);
    EXPECT_NE(run_tilescope("run --metrics dram__bytes.sum x.cu").output.find("--json FILE"), std::string::npos);
    EXPECT_NE(run_tilescope("run --launch-count 1 x.cu").output.find("--launches A..B"), std::string::npos);
    EXPECT_EQ(run_tilescope("run --zzzzzzzzzz x.cu -- -k").output.find("--kernel GLOB"), std::string::npos);
}

TEST(Commands, ACompilersFlagIsToldItsPlace) {
    for (const char* line : {"run -rdcx x.cu", "run x.cu -XassemblerY"}) {
        const Ran ran = run_tilescope(line);
        EXPECT_EQ(ran.status, 2) << line;
        EXPECT_TRUE(holds(ran, "--compile-flags=\"-")) << ran.output;
        EXPECT_TRUE(holds(ran, "--device")) << ran.output;
    }
    for (const char* line :
         {"run -arch=sm_80 x.cu", "run x.cu -O3", "trace -gencode=arch=compute_80,code=sm_80 x.cu"}) {
        const Ran ran = run_tilescope(line);
        EXPECT_EQ(ran.status, 2) << line;
        EXPECT_TRUE(holds(ran, "there is no such file")) << ran.output;  // the flag itself is accepted
    }
    EXPECT_FALSE(holds(run_tilescope("run --no-such-option x.cu"), "--compile-flags=\"-"));
}

TEST(Commands, CompareShowsTwoProfilesAndTwoKernels) {
    const Ran same = run_tilescope("compare " + kSample + " " + kSample);
    EXPECT_EQ(same.status, kRan);
    EXPECT_NE(same.output.find("figures are equal"), std::string::npos) << same.output;
    const Ran kernels = run_tilescope("compare " + kSample + " --kernels naive,tiled");
    EXPECT_EQ(kernels.status, kRan);
    EXPECT_NE(kernels.output.find("global_load_sectors "), std::string::npos) << kernels.output;
    const auto json =
        nlohmann::json::parse(run_tilescope("compare " + kSample + " --kernels naive,tiled --json -").output);
    EXPECT_EQ(json["launches"][0]["figures"][0]["name"], "instructions");
    // One kernel of each of two profiles, and as a comment on a change.
    const Ran named = run_tilescope("compare " + kSample + " " + kSample + " --kernels naive,tiled --markdown -");
    EXPECT_EQ(named.status, kRan) << named.output;
    EXPECT_NE(named.output.find("| global\\_load\\_sectors |"), std::string::npos) << named.output;
    for (const std::string& arguments :
         {std::string(), std::string(" x --kernels a,b"), std::string(" --kernels naive"),
          std::string(" --kernels naive,nobody"), std::string(" /no/such.json")})
        EXPECT_EQ(run_tilescope("compare " + kSample + arguments).status, kUsage) << arguments;
}

TEST(Commands, ExplainKnowsEveryNameThatAReportShows) {
    for (const char* term : {"sector", "requests", "wavefront", "pass", "ideal", "bank conflict", "global_load_sectors",
                             "bank_conflicts_per_request", "occupancy", "tile", "race"}) {
        const Ran ran = run_tilescope("explain " + std::string(term));
        EXPECT_EQ(ran.status, kRan) << term << ran.output;
        EXPECT_NE(ran.output.find("\n  "), std::string::npos) << ran.output;
    }
    const Ran cgma = run_tilescope("explain CGMA");
    EXPECT_NE(cgma.output.find("in textbooks: compute-to-global-memory-access ratio (CGMA)"), std::string::npos)
        << cgma.output;
    EXPECT_NE(cgma.output.find("in Nsight Compute and its siblings: arithmetic intensity"), std::string::npos);
    EXPECT_NE(run_tilescope("explain --json CGMA").output.find("in_textbooks"), std::string::npos);
    EXPECT_NE(run_tilescope("explain secter").output.find("did you mean \"sector\"?"), std::string::npos);
    EXPECT_EQ(run_tilescope("explain secter").status, kUsage);
    EXPECT_NE(run_tilescope("explain").output.find("\ncounters\n"), std::string::npos);
}

TEST(Commands, ExplainKnowsTheProfilersNamesBothWays) {
    const std::pair<const char*, const char*> kSame[] = {
        {"global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
        {"dram_read_bytes", "dram__bytes_read.sum"},
        {"instructions", "smsp__inst_executed.sum"},
        {"achieved_occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active"},
        {"occupancy_limit_registers", "launch__occupancy_limit_registers"}};
    for (const auto& [ours, theirs] : kSame) {
        const Ran by_ours = run_tilescope(std::string("explain ") + ours);
        const Ran by_theirs = run_tilescope(std::string("explain ") + theirs);
        EXPECT_EQ(by_theirs.status, kRan) << by_theirs.output;
        EXPECT_EQ(by_ours.output, by_theirs.output);
        EXPECT_TRUE(holds(by_ours, ours)) << by_ours.output;
        EXPECT_TRUE(holds(by_ours, "Nsight Compute: " + std::string(theirs))) << by_ours.output;
    }
    const auto json = nlohmann::json::parse(run_tilescope("explain --json dram__bytes_read").output)["entries"];
    ASSERT_EQ(json.size(), 1U);
    EXPECT_EQ(json[0]["name"], "dram_read_bytes");
    EXPECT_EQ(json[0]["nsight_compute"], "dram__bytes_read.sum");
}

TEST(Commands, ExplainKnowsWhyWarpsStall) {
    const Ran by_ours = run_tilescope("explain pipe"), by_theirs = run_tilescope("explain MIO throttle");
    EXPECT_EQ(by_ours.output, by_theirs.output);
    EXPECT_TRUE(holds(by_theirs, "pipe  (what warps wait for")) << by_theirs.output;
    EXPECT_TRUE(holds(by_theirs, "Nsight Compute: LG throttle, for room")) << by_theirs.output;
    EXPECT_TRUE(holds(by_theirs, "Nsight Compute: MIO throttle, for room")) << by_theirs.output;
    const Ran only = run_tilescope("explain smsp__average_warps_issue_stalled_membar_per_issue_active.ratio");
    EXPECT_EQ(only.status, kRan) << only.output;
    EXPECT_TRUE(holds(only, "membar  (stall reasons that only Nsight Compute tells)")) << only.output;
    const auto json = nlohmann::json::parse(run_tilescope("explain --json slots").output)["entries"];
    ASSERT_EQ(json.size(), 1U);
    EXPECT_EQ(json[0]["nsight_compute"], nlohmann::json({"not selected", "math pipe throttle"}));
}

TEST(Commands, ExplainSaysWhatIsNearestToAMetricThatIsNotThere) {
    const Ran near = run_tilescope("explain idc__requests.sum");
    EXPECT_EQ(near.status, kUsage) << near.output;
    EXPECT_TRUE(holds(near, "the nearest is constant_requests; ")) << near.output;
    EXPECT_TRUE(holds(near, "kernel parameters")) << near.output;
    const Ran none = run_tilescope("explain l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum");
    EXPECT_EQ(none.status, kUsage) << none.output;
    EXPECT_TRUE(holds(none, "has no counterpart here")) << none.output;
    EXPECT_TRUE(holds(none, "here global_load_l1_hit_sectors")) << none.output;
    EXPECT_FALSE(holds(run_tilescope("explain pcie__read_bytes.sum"), "nearest"));
}

// Either name leads to the same.
TEST(Commands, ExplainKnowsTheProfilersNames) {
    const std::string ours = run_tilescope("explain global_load_sectors").output;
    EXPECT_NE(ours.find("Nsight Compute: l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), std::string::npos) << ours;
    EXPECT_EQ(run_tilescope("explain l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum").output, ours);
    EXPECT_EQ(run_tilescope("explain l1tex__t_sectors_pipe_lsu_mem_global_op_ld").output, ours);
    for (const char* stall : {"long scoreboard", "Long_Scoreboard", "LG throttle", "MIO throttle", "short scoreboard",
                              "smsp__average_warps_issue_stalled_barrier", "stalled_not_selected", "wait"})
        EXPECT_NE(run_tilescope("explain " + std::string(stall)).output.find("(what warps wait for, in cycles)"),
                  std::string::npos)
            << stall;
    const Ran unknown = run_tilescope("explain lts__t_sectors_op_red.sum");
    EXPECT_EQ(unknown.status, kUsage);
    EXPECT_NE(unknown.output.find("has no counterpart here"), std::string::npos) << unknown.output;
    EXPECT_NE(unknown.output.find("lts__t_sectors_srcunit_tex_op_read.sum, here l2_read_sectors"), std::string::npos)
        << unknown.output;
    const auto json = nlohmann::json::parse(run_tilescope("explain --json dram_read_bytes").output)["entries"];
    EXPECT_EQ(json[0]["nsight_compute"], "dram__bytes_read.sum");
}

TEST(Commands, ExplainAsJsonHasTheWholeOfEachList) {
    const auto all = nlohmann::json::parse(run_tilescope("explain --json").output)["entries"];
    std::map<std::string, std::size_t> groups;
    for (const auto& entry : all) {
        EXPECT_FALSE(entry["meaning"].get<std::string>().empty()) << entry;
        ++groups[entry["group"]];
    }
    EXPECT_EQ(groups["counters"], kCounterCount);
    EXPECT_EQ(groups["ratios"], report::ratios().size());
    EXPECT_EQ(groups["facts of a launch"], report::facts().size());
    EXPECT_EQ(groups["advice"], models::advice_rules().size() + models::program_rules().size());
    EXPECT_EQ(groups["words"] + groups["hazards"], report::glossary().size());

    const auto found = nlohmann::json::parse(run_tilescope("explain --json l2_read_sectors").output)["entries"];
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0]["unit"], "32 B sectors");
    EXPECT_EQ(found[0]["modelled"], true);
    const auto word = nlohmann::json::parse(run_tilescope("explain --json thread block").output)["entries"];
    ASSERT_EQ(word.size(), 1U);
    EXPECT_EQ(word[0]["also"], nlohmann::json({"thread block", "CTA"}));
    EXPECT_EQ(word[0]["see"][0], "grid");
    EXPECT_EQ(run_tilescope("explain --json secter").status, kUsage);
}

TEST(Commands, DevicesPrintWithTheirSources) {
    EXPECT_NE(run_tilescope("devices").output.find("h200"), std::string::npos);
    const Ran text = run_tilescope("devices h200");
    EXPECT_EQ(text.status, kRan);
    EXPECT_NE(text.output.find("66.9 TFLOP/s"), std::string::npos);
    EXPECT_NE(text.output.find("datasheet"), std::string::npos);
    const auto json = nlohmann::json::parse(run_tilescope("devices h200 --json").output);
    for (const auto& [key, figure] : json["figures"].items())
        EXPECT_FALSE(figure["source"].get<std::string>().empty()) << key;
    EXPECT_EQ(nlohmann::json::parse(run_tilescope("devices --json").output)[0]["name"], "a10");
}

TEST(Commands, AChangedDeviceFileLoadsAgain) {
    const std::string file = scratch_file("device_test.json");
    auto json = nlohmann::json::parse(run_tilescope("devices h200 --json").output);
    json["name"] = "mine";
    json["figures"]["sm_count"]["value"] = 7;
    std::ofstream(file) << json.dump();
    EXPECT_NE(run_tilescope("devices " + file).output.find("7 SMs"), std::string::npos);
    json["figures"]["sm_count"].erase("source");
    std::ofstream(file) << json.dump();
    const Ran refused = run_tilescope("devices " + file);
    EXPECT_EQ(refused.status, kUsage);
    EXPECT_NE(refused.output.find("no source"), std::string::npos);
    std::remove(file.c_str());
}

TEST(Commands, ReportPrintsWhatTheViewsPrint) {
    EXPECT_EQ(run_tilescope("report --json " + kSample).output, file_text(kSample));
    EXPECT_EQ(run_tilescope("report --csv " + kSample).output,
              file_text(source_dir() + "/tests/report/golden/sample.csv"));
    const std::string file = scratch_file("report_test.txt");
    EXPECT_EQ(run_tilescope("report " + kSample + " -o " + file).output, "");
    EXPECT_EQ(file_text(file), run_tilescope("report --text " + kSample).output);
    EXPECT_EQ(file_text(file).find('\x1b'), std::string::npos);
    EXPECT_NE(run_tilescope("report --color always " + kSample).output.find('\x1b'), std::string::npos);
    std::remove(file.c_str());
}

TEST(Commands, ReportShowsAnotherDeviceWithoutARun) {
    const Ran other = run_tilescope("report --device a100 " + kSample);
    EXPECT_EQ(other.status, kRan);
    EXPECT_NE(other.output.find("advice and time are those of a100; the code is what was compiled for h200"),
              std::string::npos);
    EXPECT_EQ(run_tilescope("report --device nothing " + kSample).status, kUsage);
    const auto json =
        nlohmann::json::parse(run_tilescope("report --json --device v100 " + kSample + " 2>/dev/null").output);
    EXPECT_EQ(json["device"], "v100");
    // What was counted stays.
    const auto before = nlohmann::json::parse(file_text(kSample));
    EXPECT_EQ(json["launches"][0]["counters"], before["launches"][0]["counters"]);
}

}  // namespace
}  // namespace tilescope::cli
