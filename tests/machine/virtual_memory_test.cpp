// Reserved addresses, physical memory, and what lies where.
#include "scope/machine/virtual_memory.h"

#include <gtest/gtest.h>

#include <cstring>

#include "scope/machine/memory.h"

namespace tilescope::machine {
namespace {

constexpr std::uint64_t kPiece = VirtualMemory::kGrain;
using Access = VirtualMemory::Access;

TEST(VirtualMemory, GivesTheSameBytesAtTwoAddresses) {
    Memory memory;
    VirtualMemory& all = memory.virtual_memory();
    const std::uint64_t one = all.reserve(kPiece, 0, 0), two = all.reserve(kPiece, 0, 0);
    const std::uint64_t handle = all.create(kPiece);
    ASSERT_TRUE(one != 0 && two != 0 && handle != 0);
    ASSERT_TRUE(all.map(one, handle) && all.map(two, handle));
    ASSERT_TRUE(all.allow(one, kPiece, Access::kReadAndWrite) && all.allow(two, kPiece, Access::kRead));
    std::memcpy(memory.bytes(one + 100), "same", 4);
    EXPECT_EQ(std::memcmp(memory.bytes(two + 100), "same", 4), 0);
    EXPECT_TRUE(memory.find(one)->writable);
    EXPECT_FALSE(memory.find(two)->writable);
}

TEST(VirtualMemory, KeepsWhatLiesInItWhileItIsMappedNowhere) {
    Memory memory;
    VirtualMemory& all = memory.virtual_memory();
    const std::uint64_t at = all.reserve(kPiece, 0, 0), handle = all.create(kPiece);
    ASSERT_TRUE(all.map(at, handle));
    std::memcpy(memory.bytes(at), "kept", 4);
    ASSERT_TRUE(all.unmap(at, kPiece));
    EXPECT_EQ(*memory.bytes(at), std::byte{0});
    ASSERT_TRUE(all.map(at, handle));
    EXPECT_EQ(std::memcmp(memory.bytes(at), "kept", 4), 0);
}

TEST(VirtualMemory, NamesWhyAnAddressIsNone) {
    Memory memory;
    VirtualMemory& all = memory.virtual_memory();
    const std::uint64_t at = all.reserve(kPiece, 0, 0);
    EXPECT_EQ(memory.classify(at).kind, PlaceKind::kReserved);
    ASSERT_TRUE(all.map(at, all.create(kPiece)));
    EXPECT_EQ(memory.classify(at).kind, PlaceKind::kForbidden);
    EXPECT_FALSE(memory.find(at));
    ASSERT_TRUE(all.allow(at, kPiece, Access::kReadAndWrite));
    EXPECT_EQ(memory.classify(at).kind, PlaceKind::kAllocated);
    ASSERT_TRUE(all.allow(at, kPiece, Access::kNone));
    EXPECT_EQ(memory.classify(at).kind, PlaceKind::kForbidden);
    ASSERT_TRUE(all.unmap(at, kPiece));
    EXPECT_EQ(memory.classify(at).kind, PlaceKind::kReserved);
    ASSERT_TRUE(all.free_addresses(at, kPiece));
    EXPECT_EQ(memory.classify(at).kind, PlaceKind::kDevice);
}

TEST(VirtualMemory, JoinsMappingsThatLieSideBySide) {
    Memory memory;
    VirtualMemory& all = memory.virtual_memory();
    const std::uint64_t at = all.reserve(4 * kPiece, 0, 0);
    for (const std::uint64_t piece : {0, 1, 3}) ASSERT_TRUE(all.map(at + piece * kPiece, all.create(kPiece)));
    ASSERT_TRUE(all.allow(at, 2 * kPiece, Access::kReadAndWrite));
    ASSERT_TRUE(all.allow(at + 3 * kPiece, kPiece, Access::kReadAndWrite));
    EXPECT_FALSE(all.allow(at, 4 * kPiece, Access::kRead));
    EXPECT_EQ(memory.find(at)->size, kPiece);
    EXPECT_EQ(memory.find_joined(at)->size, 2 * kPiece);
    EXPECT_TRUE(memory.find_joined(at + kPiece - 8)->contains(at + kPiece - 8, 16));
    EXPECT_EQ(memory.find_joined(at + 3 * kPiece)->size, kPiece);
}

TEST(VirtualMemory, CountsPhysicalMemoryAsLongAsItIsHeldOrMapped) {
    Memory memory;
    memory.set_capacity(2 * kPiece);
    VirtualMemory& all = memory.virtual_memory();
    const std::uint64_t handle = all.create(kPiece), at = all.reserve(8 * kPiece, 0, 0);
    EXPECT_EQ(memory.in_use(), kPiece);
    EXPECT_EQ(all.create(2 * kPiece), 0u);
    ASSERT_TRUE(all.map(at, handle));
    ASSERT_TRUE(all.release(handle));
    EXPECT_FALSE(all.release(handle));
    EXPECT_FALSE(all.size_of(handle));
    EXPECT_EQ(memory.in_use(), kPiece);
    EXPECT_EQ(all.hold_at(at + 5), handle);
    EXPECT_TRUE(all.size_of(handle));
    ASSERT_TRUE(all.release(handle));
    ASSERT_TRUE(all.unmap(at, 8 * kPiece));
    EXPECT_EQ(memory.in_use(), 0u);
    EXPECT_EQ(all.hold_at(at), 0u);
}

TEST(VirtualMemory, RefusesWhatMakesNoSense) {
    Memory memory;
    VirtualMemory& all = memory.virtual_memory();
    const std::uint64_t at = all.reserve(2 * kPiece, 0, 0), handle = all.create(2 * kPiece), small = all.create(kPiece);
    EXPECT_FALSE(all.map(at + kPiece, handle));  // past the end
    EXPECT_FALSE(all.map(at + 4096, small));
    EXPECT_FALSE(all.map(at, 99));
    ASSERT_TRUE(all.map(at, handle));
    EXPECT_FALSE(all.map(at + kPiece, small));
    EXPECT_FALSE(all.unmap(at, kPiece));
    EXPECT_FALSE(all.allow(at + kPiece, kPiece, Access::kRead));
    EXPECT_FALSE(all.free_addresses(at, 2 * kPiece));
    EXPECT_FALSE(all.unmap(at + 4 * kPiece, kPiece));
    ASSERT_TRUE(all.unmap(at, 2 * kPiece));
    EXPECT_FALSE(all.free_addresses(at, kPiece));
    EXPECT_TRUE(all.free_addresses(at, 2 * kPiece));
}

TEST(VirtualMemory, PutsRangesWhereTheyAreWanted) {
    Memory memory;
    VirtualMemory& all = memory.virtual_memory();
    const std::uint64_t far = std::uint64_t{64} << 20;
    const std::uint64_t at = all.reserve(kPiece, far, 0);
    EXPECT_EQ(at % far, 0u);
    EXPECT_NE(all.reserve(kPiece, 0, at), at);
    ASSERT_TRUE(all.free_addresses(at, kPiece));
    EXPECT_EQ(all.reserve(kPiece, 0, at), at);
    void* const other = memory.allocate(kPiece, AllocationKind::kDevice);
    EXPECT_FALSE(memory.find(at));
    EXPECT_EQ(memory.classify(reinterpret_cast<std::uint64_t>(other)).kind, PlaceKind::kAllocated);
    EXPECT_FALSE(all.reserved_around(reinterpret_cast<std::uint64_t>(other)));
    all.clear();
    EXPECT_EQ(memory.classify(at).kind, PlaceKind::kDevice);
}

}  // namespace
}  // namespace tilescope::machine
