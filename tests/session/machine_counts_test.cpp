#include "scope/session/launch/machine_counts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "scope/base/result.h"
#include "scope/image/load.h"
#include "scope/image/toolchain.h"
#include "scope/session/session.h"

namespace tilescope {
namespace {

using image::CodeRegion;
using image::LineMark;
using image::MachineCode;
using image::MarkKind;

// A loop of %rounds turns; lines are counted from the first, which is empty.
constexpr const char* kLoopPtx = R"(
.version 7.8
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 rounds) {
    .reg .pred %p1, %p2;
    .reg .b64 %rd1;
    .reg .b32 %r<6>;
    .reg .f32 %f<6>;
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [rounds];
    mov.u32 %r2, %tid.x;
    st.global.u32 [%rd1], %r2;
    mov.f32 %f1, 0f3f800000;
turn:
    st.global.u32 [%rd1+4], %r1;
    ld.global.f32 %f2, [%rd1];
    ld.global.f32 %f3, [%rd1+8];
    add.f32 %f1, %f1, %f2;
    add.f32 %f1, %f1, %f3;
    sub.u32 %r1, %r1, 1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra turn;
    setp.gt.u32 %p2, %r2, 9;
    @%p2 bra end;
    st.global.f32 [%rd1+12], %f1;
end:
    ret;
}
)";
enum Lines : std::uint32_t { kBeforeLoop = 13, kInLoop = 16, kLoads = 17, kAdds = 19, kFewLanes = 26 };
constexpr unsigned kRounds = 6, kBlocks = 3;

LaunchProfile launched(MachineCode code, std::uint32_t threads = 64, const SessionOptions& options = {}) {
    auto session = Session::create(options);
    EXPECT_TRUE(session);
    KernelFacts facts;
    facts.entry = "k";
    facts.local_bytes = 8;
    facts.machine_code = std::make_shared<const MachineCode>(std::move(code));
    const auto module = (*session)->load_module(kLoopPtx, "k.ptx", {{facts}});
    EXPECT_TRUE(module) << render(module.errors());
    struct {
        std::uint64_t p;
        std::uint32_t rounds = kRounds;
    } parameters;
    parameters.p = reinterpret_cast<std::uint64_t>((*session)->memory().allocate(64, machine::AllocationKind::kDevice));
    LaunchRequest request;
    request.kernel = (*session)->kernels(*module).at(0);
    request.grid = {kBlocks, 1, 1};
    request.block = {threads, 1, 1};
    request.parameters = std::as_bytes(std::span(&parameters, 1));
    EXPECT_EQ((*session)->launch(request).status, LaunchStatus::kOk);
    return (*session)->profile().launches.at(0);
}

CodeRegion spilling(bool once = false) {
    CodeRegion region;
    region.loads = 2;
    region.load_words = 3;
    region.stores = region.store_words = 1;
    region.once_a_warp = once;
    return region;
}

MachineCode code_of(std::vector<CodeRegion> regions, std::vector<LineMark> marks) {
    MachineCode code;
    code.regions = std::move(regions);
    code.marks = std::move(marks);
    code.instructions = 1;
    return code;
}

std::optional<std::uint64_t> exact_loads(const LaunchProfile& launch) {
    if (!launch.spill_traffic || !launch.spill_traffic->counted) return std::nullopt;
    return launch.spill_traffic->loads.instructions;
}

constexpr std::uint64_t kWarps = 2 * kBlocks;

TEST(MachineCounts, WhatRunsOnceAWarpIsCountedWithoutAnyMark) {
    const LaunchProfile launch = launched(code_of({spilling(true)}, {}));
    EXPECT_EQ(exact_loads(launch), 2 * kWarps);
    EXPECT_EQ(launch.counters[Counter::kLocalLoadRequests], 3 * kWarps);
    EXPECT_EQ(launch.counters[Counter::kLocalLoadSectors], 3 * 4 * kWarps);
    EXPECT_EQ(launch.counters[Counter::kLocalLoadBytesRequested], 3 * 4 * 32 * kWarps);
    EXPECT_EQ(launch.counters[Counter::kLocalStoreSectors], 4 * kWarps);
    EXPECT_EQ(launch.spill_traffic->stores.instructions, kWarps);
}

TEST(MachineCounts, TheLastWarpOfABlockHasFewerSectors) {
    const LaunchProfile launch = launched(code_of({spilling(true)}, {}), 41);
    EXPECT_TRUE(exact_loads(launch));
    EXPECT_EQ(launch.counters[Counter::kLocalStoreSectors], kBlocks * (4 + 2));
}

