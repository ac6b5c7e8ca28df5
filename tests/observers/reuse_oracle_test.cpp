// The reuse observers against an oracle that keeps sets of bytes: every width, phase, stride and mask, and every number
// of workers.
#include <gtest/gtest.h>

#include <random>

#include "scope/report/json.h"
#include "tests/observers/reuse_lab.h"

namespace tilescope {
namespace {

using lab::Answer;
using lab::Lab;

struct Width {
    const char* entry;
    unsigned bytes;
};
constexpr Width kWidths[] = {{"read_1", 1}, {"read_2", 2}, {"read_4", 4}, {"read_8", 8}, {"read_16", 16}};

TEST(ReuseOracle, WidthsPhasesStridesAndMasks) {
    std::mt19937 random(20261120);
    auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
    for (const Width& width : kWidths)
        for (int round = 0; round < 40; ++round) {
            Lab lab;
            const auto blocks = static_cast<std::uint32_t>(1 + below(4)),
                       threads = static_cast<std::uint32_t>(1 + below(96));
            const int phase = below(70), stride = below(4) == 0 ? below(300) : below(4);
            const unsigned lanes = below(2) == 0 ? ~0u : static_cast<unsigned>(random());
            const std::size_t n = 80 + static_cast<std::size_t>(stride) * blocks * threads;
            const Answer answer =
                lab.run(width.entry, {blocks, 1, 1}, {threads, 1, 1}, lab.buffer<std::byte>(n * width.bytes),
                        lab.buffer<std::byte>(std::size_t{blocks} * threads * width.bytes), phase, stride, lanes);
            if (lanes != ~0u && answer.expected.whole.requests == 0) continue;  // no lane read anything
            expect_agreement(answer, std::string(width.entry) + " phase " + std::to_string(phase) + " stride " +
                                         std::to_string(stride));
            if (HasFailure()) return;
        }
}

TEST(ReuseOracle, SeveralWidthsOfTheSameBytes) {
    for (int shift = 0; shift < 6; ++shift) {
        Lab lab;
        expect_agreement(
            lab.run("mixed", {3, 1, 1}, {96, 1, 1}, lab.buffer<std::uint8_t>(2048), lab.buffer<unsigned>(288), shift),
            "mixed " + std::to_string(shift));
    }
}

TEST(ReuseOracle, ScatteredOverTwoAllocations) {
    std::mt19937 random(7);
    Lab lab;
    int* index = lab.buffer<int>(256);
    for (int i = 0; i < 256; ++i) index[i] = static_cast<int>(random() % 5000);
    expect_agreement(lab.run("gather", {4, 1, 1}, {64, 1, 1}, index, lab.buffer<float>(5000), lab.buffer<float>(5000),
                             lab.buffer<float>(256)),
                     "gather");
}

TEST(ReuseOracle, TwoParametersIntoOneAllocation) {
    Lab lab;
    float* all = lab.buffer<float>(3 * 1024);
    const Answer answer = lab.run("add", {2, 2, 1}, {16, 16, 1}, all, all + 1024, all + 2048, 32, 32);
    expect_agreement(answer, "one allocation");
    ASSERT_EQ(answer.said.buffers.size(), 1u);
    EXPECT_EQ(answer.said.buffers[0].parameter, 0u);
    EXPECT_EQ(answer.said.buffers[0].tiling.unique_bytes, 8192u);
}

TEST(ReuseOracle, SharedMemoryInManyShapes) {
    for (std::uint32_t threads : {1u, 31u, 32u, 64u, 100u, 256u}) {
        Lab lab;
        lab.dynamic_shared_bytes = 1024;
        int* in = lab.buffer<int>(1024);
        for (int i = 0; i < 1024; ++i) in[i] = i * 7 / 3;
        const std::string what = std::to_string(threads) + " threads";
        expect_agreement(lab.run("shared_count", {3, 1, 1}, {threads, 1, 1}, in, lab.buffer<unsigned>(32)),
                         "shared_count, " + what);
        expect_agreement(
            lab.run("several", {2, 1, 1}, {threads, 1, 1}, lab.buffer<float>(512), lab.buffer<double>(512), 4),
            "several, " + what);
        expect_agreement(lab.run("reduce", {4, 1, 1}, {threads, 1, 1}, lab.buffer<float>(1024), lab.buffer<float>(4)),
                         "reduce, " + what);
        expect_agreement(lab.run("keep", {2, 1, 1}, {threads, 1, 1}, lab.buffer<float>(512), lab.buffer<float>(512)),
                         "keep, " + what);
    }
}

TEST(ReuseOracle, WidthsThatAreNoMultipleOfTheTile) {
    for (int width : {1, 15, 17, 50}) {
        Lab lab;
        const auto n = static_cast<std::size_t>(width) * static_cast<std::size_t>(width);
        const auto blocks = static_cast<std::uint32_t>((width + 15) / 16);
        expect_agreement(lab.run("product_tiled", {blocks, blocks, 1}, {16, 16, 1}, lab.buffer<float>(n),
                                 lab.buffer<float>(n), lab.buffer<float>(n), width),
                         "tiled " + std::to_string(width));
    }
}

std::string told(unsigned jobs, const std::string& entry) {
    Lab lab;
    lab.jobs = jobs;
    lab.dynamic_shared_bytes = 1024;
    const auto a = lab.buffer<float>(4096), b = lab.buffer<float>(4096), c = lab.buffer<float>(4096);
    Profile profile;
    if (entry == "product")
        profile.launches.push_back(lab.run(entry, {5, 5, 1}, {13, 13, 1}, a, b, c, 60, 60, 60).said);
    else if (entry == "stencil")
        profile.launches.push_back(lab.run(entry, {5, 5, 1}, {13, 13, 1}, a, c, 60, 60).said);
    else if (entry == "product_tiled")
        profile.launches.push_back(lab.run(entry, {4, 4, 1}, {16, 16, 1}, a, b, c, 60).said);
    else
        profile.launches.push_back(
            lab.run(entry, {16, 1, 1}, {64, 1, 1}, reinterpret_cast<int*>(a), reinterpret_cast<unsigned*>(c)).said);
    return report::to_json(profile);
}

TEST(ReuseOracle, TheSameAtAnyNumberOfWorkers) {
    for (const char* entry : {"product", "stencil", "product_tiled", "shared_count", "reduce"}) {
        const std::string alone = told(1, entry);
        EXPECT_NE(std::string::npos, alone.find("unique_bytes")) << entry;
        for (unsigned jobs : {2u, 5u}) EXPECT_EQ(alone, told(jobs, entry)) << entry << ", " << jobs << " jobs";
    }
}

}  // namespace
}  // namespace tilescope
