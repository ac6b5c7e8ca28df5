// The replay of the caches: which SM has which block, how requests are packed, and the same counts in whatever order
// blocks come.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "scope/observers/hierarchy/l2/second_level.h"
#include "scope/observers/hierarchy/replay.h"
#include "scope/observers/hierarchy/scheduler/placement.h"
#include "scope/observers/sector_rule.h"
#include "tests/observers/hierarchy_rules.h"

namespace tilescope::observers {
namespace {

TEST(Spans, KeepNineDigitsOfATime) {
    for (const std::uint64_t cycles : {0u, 1u, 511u}) EXPECT_EQ(Span::cycles(Span::of(cycles)), cycles);
    for (std::uint64_t cycles = 512; cycles <= Span::kMax; cycles = cycles * 5 / 4) {
        EXPECT_LE(Span::cycles(Span::of(cycles)), cycles);  // what is left out stays owed
        EXPECT_GT(Span::cycles(Span::of(cycles)), cycles - cycles / 200);
        EXPECT_LT(Span::of(cycles), 1u << 13);
    }
    EXPECT_EQ(Span::cycles(Span::of(~std::uint64_t{0})), Span::kMax);
}

// Whose turns they were: 'X' the first group's, then 'a' to 'h', with the number of SMs where a group took fewer than
// it has.
std::string turns_of(std::uint64_t per_sm, std::uint64_t blocks) {
    HierarchyRules rules = h200_rules();
    rules.scheduler.sms = 132;
    rules.scheduler.sms_in_turn = {8, 8, 16, 16, 16, 16, 16, 18, 18};
    rules.scheduler.first_turns = 5;
    rules.scheduler.turns_between = 6;
    const std::vector<std::uint32_t> places = first_places(rules.scheduler, per_sm, blocks);
    EXPECT_EQ(places.size(), std::min(blocks, 132 * per_sm));
    EXPECT_EQ(std::set<std::uint32_t>(places.begin(), places.end()).size(), places.size());
    std::vector<unsigned> turn_of(132);
    for (unsigned turn = 0, sm = 0; turn < rules.scheduler.sms_in_turn.size(); ++turn)
        for (unsigned i = 0; i < rules.scheduler.sms_in_turn[turn]; ++i) turn_of[sm++] = turn;
    std::string turns;
    for (std::size_t i = 0; i < places.size();) {
        const unsigned turn = turn_of[places[i] % 132];
        std::set<std::uint32_t> sms;
        while (i < places.size() && turn_of[places[i] % 132] == turn && sms.insert(places[i] % 132).second) ++i;
        turns += "Xabcdefgh"[turn];
        if (sms.size() < rules.scheduler.sms_in_turn[turn]) turns += std::to_string(sms.size());
    }
    return turns;
}

// As an H200 gave the first blocks of launches their SMs, turn by turn (bench/hardware/groups.cu).
TEST(Placement, GoesRoundTheGroups) {
    EXPECT_EQ(turns_of(32, 4224).substr(0, 40), "XabcdeXfghabcXdefghaXbcdefgXhabcdeXfghab");
    // Where each SM takes two blocks, the first group is full sooner. What is beyond waits.
    EXPECT_EQ(turns_of(2, 264), "XabcdeXfghabcdefgh");
    EXPECT_EQ(turns_of(2, 5000), "XabcdeXfghabcdefgh");
    EXPECT_EQ(turns_of(1, 132), "Xabcdefgh");
}

TEST(Placement, SharesOutWhatIsLeft) {
    EXPECT_EQ(turns_of(8, 5), "X5");
    EXPECT_EQ(turns_of(8, 9), "Xa1");
    EXPECT_EQ(turns_of(8, 18), "Xa2b2c1d1e1f1g1h1");
    EXPECT_EQ(turns_of(2, 77), "Xa5b9c9d9e9f9g10h9");
    EXPECT_EQ(turns_of(32, 100), "Xab12c12d12e12f12g12h12");
    EXPECT_EQ(turns_of(2, 256), "XabcdefghXabc15d15e15f15g16h16");
    EXPECT_EQ(turns_of(16, 1000), "XabcdeXfghabcXdefghaXbcdefgXhabcdeXfghabcXdefghabcdefghabcdefghXa5b9c9d9e9f9g9h9");
    // Four of the first group's are ahead of the others, but later than in its usual turn (on the H200 one turn sooner
    // than here).
    EXPECT_NE(turns_of(32, 4096).find("XdefghabcdefghX4ab"), std::string::npos) << turns_of(32, 4096);
}

// Of a pair of SMs the first one comes first, the second one behind it when all pairs have had one.
TEST(Placement, GivesEachPairOneFirst) {
    HierarchyRules rules = h200_rules();
    rules.scheduler.sms = 132;
    rules.scheduler.sms_in_turn = {8, 8, 16, 16, 16, 16, 16, 18, 18};
    rules.scheduler.first_turns = 5;
    rules.scheduler.turns_between = 6;
    EXPECT_EQ(first_places(rules.scheduler, 8, 5), (std::vector<std::uint32_t>{0, 1, 2, 4, 6}));
    EXPECT_EQ(first_places(rules.scheduler, 8, 12),
              (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 48}));
}

// A block of two warps that read `lines` lines from `from` on, meet, and write the first of them.
BlockTraffic block_of(std::uint64_t number, std::uint64_t from, unsigned lines) {
    BlockTraffic traffic;
    traffic.block = number;
    traffic.words = {0,
                     Shape{0, RequestKind::kLoad, false, false, 1}.packed(),
                     whole(15).packed(),
                     Shape{1, RequestKind::kStore, false, true, 1}.packed(),
                     whole(15).packed(),
                     Shape{0, RequestKind::kBarrier, false, true, 0}.packed()};
    traffic.meetings = {2};
    for (std::uint16_t warp = 0; warp < 2; ++warp) {
        for (unsigned i = 0; i < lines; ++i) traffic.requests.push_back({from + i, 0, 1, warp, 0, 3, 6});
        traffic.requests.push_back({0, 0, 5, warp, 1, 1, 2});
        traffic.requests.push_back({from, 0, 3, warp, 0, 1, 2});
    }
    return traffic;
}

std::vector<std::uint64_t> counts_of(const Replay& replay) {
    std::vector<std::uint64_t> counts{replay.written_back(), replay.cycles()};
    for (const CacheTraffic& traffic : replay.traffic())
        counts.insert(counts.end(), {traffic.global_hits, traffic.store_hits, traffic.l2_reads, traffic.l2_read_hits,
                                     traffic.l2_writes, traffic.over_fabric, traffic.fetched});
    return counts;
}

std::vector<std::uint64_t> replayed(const std::vector<std::uint64_t>& order) {
    HierarchyRules rules = two_parts();
    rules.warps = 2;
    rules.scheduler.blocks_per_sm = 2;
    auto second = std::make_shared<SecondLevel>(rules);
    Replay replay(rules, order.size(), 2, second);
    for (std::uint64_t block : order) {
        EXPECT_FALSE(replay.is_complete());
        replay.deliver(block_of(block, block * 7 % 40 * 16, 40));
    }
    EXPECT_TRUE(replay.is_complete());
    return counts_of(replay);
}

TEST(Replay, CountsTheSameInWhateverOrderBlocksCome) {
    std::vector<std::uint64_t> order(60);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto expected = replayed(order);
    EXPECT_EQ(expected[2] + expected[4], 60u * 2 * 40 * 4) << "sectors that L1 has and that L2 is asked for";
    EXPECT_EQ(expected[13], 60u * 2 * 4) << "written";
    std::mt19937 random(5);
    for (unsigned k = 0; k < 20; ++k) {
        std::shuffle(order.begin(), order.end(), random);
        EXPECT_EQ(replayed(order), expected);
    }
}

// Every request that is led through counts, and none twice: in the end the whole is told, and never less than before.
TEST(Replay, TellsHowMuchOfTheRequestsItHasLedThrough) {
    HierarchyRules rules = two_parts();
    rules.warps = 2;
    rules.scheduler.blocks_per_sm = 2;
    constexpr std::uint64_t kBlocks = 60;
    Replay replay(rules, kBlocks, 2, std::make_shared<SecondLevel>(rules));
    machine::LaunchProgress progress(std::chrono::milliseconds(0));
    std::vector<double> told;
    progress.set_listener([&](double share, std::uint64_t) { told.push_back(share); });
    progress.set_blocks(kBlocks);
    replay.show(&progress);
    progress.add(kBlocks, 1);  // all have run
    const double ran = progress.share();
    EXPECT_LT(ran, 0.5) << "the replay is most of it";
    for (std::uint64_t block = 0; block < kBlocks; ++block) replay.deliver(block_of(block, block * 7 % 40 * 16, 40));
    ASSERT_TRUE(replay.is_complete());
    ASSERT_GT(told.size(), 10U);
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
    EXPECT_GE(told.front(), ran);
    EXPECT_DOUBLE_EQ(told.back(), 0.99) << "there is always something left";
    EXPECT_TRUE(std::any_of(told.begin(), told.end(), [](double share) { return share > 0.4 && share < 0.9; }));
}

// Whoever delivers, and whoever helps.
TEST(Replay, CountsTheSameWithSeveralThreads) {
    std::vector<std::uint64_t> order(300);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto expected = replayed(order);
    for (unsigned k = 0; k < 5; ++k) {
        HierarchyRules rules = two_parts();
        rules.warps = 2;
        rules.scheduler.blocks_per_sm = 2;
        Replay replay(rules, order.size(), 2, std::make_shared<SecondLevel>(rules));
        std::atomic<std::uint64_t> next{0};
        std::vector<std::thread> workers;
        for (unsigned i = 0; i < 3; ++i) replay.enter();
        for (unsigned i = 0; i < 3; ++i)
            workers.emplace_back([&] {
                for (std::uint64_t block = next++; block < order.size(); block = next++)
                    replay.deliver(block_of(block, block * 7 % 40 * 16, 40));
                replay.leave();
            });
        for (std::thread& worker : workers) worker.join();
        EXPECT_TRUE(replay.is_complete());
        EXPECT_EQ(counts_of(replay), expected);
    }
}

// A launch that faults never delivers some of its blocks: nobody waits for them.
TEST(Replay, LetsWorkersGoWhenBlocksAreMissing) {
    HierarchyRules rules = two_parts();
    rules.warps = 2;
    Replay replay(rules, 10, 2, std::make_shared<SecondLevel>(rules));
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < 2; ++i) replay.enter();
    for (std::uint64_t i = 0; i < 2; ++i)
        workers.emplace_back([&, i] {
            replay.deliver(block_of(i * 5, 0, 4));
            replay.leave();
        });
    for (std::thread& worker : workers) worker.join();
    EXPECT_FALSE(replay.is_complete());
}

