// The program as a user meets it: arguments in, output and exit status out.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "scope/cli/exit_status.h"

namespace tilescope::cli {
namespace {

struct Ran {
    int status = -1;
    std::string output;  // standard output, then standard error
};

Ran tilescope(const std::string& arguments) {
    Ran ran;
    FILE* pipe = popen((std::string("'") + TILESCOPE_PROGRAM + "' " + arguments + " 2>&1").c_str(), "r");
    if (pipe == nullptr) return ran;
    std::array<char, 4096> buffer{};
    for (std::size_t got; (got = fread(buffer.data(), 1, buffer.size(), pipe)) != 0;)
        ran.output.append(buffer.data(), got);
    const int state = pclose(pipe);
    ran.status = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    return ran;
}

std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

const std::string kSample = TILESCOPE_SOURCE_DIR "/tests/report/golden/sample.json";

TEST(Commands, HelpListsAllOfThem) {
    const Ran help = tilescope("--help");
    EXPECT_EQ(help.status, kRan);
    for (const char* name :
         {"run", "launch", "devices", "report", "occupancy", "roofline", "compare", "trace", "lesson"})
        EXPECT_NE(help.output.find(std::string("\n  ") + name + " "), std::string::npos) << name;
    EXPECT_EQ(help.output.find("generate-man"), std::string::npos);
    EXPECT_EQ(tilescope("").output, help.output);
    for (const char* name : {"run", "launch", "devices", "report"})
        EXPECT_NE(tilescope(std::string(name) + " --help").output.find("Usage: tilescope " + std::string(name)),
                  std::string::npos);
    EXPECT_NE(tilescope("run --help").output.find("PROGRAM [-- ARG...]"), std::string::npos);
    EXPECT_EQ(tilescope("--version").output.find("tilescope 0."), 0U);
}

TEST(Commands, HelpFitsAHundredColumns) {
    for (const char* name : {"", "run", "launch", "devices", "report"}) {
        std::istringstream text(tilescope(std::string(name) + " --help").output);
        for (std::string line; std::getline(text, line);) EXPECT_LE(line.size(), 100U) << line;
    }
}

TEST(Commands, WhatIsNotThereYetIsRefusedByName) {
    for (const char* command : {"occupancy --threads 3", "roofline p.json", "compare a b", "trace x -- y", "lesson"}) {
        const Ran ran = tilescope(command);
        const std::string name = std::string(command).substr(0, std::string(command).find(' '));
        EXPECT_EQ(ran.status, kUsage) << command;
        EXPECT_NE(ran.output.find("`tilescope " + name + "` is not there yet"), std::string::npos) << ran.output;
    }
    EXPECT_EQ(tilescope("report " + kSample + " --html").status, kUsage);
    EXPECT_EQ(tilescope("report " + kSample + " --sarif").status, kUsage);
    EXPECT_NE(tilescope("run --check memory x.cu").output.find("--check memory is not there yet"), std::string::npos);
    EXPECT_NE(tilescope("run --caches on x.cu").output.find("--caches on is not there yet"), std::string::npos);
}

TEST(Commands, WrongUsageIsStatusTwoWithAHint) {
    for (const char* arguments :
         {"rnu x.cu", "run", "run --no-such-option x.cu", "run x.cu stray", "run --color maybe x.cu",
          "run --jobs 0 x.cu", "run -v -q x.cu", "launch", "launch k.ptx --arg i32", "devices h900", "devices -- x",
          "report", "report /no/such.json", "run /no/such.cu", "run /", "run /etc/passwd", "launch /no/such.ptx",
          "report --text --csv x.json"}) {
        const Ran ran = tilescope(arguments);
        EXPECT_EQ(ran.status, kUsage) << arguments << "\n" << ran.output;
        EXPECT_NE(ran.output.find("error: "), std::string::npos) << arguments << "\n" << ran.output;
    }
    EXPECT_NE(tilescope("rnu x.cu").output.find("did you mean `run`?"), std::string::npos);
}

TEST(Commands, DevicesPrintWithTheirSources) {
    EXPECT_NE(tilescope("devices").output.find("h200"), std::string::npos);
    const Ran text = tilescope("devices h200");
    EXPECT_EQ(text.status, kRan);
    EXPECT_NE(text.output.find("66.9 TFLOP/s"), std::string::npos);
    EXPECT_NE(text.output.find("datasheet"), std::string::npos);
    const auto json = nlohmann::json::parse(tilescope("devices h200 --json").output);
    for (const auto& [key, figure] : json["figures"].items())
        EXPECT_FALSE(figure["source"].get<std::string>().empty()) << key;
    EXPECT_EQ(nlohmann::json::parse(tilescope("devices --json").output)[0]["name"], "h200");
}

TEST(Commands, AChangedDeviceFileLoadsAgain) {
    const std::string file = ::testing::TempDir() + "/tilescope_device_test.json";
    auto json = nlohmann::json::parse(tilescope("devices h200 --json").output);
    json["name"] = "mine";
    json["figures"]["sm_count"]["value"] = 7;
    std::ofstream(file) << json.dump();
    EXPECT_NE(tilescope("devices " + file).output.find("7 SMs"), std::string::npos);
    json["figures"]["sm_count"].erase("source");
    std::ofstream(file) << json.dump();
    const Ran refused = tilescope("devices " + file);
    EXPECT_EQ(refused.status, kUsage);
    EXPECT_NE(refused.output.find("no source"), std::string::npos);
    std::remove(file.c_str());
}

TEST(Commands, ReportPrintsWhatTheViewsPrint) {
    EXPECT_EQ(tilescope("report --json " + kSample).output, file_text(kSample));
    EXPECT_EQ(tilescope("report --csv " + kSample).output,
              file_text(TILESCOPE_SOURCE_DIR "/tests/report/golden/sample.csv"));
    const std::string file = ::testing::TempDir() + "/tilescope_report_test.txt";
    EXPECT_EQ(tilescope("report " + kSample + " -o " + file).output, "");
    EXPECT_EQ(file_text(file), tilescope("report --text " + kSample).output);
    EXPECT_EQ(file_text(file).find('\x1b'), std::string::npos);
    EXPECT_NE(tilescope("report --color always " + kSample).output.find('\x1b'), std::string::npos);
    std::remove(file.c_str());
}

}  // namespace
}  // namespace tilescope::cli
