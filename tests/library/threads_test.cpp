// Sessions of several threads know nothing of each other.
#include <gtest/gtest.h>

#include <thread>

#include "scope/library/tilescope.h"
#include "tests/library/kernels.h"

namespace tilescope::library {
namespace {

// The sectors of a few launches, and whether all went well.
struct Outcome {
    std::uint64_t sectors = 0;
    double microseconds = 0;
    float last = 0;
};

Outcome run(const std::string& device, unsigned stride) {
    Outcome outcome;
    Options options;
    options.device = device;
    options.jobs = 2;
    options.ptxas = false;
    options.checks = {"memory", "races", "init"};
    auto session = Session::create(options);
    if (!session) return outcome;
    const auto module = session->load_ptx(kCopy, "copy.ptx");
    std::vector<float> values(std::size_t{4096} * stride);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    const auto in = session->buffer(values);
    const auto out = session->buffer<float>(4096);
    for (int i = 0; i < 3; ++i) {
        const auto launch = session->launch(*module->kernel("copy"), {{16}, {256}}, *in, *out, stride);
        if (!launch) return {};
        outcome.sectors += launch->counters.at("global_load_sectors");
        outcome.microseconds += launch->microseconds.value_or(0);
    }
    outcome.last = out->read()->back();
    return outcome;
}

TEST(LibraryThreads, TwoSessionsInTwoThreadsComeOutAsAlone) {
    const Outcome alone[2] = {run("h200", 1), run("a100", 4)};
    Outcome together[2];
    std::thread first([&] { together[0] = run("h200", 1); });
    std::thread second([&] { together[1] = run("a100", 4); });
    first.join();
    second.join();
    EXPECT_EQ(alone[0].sectors, 3u * 4096 / 8);
    EXPECT_EQ(alone[1].sectors, 3u * 4096 / 2);
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(together[i].sectors, alone[i].sectors);
        EXPECT_EQ(together[i].microseconds, alone[i].microseconds);
        EXPECT_EQ(together[i].last, alone[i].last);
    }
    EXPECT_EQ(together[1].last, 4.0F * 4095);
}

}  // namespace
}  // namespace tilescope::library
