#include <gtest/gtest.h>

#include "tests/runtime/api.h"

namespace tilescope::runtime {
namespace {

TEST(Streams, AreKnownUntilDestroyed) {
    void* stream = nullptr;
    unsigned long long id = 0, other_id = 0;
    void* other = nullptr;
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&other), cudaSuccess);
    ASSERT_EQ(cudaStreamGetId(stream, &id), cudaSuccess);
    ASSERT_EQ(cudaStreamGetId(other, &other_id), cudaSuccess);
    EXPECT_NE(id, other_id);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaMemcpyAsync(nullptr, nullptr, 0, cudaMemcpyDefault, stream), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
}

TEST(Streams, RunHostFunctionsInOrder) {
    static int calls = 0;
    EXPECT_EQ(cudaLaunchHostFunc(
                  nullptr, [](void* p) { *static_cast<int*>(p) += 1; }, &calls),
              cudaSuccess);
    EXPECT_EQ(calls, 1);
    // A host function may not call CUDA, but one that does must not hang the program.
    EXPECT_EQ(cudaLaunchHostFunc(
                  nullptr, [](void*) { cudaDeviceSynchronize(); }, nullptr),
              cudaSuccess);
}

TEST(Streams, KeepTheirWindows) {
    void *stream = nullptr, *other = nullptr;
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&other), cudaSuccess);
    constexpr int kWindow = 1, kSynchronization = 3, kMemoryDomain = 10;
    abi::AttributeValue value{}, found{};
    const auto width = [&](void* of) {
        EXPECT_EQ(cudaStreamGetAttribute(of, kWindow, &found), cudaSuccess);
        return found.window.bytes;
    };
    value.window = {stream, 4096, 0.5F, 2, 1};
    EXPECT_EQ(cudaStreamSetAttribute(stream, kWindow, &value), cudaSuccess);
    EXPECT_EQ(width(stream), 4096u);
    EXPECT_EQ(found.window.hit_ratio, 0.5F);
    EXPECT_EQ(found.window.hit_property, 2);
    EXPECT_EQ(width(other), 0u);
    EXPECT_EQ(cudaStreamCopyAttributes(other, stream), cudaSuccess);
    EXPECT_EQ(width(other), 4096u);
    EXPECT_EQ(cudaStreamSetAttribute(nullptr, kWindow, &value), cudaSuccess);
    EXPECT_EQ(width(nullptr), 4096u);
    value.window.bytes = 0;
    EXPECT_EQ(cudaStreamSetAttribute(nullptr, kWindow, &value), cudaSuccess);
    EXPECT_EQ(width(nullptr), 0u);
    // What no window can be.
    value.window = {stream, 4096, 1.5F, 2, 1};
    EXPECT_EQ(cudaStreamSetAttribute(stream, kWindow, &value), cudaErrorInvalidValue);
    value.window = {stream, 4096, 1, 2, 2};
    EXPECT_EQ(cudaStreamSetAttribute(stream, kWindow, &value), cudaErrorInvalidValue);
    value.window = {stream, std::size_t{1} << 40, 1, 2, 1};
    EXPECT_EQ(cudaStreamSetAttribute(stream, kWindow, &value), cudaErrorInvalidValue);
    EXPECT_EQ(width(stream), 4096u);
    EXPECT_EQ(cudaStreamGetAttribute(stream, kSynchronization, &found), cudaSuccess);
    EXPECT_EQ(found.number, 1) << "automatic";
    testing::internal::CaptureStderr();
    EXPECT_EQ(cudaStreamSetAttribute(stream, kMemoryDomain, &value), cudaErrorNotSupported);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "tilescope: cudaLaunchAttributeMemSyncDomain of a stream is not supported yet\n");
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    EXPECT_EQ(cudaStreamGetAttribute(stream, kWindow, &found), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
}

