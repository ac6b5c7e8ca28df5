// Registered kernels and variables: found, launched, copied, refused.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "tests/runtime/program_image.h"

namespace tilescope::runtime {
namespace {

// Addresses that stand for host functions and shadows of variables.
char module_set_stub, module_table_stub, module_strange_stub, module_missing_stub, module_numbers_shadow,
    module_base_shadow;

constexpr Dim kOne{1, 1, 1};

cudaError launch_set(void* p, int value, unsigned threads, const void* stub = &module_set_stub) {
    void* args[] = {&p, &value};
    return cudaLaunchKernel(stub, kOne, {threads, 1, 1}, args, 0, nullptr);
}

// One of the ints at a device address; -1 when they cannot be copied.
int number_at(const void* device, std::size_t index) {
    int value = 0;
    const auto* from = static_cast<const char*>(device) + index * sizeof value;
    return cudaMemcpy(&value, from, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess ? value : -1;
}

class Module : public testing::Test {
protected:
    Module() : image(kPtx) {
        image.kernel(&module_set_stub, "set");
        image.kernel(&module_table_stub, "table");
        image.kernel(&module_strange_stub, "strange");
        image.kernel(&module_missing_stub, "missing");
        image.variable(&module_numbers_shadow, "numbers", 32);
        image.variable(&module_base_shadow, "base", 4);
        __cudaRegisterFatBinaryEnd(image.handle());
    }
    void SetUp() override { ASSERT_EQ(cudaMalloc(&device, 128), cudaSuccess); }
    void TearDown() override { EXPECT_EQ(cudaFree(device), cudaSuccess); }
    ProgramImage image;
    void* device = nullptr;
};

TEST_F(Module, LaunchesItsKernels) {
    std::array<int, 32> out{};
    ASSERT_EQ(launch_set(device, 41, 32), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(out.data(), device, sizeof out, cudaMemcpyDeviceToHost), cudaSuccess);
    for (const int value : out) EXPECT_EQ(value, 41);
}

TEST_F(Module, LaunchesThroughHandles) {
    const void* kernel = nullptr;
    int value = 9;
    void* args[] = {&device, &value};
    ASSERT_EQ(__cudaGetKernel(&kernel, &module_set_stub), cudaSuccess);
    ASSERT_EQ(__cudaLaunchKernel(kernel, kOne, {4, 1, 1}, args, 0, nullptr), cudaSuccess);
    EXPECT_EQ(number_at(device, 3), 9);
    EXPECT_EQ(__cudaGetKernel(&kernel, &image), cudaErrorInvalidDeviceFunction);
    EXPECT_EQ(__cudaGetKernel(nullptr, &module_set_stub), cudaErrorInvalidValue);
}

TEST_F(Module, LaunchesWithAttributes) {
    int value = 5;
    void* args[] = {&device, &value};
    abi::LaunchAttribute attribute{};
    abi::LaunchConfig config{kOne, {2, 1, 1}, 0, nullptr, &attribute, 1};
    attribute.id = 8;  // priority: changes nothing here
    EXPECT_EQ(cudaLaunchKernelExC(&config, &module_set_stub, args), cudaSuccess);
    attribute.id = 4;  // clusters
    attribute.value.dim = {1, 1, 1};
    EXPECT_EQ(cudaLaunchKernelExC(&config, &module_set_stub, args), cudaSuccess);
    testing::internal::CaptureStderr();
    attribute.value.dim = {2, 1, 1};
    EXPECT_EQ(cudaLaunchKernelExC(&config, &module_set_stub, args), cudaErrorNotSupported);
    EXPECT_EQ(
        testing::internal::GetCapturedStderr(),
        "tilescope: error: cudaLaunchAttributeClusterDimension of 2 × 1 × 1: clusters of blocks are not supported yet; "
        "kernel set [runtime-unsupported-attribute]\n");
    config.attributes = nullptr;
    EXPECT_EQ(cudaLaunchKernelExC(&config, &module_set_stub, args), cudaErrorInvalidValue);
}

TEST_F(Module, CallConfigurationsNest) {
    Dim grid{}, block{};
    std::size_t shared = 0;
    void* stream = nullptr;
    EXPECT_EQ(__cudaPushCallConfiguration({1, 2, 3}, {4, 5, 6}, 7, reinterpret_cast<void*>(1)), 0u);
    EXPECT_EQ(__cudaPushCallConfiguration({9, 9, 9}, {8, 8, 8}, 1, nullptr), 0u);
    EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
    EXPECT_EQ(grid.x, 9u);
    EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaSuccess);
    EXPECT_EQ(grid.z, 3u);
    EXPECT_EQ(block.y, 5u);
    EXPECT_EQ(shared, 7u);
    EXPECT_EQ(stream, reinterpret_cast<void*>(1));
    EXPECT_EQ(__cudaPopCallConfiguration(&grid, &block, &shared, &stream), cudaErrorMissingConfiguration);
}

TEST_F(Module, HasVariables) {
    std::array<int, 8> numbers{}, out{};
    int base = 0;
    std::size_t size = 0;
    void* address = nullptr;
    for (int i = 0; i < 8; ++i) numbers[i] = 10 * i;
    ASSERT_EQ(cudaMemcpyFromSymbol(&base, &module_base_shadow, 4, 0, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(base, 7);
    ASSERT_EQ(cudaMemcpyToSymbol(&module_numbers_shadow, numbers.data(), 32, 0, cudaMemcpyHostToDevice), cudaSuccess);
    ASSERT_EQ(cudaGetSymbolSize(&size, &module_numbers_shadow), cudaSuccess);
    EXPECT_EQ(size, 32u);
    ASSERT_EQ(cudaGetSymbolAddress(&address, &module_base_shadow), cudaSuccess);
    ASSERT_EQ(cudaMemset(address, 0, 4), cudaSuccess);
    void* args[] = {&device};
    ASSERT_EQ(cudaLaunchKernel(&module_table_stub, kOne, {8, 1, 1}, args, 0, nullptr), cudaSuccess);
    ASSERT_EQ(cudaMemcpy(out.data(), device, sizeof out, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(out, numbers);
    EXPECT_EQ(cudaMemcpyToSymbol(&module_numbers_shadow, numbers.data(), 4, 29, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpyToSymbol(&module_set_stub, numbers.data(), 4, 0, cudaMemcpyHostToDevice),
              cudaErrorInvalidSymbol);
    EXPECT_EQ(cudaMemcpyToSymbol(&module_numbers_shadow, numbers.data(), 4, 0, cudaMemcpyDeviceToHost),
              cudaErrorInvalidMemcpyDirection);
}

TEST_F(Module, ManagedVariablesGetTheirAddressAtInit) {
    ProgramImage other(kPtx);
    void* slot = nullptr;
    void* address = nullptr;
    other.managed(&slot, "base", 4);
    ASSERT_EQ(__cudaInitModule(other.handle()), 1);
    ASSERT_NE(slot, nullptr);
    EXPECT_EQ(number_at(slot, 0), 7);
    EXPECT_EQ(cudaGetSymbolAddress(&address, slot), cudaSuccess);
    EXPECT_EQ(address, slot);
}

TEST_F(Module, WhatIsNotSupportedFailsWhenItIsLaunched) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(cudaLaunchKernel(&module_strange_stub, kOne, kOne, nullptr, 0, nullptr), cudaErrorNotSupported);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("frobnicate"), std::string::npos);
    EXPECT_EQ(launch_set(device, 1, 1), cudaSuccess);
}

TEST_F(Module, RefusesWrongLaunches) {
    int value = 1;
    void* args[] = {&device, &value};
    EXPECT_EQ(launch_set(device, 1, 1025), cudaErrorInvalidValue);
    EXPECT_EQ(launch_set(device, 1, 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaLaunchKernel(&module_set_stub, kOne, kOne, nullptr, 0, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(cudaLaunchKernel(&module_set_stub, kOne, kOne, args, 48 * 1024 + 1, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(cudaLaunchKernel(&module_set_stub, kOne, kOne, args, 0, &value), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaLaunchKernel(&module_missing_stub, kOne, kOne, args, 0, nullptr), cudaErrorInvalidDeviceFunction);
    EXPECT_EQ(cudaLaunchKernel(nullptr, kOne, kOne, args, 0, nullptr), cudaErrorInvalidDeviceFunction);
    EXPECT_EQ(cudaLaunchKernel(&value, kOne, kOne, args, 0, nullptr), cudaErrorInvalidResourceHandle);
}

TEST_F(Module, TellsAboutItsKernels) {
    abi::FunctionAttributes attributes{};
    const char* name = nullptr;
    std::size_t offset = 0, size = 0;
    int blocks = 0;
    ASSERT_EQ(cudaFuncGetAttributes(&attributes, &module_set_stub), cudaSuccess);
    EXPECT_EQ(attributes.max_threads_per_block, 1024);
    EXPECT_EQ(attributes.max_dynamic_shared_size, 48 * 1024);
    EXPECT_GT(attributes.num_regs, 0);
    ASSERT_EQ(cudaFuncSetAttribute(&module_set_stub, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000), cudaSuccess);
    ASSERT_EQ(cudaFuncGetAttributes(&attributes, &module_set_stub), cudaSuccess);
    EXPECT_EQ(attributes.max_dynamic_shared_size, 100000);
    ASSERT_EQ(cudaFuncGetName(&name, &module_set_stub), cudaSuccess);
    EXPECT_STREQ(name, "set");
    ASSERT_EQ(cudaFuncGetParamInfo(&module_set_stub, 1, &offset, &size), cudaSuccess);
    EXPECT_EQ(offset, 8u);
    EXPECT_EQ(size, 4u);
    EXPECT_EQ(cudaFuncGetParamInfo(&module_set_stub, 2, &offset, &size), cudaErrorInvalidValue);
    ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &module_set_stub, 256, 0), cudaSuccess);
    EXPECT_EQ(blocks, 8);
}

// As an H200 (driver 580.159.04) answers, measured November 2026.
TEST_F(Module, DynamicMemoryBeyondWhatIsAllowedLeavesNoBlock) {
    const auto blocks = [](std::size_t dynamic) {
        int found = -1;
        EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&found, &module_set_stub, 256, dynamic), cudaSuccess);
        return found;
    };
    const auto allow = [](int bytes) {
        ASSERT_EQ(cudaFuncSetAttribute(&module_set_stub, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
                  cudaSuccess);
    };
    EXPECT_EQ(blocks(48 * 1024), 4);
    EXPECT_EQ(blocks(48 * 1024 + 1), 0);
    allow(20'000);  // less than every block may have: no limit
    EXPECT_EQ(blocks(48 * 1024), 4);
    EXPECT_EQ(blocks(60'000), 0);
    allow(100'000);
    EXPECT_EQ(blocks(100'000), 2);
    EXPECT_EQ(blocks(100'001), 0);
}

TEST(Images, ThatAreGoneAreNoFunctions) {
    static char stub;
    void* p = nullptr;
    ASSERT_EQ(cudaMalloc(&p, 4), cudaSuccess);
    {
        ProgramImage image(kPtx);
        image.kernel(&stub, "set");
        EXPECT_EQ(launch_set(p, 1, 1, &stub), cudaSuccess);
    }
    EXPECT_EQ(launch_set(p, 1, 1, &stub), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaFree(p), cudaSuccess);
}

TEST(Images, WithoutPtxSayHowToRebuild) {
    static char stub;
    ProgramImage image(kPtx);
    const std::uint16_t cubin = 2;
    std::memcpy(image.bytes().data() + image::kFatbinHeaderBytes, &cubin, sizeof cubin);
    image.kernel(&stub, "set");
    testing::internal::CaptureStderr();
    EXPECT_EQ(launch_set(nullptr, 1, 1, &stub), cudaErrorNoKernelImageForDevice);
    EXPECT_EQ(launch_set(nullptr, 1, 1, &stub), cudaErrorNoKernelImageForDevice);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("-gencode arch=compute_90,code=compute_90"), std::string::npos) << said;
    EXPECT_NE(said.find("tests_runtime"), std::string::npos) << said;
    EXPECT_EQ(said.find("rebuild"), said.rfind("rebuild")) << "said once: " << said;
}

TEST(Images, ThatAreBrokenAreErrors) {
    static char stub;
    ProgramImage image(kPtx);
    image.kernel(&stub, "set");
    image.wrapper().magic = 1;
    testing::internal::CaptureStderr();
    EXPECT_EQ(launch_set(nullptr, 1, 1, &stub), cudaErrorNoKernelImageForDevice);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("not a fat binary"), std::string::npos);
}

// A linked program whose container names none of its parts.
TEST(Images, OfLinkedDeviceCodeWithoutPartsAreRefused) {
    static char stub;
    ProgramImage image(kPtx);
    image.kernel(&stub, "set");
    void* none = nullptr;
    image.wrapper().version = 2;
    image.wrapper().prelinked = &none;
    testing::internal::CaptureStderr();
    EXPECT_EQ(launch_set(nullptr, 1, 1, &stub), cudaErrorNoKernelImageForDevice);
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("holds no PTX"), std::string::npos) << said;
}

TEST(Images, UnknownHandlesAreIgnored) {
    void* nothing = nullptr;
    __cudaRegisterFunction(&nothing, "x", nullptr, "y", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
    __cudaUnregisterFatBinary(&nothing);
    EXPECT_EQ(__cudaInitModule(&nothing), 0);
}

TEST_F(Module, HostThreadsLaunchAtOnce) {
    std::vector<std::thread> threads;
    std::atomic<int> wrong{0};
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([t, &wrong] {
            void* p = nullptr;
            if (cudaMalloc(&p, 128) != cudaSuccess) ++wrong;
            for (int i = 0; i < 50; ++i) {
                if (launch_set(p, t * 100 + i, 32) != cudaSuccess) ++wrong;
                if (number_at(p, 31) != t * 100 + i) ++wrong;
            }
            if (cudaFree(p) != cudaSuccess) ++wrong;
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tilescope::runtime