TEST(MachineCounts, ALoopRunsAsOftenAsItsStores) {
    const auto once = code_of({spilling()}, {{kInLoop, 0, 1, MarkKind::kEffect}});
    EXPECT_EQ(exact_loads(launched(once)), 2 * kWarps * kRounds);
    // Unrolled: two turns at once.
    const auto twice = code_of({spilling()}, {{kInLoop, 0, 2, MarkKind::kEffect}});
    EXPECT_EQ(exact_loads(launched(twice)), kWarps * kRounds);
    // Four at once, and two that are left over, once a warp.
    const auto rest =
        code_of({spilling(), spilling(true)}, {{kInLoop, 0, 4, MarkKind::kEffect}, {kInLoop, 1, 2, MarkKind::kEffect}});
    EXPECT_EQ(exact_loads(launched(rest)), 2 * kWarps + 2 * kWarps);
}

TEST(MachineCounts, LoadsAndSumsTellWhereManyAgree) {
    std::vector<LineMark> marks = {
        {kLoads, 0, 1, MarkKind::kLoad}, {kLoads + 1, 0, 1, MarkKind::kLoad}, {kAdds, 0, 1, MarkKind::kArithmetic}};
    EXPECT_EQ(exact_loads(launched(code_of({spilling()}, marks))), 2 * kWarps * kRounds);
    marks.pop_back();
    const LaunchProfile few = launched(code_of({spilling()}, marks));
    EXPECT_FALSE(exact_loads(few));
    EXPECT_EQ(few.spill_traffic->loads.instructions, 2 * kWarps * kRounds);
}

SessionOptions with_caches(unsigned jobs = 1) {
    SessionOptions options;
    options.caches = true;
    options.jobs = jobs;
    return options;
}

// A word is stored before the first store of the warp and brought back behind it, with two others that nobody stored.
MachineCode with_places(std::uint32_t line, std::uint32_t copies, bool once) {
    const auto region = spilling(once);
    MachineCode code = code_of({region}, {{line, 0, copies, MarkKind::kEffect}});
    const std::uint32_t copy = copies - 1;
    code.spills = {{0, false, false, 1, 0, line, copy, copies},
                   {0, true, true, 1, 0, line, copy, copies},
                   {0, true, true, 2, 8, line, copy, copies}};
    return code;
}

TEST(MachineCounts, SpillsGoThroughTheCaches) {
    const LaunchProfile without = launched(code_of({spilling(true)}, {}), 64, with_caches());
    ASSERT_TRUE(without.spill_traffic);
    EXPECT_EQ(without.spill_traffic->in_caches, SpillsInCaches::kNone);
    EXPECT_EQ(without.counters[Counter::kLocalLoadL1HitSectors], 0u);
    const LaunchProfile launch = launched(with_places(kBeforeLoop, 1, true), 64, with_caches());
    ASSERT_TRUE(launch.spill_traffic);
    EXPECT_EQ(launch.spill_traffic->in_caches, SpillsInCaches::kExact);
    EXPECT_EQ(launch.counters[Counter::kLocalLoadSectors], 3 * 4 * kWarps);
    // What was stored is there, the other two words are not: they come from device memory.
    EXPECT_EQ(launch.counters[Counter::kLocalLoadL1HitSectors], 4 * kWarps);
    const auto more = [&](Counter counter) { return launch.counters[counter] - without.counters[counter]; };
    EXPECT_EQ(more(Counter::kL1MissFirstTouch), 2 * 4 * kWarps);
    EXPECT_EQ(more(Counter::kDramReadBytes), 2 * 4 * 32 * kWarps);
    const auto local = std::find_if(launch.cached_buffers.begin(), launch.cached_buffers.end(),
                                    [](const CachedBuffer& buffer) { return buffer.kind == BufferKind::kLocal; });
    ASSERT_NE(local, launch.cached_buffers.end());
    EXPECT_EQ(local->counters[Counter::kLocalLoadSectors], 3 * 4 * kWarps);
    EXPECT_EQ(local->counters[Counter::kL2WriteSectors], 4 * kWarps);
    // How often the code's own stores leave together, and its loads come behind its stores to their sector, is up to
    // the clock, which spills change.
    EXPECT_EQ(local->counters[Counter::kL2ReadSectors] + local->counters[Counter::kL1MergedSectors], 2 * 4 * kWarps);
    for (const unsigned jobs : {2u, 3u})
        EXPECT_EQ(launched(with_places(kBeforeLoop, 1, true), 64, with_caches(jobs)).counters.values,
                  launch.counters.values);
    // 41 threads: the second warp's nine words lie in two sectors.
    const LaunchProfile few = launched(with_places(kBeforeLoop, 1, true), 41, with_caches());
    EXPECT_EQ(few.spill_traffic->in_caches, SpillsInCaches::kExact);
    EXPECT_EQ(few.counters[Counter::kLocalLoadL1HitSectors], kBlocks * (4 + 2));
}

