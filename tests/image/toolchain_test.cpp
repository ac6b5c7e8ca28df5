// What a user may call a compiler.
#include "scope/image/toolchain.h"

#include "support.h"

namespace tilescope::image {
namespace {

using ChoosingACompiler = test::Scratch;

TEST_F(ChoosingACompiler, WordsLeaveItToTilescope) {
    EXPECT_EQ(choose_compiler("auto")->kind, Compiler::kAuto);
    EXPECT_EQ(choose_compiler("clang")->kind, Compiler::kClang);
    EXPECT_EQ(choose_compiler("nvcc")->kind, Compiler::kNvcc);
    EXPECT_EQ(choose_compiler("clang")->program, "");
}

TEST_F(ChoosingACompiler, ByNameWithReleaseAndByPath) {
    TILESCOPE_NEEDS(test::clangs(), "clang 14 to 19");
    for (const std::filesystem::path& clang : test::clangs()) {
        const auto toolchain = toolchain_at(Compiler::kClang, clang);
        ASSERT_TRUE(toolchain) << clang;
        for (const std::string& name : {clang.string(), clang.filename().string()}) {
            const auto chosen = choose_compiler(name);
            ASSERT_TRUE(chosen) << name << render(chosen.errors());
            EXPECT_EQ(chosen->kind, Compiler::kClang);
            EXPECT_EQ(toolchain_at(chosen->kind, chosen->program)->major, toolchain->major);
        }
        const std::string c_compiler = "clang-" + std::to_string(toolchain->major);
        if (!find_program(c_compiler)) continue;
        const auto chosen = choose_compiler(c_compiler);
        ASSERT_TRUE(chosen) << c_compiler << render(chosen.errors());
        EXPECT_EQ(toolchain_at(chosen->kind, chosen->program)->major, toolchain->major);
    }
}

TEST_F(ChoosingACompiler, NvccByPath) {
    TILESCOPE_NEEDS(test::nvcc(), "nvcc");
    const auto chosen = choose_compiler(test::nvcc().string());
    ASSERT_TRUE(chosen) << render(chosen.errors());
    EXPECT_EQ(chosen->kind, Compiler::kNvcc);
}

TEST_F(ChoosingACompiler, WhatIsNotThereIsRefusedWithWhatIs) {
    const auto chosen = choose_compiler("clang-99");
    ASSERT_FALSE(chosen);
    EXPECT_NE(chosen.errors().front().message.find("clang-99"), std::string::npos);
    for (const std::filesystem::path& clang : test::clangs())
        EXPECT_NE(chosen.errors().front().hint.find(clang.string()), std::string::npos) << chosen.errors().front().hint;
}

TEST_F(ChoosingACompiler, WhatIsNoCompilerIsRefused) {
    const auto chosen = choose_compiler("/bin/true");
    ASSERT_FALSE(chosen);
    EXPECT_EQ(chosen.errors().front().location.file, "/bin/true");
    EXPECT_FALSE(choose_compiler(folder().string()));
    EXPECT_FALSE(choose_compiler(""));
}

// A compiler that only answers, of a release that no machine needs to have.
TEST_F(ChoosingACompiler, UnsupportedReleasesAreRefusedWithTheReason) {
    for (const char* release : {"13.0.1", "20.1.0"}) {
        const auto fake = write("clang", std::string("#!/bin/sh\necho 'clang version ") + release + "'\n");
        std::filesystem::permissions(fake, std::filesystem::perms::owner_all);
        const auto chosen = choose_compiler(fake.string());
        ASSERT_FALSE(chosen) << release;
        EXPECT_NE(chosen.errors().front().message.find(release), std::string::npos);
        EXPECT_NE(chosen.errors().front().hint.find("14 to 19"), std::string::npos) << chosen.errors().front().hint;
    }
}

}  // namespace
}  // namespace tilescope::image
