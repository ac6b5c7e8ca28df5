// Cutting the last wave leaves nothing out, gives no cluster two parts of cut tiles, and is shorter than not cutting.
#include <gtest/gtest.h>

#include "tiles/src/tail_cut.h"

namespace tiles {
namespace {

TEST(TilesTailCut, EveryTileIsCutIntoPartsThatHoldWork) {
    for (const int64_t clusters : {1, 7, 66, 132}) {
        for (int64_t rest = 0; rest < clusters; ++rest) {
            for (const int64_t k_blocks : {1, 2, 5, 33, 65, 66, 67, 256, 1000}) {
                const TailCut cut = cut_of_tail(rest, clusters, k_blocks);
                if (cut.parts == 0) {
                    EXPECT_EQ(cut.longest, k_blocks);
                    continue;
                }
                EXPECT_EQ(cut.tiles + (cut.shared ? 1 : 0), rest);
                EXPECT_GE(cut.parts, 2);
                EXPECT_LE(int64_t{cut.tiles} * cut.parts, clusters);
                EXPECT_LE(cut.parts, k_blocks);
                EXPECT_TRUE(!cut.shared || k_blocks >= clusters);
                EXPECT_LT(cut.longest, k_blocks);
            }
        }
    }
}

TEST(TilesTailCut, OneTileTooManyIsSharedByAll) {
    const TailCut cut = cut_of_tail(34, 66, 256);  // 8192 cubed in tiles of 256 x 256
    EXPECT_EQ(cut.tiles, 33);
    EXPECT_EQ(cut.parts, 2);
    EXPECT_TRUE(cut.shared);
    EXPECT_EQ(cut.longest, 128 + 4);
}

TEST(TilesTailCut, AWaveThatIsMostlyFullStays) {
    EXPECT_EQ(cut_of_tail(58, 66, 64).parts, 0);  // 4096 cubed
    EXPECT_EQ(cut_of_tail(0, 66, 64).parts, 0);
}

}  // namespace
}  // namespace tiles