TEST(MachineCounts, SpillsOfAnUnrolledLoopRunInTheirTurn) {
    const LaunchProfile launch = launched(with_places(kInLoop, 3, false), 64, with_caches());
    ASSERT_TRUE(launch.spill_traffic);
    EXPECT_EQ(launch.spill_traffic->in_caches, SpillsInCaches::kExact);
    // Six turns, three at once: what two words missed in the first is there in the second.
    EXPECT_EQ(launch.spill_traffic->loads.requests, 3 * 2 * kWarps);
    EXPECT_EQ(launch.counters[Counter::kLocalLoadL1HitSectors], (4 + 3 * 4) * kWarps);
    EXPECT_EQ(launch.counters[Counter::kLocalStoreSectors], 4 * 2 * kWarps);
}

TEST(MachineCounts, SpillsThatRunAnotherNumberOfTimesAreAnEstimateInTheCaches) {
    MachineCode code = with_places(kInLoop, 1, false);
    code.regions[0].once_a_warp = true;  // by its place; but the store by which they stand runs six times
    code.marks.clear();
    const LaunchProfile launch = launched(code, 64, with_caches());
    ASSERT_TRUE(launch.spill_traffic);
    EXPECT_EQ(launch.spill_traffic->in_caches, SpillsInCaches::kEstimate);
    EXPECT_EQ(launch.counters[Counter::kLocalLoadL1HitSectors], 0u);
    EXPECT_GT(launch.counters[Counter::kL2WriteSectors], 4 * 6 * kWarps);
    // No access of that line: they are left out.
    code.spills[1].line = 2;
    const LaunchProfile none = launched(code, 64, with_caches());
    EXPECT_EQ(none.spill_traffic->in_caches, SpillsInCaches::kNone);
}

TEST(MachineCounts, WhatDoesNotAgreeIsAnEstimateAndNotAmongTheCounters) {
    const std::vector<LineMark> marks = {{kLoads, 0, 1, MarkKind::kLoad},
                                         {kLoads + 1, 0, 1, MarkKind::kLoad},
                                         {kAdds, 0, 1, MarkKind::kArithmetic},
                                         {kAdds + 1, 0, 2, MarkKind::kArithmetic}};
    const LaunchProfile launch = launched(code_of({spilling()}, marks));
    ASSERT_TRUE(launch.spill_traffic);
    EXPECT_FALSE(launch.spill_traffic->counted);
    EXPECT_EQ(launch.spill_traffic->loads.instructions, 2 * kWarps * kRounds);
    EXPECT_EQ(launch.counters[Counter::kLocalLoadSectors], 0u);
    // A store of the loop that seems to run once a warp.
    EXPECT_FALSE(exact_loads(launched(code_of({spilling(true)}, {{kInLoop, 0, 1, MarkKind::kEffect}}))));
    // Under a predicate.
    CodeRegion guarded = spilling(true);
    guarded.guarded = true;
    EXPECT_FALSE(exact_loads(launched(code_of({guarded}, {}))));
    // Code that calls what nobody looked at.
    MachineCode open = code_of({spilling(true)}, {});
    open.complete = false;
    EXPECT_FALSE(exact_loads(launched(open)));
}

TEST(MachineCounts, LanesThatAreLeftOutMakeAnEstimate) {
    const LaunchProfile launch =
        launched(code_of({spilling()}, {{kFewLanes, 0, 1, MarkKind::kEffect}}));  // 10 lanes of each block
    ASSERT_TRUE(launch.spill_traffic);
    EXPECT_FALSE(launch.spill_traffic->counted);
    EXPECT_EQ(launch.spill_traffic->stores.instructions, kBlocks);
    EXPECT_EQ(launch.spill_traffic->stores.sectors, 4u);  // 30 lanes fill no fewer
}

TEST(MachineCounts, WithoutAMarkNothingIsSaid) {
    EXPECT_FALSE(launched(code_of({spilling()}, {})).spill_traffic);
    // A line that never ran here, and one that is no access.
    EXPECT_FALSE(launched(code_of({spilling()}, {{3, 0, 1, MarkKind::kEffect}})).spill_traffic);
    EXPECT_FALSE(launched(code_of({spilling()}, {{kAdds, 0, 1, MarkKind::kEffect}})).spill_traffic);
}

