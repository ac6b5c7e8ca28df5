// When work begins and ends, by the rules of streams: small programs whose time line follows from the rules alone.
#include "scope/models/timeline/timeline.h"

#include <gtest/gtest.h>

#include <map>

#include "scope/models/timeline/host_link.h"

namespace tilescope::models {
namespace {

constexpr std::uint64_t kWaits = 1000;  // tags of the host's waits begin here

class TimelineTest : public ::testing::Test {
protected:
    void start(unsigned engines) {
        line_ = std::make_unique<Timeline>(engines, 1024, [this](const TimedSpan& span) { spans_[span.tag] = span; });
    }
    Timeline& line() {
        if (!line_) start(2);
        return *line_;
    }
    void kernel(std::uint32_t stream, std::uint64_t tag, double time = 10, double share = 1) {
        line().issue({stream, Engine::kCompute, time, share, tag});
    }
    void to_device(std::uint32_t stream, std::uint64_t tag, double time = 10) {
        line().issue({stream, Engine::kToDevice, time, 1, tag});
    }
    void to_host(std::uint32_t stream, std::uint64_t tag, double time = 10) {
        line().issue({stream, Engine::kToHost, time, 1, tag});
    }
    double begin(std::uint64_t tag) { return spans_.at(tag).begin; }
    double end(std::uint64_t tag) { return spans_.at(tag).end; }
    bool has(std::uint64_t tag) const { return spans_.count(tag) != 0; }

