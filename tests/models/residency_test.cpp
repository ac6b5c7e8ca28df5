// Where managed memory lies after touches, prefetches and advice, and what moved.
#include "scope/models/pages/residency.h"

#include <gtest/gtest.h>

namespace tilescope::models {
namespace {

constexpr std::uint64_t kBase = 64 * kTreeBytes;
constexpr std::uint64_t kLarge = std::uint64_t{1} << 40;
constexpr std::uint64_t kLeaves = kTreeBytes / kLeafBytes;

void touch_all_on_host(Residency& memory, std::uint64_t base, std::uint64_t size) {
    for (std::uint64_t at = base; at < base + size; at += kLeafBytes) memory.touch_on_host(at, true);
}
void touch_all_on_device(Residency& memory, std::uint64_t base, std::uint64_t size, bool writes = false) {
    for (std::uint64_t at = base; at < base + size; at += kLeafBytes) memory.touch_on_device(at, writes);
}

TEST(Residency, TheFirstTouchPopulatesWhereItIs) {
    Residency memory(kLarge);
    memory.add(kBase, kTreeBytes);
    memory.touch_on_device(kBase, true);
    const PageMoves moves = memory.take();
    EXPECT_EQ(moves.faults, 1u);
    EXPECT_EQ(moves.to_device_bytes, 0u);
    memory.touch_on_host(kBase + kTreeBytes - 1, true);
    EXPECT_EQ(memory.take(), PageMoves{});
}

TEST(Residency, ALeafMovesToWhoeverTouchesIt) {
    Residency memory(kLarge);
    memory.add(kBase, kTreeBytes);
    memory.touch_on_host(kBase, true);
    memory.touch_on_device(kBase + 100, false);
    memory.touch_on_device(kBase + 200, true);
    PageMoves moves = memory.take();
    EXPECT_EQ(moves.faults, 1u);
    EXPECT_EQ(moves.to_device_bytes, kLeafBytes);
    memory.touch_on_host(kBase, false);
    memory.touch_on_host(kBase, false);
    moves = memory.take();
    EXPECT_EQ(moves.host_faults, 1u);
    EXPECT_EQ(moves.to_host_bytes, kLeafBytes);
    memory.touch_on_device(kBase, false);
    moves = memory.take();
    EXPECT_EQ(moves.refaults, 1u);
    EXPECT_EQ(moves.refaults_evicted, 0u);
}

// Leaf 0; leaf 1, half of whose pair is there; then subtrees of 4, 8, 16 and 32 as soon as more than half is there.
TEST(Residency, SubtreesThatAreMostlyThereComeAsAWhole) {
    Residency memory(kLarge);
    memory.add(kBase, kTreeBytes);
    touch_all_on_host(memory, kBase, kTreeBytes);
    touch_all_on_device(memory, kBase, kTreeBytes);
    const PageMoves moves = memory.take();
    EXPECT_EQ(moves.faults, 6u);
    EXPECT_EQ(moves.to_device_bytes, kTreeBytes);
}

TEST(Residency, LeavesFarApartComeAlone) {
    Residency memory(kLarge);
    memory.add(kBase, 8 * kTreeBytes);
    touch_all_on_host(memory, kBase, 8 * kTreeBytes);
    for (std::uint64_t tree = 0; tree < 8; ++tree) memory.touch_on_device(kBase + tree * kTreeBytes, false);
    const PageMoves moves = memory.take();
    EXPECT_EQ(moves.faults, 8u);
    EXPECT_EQ(moves.to_device_bytes, 8 * kLeafBytes);
}

TEST(Residency, TheLastLeafIsAsLargeAsWhatIsLeft) {
    Residency memory(kLarge);
    memory.add(kBase, kLeafBytes + 100);
    touch_all_on_host(memory, kBase, kLeafBytes + 100);
    touch_all_on_device(memory, kBase, kLeafBytes + 100);
    EXPECT_EQ(memory.take().to_device_bytes, kLeafBytes + 100);
    EXPECT_EQ(memory.resident(), kLeafBytes + 100);
    memory.remove(kBase);
    EXPECT_EQ(memory.resident(), 0u);
}

TEST(Residency, APrefetchSavesTheFaults) {
    Residency memory(kLarge);
    memory.add(kBase, kTreeBytes);
    touch_all_on_host(memory, kBase, kTreeBytes);
    EXPECT_EQ(memory.prefetch(kBase, kTreeBytes, true), kTreeBytes);
    EXPECT_EQ(memory.prefetch(kBase, kTreeBytes, true), 0u);
    touch_all_on_device(memory, kBase, kTreeBytes, true);
    EXPECT_EQ(memory.prefetch(kBase, kLeafBytes, false), kLeafBytes);
    memory.touch_on_host(kBase, true);
    const PageMoves moves = memory.take();
    EXPECT_EQ(moves.faults, 0u);
    EXPECT_EQ(moves.host_faults, 0u);
    EXPECT_EQ(moves.prefetched_in_bytes, kTreeBytes);
    EXPECT_EQ(moves.prefetched_back_bytes, kLeafBytes);
}

TEST(Residency, WhatIsMostlyReadIsOnBothSidesUntilItIsWritten) {
    Residency memory(kLarge);
    memory.add(kBase, kLeafBytes);
    memory.touch_on_host(kBase, true);
    memory.advise(kBase, kLeafBytes, MemoryAdvice::kReadMostly);
    memory.touch_on_device(kBase, false);
    memory.touch_on_host(kBase, false);
    memory.touch_on_device(kBase, false);
    PageMoves moves = memory.take();
    EXPECT_EQ(moves.faults, 1u);
    EXPECT_EQ(moves.host_faults, 0u);
    memory.touch_on_host(kBase, true);
    memory.touch_on_device(kBase, false);
    moves = memory.take();
    EXPECT_EQ(moves.faults, 1u);
    EXPECT_EQ(moves.to_device_bytes, kLeafBytes);
}

TEST(Residency, WhatPrefersTheHostIsReachedAcrossTheLink) {
    Residency memory(kLarge);
    memory.add(kBase, kTreeBytes);
    memory.advise(kBase, kLeafBytes, MemoryAdvice::kPreferHost);
    memory.advise(kBase + kLeafBytes, kLeafBytes, MemoryAdvice::kAccessedByDevice);
    touch_all_on_host(memory, kBase, 2 * kLeafBytes);
    touch_all_on_device(memory, kBase, 2 * kLeafBytes);
    PageMoves moves = memory.take();
    EXPECT_EQ(moves.faults, 1u);  // of the first, which nobody was told that the device would reach
    EXPECT_EQ(moves.to_device_bytes, 0u);
    EXPECT_EQ(moves.mapped_bytes, 2 * kLeafBytes);
    // However often within a launch, and again in the next.
    for (int launch = 0; launch < 2; ++launch) {
        touch_all_on_device(memory, kBase, 2 * kLeafBytes);
        touch_all_on_device(memory, kBase, 2 * kLeafBytes);
        moves = memory.take();
        EXPECT_EQ(moves.mapped_bytes, 2 * kLeafBytes);
        EXPECT_EQ(moves.faults, 0u);
    }
}

// As one H200 and its host did, 23 November 2026 (bench/hardware/pages.cu): 48 faults for 8 trees, in either direction.
TEST(Residency, TheHostsFaultsBringNeighboursAlong) {
    Residency memory(kLarge);
    memory.add(kBase, 8 * kTreeBytes);
    touch_all_on_device(memory, kBase, 8 * kTreeBytes, true);
    EXPECT_EQ(memory.take().faults, 48u);
    for (std::uint64_t at = 0; at < 8 * kTreeBytes; at += kLeafBytes) memory.touch_on_host(kBase + at, false);
    PageMoves moves = memory.take();
    EXPECT_EQ(moves.host_faults, 48u);
    EXPECT_EQ(moves.to_host_bytes, 8 * kTreeBytes);
    EXPECT_EQ(memory.resident(), 0u);
    // A leaf of each tree comes alone.
    touch_all_on_device(memory, kBase, 8 * kTreeBytes, true);
    memory.take();
    for (std::uint64_t tree = 0; tree < 8; ++tree) memory.touch_on_host(kBase + tree * kTreeBytes, false);
    moves = memory.take();
    EXPECT_EQ(moves.host_faults, 8u);
    EXPECT_EQ(moves.to_host_bytes, 8 * kLeafBytes);
}

TEST(Residency, CopiesTouchOnTheDevice) {
    Residency memory(kLarge);
    memory.add(kBase, kTreeBytes);
    touch_all_on_host(memory, kBase, kTreeBytes);
    memory.copy(kBase, kTreeBytes, false);
    PageMoves moves = memory.take();
    EXPECT_EQ(moves.faults, 6u);
    EXPECT_EQ(moves.to_device_bytes, kTreeBytes);
    touch_all_on_device(memory, kBase, kTreeBytes);
    EXPECT_EQ(memory.take().faults, 0u);
    memory.copy_by_host(kBase, kTreeBytes, false);
    moves = memory.take();
    EXPECT_EQ(moves.host_faults, 6u);
    EXPECT_EQ(moves.to_host_bytes, kTreeBytes);
}

TEST(Residency, TheFirstWriteToEachPageOfACopyIsAFault) {
    Residency memory(kLarge);
    memory.add(kBase, kLeafBytes);
    memory.touch_on_host(kBase, true);
    memory.advise(kBase, kLeafBytes, MemoryAdvice::kReadMostly);
    memory.touch_on_device(kBase, false);
    memory.take();
    memory.touch_on_host(kBase, true, 16);
    PageMoves moves = memory.take();
    EXPECT_EQ(moves.host_faults, 16u);
    EXPECT_EQ(moves.to_host_bytes, 0u);
    memory.touch_on_host(kBase, true, 16);
    EXPECT_EQ(memory.take().host_faults, 0u);
}

TEST(Residency, TheLeastRecentlyUsedTreeIsEvicted) {
    Residency memory(2 * kTreeBytes);
    memory.add(kBase, 3 * kTreeBytes);
    touch_all_on_host(memory, kBase, 3 * kTreeBytes);
    memory.prefetch(kBase, 2 * kTreeBytes, true);
    memory.touch_on_device(kBase, false);  // the second is older now
    memory.prefetch(kBase + 2 * kTreeBytes, kTreeBytes, true);
    PageMoves moves = memory.take();
    EXPECT_EQ(moves.evicted_bytes, kTreeBytes);
    EXPECT_EQ(moves.to_host_bytes, kTreeBytes);
    memory.touch_on_device(kBase, false);
    EXPECT_EQ(memory.take().faults, 0u);
    memory.touch_on_device(kBase + kTreeBytes, false);
    EXPECT_EQ(memory.take().refaults_evicted, 1u);
    EXPECT_LE(memory.peak_resident(), 2 * kTreeBytes);
}

PageReport run_over(std::uint64_t room, unsigned times) {
    Residency memory(room);
    memory.add(kBase, 8 * kTreeBytes);
    touch_all_on_host(memory, kBase, 8 * kTreeBytes);
    for (unsigned i = 0; i < times; ++i) touch_all_on_device(memory, kBase, 8 * kTreeBytes, true);
    PageReport report;
    report.room_bytes = room;
    report.total = memory.take();
    report.touched_bytes = memory.touched_by_device();
    return report;
}

TEST(Residency, SweepsOverMoreThanThereIsRoomForThrash) {
    const PageReport report = run_over(6 * kTreeBytes, 4);
    // Each sweep evicts what the next one asks for first.
    EXPECT_EQ(report.total.to_device_bytes, 4 * 8 * kTreeBytes);
    EXPECT_EQ(judge_pages(report), PageTrouble::kThrash);
    EXPECT_EQ(report.touched_bytes, 16'777'216u);
}

TEST(Residency, SweepsOverWhatFitsDoNot) {
    const PageReport report = run_over(8 * kTreeBytes, 4);
    EXPECT_EQ(report.total.to_device_bytes, 8 * kTreeBytes);
    EXPECT_EQ(report.total.faults, 8 * 6u);
    EXPECT_EQ(judge_pages(report), PageTrouble::kFaults);
    // A single sweep, however large, asks for nothing twice.
    EXPECT_EQ(judge_pages(run_over(6 * kTreeBytes, 1)), PageTrouble::kFaults);
}

TEST(Residency, TakingPagesFromEachOtherIsNoThrashing) {
    Residency memory(kLarge);
    memory.add(kBase, kTreeBytes);
    for (unsigned i = 0; i < 4; ++i) {
        touch_all_on_host(memory, kBase, kTreeBytes);
        touch_all_on_device(memory, kBase, kTreeBytes, true);
    }
    PageReport report;
    report.total = memory.take();
    EXPECT_EQ(report.total.host_faults, 3 * 6u);
    EXPECT_EQ(judge_pages(report), PageTrouble::kPingPong);
}

}  // namespace
}  // namespace tilescope::models
