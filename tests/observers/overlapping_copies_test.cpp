// Which copies overlap, by rows and slices.
#include "scope/observers/hazards/overlapping_copies.h"

#include <gtest/gtest.h>

namespace tilescope::observers {
namespace {

machine::CopyEvent copy(machine::Rows target, machine::Rows source, machine::RowsExtent extent) {
    machine::CopyEvent event;
    event.target = target;
    event.source = source;
    event.extent = extent;
    return event;
}

TEST(CopyOverlap, CountsSharedBytesOfOneRow) {
    EXPECT_EQ(overlap_of(copy({164, 0, 0}, {100, 0, 0}, {64, 1, 1})).bytes, 0u);
    EXPECT_EQ(overlap_of(copy({163, 0, 0}, {100, 0, 0}, {64, 1, 1})).bytes, 1u);
    EXPECT_EQ(overlap_of(copy({100, 0, 0}, {163, 0, 0}, {64, 1, 1})).first, 163u);
    EXPECT_EQ(overlap_of(copy({100, 0, 0}, {100, 0, 0}, {64, 1, 1})).bytes, 64u);
    EXPECT_EQ(overlap_of(copy({100, 0, 0}, {100, 0, 0}, {0, 1, 1})).bytes, 0u);
}

TEST(CopyOverlap, RowsThatInterleaveShareNothing) {
    EXPECT_EQ(overlap_of(copy({32, 64, 0}, {0, 64, 0}, {32, 4, 1})).bytes, 0u);
    EXPECT_EQ(overlap_of(copy({31, 64, 0}, {0, 64, 0}, {32, 4, 1})).bytes, 4u);
    // The second row of the source, and the first one of the target behind it, two bytes apart.
    EXPECT_EQ(overlap_of(copy({62, 64, 0}, {0, 64, 0}, {4, 2, 1})).bytes, 2u);
}

TEST(CopyOverlap, PitchesAndSlicesMayDiffer) {
    // Rows at 0, 16, 32, 48 and at 8, 32, 56, 80: the third source row is the second target row.
    EXPECT_EQ(overlap_of(copy({8, 24, 0}, {0, 16, 0}, {8, 4, 1})).bytes, 8u);
    EXPECT_EQ(overlap_of(copy({1000, 10, 100}, {0, 10, 500}, {10, 3, 3})).bytes, 30u);
}

}  // namespace
}  // namespace tilescope::observers
