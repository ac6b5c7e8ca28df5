#include "scope/base/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "tests/scratch.h"

namespace tilescope {
namespace {

namespace fs = std::filesystem;

class WriteWholeFile : public ::testing::Test {
protected:
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }

    const ScratchFolder scratch_;
    const fs::path folder_ = scratch_.path();
};

TEST_F(WriteWholeFile, ReplacesTheFileAndLeavesNothingElse) {
    const fs::path file = folder_ / std::string(250, 'n');  // no room for a longer name beside it
    std::ofstream(file) << "before";
    struct stat before {};
    ASSERT_EQ(stat(file.c_str(), &before), 0);
    std::ifstream reader(file);
    ASSERT_FALSE(write_whole_file(file, {"after", " all"}));
    EXPECT_EQ(read_whole_file(file), "after all");
    // Who had the old one open still reads all of it: it was not written into.
    std::string old;
    std::getline(reader, old);
    EXPECT_EQ(old, "before");
    EXPECT_EQ(files(), 1u);
    struct stat now {};
    ASSERT_EQ(stat(file.c_str(), &now), 0);
    EXPECT_NE(now.st_ino, before.st_ino);
    EXPECT_EQ(now.st_mode, before.st_mode);
}

TEST_F(WriteWholeFile, KeepsTheMode) {
    const fs::path file = folder_ / "private";
    std::ofstream(file) << "x";
    ASSERT_EQ(chmod(file.c_str(), 0600), 0);
    ASSERT_FALSE(write_whole_file(file, {"y"}));
    struct stat now {};
    ASSERT_EQ(stat(file.c_str(), &now), 0);
    EXPECT_EQ(now.st_mode & 0777, 0600u);
}

TEST_F(WriteWholeFile, ALinkStaysALink) {
    std::ofstream(folder_ / "target") << "x";
    fs::create_symlink("target", folder_ / "link");
    ASSERT_FALSE(write_whole_file(folder_ / "link", {"y"}));
    EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
    EXPECT_EQ(read_whole_file(folder_ / "target"), "y");
    fs::create_symlink("not yet", folder_ / "dangling");
    ASSERT_FALSE(write_whole_file(folder_ / "dangling", {"z"}));
    EXPECT_TRUE(fs::is_symlink(folder_ / "dangling"));
    EXPECT_EQ(read_whole_file(folder_ / "not yet"), "z");
}

TEST_F(WriteWholeFile, WhatIsNoFileIsWrittenInPlace) {
    EXPECT_FALSE(write_whole_file("/dev/null", {"y"}));
    EXPECT_FALSE(fs::is_regular_file("/dev/null"));
}

TEST_F(WriteWholeFile, FailureSaysWhyAndLeavesTheOldFile) {
    EXPECT_EQ(write_whole_file(folder_ / "none" / "file", {"y"}), std::errc::no_such_file_or_directory);
    EXPECT_EQ(write_whole_file(folder_, {"y"}), std::errc::is_a_directory);
    EXPECT_EQ(write_whole_file("/dev/full", {"y"}), std::errc::no_space_on_device);
    EXPECT_EQ(files(), 0u);
}

TEST(ReadInput, AFileThatIsThereComesWhole) {
    const ScratchFolder scratch;
    const fs::path file = fs::path(scratch.path()) / "file";
    std::string why;
    std::ofstream(file) << std::string(200000, 'x');
    EXPECT_EQ(read_input(file, 200000, why).value_or("").size(), 200000u);
    EXPECT_EQ(read_input("/dev/null", 10, why), "");
    EXPECT_EQ(why, "");
}

TEST(ReadInput, WhatDoesNotEndHasALimit) {
    const ScratchFolder scratch;
    const fs::path folder = scratch.path();
    std::string why;
    EXPECT_FALSE(read_input("/dev/zero", 1 << 20, why));
    EXPECT_EQ(why, "more came out of it than the 1 MiB that it may have");
    std::ofstream(folder / "sparse") << "x";
    fs::resize_file(folder / "sparse", 1ULL << 40);
    EXPECT_FALSE(read_input(folder / "sparse", 1 << 20, why));
    EXPECT_EQ(why, "it is larger than the 1 MiB that such a file may have");
    EXPECT_FALSE(read_input(folder, 1 << 20, why));
    EXPECT_EQ(why, "it is a folder");
    EXPECT_FALSE(read_input(folder / "none", 1 << 20, why));
    EXPECT_EQ(why, "No such file or directory");
}

TEST(ReadInput, APipeThatNobodyWritesIntoDoesNotHoldUsUp) {
    const ScratchFolder scratch;
    const fs::path pipe = fs::path(scratch.path()) / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::string why;
    EXPECT_FALSE(read_input(pipe, 100, why, std::chrono::milliseconds(20)));
    EXPECT_EQ(why, "nothing came out of it for 0 s");
    std::thread writer([&] { std::ofstream(pipe) << "hello"; });
    EXPECT_EQ(read_input(pipe, 100, why), "hello");
    writer.join();
}

}  // namespace
}  // namespace tilescope
