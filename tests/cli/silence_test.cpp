// No run ends without a word, and none leaves an older profile behind.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
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

class Silence : public ::testing::Test {
protected:
    std::string file(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ + name) << text;
        return folder_ + name;
    }
    // Over a profile of yesterday.
    Ran run(const std::string& arguments) {
        file("profile.json", "old");
        const std::size_t word = arguments.find(' ');
        const Ran ran = run_tilescope(arguments.substr(0, word) + " --json " + folder_ + "profile.json --color never" +
                                      arguments.substr(word));
        profile_ = Json::parse(file_text(folder_ + "profile.json"), nullptr, false);
        EXPECT_TRUE(profile_.is_object()) << arguments << "\n" << ran.output;
        if (!profile_.is_object()) profile_ = Json::object();
        return ran;
    }
    std::string first_code() const {
        const auto found = profile_.find("diagnostics");
        return found == profile_.end() ? "none" : (*found)[0].value("code", "none");
    }

    const ScratchFolder scratch_;
    const std::string folder_ = std::string(scratch_.path()) + "/";
    Json profile_;
};

const std::string kData = source_dir() + "/tests/cli/data/";
const std::string kClang = "run --compiler clang --caches off ";

// "run --compiler NAME ..." of clang, and of nvcc where it is installed.
std::vector<std::string> through_each_compiler() {
    std::vector<std::string> runs = {kClang};
    const std::string nvcc = "run --compiler nvcc --caches off ";
    if (!holds(run_tilescope(nvcc + kData + "twice.cu"), "image-no-compiler")) runs.push_back(nvcc);
    return runs;
}

TEST_F(Silence, TheProfileIsWrittenWhateverHappens) {
    const std::string broken = file("broken.cu", "int main() { return undeclared; }\n");
    const std::string twice = kData + "twice.cu", copy = kData + "copy.ptx";
    const std::string launch = "launch " + copy + " --kernel twice --arg buffer:f32[9]=iota --arg buffer:f32[9]=zeros ";
    struct Case {
        std::string arguments;
        int status;
        const char *outcome, *code;
    };
    std::vector<Case> cases = {Case{"run python3 " + folder_ + "s.py", kFault, "unsupported", "image-python"},
                               Case{"run -- sh -c :", kUsage, "not-run", "cli-no-profile"},
                               Case{"run --", kUsage, "not-run", "cli-usage"},
                               Case{launch, kUsage, "not-run", ""},
                               Case{launch + "--arg u32=9 --block 4096", kUsage, "not-run", "cli-launch"},
                               Case{launch + "--arg u32=9 --memory-limit 10", kLimit, "limit", ""},
                               Case{"trace --compiler clang --block x " + twice, kUsage, "not-run", "cli-value"}};
    for (const std::string& compiler : through_each_compiler())
        for (const Case& c :
             {Case{compiler + broken, kUsage, "not-run", "image-compile"},
              Case{compiler + "--device h900 " + twice, kUsage, "not-run", "device-unknown"},
              Case{compiler + "--budget 'k: no_such_name < 1' " + twice, kUsage, "not-run", "budget-syntax"},
              Case{compiler + "--budget 'k: !(no_such_name < 1)' " + twice, kUsage, "not-run", "budget-syntax"},
              Case{compiler + "--no-such-option " + twice, kUsage, "not-run", "cli-usage"},
              Case{compiler + folder_ + "nobody.cu", kUsage, "not-run", "cli-unreadable"},
              Case{compiler + "--suppress " + folder_ + "nobody " + twice, kUsage, "not-run", "cli-read"}})
            cases.push_back(c);
    for (const Case& c : cases) {
        const Ran ran = run(c.arguments);
        EXPECT_EQ(ran.status, c.status) << c.arguments << "\n" << ran.output;
        EXPECT_EQ(profile_.value("outcome", ""), c.outcome) << c.arguments << "\n" << ran.output;
        if (*c.code != '\0') {
            EXPECT_EQ(first_code(), c.code) << c.arguments;
        }
        EXPECT_EQ(profile_["launches"].size(), 0U);
        // What is written reads back.
        EXPECT_EQ(run_tilescope("report " + folder_ + "profile.json").status, kRan);
    }
}

TEST_F(Silence, ARefusedLaunchHasItsReasonAlsoWhereTheProgramReadTheError) {
    const std::string program = file("refused.cu", R"(#include <cstdio>
__global__ void k(int* p) { *p = 1; }
int main() {
    int* p = nullptr;
    cudaMalloc(&p, 4);
    k<<<1, 2048>>>(p);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error));
    k<<<1, 1>>>(p);
    return 0;
})");
    for (const std::string& compiler : through_each_compiler()) {
        const Ran ran = run(compiler + program);
        EXPECT_EQ(ran.status, kRan) << ran.output;
        EXPECT_TRUE(holds(ran, "k(int*) was not launched: 2,048 threads per block; the h200 takes 1,024"))
            << ran.output;
        EXPECT_EQ(profile_["failed_calls"].size(), 1U);
    }
}

TEST_F(Silence, AValueThatALaunchDoesNotHaveIsNamed) {
    for (const std::string& compiler : through_each_compiler())
        for (const char* expression : {"bank_conflicts_per_request < 1", "!(bank_conflicts_per_request < 1)"}) {
            const Ran ran = run(compiler + "--budget '*: " + expression + "' " + kData + "twice.cu");
            EXPECT_EQ(ran.status, kUsage) << ran.output;
            EXPECT_TRUE(holds(ran, "has no bank_conflicts_per_request")) << ran.output;
            EXPECT_EQ(profile_["budgets"][0]["verdict"], "no-value") << expression;
        }
}

