// Which stores leave an SM together: what an H200 sent in the launches of bench/hardware/joined_stores.cu that decide.
#include <gtest/gtest.h>

#include "scope/observers/caches/store_way.h"

namespace tilescope::observers {
namespace {

constexpr Piece kWhole{0, 15, 15, 0};
constexpr unsigned kSchedulers = 4;

class StoreWays : public testing::Test {
protected:
    // A scheduler stores to whole lines from `line` on; gives when the last one could go in.
    std::uint64_t store(unsigned scheduler, std::uint64_t line, std::uint64_t time, unsigned lines = 1) {
        way_.begin(scheduler, line * 1000 + lines, time);
        for (unsigned i = 0; i < lines; ++i) {
            const StoreWay::Taken taken = way_.take(figures_, sent_, scheduler, line + i, kWhole, nullptr, time);
            sectors_ += taken.new_sectors;
            time = taken.time + 1;
        }
        return time - 1;
    }
    std::uint64_t lines_sent() {
        way_.end(figures_, sent_);
        return sent_.lines;
    }

    CacheFigures figures_ = [] {
        CacheFigures figures;
        figures.store_line_cycles = 1.7;
        figures.store_sector_cycles = 1.3;
        figures.store_part_cycles = 1.85;
        return figures;
    }();
    StoreWay way_;
    StoresSent sent_;
    unsigned sectors_ = 0;
};

TEST_F(StoreWays, AWarpThatStoresToTheSameLineSendsItOnce) {
    for (unsigned i = 0; i < 8; ++i) store(0, 7, 100 + 5 * i);
    EXPECT_EQ(sectors_, 4u);
    EXPECT_EQ(lines_sent(), 1u);
}

TEST_F(StoreWays, SoDoWarpsOfDifferentSchedulers) {
    for (unsigned i = 0; i < 8; ++i)
        for (unsigned scheduler = 0; scheduler < kSchedulers; ++scheduler)
            store(scheduler, scheduler, 100 + 4 * i + scheduler);
    EXPECT_EQ(lines_sent(), kSchedulers);
}

TEST_F(StoreWays, AWhileLaterItHasLeft) {
    store(0, 7, 100);
    store(0, 7, 200);
    EXPECT_EQ(sectors_, 8u);
    EXPECT_EQ(lines_sent(), 2u);
}

// What L1 takes for its sectors in motion: until they have left, and a little longer.
TEST_F(StoreWays, AStoreIsLeavingUntilTheWayHasTakenIt) {
    store(0, 7, 100);
    EXPECT_EQ(way_.leaving(figures_, sent_, 7, 110), 15u);
    EXPECT_EQ(way_.leaving(figures_, sent_, 8, 110), 0u);
    EXPECT_EQ(way_.leaving(figures_, sent_, 7, 135), 15u) << "it has left, which L1 does not know";
    EXPECT_EQ(way_.leaving(figures_, sent_, 7, 160), 0u);
    store(0, 100, 1000, 20);
    EXPECT_EQ(way_.leaving(figures_, sent_, 119, 1060), 15u) << "the last of 20 lines leaves later";
    EXPECT_EQ(way_.leaving(figures_, sent_, 119, 1300), 0u);
}

TEST_F(StoreWays, FourWarpsOfSevenLinesEachAreJoinedAndOfNineNot) {
    for (const unsigned lines : {7u, 9u}) {
        StoreWay way;
        StoresSent sent;
        for (unsigned i = 0; i < 7; ++i)
            for (unsigned scheduler = 0; scheduler < kSchedulers; ++scheduler) {
                const std::uint64_t first = 100 * scheduler, time = 100 + 4 * i + scheduler;
                way.begin(scheduler, first + 1, time);
                for (unsigned k = 0; k < lines; ++k)
                    way.take(figures_, sent, scheduler, first + k, kWhole, nullptr, time);
            }
        way.end(figures_, sent);
        if (lines == 7)
            EXPECT_LE(sent.lines, 2 * lines * kSchedulers);
        else
            EXPECT_GT(sent.lines, 3 * lines * kSchedulers);
    }
}

// One warp leaves the way time enough to send each; with four of them it is busy.
TEST_F(StoreWays, TurnsBetweenTwoLinesAreJoinedWhereTheWayIsBusy) {
    for (unsigned i = 0; i < 16; ++i) store(0, i % 2, 100 + 8 * i);
    EXPECT_EQ(lines_sent(), 16u);
    StoreWay busy;
    StoresSent sent;
    for (unsigned i = 0; i < 16; ++i)
        for (unsigned scheduler = 0; scheduler < kSchedulers; ++scheduler) {
            const std::uint64_t line = 10 * scheduler + i % 2, time = 100 + 4 * i + scheduler;
            busy.begin(scheduler, line, time);
            busy.take(figures_, sent, scheduler, line, kWhole, nullptr, time);
        }
    busy.end(figures_, sent);
    EXPECT_GE(sent.lines, 10u);  // an H200: 20 of 64, in 256 sectors
    EXPECT_LE(sent.lines, 30u);
}

// A line that waits for its scheduler and for nothing else is not joined by others.
TEST_F(StoreWays, AnotherSchedulerJoinsOnlyWhatWaitsForTheWay) {
    store(0, 7, 100);
    store(1, 7, 110);
    EXPECT_EQ(lines_sent(), 2u);
    StoreWay busy;
    StoresSent sent;
    for (std::uint64_t line = 0; line < 8; ++line) {
        busy.begin(0, line, 100);
        busy.take(figures_, sent, 0, line, kWhole, nullptr, 100);
    }
    busy.begin(1, 7, 101);
    EXPECT_EQ(busy.take(figures_, sent, 1, 7, kWhole, nullptr, 101).new_sectors, 0u);
}

// Of a request of 19 lines all wait for the next one, of one of 32 not all.
TEST_F(StoreWays, ThirtyOneLinesHaveRoom) {
    store(0, 0, 100, 19);
    EXPECT_EQ(store(0, 0, 117, 19), 135u);
    EXPECT_EQ(sectors_, 76u);
    EXPECT_EQ(lines_sent(), 19u);
    sectors_ = 0;
    const std::uint64_t end = store(0, 100, 1000, 32);
    EXPECT_GE(end, 1031u);
    EXPECT_GT(store(0, 100, end + 1, 32), end + 32) << "the pipe has to wait";
    EXPECT_GT(sectors_, 128u);
}

// What is whole when it leaves takes less of the way than what is not.
TEST_F(StoreWays, HalvesOfASectorMakeAWholeOne) {
    const std::uint64_t lower = 0x0000ffff, upper = 0xffff0000;
    const Piece half{0, 1, 0, 16};
    for (const std::uint64_t* mask : {&lower, &upper}) {
        way_.begin(0, 7, 100);
        way_.take(figures_, sent_, 0, 7, half, mask, 100);
    }
    way_.end(figures_, sent_);
    EXPECT_EQ(sent_.in_part, 0u);
    way_.begin(0, 7, 200);
    way_.take(figures_, sent_, 0, 7, half, &lower, 200);
    way_.end(figures_, sent_);
    EXPECT_EQ(sent_.in_part, 1u);
}

}  // namespace
}  // namespace tilescope::observers