// Three loads and a store of shared memory in each turn of the loop, most of them under predicates that the PTX knows
// nothing of, and one load at the end.
TEST(MachineCounts, InstructionsOnSharedMemory) {
    CodeRegion turn, end;
    turn.shared_loads = 3;
    turn.shared_stores = 1;
    end.shared_loads = 1;
    end.once_a_warp = true;
    MachineCode code = code_of({turn, end}, {{kInLoop, 0, 1, MarkKind::kEffect}});
    const LaunchProfile launch = launched(code);
    EXPECT_EQ(launch.counters[Counter::kSharedLoadInstructions], (3 * kRounds + 1) * kWarps);
    EXPECT_EQ(launch.counters[Counter::kSharedStoreInstructions], kRounds * kWarps);
    EXPECT_FALSE(launch.spill_traffic);
    // The PTX has none, and that stands where the machine code does not tell for sure.
    const auto unchanged = [](const MachineCode& doubtful) {
        return launched(doubtful).counters[Counter::kSharedLoadInstructions] == 0;
    };
    MachineCode generic = code, open = code, unmarked = code;
    generic.plain_shared = false;
    EXPECT_TRUE(unchanged(generic));
    open.complete = false;
    EXPECT_TRUE(unchanged(open));
    unmarked.marks.clear();
    EXPECT_TRUE(unchanged(unmarked));
}

// More values than registers, in a loop whose turns are not known to the assembler. If each instruction runs once, a
// warp moves as many sectors as `ptxas -v` says bytes.
std::string crowded() {
    constexpr unsigned kValues = 60;
    std::string text =
        ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 "
        "rounds)\n.maxntid 1024, 1, 1\n.minnctapersm 2\n{\n.reg .pred %p1;\n.reg .b64 %rd<4>;\n.reg "
        ".b32 %r<6>;\n.reg .f32 %f<99>;\nld.param.u64 %rd1, [p];\nld.param.u32 %r1, [rounds];\nmov.u32 "
        "%r2, %tid.x;\nmul.wide.u32 %rd2, %r2, 4;\nadd.s64 %rd3, %rd1, %rd2;\n";
    const auto value = [](unsigned i) { return "%f" + std::to_string(i % kValues); };
    const auto at = [](unsigned i) { return "[%rd3+" + std::to_string(i * 128) + "]"; };
    for (unsigned i = 0; i < kValues; ++i) text += "ld.global.f32 " + value(i) + ", " + at(i) + ";\n";
    text += "turn:\n";
    for (unsigned i = 0; i < kValues; ++i)
        text += "fma.rn.f32 " + value(i) + ", " + value(i) + ", " + value(i * 7 + 3) + ", " + value(i * 11 + 5) + ";\n";
    text += "sub.u32 %r1, %r1, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra turn;\n";
    for (unsigned i = 0; i < kValues; ++i) text += "st.global.f32 " + at(i) + ", " + value(i) + ";\n";
    return text + "ret;\n}\n";
}

TEST(MachineCounts, OfAssembledCode) {
    if (image::find_ptxas().empty()) GTEST_SKIP() << "ptxas is not installed";
    const image::LoadedImage loaded = [] {
        image::FatEntry entry;
        entry.kind = image::FatKind::kPtx;
        entry.sm = 90;
        const std::string text = crowded();
        const auto bytes = std::as_bytes(std::span(text));
        entry.payload.assign(bytes.begin(), bytes.end());
        return image::load_entries({entry}, "k.ptx", 90);
    }();
    std::vector<LaunchProfile> launches;
    for (std::uint32_t rounds = 1; rounds <= 3; ++rounds) {
        auto session = Session::create({});
        ASSERT_TRUE(session);
        const auto module = (*session)->load(loaded, {});
        ASSERT_TRUE(module) << render(module.errors());
        struct {
            std::uint64_t p;
            std::uint32_t rounds;
        } parameters{};
        parameters.p =
            reinterpret_cast<std::uint64_t>((*session)->memory().allocate(1 << 14, machine::AllocationKind::kDevice));
        parameters.rounds = rounds;
        LaunchRequest request;
        request.kernel = (*session)->kernels(*module).at(0);
        request.grid = {5, 1, 1};
        request.parameters = std::as_bytes(std::span(&parameters, 1));
        request.block = {64, 1, 1};
        ASSERT_EQ((*session)->launch(request).status, LaunchStatus::kOk);
        launches.push_back((*session)->profile().launches.at(0));
        ASSERT_TRUE(launches.back().spill_traffic);
        EXPECT_TRUE(launches.back().spill_traffic->counted);
    }
    const LaunchProfile& once = launches[0];
    ASSERT_GT(once.spill_store_bytes, 0u);
    EXPECT_EQ(once.counters[Counter::kLocalStoreSectors], 10u * once.spill_store_bytes);
    EXPECT_EQ(once.counters[Counter::kLocalLoadSectors], 10u * once.spill_load_bytes);
    const auto loads = [&](std::size_t i) { return launches[i].counters[Counter::kLocalLoadSectors]; };
    EXPECT_GT(loads(1), loads(0));
    EXPECT_LT(loads(1), 2 * loads(0));
    EXPECT_EQ(loads(2) - loads(1), loads(1) - loads(0));
}

}  // namespace
}  // namespace tilescope
