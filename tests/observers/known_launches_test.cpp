// Launches that request what one before did take its answer, and only those.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "scope/observers/hierarchy/followed_launch.h"
#include "tests/observers/hierarchy_rules.h"

namespace tilescope::observers {
namespace {

constexpr std::uint64_t kBlocks = 40;

HierarchyRules rules_of_two() {
    HierarchyRules rules = two_parts();
    rules.warps = 2;
    rules.scheduler.blocks_per_sm = 2;
    return rules;
}

// Two warps that read `lines` lines from `from` on and write the first.
BlockTraffic reader(std::uint64_t number, std::uint64_t from, unsigned lines) {
    BlockTraffic traffic;
    traffic.block = number;
    traffic.words = {0, Shape{0, RequestKind::kLoad, false, false, 1}.packed(), whole(15).packed(),
                     Shape{1, RequestKind::kStore, false, true, 1}.packed(), whole(15).packed()};
    for (std::uint16_t warp = 0; warp < 2; ++warp) {
        for (unsigned i = 0; i < lines; ++i) traffic.requests.push_back({from + i, 0, 1, warp, 0, 3, 6});
        traffic.requests.push_back({from, 0, 3, warp, 0, 1, 2});
    }
    return traffic;
}

// A device that launches one thing after another.
struct Lab {
    std::shared_ptr<const HierarchyRules> rules = std::make_shared<const HierarchyRules>(rules_of_two());
    std::shared_ptr<const BufferMap> buffers = std::make_shared<const BufferMap>();
    std::shared_ptr<SecondLevel> second = std::make_shared<SecondLevel>(*rules);
    std::shared_ptr<KnownLaunches> known = std::make_shared<KnownLaunches>();
    bool is_kept = false;