// A copy of tilescope in a folder of its own, with all of its libraries but one.
TEST_F(Silence, AMissingLibraryOfOursIsAnError) {
    namespace fs = std::filesystem;
    const fs::path build = fs::canonical(fs::path(tilescope_program()).parent_path().parent_path());
    fs::create_directories(folder_ + "bin");
    fs::create_directories(folder_ + "lib/tilescope");
    fs::copy_file(build / "bin/tilescope", folder_ + "bin/tilescope");
    for (const auto& each : fs::directory_iterator(build / "lib/tilescope"))
        if (each.path().filename() != "libtilescope-host-calls.so" && each.is_regular_file())
            fs::create_symlink(each.path(), folder_ + "lib/tilescope/" + each.path().filename().string());
    const auto status = [&](const std::string& check) {
        const std::string command = folder_ + "bin/tilescope run --compiler clang --caches off --check " + check + " " +
                                    kData + "twice.cu > " + folder_ + "out 2>&1";
        return WEXITSTATUS(std::system(command.c_str()));
    };
    EXPECT_EQ(status("streams"), kUsage);
    EXPECT_NE(file_text(folder_ + "out").find("--check streams needs this library"), std::string::npos);
    EXPECT_EQ(status("races"), kRan) << file_text(folder_ + "out");
}

TEST_F(Silence, ParametersHaveTheirNamesOfTheSource) {
    const std::string kernel = file("named.cu", "__global__ void k(float* data, int count) { data[count] = 1; }\n");
    const Ran ran = run_tilescope("launch --compiler clang " + kernel + " --arg f32=1");
    EXPECT_TRUE(holds(ran, "takes 2: data (8 B, a pointer), count (4 B, an integer)")) << ran.output;
    EXPECT_FALSE(holds(ran, "_param_")) << ran.output;
}

TEST_F(Silence, EndlessAndSilentFilesAreErrors) {
    const std::string device = folder_ + "zero.json", twice = kData + "twice.cu";
    ASSERT_EQ(symlink("/dev/zero", device.c_str()), 0);
    for (const std::string& arguments :
         {"devices " + device, "report " + device, "compare " + device + " " + device,
          "roofline " + device + " --device h200", kClang + "--suppress " + device + " " + twice,
          kClang + "--device " + device + " " + twice}) {
        const Ran ran = run_tilescope(arguments);
        EXPECT_EQ(ran.status, kUsage) << arguments << "\n" << ran.output;
        EXPECT_TRUE(holds(ran, "more came out of it than the ")) << arguments << "\n" << ran.output;
    }
}

// What a stranger's file names, its escape sequences with it, is shown without them, in text and in tables.
TEST_F(Silence, ControlCharactersOfStrangersNeverReachTheTerminal) {
    const std::string escape = "\x1b[31m\x07";
    const std::string kernel = file(
        "named.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n.file 1 \"/a/" + escape +
                         "b.cu\"\n.entry k(.param .u64 p) {\n.reg .b64 %a<2>;\n.loc 1 7 0\nld.param.u64 %a0, [p];\n"
                         ".loc 1 8 0\nst.global.u32 [%a0+64], 1;\nret;\n}\n");
    std::string header = "{'descr': '<f" + escape + "4', 'fortran_order': False, 'shape': (4,), }";
    header.resize(117, ' ');
    const std::string array =
        file("named.npy", std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" + std::string(16, '\0'));
    const std::string out = folder_ + "out.json";
    run_tilescope("launch " + kernel + " --arg buffer:u32[4]=zeros --json " + out);
    for (const std::string& arguments :
         {"launch " + kernel + " --arg buffer:u32[32]=zeros", "launch " + kernel + " --arg buffer:u32[4]=zeros",
          "launch " + kernel + " --arg buffer:f32[4]=@" + array, "report " + out, "report --csv " + out,
          "report --text -v " + out}) {
        const Ran ran = run_tilescope(arguments + " --color never");
        for (const char c : ran.output)
            ASSERT_TRUE(c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= 0x20) << arguments << "\n"
                                                                                         << ran.output;
        EXPECT_FALSE(ran.output.empty()) << arguments;
    }
}

// The loop is long, and ptxas unrolls what it can of it: it would be at work far beyond the limit.
TEST_F(Silence, TheTimeLimitHoldsForPtxas) {
    std::string text =
        ".version 8.0\n.target sm_90\n.address_size 64\n.entry k(.param .u64 p) {\n.reg .f64 %d<60003>;\n"
        ".reg .u64 %a<2>;\nld.param.u64 %a0, [p];\nld.global.f64 %d0, [%a0];\nld.global.f64 %d1, [%a0+8];\n";
    for (int i = 2; i < 60000; ++i)
        text += "div.rn.f64 %d" + std::to_string(i) + ", %d" + std::to_string(i - 1) + ", %d" + std::to_string(i - 2) +
                ";\n";
    text += "st.global.f64 [%a0], %d59999;\nret;\n}\n";
    const std::string kernel = file("slow.ptx", text);
    const auto before = std::chrono::steady_clock::now();
    const Ran ran = run("launch " + kernel + " --time-limit 1 --arg buffer:f64[2]=ones");
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
    if (ran.status == kRan) GTEST_SKIP() << "no ptxas, or a fast one";
    EXPECT_EQ(ran.status, kLimit) << ran.output;
    EXPECT_LT(took.count(), 8) << ran.output;
    EXPECT_EQ(profile_["outcome"], "limit");
}

}  // namespace
}  // namespace tilescope::cli
