// What happens to an assembler that does not come to an end. One of our own stands for it, so that it surely does not.
#include "scope/image/ptxas.h"

#include <algorithm>
#include <cstdlib>

#include "scope/image/load.h"
#include "tests/image/support.h"

namespace tilescope::image {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKernelToAssemble =
    ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\nret;\n}\n";

class Ptxas : public test::Scratch {
protected:
    void SetUp() override {
        Scratch::SetUp();
        path_ = std::getenv("PATH");
        setenv("PATH", (folder().string() + ":" + path_).c_str(), 1);
    }
    void TearDown() override { setenv("PATH", path_.c_str(), 1); }

    // The body of a shell script; it notes each start.
    void stand_in(const std::string& body) const {
        const fs::path script =
            write("ptxas", "#!/bin/sh\necho start >> " + (folder() / "starts").string() + "\n" + body + "\n");
        fs::permissions(script, fs::perms::owner_all);
    }
    std::size_t starts() const {
        const std::string text = test::read_text(folder() / "starts");
        return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }

    std::string path_;
};

TEST_F(Ptxas, WithoutAnEndIsStopped) {
    stand_in("while :; do :; done");
    const auto stopped = assemble(kKernelToAssemble, 90, folder() / "cache");
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.errors().front().code, "image-ptxas-limit") << render(stopped.errors());
    EXPECT_NE(stopped.errors().front().message.find("took more than"), std::string::npos);
    EXPECT_NE(stopped.errors().front().hint.find("--no-ptxas"), std::string::npos);
}

TEST_F(Ptxas, WithoutMemoryIsNotTriedAgain) {
    stand_in("echo 'ptxas fatal   : Memory allocation failure' >&2; exit 255");
    for (int i = 0; i < 2; ++i) {
        const auto stopped = assemble(kKernelToAssemble, 90, folder() / "cache");
        ASSERT_FALSE(stopped);
        EXPECT_EQ(stopped.errors().front().code, "image-ptxas-limit") << render(stopped.errors());
    }
    EXPECT_EQ(starts(), 1u);
}

TEST_F(Ptxas, ThatWasStoppedLeavesAnEstimateWithANote) {
    stand_in("kill -SEGV $$");
    CompileOptions options;
    options.cache_dir = folder() / "cache";
    const auto path = write("k.ptx", kKernelToAssemble);
    const auto loaded = load_image(path, options, 90);
    ASSERT_TRUE(loaded) << render(loaded.errors());
    EXPECT_EQ(loaded->resources_from, ResourcesFrom::kNone);
    ASSERT_EQ(loaded->notes.size(), 1u);
    EXPECT_EQ(loaded->notes.front().severity, Severity::kNote);
    EXPECT_NE(loaded->notes.front().message.find("estimated"), std::string::npos);
    const auto unasked = load_image(path, options, 90, false);
    ASSERT_TRUE(unasked);
    EXPECT_TRUE(unasked->notes.empty());
    EXPECT_EQ(starts(), 1u);
}

TEST(PtxasOptions, SayWhetherItFuses) {
    for (const char* fuses : {"", " -O3", "-O1", "--fmad=true", "--fmad false --fmad true", " -v -maxrregcount 32"})
        EXPECT_TRUE(contracts(fuses)) << fuses;
    for (const char* apart :
         {" --fmad false ", "-fmad=false  ", "-O0  ", "-O 0", "--opt-level=0", "--opt-level 0",
          " -g --dont-merge-basicblocks --return-at-end ", "--device-debug", "--compile-only  --fmad false "})
        EXPECT_FALSE(contracts(apart)) << apart;
}

}  // namespace
}  // namespace tilescope::image
