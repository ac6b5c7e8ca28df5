// CUDA calls while a program ends: they work until the runtime has written its profile, and do nothing afterwards.
#include <gtest/gtest.h>

#include <string>

#include "tests/runtime/programs.h"

namespace tilescope::runtime {
namespace {

using image::Compiler;

class Unloading : public Programs {};

constexpr const char* kGone =
    ": cudaErrorCudartUnloading cudaErrorCudartUnloading cudaErrorCudartUnloading cudaErrorCudartUnloading 0\n";

TEST_P(Unloading, EndsCallsOfWhatIsOlderThanTheDevice) {
    const std::string program = build("at_exit.cu");
    for (const std::string what : {"handler", "object"}) {
        const auto output = run({program, what + "-before"});
        EXPECT_EQ(output.status, 0) << output.errors;
        EXPECT_EQ(output.output, "main is done\n" + what + " before" + kGone);
    }
}

TEST_P(Unloading, NotesTheKernelThatDidNotRunAndNothingElse) {
    int status = -1;
    const Profile profile = profile_of({build("at_exit.cu"), "object-before"}, status);
    ASSERT_EQ(profile.failed_calls.size(), 1u);
    EXPECT_TRUE(profile.failed_calls[0].is_launch());
    EXPECT_EQ(profile.failed_calls[0].error, "cudaErrorCudartUnloading");
    EXPECT_EQ(profile.failed_calls[0].unread, 0u);
    EXPECT_TRUE(profile_of({build("at_exit.cu"), "handler-after"}, status).failed_calls.empty());
}

TEST_P(Unloading, LetsYoungerHandlersAndObjectsWork) {
    const std::string program = build("at_exit.cu");
    const std::string well = ": cudaSuccess cudaSuccess cudaSuccess cudaSuccess ";
    const auto handler = run({program, "handler-after"});
    EXPECT_EQ(handler.output, "main is done\nhandler after" + well + "992\n") << handler.errors;
    EXPECT_EQ(handler.status, 0);
    int status = -1;
    const auto object = run({program, "object-after"});
    EXPECT_EQ(object.output, "object after" + well + "496\n") << object.errors;
    EXPECT_EQ(object.status, 0);
    EXPECT_EQ(profile_of({program, "handler-after"}, status).launches.size(), 2u);
}

TEST_P(Unloading, DoesNotWaitForAThreadThatGoesOnLaunching) {
    int status = -1;
    const Profile profile = profile_of({build("at_exit.cu"), "thread"}, status);
    EXPECT_EQ(status, 0);
    EXPECT_GE(profile.launches.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Through, Unloading, testing::Values(Compiler::kNvcc, Compiler::kClang), name_of_compiler);

}  // namespace
}  // namespace tilescope::runtime