TEST(Events, MeasureTimeThatPasses) {
    void *first = nullptr, *last = nullptr;
    float ms = -1;
    ASSERT_EQ(cudaEventCreate(&first), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&last), cudaSuccess);
    EXPECT_EQ(cudaEventElapsedTime(&ms, first, last), cudaErrorInvalidResourceHandle);
    ASSERT_EQ(cudaEventRecord(first, nullptr), cudaSuccess);
    ASSERT_EQ(cudaEventRecord(last, nullptr), cudaSuccess);
    EXPECT_EQ(cudaEventElapsedTime(&ms, first, last), cudaSuccess);
    EXPECT_GE(ms, 0);
    EXPECT_EQ(cudaEventElapsedTime(&ms, last, first), cudaSuccess);
    EXPECT_LE(ms, 0);
    EXPECT_EQ(cudaEventDestroy(first), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(last), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(last, nullptr), cudaErrorInvalidResourceHandle);
}

TEST(Device, ResetGivesBackWhatWasTaken) {
    void *p = nullptr, *stream = nullptr;
    std::size_t before = 0, after = 0;
    ASSERT_EQ(cudaMemGetInfo(&before, nullptr), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&p, 4096), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
    ASSERT_EQ(cudaMemGetInfo(&after, nullptr), cudaSuccess);
    EXPECT_EQ(before, after);
    EXPECT_EQ(cudaFree(p), cudaErrorInvalidValue);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
}

// Values of an H200 (CUDA 13.0).
TEST(Device, SaysWhatItIs) {
    const struct {
        cudaDeviceAttr attribute;
        int value;
    } kFacts[] = {
        {cudaDevAttrMaxThreadsPerBlock, 1024},
        {cudaDevAttrMaxBlockDimZ, 64},
        {cudaDevAttrMaxGridDimX, 2147483647},
        {cudaDevAttrMaxSharedMemoryPerBlock, 49152},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, 232448},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 233472},
        {cudaDevAttrReservedSharedMemoryPerBlock, 1024},
        {cudaDevAttrMultiProcessorCount, 132},
        {cudaDevAttrClockRate, 1980000},
        {cudaDevAttrMemoryClockRate, 3201000},
        {cudaDevAttrGlobalMemoryBusWidth, 6016},
        {cudaDevAttrL2CacheSize, 62914560},
        {cudaDevAttrComputeCapabilityMajor, 9},
        {cudaDevAttrSingleToDoublePrecisionPerfRatio, 2},
        {cudaDevAttrMaxTexture2DLinearPitch, 2097120},
        {cudaDevAttrManagedMemory, 1},
        {cudaDevAttrNumaId, -1},
    };
    for (const auto& fact : kFacts) {
        int value = -7;
        EXPECT_EQ(cudaDeviceGetAttribute(&value, fact.attribute, 0), cudaSuccess);
        EXPECT_EQ(value, fact.value) << fact.attribute;
    }
}

TEST(Device, PropertiesAgreeWithAttributes) {
    abi::DeviceProperties13 now{};
    cudaDeviceProp before{};
    ASSERT_EQ(cudaGetDeviceProperties(&now, 0), cudaSuccess);
    ASSERT_EQ(cudaGetDeviceProperties_v2(&before, 0), cudaSuccess);
    EXPECT_STREQ(now.name, "NVIDIA H200");
    EXPECT_STREQ(before.name, "NVIDIA H200");
    EXPECT_EQ(now.sharedMemPerBlockOptin, 232448u);
    EXPECT_EQ(before.sharedMemPerBlockOptin, 232448u);
    EXPECT_EQ(before.clockRate, 1980000);
    EXPECT_EQ(now.maxSurface3D[2], 16384);
    EXPECT_EQ(now.deviceNumaId, -1);
    EXPECT_EQ(now.totalGlobalMem, 150109880320u);
    EXPECT_EQ(cudaGetDeviceProperties(&now, 1), cudaErrorInvalidDevice);
}

}  // namespace
}  // namespace tilescope::runtime
