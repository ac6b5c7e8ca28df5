// Why a sector is missed, whose it was, and what was fetched for nobody: each reason where nothing else can be the
// cause, and sums that have to come out.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "scope/observers/hierarchy/l1/first_level.h"
#include "scope/observers/hierarchy/l2/second_level.h"
#include "scope/observers/hierarchy/line_notes.h"
#include "scope/observers/hierarchy/record/buffers.h"
#include "scope/observers/hierarchy/replay.h"
#include "tests/observers/hierarchy_rules.h"

namespace tilescope::observers {
namespace {

std::uint64_t sum(const auto& counts) { return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}); }
std::uint64_t of(const FirstMisses& counts, FirstMiss why) { return counts[static_cast<std::size_t>(why)]; }
std::uint64_t of(const SecondMisses& counts, SecondMiss why) { return counts[static_cast<std::size_t>(why)]; }

// ---- L1 -------------------------------------------------------------------------------------------------------------

constexpr std::uint64_t kBytes = 64 << 10, kLines = kBytes >> kLineShift;

FirstMisses load(FirstLevel& cache, std::uint64_t line, unsigned sectors) {
    FirstMisses why{};
    cache.load(line, whole(sectors), nullptr).count(why);
    return why;
}

FirstMisses round(FirstLevel& cache, std::uint64_t lines, unsigned sectors) {
    FirstMisses why{};
    for (std::uint64_t line = 0; line < lines; ++line) cache.load(line, whole(sectors), nullptr).count(why);
    return why;
}

TEST(FirstMisses, TwoRoundsWithinL1MissOnce) {
    FirstLevel cache(l1_rules(kBytes), 1);
    const FirstMisses first = round(cache, kLines - 10, 15), second = round(cache, kLines - 10, 15);
    EXPECT_EQ(of(first, FirstMiss::kFirstTouch), (kLines - 10) * 4);
    EXPECT_EQ(sum(first), (kLines - 10) * 4);
    EXPECT_EQ(sum(second), 0u);
}

TEST(FirstMisses, ARingThatIsTooLargeMissesForCapacity) {
    FirstLevel cache(l1_rules(kBytes), 1);
    EXPECT_EQ(of(round(cache, 3 * kLines, 15), FirstMiss::kFirstTouch), 3 * kLines * 4);
    const FirstMisses second = round(cache, 3 * kLines, 15);
    EXPECT_GT(of(second, FirstMiss::kCapacity), 3 * kLines * 4 * 9 / 10);
    EXPECT_EQ(of(second, FirstMiss::kCapacity), sum(second));
}

// Sets show at no stride, so that no stride within its size misses twice.
TEST(FirstMisses, NoStrideConflicts) {
    for (const std::uint64_t stride : {2u, 32u, 512u, 4096u}) {
        FirstLevel cache(l1_rules(kBytes), 1);
        FirstMisses why{};
        for (unsigned turn = 0; turn < 2; ++turn)
            for (std::uint64_t i = 0; i < kLines / 2; ++i) cache.load(i * stride, whole(1), nullptr).count(why);
        EXPECT_EQ(sum(why), kLines / 2);
        EXPECT_EQ(of(why, FirstMiss::kFirstTouch), kLines / 2);
    }
}

TEST(FirstMisses, GoBySectorsAndNotByLines) {
    FirstLevel cache(l1_rules(kBytes), 1);
    EXPECT_EQ(of(load(cache, 0, 0b0001), FirstMiss::kFirstTouch), 1u);
    EXPECT_EQ(of(load(cache, 0, 0b0011), FirstMiss::kFirstTouch), 1u) << "of a line that is there";
    for (std::uint64_t line = 1; line < 4 * kLines; ++line) cache.load(line, whole(1), nullptr);
    const FirstMisses again = load(cache, 0, 0b0111);
    EXPECT_EQ(of(again, FirstMiss::kCapacity), 2u);
    EXPECT_EQ(of(again, FirstMiss::kFirstTouch), 1u) << "of a line that has gone";
}

