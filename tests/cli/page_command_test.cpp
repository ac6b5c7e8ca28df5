// --html and --open as users call them. What is on a page is tests/views/page_test.cpp's.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "scope/cli/exit_status.h"
#include "tests/cli/tilescope_program.h"
#include "tests/places.h"
#include "tests/scratch.h"

namespace tilescope::cli {
namespace {

const std::string kProfile = source_dir() + "/tests/report/golden/sample.json";

bool is_page(const std::string& text) {
    return text.find(R"(<script type="application/json" id="tilescope-data">{"schema":1,)") != std::string::npos;
}

// A PATH whose xdg-open writes down what it is given and ends with `status`; what is written is in the file returned.
std::string path_with_opener(int status, std::string& told) {
    const std::string folder = scratch_file("opener" + std::to_string(status));
    told = folder + "/told";
    std::filesystem::create_directories(folder);
    const std::string program = folder + "/xdg-open";
    std::ofstream(program) << "#!/bin/sh\necho \"$1\" > '" << told << "'\nexit " << status << "\n";
    chmod(program.c_str(), 0700);
    return "PATH='" + folder + "' ";
}

TEST(PageCommand, ReportWritesAPage) {
    const std::string file = scratch_file("report.html");
    const Ran ran = run_tilescope("report " + kProfile + " --html -o " + file);
    EXPECT_EQ(ran.status, kRan) << ran.output;
    EXPECT_TRUE(is_page(file_text(file)));
    const Ran printed = run_tilescope("report " + kProfile + " --html");
    EXPECT_EQ(printed.output, file_text(file));
    const Ran elsewhere = run_tilescope("report " + kProfile + " --html --device a100");
    EXPECT_TRUE(holds(elsewhere, R"("devices":[{"name":"a100")")) << elsewhere.output.substr(0, 200);
}

TEST(PageCommand, CompareWritesAPageBesideItsText) {
    const std::string file = scratch_file("compare.html");
    const Ran ran = run_tilescope("compare " + kProfile + " " + kProfile + " --html " + file);
    EXPECT_EQ(ran.status, kRan) << ran.output;
    EXPECT_FALSE(ran.output.empty());
    EXPECT_FALSE(is_page(ran.output));
    EXPECT_TRUE(is_page(file_text(file)));
    EXPECT_NE(file_text(file).find(R"("kind":"compare")"), std::string::npos);
    EXPECT_TRUE(is_page(run_tilescope("compare " + kProfile + " --kernels naive,tiled --html -").output));
}

TEST(PageCommand, WhatCannotBeWrittenIsStatusTwo) {
    for (const std::string& command : {"report " + kProfile + " --html -o /no/such/folder/x.html",
                                       "compare " + kProfile + " " + kProfile + " --html /no/such/folder/x.html"})
        EXPECT_EQ(run_tilescope(command).status, kUsage) << command;
}

TEST(PageCommand, OpenNeedsAPageInAFile) {
    for (const std::string& command : {"report " + kProfile + " --open", "report " + kProfile + " --html --open",
                                       "report " + kProfile + " --text --open -o " + scratch_file("a.txt"),
                                       "compare " + kProfile + " " + kProfile + " --open",
                                       "compare " + kProfile + " " + kProfile + " --open --html -",
                                       std::string("run --open x.cu"), std::string("run --open --html - x.cu")}) {
        const Ran ran = run_tilescope(command);
        EXPECT_EQ(ran.status, kUsage) << command;
        EXPECT_TRUE(holds(ran, "--open")) << command << "\n" << ran.output;
    }
}

TEST(PageCommand, OpenHandsThePathToXdgOpen) {
    std::string told;
    const std::string path = path_with_opener(0, told), file = scratch_file("open.html");
    const Ran ran = run_tilescope("report " + kProfile + " --html --open -o " + file, path);
    EXPECT_EQ(ran.status, kRan) << ran.output;
    EXPECT_EQ(file_text(told), std::filesystem::absolute(file).string() + "\n");
    EXPECT_EQ(ran.output, "");
    std::filesystem::remove(told);
    EXPECT_EQ(run_tilescope("compare " + kProfile + " " + kProfile + " --open --html " + file, path).status, kRan);
    EXPECT_EQ(file_text(told), std::filesystem::absolute(file).string() + "\n");
    // Nobody asked.
    std::filesystem::remove(told);
    EXPECT_EQ(run_tilescope("report " + kProfile + " --html -o " + file, path).status, kRan);
    EXPECT_FALSE(std::filesystem::exists(told));
}

TEST(PageCommand, WithoutAnOpenerThePathIsSaid) {
    const std::string file = scratch_file("none.html");
    const Ran ran =
        run_tilescope("report " + kProfile + " --html --open -o " + file, "PATH='" + scratch_folder() + "' ");
    EXPECT_EQ(ran.status, kRan);
    EXPECT_TRUE(holds(ran, "there is no xdg-open")) << ran.output;
    EXPECT_TRUE(holds(ran, "file://" + std::filesystem::absolute(file).string())) << ran.output;
    std::string told;
    const Ran failed = run_tilescope("report " + kProfile + " --html --open -o " + file, path_with_opener(3, told));
    EXPECT_EQ(failed.status, kRan);
    EXPECT_TRUE(holds(failed, "could not open")) << failed.output;
}

}  // namespace
}  // namespace tilescope::cli