// Lanes of one warp at two barriers, in an order in which nobody could go on.
TEST(Replay, EndsThoughWarpsWaitCrosswise) {
    HierarchyRules rules = one_part();
    rules.warps = 2;
    Replay replay(rules, 1, 2, std::make_shared<SecondLevel>(rules));
    BlockTraffic traffic;
    traffic.words = {0, Shape{0, RequestKind::kBarrier, false, true, 0}.packed()};
    traffic.meetings = {2, 2};
    traffic.requests = {{0, 0, 1, 0, 1, 0}, {1, 0, 1, 0, 1, 0}, {1, 0, 1, 1, 1, 0}, {0, 0, 1, 1, 1, 0}};
    replay.deliver(std::move(traffic));
    EXPECT_TRUE(replay.is_complete());
}

// Reads of one line at the same time, by SMs of one group.
// A warp of a block that has one: requests to swap, each with when it may go on, and a barrier among them.
std::uint64_t cycles_of_swaps(const std::vector<std::uint64_t>& due, std::size_t barrier_before) {
    HierarchyRules rules = two_parts();
    rules.warps = 1;
    rules.scheduler.blocks_per_sm = 1;
    BlockTraffic traffic;
    traffic.words = {0, Shape{0, RequestKind::kSwaps, false, false, 0}.packed(),
                     Shape{0, RequestKind::kBarrier, false, true, 0}.packed()};
    traffic.meetings = {1};
    for (std::size_t i = 0; i < due.size(); ++i) {
        if (i == barrier_before) traffic.requests.push_back({0, 0, 2, 0, 1, 1, 2});
        traffic.requests.push_back({due[i], 3, 1, 0, 0, 5, 100});
    }
    Replay replay(rules, 1, 2, std::make_shared<SecondLevel>(rules));
    replay.deliver(std::move(traffic));
    EXPECT_TRUE(replay.is_complete());
    return replay.cycles();
}

