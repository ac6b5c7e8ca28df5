// Caches on request: the same figures at any number of workers, and none where they were not modelled.
#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <string>
#include <tuple>

#include "scope/session/session.h"
#include "tests/scratch.h"
#include "tests/session/with_caches.h"

namespace tilescope::test {
namespace {

// Each thread reads a word, meets its block, reads the word of the thread `%ntid` further on and writes a word: within
// a block's neighbourhood some is read twice.
constexpr const char* kCopies = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 to, .param .u64 from, .param .u64 turns)
{
.reg .pred %p<2>; .reg .b32 %r<10>; .reg .b64 %d<10>; .reg .f32 %f<4>;
ld.param.u64 %d1, [to]; ld.param.u64 %d2, [from];
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
mad.lo.u32 %r4, %r1, %r2, %r3;
mul.wide.u32 %d3, %r4, 4; add.u64 %d4, %d2, %d3; add.u64 %d5, %d1, %d3;
ld.global.f32 %f1, [%d4];
bar.sync 0;
ld.param.u64 %d6, [turns];
again:
ld.global.f32 %f2, [%d4+512];
sub.u64 %d6, %d6, 1;
setp.ne.u64 %p1, %d6, 0;
@%p1 bra again;
add.f32 %f3, %f1, %f2;
st.global.f32 [%d5], %f3;
ret;
}
)";

struct Caches {
    CounterSet counters;
    Diagnostics diagnostics;
    std::optional<TimeProfile> time;
    std::optional<WarpWork> work;
    std::vector<CachedBuffer> buffers;
    std::optional<ReplayClock> replay;
    std::uint64_t launch_read_bytes = 0;
};

constexpr std::uint32_t kBlocks = 300;

Caches run_copies(const SessionOptions& options, unsigned launches = 1, std::uint32_t blocks = kBlocks,
                  std::uint64_t turns = 1, const char* source = kCopies) {
    constexpr std::uint64_t kThreads = 128, kBytes = (kBlocks * kThreads + 256) * 4;
    auto session = Session::create(options);
    EXPECT_TRUE(session);
    const auto module = (*session)->load_module(source, "test.ptx");
    EXPECT_TRUE(module) << render(module.errors());
    const std::uint64_t pointers[] = {
        reinterpret_cast<std::uint64_t>((*session)->memory().allocate(kBytes, machine::AllocationKind::kDevice)),
        reinterpret_cast<std::uint64_t>((*session)->memory().allocate(kBytes, machine::AllocationKind::kDevice)),
        turns};
    LaunchRequest request;
    request.kernel = *(*session)->find_kernel(*module, "k");
    request.grid = {blocks, 1, 1};
    request.block = {kThreads, 1, 1};
    request.parameters = std::as_bytes(std::span(pointers));
    for (unsigned i = 0; i < launches; ++i) EXPECT_EQ((*session)->launch(request).status, LaunchStatus::kOk);
    const LaunchProfile& last = (*session)->profile().launches.back();
    return {last.counters,
            (*session)->profile().diagnostics,
            last.time,
            last.work,
            last.cached_buffers,
            last.replay,
            last.launch_read_bytes};
}

TEST(Caches, AreTheSameWithAnyNumberOfWorkers) {
    const Caches one = run_copies(with_caches(1));
    ASSERT_TRUE(one.counters.modelled);
    // Beside what the launch itself reads, every sector is read once from memory, and what a block and the one behind
    // it share is there or read again.
    constexpr std::uint64_t kSectors = (300 * 128 + 128) * 4 / 32;
    EXPECT_EQ(one.counters[Counter::kDramReadBytes] / 32, kSectors + kOfTheLaunch);
    EXPECT_EQ(one.counters[Counter::kL2WriteSectors], 300u * 128 * 4 / 32);
    EXPECT_GE(one.counters[Counter::kL2ReadSectors], kSectors);
    EXPECT_LE(one.counters[Counter::kL2ReadSectors] + one.counters[Counter::kGlobalLoadL1HitSectors],
              one.counters[Counter::kGlobalLoadSectors]);
    for (unsigned jobs : {2u, 3u, 8u})
        for (unsigned again = 0; again < 3; ++again) {
            const Caches other = run_copies(with_caches(jobs));
            EXPECT_EQ(other.counters.values, one.counters.values) << jobs;
            EXPECT_EQ(other.buffers, one.buffers) << jobs;
        }
}

