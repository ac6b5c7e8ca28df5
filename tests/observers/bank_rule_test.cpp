// The rule against what an H200 counted (tests/truth/banks-h200.json, made by bench/hardware), request by request, and
// what the rule says in words.
#include "scope/observers/bank_rule.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/places.h"

namespace tilescope::observers {
namespace {

using Offsets = std::array<std::uint32_t, 32>;

constexpr std::uint32_t kAll = 0xffffffffu;

template <class Element>
Offsets offsets_of(unsigned width, Element element) {
    Offsets offsets{};
    for (unsigned lane = 0; lane < 32; ++lane) offsets[lane] = width * element(lane);
    return offsets;
}

std::array<unsigned, 2> cost(const Offsets& offsets, std::uint32_t mask, unsigned width, BankUse use) {
    const BankCost found = bank_cost(offsets.data(), mask, width, use);
    return {found.wavefronts, found.conflicts};
}

using Pair = std::array<unsigned, 2>;  // wavefronts, conflicts

TEST(BankRule, AgreesWithEveryRequestMeasured) {
    std::ifstream file(source_dir() + "/tests/truth/banks-h200.json");
    const auto rows = nlohmann::json::parse(file);
    const std::map<std::string, BankUse> uses = {{"load", BankUse::kLoad},
                                                 {"store", BankUse::kStore},
                                                 {"increment", BankUse::kIncrement},
                                                 {"atomic", BankUse::kAtomic},
                                                 {"compare and swap", BankUse::kAtomic}};
    std::map<std::string, unsigned> compared;
    for (const auto& row : rows) {
        const std::uint32_t mask = row["mask"];
        const unsigned width = row["width"];
        Offsets offsets{};
        std::size_t next = 0;
        for (unsigned lane = 0; lane < 32; ++lane)
            if (mask >> lane & 1) offsets[lane] = row["offsets"].at(next++);
        ASSERT_EQ(next, row["offsets"].size());
        for (const auto& [name, use] : uses) {
            if (!row.contains(name)) continue;
            Pair expected = row[name];
            if (name == "compare and swap") expected[0] /= 2;  // twice the passes, the same conflicts
            EXPECT_EQ(cost(offsets, mask, width, use), expected) << name << " of " << width << ": " << row["name"];
            ++compared[name];
        }
    }
    const std::map<std::string, unsigned> rows_of_each = {
        {"load", 1966}, {"store", 1966}, {"increment", 138}, {"atomic", 276}, {"compare and swap", 276}};
    EXPECT_EQ(compared, rows_of_each);
}

TEST(BankRule, AWordIsFreeForSeveralLanesUnlessTheyUpdateIt) {
    const Offsets one = offsets_of(4, [](unsigned) { return 7u; });
    EXPECT_EQ(cost(one, kAll, 4, BankUse::kLoad), (Pair{1, 0}));
    EXPECT_EQ(cost(one, kAll, 4, BankUse::kStore), (Pair{1, 0}));
    EXPECT_EQ(cost(one, kAll, 4, BankUse::kIncrement), (Pair{1, 0}));
    EXPECT_EQ(cost(one, kAll, 4, BankUse::kAtomic), (Pair{32, 31}));
    EXPECT_EQ(cost(one, 0x80000001u, 4, BankUse::kAtomic), (Pair{2, 1}));
}

TEST(BankRule, BytesOfOneWordShareIt) {
    const Offsets bytes = offsets_of(1, [](unsigned lane) { return lane; });
    EXPECT_EQ(cost(bytes, kAll, 1, BankUse::kLoad), (Pair{1, 0}));
    EXPECT_EQ(cost(bytes, kAll, 1, BankUse::kStore), (Pair{1, 0}));
}

TEST(BankRule, WideLoadsMergeWhenNeighboursShare) {
    for (unsigned width : {8u, 16u}) {
        const unsigned groups = width / 4;
        const Offsets across_one = offsets_of(width, [](unsigned lane) { return lane / 2; });
        const Offsets across_two = offsets_of(width, [](unsigned lane) { return lane & ~2u; });
        const Offsets across_four = offsets_of(width, [](unsigned lane) { return (lane & 3) + lane / 8 * 4; });
        EXPECT_EQ(cost(across_one, kAll, width, BankUse::kLoad), (Pair{groups / 2, 0}));
        EXPECT_EQ(cost(across_one, kAll, width, BankUse::kStore), (Pair{groups, 0}));
        EXPECT_EQ(cost(across_four, kAll, width, BankUse::kLoad), (Pair{groups, 0}));
        // Lanes 0, 1, 4, 5, 8... want words 0, 1, 4, 5, 8...: merged groups reach two words of a bank.
        EXPECT_EQ(cost(across_two, kAll, width, BankUse::kLoad), (Pair{groups, groups / 2}));
    }
}

TEST(BankRule, OneLaneThatBreaksThePairingKeepsTheWholeWarpApart) {
    const Offsets pairs = offsets_of(16, [](unsigned lane) { return lane == 31 ? 8u : lane / 2; });
    EXPECT_EQ(cost(pairs, kAll, 16, BankUse::kLoad), (Pair{4, 0}));
    // Its partner being inactive, it no longer does.
    EXPECT_EQ(cost(pairs, kAll & ~(1u << 30), 16, BankUse::kLoad), (Pair{2, 0}));
}

TEST(BankRule, GroupsWithoutAnActiveLaneAreFree) {
    const Offsets row = offsets_of(16, [](unsigned lane) { return lane; });
    EXPECT_EQ(cost(row, 0x000000ffu, 16, BankUse::kStore), (Pair{1, 0}));
    EXPECT_EQ(cost(row, 0x00ff00ffu, 16, BankUse::kLoad), (Pair{2, 0}));
}

}  // namespace
}  // namespace tilescope::observers