TEST(FirstMisses, TellWhatTheSmItselfDidToTheSector) {
    FirstLevel cache(l1_rules(kBytes), 1);
    const std::uint64_t word = 0xf, next_word = 0xf0;
    FirstMisses why{};
    // A store to what is not there leaves its own bytes.
    cache.store(1, in_part(0b0001), &word);
    cache.load(1, in_part(0b0001), &next_word).count(why);
    EXPECT_EQ(of(why, FirstMiss::kPartWritten), 1u);
    // Of a whole sector it leaves all, so that it is no first touch any more.
    cache.store(2, whole(0b0001), nullptr);
    EXPECT_EQ(sum(load(cache, 2, 0b0001)), 0u);
    cache.drop(2);
    EXPECT_EQ(of(load(cache, 2, 0b0001), FirstMiss::kAtomic), 1u);
    // What a fence took, and what was never there.
    cache.load(3, whole(0b0001), nullptr);
    cache.clear();
    const FirstMisses behind = load(cache, 3, 0b0011);
    EXPECT_EQ(of(behind, FirstMiss::kFence), 1u);
    EXPECT_EQ(of(behind, FirstMiss::kFirstTouch), 1u);
    // What had gone before the fence has not gone because of it.
    for (std::uint64_t line = 10; line < 4 * kLines; ++line) cache.load(line, whole(1), nullptr);
    cache.clear();
    EXPECT_EQ(of(load(cache, 3, 0b0001), FirstMiss::kCapacity), 1u);
}

// ---- L2 -------------------------------------------------------------------------------------------------------------

constexpr std::uint64_t kLater = 1 << 20;  // when all has come

SecondMisses read(SecondLevel& cache, std::uint64_t line, unsigned sectors, unsigned part = 0,
                  std::uint64_t time = kLater, std::uint32_t op = 0) {
    SecondMisses why{};
    const auto response = cache.read(time, part, cache.place_of(line), sectors, op);
    response.why.count(why, sectors);
    EXPECT_EQ(sum(why) + sector_count(response.found), sector_count(sectors));
    return why;
}

TEST(SecondMisses, FirstTouchAndCapacity) {
    const HierarchyRules rules = one_part();
    SecondLevel cache(rules);
    const std::uint64_t lines = 3 * rules.l2.bytes >> kLineShift;
    for (unsigned turn = 0; turn < 2; ++turn) {
        SecondMisses why{};
        for (std::uint64_t line = 0; line < lines; ++line) {
            const SecondMisses one = read(cache, line, 15);
            for (std::size_t i = 0; i < why.size(); ++i) why[i] += one[i];
        }
        EXPECT_EQ(of(why, turn == 0 ? SecondMiss::kFirstTouch : SecondMiss::kCapacity), lines * 4) << turn;
    }
    EXPECT_EQ(sum(read(cache, lines - 1, 15)), 0u);
    // A launch later it is the first touch of that launch.
    cache.clear();
    cache.begin_launch(1, std::make_shared<const BufferMap>());
    EXPECT_EQ(of(read(cache, 0, 15), SecondMiss::kFirstTouch), 4u);
}

TEST(SecondMisses, TheOtherPartHasItOrWroteIt) {
    SecondLevel cache(two_parts());
    for (std::uint64_t line = 0; line < 64; ++line) {
        const bool at_home = cache.read(0, 0, cache.place_of(line), 1).over_fabric == 0;
        const unsigned home = at_home ? 0 : 1, other = 1 - home;
        // Only what is requested is told of, whatever came along.
        const SecondMisses first = read(cache, line, 1, other);
        EXPECT_EQ(of(first, SecondMiss::kOtherPart), at_home ? 1u : 0u);
        EXPECT_EQ(sum(first), at_home ? 1u : 0u) << "the part that asked has its copy";
        EXPECT_EQ(sum(read(cache, line, 1, other)), 0u);
        // A store at home makes the copy old.
        cache.write(kLater, home, cache.place_of(line), whole(1), nullptr);
        EXPECT_EQ(of(read(cache, line, 1, other), SecondMiss::kOutdated), 1u);
        EXPECT_EQ(sum(read(cache, line, 1, other)), 0u);
        // One from the other side leaves the copy there.
        cache.write(kLater, other, cache.place_of(line), whole(1), nullptr);
        EXPECT_EQ(sum(read(cache, line, 1, other)), 0u);
        EXPECT_EQ(sum(read(cache, line, 1, home)), 0u);
        cache.update(kLater, other, cache.place_of(line), 1);
        EXPECT_EQ(of(read(cache, line, 1, other), SecondMiss::kOutdated), 1u);
    }
}