std::uint64_t sum_of(const CounterSet& counters, std::initializer_list<Counter> list) {
    std::uint64_t sum = 0;
    for (const Counter counter : list) sum += counters[counter];
    return sum;
}
std::uint64_t first_misses(const CounterSet& counters) {
    return sum_of(counters, {Counter::kL1MissFirstTouch, Counter::kL1MissCapacity, Counter::kL1MissPartWritten,
                             Counter::kL1MissFence, Counter::kL1MissAtomic, Counter::kL1MissBypass});
}
std::uint64_t second_misses(const CounterSet& counters) {
    return sum_of(counters, {Counter::kL2MissFirstTouch, Counter::kL2MissCapacity, Counter::kL2MissOtherPart,
                             Counter::kL2MissOutdated, Counter::kL2MissPartWritten});
}

TEST(Caches, SayWhyAndForWhichBuffer) {
    const Caches one = run_copies(with_caches(), 1, kBlocks, 5);
    const CounterSet& all = one.counters;
    EXPECT_EQ(first_misses(all), all[Counter::kGlobalLoadSectors] - all[Counter::kGlobalLoadL1HitSectors]);
    EXPECT_EQ(first_misses(all), all[Counter::kL2ReadSectors] + all[Counter::kL1MergedSectors]);
    EXPECT_EQ(second_misses(all), all[Counter::kL2ReadSectors] - all[Counter::kL2ReadHitSectors]);
    // Nothing is large enough to have to give way, and what is read is read whole.
    EXPECT_EQ(all[Counter::kL1MissFirstTouch], first_misses(all));
    EXPECT_EQ(all[Counter::kL2MissFirstTouch], (300u * 128 + 128) * 4 / 32);
    EXPECT_EQ(all[Counter::kL1UnaskedBytes], 0u);
    EXPECT_EQ(all[Counter::kDramUnaskedBytes], 0u);
    ASSERT_EQ(one.buffers.size(), 2u);
    const CachedBuffer &to = one.buffers[0], &from = one.buffers[1];
    EXPECT_EQ(to.parameter, 0u);
    EXPECT_EQ(from.parameter, 1u);
    EXPECT_EQ(to.counters[Counter::kGlobalStoreSectors], all[Counter::kGlobalStoreSectors]);
    EXPECT_EQ(to.counters[Counter::kL2WriteSectors], all[Counter::kL2WriteSectors]);
    EXPECT_EQ(to.counters[Counter::kL2ReadSectors] + to.counters[Counter::kGlobalLoadSectors], 0u);
    EXPECT_EQ(from.counters[Counter::kGlobalLoadSectors], all[Counter::kGlobalLoadSectors]);
    EXPECT_EQ(from.counters[Counter::kGlobalLoadL1HitSectors], all[Counter::kGlobalLoadL1HitSectors]);
    EXPECT_EQ(from.counters[Counter::kL1MissFirstTouch], all[Counter::kL1MissFirstTouch]);
    EXPECT_EQ(from.counters[Counter::kDramReadBytes], all[Counter::kDramReadBytes] - kOfTheLaunch * 32);
    EXPECT_EQ(one.launch_read_bytes, kOfTheLaunch * 32);
    EXPECT_EQ(from.counters[Counter::kGlobalStoreSectors], 0u);
}

// Every thread writes a word of an array of its own, reads it and another one.
TEST(Caches, CountLocalMemoryAsOneBuffer) {
    constexpr const char* kLocal = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 to)
{
.local .align 4 .b8 own[64];
.reg .b64 %d<6>; .reg .b32 %r<6>;
ld.param.u64 %d1, [to];
mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 15; mul.wide.u32 %d2, %r2, 4;
mov.u64 %d3, own; add.u64 %d3, %d3, %d2;
st.local.u32 [%d3], %r1;
ld.local.u32 %r3, [%d3];
ld.local.u32 %r4, [own+4];
add.u32 %r5, %r3, %r4;
mul.wide.u32 %d4, %r1, 4; add.u64 %d5, %d1, %d4;
st.global.u32 [%d5], %r5;
ret;
}
)";
    auto session = Session::create(with_caches());
    const auto module = (*session)->load_module(kLocal, "test.ptx");
    ASSERT_TRUE(module) << render(module.errors());
    const std::uint64_t to =
        reinterpret_cast<std::uint64_t>((*session)->memory().allocate(4096, machine::AllocationKind::kDevice));
    LaunchRequest request;
    request.kernel = *(*session)->find_kernel(*module, "k");
    request.grid = {1, 1, 1};
    request.block = {64, 1, 1};
    request.parameters = std::as_bytes(std::span(&to, 1));
    ASSERT_EQ((*session)->launch(request).status, LaunchStatus::kOk);
    const LaunchProfile& launch = (*session)->profile().launches.back();
    ASSERT_EQ(launch.cached_buffers.size(), 2u);
    EXPECT_EQ(launch.cached_buffers[0].parameter, 0u);
    const CachedBuffer& local = launch.cached_buffers[1];
    EXPECT_EQ(local.kind, BufferKind::kLocal);
    EXPECT_GT(launch.counters[Counter::kLocalLoadSectors], 0u);
    for (const Counter counter :
         {Counter::kLocalLoadSectors, Counter::kLocalStoreSectors, Counter::kLocalLoadL1HitSectors,
          Counter::kL1MissFirstTouch, Counter::kL1MissPartWritten})
        EXPECT_EQ(local.counters[counter], launch.counters[counter]) << info(counter).name;
    EXPECT_EQ(first_misses(local.counters),
              local.counters[Counter::kLocalLoadSectors] - local.counters[Counter::kLocalLoadL1HitSectors]);
    EXPECT_EQ(local.counters[Counter::kGlobalLoadSectors] + local.counters[Counter::kGlobalStoreSectors], 0u);
    // Two lanes of 32 write the second word; the others of its four sectors were left in part.
    EXPECT_EQ(local.counters[Counter::kL1MissPartWritten], 2u * 2);
}

