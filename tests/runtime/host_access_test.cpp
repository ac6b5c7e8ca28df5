// Host code that touches device memory ends as it would with a GPU, and hears why and where.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/runtime/programs.h"

namespace tilescope::runtime {
namespace {

using image::Compiler;

constexpr int kSegfault = 128 + 11;

class HostAccess : public Programs {
protected:
    // The number of the line that ends with "// NAME".
    static std::string line_of(const std::string& name) {
        std::ifstream file(source("host_access.cu"));
        std::string line;
        for (int number = 1; std::getline(file, line); ++number)
            if (line.ends_with("// " + name)) return "host_access.cu:" + std::to_string(number) + ":";
        ADD_FAILURE() << name;
        return {};
    }

    void expect_end(const std::string& program, const std::string& what, const std::string& line,
                    const std::vector<std::string>& words) {
        const auto ended = run({program, what});
        EXPECT_EQ(ended.status, kSegfault) << what;
        EXPECT_EQ(ended.output, "") << what;
        EXPECT_NE(ended.errors.find(line_of(line)), std::string::npos) << what << "\n" << ended.errors;
        EXPECT_NE(ended.errors.find("device memory; copy it with cudaMemcpy"), std::string::npos) << ended.errors;
        for (const std::string& word : words)
            EXPECT_NE(ended.errors.find(word), std::string::npos) << what << ": " << word << "\n" << ended.errors;
    }
};

TEST_P(HostAccess, EndsAtItsLine) {
    const std::string program = build("host_access.cu");
    const std::string origin = line_of("allocate");
    const std::string allocated = origin.substr(0, origin.size() - 1) + ")";
    expect_end(program, "write", "fill", {"writes to byte 0 of 4000 bytes of device memory", allocated, "in fill"});
    expect_end(program, "read", "read", {"reads byte 12 of 4000 bytes", "main thread after 0 kernel launches"});
    expect_end(program, "launched", "launched", {"after 1 kernel launch:"});
    expect_end(program, "symbol", "symbol", {"byte 8 of a __device__ variable of 16 bytes"});
    expect_end(program, "constant", "constant", {"byte 8 of a __constant__ variable of 16 bytes"});
    expect_end(program, "thread", "thread", {"in thread "});
}

TEST_P(HostAccess, ThroughALibraryEndsAtItsCaller) {
    const std::string program = build("host_access.cu");
    for (const char* what : {"copy", "print", "stream", "sort", "free"}) expect_end(program, what, what, {"reads"});
}

TEST_P(HostAccess, TellsFreedMemoryAndWhatLiesBeside) {
    const std::string program = build("host_access.cu");
    expect_end(program, "freed", "freed", {"byte 4 of 4000 bytes of device memory", "which was freed"});
    expect_end(program, "past", "past", {"4 bytes past the end of 4000 bytes of device memory"});
}

TEST_P(HostAccess, ReachesManagedPinnedAndRegisteredMemory) {
    const auto output = run({build("host_access.cu"), "visible"});
    EXPECT_EQ(output.output, "0 wrong\n") << output.errors;
    EXPECT_EQ(output.status, 0);
}

TEST_P(HostAccess, LeavesOtherFaultsAndHandlersAlone) {
    const std::string program = build("host_access.cu");
    const auto null = run({program, "null"});
    EXPECT_EQ(null.status, kSegfault);
    EXPECT_EQ(null.errors.find("device memory"), std::string::npos) << null.errors;
    for (const char* what : {"handler-before", "handler-after"}) EXPECT_EQ(run({program, what}).output, "caught 2\n");
}

TEST_P(HostAccess, IsInTheProfileWithWhatFinishedBefore) {
    int status = -1;
    const Profile profile = profile_of({build("host_access.cu"), "launched"}, status);
    EXPECT_EQ(status, kSegfault);
    EXPECT_EQ(profile.launches.size(), 1u);
    ASSERT_EQ(profile.diagnostics.size(), 1u);
    EXPECT_EQ(profile.diagnostics[0].code, "runtime-host-access");
    EXPECT_NE(profile.diagnostics[0].location.line, 0u);
}

INSTANTIATE_TEST_SUITE_P(Through, HostAccess, testing::Values(Compiler::kNvcc, Compiler::kClang), name_of_compiler);

}  // namespace
}  // namespace tilescope::runtime
