#include "scope/image/code_regions.h"

#include <gtest/gtest.h>

#include <random>

namespace tilescope::image {
namespace {

using Regions = std::vector<std::uint32_t>;

// Blocks end where they have nowhere to go.
FlowGraph graph_of(std::vector<std::vector<std::uint32_t>> successors) {
    FlowGraph graph;
    for (const auto& to : successors) graph.ends.push_back(to.empty() ? 1 : 0);
    graph.successors = std::move(successors);
    graph.roots = {0};
    return graph;
}

TEST(CodeRegions, BothSidesOfABranchStandAlone) {
    EXPECT_EQ(equal_regions(graph_of({{1, 2}, {3}, {3}, {}})), (Regions{0, 1, 2, 0}));
    EXPECT_EQ(equal_regions(graph_of({{1, 2}, {2}, {}})), (Regions{0, 1, 0}));
}

TEST(CodeRegions, WhatFollowsAnEarlyEndIsNotWhatCameBefore) {
    FlowGraph graph = graph_of({{1}, {}});
    graph.ends[0] = 1;
    EXPECT_EQ(equal_regions(graph), (Regions{0, 1}));
}

TEST(CodeRegions, ALoopRunsOftenerThanWhatIsAroundIt) {
    EXPECT_EQ(equal_regions(graph_of({{1}, {1, 2}, {}})), (Regions{0, 1, 0}));
    // Two blocks of one turn; the second decides.
    EXPECT_EQ(equal_regions(graph_of({{1}, {2}, {1, 3}, {}})), (Regions{0, 1, 1, 0}));
    // Left in the middle: the second half runs less often.
    EXPECT_EQ(equal_regions(graph_of({{1}, {2, 3}, {1}, {}})), (Regions{0, 1, 2, 0}));
    // A turn may skip the second half.
    EXPECT_EQ(equal_regions(graph_of({{1}, {1, 2}, {1, 3}, {}})), (Regions{0, 1, 2, 0}));
}

TEST(CodeRegions, LoopsWithinLoops) {
    EXPECT_EQ(equal_regions(graph_of({{1}, {2}, {2, 3}, {1, 4}, {}})), (Regions{0, 1, 2, 1, 0}));
    // The inner one goes straight on with the outer one's next turn.
    EXPECT_EQ(equal_regions(graph_of({{1}, {2, 3}, {2, 1}, {}})), (Regions{0, 1, 2, 0}));
}

TEST(CodeRegions, WhatCannotBeToldStandsAlone) {
    // A loop with two ways in.
    EXPECT_EQ(equal_regions(graph_of({{1, 2}, {2, 3}, {1}, {}})), (Regions{0, 1, 2, 3}));
    // No way out, and no way in.
    EXPECT_EQ(equal_regions(graph_of({{1}, {1}, {3}, {}})), (Regions{0, 1, 2, 3}));
    // What is called from elsewhere, too.
    FlowGraph graph = graph_of({{1}, {2}, {}});
    graph.roots.push_back(1);
    EXPECT_EQ(equal_regions(graph), (Regions{0, 1, 1}));
    EXPECT_EQ(equal_regions(graph_of(std::vector<std::vector<std::uint32_t>>(kMaxFlowBlocks + 1))).back(),
              kMaxFlowBlocks);
    EXPECT_TRUE(equal_regions({}).empty());
}

// Random walks from the root to an end: blocks of a region have run equally often.
TEST(CodeRegions, EveryWalkRunsARegionsBlocksEquallyOften) {
    std::mt19937 random(7);
    unsigned shared = 0;
    for (unsigned trial = 0; trial < 3000; ++trial) {
        const std::uint32_t blocks = 2 + random() % 9;
        FlowGraph graph;
        graph.roots = {0};
        for (std::uint32_t i = 0; i < blocks; ++i) {
            auto& to = graph.successors.emplace_back();
            if (i + 1 < blocks) to.push_back(i + 1);
            if (random() % 3 == 0) to.push_back(random() % blocks);
            graph.ends.push_back(i + 1 == blocks || random() % 16 == 0);
        }
        const Regions regions = equal_regions(graph);
        for (unsigned walk = 0; walk < 20; ++walk) {
            std::vector<unsigned> runs(blocks, 0);
            std::uint32_t at = 0;
            bool ended = false;
            for (unsigned step = 0; step < 200 && !ended; ++step) {
                ++runs[at];
                const auto& to = graph.successors[at];
                const std::size_t way = random() % (to.size() + (graph.ends[at] ? 1 : 0));
                ended = way == to.size();
                if (!ended) at = to[way];
            }
            if (!ended) continue;
            for (std::uint32_t i = 0; i < blocks; ++i) {
                shared += regions[i] != i;
                ASSERT_EQ(runs[i], runs[regions[i]]) << "trial " << trial << ", blocks " << i << " and " << regions[i];
            }
        }
    }
    EXPECT_GT(shared, 10'000u);
}

}  // namespace
}  // namespace tilescope::image
