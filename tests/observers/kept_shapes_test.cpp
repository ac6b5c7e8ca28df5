// Shapes that are copied from block to block are those that were kept, word by word.
#include "scope/observers/hierarchy/record/kept_shapes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace tilescope::observers {
namespace {

using Words = std::vector<std::uint64_t>;

TEST(KeptShapes, ABlockGetsTheWordsThatWereKept) {
    KeptShapes kept;
    KeptShapes::Site site;
    kept.keep(site, 4, {0, 7, 8, 9}, 1);
    kept.keep(site, 8, {0, 7, 8, 9, 5, 6}, 4);
    Words block = {0};
    EXPECT_EQ(kept.copy(site, 8, block), 1u);
    EXPECT_EQ(kept.copy(site, 4, block), 3u);
    EXPECT_EQ(block, (Words{0, 5, 6, 7, 8, 9}));
    EXPECT_EQ(kept.copy(site, 12, block), KeptShapes::kNone) << "of no access that began there";
}

TEST(KeptShapes, AnotherPatternHasNone) {
    KeptShapes kept;
    KeptShapes::Site site, other;
    kept.keep(site, 0, {1, 2}, 0);
    kept.keep(other, 0, {3}, 0);
    KeptShapes::forget(site);
    Words block;
    EXPECT_EQ(kept.copy(site, 0, block), KeptShapes::kNone);
    EXPECT_EQ(kept.copy(other, 0, block), 0u);
    EXPECT_EQ(block, Words{3});
}

// However many there are, a site never gets the words of another one.
TEST(KeptShapes, WhereThereAreTooManyAllAreForgotten) {
    constexpr std::uint64_t kSites = 5000, kLong = 64;
    KeptShapes kept;
    std::vector<KeptShapes::Site> sites(kSites);
    for (std::uint64_t i = 0; i < kSites; ++i) kept.keep(sites[i], 3, Words(kLong, i), 0);
    unsigned copied = 0;
    for (std::uint64_t i = 0; i < kSites; ++i) {
        Words block;
        if (kept.copy(sites[i], 3, block) == KeptShapes::kNone) continue;
        ++copied;
        EXPECT_EQ(block, Words(kLong, i));
    }
    EXPECT_GT(copied, 0u);
    EXPECT_LT(copied, kSites);
}

}  // namespace
}  // namespace tilescope::observers
