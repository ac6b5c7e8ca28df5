// Rules of advice that go by the modelled time and by what code says of its addresses, on made-up counts; and what is
// said of programs.
#include <gtest/gtest.h>

#include "scope/models/advice_program.h"
#include "scope/models/time/launch_time.h"
#include "tests/models/advice_cases.h"

namespace tilescope::models {
namespace {

using C = Counter;
using F = AdviceFigure;
using V = AdviceVariant;

// The copy with caches and time.
LaunchProfile timed() {
    LaunchProfile launch = copy();
    CounterSet& c = launch.counters;
    c.modelled = true;
    c[C::kGlobalLoadLines] = c[C::kGlobalStoreLines] = 32'768;
    c[C::kL2ReadSectors] = c[C::kL2WriteSectors] = 131'072;
    c[C::kDramReadBytes] = 4'194'304;
    launch.blocks_per_sm = 8;
    launch.work = WarpWork{};
    WarpWork& work = *launch.work;
    work.instructions = 400'000;
    work[Pipe::kMemory] = 65'536;
    work[Wait::kGlobal] = 32'768;
    work.load_lines = work.load_passes = work.store_lines = work.sent_lines = 32'768;
    return launch;
}

double microseconds(const LaunchProfile& launch) { return launch_time(h200(), launch).value().microseconds; }

TEST(AdviceByTime, OneFigureOfTheModelledTime) {
    LaunchProfile launch = timed();
    EXPECT_TRUE(advise(launch, h200()).empty());
    CounterSet& c = launch.counters;
    c[C::kGlobalLoadSectors] = c[C::kL2ReadSectors] = c[C::kGlobalLoadLines] = 1'048'576;
    launch.work->load_lines = launch.work->load_passes = 1'048'576;
    const auto found = of_rule(with_line(launch), "coalesce");
    ASSERT_EQ(found.size(), 1u);
    ASSERT_TRUE(found[0].saves_microseconds);
    const double all = microseconds(launch), saved = *found[0].saves_microseconds;
    EXPECT_NEAR(found[0].speedup, all / (all - saved), 1e-9);
    // What is left is the copy that it would be.
    EXPECT_NEAR(all - saved, microseconds(timed()), 0.05 * microseconds(timed()));
    EXPECT_EQ(found[0].saves_bytes, 32u * 7 * 131'072);
}

TEST(AdviceByTime, SilentWhereACacheHasIt) {
    // Twice the sectors for eight lanes in a hundred, in L1 already.
    LaunchProfile launch = timed();
    CounterSet& c = launch.counters;
    c[C::kGlobalLoadSectors] = 270'000;
    c[C::kGlobalLoadL1HitSectors] = 138'928;
    for (const Advice& advice : of_rule(with_line(launch), "coalesce"))
        ADD_FAILURE() << advice.saves_microseconds.value_or(-1) << " of " << microseconds(launch) << advice.message;
    LaunchProfile uncached = launch;  // the same where nobody looked at caches
    uncached.counters.modelled = false;
    EXPECT_TRUE(fires(with_line(uncached), "coalesce"));
}

TEST(AdviceByTime, NoOrderOfThreadsMendsAnIndexThatIsData) {
    LaunchProfile launch = timed();
    CounterSet& c = launch.counters;
    c[C::kGlobalLoadSectors] = c[C::kL2ReadSectors] = c[C::kGlobalLoadLines] = 1'048'576;
    launch.work->load_lines = launch.work->load_passes = 1'048'576;
    EXPECT_TRUE(fires(with_line(launch), "coalesce"));
    c[C::kGlobalLoadDataSectors] = 1'048'576;
    c[C::kGlobalLoadDataIdealSectors] = 131'072;
    EXPECT_FALSE(fires(with_line(launch), "coalesce"));
}

TEST(AdviceByTime, StructuresThatAreAskedForInParts) {
    LaunchProfile launch = timed();
    CounterSet& c = launch.counters;
    c[C::kGlobalLoadRequests] = 4 * 32'768;
    c[C::kGlobalLoadSectors] = 4 * 524'288;  // each of four requests touches all of them
    c[C::kGlobalLoadLines] = 4 * 131'072;
    c[C::kGlobalLoadIdealSectors] = 524'288;
    c[C::kGlobalLoadBytesRequested] = 16'777'216;
    c[C::kGlobalLoadL1HitSectors] = 3 * 524'288;
    c[C::kL2ReadSectors] = 524'288;
    c[C::kGlobalLoadPartRequests] = 3 * 32'768;
    c[C::kGlobalLoadPartSectors] = 3 * 524'288;
    WarpWork& work = *launch.work;
    work.load_lines = 4 * 131'072;
    work.load_passes = 4 * 131'072;
    work.instructions += 3 * 32'768;
    LaunchProfile lined = with_line(launch);
    EXPECT_FALSE(fires(lined, "alignment"));  // of no structure
    lined.lines[0].structure_bytes = 16;
    const auto found = of_rule(lined, "alignment");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].facts.figures, (AdviceFigures{{F::kStructureBytes, 16}, {F::kTimes, 4}}));
    EXPECT_NE(found[0].message.find("alignas(16)"), std::string::npos) << found[0].message;
    EXPECT_FALSE(fires(lined, "coalesce"));  // in one piece they are neighbours
    lined.lines[0].structure_bytes = 12;
    EXPECT_NE(of_rule(lined, "alignment").at(0).message.find("alignas(16)"), std::string::npos);
}

TEST(AdviceByTime, SaysThatTheCompilerSplitACopyOfAnAlignedStructure) {
    LaunchProfile launch = timed();
    CounterSet& c = launch.counters;
    c[C::kGlobalLoadRequests] = 2 * 32'768;
    c[C::kGlobalLoadSectors] = 2 * 524'288;
    c[C::kGlobalLoadPartRequests] = 32'768;
    c[C::kGlobalLoadPartSectors] = 524'288;
    LaunchProfile lined = with_line(launch);
    lined.lines[0].structure_bytes = 16;
    lined.lines[0].split_copy = SplitCopy{16, 2, 0};
    auto found = of_rule(lined, "alignment");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].facts.variant, AdviceVariant::kSplitByCompiler);
    EXPECT_EQ(found[0].facts.figures.count(F::kSplitLoads), 2u);
    EXPECT_EQ(found[0].message.find("declare the structure"), std::string::npos) << found[0].message;
    EXPECT_FALSE(fires(lined, "coalesce"));
    // In shared memory nothing is known to be saved, and it is said all the same.
    LaunchProfile shared = with_line(timed());
    shared.lines[0].split_copy = SplitCopy{8, 0, 2};
    found = of_rule(shared, "alignment");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].speedup, 1);
}