TEST(Replay, WarpsThatSwapGoOnWhenOthersAreDone) {
    constexpr std::size_t kNever = 10;
    const std::uint64_t alone = cycles_of_swaps({0, 0}, kNever);
    EXPECT_EQ(cycles_of_swaps({60, 120}, kNever), alone) << "its own chain takes longer";
    const std::uint64_t waits = cycles_of_swaps({2000, 5000}, kNever);
    EXPECT_GE(waits, 5000u);
    EXPECT_LT(waits, 5000 + alone);
    // From the first one behind a barrier on.
    EXPECT_GE(cycles_of_swaps({2000, 5000}, 1), 7000u);
}

TEST(Replay, MergesEqualReadsOfAGroup) {
    HierarchyRules rules = one_part();
    rules.scheduler.sms = 8;
    rules.scheduler.sms_in_turn = {8};
    rules.scheduler.gpc.assign(8, 0);
    rules.l2.near_part.assign(8, 0);
    rules.scheduler.cycles_per_block = 0;
    rules.misses.gpc_join_cycles = 4;
    const auto reads = [&](unsigned merged, unsigned passes_apart = 0) {
        rules.misses.gpc_reads = merged;
        Replay replay(rules, 8, 2, std::make_shared<SecondLevel>(rules));
        for (std::uint64_t block = 0; block < 8; ++block) {
            BlockTraffic traffic = block_of(block, 0, 1);
            std::erase_if(traffic.requests,
                          [](const Request& request) { return request.warp != 0 || request.shape != 1; });
            traffic.requests[0].passes = static_cast<std::uint16_t>(block * passes_apart);
            replay.deliver(std::move(traffic));
        }
        EXPECT_TRUE(replay.is_complete());
        return replay.traffic()[0].l2_reads;
    };
    EXPECT_EQ(reads(1), 8u * 4);
    EXPECT_EQ(reads(4), 2u * 4);
    EXPECT_EQ(reads(2), 4u * 4);
    // Shared memory's passes go through the same pipe: who has more of them before its read asks later. That is in time
    // while device memory is at work on it, and too late when the response is there.
    EXPECT_EQ(reads(4, 10), 2u * 4);
    EXPECT_EQ(reads(4, 3000), 8u * 4);
}

