// What the tests of this room share: compilers where they are installed, scratch files, truth programs.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "scope/image/process.h"
#include "scope/image/toolchain.h"

namespace tilescope::image::test {

// Skips the test, saying so, where a tool is not installed.
#define TILESCOPE_NEEDS(tool, name) \
    if ((tool).empty()) GTEST_SKIP() << name << " is not installed"

inline constexpr const char* kEmptyKernel =
    ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n";

inline std::filesystem::path nvcc() {
    const auto found = find_toolchain(Compiler::kNvcc);
    return found ? found->program : std::filesystem::path();
}

// Every supported clang of this machine.
inline std::vector<std::filesystem::path> clangs() {
    std::vector<std::filesystem::path> found;
    for (int major = kOldestClang; major <= kNewestClang; ++major)
        if (const auto program = find_program("clang++-" + std::to_string(major))) found.push_back(*program);
    if (found.empty())
        if (const auto any = find_toolchain(Compiler::kClang)) found.push_back(any->program);
    return found;
}

// A scratch folder for one test.
class Scratch : public ::testing::Test {
protected:
    void SetUp() override {
        auto made = TemporaryFolder::create();
        ASSERT_TRUE(made) << render(made.errors());
        folder_ = std::make_unique<TemporaryFolder>(std::move(made).value());
    }

    const std::filesystem::path& folder() const { return folder_->path(); }

    std::filesystem::path write(const std::string& name, std::string_view text) const {
        const std::filesystem::path path = folder() / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }

    // Runs a tool that must succeed.
    static std::string run(const std::vector<std::string>& arguments) {
        const auto result = run_process(arguments);
        EXPECT_TRUE(result) << render(result.errors());
        if (!result) return {};
        EXPECT_EQ(result->status, 0) << arguments[0] << ": " << result->errors;
        return result->output;
    }

private:
    std::unique_ptr<TemporaryFolder> folder_;
};

inline std::string read_text(const std::filesystem::path& path) {
    auto text = read_file(path);
    EXPECT_TRUE(text) << render(text.errors());
    return text ? *text : std::string();
}

inline std::vector<std::byte> read_bytes(const std::filesystem::path& path) {
    const std::string text = read_text(path);
    std::vector<std::byte> bytes(text.size());
    std::copy(text.begin(), text.end(), reinterpret_cast<char*>(bytes.data()));
    return bytes;
}

}  // namespace tilescope::image::test