TEST(AdviceByTime, LoadsOneAfterTheOther) {
    LaunchProfile launch = timed();
    launch.grid = {264, 1, 1};
    CounterSet& c = launch.counters;
    c[C::kGlobalStoreRequests] = c[C::kGlobalStoreSectors] = c[C::kGlobalStoreIdealSectors] = 2112;
    c[C::kL2WriteSectors] = 2112;
    c[C::kGlobalLoadRequests] = 64 * 2112;
    c[C::kGlobalLoadSectors] = c[C::kGlobalLoadIdealSectors] = c[C::kL2ReadSectors] = 64 * 2112 * 4;
    c[C::kGlobalLoadBytesRequested] = 64 * 2112 * 128;
    c[C::kGlobalLoadLines] = 64 * 2112;
    c[C::kDramReadBytes] = 0;
    WarpWork& work = *launch.work;
    work.load_lines = work.load_passes = work[Wait::kGlobal] = 64 * 2112;
    work.store_lines = work.sent_lines = 2112;
    const auto found = of_rule(with_line(launch), "in-flight");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].facts.figures[F::kWarps], 16);
    EXPECT_EQ(found[0].facts.figures[F::kBytes], 16 * 128);
    EXPECT_GT(found[0].facts.figures[F::kWantedBytes], 16 * 128);
    EXPECT_GT(found[0].speedup, 2);
    LaunchProfile wide = launch;  // by float4 already
    wide.counters[C::kGlobalLoadBytesRequested] = 64 * 2112 * 512;
    EXPECT_EQ(of_rule(with_line(wide), "in-flight").at(0).message.find("float4"), std::string::npos);
    LaunchProfile chased = launch;  // each load needs what the one before brought
    chased.counters[C::kGlobalLoadDataSectors] = c[C::kGlobalLoadSectors];
    EXPECT_FALSE(fires(with_line(chased), "in-flight"));
    LaunchProfile together = launch;  // four at once already
    (*together.work)[Wait::kGlobal] /= 4;
    EXPECT_FALSE(fires(with_line(together), "in-flight"));
    LaunchProfile tiled = launch;  // all wait for a tile
    tiled.counters[C::kBarriers] = 64 * 2112;
    EXPECT_FALSE(fires(with_line(tiled), "in-flight"));
    LaunchProfile full = launch;  // other warps work meanwhile
    full.grid = {4096, 1, 1};
    EXPECT_FALSE(fires(with_line(full), "in-flight"));
}

