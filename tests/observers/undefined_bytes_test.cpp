// Undefined bytes against an array that knows of each byte.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "scope/observers/hazards/undefined_bytes.h"

namespace tilescope::observers {
namespace {

TEST(UndefinedBytes, HoldWhatAnArrayOfThemHolds) {
    constexpr std::uint64_t kSize = 3 * UndefinedBytes::kPageBytes + 100;
    UndefinedBytes bytes(kSize);
    std::vector<std::uint8_t> bits(kSize, 0xff);
    std::vector<std::uint32_t> brought(kSize / 4 + 1);
    std::mt19937 random(7);
    const auto below = [&](std::uint64_t limit) { return random() % limit; };
    for (unsigned step = 0; step < 20000; ++step) {
        const std::uint64_t from = below(kSize);
        const std::uint64_t longest = below(50) == 0 ? kSize : 200;
        const std::uint64_t count = 1 + below(std::min(longest, kSize - from));
        switch (below(5)) {
            case 0:
            case 1:
                bytes.define(from, count);
                std::fill_n(bits.begin() + static_cast<long>(from), count, std::uint8_t{0});
                break;
            case 2:
                if (below(3) != 0) break;
                bytes.undefine(from, count);
                std::fill_n(bits.begin() + static_cast<long>(from), count, std::uint8_t{0xff});
                break;
            case 3:
                bits[from] = static_cast<std::uint8_t>(below(3) == 0 ? 0xff : below(256));
                bytes.set_bits(from, bits[from]);
                break;
            default: {
                bool any = false;
                for (std::uint64_t i = from; i < from + count; ++i) any = any || bits[i] != 0;
                ASSERT_EQ(bytes.any(from, count), any) << from << " " << count;
                ASSERT_EQ(bytes.bits(from), bits[from]) << from;
            }
        }
    }
    bytes.reset();
    EXPECT_TRUE(bytes.is_fresh(0, kSize));
    EXPECT_EQ(bytes.bits(5), 0xff);
}

TEST(UndefinedBytes, KnowWhoBroughtThem) {
    UndefinedBytes bytes(64);
    EXPECT_EQ(bytes.brought_by(8), 0u);
    bytes.set_bits(9, 0x80);
    bytes.set_brought_by(9, 3);
    EXPECT_EQ(bytes.brought_by(8), 3u);
    EXPECT_EQ(bytes.brought_by(12), 0u);
    EXPECT_FALSE(bytes.is_fresh(8, 4));
    bytes.undefine(8, 4);
    EXPECT_EQ(bytes.brought_by(8), 0u);
    EXPECT_EQ(bytes.bits(9), 0xff);
}

TEST(UndefinedBytes, WhatIsDefinedTakesNoPages) {
    UndefinedBytes bytes(1 << 20);
    const std::uint64_t empty = bytes.table_bytes();
    bytes.define(0, 1 << 19);
    EXPECT_EQ(bytes.table_bytes(), empty);
    for (std::uint64_t at = 1 << 19; at < 1 << 20; at += 128) bytes.define(at, 128);
    EXPECT_EQ(bytes.table_bytes(), empty);
    bytes.undefine(100, 4);
    EXPECT_GT(bytes.table_bytes(), empty);
}

}  // namespace
}  // namespace tilescope::observers