TEST(SecondMisses, NeighboursThatAreUnderWayAreNoneWrittenInPartAre) {
    SecondLevel cache(two_parts());
    std::uint64_t away = 0;  // a line that lives in the other part
    while (cache.read(0, 0, cache.place_of(away), 15).over_fabric == 0) ++away;
    cache.clear();
    cache.begin_launch(1, std::make_shared<const BufferMap>());
    EXPECT_EQ(of(read(cache, away, 0b0001, 0, 0), SecondMiss::kFirstTouch), 1u);
    EXPECT_EQ(sum(read(cache, away, 0b0010, 0, 1)), 0u);
    // Likewise in the part where the line lives, though the other side had it fetched.
    std::uint64_t far = away + 2;
    while (cache.read(2 * kLater, 0, cache.place_of(far), 0b0001).over_fabric == 0) ++far;
    EXPECT_EQ(sum(read(cache, far, 0b0011, 1, 2 * kLater + 1)), 0u);
    EXPECT_EQ(sum(read(cache, far, 0b0010, 0, 2 * kLater + 1)), 0u);
    const std::uint64_t word = 0xf;
    cache.write(kLater, 0, cache.place_of(away + 1), in_part(0b0001), &word);
    EXPECT_EQ(of(read(cache, away + 1, 0b0001, 0, 2 * kLater), SecondMiss::kPartWritten), 1u);
}

std::uint64_t unasked_of(const SecondLevel& cache) {
    std::uint64_t bytes = 0;
    for (const MemoryTraffic& traffic : cache.by_buffer()) bytes += traffic.unasked;
    EXPECT_EQ(bytes, sum(cache.unasked()));
    return bytes;
}

TEST(OverFetch, IsWhatCameAlongAndNobodyAskedFor) {
    for (const HierarchyRules& rules : {one_part(), two_parts()}) {
        SecondLevel cache(rules);
        cache.begin_launch(3, std::make_shared<const BufferMap>());
        for (std::uint64_t line = 0; line < 64; ++line) read(cache, line, 0b0001, 0, kLater, 1);
        EXPECT_EQ(unasked_of(cache), 64u * 32);
        // Used after all, from either side; that counts for who had it fetched.
        for (std::uint64_t line = 0; line < 16; ++line) read(cache, line, 0b0010, 0, kLater, 2);
        for (std::uint64_t line = 16; line < 32; ++line) read(cache, line, 0b0010, rules.l2.parts - 1, kLater, 2);
        for (std::uint64_t line = 0; line < 32; ++line) read(cache, line, 0b0010, 0, kLater, 2);
        EXPECT_EQ(unasked_of(cache), 32u * 32);
        EXPECT_EQ(cache.unasked()[1], 32u * 32);
        EXPECT_EQ(cache.unasked()[2], 0u);
        // Sectors that are requested together bring nothing along.
        for (std::uint64_t line = 64; line < 128; ++line) read(cache, line, 0b1100);
        EXPECT_EQ(unasked_of(cache), 32u * 32);
    }
}

TEST(OverFetch, CountsAgainWhatIsFetchedAgain) {
    const HierarchyRules rules = one_part();
    SecondLevel cache(rules);
    read(cache, 0, 0b0001);
    for (std::uint64_t line = 1; line < 3 * rules.l2.bytes >> kLineShift; ++line) read(cache, line, 15);
    EXPECT_EQ(unasked_of(cache), 32u);
    // The neighbour had gone unused; now it is fetched for itself, and brings along what nobody requests again.
    EXPECT_EQ(of(read(cache, 0, 0b0010), SecondMiss::kCapacity), 1u);
    EXPECT_EQ(unasked_of(cache), 64u);
    // Written over as a whole it was fetched in vain, in part it was not.
    const std::uint64_t word = 0xf;
    cache.write(kLater, 0, cache.place_of(0), whole(0b0001), nullptr);
    EXPECT_EQ(unasked_of(cache), 64u);
    read(cache, 9'000'000, 0b0001);
    EXPECT_EQ(unasked_of(cache), 96u);
    cache.write(kLater, 0, cache.place_of(9'000'000), in_part(0b0010), &word);
    EXPECT_EQ(unasked_of(cache), 64u);
}

