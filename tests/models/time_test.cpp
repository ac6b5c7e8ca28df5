// The time model: what it must hold whatever its figures are. How near it comes is tests/truth/check_time.py's.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>

#include "scope/models/time/launch_time.h"
#include "scope/models/time/on_device.h"
#include "scope/models/time/queue.h"
#include "scope/models/time/stations.h"

namespace tilescope::models {
namespace {

using C = Counter;

const Device& timed_device(const char* name) {
    static std::map<std::string, Device> devices;
    const auto found = devices.find(name);
    return found != devices.end() ? found->second : devices.emplace(name, *load_device(name)).first->second;
}

// A copy of 2^21 floats by 8,192 blocks, of which an SM of an H200 holds 8.
LaunchProfile timed_copy() {
    LaunchProfile launch;
    launch.grid = {8192, 1, 1};
    launch.block = {256, 1, 1};
    launch.blocks_per_sm = 8;
    launch.registers_per_thread = 16;
    launch.counters.modelled = true;
    const double warps = 65536;
    launch.work = WarpWork{};
    launch.work->instructions = 16 * warps;
    (*launch.work)[Pipe::kInteger] = 6 * warps;
    (*launch.work)[Pipe::kMemory] = 2 * warps;
    (*launch.work)[Wait::kGlobal] = launch.work->load_lines = launch.work->store_lines = launch.work->load_passes =
        warps;
    launch.work->steps = 5 * warps;
    for (const C counter : {C::kGlobalLoadRequests, C::kGlobalStoreRequests}) launch.counters[counter] = 65536;
    for (const C counter : {C::kGlobalLoadSectors, C::kGlobalStoreSectors, C::kL2ReadSectors, C::kL2WriteSectors})
        launch.counters[counter] = 4 * 65536;
    launch.counters[C::kL2FabricSectors] = 4 * 65536;
    launch.counters[C::kDramReadBytes] = 8 << 20;
    return launch;
}

double microseconds(const LaunchProfile& launch, const char* device = "h200") {
    const auto time = launch_time(timed_device(device), launch);
    EXPECT_TRUE(time) << device;
    return time ? time->microseconds : 0;
}

// Where nobody has measured a device's textures, what they take would be missing from the time.
TEST(Time, IsToldOfTexturesWhereTheseAreKnown) {
    LaunchProfile launch = timed_copy();
    (*launch.work)[Pipe::kTexture] = 65536;
    launch.work->texture_passes = 8 * 65536;
    EXPECT_TRUE(launch_time(timed_device("h200"), launch));
    EXPECT_FALSE(launch_time(timed_device("a100"), launch));
    (*launch.work)[Pipe::kTexture] = 0;
    EXPECT_TRUE(launch_time(timed_device("a100"), launch));
}

TEST(Time, PartsAddUp) {
    for (const char* device : {"h200", "a100", "v100", "l40s"})
        for (const std::uint32_t blocks : {1u, 7u, 132u, 133u, 1000u, 8192u, 100000u})
            for (const std::uint32_t at_once : {1u, 3u, 8u}) {
                LaunchProfile launch = timed_copy();
                launch.grid = {blocks, 1, 1};
                launch.blocks_per_sm = at_once;
                const auto time = launch_time(timed_device(device), launch);
                ASSERT_TRUE(time);
                EXPECT_GT(time->microseconds, 0);
                EXPECT_NEAR(time->breakdown.sum(), time->microseconds, 1e-6 * time->microseconds);
                EXPECT_LE(time->next_microseconds, time->microseconds);
                EXPECT_NE(time->next_bound, time->bound);
            }
}

// Stores that fill a device's ways to L2: the same sectors in lines of four, alone in their lines, and in part.
TEST(Time, StoresGoByLinesAndByWhatTheyLeaveOfASector) {
    LaunchProfile lines = timed_copy(), sectors = timed_copy(), parts = timed_copy();
    const double sent = 1e7;
    for (LaunchProfile* launch : {&lines, &sectors, &parts}) {
        launch->counters[C::kL2WriteSectors] = static_cast<std::uint64_t>(sent);
        launch->work->sent_lines = sent;
    }
    lines.work->sent_lines = sent / 4;
    parts.work->sent_in_part = sent;
    const Pace& pace = timed_device("h200").pace;
    const double line = pace.request_interval, sector = pace.sector_interval, part = pace.part_interval;
    const double way = microseconds(sectors) - microseconds(lines);
    const double cycles = timed_device("h200").cycles_per_second() * 1e-6 * 132;  // of all SMs, in a microsecond
    EXPECT_NEAR(way, sent * 0.75 * line / cycles, 0.15 * way);
    const double more = microseconds(parts) - microseconds(sectors);
    EXPECT_NEAR(more, sent * (part - sector) / cycles, 0.15 * more);
}

// L2 takes in what comes from device memory and what SMs store at one speed, whichever it is.
TEST(Time, WhatComesAndWhatIsStoredShareTheWayIntoL2) {
    LaunchProfile half = timed_copy();
    half.counters[C::kL2WriteSectors] = 1 << 20;
    half.work->sent_lines = 1 << 18;
    half.counters[C::kDramReadBytes] = 32 << 20;
    const double bytes = 64 << 20;
    const auto of = [&](const Device& device) {
        for (const Station& station : demands_of(device, half).stations)
            if (station.bound == TimeBound::kL2) return station.cycles * 65536;
        return 0.0;
    };
    Device device = timed_device("h200");
    EXPECT_NEAR(of(device), bytes / device.l2_intake * device.cycles_per_second(), 1);
    device.l2_intake = 0;  // not known
    EXPECT_LT(of(device), bytes / timed_device("h200").l2_intake * device.cycles_per_second());
}

TEST(Time, MoreWorkIsNeverFaster) {
    const double before = microseconds(timed_copy());
    for (const C counter : {C::kDramReadBytes, C::kDramWriteBytes, C::kSharedLoadWavefronts, C::kSharedStoreWavefronts,
                            C::kConstantPasses, C::kL2WriteSectors, C::kBarriers, C::kLocalStoreSectors}) {
        double last = before;
        for (const std::uint64_t more : {1000u, 1000000u, 1000000000u}) {
            LaunchProfile launch = timed_copy();
            launch.counters[counter] += more;
            const double now = microseconds(launch);
            EXPECT_GE(now, last * (1 - 1e-9)) << info(counter).name;
            last = now;
        }
        EXPECT_GT(last, before) << info(counter).name;
    }
    std::vector<std::function<double&(WarpWork&)>> fields = {
        [](WarpWork& work) -> double& { return work.instructions; },
        [](WarpWork& work) -> double& { return work.steps; },
        [](WarpWork& work) -> double& { return work.load_passes; },
        [](WarpWork& work) -> double& { return work.hottest_updates; },
    };
    for (const Pipe pipe : {Pipe::kFp32, Pipe::kInteger, Pipe::kFp64, Pipe::kSpecial})
        fields.emplace_back([pipe](WarpWork& work) -> double& { return work[pipe]; });
    for (const Wait wait : {Wait::kGlobal, Wait::kShared, Wait::kConstant, Wait::kAtomic})
        fields.emplace_back([wait](WarpWork& work) -> double& { return work[wait]; });
    for (const auto& field : fields) {
        double last = before;
        for (const double more : {1e3, 1e6, 1e9}) {
            LaunchProfile launch = timed_copy();
            field(*launch.work) += more;
            const double now = microseconds(launch);
            EXPECT_GE(now, last * (1 - 1e-9));
            last = now;
        }
        EXPECT_GT(last, before);
    }
}

TEST(Time, EveryBoundIsReached) {
    constexpr double kMuch = 1e9;
    const auto bound_with = [](auto change) {
        LaunchProfile launch = timed_copy();
        change(launch);
        const auto time = launch_time(timed_device("h200"), launch);
        return time ? time->bound : TimeBound::kImbalance;
    };
    using Launch = LaunchProfile&;
    EXPECT_EQ(bound_with([](Launch x) {
                  x.grid = {1, 1, 1};
                  *x.work = {};
                  x.counters[C::kDramReadBytes] = 0;
                  x.counters[C::kL2ReadSectors] = 0;
                  x.counters[C::kL2WriteSectors] = 0;
                  x.counters[C::kGlobalStoreSectors] = 0;
                  x.counters[C::kGlobalStoreRequests] = 0;
              }),
              TimeBound::kLaunch);
    EXPECT_EQ(bound_with([](Launch x) { x.work->instructions = kMuch; }), TimeBound::kIssue);
    EXPECT_EQ(bound_with([](Launch x) { x.work->instructions = (*x.work)[Pipe::kFp32] = kMuch; }), TimeBound::kFp32);
    EXPECT_EQ(bound_with([](Launch x) { (*x.work)[Pipe::kInteger] = kMuch; }), TimeBound::kInteger);
    EXPECT_EQ(bound_with([](Launch x) { (*x.work)[Pipe::kFp64] = kMuch; }), TimeBound::kFp64);
    EXPECT_EQ(bound_with([](Launch x) { (*x.work)[Pipe::kSpecial] = kMuch; }), TimeBound::kSpecial);
    EXPECT_EQ(bound_with([](Launch x) { x.work->load_passes = kMuch; }), TimeBound::kL1);
    EXPECT_EQ(bound_with([](Launch x) { x.counters[C::kSharedLoadWavefronts] = 1000000000; }), TimeBound::kL1);
    EXPECT_EQ(bound_with([](Launch x) { x.work->texture_passes = (*x.work)[Pipe::kTexture] = kMuch; }),
              TimeBound::kTexture);
    EXPECT_EQ(bound_with([](Launch x) { x.counters[C::kConstantPasses] = 1000000000; }), TimeBound::kConstant);
    EXPECT_EQ(bound_with([](Launch x) {
                  x.counters[C::kL2WriteSectors] = 1000000000;
                  x.work->sent_lines = 1000000000;
              }),
              TimeBound::kWrites);
    EXPECT_EQ(bound_with([](Launch x) {
                  x.counters[C::kL2ReadSectors] = 1000000000;
                  x.work->load_lines = (*x.work)[Wait::kGlobal] / 4;
                  x.counters[C::kGlobalLoadSectors] = 400000000;
              }),
              TimeBound::kL2);
    EXPECT_EQ(bound_with([](Launch x) { x.counters[C::kDramReadBytes] = 100000000000; }), TimeBound::kDram);
    EXPECT_EQ(bound_with([](Launch x) { x.work->hottest_updates = kMuch; }), TimeBound::kAtomics);
    EXPECT_EQ(bound_with([](Launch x) { x.grid = {132, 1, 1}; }), TimeBound::kLatency);
}

TEST(Time, WavesCount) {
    LaunchProfile fits = timed_copy(), more = timed_copy();
    for (LaunchProfile* launch : {&fits, &more}) launch->blocks_per_sm = 2;
    fits.grid = {264, 1, 1};
    more.grid = {265, 1, 1};
    EXPECT_LT(microseconds(fits), microseconds(more));
    // A single block more leaves the others waiting.
    EXPECT_GT(launch_time(timed_device("h200"), more)->breakdown[TimeBound::kImbalance],
              launch_time(timed_device("h200"), fits)->breakdown[TimeBound::kImbalance]);
}

TEST(Time, TheBusiestWarpIsWaitedFor) {
    LaunchProfile launch = timed_copy();
    const auto even = launch_time(timed_device("h200"), launch);
    launch.work->busiest_warp = 2;  // has long ended when the last wave begins
    EXPECT_EQ(launch_time(timed_device("h200"), launch)->microseconds, even->microseconds);
    launch.work->busiest_warp = 1000;
    const auto uneven = launch_time(timed_device("h200"), launch);
    EXPECT_GT(uneven->microseconds, 10 * even->microseconds);
    EXPECT_GT(uneven->breakdown[TimeBound::kImbalance], 0.9 * uneven->microseconds);
    EXPECT_NEAR(uneven->breakdown.sum(), uneven->microseconds, 1e-6 * uneven->microseconds);
}

TEST(Time, ASlowerMemoryTakesLonger) {
    LaunchProfile launch = timed_copy();
    launch.counters[C::kDramReadBytes] = 10000000000;
    const double h200 = microseconds(launch), a100 = microseconds(launch, "a100");
    EXPECT_NEAR(a100 / h200, 4800. / 1555, 0.1);
}

TEST(Time, NothingIsGuessed) {
    LaunchProfile launch = timed_copy();
    launch.counters.modelled = false;
    EXPECT_FALSE(launch_time(timed_device("h200"), launch));
    launch = timed_copy();
    launch.work.reset();
    EXPECT_FALSE(launch_time(timed_device("h200"), launch));
    launch = timed_copy();
    launch.blocks_per_sm = 0;
    EXPECT_FALSE(launch_time(timed_device("h200"), launch));
    // Nobody has published a B200's latencies.
    EXPECT_FALSE(missing_for_time(timed_device("b200")).empty());
    EXPECT_FALSE(launch_time(timed_device("b200"), timed_copy()));
}

// A copy whose replay took so many cycles, of which the average SM was busy for a share.
LaunchProfile replayed(double cycles, double busy = 1) {
    LaunchProfile launch = timed_copy();
    launch.replay = ReplayClock{.cycles = cycles, .busy_cycles = busy * cycles};
    return launch;
}

TEST(TimeOfAReplay, IsTheClocksAndTheLaunchs) {
    const Device& device = timed_device("h200");
    // Far longer than any station is busy: nothing comes on top but what thousands of warps have of an even share.
    for (const double cycles : {1e5, 1e6, 1e7}) {
        const double expected = (cycles + device.pace.launch + device.pace.block) / (device.clock_khz / 1e3);
        EXPECT_NEAR(microseconds(replayed(cycles)), expected, 0.01 * expected);
    }
    // The waits that the average warp would have count no more.
    LaunchProfile slower = replayed(1e6);
    (*slower.work)[Wait::kGlobal] *= 100;
    slower.work->busiest_warp = 1000;
    EXPECT_NEAR(microseconds(slower), microseconds(replayed(1e6)), 1e-6 * microseconds(slower));
}

TEST(TimeOfAReplay, PartsAddUpAndSayWhoWaits) {
    for (const double cycles : {10., 1000., 30000., 1e6})
        for (const double busy : {0.01, 0.5, 1.})
            for (const std::uint32_t blocks : {1u, 133u, 8192u}) {
                LaunchProfile launch = replayed(cycles, busy);
                launch.grid = {blocks, 1, 1};
                const auto time = launch_time(timed_device("h200"), launch);
                ASSERT_TRUE(time);
                EXPECT_NEAR(time->breakdown.sum(), time->microseconds, 1e-6 * time->microseconds);
                EXPECT_LE(time->next_microseconds, time->microseconds * (1 + 1e-9));
                EXPECT_NE(time->next_bound, time->bound);
                // All but the launch itself, for the share in which the average SM has nothing to do.
                const double ran =
                    time->microseconds - timed_device("h200").pace.launch / (timed_device("h200").clock_khz / 1e3);
                EXPECT_NEAR(time->breakdown[TimeBound::kImbalance], (1 - busy) * ran, 1e-6 * time->microseconds);
            }
    EXPECT_EQ(launch_time(timed_device("h200"), replayed(1e6))->bound, TimeBound::kLatency);
}

// One block runs while all other SMs are idle.
TEST(TimeOfAReplay, ImbalanceIsTheBoundWhereItIsTheLargestPart) {
    LaunchProfile launch = replayed(1e6, 0.02);
    launch.replay->longest_warp = 9e5;
    launch.replay->warp_cycles = 100.0 * launch.grid[0] * launch.grid[1] * launch.grid[2];
    const auto time = launch_time(timed_device("h200"), launch);
    ASSERT_TRUE(time);
    EXPECT_EQ(time->bound, TimeBound::kImbalance);
    EXPECT_NE(time->next_bound, TimeBound::kImbalance);
    EXPECT_LT(time->next_microseconds, time->microseconds / 10);
    ASSERT_TRUE(time->longest_warp && time->average_warp);
    EXPECT_GT(*time->longest_warp, *time->average_warp);
    launch.replay->longest_warp = 1000;
    EXPECT_FALSE(launch_time(timed_device("h200"), launch)->longest_warp) << "many blocks, not one";
}

// A change is what the model without a replay makes of it, times how far the replay was from that; the less is left,
// the less of that.
TEST(TimeOfAReplay, AChangeMakesItAsManyTimesShorter) {
    const Device device = timed_device("h200");
    const double before = device.pace.launch / device.cycles_per_microsecond();
    const LaunchProfile launch = replayed(1e6);
    const double alone = *microseconds_without_replay(device, launch) - before;
    EXPECT_NEAR(*changed_microseconds(device, launch, launch), microseconds(launch), 1e-9 * microseconds(launch));
    LaunchProfile half = launch;  // half as many blocks that do the same
    half.grid[0] /= 2;
    for (std::uint64_t& count : half.counters.values) count /= 2;
    half.work->for_each([](double& number) { number /= 2; });
    for (double WarpWork::*lines : {&WarpWork::load_passes, &WarpWork::load_lines, &WarpWork::store_lines})
        *half.work.*lines /= 2;
    const double left = (*microseconds_without_replay(device, half) - before) / alone;
    ASSERT_LT(left, 0.9);
    const double ratio = (microseconds(launch) - before) / alone;
    EXPECT_NEAR(*changed_microseconds(device, launch, half) - before, alone * left * std::pow(ratio, left),
                1e-6 * microseconds(launch));
}

TEST(TimeOfAReplay, StationsThatItLacksComeOnTop) {
    const double before = microseconds(replayed(30000));
    for (const C counter : {C::kConstantPasses, C::kL2WriteSectors, C::kDramWriteBytes}) {
        LaunchProfile launch = replayed(30000);
        launch.counters[counter] += 1000000000;
        LaunchProfile alone = timed_copy();
        alone.counters[counter] += 1000000000;
        EXPECT_GT(microseconds(launch), 10 * before) << info(counter).name;
        EXPECT_NEAR(microseconds(launch), microseconds(alone), 0.1 * microseconds(alone)) << info(counter).name;
    }
    LaunchProfile launch = replayed(30000);
    launch.work->hottest_updates = 1e8;
    EXPECT_GT(microseconds(launch),
              1e8 * timed_device("h200").pace.atomic_interval / (timed_device("h200").clock_khz / 1e3));
    // Of sums of floats the unit takes longer where one is right behind another.
    LaunchProfile floats = launch;
    floats.work->hottest_waits = 1e8;
    EXPECT_GT(microseconds(floats),
              1e8 * timed_device("h200").pace.atomic_float / (timed_device("h200").clock_khz / 1e3));
    EXPECT_LT(microseconds(floats), 2.5 * microseconds(launch));
    // Shared memory, arithmetic and L1's passes are in its clock already.
    launch = replayed(1e6);
    launch.counters[C::kSharedLoadWavefronts] += 1000;
    launch.work->instructions *= 1.1;
    EXPECT_NEAR(microseconds(launch), microseconds(replayed(1e6)), 1e-6 * microseconds(launch));
}

TEST(TimeOfAReplay, OfAnotherDeviceIsNotTold) {
    Profile profile;
    profile.device = "h200";
    profile.launches.push_back(replayed(1e8));
    const Profile same = on_device(profile, timed_device("h200")), other = on_device(profile, timed_device("a100"));
    ASSERT_TRUE(same.launches.front().time && other.launches.front().time);
    EXPECT_TRUE(same.launches.front().replay);
    EXPECT_FALSE(other.launches.front().replay);
    EXPECT_GT(same.launches.front().time->microseconds, 50000);
    EXPECT_LT(other.launches.front().time->microseconds, 1000);
}

TEST(TimeOfAChange, IsWhatItsCountsSay) {
    const LaunchProfile launch = replayed(30000);
    const double now = microseconds(launch);
    EXPECT_NEAR(*changed_microseconds(timed_device("h200"), launch, launch), now, 1e-6 * now);
    LaunchProfile less = launch;
    (*less.work)[Wait::kGlobal] /= 2;
    EXPECT_LT(*changed_microseconds(timed_device("h200"), launch, less), 0.9 * now);
    LaunchProfile more = launch;
    more.counters[C::kSharedLoadWavefronts] += 10000000;
    EXPECT_GT(*changed_microseconds(timed_device("h200"), launch, more), 1.1 * now);
    LaunchProfile unknown = launch;
    unknown.counters.modelled = false;
    EXPECT_FALSE(changed_microseconds(timed_device("h200"), unknown, more));
}

TEST(TimeQueue, OneWarpAloneTakesTheSumOfAll) {
    Demands demands;
    demands.waiting = 100;
    demands.stations = {{TimeBound::kIssue, StationPer::kScheduler, 10}, {TimeBound::kL1, StationPer::kSm, 5}};
    const Residence alone = residence(demands, {1, 1, 1});
    EXPECT_NEAR(alone.cycles, 115, 1e-6);
    EXPECT_NEAR(alone.parts[TimeBound::kL1], 5, 1e-6);
}

TEST(TimeQueue, ManyWarpsTakeTheBusiestStation) {
    Demands demands;
    demands.waiting = 100;
    demands.stations = {{TimeBound::kIssue, StationPer::kScheduler, 10}, {TimeBound::kL1, StationPer::kSm, 5}};
    const Residence many = residence(demands, {1000, 4000, 4000});
    EXPECT_NEAR(many.cycles, 20000, 0.02 * 20000);
    EXPECT_GE(many.cycles, 5. * 3999);
    EXPECT_NEAR(many.parts.sum(), many.cycles, 1e-6 * many.cycles);
}

TEST(OnDevice, TheSameDeviceSaysTheSame) {
    Profile profile;
    profile.device = "h200";
    profile.launches.push_back(timed_copy());
    LaunchProfile& launch = profile.launches.front();
    launch.time = launch_time(timed_device("h200"), launch);
    const Profile again = on_device(profile, timed_device("h200"));
    EXPECT_EQ(again.launches.front().time, launch.time);
    EXPECT_EQ(again.launches.front().counters, launch.counters);
}

TEST(OnDevice, AnotherDeviceHasItsOwnOccupancyAndTime) {
    Profile profile;
    profile.device = "h200";
    profile.launches.push_back(timed_copy());
    profile.launches.front().static_shared_bytes = 40 << 10;
    const Profile other = on_device(profile, timed_device("a100"));
    const LaunchProfile& launch = other.launches.front();
    EXPECT_EQ(other.device, "a100");
    EXPECT_EQ(launch.blocks_per_sm, 4u);  // in 164 KB; an H200 holds 5 in 228 KB
    ASSERT_TRUE(launch.time);
    EXPECT_NEAR(launch.time->clock_ghz, 1.41, 1e-9);
    ASSERT_FALSE(other.diagnostics.empty());
    EXPECT_NE(other.diagnostics.front().message.find("compiled for h200"), std::string::npos);
    // A card whose latencies nobody has published: no time, and the reason.
    const Profile unknown = on_device(profile, timed_device("b200"));
    EXPECT_FALSE(unknown.launches.front().time);
    EXPECT_NE(unknown.diagnostics.back().message.find("latency_dram"), std::string::npos);
}

}  // namespace
}  // namespace tilescope::models