struct Lanes {
    machine::Access access;
    std::array<std::int64_t, machine::kWarpSize> deltas{};
};

// As an H200 counted them (bench/hardware/copy_places.cu): sectors of L1, and what L2 is asked for. Lanes copy
// neighbours of 16 bytes.
TEST(Traffic, CopiesPastL1AreReadByWhereTheyGo) {
    struct Case {
        unsigned lanes, from, to, counted;
        std::vector<unsigned> reads;  // sectors of each
    };
    const Case cases[] = {
        {8, 0, 0, 4, {0xf}},       {8, 0, 16, 5, {0xf, 0x7, 0x8}}, {8, 16, 16, 5, {0x1, 0xe, 0x1}},
        {4, 0, 16, 3, {0x3, 0x3}}, {2, 0, 112, 2, {0x1, 0x1}},     {5, 0, 16, 3, {0x7, 0x3}},
        {3, 0, 0, 2, {0x1, 0x2}},  {8, 0, 32, 4, {0x7, 0x8}},      {7, 16, 0, 4, {0xf, 0xe}},
    };
    for (const Case& one : cases) {
        Lanes lanes;
        lanes.access.width = 16;
        lanes.access.kind = machine::AccessKind::kAsyncCopyRead;
        lanes.access.mask = (1u << one.lanes) - 1;
        lanes.access.first = 4096 + one.from;
        lanes.access.to_first = 1024 + one.to;
        for (unsigned i = 0; i < one.lanes; ++i) lanes.deltas[i] = i * 16;
        lanes.access.deltas = lanes.access.to_deltas = lanes.deltas.data();
        std::vector<std::uint64_t> words(1, 0);
        Shape shape;
        shape.kind = RequestKind::kLoadPastL1;
        add_shape(words, shape, lanes.access);
        const std::uint64_t* word = &words[1];
        shape = Shape::of(*word++);
        EXPECT_EQ(shape.kind, RequestKind::kLoadPastL1);
        std::vector<unsigned> reads;
        unsigned counted = 0;
        for (unsigned p = 0; p < shape.pieces; ++p) {
            const Piece piece = Piece::of(*word++);
            word += sector_count(piece.in_part());
            reads.push_back(piece.sectors);
            counted += piece.counted;
        }
        EXPECT_EQ(word, words.data() + words.size());
        EXPECT_EQ(reads, one.reads) << one.lanes << " lanes, " << one.from << " " << one.to;
        EXPECT_EQ(counted, one.counted) << one.lanes << " lanes, " << one.from << " " << one.to;
        EXPECT_EQ(copied_sectors(lanes.access), one.counted);
    }
}

