// Which stores leave an SM together: what an H200 sent in the launches of bench/hardware/joined_stores.cu that decide.
#include <gtest/gtest.h>

#include "scope/observers/hierarchy/store_path/store_path.h"
#include "tests/observers/hierarchy_rules.h"

namespace tilescope::observers {
namespace {

constexpr Piece kWhole{0, 15, 15, 0};

class StorePaths : public testing::Test {
protected:
    // A scheduler stores to whole lines from `line` on; gives when the last one could go in.
    std::uint64_t store(unsigned scheduler, std::uint64_t line, std::uint64_t time, unsigned lines = 1) {
        path_.begin(scheduler, line * 1000 + lines, time);
        for (unsigned i = 0; i < lines; ++i) {
            const StorePath::Taken taken = path_.take(rules_, sent_, scheduler, line + i, kWhole, nullptr, time);
            sectors_ += taken.new_sectors;
            time = taken.time + 1;
        }
        return time - 1;
    }
    std::uint64_t lines_sent() {
        path_.end(rules_, sent_);
        return sent_.lines;
    }

    StorePathRules rules_ = [] {
        StorePathRules rules = h200_rules().stores;
        rules.line_cycles = 1.7;
        rules.sector_cycles = 1.3;
        rules.part_cycles = 1.85;
        return rules;
    }();
    StorePath path_;
    StoresSent sent_;
    unsigned sectors_ = 0;
};

TEST_F(StorePaths, AWarpThatStoresToTheSameLineSendsItOnce) {
    for (unsigned i = 0; i < 8; ++i) store(0, 7, 100 + 5 * i);
    EXPECT_EQ(sectors_, 4u);
    EXPECT_EQ(lines_sent(), 1u);
}

TEST_F(StorePaths, SoDoWarpsOfDifferentSchedulers) {
    for (unsigned i = 0; i < 8; ++i)
        for (unsigned scheduler = 0; scheduler < kSchedulers; ++scheduler)
            store(scheduler, scheduler, 100 + 4 * i + scheduler);
    EXPECT_EQ(lines_sent(), kSchedulers);
}

TEST_F(StorePaths, AWhileLaterItHasLeft) {
    store(0, 7, 100);
    store(0, 7, 200);
    EXPECT_EQ(sectors_, 8u);
    EXPECT_EQ(lines_sent(), 2u);
}

// What L1 takes for its sectors in motion: until they have left, and a little longer.
TEST_F(StorePaths, AStoreIsLeavingUntilTheWayHasTakenIt) {
    store(0, 7, 100);
    EXPECT_EQ(path_.leaving(rules_, sent_, 7, 110), 15u);
    EXPECT_EQ(path_.leaving(rules_, sent_, 8, 110), 0u);
    EXPECT_EQ(path_.leaving(rules_, sent_, 7, 135), 15u) << "it has left, which L1 does not know";
    EXPECT_EQ(path_.leaving(rules_, sent_, 7, 160), 0u);
    store(0, 100, 1000, 20);
    EXPECT_EQ(path_.leaving(rules_, sent_, 119, 1060), 15u) << "the last of 20 lines leaves later";
    EXPECT_EQ(path_.leaving(rules_, sent_, 119, 1300), 0u);
}

TEST_F(StorePaths, FourWarpsOfSevenLinesEachAreJoinedAndOfNineNot) {
    for (const unsigned lines : {7u, 9u}) {
        StorePath path;
        StoresSent sent;
        for (unsigned i = 0; i < 7; ++i)
            for (unsigned scheduler = 0; scheduler < kSchedulers; ++scheduler) {
                const std::uint64_t first = 100 * scheduler, time = 100 + 4 * i + scheduler;
                path.begin(scheduler, first + 1, time);
                for (unsigned k = 0; k < lines; ++k)
                    path.take(rules_, sent, scheduler, first + k, kWhole, nullptr, time);
            }
        path.end(rules_, sent);
        if (lines == 7)
            EXPECT_LE(sent.lines, 2 * lines * kSchedulers);
        else
            EXPECT_GT(sent.lines, 3 * lines * kSchedulers);
    }
}

// One warp leaves the way time enough to send each; with four of them it is busy.
TEST_F(StorePaths, TurnsBetweenTwoLinesAreJoinedWhereTheWayIsBusy) {
    for (unsigned i = 0; i < 16; ++i) store(0, i % 2, 100 + 8 * i);
    EXPECT_EQ(lines_sent(), 16u);
    StorePath busy;
    StoresSent sent;
    for (unsigned i = 0; i < 16; ++i)
        for (unsigned scheduler = 0; scheduler < kSchedulers; ++scheduler) {
            const std::uint64_t line = 10 * scheduler + i % 2, time = 100 + 4 * i + scheduler;
            busy.begin(scheduler, line, time);
            busy.take(rules_, sent, scheduler, line, kWhole, nullptr, time);
        }
    busy.end(rules_, sent);
    EXPECT_GE(sent.lines, 10u);  // an H200: 20 of 64, in 256 sectors
    EXPECT_LE(sent.lines, 30u);
}

// A line that waits for its scheduler and for nothing else is not joined by others.
TEST_F(StorePaths, AnotherSchedulerJoinsOnlyWhatWaitsForTheWay) {
    store(0, 7, 100);
    store(1, 7, 110);
    EXPECT_EQ(lines_sent(), 2u);
    StorePath busy;
    StoresSent sent;
    for (std::uint64_t line = 0; line < 8; ++line) {
        busy.begin(0, line, 100);
        busy.take(rules_, sent, 0, line, kWhole, nullptr, 100);
    }
    busy.begin(1, 7, 101);
    EXPECT_EQ(busy.take(rules_, sent, 1, 7, kWhole, nullptr, 101).new_sectors, 0u);
}

// Of a request of 19 lines all wait for the next one, of one of 32 not all.
TEST_F(StorePaths, ThirtyOneLinesHaveRoom) {
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
TEST_F(StorePaths, HalvesOfASectorMakeAWholeOne) {
    const std::uint64_t lower = 0x0000ffff, upper = 0xffff0000;
    const Piece half{0, 1, 0, 16};
    for (const std::uint64_t* mask : {&lower, &upper}) {
        path_.begin(0, 7, 100);
        path_.take(rules_, sent_, 0, 7, half, mask, 100);
    }
    path_.end(rules_, sent_);
    EXPECT_EQ(sent_.in_part, 0u);
    path_.begin(0, 7, 200);
    path_.take(rules_, sent_, 0, 7, half, &lower, 200);
    path_.end(rules_, sent_);
    EXPECT_EQ(sent_.in_part, 1u);
}

// More lines than there is room for, again and again: each is sent once, and the last has to wait for the others.
TEST_F(StorePaths, EachOfManyLinesIsSentOnce) {
    constexpr std::uint64_t kLines = 1000;
    std::uint64_t time = 0;
    for (std::uint64_t line = 0; line < kLines; ++line) time = store(line % kSchedulers, line, time + 1);
    EXPECT_EQ(sectors_, 4 * kLines);
    const double each = rules_.line_cycles + kSectorsPerLine * rules_.sector_cycles;
    EXPECT_NEAR(static_cast<double>(time), each * static_cast<double>(kLines - rules_.lines), rules_.wait + each);
    EXPECT_EQ(lines_sent(), kLines);
}

}  // namespace
}  // namespace tilescope::observers