    LaunchTerms terms() {
        if (is_kept)
            second->settle();
        else
            second->clear();
        return {rules, kBlocks, 2, buffers, is_kept ? second->state() : std::optional<std::uint64_t>(0), is_kept};
    }
    // `from`: where the last block reads; the others are always the same.
    std::shared_ptr<const ReplayAnswer> launch(std::uint64_t from, bool backwards = false) {
        FollowedLaunch launch(terms(), second, known, nullptr);
        launch.enter();
        for (std::uint64_t i = 0; i < kBlocks; ++i) {
            const std::uint64_t block = backwards ? kBlocks - 1 - i : i;
            launch.deliver(reader(block, block + 1 == kBlocks ? from : block * 16, 20), 0);
        }
        launch.leave();
        return launch.answer();
    }
    // By the launches so far.
    std::uint64_t answered() const { return known->answered(); }
};

std::vector<std::uint64_t> figures_of(const ReplayAnswer& answer) {
    std::vector<std::uint64_t> all{
        answer.cycles,       answer.written_back,      answer.hottest_stores, answer.sent_lines,
        answer.sent_in_part, answer.opened.read,       answer.opened.written, answer.clock.warps,
        answer.clock.memory, answer.clock.longest_warp};
    for (const BufferTraffic& one : answer.traffic)
        CacheTraffic(one.traffic).for_each([&](std::uint64_t value) { all.push_back(value); });
    for (const MemoryTraffic& one : answer.by_buffer) all.insert(all.end(), {one.fetched, one.written, one.unasked});
    all.insert(all.end(), answer.unasked.begin(), answer.unasked.end());
    return all;
}

std::vector<std::uint64_t> replayed(std::uint64_t from) {
    Lab lab;
    lab.known = nullptr;
    return figures_of(*lab.launch(from));
}

TEST(KnownLaunches, AnswerTheSameAndNothingElse) {
    const auto near = replayed(0), far = replayed(1 << 20);
    ASSERT_NE(near, far);
    Lab lab;
    EXPECT_EQ(figures_of(*lab.launch(0)), near);
    EXPECT_EQ(lab.answered(), 0u);
    EXPECT_EQ(figures_of(*lab.launch(0, /*backwards=*/true)), near);
    EXPECT_EQ(lab.answered(), 1u) << "in whatever order blocks come";
    EXPECT_EQ(figures_of(*lab.launch(1 << 20)), far) << "but for its last block the same";
    EXPECT_EQ(lab.answered(), 1u);
    for (unsigned i = 0; i < 3; ++i) {
        EXPECT_EQ(figures_of(*lab.launch(0)), near);
        EXPECT_EQ(figures_of(*lab.launch(1 << 20, /*backwards=*/true)), far);
    }
    EXPECT_EQ(lab.answered(), 7u);
}

TEST(KnownLaunches, AreOfTheSameRules) {
    Lab lab;
    const auto before = figures_of(*lab.launch(0));
    HierarchyRules others = rules_of_two();
    others.dram.latency += 500;
    lab.rules = std::make_shared<const HierarchyRules>(others);
    lab.second = std::make_shared<SecondLevel>(others);
    EXPECT_NE(figures_of(*lab.launch(0)), before);
    EXPECT_EQ(lab.answered(), 0u);
    others = rules_of_two();
    others.paces = {{1, 2, 3}};
    lab.rules = std::make_shared<const HierarchyRules>(others);
    lab.launch(0);
    EXPECT_EQ(lab.answered(), 0u) << "paces are part of them";
    lab.rules = std::make_shared<const HierarchyRules>(others);
    lab.launch(0);
    EXPECT_EQ(lab.answered(), 1u) << "equal ones need not be the same";
    machine::Allocation allocation;
    lab.buffers = std::make_shared<const BufferMap>(std::vector<BufferMap::Buffer>{{allocation, 0, 100}});
    lab.launch(0);
    EXPECT_EQ(lab.answered(), 1u) << "whose lines they are is, too";
}

// Where L2 is kept, a launch finds what the one before left: two that are the same are alike once nothing changes.
TEST(KnownLaunches, FindL2InTheSameState) {
    Lab plain, lab;
    plain.known = nullptr;
    plain.is_kept = lab.is_kept = true;
    std::vector<std::uint64_t> answered;
    for (unsigned i = 0; i < 40; ++i) {
        const std::uint64_t from = i / 10 % 2 == 0 ? 0 : std::uint64_t{1} << 20;
        EXPECT_EQ(figures_of(*lab.launch(from)), figures_of(*plain.launch(from))) << answered.size();
        answered.push_back(lab.answered());
    }
    EXPECT_EQ(answered[1], 0u) << "the first one found L2 empty";
    EXPECT_GT(answered[9], 0u);
    EXPECT_EQ(answered[10], answered[9]) << "another one, and with it another state";
    EXPECT_GT(answered[39], answered[29]);
    plain.second->clear();
    lab.second->clear();
    EXPECT_EQ(lab.second->state(), std::optional<std::uint64_t>(0));
    EXPECT_EQ(figures_of(*lab.launch(0)), figures_of(*plain.launch(0))) << "L2 is empty again";
    EXPECT_EQ(lab.answered(), answered[39]);
}

// Whoever brings blocks, and whether or not the last one is as it was.
TEST(KnownLaunches, AnswerSeveralThreads) {
    const auto near = replayed(0), far = replayed(1 << 20);
    Lab lab;
    for (unsigned i = 0; i < 20; ++i) {
        const std::uint64_t from = i % 4 == 1 ? std::uint64_t{1} << 20 : 0;
        FollowedLaunch launch(lab.terms(), lab.second, i % 5 == 4 ? nullptr : lab.known, nullptr);
        std::atomic<std::uint64_t> next{0};
        std::vector<std::thread> workers;
        for (unsigned w = 0; w < 3; ++w) launch.enter();
        for (unsigned w = 0; w < 3; ++w)
            workers.emplace_back([&] {
                for (std::uint64_t block = next++; block < kBlocks; block = next++)
                    launch.deliver(reader(block, block + 1 == kBlocks ? from : block * 16, 20), 0);
                launch.leave();
            });
        for (std::thread& worker : workers) worker.join();
        const auto answer = launch.answer();
        ASSERT_TRUE(answer);
        EXPECT_EQ(figures_of(*answer), from == 0 ? near : far) << i;
    }
    EXPECT_GT(lab.answered(), 10u);
}

// A launch that faults brings some blocks never, and some that are under way had grown.
TEST(KnownLaunches, LetWorkersGoWhenBlocksAreMissing) {
    Lab lab;
    lab.launch(0);
    FollowedLaunch launch(lab.terms(), lab.second, lab.known, nullptr);
    for (unsigned w = 0; w < 2; ++w) launch.enter();
    std::thread other([&] {
        EXPECT_TRUE(launch.grow(1 << 20));
        launch.deliver(reader(0, 0, 20), 1 << 20);
        launch.leave();
    });
    launch.deliver(reader(1, 16, 20), 0);
    launch.leave();
    other.join();
    EXPECT_EQ(launch.answer(), nullptr);
    EXPECT_EQ(lab.answered(), 0u);
}

TEST(KnownLaunches, AreSoManyAtMost) {
    Lab lab;
    for (std::uint64_t i = 0; i <= KnownLaunches::kMaxLaunches; ++i) lab.launch((1 << 20) + i * 64);
    EXPECT_EQ(lab.known->count(), KnownLaunches::kMaxLaunches);
    lab.launch((1 << 20) + 64);
    EXPECT_EQ(lab.answered(), 1u);
    lab.launch(1 << 20);
    EXPECT_EQ(lab.answered(), 1u) << "the first has gone";
}

}  // namespace
}  // namespace tilescope::observers