// ---- Tables ---------------------------------------------------------------------------------------------------------

TEST(LineNotes, KeepApartWhatLiesAnywhere) {
    LineNotes<std::uint16_t> notes;
    std::map<std::uint64_t, std::uint16_t> expected;
    std::mt19937_64 random(7);
    for (unsigned i = 0; i < 50000; ++i) {
        std::uint64_t line = random() % 3000;
        if (i % 4 == 1) line += random() % 1000 << 12;
        if (i % 4 == 2) line += kLocalLines + (random() % 1000 << 9);
        if (i % 4 == 3) line += std::uint64_t{0x7f0000000000} >> kLineShift;  // an address of the host
        ASSERT_EQ(notes.of(line), expected[line]);
        expected[line] = notes.of(line) = static_cast<std::uint16_t>(random());
    }
    EXPECT_GT(notes.bytes(), 0u);
    notes.clear();
    EXPECT_EQ(notes.of(expected.begin()->first), 0u);
}

// What slices note of eight neighbours takes the room of one.
TEST(LineNotes, EightNeighboursAreInEightSlices) {
    HierarchyRules rules = two_parts();
    for (const std::uint64_t bytes : {std::uint64_t{60} << 20, std::uint64_t{50} << 20, std::uint64_t{1} << 20}) {
        rules.l2.bytes = bytes;
        const SecondLevel cache(rules);
        std::mt19937_64 random(7);
        for (unsigned i = 0; i < 2000; ++i) {
            const std::uint64_t first = (random() >> 30) / 8 * 8;
            std::set<unsigned> slices;
            for (unsigned k = 0; k < 8; ++k) slices.insert(cache.place_of(first + k).slice());
            ASSERT_EQ(slices.size(), 8u);
        }
    }
    // Where the sets do not go round by eights, lines are noted one by one.
    rules = one_part();
    rules.l2.bytes = 12345 * 128;
    SecondLevel odd(rules);
    for (std::uint64_t line = 0; line < 20000; ++line) EXPECT_EQ(of(read(odd, line, 1), SecondMiss::kFirstTouch), 1u);
}

std::shared_ptr<const BufferMap> two_buffers() {
    std::vector<BufferMap::Buffer> buffers(2);
    buffers[0].first_line = 100;
    buffers[0].end_line = 200;
    buffers[1].first_line = 200;
    buffers[1].end_line = 300;
    return std::make_shared<const BufferMap>(buffers);
}

TEST(BufferMap, KnowsWhoseALineIs) {
    const auto map = two_buffers();
    const std::map<std::uint64_t, std::uint32_t> whose = {{0, map->others()},
                                                          {99, map->others()},
                                                          {100, 0},
                                                          {199, 0},
                                                          {200, 1},
                                                          {299, 1},
                                                          {300, map->others()},
                                                          {kLocalLines - 1, map->others()},
                                                          {kLocalLines, map->local()},
                                                          {kLocalLines + 12345, map->local()}};
    for (const auto& [line, buffer] : whose) {
        const BufferMap::Range range = map->find(line);
        EXPECT_EQ(range.buffer, buffer) << line;
        EXPECT_TRUE(range.holds(line)) << line;
        for (const auto& [other, its] : whose)
            EXPECT_EQ(its == buffer || !range.holds(other), true) << line << " " << other;
    }
}

// ---- Together -------------------------------------------------------------------------------------------------------

// Two warps that read a buffer twice and write another, with loads of every kind.
BlockTraffic block_of(std::uint64_t number) {
    BlockTraffic traffic;
    traffic.block = number;
    traffic.words = {0,
                     Shape{0, RequestKind::kLoad, false, false, 1}.packed(),
                     whole(15).packed(),
                     Shape{1, RequestKind::kLoadPastL1, false, false, 1}.packed(),
                     Piece{0, 0b0101, 0b0101}.packed(),
                     Shape{2, RequestKind::kStore, false, true, 1}.packed(),
                     whole(3).packed(),
                     Shape{3, RequestKind::kAtomic, false, false, 1}.packed(),
                     whole(1).packed()};
    for (std::uint32_t warp = 0; warp < 2; ++warp)
        for (unsigned turn = 0; turn < 2; ++turn)
            for (unsigned i = 0; i < 20; ++i) {
                const auto ask = [&](std::uint64_t line, std::uint32_t shape, unsigned instructions) {
                    Request request;
                    request.line = line;
                    request.shape = shape;
                    request.warp = warp;
                    request.slots = Span::of(instructions) & 0x1fffu;
                    traffic.requests.push_back(request);
                };
                ask(100 + (number * 7 + i) % 100, 1, 3);
                ask(200 + (number * 3 + i) % 90, 3, 1);
                ask(200 + (number + i) % 100, 5, 1);
                if (i % 5 == 0) ask(250 + i, 7, 1);
            }
    return traffic;
}