TEST(AdviceByTime, ABlockThatWorksAlone) {
    LaunchProfile launch = timed();
    launch.replay = ReplayClock{};
    launch.replay->cycles = 100'000;
    launch.replay->busy_cycles = 10'000;
    launch.replay->warp_cycles = 32'768 * 5'000.0;
    launch.replay->longest_warp = 95'000;
    const auto found = of_rule(with_line(launch), "imbalance");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(*found[0].saves_microseconds, launch_time(h200(), launch)->breakdown[TimeBound::kImbalance], 1e-9);
    EXPECT_NEAR(found[0].facts.figures[F::kLongest] / found[0].facts.figures[F::kAverage], 19, 1e-9);
    launch.replay->longest_warp = 7'000;  // a last wave that is not full
    EXPECT_FALSE(fires(with_line(launch), "imbalance"));
    launch.replay->longest_warp = 95'000;
    launch.replay->busy_cycles = 95'000;  // and one that hardly matters
    EXPECT_FALSE(fires(with_line(launch), "imbalance"));
}

TEST(ImbalanceAdvice, NamesTheLastWaveWhenAllWarpsDoTheSameWork) {
    LaunchProfile launch = timed();
    launch.grid = {133, 1, 1};
    launch.block = {256, 1, 1};
    const std::uint64_t warps = 133 * 8;
    launch.counters[C::kInstructions] = warps * 1000;
    launch.replay = ReplayClock{};
    launch.replay->cycles = 100'000;
    launch.replay->busy_cycles = 10'000;
    launch.replay->warp_cycles = static_cast<double>(warps) * 5'000;
    launch.replay->longest_warp = 9'900;
    const auto found = of_rule(with_line(launch), "imbalance");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].facts.variant, AdviceVariant::kLastWave);
    EXPECT_EQ(found[0].facts.figures[F::kBlocks], 133);
    EXPECT_EQ(found[0].facts.figures[F::kSms], 132);
    EXPECT_EQ(found[0].facts.figures[F::kIdeal], 132);
    // Some warps do more than others.
    LaunchProfile uneven = launch;
    uneven.counters[C::kInstructions] += 100;
    const auto cut = of_rule(with_line(uneven), "imbalance");
    ASSERT_EQ(cut.size(), 1u);
    EXPECT_EQ(cut[0].facts.variant, AdviceVariant::kNone);
    // Blocks that divide evenly leave nothing to change.
    LaunchProfile even = launch;
    even.grid = {264, 1, 1};
    even.counters[C::kInstructions] = 2112 * 1000;
    even.replay->warp_cycles = 2112 * 5'000.0;
    EXPECT_FALSE(fires(with_line(even), "imbalance"));
}

TEST(AdviceByTime, FloatsThatSharedMemoryCannotAdd) {
    LaunchProfile launch = timed();
    CounterSet& c = launch.counters;
    c[C::kSharedAtomicRequests] = 32'768;
    c[C::kSharedAtomicBankConflicts] = 31 * 32'768;
    c[C::kSharedAtomicThreadOperations] = 1'048'576;
    c[C::kSharedAtomicAddresses] = 32'768;
    launch.replay = ReplayClock{};
    launch.replay->cycles = launch.replay->busy_cycles = 100'000;
    launch.replay->warp_cycles = 32'768 * 5'000.0;
    EXPECT_EQ(of_rule(with_line(launch), "shared-atomics").at(0).facts.variant, V::kMeetInShared);
    c[C::kSharedSwapTries] = 16 * 1'048'576;
    const auto found = of_rule(with_line(launch), "shared-atomics");
    EXPECT_EQ(found.at(0).facts.variant, V::kMeetInLoops);
    EXPECT_NE(found.at(0).message.find("compare-and-swap loop"), std::string::npos) << found[0].message;
    // Only a replay knows what the loops take: what is left is the model's own.
    EXPECT_GT(found[0].speedup, 5);
}

TEST(AdviceByTime, FewElementsThatAllThreadsKeepAskingFor) {
    LaunchProfile launch = copy();
    CounterSet& c = launch.counters;
    c[C::kGlobalLoadRequests] = c[C::kGlobalLoadSectors] = 8 * 32 * 32'768;
    c[C::kGlobalLoadIdealSectors] = c[C::kGlobalLoadSectors];
    c[C::kGlobalLoadBytesRequested] = 128ULL * c[C::kGlobalLoadRequests];
    Tiling terms;
    terms.requests = 32ULL * c[C::kGlobalLoadRequests];
    terms.requested_bytes = 4 * terms.requests;
    terms.unique_bytes_per_block = 4ULL * 32 * 4096;  // 32 floats for each of 4096 blocks
    launch.buffers = {{1, "terms", 128, terms}};
    launch.tiling = terms;
    const auto found = of_rule(with_line(launch), "register");
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].facts.variant, V::kAlike);
    EXPECT_EQ(found[0].facts.buffers, (std::vector<AskedBuffer>{{1, "terms", 8}}));
    EXPECT_FALSE(fires(with_line(launch), "tile"));        // registers hold them
    launch.buffers[0].tiling.unique_bytes_per_block *= 4;  // too many for that, and each wanted twice
    EXPECT_FALSE(fires(with_line(launch), "register"));
}

