#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

#include "tests/runtime/api.h"

namespace tilescope::runtime {
namespace {

constexpr std::size_t kSize = 1024;

class DeviceMemory : public testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(cudaMalloc(&device, kSize), cudaSuccess); }
    void TearDown() override { EXPECT_EQ(cudaFree(device), cudaSuccess); }
    void* at(std::size_t offset) const { return static_cast<char*>(device) + offset; }
    std::array<unsigned char, kSize> contents() const {
        std::array<unsigned char, kSize> bytes{};
        EXPECT_EQ(cudaMemcpy(bytes.data(), device, kSize, cudaMemcpyDeviceToHost), cudaSuccess);
        return bytes;
    }
    void* device = nullptr;
};

TEST_F(DeviceMemory, HoldsWhatIsCopiedThere) {
    std::array<unsigned char, kSize> out{}, in{};
    std::iota(in.begin(), in.end(), 1);
    EXPECT_EQ(cudaMemcpy(device, in.data(), kSize, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(out.data(), device, kSize, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(in, out);
}

TEST_F(DeviceMemory, CopiesPastTheEndCopyNothing) {
    std::vector<unsigned char> ones(2 * kSize, 1);
    std::array<unsigned char, kSize> out{};
    ASSERT_EQ(cudaMemset(device, 0x5a, kSize), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(device, ones.data(), kSize + 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(at(8), ones.data(), kSize, cudaMemcpyDefault), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset(at(kSize - 1), 0, 2), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset2D(device, 512, 0, 512, 3), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(device, ones.data(), ~std::size_t{0}, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    ASSERT_EQ(cudaMemcpy(out.data(), device, kSize, cudaMemcpyDeviceToHost), cudaSuccess);
    for (const unsigned char byte : out) ASSERT_EQ(byte, 0x5a);
}

TEST_F(DeviceMemory, WildHostPointersAreRefused) {
    for (const std::uintptr_t wild :
         {std::uintptr_t{0}, std::uintptr_t{8}, std::uintptr_t{0x7fff00000000}, ~std::uintptr_t{0}}) {
        EXPECT_EQ(cudaMemcpy(device, reinterpret_cast<void*>(wild), 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    }
}

TEST_F(DeviceMemory, OverlappingCopiesKeepTheirBytes) {
    std::array<unsigned char, kSize> bytes{};
    std::iota(bytes.begin(), bytes.end(), 0);
    ASSERT_EQ(cudaMemcpy(device, bytes.data(), kSize, cudaMemcpyHostToDevice), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(at(1), device, kSize - 1, cudaMemcpyDeviceToDevice), cudaSuccess);
    std::array<unsigned char, kSize> out{};
    ASSERT_EQ(cudaMemcpy(out.data(), device, kSize, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_TRUE(std::equal(bytes.begin(), bytes.end() - 1, out.begin() + 1));
}

TEST_F(DeviceMemory, RowsGoToTheirPlaces) {
    std::array<unsigned char, 12> in{};
    std::iota(in.begin(), in.end(), 1);
    ASSERT_EQ(cudaMemset(device, 0, kSize), cudaSuccess);
    ASSERT_EQ(cudaMemcpy2D(device, 16, in.data(), 4, 3, 3, cudaMemcpyHostToDevice), cudaSuccess);
    const auto bytes = contents();
    for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 16; ++x) EXPECT_EQ(bytes[y * 16 + x], x < 3 ? in[y * 4 + x] : 0) << x << "," << y;
    }
}

TEST_F(DeviceMemory, VolumesGoToTheirPlaces) {
    std::array<unsigned char, 2 * 3 * 4> in{};
    std::iota(in.begin(), in.end(), 1);
    ASSERT_EQ(cudaMemset(device, 0, kSize), cudaSuccess);
    abi::Memcpy3D p{};
    p.src_ptr = {in.data(), 4, 4, 3};
    p.dst_ptr = {device, 16, 16, 8};
    p.dst_pos = {1, 2, 1};
    p.src_pos = {1, 0, 0};
    p.extent = {3, 3, 2};
    p.kind = cudaMemcpyHostToDevice;
    ASSERT_EQ(cudaMemcpy3D(&p), cudaSuccess);
    const auto bytes = contents();
    for (int z = 0; z < 2; ++z) {
        for (int y = 0; y < 3; ++y) {
            for (int x = 0; x < 3; ++x) {
                EXPECT_EQ(bytes[((z + 1) * 8 + y + 2) * 16 + x + 1], in[(z * 3 + y) * 4 + x + 1]);
            }
        }
    }
    EXPECT_EQ(bytes[(8 + 2) * 16], 0);
    p.extent = {3, 3, 8};  // the last slice lies past the end
    EXPECT_EQ(cudaMemcpy3D(&p), cudaErrorInvalidValue);
}

TEST_F(DeviceMemory, SetsFillTheirRowsAlone) {
    ASSERT_EQ(cudaMemset(device, 0, kSize), cudaSuccess);
    ASSERT_EQ(cudaMemset2D(device, 32, 0x11, 5, 3), cudaSuccess);
    ASSERT_EQ(cudaMemset3D({at(512), 16, 16, 4}, 0x22, {3, 2, 2}), cudaSuccess);
    const auto bytes = contents();
    int ones = 0, twos = 0;
    for (std::size_t i = 0; i < kSize; ++i) {
        ones += bytes[i] == 0x11;
        twos += bytes[i] == 0x22;
    }
    EXPECT_EQ(ones, 15);
    EXPECT_EQ(twos, 12);
    EXPECT_EQ(bytes[64 + 4], 0x11);
    EXPECT_EQ(bytes[64 + 5], 0);
    EXPECT_EQ(bytes[512 + 64 + 16 + 2], 0x22);
}

TEST(Allocations, AreCheckedWhenFreed) {
    void* p = nullptr;
    ASSERT_EQ(cudaMalloc(&p, 100), cudaSuccess);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % 256, 0u);
    EXPECT_EQ(cudaFree(static_cast<char*>(p) + 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFreeHost(p), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(p), cudaSuccess);
    EXPECT_EQ(cudaFree(p), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset(p, 0, 1), cudaErrorInvalidValue);
}

TEST(Allocations, CountAgainstTheDevice) {
    std::size_t before = 0, during = 0, total = 0;
    void* p = nullptr;
    ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
    EXPECT_EQ(total, 150109880320u);
    ASSERT_EQ(cudaMalloc(&p, 1 << 20), cudaSuccess);
    ASSERT_EQ(cudaMemGetInfo(&during, nullptr), cudaSuccess);
    EXPECT_EQ(before - during, 1u << 20);
    EXPECT_EQ(cudaFree(p), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&p, total + 1), cudaErrorMemoryAllocation);
    EXPECT_EQ(p, nullptr);
}

TEST(Allocations, PitchIsRoundedUp) {
    void* p = nullptr;
    std::size_t pitch = 0;
    ASSERT_EQ(cudaMallocPitch(&p, &pitch, 513, 3), cudaSuccess);
    EXPECT_EQ(pitch, 1024u);
    EXPECT_EQ(cudaMemset2D(p, pitch, 1, pitch, 3), cudaSuccess);
    EXPECT_EQ(cudaFree(p), cudaSuccess);
    EXPECT_EQ(cudaMallocPitch(&p, &pitch, ~std::size_t{0}, 3), cudaErrorInvalidValue);
    abi::PitchedPointer volume{};
    EXPECT_EQ(cudaMalloc3D(&volume, {1, ~std::size_t{0}, 2}), cudaErrorInvalidValue);
}

TEST(HostMemory, KeepsItsKindAndFlags) {
    void* pinned = nullptr;
    std::array<int, 64> own{};
    abi::PointerAttributes attributes{};
    ASSERT_EQ(cudaHostAlloc(&pinned, 64, 1), cudaSuccess);
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, pinned), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
    EXPECT_EQ(attributes.device_pointer, pinned);
    EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
    ASSERT_EQ(cudaHostRegister(own.data(), sizeof own, 0), cudaSuccess);
    EXPECT_EQ(cudaHostRegister(&own[1], 4, 0), cudaErrorHostMemoryAlreadyRegistered);
    EXPECT_EQ(cudaMemset(own.data(), 0, 4), cudaSuccess);
    EXPECT_EQ(cudaHostUnregister(&own[1]), cudaErrorInvalidValue);  // inside one, as an H100 says
    EXPECT_EQ(cudaHostUnregister(own.data()), cudaSuccess);
    EXPECT_EQ(cudaMemset(own.data(), 0, 4), cudaErrorInvalidValue);
}

TEST(HostMemory, ThatIsNotMappedCannotBeRegistered) {
    EXPECT_EQ(cudaHostRegister(reinterpret_cast<void*>(4096), 16, 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaHostRegister(reinterpret_cast<void*>(~std::uintptr_t{7}), 64, 0), cudaErrorInvalidValue);
}

TEST(Pools, AllocateInStreamOrder) {
    void *p = nullptr, *pool = nullptr;
    std::uint64_t used = 0;
    ASSERT_EQ(cudaMallocAsync(&p, 4096, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
    ASSERT_EQ(cudaMemPoolGetAttribute(pool, 7, &used), cudaSuccess);
    EXPECT_GE(used, 4096u);
    EXPECT_EQ(cudaMemPoolGetAttribute(p, 7, &used), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFreeAsync(p, nullptr), cudaSuccess);
}

TEST(Threads, MayAllocateCopyAndFreeAtOnce) {
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([t, &wrong] {
            for (int i = 0; i < 200; ++i) {
                std::array<int, 32> in{}, out{};
                in.fill(t * 1000 + i);
                void* p = nullptr;
                if (cudaMalloc(&p, sizeof in) != cudaSuccess) ++wrong;
                if (cudaMemcpy(p, in.data(), sizeof in, cudaMemcpyHostToDevice) != cudaSuccess) ++wrong;
                if (cudaMemcpy(out.data(), p, sizeof in, cudaMemcpyDeviceToHost) != cudaSuccess) ++wrong;
                if (in != out || cudaFree(p) != cudaSuccess) ++wrong;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tilescope::runtime