    std::map<std::uint64_t, TimedSpan> spans_;
    std::unique_ptr<Timeline> line_;
};

TEST_F(TimelineTest, OneStreamIsInOrder) {
    to_device(0, 1);
    kernel(0, 2);
    to_host(0, 3);
    line().finish();
    EXPECT_EQ(begin(1), 0);
    EXPECT_EQ(begin(2), 10);
    EXPECT_EQ(begin(3), 20);
    EXPECT_EQ(line().totals().microseconds, 30);
    EXPECT_EQ(line().totals().hidden, 0);
}

TEST_F(TimelineTest, StreamsOverlapCopiesWithKernels) {
    for (const std::uint32_t stream : {2u, 3u, 4u}) {
        to_device(stream, 10 * stream);
        kernel(stream, 10 * stream + 1);
        to_host(stream, 10 * stream + 2);
    }
    line().finish();
    // A pipeline: each engine is always one stream behind the one before.
    EXPECT_EQ(begin(30), 10);
    EXPECT_EQ(begin(21), 10);
    EXPECT_EQ(begin(31), 20);
    EXPECT_EQ(begin(22), 20);
    EXPECT_EQ(end(42), 50);
    EXPECT_EQ(line().totals().kernels, 30);
    EXPECT_EQ(line().totals().copies, 50);
    EXPECT_EQ(line().totals().hidden, 30);
}

TEST_F(TimelineTest, ACopyEngineDoesOneThingAtATime) {
    to_device(2, 1);
    to_device(3, 2);
    to_host(4, 3);
    line().finish();
    EXPECT_EQ(begin(2), 10);
    EXPECT_EQ(begin(3), 0);
}

TEST_F(TimelineTest, ASingleCopyEngineServesBothDirections) {
    start(1);
    to_device(2, 1);
    to_host(3, 2);
    line().finish();
    EXPECT_EQ(begin(2), 10);
}

// What is ready first goes first, whatever was issued first.
TEST_F(TimelineTest, CopiesGoInTheOrderInWhichTheyAreReady) {
    kernel(2, 1, 50, 0.5);
    to_host(2, 2);
    kernel(3, 3, 5, 0.5);
    to_host(3, 4, 100);
    line().finish();
    EXPECT_EQ(begin(4), 5);
    EXPECT_EQ(begin(2), 105);
}

TEST_F(TimelineTest, KernelsRunTogetherAsFarAsTheyFit) {
    kernel(2, 1, 10, 0.4);
    kernel(3, 2, 20, 0.6);
    kernel(4, 3, 10, 0.5);
    kernel(5, 4, 10, 0.1);  // fits beside the second, but none overtakes
    line().finish();
    EXPECT_EQ(begin(2), 0);
    EXPECT_EQ(begin(3), 20);
    EXPECT_EQ(begin(4), 20);
    EXPECT_EQ(line().totals().kernels, 30);
}

TEST_F(TimelineTest, TheLegacyStreamIsOrderedWithBlockingStreamsOnly) {
    line().create_stream(2, true);
    line().create_stream(3, false);
    to_device(2, 1);
    kernel(3, 2, 30, 0.1);
    to_host(0, 3);         // behind 1, not behind 2
    kernel(2, 4, 5, 0.1);  // behind 3
    kernel(3, 5, 5, 0.1);  // behind 2 alone
    line().finish();
    EXPECT_EQ(begin(2), 0);
    EXPECT_EQ(begin(3), 10);
    EXPECT_EQ(begin(4), 20);
    EXPECT_EQ(begin(5), 30);
}

TEST_F(TimelineTest, AStreamWaitsForTheEventsLastRecord) {
    constexpr std::uint64_t kEvent = 77, kNever = 78;
    to_device(2, 1);
    line().record(kEvent, 2);
    to_device(2, 2);
    line().wait(3, kNever);  // was never recorded: nothing to wait for
    line().wait(3, kEvent);
    kernel(3, 3);
    line().finish();
    EXPECT_EQ(begin(3), 10);
    EXPECT_EQ(end(2), 20);
}

TEST_F(TimelineTest, TheHostWaitsForWhatItSynchronises) {
    constexpr std::uint64_t kEvent = 77;
    kernel(2, 1, 10, 0.5);
    line().record(kEvent, 2);
    kernel(2, 2, 10, 0.5);
    kernel(3, 3, 50, 0.5);
    line().synchronize_event(kEvent, kWaits);
    EXPECT_EQ(line().now(), 10);
    line().synchronize_stream(2, kWaits + 1);
    EXPECT_EQ(line().now(), 20);
    line().synchronize_device(kWaits + 2);
    EXPECT_EQ(line().now(), 50);
    line().synchronize_device(kWaits + 3);
    EXPECT_FALSE(has(kWaits + 3)) << "there was nothing to wait for";
    EXPECT_EQ(line().totals().host_waits, 50);
    EXPECT_EQ(begin(kWaits + 2), 20);
}

// The legacy stream's synchronisation waits for the streams that it blocks, and for no other.
TEST_F(TimelineTest, SynchronisingTheLegacyStreamWaitsForBlockingStreams) {
    line().create_stream(2, true);
    line().create_stream(3, false);
    kernel(2, 1, 10, 0.5);
    kernel(3, 2, 40, 0.5);
    line().synchronize_stream(0, kWaits);
    EXPECT_EQ(line().now(), 10);
}

TEST_F(TimelineTest, WorkBeginsWhenTheHostHasIssuedIt) {
    line().spend(4);
    kernel(0, 1, 1);
    line().spend(4);
    kernel(0, 2, 1);
    line().finish();
    EXPECT_EQ(begin(1), 4);
    EXPECT_EQ(begin(2), 8);
}

TEST_F(TimelineTest, EventsTellTheTimeBetweenThem) {
    line().record(1, 0);
    kernel(0, 1, 25);
    line().record(2, 0);
    EXPECT_EQ(line().completed(2).value() - line().completed(1).value(), 25);
    EXPECT_FALSE(line().completed(3));
}

// A program that never waits does not fill memory: its calls wait when the device is a thousand pieces behind.
TEST_F(TimelineTest, TheHostWaitsWhenItIsFarAhead) {
    for (std::uint64_t i = 0; i < 5000; ++i) kernel(0, i, 10);
    EXPECT_GE(line().now(), 10 * (5000 - 1024 - 1));
    line().finish();
    EXPECT_EQ(line().totals().kernels, 50000);
}

TEST(HostLink, TimesFollowFromTheDevicesFigures) {
    auto device = load_device("h200");
    ASSERT_TRUE(device);
    const auto link = link_figures(*device);
    ASSERT_TRUE(link);
    constexpr std::uint64_t kBytes = 1 << 28;
    const double pinned = copy_microseconds(*link, CopyDirection::kHtoD, HostMemory::kPinned, kBytes);
    EXPECT_NEAR(pinned, 4862, 50) << "as the card took (bench/hardware/host_link.cu)";
    EXPECT_GT(copy_microseconds(*link, CopyDirection::kHtoD, HostMemory::kPageable, kBytes), 3 * pinned);
    EXPECT_LT(copy_microseconds(*link, CopyDirection::kDtoD, HostMemory::kNone, kBytes), pinned / 20);
    EXPECT_EQ(copy_microseconds(*link, CopyDirection::kHtoH, HostMemory::kPinned, kBytes), 0);
    device->host_copy_bandwidth = 50e9;
    EXPECT_EQ(link_figures(*device)->pinned, 50e9);
    device->host_copy_bandwidth = device->host_link_bandwidth = 0;
    EXPECT_FALSE(link_figures(*device));
}

TEST(Paces, WhatIsShortIsSharedOutEvenly) {
    EXPECT_EQ(paces({}), std::vector<double>{});
    EXPECT_EQ(paces({{1, 1, 1, 1}}), std::vector<double>{1});
    // Different things, or little enough of the same.
    EXPECT_EQ(paces({{1, 0, 0, 0}, {0, 0, 0, 1}}), (std::vector<double>{1, 1}));
    EXPECT_EQ(paces({{0.5, 0, 0, 0}, {0.5, 0, 0, 0}}), (std::vector<double>{1, 1}));
    EXPECT_EQ(paces({{1, 0, 0, 0}, {1, 0, 0, 0}}), (std::vector<double>{0.5, 0.5}));
    // Who wants little gets it, and the others the rest.
    EXPECT_EQ(paces({{0, 0, 0, 1}, {0, 0, 0, 0.25}}), (std::vector<double>{0.75, 1}));
    // The one of which there is least decides.
    const std::vector<double> all = paces({{1, 0, 0, 1}, {1, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 1}});
    EXPECT_NEAR(all[0], 1.0 / 3, 1e-12);
    EXPECT_EQ(all[1], 0.5);
    EXPECT_NEAR(all[3], 1.0 / 3, 1e-12);
}

TEST(Paces, ALaunchTakesWhatItsTimeGoesInto) {
    TimeProfile time;
    time.microseconds = 12;
    time.breakdown[TimeBound::kLaunch] = 2;
    time.breakdown[TimeBound::kIssue] = 3;
    time.breakdown[TimeBound::kFp32] = 1;
    time.breakdown[TimeBound::kDram] = 5;
    time.breakdown[TimeBound::kLatency] = 1;
    const Shares takes = shares_of(time, 0.5);
    EXPECT_DOUBLE_EQ(takes[static_cast<unsigned>(Shared::kSchedulers)], 0.2);  // on half of the SMs
    EXPECT_DOUBLE_EQ(takes[static_cast<unsigned>(Shared::kDeviceMemory)], 0.5);
    EXPECT_EQ(takes[static_cast<unsigned>(Shared::kSecondLevel)], 0);
}

TEST_F(TimelineTest, KernelsThatWantTheSameTakeItInTurns) {
    line().issue({2, Engine::kCompute, 10, 0.5, 1, {1, 0, 0, 0}});
    line().issue({3, Engine::kCompute, 4, 0.5, 2, {1, 0, 0, 0}});
    line().finish();
    // Both at half their pace until the shorter one has ended, at 8; then the other is alone with the 6 that are left.
    EXPECT_DOUBLE_EQ(end(2), 8);
    EXPECT_DOUBLE_EQ(end(1), 14);
    EXPECT_DOUBLE_EQ(line().totals().kernels, 14);
}

TEST_F(TimelineTest, KernelsThatWantDifferentThingsDoNotSlowEachOther) {
    line().issue({2, Engine::kCompute, 10, 0.5, 1, {1, 0, 0, 0}});
    line().issue({3, Engine::kCompute, 4, 0.5, 2, {0, 0, 0, 1}});
    line().finish();
    EXPECT_EQ(end(2), 4);
    EXPECT_EQ(end(1), 10);
}

TEST_F(TimelineTest, TheHostStandsStillForItsFaults) {
    kernel(0, 1);
    line().hold(25, kWaits);
    kernel(0, 2);
    line().finish();
    EXPECT_EQ(begin(kWaits), 0);
    EXPECT_EQ(end(kWaits), 25);
    EXPECT_EQ(begin(2), 25);
    EXPECT_EQ(line().totals().host_waits, 25);
}

}  // namespace
}  // namespace tilescope::models
