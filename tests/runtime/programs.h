// Whole programs of programs/, built by a compiler as users build them and run on our libraries.
//
// Owns: Programs, the fixture of the tests that do so. A compiler that is not there skips them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scope/image/compile.h"
#include "scope/image/process.h"
#include "scope/image/toolchain.h"
#include "scope/report/journal.h"
#include "scope/session/options.h"
#include "tests/places.h"

namespace tilescope::runtime {

class Programs : public testing::TestWithParam<image::Compiler> {
protected:
    void SetUp() override {
        const auto found = image::find_toolchain(GetParam());
        if (!found) GTEST_SKIP() << render(found.errors());
        toolchain = *found;
        auto made = image::TemporaryFolder::create();
        ASSERT_TRUE(made);
        folder.emplace(std::move(*made));
    }

    static std::string source(const std::string& name) { return source_dir() + "/tests/runtime/programs/" + name; }

    std::string build(const std::string& name) {
        image::CompileOptions options;
        options.compiler = GetParam();
        options.runtime_lib_dir = runtime_dir();
        options.cache_dir = folder->path() / "cache";
        const auto program = image::compile_program({source(name)}, options);
        EXPECT_TRUE(program) << render(program.errors());
        return program ? program->executable.string() : "/bin/false";
    }

    image::ProcessOutput run(std::vector<std::string> command, const std::vector<std::string>& environment = {}) {
        std::vector<std::string> whole = {"env", std::string("LD_LIBRARY_PATH=") + runtime_dir()};
        whole.insert(whole.end(), environment.begin(), environment.end());
        whole.insert(whole.end(), command.begin(), command.end());
        const auto output = image::run_process(whole);
        EXPECT_TRUE(output);
        return output ? *output : image::ProcessOutput{};
    }

    // What is in the profile that the command leaves behind.
    Profile profile_of(const std::vector<std::string>& command, int& status) { return profile_of(command, {}, status); }
    Profile profile_of(const std::vector<std::string>& command, std::vector<std::string> environment, int& status) {
        const std::string path = (folder->path() / "journal").string();
        EXPECT_TRUE(image::write_file_atomically(path, ""));
        environment.push_back(std::string(kJournalVariable) + "=" + path);
        const auto output = run(command, environment);
        status = output.status;
        printed = output.output;
        const auto text = image::read_file(path);
        EXPECT_TRUE(text);
        auto profile = report::read_journal(text ? *text : "", path);
        EXPECT_TRUE(profile) << render(profile.errors());
        return profile ? *profile : Profile{};
    }

    image::Toolchain toolchain;
    std::optional<image::TemporaryFolder> folder;
    std::string printed;  // by the last program that left a profile
};

// "ProgramsNvcc" and so on.
inline std::string name_of_compiler(const testing::TestParamInfo<image::Compiler>& info) {
    return info.param == image::Compiler::kNvcc ? "Nvcc" : "Clang";
}

}  // namespace tilescope::runtime
