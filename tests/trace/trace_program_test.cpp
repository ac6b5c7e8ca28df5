// `tilescope trace` from end to end. The tables must be the same whichever compiler made the code.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/tilescope_program.h"
#include "tests/places.h"
#include "tests/scratch.h"
#include "tests/trace/golden.h"

namespace tilescope {
namespace {

using Json = nlohmann::json;

const std::string kExamples = source_dir() + "/examples/";
const std::string kShapes = " --shape M=4x4 --shape N=4x4 --shape P=4x4 ";

bool installed(const std::string& command) { return std::system((command + " >/dev/null 2>&1").c_str()) == 0; }

class TraceProgram : public ::testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        const std::string compiler = GetParam();
        const bool there = compiler == "nvcc"
                               ? installed("nvcc --version || ${CUDA_HOME:-/usr/local/cuda}/bin/nvcc --version")
                               : installed("clang++ --version || clang++-14 --version || clang++-19 --version");
        if (!there) GTEST_SKIP() << "no " << compiler << " on this machine";
    }

    // What it printed, without what the traced program printed.
    std::string trace(const std::string& example, const std::string& options, int status = 0) const {
        const cli::Ran ran = cli::run_tilescope("trace --color never --compiler " + std::string(GetParam()) + " " +
                                                kExamples + example + " " + options);
        EXPECT_EQ(ran.status, status) << ran.output;
        std::istringstream lines(ran.output);
        std::string text;
        for (std::string line; std::getline(lines, line);)
            if (!line.starts_with("PASS ") && !line.starts_with("NVIDIA ")) text += line + "\n";
        return text;
    }
};

TEST_P(TraceProgram, TheClassicTableOfPhases) {
    const std::string text =
        trace("phases.cu", kShapes + "--json " + scratch_file("p.json") + " --svg " + scratch_file("p.svg"));
    expect_golden("classic.txt", text);
    expect_golden("classic.svg", cli::file_text(scratch_file("p.svg")));
    Json table = Json::parse(cli::file_text(scratch_file("p.json")))["trace"];
    table.erase("file");  // as the compiler recorded it
    expect_golden("classic.json", table.dump(1) + "\n");
}

TEST_P(TraceProgram, WithoutTiles) { expect_golden("naive.txt", trace("phases.cu", kShapes + "--kernel naive")); }

TEST_P(TraceProgram, WidthsThatNoTileDivides) {
    expect_golden("checked.txt",
                  trace("phases.cu", "--kernel checked --shape M=3x3 --shape N=3x3 --shape P=3x3 --block 1,1 -- 3"));
}

TEST_P(TraceProgram, TilingDividesGlobalAccesses) {
    for (const auto& [kernel, loads] : {std::pair("naive", 16), {"tiled<2>*", 8}, {"tiled<4>*", 4}}) {
        trace("phases.cu", std::string("-q --kernel '") + kernel + "' --json " + scratch_file("p.json") + " -- 8");
        const Json table = Json::parse(cli::file_text(scratch_file("p.json")))["trace"];
        EXPECT_EQ(table["thread_least"]["global_loads"], loads) << kernel;
        EXPECT_EQ(table["thread_most"]["global_loads"], loads) << kernel;
        EXPECT_EQ(table["thread_most"]["flop"], 16) << kernel;
    }
}

TEST_P(TraceProgram, AHugeBlockIsSummarised) {
    const std::string shapes =
        "--shape M=250x250 --shape N=250x250 --shape P=250x250 --shape Mds=32x32@cells --shape Nds=32x32@cells+4096 ";
    expect_golden("huge.txt", trace("matmul_dynamic.cu", shapes + "--block 7,7 --threads 30..33 --phases 8"));
    const std::string by_default = trace("matmul_dynamic.cu", "");
    EXPECT_NE(by_default.find("1,008 more threads:"), std::string::npos) << by_default;
    EXPECT_NE(by_default.find("phases 5 to 8 of 8\n"), std::string::npos) << by_default;
}

TEST_P(TraceProgram, SumsOfAReduction) {
    expect_golden("reduction.txt", trace("reductions.cu", "--threads 0..3 --phases 2..3"));
}

TEST_P(TraceProgram, MistakesAreNamed) {
    EXPECT_NE(trace("phases.cu", "--shape Q=4x4", 2).find("hint: it has M, N, P, Mds, Nds"), std::string::npos);
    EXPECT_NE(trace("phases.cu", "--shape M=5x5", 2).find("M=5x5 has 100 bytes, but only 64 are there"),
              std::string::npos);
    EXPECT_NE(trace("phases.cu", "--block 2", 2).find("there is no block (2, 0, 0)"), std::string::npos);
    EXPECT_NE(trace("phases.cu", "--kernel none", 2).find("--kernel none: no launch was of such a kernel"),
              std::string::npos);
    EXPECT_NE(trace("phases.cu", "--launches 9", 2).find("leave out all 4"), std::string::npos);
    EXPECT_NE(trace("phases.cu", "--phases 0..2", 2).find("the first phase is 1"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Compilers, TraceProgram, ::testing::Values("clang", "nvcc"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace tilescope