// ---- Programs -------------------------------------------------------------------------------------------------------

Profile program() {
    Profile profile;
    profile.device = "h200";
    profile.timeline_totals = TimelineTotals{};
    profile.timeline_totals->microseconds = 1000;
    return profile;
}

Transfer transfer(HostMemory memory) {
    Transfer one;
    one.host_memory = memory;
    one.count = 4;
    one.bytes = 4 * 1'250'000;
    one.microseconds = 410;
    one.file = "main.cu";
    one.line = 9;
    return one;
}

TEST(AdviceOfPrograms, CopiesOfPageableMemory) {
    Profile profile = program();
    profile.transfers = {transfer(HostMemory::kPageable)};
    const auto found = advise_program(profile, h200());
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].rule, AdviceKind::kCopies);
    EXPECT_EQ(found[0].facts.variant, V::kPageable);
    EXPECT_EQ(found[0].line, 9u);
    EXPECT_GT(*found[0].saves_microseconds, 250);  // pinned memory is four times as fast
    EXPECT_LT(*found[0].saves_microseconds, 410);
    profile.transfers = {transfer(HostMemory::kPinned)};
    EXPECT_TRUE(advise_program(profile, h200()).empty());
    profile.transfers = {transfer(HostMemory::kPageable)};
    profile.timeline_totals->microseconds = 1e6;  // nobody waits for them
    EXPECT_TRUE(advise_program(profile, h200()).empty());
    profile.timeline_totals.reset();
    EXPECT_TRUE(advise_program(profile, h200()).empty());
}

TEST(AdviseProgram, IsSilentWhenAKernelHasNoTime) {
    Profile profile = program();
    profile.transfers = {transfer(HostMemory::kPageable)};
    profile.timeline_totals->until = 1;
    EXPECT_TRUE(advise_program(profile, h200()).empty());
}

TEST(AdviceOfPrograms, CopiesOfWhatIsThere) {
    Profile profile = program();
    profile.transfers = {transfer(HostMemory::kPinned), transfer(HostMemory::kPinned)};  // one line, inlined twice
    profile.transfers[0].repeated = 3;
    profile.transfers[1].repeated = 4;
    const auto found = advise_program(profile, h200());
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].facts.variant, V::kRepeated);
    EXPECT_NEAR(*found[0].saves_microseconds, 820 * 7. / 8, 1e-9);
    profile.transfers = {transfer(HostMemory::kPinned)};
    profile.transfers[0].repeated = 4;  // one of them is needed, if no other line's came before
    EXPECT_NEAR(*advise_program(profile, h200()).at(0).saves_microseconds, 410 * 3. / 4, 1e-9);
}

TEST(AdviceOfPrograms, LaunchesTooSmallToMatter) {
    Profile profile = program();
    LaunchProfile launch = copy();
    launch.grid = {4, 1, 1};
    launch.blocks_per_sm = 8;
    const double overhead = h200().pace.launch / h200().cycles_per_microsecond();
    for (std::uint32_t i = 0; i < 20; ++i) {
        launch.index = i;
        profile.launches.push_back(launch);
        profile.timeline.push_back(
            {.name = "row(float*)", .launch = i, .begin = 4.2 * i, .microseconds = overhead + 0.5});
    }
    const auto found = advise_program(profile, h200());
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].rule, AdviceKind::kSmallLaunch);
    EXPECT_EQ(found[0].facts.kernel, "row(float*)");
    EXPECT_EQ(found[0].facts.figures[F::kLaunches], 20);
    // From the first's begin to the last's end, less one launch and all the work side by side.
    EXPECT_NEAR(*found[0].saves_microseconds, 4.2 * 19 - 20 * 0.5 * 4 / 1056, 0.01);
    Profile apart = profile;  // the host waits after each
    TimelineSpan wait;
    wait.kind = SpanKind::kWait;
    for (std::size_t i = 20; i > 0; --i)
        apart.timeline.insert(apart.timeline.begin() + static_cast<std::ptrdiff_t>(i), wait);
    EXPECT_TRUE(advise_program(apart, h200()).empty());
    for (TimelineSpan& span : profile.timeline) span.microseconds = 100;  // there is work enough
    EXPECT_TRUE(advise_program(profile, h200()).empty());
}

}  // namespace
}  // namespace tilescope::models