// One warp reads a line in every way there is, after it has been brought to L1.
TEST(Caches, KnowLoadsThatGoPastL1) {
    constexpr const char* kWays = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 from)
{
.reg .b64 %d<4>; .reg .f32 %f<9>; .reg .b32 %r<3>;
.shared .align 16 .b8 there[512];
ld.param.u64 %d1, [from];
mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d3, %d1, %d2;
ld.global.f32 %f1, [%d3];
bar.sync 0;
WAY
st.global.f32 [%d3], %f1;
ret;
}
)";
    const auto past = [&](const std::string& way) {
        std::string text = kWays;
        text.replace(text.find("WAY"), 3, way);
        auto session = Session::create(with_caches());
        const auto module = (*session)->load_module(text, "test.ptx");
        EXPECT_TRUE(module) << render(module.errors());
        const std::uint64_t from =
            reinterpret_cast<std::uint64_t>((*session)->memory().allocate(4096, machine::AllocationKind::kDevice));
        LaunchRequest request;
        request.kernel = *(*session)->find_kernel(*module, "k");
        request.grid = {1, 1, 1};
        request.block = {32, 1, 1};
        request.parameters = std::as_bytes(std::span(&from, 1));
        EXPECT_EQ((*session)->launch(request).status, LaunchStatus::kOk);
        const CounterSet counters = (*session)->profile().launches.back().counters;
        EXPECT_EQ(counters[Counter::kL1MissFirstTouch], 4u) << way;
        EXPECT_EQ(first_misses(counters),
                  counters[Counter::kGlobalLoadSectors] - counters[Counter::kGlobalLoadL1HitSectors])
            << way;
        return counters[Counter::kL1MissBypass];
    };
    EXPECT_EQ(past("ld.global.f32 %f2, [%d3]; add.f32 %f1, %f1, %f2;"), 0u);
    EXPECT_EQ(past("ld.global.ca.f32 %f2, [%d3]; add.f32 %f1, %f1, %f2;"), 0u);
    EXPECT_EQ(past("ld.global.cg.f32 %f2, [%d3]; add.f32 %f1, %f1, %f2;"), 4u);
    EXPECT_EQ(past("ld.volatile.global.f32 %f2, [%d3]; add.f32 %f1, %f1, %f2;"), 4u);
    EXPECT_EQ(past("ld.relaxed.gpu.global.f32 %f2, [%d3]; add.f32 %f1, %f1, %f2;"), 4u);
    const std::string copy =
        "mov.u32 %r2, there; mad.lo.u32 %r2, %r1, WIDE, %r2; "
        "mul.wide.u32 %d2, %r1, WIDE; add.u64 %d2, %d1, %d2; ";
    const auto copied = [&](const std::string& how, const std::string& wide) {
        std::string text = copy + how;
        for (std::size_t at = text.find("WIDE"); at != std::string::npos; at = text.find("WIDE"))
            text.replace(at, 4, wide);
        return text;
    };
    EXPECT_EQ(past(copied("cp.async.ca.shared.global [%r2], [%d3], 4;", "4")), 0u);
    // 16 bytes a lane: four lines.
    EXPECT_EQ(past(copied("cp.async.cg.shared.global [%r2], [%d2], 16;", "16")), 16u);
}

TEST(Caches, LaunchesBeginWithAnEmptyL2UnlessItIsKept) {
    const Caches first = run_copies(with_caches()), second = run_copies(with_caches(), 2);
    EXPECT_EQ(first.counters.values, second.counters.values);
    SessionOptions warm = with_caches();
    warm.warm = true;
    const Caches kept = run_copies(warm, 2);
    EXPECT_EQ(kept.counters[Counter::kDramReadBytes] / 32, kOfTheLaunch);
    // What lives in the other part of L2 and was read from here before is a hit, too.
    EXPECT_GT(kept.counters[Counter::kL2ReadHitSectors], kept.counters[Counter::kL2ReadSectors] / 2);
}

