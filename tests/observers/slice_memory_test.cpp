// The way between L2 and device memory as bench/hardware measured it: turns, what L2 takes in, and waits beside others.
#include <gtest/gtest.h>

#include "scope/observers/hierarchy/dram/slice_memory.h"
#include "tests/observers/hierarchy_rules.h"

namespace tilescope::observers {
namespace {

constexpr std::uint32_t kLatency = 600;
constexpr std::uint32_t kPair = 64;

// A slice that is all there is, whose memory moves 64 bytes a cycle.
HierarchyRules alone() {
    HierarchyRules rules = h200_rules();
    rules.dram.latency = kLatency;
    rules.dram.bytes_per_cycle = 64;
    rules.dram.row_read_bytes = rules.dram.row_write_bytes = 0;
    return rules;
}

SliceMemory memory_of(const HierarchyRules& rules, unsigned slices = 1) {
    SliceMemory memory;
    memory.begin_launch(rules.dram, slices);
    return memory;
}

TEST(SliceMemory, ReadsTakeTurns) {
    SliceMemory memory = memory_of(alone());
    EXPECT_EQ(memory.read(1, kPair, 100), 101 + kLatency);
    EXPECT_EQ(memory.read(2, kPair, 100), 102 + kLatency);
    EXPECT_EQ(memory.read(3, kPair, 500), 501 + kLatency);
    memory.clear();
    EXPECT_EQ(memory.read(4, kPair, 0), 1 + kLatency);
    // Half of the bandwidth is another slice's.
    EXPECT_EQ(memory_of(alone(), 2).read(1, kPair, 100), 102 + kLatency);
}

TEST(SliceMemory, AByteWrittenTakesLongerThanOneRead) {
    SliceMemory reads = memory_of(alone()), writes = memory_of(alone());
    for (unsigned line = 0; line < 100; ++line) {
        reads.read(line, kPair, 0);
        writes.write(line, kPair, 0);
    }
    EXPECT_EQ(reads.read(100, kPair, 0), 101 + kLatency);
    EXPECT_NEAR(static_cast<double>(writes.read(100, kPair, 0)), 131 + kLatency, 1);
}

TEST(SliceMemory, WhatIsStoredAndWhatIsFetchedGoTheSameWayIn) {
    HierarchyRules rules = alone();
    rules.dram.intake_bytes_per_cycle = 32;
    SliceMemory memory = memory_of(rules);
    EXPECT_EQ(memory.read(1, kPair, 0), 2 + kLatency) << "L2 takes in half of what memory gives";
    EXPECT_EQ(memory.take_in(320, 0), 12);
    EXPECT_EQ(memory.read(2, kPair, 0), 14 + kLatency);
    EXPECT_EQ(memory.take_in(32, 100), 101) << "by then all is in";
    rules.dram.intake_bytes_per_cycle = 0;
    SliceMemory free = memory_of(rules);
    free.take_in(1 << 20, 0);
    EXPECT_EQ(free.read(1, kPair, 0), 1 + kLatency) << "of a device of which no limit is known";
}

// What a read takes beyond its latency after a long time in which memory was so busy.
double wait_beside(double share, bool writing, HierarchyRules rules = alone()) {
    rules.dram.read_wait = 33;
    rules.dram.write_wait = 275;
    SliceMemory memory = memory_of(rules);
    constexpr std::uint64_t kLong = 20000;
    double due = 0;
    for (std::uint64_t time = 0; time < kLong; ++time)
        for (due += share; due >= 1; due -= 1) {
            if (writing)
                memory.write(time, kPair, time);
            else
                memory.read(time, kPair, time);
        }
    return static_cast<double>(memory.read(kLong, kPair, kLong)) - kLong - kLatency;
}

TEST(SliceMemory, AReadWaitsBesideOthers) {
    double last = 0;
    for (const double share : {0.2, 0.4, 0.6, 0.8, 0.9}) {
        const double beside_reads = wait_beside(share, false);
        EXPECT_GT(beside_reads, last);
        last = beside_reads;
    }
    // As on the H200: 20 cycles at 0.37 of what reads reach, 80 at 0.69; beside writes 245 at 0.46.
    EXPECT_NEAR(wait_beside(0.37 * 0.95, false), 20, 5);
    EXPECT_NEAR(wait_beside(0.69 * 0.95, false), 80, 15);
    EXPECT_NEAR(wait_beside(0.46 * 0.95, true), 245, 30);
}

TEST(SliceMemory, NobodyWaitsTwice) {
    // 2,000 reads at once: the last has its turn after 2,000 cycles, however busy memory is by then.
    HierarchyRules rules = alone();
    rules.dram.read_wait = 33;
    SliceMemory memory = memory_of(rules);
    std::uint64_t last = 0;
    for (unsigned line = 0; line < 2000; ++line) last = memory.read(line, kPair, 0);
    EXPECT_EQ(last, 2000 + kLatency);
}

}  // namespace
}  // namespace tilescope::observers
