// Which pages of managed memory the process touched: told without changing them or being in anybody's way.
#include "scope/machine/host_touch.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace tilescope::machine {
namespace {

constexpr std::uint64_t kLeaf = 64 * 1024, kBytes = 4 * kLeaf;

class HostTouch : public ::testing::Test {
protected:
    void SetUp() override {
        if (!tells_touches()) GTEST_SKIP() << "this system does not tell";
        bytes_ = static_cast<char*>(map_followed(kBytes, next_));
        ASSERT_NE(bytes_, nullptr);
    }
    void TearDown() override {
        if (bytes_ != nullptr) munmap(bytes_, kBytes);
    }
    std::uint64_t base() const { return reinterpret_cast<std::uint64_t>(bytes_); }
    std::vector<bool> touched() const { return touches(base(), kBytes, kLeaf); }

    std::uint64_t next_ = std::uint64_t{0x3400} << 32U;
    char* bytes_ = nullptr;
};

TEST_F(HostTouch, MemoryBeginsAtALeaf) {
    EXPECT_EQ(base() % kLeaf, 0u);
    constexpr std::uint64_t kLarge = 3 << 20;
    void* const large = map_followed(kLarge, next_);
    EXPECT_EQ(reinterpret_cast<std::uint64_t>(large) % (2 << 20), 0u);
    static_cast<char*>(large)[kLarge - 1] = 1;
    EXPECT_EQ(munmap(large, kLarge), 0);
}

TEST_F(HostTouch, LoadsAndStoresAreSeen) {
    EXPECT_EQ(touched(), (std::vector<bool>{false, false, false, false}));
    bytes_[kLeaf + 5] = 42;
    EXPECT_EQ(touched(), (std::vector<bool>{false, true, false, false}));
    forget_touches(base(), kBytes);
    EXPECT_EQ(touched(), (std::vector<bool>{false, false, false, false}));
    EXPECT_EQ(static_cast<volatile char*>(bytes_)[kLeaf + 5], 42) << "what is there stays";
    EXPECT_TRUE(touched()[1]);
}

// A read into memory that was forgotten: no error, and it is seen.
TEST_F(HostTouch, SystemCallsGoThrough) {
    std::memset(bytes_, 7, kBytes);
    forget_touches(base(), kBytes);
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    ASSERT_EQ(write(ends[1], bytes_ + 2 * kLeaf, 100), 100);
    EXPECT_EQ(touched(), (std::vector<bool>{false, false, true, false}));
    ASSERT_EQ(read(ends[0], bytes_ + 3 * kLeaf, 100), 100);
    EXPECT_EQ(touched(), (std::vector<bool>{false, false, true, true}));
    EXPECT_EQ(bytes_[3 * kLeaf], 7);
    close(ends[0]);
    close(ends[1]);
}

}  // namespace
}  // namespace tilescope::machine