TEST(Caches, AreLeftOutOnlyWithAWord) {
    const Caches off = run_copies({});
    EXPECT_FALSE(off.counters.modelled);
    EXPECT_EQ(off.counters[Counter::kDramReadBytes], 0u);
    EXPECT_EQ(off.launch_read_bytes, 0u);
    EXPECT_TRUE(off.diagnostics.empty());
    SessionOptions sampled = with_caches();
    sampled.sample = 0.1;
    const Caches some = run_copies(sampled);
    EXPECT_FALSE(some.counters.modelled);
    EXPECT_NE(render(some.diagnostics).find("caches were not modeled: only a sample"), std::string::npos);
    SessionOptions narrow = with_caches();
    narrow.memory_limit = 4 << 20;  // the kernel's buffers fit, what it asks for does not
    const Caches none = run_copies(narrow, 1, 1, 100000);
    EXPECT_FALSE(none.counters.modelled);
    EXPECT_NE(render(none.diagnostics).find("asks more of memory at once"), std::string::npos);
}

TEST(Caches, GiveALaunchItsTime) {
    const Caches one = run_copies(with_caches(1));
    ASSERT_TRUE(one.time);
    ASSERT_TRUE(one.work);
    EXPECT_GT(one.time->microseconds, 1);
    EXPECT_LT(one.time->microseconds, 10);
    // Each of 300 blocks' 4 warps: two loads of a line each, of which the second waits behind the barrier; a store.
    constexpr double kWarps = 300 * 4;
    EXPECT_EQ(one.work->load_lines, 2 * kWarps);
    EXPECT_EQ(one.work->load_passes, 2 * kWarps);
    EXPECT_EQ(one.work->store_lines, kWarps);
    EXPECT_EQ(one.work->sent_lines, kWarps);
    EXPECT_EQ(one.work->sent_in_part, 0);
    EXPECT_EQ(one.work->busiest_warp, 1);
    EXPECT_GE((*one.work)[Wait::kGlobal], kWarps);
    EXPECT_LE((*one.work)[Wait::kGlobal], 2 * kWarps);
    EXPECT_GT(run_copies(with_caches(1), 1, kBlocks, 500).time->microseconds, one.time->microseconds);
    // The same at any number of workers; none without the caches, where nobody knows what reaches device memory.
    EXPECT_EQ(run_copies(with_caches(2)).time, one.time);
    const Caches without = run_copies(SessionOptions{});
    EXPECT_FALSE(without.time);
    ASSERT_TRUE(without.work);
    EXPECT_EQ(without.work->instructions, one.work->instructions);
}

// Figures of a file as large as they may be, and a mask with bits that no line's address has.
TEST(Caches, AReplayOfAnyDeviceComesToItsEnd) {
    const std::string path = scratch_file("slowest_device.json");
    {
        std::ofstream file(path);
        file << R"({"name": "slowest", "product": "Slowest", "description": "all figures as large as they may be",
            "base": "h200", "figures": {)";
        const char* comma = "";
        for (const auto& [key, value, unit] :
             std::initializer_list<std::tuple<const char*, std::uint64_t, const char*>>{
                 {"cache_block_interval", 65536, "cycles"},
                 {"cache_merge_cycles", 65536, "cycles"},
                 {"cache_merged_reads", 32, "reads"},
                 {"cache_gpc_sectors", 1024, "sectors/cycle"},
                 {"cache_first_turns", 4096, "turns"},
                 {"cache_turns_between", 4096, "turns"},
                 {"cache_l2_home_mask", 129, "address bits"},
                 {"cache_l2_ways", 1, "lines"},
                 {"cache_l2_dirty_ways", 16, "lines"},
                 {"latency_l1", 65536, "cycles"},
                 {"latency_l2_near", 65536, "cycles"},
                 {"latency_l2_far", 65536, "cycles"},
                 {"latency_dram", 65536, "cycles"},
                 {"latency_dram_warp", 65536, "cycles"},
                 {"dram_read_wait", 65536, "cycles"},
                 {"dram_write_wait", 65536, "cycles"},
                 {"l2_intake", 1, "bytes/s"},
                 {"dram_bandwidth", 1980000000, "bytes/s"}}) {
            file << comma << "\"" << key << R"(": {"value": )" << value << R"(, "unit": ")" << unit
                 << R"(", "source": "no device"})";
            comma = ", ";
        }
        file << "}}";
    }
    SessionOptions options = with_caches();
    options.device = path;
    const Caches one = run_copies(options);
    ASSERT_TRUE(one.counters.modelled);
    ASSERT_TRUE(one.replay);
    EXPECT_GT(one.replay->cycles, 65536 * 3);
    options.jobs = 3;
    EXPECT_EQ(run_copies(options).counters.values, one.counters.values);
}

}  // namespace
}  // namespace tilescope::test
