// An arena that takes the place of an earlier one is as new.
#include "scope/machine/guarded_arena.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace tilescope::machine {
namespace {

using Regions = std::vector<GuardedArena::Region>;

bool is_zero(const std::byte* data, std::size_t bytes) {
    return std::all_of(data, data + bytes, [](std::byte byte) { return byte == std::byte{0}; });
}

class GuardedArenas : public testing::Test {
protected:
    // Other tests do with little address space.
    void TearDown() override { GuardedArena::release_spares(); }
};
using GuardedArenasDeathTest = GuardedArenas;

TEST_F(GuardedArenas, BeginsWithZerosWhateverWasThereBefore) {
    const Regions shape = {{300, 5, false}, {5000, 3, true}, {0, 1, false}, {64, 1, false}};
    const std::vector<std::byte> fixed(64, std::byte{7});
    for (unsigned times = 0; times < 6; ++times) {
        // The last region is fixed twice in a row, and may be written again by the next one.
        const bool is_fixed = times % 3 != 0;
        GuardedArena arena(shape, is_fixed ? GuardedArena::Fixed{3, fixed} : GuardedArena::Fixed{});
        EXPECT_TRUE(!is_fixed || std::memcmp(arena.place(3).data, fixed.data(), fixed.size()) == 0) << times;
        for (std::size_t region = 0; region + (is_fixed ? 1 : 0) < shape.size(); ++region) {
            const GuardedArena::Place& place = arena.place(region);
            for (std::uint64_t e = 0; e < shape[region].count; ++e) {
                std::byte* const data = place.data + e * place.stride;
                EXPECT_TRUE(is_zero(data, shape[region].bytes)) << times << ", region " << region << ", element " << e;
                std::memset(data, 0xff, shape[region].bytes);
            }
        }
    }
}

TEST_F(GuardedArenas, ArenasThatLiveTogetherLieApart) {
    const Regions shape = {{256, 1, false}};
    std::optional<GuardedArena> first(std::in_place, shape), second(std::in_place, shape);
    EXPECT_NE(first->place(0).data, second->place(0).data);
    std::memset(first->place(0).data, 1, 256);
    first.reset();
    const GuardedArena third(shape);
    EXPECT_NE(third.place(0).data, second->place(0).data);
    EXPECT_TRUE(is_zero(third.place(0).data, 256));
}

TEST_F(GuardedArenasDeathTest, GuardsAndReadOnlyRegionsStayShut) {
    const Regions shape = {{128, 1, false}};
    { const GuardedArena arena(shape); }
    GuardedArena again(shape);
    std::byte* const data = again.place(0).data;
    volatile std::byte* const beyond = data + 128;
    EXPECT_DEATH(*beyond = std::byte{1}, "");
    // Also of one that had held the same before.
    const std::vector<std::byte> bytes(128, std::byte{7}), others(128, std::byte{8});
    for (const auto* held : {&bytes, &bytes, &others}) {
        const GuardedArena fixed(shape, {0, *held});
        EXPECT_EQ(*fixed.place(0).data, held->front());
        volatile std::byte* const inside = fixed.place(0).data;
        EXPECT_DEATH(*inside = std::byte{1}, "");
    }
}

}  // namespace
}  // namespace tilescope::machine
