// Allocations: who can touch what, what lies where, and what a run may keep.
#include "scope/machine/memory.h"

#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

// g++ and clang say it in two ways.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TILESCOPE_SANITIZED 1
#elif defined(__has_feature)
#define TILESCOPE_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define TILESCOPE_SANITIZED 0
#endif

namespace tilescope::machine {
namespace {

std::uint64_t number(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

// Whether the host could load the byte; asked of the kernel, which says so instead of ending the test.
bool host_reads(const void* address) {
    char byte = 0;
    const iovec local{&byte, 1};
    const iovec remote{const_cast<void*>(address), 1};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1;
}

TEST(Memory, HostCannotTouchDeviceMemory) {
    Memory memory;
    for (const AllocationKind kind : {AllocationKind::kDevice, AllocationKind::kModule, AllocationKind::kConstant}) {
        const void* address = memory.allocate(100, kind);
        EXPECT_FALSE(host_reads(address));
        EXPECT_TRUE(host_reads(memory.bytes(address)));
        EXPECT_EQ(memory.find(number(address))->at(number(address)), memory.bytes(address));
    }
    for (const AllocationKind kind : {AllocationKind::kManaged, AllocationKind::kPinned}) {
        const void* address = memory.allocate(100, kind);
        EXPECT_TRUE(host_reads(address));
        EXPECT_EQ(memory.bytes(address), address);
    }
}

TEST(Memory, FreshMemoryIsZeroAndApartFromItsNeighbours) {
    Memory memory;
    std::vector<void*> addresses;
    for (int round = 0; round < 300; ++round) {
        const std::uint64_t size = round % 3 == 0 ? 1 : round % 3 == 1 ? 5000 : 5u << 20U;
        void* const address = memory.allocate(size, AllocationKind::kDevice);
        std::byte* const bytes = memory.bytes(address);
        EXPECT_TRUE(bytes[0] == std::byte{0} && bytes[size - 1] == std::byte{0});
        std::memset(bytes, 0xff, std::min<std::uint64_t>(size, 64));
        bytes[size - 1] = std::byte{1};
        EXPECT_EQ(number(address) % 512, 0u);
        EXPECT_FALSE(memory.find(number(address) + size));
        if (round % 2 == 0)
            EXPECT_TRUE(memory.release(address));
        else
            addresses.push_back(address);
    }
    for (void* address : addresses) EXPECT_TRUE(memory.release(address));
}

TEST(Memory, FreedAddressesRest) {
    Memory memory;
    std::set<void*> seen;
    for (int i = 0; i < 1000; ++i) {
        void* const address = memory.allocate(1 << 20, AllocationKind::kDevice);
        EXPECT_TRUE(seen.insert(address).second);
        memory.release(address);
    }
}

// As under `ulimit -v`, in a process of its own.
TEST(Memory, MakesDoWithLittleAddressSpace) {
#if TILESCOPE_SANITIZED
    GTEST_SKIP() << "a sanitizer's own memory takes terabytes of address space";
#endif
    const auto allocate_in_two_gigabytes = [] {
        const rlimit limit{rlim_t{2} << 30U, rlim_t{2} << 30U};
        setrlimit(RLIMIT_AS, &limit);
        Memory memory;
        bool fine = memory.take_range(10000, std::uint64_t{1} << 32U) != 0;
        for (int i = 0; i < 1000; ++i) fine = fine && memory.allocate(4096, AllocationKind::kDevice) != nullptr;
        void* const large = memory.allocate(std::uint64_t{300} << 20U, AllocationKind::kDevice);
        fine = fine && large != nullptr && !host_reads(large);
        fine = fine && memory.allocate(std::uint64_t{3} << 30U, AllocationKind::kDevice) == nullptr;
        _exit(fine ? 0 : 1);
    };
    EXPECT_EXIT(allocate_in_two_gigabytes(), testing::ExitedWithCode(0), "");
}

TEST(Memory, SaysWhatLiesAtAnAddress) {
    Memory memory;
    static int variable = 0;
    const int local = 0;
    EXPECT_EQ(memory.classify(number(&variable)).kind, PlaceKind::kHost);
    EXPECT_EQ(memory.classify(number(&local)).kind, PlaceKind::kHost);
    EXPECT_EQ(memory.classify(8).kind, PlaceKind::kNowhere);
    EXPECT_EQ(memory.classify(~std::uint64_t{0}).kind, PlaceKind::kNowhere);
    void* const address = memory.allocate(100, AllocationKind::kDevice);
    const Place inside = memory.classify(number(address) + 99);
    EXPECT_EQ(inside.kind, PlaceKind::kAllocated);
    EXPECT_EQ(inside.allocation->size, 100u);
    const Place past = memory.classify(number(address) + 100);
    EXPECT_EQ(past.kind, PlaceKind::kDevice);
    EXPECT_EQ(past.allocation->base, number(address));
    EXPECT_EQ(memory.classify(number(address) - 16).kind, PlaceKind::kDevice) << "where free() looks first";
    memory.release(address);
    const Place freed = memory.classify(number(address) + 99);
    EXPECT_EQ(freed.kind, PlaceKind::kFreed);
    EXPECT_EQ(freed.allocation->size, 100u);
    EXPECT_EQ(memory.classify(number(address) + 100).kind, PlaceKind::kDevice);
}

TEST(Memory, RemembersTheLatestFreedAllocations) {
    Memory memory;
    std::vector<std::uint64_t> addresses;
    for (int i = 0; i < 10000; ++i) {
        void* const address = memory.allocate(16, AllocationKind::kDevice);
        addresses.push_back(number(address));
        memory.release(address);
    }
    EXPECT_EQ(memory.classify(addresses.back()).kind, PlaceKind::kFreed);
    EXPECT_EQ(memory.classify(addresses[addresses.size() - 4000]).kind, PlaceKind::kFreed);
    EXPECT_EQ(memory.classify(addresses.front()).kind, PlaceKind::kDevice);
}

TEST(Memory, AdoptedHostMemoryKeepsItsAddress) {
    Memory memory;
    std::vector<std::byte> own(64);
    ASSERT_TRUE(memory.adopt(own.data(), own.size(), AllocationKind::kRegistered));
    EXPECT_EQ(memory.find(number(own.data()))->shift, 0u);
    EXPECT_FALSE(memory.adopt(own.data() + 8, 8, AllocationKind::kRegistered));
    EXPECT_TRUE(memory.release(own.data()));
    EXPECT_EQ(memory.classify(number(own.data())).kind, PlaceKind::kHost);
}

TEST(Memory, RangesStayWithinAPiece) {
    Memory memory;
    constexpr std::uint64_t kPiece = std::uint64_t{1} << 32U, kSize = std::uint64_t{3} << 30U;
    for (int i = 0; i < 4; ++i) {
        const std::uint64_t base = memory.take_range(kSize, kPiece);
        ASSERT_NE(base, 0u);
        EXPECT_EQ(base / kPiece, (base + kSize - 1) / kPiece);
        EXPECT_TRUE(memory.adopt(reinterpret_cast<void*>(base), 16, AllocationKind::kConstant, false));
        *memory.bytes(base) = std::byte{1};
    }
}

TEST(Memory, EndsAtTheDevicesSizeAndAtTheBudget) {
    Memory memory;
    memory.set_capacity(1000);
    void* const address = memory.allocate(600, AllocationKind::kDevice);
    EXPECT_NE(address, nullptr);
    EXPECT_EQ(memory.allocate(401, AllocationKind::kModule), nullptr);
    EXPECT_NE(memory.allocate(5000, AllocationKind::kPinned), nullptr) << "no memory of the device";
    memory.budget().set_limit(6000);
    EXPECT_EQ(memory.allocate(401, AllocationKind::kPinned), nullptr);
    EXPECT_EQ(memory.budget().refusal(401, "an allocation"),
              "an allocation of 401 bytes passes the memory limit of 6000 bytes; in use: pinned memory 5000, device "
              "memory 600");
    memory.release(address);
    EXPECT_NE(memory.allocate(401, AllocationKind::kPinned), nullptr);
    EXPECT_EQ(memory.budget().used(Kept::kPinned), 5401u);
}

}  // namespace
}  // namespace tilescope::machine