TEST(Reasons, SumToTheMissesOfEachInstructionAndBuffer) {
    HierarchyRules rules = two_parts();
    rules.warps = 2;
    rules.scheduler.blocks_per_sm = 2;
    rules.scheduler.sms = 4;
    rules.scheduler.sms_in_turn = {2, 2};
    rules.scheduler.gpc = {0, 0, 1, 1};
    rules.l2.near_part = {0, 0, 1, 1};
    rules.misses.gpc_reads = 4;
    rules.misses.gpc_join_cycles = 8;
    rules.l1.bytes = 8 << 10;
    rules.l2.bytes = 32 << 10;
    const auto map = two_buffers();
    constexpr std::size_t kOps = 4;
    std::vector<std::uint64_t> order(40);
    std::iota(order.begin(), order.end(), 0);
    std::vector<CacheTraffic> expected;
    for (unsigned again = 0; again < 3; ++again) {
        Replay replay(rules, order.size(), kOps, std::make_shared<SecondLevel>(rules), map);
        for (const std::uint64_t block : order) replay.deliver(block_of(block));
        ASSERT_TRUE(replay.is_complete());
        const std::vector<CacheTraffic> all = replay.traffic();
        std::uint64_t fetched = 0;
        for (const CacheTraffic& one : all) {
            EXPECT_EQ(sum(one.first_misses), one.loads - one.global_hits - one.local_hits);
            EXPECT_EQ(sum(one.first_misses), one.l2_reads + one.merged);
            EXPECT_EQ(sum(one.second_misses), one.l2_reads - one.l2_read_hits);
            fetched += one.fetched;
        }
        EXPECT_EQ(all[1].first_misses[static_cast<std::size_t>(FirstMiss::kBypass)], all[1].loads);
        EXPECT_EQ(all[1].loads, 40u * 2 * 2 * 20 * 2);
        EXPECT_EQ(all[3].updates, 40u * 2 * 2 * 4);
        EXPECT_GT(all[0].first_misses[static_cast<std::size_t>(FirstMiss::kCapacity)], 0u);
        EXPECT_GT(all[0].merged + all[1].merged, 0u);
        // Each instruction has one buffer here.
        const std::vector<BufferTraffic> by_buffer = replay.traffic_by_buffer();
        ASSERT_EQ(by_buffer.size(), kOps);
        for (std::size_t op = 0; op < kOps; ++op) {
            EXPECT_EQ(by_buffer[op].op, op);
            EXPECT_EQ(by_buffer[op].buffer, op == 0 ? 0u : 1u);
            EXPECT_EQ(by_buffer[op].traffic.loads, all[op].loads);
        }
        std::uint64_t of_buffers = 0, written = 0;
        for (const MemoryTraffic& traffic : replay.second().by_buffer()) {
            of_buffers += traffic.fetched;
            written += traffic.written;
            EXPECT_LE(traffic.unasked, traffic.fetched);
        }
        EXPECT_EQ(of_buffers, fetched);
        EXPECT_EQ(written, replay.written_back());
        EXPECT_EQ(replay.second().by_buffer()[0].written, 0u);
        if (expected.empty()) expected = all;
        for (std::size_t op = 0; op < kOps; ++op) {
            EXPECT_EQ(all[op].first_misses, expected[op].first_misses);
            EXPECT_EQ(all[op].second_misses, expected[op].second_misses);
        }
        std::shuffle(order.begin(), order.end(), std::mt19937(again));
    }
}

}  // namespace
}  // namespace tilescope::observers
