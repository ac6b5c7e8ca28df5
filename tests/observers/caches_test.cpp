// The rules of L1 and L2 as bench/hardware measured them, one by one, and the replay's promise: the same counts in
// whatever order blocks come.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "scope/observers/caches/constant_level.h"
#include "scope/observers/caches/first_level.h"
#include "scope/observers/caches/placement.h"
#include "scope/observers/caches/replay.h"
#include "scope/observers/caches/second_level.h"

namespace tilescope::observers {
namespace {

Piece whole(unsigned sectors) { return {0, sectors, sectors}; }
Piece in_part(unsigned sectors) { return {0, sectors, 0}; }

TEST(Spans, KeepNineDigitsOfATime) {
    for (const std::uint64_t cycles : {0u, 1u, 511u}) EXPECT_EQ(Span::cycles(Span::of(cycles)), cycles);
    for (std::uint64_t cycles = 512; cycles <= Span::kMax; cycles = cycles * 5 / 4) {
        EXPECT_LE(Span::cycles(Span::of(cycles)), cycles);  // what is left out stays owed
        EXPECT_GT(Span::cycles(Span::of(cycles)), cycles - cycles / 200);
        EXPECT_LT(Span::of(cycles), 1u << 13);
    }
    EXPECT_EQ(Span::cycles(Span::of(~std::uint64_t{0})), Span::kMax);
}

TEST(FirstLevel, FetchesTheMissingSectorsAndNoOthers) {
    FirstLevel cache(64 << 10, 1);
    EXPECT_EQ(cache.load(7, whole(0b0011), nullptr).missing, 0b0011u);
    EXPECT_EQ(cache.load(7, whole(0b0110), nullptr).missing, 0b0100u);
    EXPECT_EQ(cache.load(7, whole(0b0111), nullptr).missing, 0u);
    EXPECT_EQ(cache.load(8, whole(0b0001), nullptr).missing, 0b0001u);
}

TEST(FirstLevel, AStoreLeavesItsBytesAndDropsTheRestOfTheSector) {
    FirstLevel cache(64 << 10, 1);
    const std::uint64_t first_word = 0xf, second_word = 0xf0;
    cache.load(7, whole(0b0001), nullptr);
    EXPECT_EQ(cache.store(7, in_part(0b0001), &first_word), 1u);
    EXPECT_EQ(cache.load(7, in_part(0b0001), &first_word).missing, 0u);
    EXPECT_EQ(cache.load(7, in_part(0b0001), &second_word).missing, 1u);
    EXPECT_EQ(cache.load(7, in_part(0b0001), &second_word).missing, 0u) << "now the sector has been fetched";
    EXPECT_EQ(cache.store(9, whole(0b0001), nullptr), 0u);
    EXPECT_EQ(cache.load(9, whole(0b0001), nullptr).missing, 0u);
}

TEST(FirstLevel, AStoreToLocalMemoryLeavesTheRestOfTheSector) {
    FirstLevel cache(64 << 10, 1);
    const std::uint64_t first_word = 0xf, second_word = 0xf0;
    cache.load(7, whole(0b0001), nullptr);
    EXPECT_EQ(cache.store(7, in_part(0b0001), &first_word, true), 1u);
    EXPECT_EQ(cache.load(7, in_part(0b0001), &second_word).missing, 0u);
    cache.store(8, in_part(0b0001), &first_word, true);
    EXPECT_EQ(cache.load(8, in_part(0b0001), &second_word).missing, 1u) << "of a sector that was not there";
}

// Hits of the later rounds of a ring of lines, of one.
double hits_of_ring(std::uint64_t bytes, double share) {
    FirstLevel cache(bytes, 1);
    const auto lines = static_cast<std::uint64_t>(static_cast<double>(bytes >> kLineShift) * share);
    std::uint64_t hits = 0;
    constexpr unsigned kRounds = 6;
    for (unsigned round = 0; round < kRounds; ++round)
        for (std::uint64_t line = 0; line < lines; ++line) {
            const bool hit = cache.load(line, whole(1), nullptr).missing == 0;
            EXPECT_FALSE(round == 0 && hit);
            hits += hit ? 1 : 0;
        }
    return static_cast<double>(hits) / static_cast<double>(lines * (kRounds - 1));
}

TEST(FirstLevel, WhatItReplacesIsNeitherTheOldestNorAnyLine) {
    constexpr std::uint64_t kBytes = 238 << 10;
    EXPECT_GT(hits_of_ring(kBytes, 0.9), 0.99);
    EXPECT_GT(hits_of_ring(kBytes, 1.05), 0.25);
    EXPECT_LT(hits_of_ring(kBytes, 1.05), 0.75);
    EXPECT_LT(hits_of_ring(kBytes, 1.3), 0.06);
    EXPECT_GT(hits_of_ring(kBytes / 2, 1.1), hits_of_ring(kBytes, 1.1)) << "a small one forgets less of it";
}

// Of lines that were there, how many still are when so many others are under way, and when these have come.
std::pair<unsigned, unsigned> kept_beside(unsigned others, unsigned tags) {
    constexpr unsigned kLines = 64;
    std::pair<unsigned, unsigned> kept;
    for (const std::uint64_t now : {50u, 100u}) {
        FirstLevel cache(kLines << kLineShift, 1, tags);
        for (std::uint64_t line = 0; line < kLines; ++line) cache.load(line, whole(1), nullptr);
        for (std::uint64_t line = 0; line < others; ++line)
            cache.arrives_at(cache.load(1000 + line, whole(1), nullptr, 10).slot, 100);
        unsigned& count = now == 50 ? kept.first : kept.second;
        for (std::uint64_t line = 0; line < kLines; ++line) {
            const FirstLevel::Answer answer = cache.load(line, whole(1), nullptr, now);
            if (answer.missing != 0) cache.arrives_at(answer.slot, 1000);
            count += answer.missing == 0 ? 1 : 0;
        }
    }
    return kept;
}

TEST(FirstLevel, WhatIsUnderWayTakesNoPlaceButATag) {
    EXPECT_EQ(kept_beside(32, 256), std::pair(64u, 32u));
    EXPECT_EQ(kept_beside(64, 256).first, 64u);
    EXPECT_LT(kept_beside(64, 256).second, 32u);
    const unsigned kept_with_few_tags = kept_beside(32, 80).first;
    EXPECT_GE(kept_with_few_tags, 80u - 32u - 16u) << "what is missed asks for tags, too";
    EXPECT_LE(kept_with_few_tags, 80u - 32u);
}

TEST(FirstLevel, CanBeEmptied) {
    FirstLevel cache(64 << 10, 1);
    for (std::uint64_t line = 0; line < 2000; ++line) cache.load(line, whole(15), nullptr);
    cache.clear();
    for (std::uint64_t line = 0; line < 2000; ++line) EXPECT_EQ(cache.load(line, whole(15), nullptr).missing, 15u);
}

// 2 KB of lines of 64 bytes, as bench/hardware/constant.cu walked them in a circle.
TEST(ConstantLevel, IsSetsOfFourLinesOfWhichTheOldestGivesWay) {
    const auto missed = [](std::uint64_t bytes, std::uint64_t stride) {
        ConstantLevel cache(8, 4);
        std::uint64_t misses = 0, lookups = 0;
        for (unsigned round = 0; round < 4; ++round)
            for (std::uint64_t at = 0; at < bytes; at += stride) {
                const bool hit = cache.look_up(at / 64, 0).second;
                if (round == 0) continue;
                ++lookups;
                misses += hit ? 0 : 1;
            }
        return static_cast<double>(misses) / static_cast<double>(lookups);
    };
    for (const std::uint64_t stride : {64u, 128u, 256u}) {
        EXPECT_EQ(missed(2048, stride), 0) << stride;
        EXPECT_NEAR(missed(2304, stride), 0.556, 0.001) << stride;
        EXPECT_EQ(missed(2560, stride), 1) << stride;
    }
}

CacheFigures one_part() {
    CacheFigures figures;
    figures.sms_in_turn = {1};
    figures.group = {0};
    figures.near_part = {0};
    figures.l1_bytes = 128 << 10;
    figures.l2_bytes = 1 << 20;
    return figures;
}

TEST(SecondLevel, FetchesPairsOfSectors) {
    SecondLevel cache(one_part());
    const auto first = cache.read(0, 0, cache.place_of(5), 0b0001);
    EXPECT_EQ(first.hits, 0u);
    EXPECT_EQ(first.fetched, 64u);
    const auto partner = cache.read(1, 0, cache.place_of(5), 0b0010);
    EXPECT_EQ(partner.hits, 1u);
    EXPECT_EQ(partner.fetched, 0u);
    EXPECT_EQ(cache.read(2, 0, cache.place_of(5), 0b1100).fetched, 64u);
}

TEST(SecondLevel, WrittenSectorsNeedNothingAndPartsAreFetchedWhenRead) {
    SecondLevel cache(one_part());
    const std::uint64_t word = 0xf;
    EXPECT_EQ(cache.write(0, 0, cache.place_of(5), whole(0b0001), nullptr).fetched, 0u);
    EXPECT_EQ(cache.read(9000, 0, cache.place_of(5), 0b0001).hits, 1u);
    EXPECT_EQ(cache.write(9000, 0, cache.place_of(6), in_part(0b0001), &word).fetched, 0u);
    EXPECT_EQ(cache.read(9000, 0, cache.place_of(6), 0b0001).fetched, 32u) << "the rest of its bytes";
    // All bytes of a sector, by and by.
    for (unsigned i = 0; i < 8; ++i) {
        const std::uint64_t mask = std::uint64_t{0xf} << 4 * i;
        cache.write(9000, 0, cache.place_of(7), in_part(0b0100), &mask);
    }
    EXPECT_EQ(cache.read(9000, 0, cache.place_of(7), 0b0100).fetched, 0u);
}

TEST(SecondLevel, FewChangedLinesWaitAndTheRestAreWrittenBack) {
    const CacheFigures figures = one_part();
    SecondLevel cache(figures);
    const std::uint64_t lines = figures.l2_bytes >> kLineShift;
    for (std::uint64_t line = 0; line < lines / 4; ++line) cache.write(0, 0, cache.place_of(line), whole(15), nullptr);
    EXPECT_EQ(cache.written_back(), 0u);
    for (std::uint64_t line = lines / 4; line < lines; ++line)
        cache.write(0, 0, cache.place_of(line), whole(15), nullptr);
    EXPECT_EQ(cache.written_back(), figures.l2_bytes * (figures.l2_ways - figures.dirty_ways) / figures.l2_ways);
}

CacheFigures two_parts() {
    CacheFigures figures = one_part();
    figures.l2_parts = 2;
    figures.home_mask = 0xab000;
    figures.sms = 2;
    figures.sms_in_turn = {1, 1};
    figures.group = {0, 1};
    figures.near_part = {0, 1};
    return figures;
}

TEST(SecondLevel, KeepsACopyOfWhatTheOtherPartHas) {
    SecondLevel cache(two_parts());
    unsigned at_home = 0;
    for (std::uint64_t line = 0; line < 64; ++line) {
        const auto first = cache.read(0, 0, cache.place_of(line), 15);
        EXPECT_EQ(first.fetched, 128u);
        const auto again = cache.read(9000, 0, cache.place_of(line), 15);
        EXPECT_EQ(again.hits, 4u);
        EXPECT_EQ(again.over_fabric, 0u);
        const auto from_other = cache.read(9000, 1, cache.place_of(line), 15);
        EXPECT_EQ(from_other.fetched, 0u);
        // Where it lives in part 0, part 1 has to ask there; where it lives in part 1, it is there.
        EXPECT_EQ(from_other.hits, first.over_fabric == 0 ? 0u : 4u);
        EXPECT_EQ(from_other.over_fabric, first.over_fabric == 0 ? 4u : 0u);
        at_home += first.over_fabric == 0 ? 1 : 0;
    }
    EXPECT_EQ(at_home, 32u) << "neighbouring pieces of 4 KB live in different parts";
}

// Whatever bits tell the parts apart, all of a part's lines are at its disposal.
TEST(SecondLevel, HoldsWhatItsSizeSays) {
    for (const std::uint64_t mask : {0xab000, 0xaa000, 0x2000}) {
        CacheFigures figures = two_parts();
        figures.home_mask = mask;
        SecondLevel cache(figures);
        const std::uint64_t lines = (figures.l2_bytes >> kLineShift) / 2;
        // Each line is read from where it lives: first from part 0, and again where that had to ask the other.
        std::vector<unsigned> home(lines);
        for (std::uint64_t line = 0; line < lines; ++line)
            home[line] = cache.read(0, 0, cache.place_of(line), 15).over_fabric == 0 ? 0 : 1;
        cache.clear();
        for (unsigned round = 0; round < 2; ++round)
            for (std::uint64_t line = 0; line < lines; ++line)
                EXPECT_EQ(cache.read(9000, home[line], cache.place_of(line), 15).fetched, round == 0 ? 128u : 0u)
                    << mask;
    }
}

TEST(SecondLevel, AWriteMakesTheOtherPartsCopyOld) {
    SecondLevel cache(two_parts());
    for (std::uint64_t line = 0; line < 64; ++line) {
        cache.read(0, 0, cache.place_of(line), 15);
        cache.read(0, 1, cache.place_of(line), 15);
        cache.write(9000, 0, cache.place_of(line), whole(15), nullptr);
        const auto writer = cache.read(9000, 0, cache.place_of(line), 15),
                   other = cache.read(9000, 1, cache.place_of(line), 15);
        EXPECT_EQ(writer.hits, 4u);
        EXPECT_EQ(other.hits + other.over_fabric, 4u) << "from where it lives, wherever that is";
        EXPECT_EQ(other.fetched, 0u);
    }
}

// As an H200 gave 4,224 blocks of 64 threads their SMs, turn by turn (bench/hardware/groups.cu).
TEST(Placement, GoesRoundTheGroups) {
    CacheFigures figures;
    figures.sms = 132;
    figures.sms_in_turn = {8, 8, 16, 16, 16, 16, 16, 18, 18};
    figures.first_turns = 5;
    figures.turns_between = 6;
    const std::vector<std::uint32_t> places = first_places(figures, 32);
    ASSERT_EQ(places.size(), 132u * 32);
    EXPECT_EQ(std::set<std::uint32_t>(places.begin(), places.end()).size(), places.size());
    std::vector<unsigned> turn_of(132);
    for (unsigned turn = 0, sm = 0; turn < figures.sms_in_turn.size(); ++turn)
        for (unsigned i = 0; i < figures.sms_in_turn[turn]; ++i) turn_of[sm++] = turn;
    std::string turns;
    for (std::size_t i = 0; i < places.size() && turns.size() < 40; ++i)
        if (const char turn = "Xabcdefgh"[turn_of[places[i] % 132]]; turns.empty() || turns.back() != turn)
            turns += turn;
    EXPECT_EQ(turns, "XabcdeXfghabcXdefghaXbcdefgXhabcdeXfghab");
    // Where each SM takes two blocks, the first group is full sooner.
    turns.clear();
    for (const std::uint32_t place : first_places(figures, 2))
        if (const char turn = "Xabcdefgh"[turn_of[place % 132]]; turns.empty() || turns.back() != turn) turns += turn;
    EXPECT_EQ(turns, "XabcdeXfghabcdefgh");
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
    CacheFigures figures = two_parts();
    figures.warps = 2;
    figures.blocks_per_sm = 2;
    auto second = std::make_shared<SecondLevel>(figures);
    Replay replay(figures, order.size(), 2, second);
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

// Whoever delivers, and whoever helps.
TEST(Replay, CountsTheSameWithSeveralThreads) {
    std::vector<std::uint64_t> order(300);
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto expected = replayed(order);
    for (unsigned k = 0; k < 5; ++k) {
        CacheFigures figures = two_parts();
        figures.warps = 2;
        figures.blocks_per_sm = 2;
        Replay replay(figures, order.size(), 2, std::make_shared<SecondLevel>(figures));
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
    CacheFigures figures = two_parts();
    figures.warps = 2;
    Replay replay(figures, 10, 2, std::make_shared<SecondLevel>(figures));
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
    CacheFigures figures = one_part();
    figures.warps = 2;
    Replay replay(figures, 1, 2, std::make_shared<SecondLevel>(figures));
    BlockTraffic traffic;
    traffic.words = {0, Shape{0, RequestKind::kBarrier, false, true, 0}.packed()};
    traffic.meetings = {2, 2};
    traffic.requests = {{0, 0, 1, 0, 1, 0}, {1, 0, 1, 0, 1, 0}, {1, 0, 1, 1, 1, 0}, {0, 0, 1, 1, 1, 0}};
    replay.deliver(traffic);
    EXPECT_TRUE(replay.is_complete());
}

// Reads of one line at the same time, by SMs of one group.
TEST(Replay, MergesEqualReadsOfAGroup) {
    CacheFigures figures = one_part();
    figures.sms = 8;
    figures.sms_in_turn = {8};
    figures.group.assign(8, 0);
    figures.near_part.assign(8, 0);
    figures.cycles_per_block = 0;
    figures.merge_cycles = 4;
    const auto reads = [&](unsigned merged, unsigned passes_apart = 0) {
        figures.merged_reads = merged;
        Replay replay(figures, 8, 2, std::make_shared<SecondLevel>(figures));
        for (std::uint64_t block = 0; block < 8; ++block) {
            BlockTraffic traffic = block_of(block, 0, 1);
            std::erase_if(traffic.requests,
                          [](const Request& request) { return request.warp != 0 || request.shape != 1; });
            traffic.requests[0].passes = static_cast<std::uint16_t>(block * passes_apart);
            replay.deliver(traffic);
        }
        EXPECT_TRUE(replay.is_complete());
        return replay.traffic()[0].l2_reads;
    };
    EXPECT_EQ(reads(1), 8u * 4);
    EXPECT_EQ(reads(4), 2u * 4);
    EXPECT_EQ(reads(2), 4u * 4);
    // Shared memory's passes go through the same pipe: who has more of them before its read is too late for the
    // others'.
    EXPECT_EQ(reads(4, 50), 8u * 4);
}

struct Lanes {
    machine::Access access;
    std::array<std::int64_t, machine::kWarpSize> deltas{};
};

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