TEST(Traffic, ShapesHoldEverySectorAndByte) {
    std::mt19937_64 random(3);
    for (unsigned k = 0; k < 500; ++k) {
        Lanes lanes;
        lanes.access.width = static_cast<std::uint8_t>(1u << random() % 5);
        lanes.access.space = random() % 2 == 0 ? machine::Space::kGlobal : machine::Space::kLocal;
        lanes.access.mask = static_cast<std::uint32_t>(random() | 1u << random() % 32);
        lanes.access.first = (random() % 2048) * lanes.access.width;
        const auto lead = static_cast<unsigned>(std::countr_zero(lanes.access.mask));
        std::array<std::set<std::uint64_t>, 2> touched;  // bytes
        for (unsigned i = 0; i < machine::kWarpSize; ++i) {
            if ((lanes.access.mask >> i & 1) == 0) continue;
            if (i != lead) lanes.deltas[i] = static_cast<std::int64_t>(random() % 64 * lanes.access.width);
            for (unsigned b = 0; b < lanes.access.width; ++b) {
                const std::uint64_t at = lanes.access.first + static_cast<std::uint64_t>(lanes.deltas[i]) + b;
                const bool local = lanes.access.space == machine::Space::kLocal;
                touched[0].insert(local ? (at / 4 * 32 + i) * 4 + at % 4 : at);
            }
        }
        lanes.access.deltas = lanes.deltas.data();
        std::vector<std::uint64_t> words(1, 0);
        const std::uint64_t* word = &words[0] + add_shape(words, {}, lanes.access);
        word = &words[1];
        const Shape shape = Shape::of(*word++);
        for (unsigned p = 0; p < shape.pieces; ++p) {
            const Piece piece = Piece::of(*word++);
            const std::uint64_t line = first_line(lanes.access) + static_cast<std::uint64_t>(piece.line);
            for (unsigned s = 0; s < kSectorsPerLine; ++s) {
                if ((piece.sectors >> s & 1) == 0) continue;
                const std::uint64_t mask = (piece.whole >> s & 1) != 0 ? 0xffffffffu : *word++;
                for (unsigned b = 0; b < kSectorBytes; ++b)
                    if ((mask >> b & 1) != 0) touched[1].insert((line << kLineShift) + s * kSectorBytes + b);
            }
        }
        EXPECT_EQ(word, words.data() + words.size());
        ASSERT_EQ(touched[0], touched[1]);
    }
}

}  // namespace
}  // namespace tilescope::observers
