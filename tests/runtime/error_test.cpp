#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "tests/runtime/api.h"

namespace tilescope::runtime {
namespace {

TEST(Errors, HaveCudasNames) {
    EXPECT_STREQ(cudaGetErrorName(cudaSuccess), "cudaSuccess");
    EXPECT_STREQ(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
    EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
    EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError>(5555)), "unrecognized error code");
    EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError>(-1)), "unrecognized error code");
}

TEST(Errors, LastStaysUntilAskedFor) {
    cudaGetLastError();
    EXPECT_EQ(cudaMalloc(nullptr, 4), cudaErrorInvalidValue);
    int count = 0;
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
    EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(Errors, LastIsTheThreadsOwn) {
    cudaGetLastError();
    cudaMalloc(nullptr, 4);
    cudaError seen = cudaErrorUnknown;
    std::thread([&] { seen = cudaPeekAtLastError(); }).join();
    EXPECT_EQ(seen, cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST(Errors, UnsupportedCallsSayTheirNameOnce) {
    void* array = nullptr;
    testing::internal::CaptureStderr();
    EXPECT_EQ(cudaArrayGetPlane(&array), cudaErrorNotSupported);
    EXPECT_EQ(cudaArrayGetPlane(&array), cudaErrorNotSupported);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "tilescope: cudaArrayGetPlane is not supported yet (texture and surface references, sparse and planar "
              "arrays are not modelled)\n");
    EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
}

}  // namespace
}  // namespace tilescope::runtime
