// What tiling could save, worked out by hand for kernels that everybody knows.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <iterator>

#include "scope/report/json.h"
#include "scope/session/session.h"
#include "tests/observers/reuse_lab.h"
#include "tests/places.h"

namespace tilescope {
namespace {

using lab::Answer;
using lab::Lab;

Answer product(Dim3 grid, Dim3 block, int rows, int inner, int columns) {
    Lab lab;
    const auto size = [](int a, int b) { return static_cast<std::size_t>(a) * static_cast<std::size_t>(b); };
    return lab.run("product", grid, block, lab.buffer<float>(size(rows, inner)),
                   lab.buffer<float>(size(inner, columns)), lab.buffer<float>(size(rows, columns)), rows, inner,
                   columns);
}

TEST(Reuse, ProductAsksForEachByteAsOftenAsItsBlockIsWide) {
    const Answer answer = product({2, 2, 1}, {16, 16, 1}, 32, 32, 32);
    expect_agreement(answer, "product");
    const LaunchProfile& said = answer.said;
    EXPECT_EQ(said.tiling->potential(), 16.0);
    EXPECT_EQ(said.tiling->requests, 2u * 32 * 32 * 32);
    EXPECT_EQ(said.tiling->requested_bytes, 4u * 2 * 32 * 32 * 32);
    EXPECT_EQ(said.tiling->unique_bytes_per_block, 4u * 2 * 16 * 32 * 4);  // 4 blocks, a band of M and one of N
    EXPECT_EQ(said.tiling->unique_bytes, 2u * 32 * 32 * 4);
    ASSERT_EQ(said.buffers.size(), 2u);  // P is not read
    for (std::uint32_t i : {0u, 1u}) {
        EXPECT_EQ(said.buffers[i].parameter, i);
        EXPECT_EQ(said.buffers[i].bytes, 32u * 32 * 4);
        EXPECT_EQ(said.buffers[i].tiling.potential(), 16.0);
        EXPECT_EQ(said.buffers[i].requests_per_element(), 32.0);
    }
    EXPECT_TRUE(said.shared_reuse.empty());
}

TEST(Reuse, LargerBlocksAskMoreOften) {
    EXPECT_EQ(product({1, 1, 1}, {32, 32, 1}, 32, 32, 32).said.tiling->potential(), 32.0);
    EXPECT_EQ(product({4, 4, 1}, {8, 8, 1}, 32, 32, 32).said.tiling->potential(), 8.0);
}

TEST(Reuse, RectangularBlocksUseOneMatrixMore) {
    const Answer answer = product({2, 4, 1}, {16, 8, 1}, 32, 32, 32);
    expect_agreement(answer, "16 x 8");
    // 256 requests a step; 8 elements of M and 16 of N.
    EXPECT_DOUBLE_EQ(answer.said.tiling->potential(), 256.0 / 24);
    EXPECT_EQ(answer.said.buffers[0].tiling.potential(), 16.0);
    EXPECT_EQ(answer.said.buffers[1].tiling.potential(), 8.0);
}

TEST(Reuse, WidthThatIsNoMultipleOfTheBlock) {
    const Answer answer = product({4, 4, 1}, {16, 16, 1}, 50, 50, 50);
    expect_agreement(answer, "width 50");
    // Four bands of each matrix, together the whole of it, each loaded by four blocks.
    EXPECT_EQ(answer.said.tiling->unique_bytes_per_block, 2u * 4 * 50 * 50 * 4);
    EXPECT_EQ(answer.said.tiling->potential(), 12.5);
    EXPECT_EQ(answer.said.buffers[0].requests_per_element(), 50.0);
}

TEST(Reuse, RectangularMatrices) {
    const Answer answer = product({4, 3, 1}, {8, 8, 1}, 24, 40, 32);
    expect_agreement(answer, "24 x 40 x 32");
    EXPECT_EQ(answer.said.tiling->requests, 2u * 24 * 40 * 32);
    EXPECT_EQ(answer.said.buffers[0].requests_per_element(), 32.0);
    EXPECT_EQ(answer.said.buffers[1].requests_per_element(), 24.0);
}

TEST(Reuse, TiledProductHasNothingLeftToSave) {
    for (const char* entry : {"product_tiled", "product_async"}) {
        Lab lab;
        const Answer answer = lab.run(entry, {2, 2, 1}, {16, 16, 1}, lab.buffer<float>(1024), lab.buffer<float>(1024),
                                      lab.buffer<float>(1024), 32);
        expect_agreement(answer, entry);
        const LaunchProfile& said = answer.said;
        EXPECT_EQ(said.tiling->potential(), 1.0) << entry;
        EXPECT_EQ(said.tiling->requests, 2u * 32 * 32 * 32 / 16) << entry;
        EXPECT_EQ(said.buffers[0].requests_per_element(), 32.0 / 16) << entry;
        EXPECT_EQ(said.buffers[1].requests_per_element(), 32.0 / 16) << entry;
        // The two loads stand on lines of their own.
        ASSERT_EQ(said.lines.size(), entry == std::string("product_tiled") ? 2u : 1u) << entry;
        EXPECT_EQ(said.lines[0].tiling->potential(), 1.0) << entry;
        ASSERT_EQ(said.shared_reuse.size(), 2u) << entry;
        for (const SharedReuse& tile : said.shared_reuse) {
            EXPECT_EQ(tile.written_bytes, 4u * 1024) << entry;
            EXPECT_EQ(tile.read_by_others_bytes, 4u * 1024) << entry;
        }
    }
}

TEST(Reuse, AdditionAndTransposeHaveNone) {
    for (const char* entry : {"add", "transpose"}) {
        Lab lab;
        auto* a = lab.buffer<float>(48 * 40);
        auto* b = lab.buffer<float>(48 * 40);
        auto* c = lab.buffer<float>(48 * 40);
        const bool adds = entry == std::string("add");
        const Answer answer = adds ? lab.run(entry, {3, 3, 1}, {16, 16, 1}, a, b, c, 48, 40)
                                   : lab.run(entry, {3, 3, 1}, {16, 16, 1}, a, c, 48, 40);
        expect_agreement(answer, entry);
        EXPECT_EQ(answer.said.tiling->potential(), 1.0) << entry;
        EXPECT_EQ(answer.said.tiling->requests, (adds ? 2u : 1u) * 48 * 40) << entry;
        EXPECT_EQ(answer.said.buffers[0].requests_per_element(), 1.0) << entry;
    }
}

TEST(Reuse, Stencil) {
    constexpr int kRows = 40, kColumns = 70, kSide = 16;
    Lab lab;
    const Answer answer = lab.run("stencil", {5, 3, 1}, {kSide, kSide, 1}, lab.buffer<float>(kRows * kColumns),
                                  lab.buffer<float>(kRows * kColumns), kRows, kColumns);
    expect_agreement(answer, "stencil");
    std::uint64_t requests = 0;
    std::set<std::array<int, 4>> touched;  // block, element
    for (int row = 1; row < kRows - 1; ++row)
        for (int column = 1; column < kColumns - 1; ++column)
            for (int y = -1; y <= 1; ++y)
                for (int x = -1; x <= 1; ++x) {
                    ++requests;
                    touched.insert({row / kSide, column / kSide, row + y, column + x});
                }
    EXPECT_EQ(answer.said.tiling->requests, requests);
    EXPECT_EQ(answer.said.tiling->unique_bytes_per_block, 4 * touched.size());
    EXPECT_EQ(answer.said.tiling->unique_bytes, 4u * kRows * kColumns);
    EXPECT_GT(answer.said.tiling->potential(), 6.0);
    EXPECT_LT(answer.said.tiling->potential(), 9.0);
}

TEST(Reuse, ConvolutionWithAConstantFilter) {
    Lab lab;
    const Answer answer =
        lab.run("convolve", {4, 1, 1}, {64, 1, 1}, lab.buffer<float>(256), lab.buffer<float>(256), 256);
    expect_agreement(answer, "convolve");
    EXPECT_EQ(answer.said.tiling->requests, 5u * 256 - 6);
    EXPECT_EQ(answer.said.tiling->unique_bytes_per_block, 4u * (66 + 68 + 68 + 66));
    EXPECT_EQ(answer.said.buffers.size(), 1u);  // the filter is no global memory
}

TEST(Reuse, LinesAreCountedApartAndTogether) {
    Lab lab;
    const Answer answer = lab.run("two_lines", {2, 1, 1}, {64, 1, 1}, lab.buffer<float>(128), lab.buffer<float>(128));
    expect_agreement(answer, "two_lines");
    EXPECT_EQ(answer.said.tiling->potential(), 2.0);
    ASSERT_EQ(answer.said.lines.size(), 2u);
    for (const LineProfile& line : answer.said.lines) EXPECT_EQ(line.tiling->potential(), 1.0);
}

TEST(Reuse, AtomicsAreNoLoads) {
    Lab lab;
    const Answer answer = lab.run("count", {2, 1, 1}, {64, 1, 1}, lab.buffer<int>(128), lab.buffer<unsigned>(16));
    expect_agreement(answer, "count");
    ASSERT_EQ(answer.said.buffers.size(), 1u);
    EXPECT_EQ(answer.said.buffers[0].parameter, 0u);
    EXPECT_EQ(answer.said.tiling->requests, 128u);
}

TEST(Reuse, SampledCountsAreScaledAndWhatCannotBeIsLeftOut) {
    auto of = [](double sample) {
        Lab lab;
        lab.sample = sample;
        return lab
            .run("product", {2, 2, 1}, {16, 16, 1}, lab.buffer<float>(1024), lab.buffer<float>(1024),
                 lab.buffer<float>(1024), 32, 32, 32)
            .said;
    };
    const LaunchProfile all = of(1), some = of(0.25);
    EXPECT_LT(some.blocks_run, all.blocks_run);
    EXPECT_EQ(some.tiling->requested_bytes, all.tiling->requested_bytes);
    EXPECT_EQ(some.tiling->unique_bytes_per_block, all.tiling->unique_bytes_per_block);
    EXPECT_EQ(some.buffers[0].tiling.requests, all.buffers[0].tiling.requests);
    EXPECT_EQ(some.lines[0].tiling->potential(), 16.0);
    EXPECT_FALSE(some.tiling->unique_bytes);
    EXPECT_FALSE(some.buffers[0].tiling.unique_bytes);
    EXPECT_FALSE(some.buffers[0].requests_per_element());
}

TEST(Sharing, WhatEachThreadKeepsForItselfIsReadByNoOther) {
    Lab lab;
    const Answer answer = lab.run("keep", {3, 1, 1}, {256, 1, 1}, lab.buffer<float>(768), lab.buffer<float>(768));
    expect_agreement(answer, "keep");
    ASSERT_EQ(answer.said.shared_reuse.size(), 1u);
    EXPECT_EQ(answer.said.shared_reuse[0].bytes, 1024u);
    EXPECT_EQ(answer.said.shared_reuse[0].written_bytes, 3u * 1024);
    EXPECT_EQ(answer.said.shared_reuse[0].read_by_others_bytes, 0u);
}

TEST(Sharing, AReversedCopyIsReadByOthersThroughout) {
    Lab lab;
    const Answer answer = lab.run("reverse", {3, 1, 1}, {100, 1, 1}, lab.buffer<float>(300), lab.buffer<float>(300));
    expect_agreement(answer, "reverse");
    EXPECT_EQ(answer.said.shared_reuse[0].written_bytes, 3u * 400);
    EXPECT_EQ(answer.said.shared_reuse[0].read_by_others_bytes, 3u * 400);
}

TEST(Sharing, EachVariableIsJudgedByItself) {
    Lab lab;
    const Answer answer =
        lab.run("several", {2, 1, 1}, {256, 1, 1}, lab.buffer<float>(512), lab.buffer<double>(512), 3);
    expect_agreement(answer, "several");
    std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> by_name;
    for (const SharedReuse& shared : answer.said.shared_reuse)
        by_name[shared.name.substr(shared.name.find_last_of("0123456789") + 1)] = {shared.written_bytes,
                                                                                   shared.read_by_others_bytes};
    using Pair = std::pair<std::uint64_t, std::uint64_t>;
    EXPECT_EQ(by_name.at("quarter"), Pair(2 * 1024, 2 * 256));  // every fourth element is read by three others
    EXPECT_EQ(by_name.at("own"), Pair(2 * 2048, 0));
    EXPECT_EQ(by_name.at("bytes"), Pair(2 * 86, 2 * 2));  // 0 and 3, of 0, 3, ..., 255
}

// Everything a profile says, through the session, against the counters that other observers make.
TEST(Reuse, ProfileAgreesWithTheCounters) {
    auto session = Session::create({});
    ASSERT_TRUE(session);
    std::ifstream file(source_dir() + "/bench/kernels/matmul.ptx");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto module = (*session)->load_module(text, "matmul.ptx");
    ASSERT_TRUE(module);
    for (const char* entry : {"matmul_naive", "matmul_tiled"}) {
        LaunchRequest request;
        request.kernel = (*session)->find_kernel(*module, entry).value();
        request.grid = {4, 4, 1};
        request.block = {16, 16, 1};
        std::vector<std::byte> parameters((*session)->kernel_info(request.kernel).parameter_bytes);
        for (std::size_t i = 0; i < 3; ++i) {
            void* storage = (*session)->memory().allocate(64 * 64 * 4, machine::AllocationKind::kDevice);
            std::memcpy(parameters.data() + 8 * i, &storage, 8);
        }
        const int width = 64;
        std::memcpy(parameters.data() + 24, &width, 4);
        request.parameters = parameters;
        ASSERT_EQ((*session)->launch(request).status, LaunchStatus::kOk);
        const LaunchProfile& launch = (*session)->profile().launches.back();
        ASSERT_TRUE(launch.tiling);
        EXPECT_EQ(launch.tiling->requested_bytes, launch.counters[Counter::kGlobalLoadBytesRequested]);
        EXPECT_EQ(launch.tiling->potential(), entry == std::string("matmul_naive") ? 16.0 : 1.0);
        EXPECT_EQ(launch.buffers.size(), 2u);
        std::uint64_t lines = 0;
        for (const LineProfile& line : launch.lines)
            if (line.tiling) {
                lines += line.tiling->requested_bytes;
                EXPECT_EQ(line.tiling->requested_bytes, line.counters[Counter::kGlobalLoadBytesRequested]);
            }
        EXPECT_EQ(lines, launch.tiling->requested_bytes);
    }
    ASSERT_EQ((*session)->profile().launches[1].shared_reuse.size(), 2u);
    EXPECT_EQ((*session)->profile().launches[1].shared_reuse[0].name, "Mds");  // as in the source
    // Sixteen times less was asked for, in the same product.
    const auto& launches = (*session)->profile().launches;
    EXPECT_EQ(launches[0].tiling->requested_bytes, 16 * launches[1].tiling->requested_bytes);
}

}  // namespace
}  // namespace tilescope
