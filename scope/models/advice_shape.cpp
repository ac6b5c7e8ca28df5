// Rules about the launch's shape and its lanes: occupancy, divergence, partial warps, few blocks, few loads under way,
// blocks that work alone.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "scope/models/advice_rules.h"
#include "scope/models/occupancy_steps.h"
#include "scope/models/time/launch_time.h"
#include "scope/models/time/stations.h"

namespace tilescope::models {
namespace {

using C = Counter;

// At more than half of the warps an SM holds, other things decide.
constexpr double kLowOccupancy = 0.5;
// A quarter of the lanes idle: the last steps of a reduction and the edges of a grid stay below.
constexpr double kManyLanes = 0.75;
// Beyond a quarter of the SMs, what large blocks share may well be worth the idle SMs: products in large tiles do that.
constexpr double kFewBlocks = 0.25;
// Instructions of a warp that are worth a warp of their own.
constexpr double kPieceOfWork = 200;
// Of the launch's time, spent waiting for memory, before more under way is worth a thought.
constexpr double kMuchWaiting = 0.25;
// Of the launch's time: what more under way brings is less certain than what spares work.
constexpr double kUncertain = 0.1;
// Threads of a block that nobody has to think about.
constexpr std::array<std::uint64_t, 2> kUsualBlocks = {128, 256};
// Registers that a compiler can do without and shared bytes that a kernel can: no more of what there is.
constexpr double kSpareable = 0.5;

// A change that lets more warps in.
struct Cure {
    AdviceVariant what = AdviceVariant::kNone;
    std::int64_t change = 0;
    std::uint64_t of = 0;  // what there is now
    KernelResources then;
    Occupancy occupancy;

    std::uint64_t left() const { return of + static_cast<std::uint64_t>(change); }
};

// Bytes of shared memory that a block writes; all of them where nobody knows.
std::uint64_t shared_bytes_used(const Case& about, const KernelResources& now) {
    if (about.launch.shared_reuse.empty() || about.launch.blocks_run == 0) return now.shared_bytes();
    std::uint64_t written = 0;
    for (const SharedReuse& shared : about.launch.shared_reuse) written += shared.written_bytes;
    return std::min(now.shared_bytes(), written / about.launch.blocks_run);
}

// Nothing for changes that are no advice here: shared bytes that are in use, another block size for a kernel whose
// shared memory goes with it.
std::optional<Cure> cure_of(const Case& about, const OccupancyChange& change, const KernelResources& first,
                            const KernelResources& now) {
    Cure cure;
    cure.then = now;
    if (change.resource == SmResource::kRegisters) {
        cure.what = AdviceVariant::kFewerRegisters;
        cure.of = first.registers_per_thread;
        cure.then.registers_per_thread =
            static_cast<std::uint32_t>(std::int64_t{now.registers_per_thread} + change.change);
        cure.change = std::int64_t{cure.then.registers_per_thread} - static_cast<std::int64_t>(cure.of);
        if (as_double(cure.left()) < (1 - kSpareable) * as_double(cure.of)) return std::nullopt;
    } else if (change.resource == SmResource::kShared) {
        cure.what = AdviceVariant::kFewerSharedBytes;
        cure.of = first.shared_bytes();
        cure.then.static_shared_bytes = 0;
        cure.then.dynamic_shared_bytes =
            static_cast<std::uint64_t>(static_cast<std::int64_t>(now.shared_bytes()) + change.change);
        cure.change = static_cast<std::int64_t>(cure.then.dynamic_shared_bytes) - static_cast<std::int64_t>(cure.of);
        const double least =
            std::min(as_double(shared_bytes_used(about, first)), (1 - kSpareable) * as_double(cure.of));
        if (as_double(cure.left()) < least) return std::nullopt;
    } else if (change.resource == SmResource::kThreads && now.shared_bytes() == 0) {
        cure.what = AdviceVariant::kOtherBlockSize;
        cure.of = first.threads_per_block;
        cure.then.threads_per_block =
            static_cast<std::uint64_t>(static_cast<std::int64_t>(now.threads_per_block) + change.change);
        cure.change = static_cast<std::int64_t>(cure.then.threads_per_block) - static_cast<std::int64_t>(cure.of);
    } else {
        return std::nullopt;
    }
    cure.occupancy = occupancy(about.device, cure.then);
    if (cure.occupancy.blocks_per_sm == 0) return std::nullopt;
    return cure;
}

// What lets more warps in by one resource, step by step.
std::vector<Cure> cures(const Case& about, SmResource resource) {
    constexpr int kMostSteps = 40;
    const KernelResources first = resources_of(about);
    KernelResources now = first;
    std::vector<Cure> found;
    for (int step = 0; step < kMostSteps; ++step) {
        std::optional<Cure> next;
        for (const OccupancyStep& one : next_steps(about.device, now))
            if (one.changes.size() == 1 && one.changes.front().resource == resource)
                next = cure_of(about, one.changes.front(), first, now);
        if (!next) break;
        now = next->then;
        found.push_back(*std::move(next));
    }
    return found;
}

// The same work in other blocks.
void reshape(const Case& about, const KernelResources& resources, std::uint32_t blocks_per_sm, Change& change) {
    const double all = as_double(about.blocks) * as_double(about.threads);
    const auto blocks = static_cast<std::uint64_t>(std::ceil(all / as_double(resources.threads_per_block)));
    change.reshape(blocks, resources.threads_per_block, blocks_per_sm);
}

// How long the launch would take with more warps on an SM. Without a modelled time, the inverse of how many more.
double time_with(const Case& about, const Cure& cure) {
    if (!about.time) return 1 / as_double(cure.occupancy.warps_per_sm);
    Finding finding(about);
    reshape(about, cure.then, cure.occupancy.blocks_per_sm, finding.change);
    return about.time->microseconds - saved_microseconds(about, finding).value_or(0);
}

// The smallest change of those that come near the best.
std::optional<Cure> best_cure(const Case& about) {
    constexpr double kNearly = 1.1;
    std::vector<Cure> all;
    for (const SmResource resource : {SmResource::kShared, SmResource::kRegisters, SmResource::kThreads})
        for (Cure& cure : cures(about, resource)) all.push_back(std::move(cure));
    // Small blocks begin no faster than large ones, so that sizes beyond what fills an SM are worth a look, too.
    if (const KernelResources first = resources_of(about); first.shared_bytes() == 0)
        for (const std::uint64_t threads : kUsualBlocks)
            if (threads > about.threads)
                if (auto cure =
                        cure_of(about, {SmResource::kThreads, static_cast<std::int64_t>(threads - about.threads)},
                                first, first))
                    all.push_back(*std::move(cure));
    if (all.empty()) return {};
    std::vector<double> times;
    times.reserve(all.size());
    for (const Cure& cure : all) times.push_back(time_with(about, cure));
    const double best = *std::min_element(times.begin(), times.end());
    for (std::size_t i = 0; i < all.size(); ++i)
        if (times[i] <= kNearly * best) return all[i];
    return {};
}

// Warps that are on an SM at once.
double resident_warps(const Case& about) {
    const double blocks =
        std::min<double>(about.launch.blocks_per_sm, std::ceil(as_double(about.blocks) / about.device.sm_count));
    return blocks * about.warps() / as_double(about.blocks);
}

// Bytes that must be under way on an SM to keep device memory's bandwidth flowing (Little's law).
double wanted_under_way(const Device& device) {
    const double latency = as_double(device.latency.dram) / (1e3 * device.clock_khz);
    return device.dram_bandwidth / device.sm_count * latency;
}

}  // namespace

KernelResources resources_of(const Case& about) {
    KernelResources resources;
    resources.threads_per_block = about.threads;
    resources.registers_per_thread = about.launch.registers_per_thread;
    resources.static_shared_bytes = about.launch.static_shared_bytes;
    resources.dynamic_shared_bytes = about.launch.dynamic_shared_bytes;
    if (about.launch.occupancy_profile) {
        resources.barriers = about.launch.occupancy_profile->barriers;
        resources.carveout_percent = about.launch.occupancy_profile->carveout_percent;
    }
    return resources;
}

// Little's law: the bytes under way on an SM, at one request of each resident warp, against those that it takes to keep
// its share of the DRAM bandwidth flowing for the time that a load takes.
std::vector<Finding> find_low_occupancy(const Case& about) {
    const Device& device = about.device;
    const Occupancy now = occupancy(device, resources_of(about));
    const std::uint64_t requests = about[C::kGlobalLoadRequests] + about[C::kGlobalStoreRequests];
    if (now.blocks_per_sm == 0 || now.fraction > kLowOccupancy || requests == 0 || device.clock_khz == 0) return {};
    // Nobody waits for a place on an SM: more places stay empty.
    if (about.blocks <= std::uint64_t{now.blocks_per_sm} * device.sm_count) return {};
    const double under_way = now.warps_per_sm * about.work.memory_bytes / as_double(requests);
    const double needed = wanted_under_way(device);
    if (about.time) {
        if (about.share_of(TimeBound::kLatency) + about.share_of(TimeBound::kLaunch) < kMuchWaiting) return {};
    } else {
        // Where arithmetic or shared memory bounds the launch, a thread's own independent work fills the gaps.
        Work memory;
        memory.memory_bytes = about.work.memory_bytes;
        if (seconds(memory, device) < about.seconds || under_way <= 0 || under_way >= needed) return {};
    }
    const std::optional<Cure> cure = best_cure(about);
    if (!cure) return {};
    Finding finding(about);
    const double more = as_double(cure->occupancy.warps_per_sm) / now.warps_per_sm;
    finding.speedup = under_way > 0 ? std::max(1.0, std::min(needed / under_way, more)) : 1;
    reshape(about, cure->then, cure->occupancy.blocks_per_sm, finding.change);
    finding.least_share = kUncertain;
    finding.facts.variant = cure->what;
    finding.facts.limiters = now.limiters;
    finding.facts.figures = {{AdviceFigure::kWarps, now.warps_per_sm},
                             {AdviceFigure::kMaxWarps, device.max_warps_per_sm()},
                             {AdviceFigure::kWarpsThen, as_double(cure->occupancy.warps_per_sm)},
                             {AdviceFigure::kChange, static_cast<double>(cure->change)},
                             {AdviceFigure::kChangeOf, as_double(cure->of)}};
    return {std::move(finding)};
}

std::vector<Finding> find_partial_warps(const Case& about) {
    const std::uint64_t warp = about.device.warp_size;
    const std::uint64_t lanes = (about.threads + warp - 1) / warp * warp;
    if (lanes == about.threads) return {};
    Finding finding(about);
    const double filled = as_double(about.threads) / as_double(lanes);
    // Requests of few lanes end in sectors that are not full.
    const auto rounding = [&](C ideal, C bytes) {
        return std::max(0.0, as_double(about[ideal]) - as_double(about[bytes]) / kSectorBytes);
    };
    const double loads = rounding(C::kGlobalLoadIdealSectors, C::kGlobalLoadBytesRequested);
    const double stores = rounding(C::kGlobalStoreIdealSectors, C::kGlobalStoreBytesRequested);
    KernelResources resources = resources_of(about);
    resources.threads_per_block =
        about.threads < 2 * warp && resources.shared_bytes() == 0 ? kUsualBlocks.back() : lanes;
    finding.saves_bytes = kSectorBytes * (loads + stores);
    finding.change.fill_lanes(filled, loads, stores);
    reshape(about, resources, occupancy(about.device, resources).blocks_per_sm, finding.change);
    finding.facts.figures = {{AdviceFigure::kThreads, as_double(about.threads)},
                             {AdviceFigure::kLanes, as_double(lanes)},
                             {AdviceFigure::kWarpSize, as_double(warp)},
                             {AdviceFigure::kChangeOf, as_double(resources.threads_per_block)}};
    return {std::move(finding)};
}

// Idle lanes that take the next elements: the same bytes by fewer requests, and neighbours' together but for those that
// data sends elsewhere.
std::vector<Finding> find_divergence(const Case& about) {
    const double issued = as_double(about.device.warp_size) * as_double(about[C::kInstructions]);
    const double active = as_double(about[C::kThreadInstructions]);
    const LineProfile* line = line_of_most(about, C::kDivergentBranches);
    const std::uint64_t warp = about.device.warp_size;
    const double filled = as_double(about.threads) / as_double((about.threads + warp - 1) / warp * warp);
    // The lanes that the block's shape leaves empty are another rule's.
    if (line == nullptr || active > kManyLanes * issued * filled) return {};
    const auto spared = [&](C sectors, C data, C bytes) {
        const double all = as_double(about[sectors]), by_data = as_double(about[data]);
        if (all <= 0) return 0.0;
        return std::max(0.0, (all - by_data) - as_double(about[bytes]) / kSectorBytes * (all - by_data) / all);
    };
    Finding finding(about);
    finding.at(*line, 1);
    finding.change.fill_lanes(
        std::min(1.0, active / (issued * filled)),
        spared(C::kGlobalLoadSectors, C::kGlobalLoadDataSectors, C::kGlobalLoadBytesRequested),
        spared(C::kGlobalStoreSectors, C::kGlobalStoreDataSectors, C::kGlobalStoreBytesRequested));
    finding.facts.figures = {{AdviceFigure::kActiveShare, active / issued},
                             {AdviceFigure::kBranches, as_double(about[C::kDivergentBranches])}};
    return {std::move(finding)};
}

// As many blocks as fill the device, as long as each warp has something to do.
std::vector<Finding> find_tiny_grid(const Case& about) {
    const std::uint64_t sms = about.device.sm_count;
    const bool shares = about.launch.static_shared_bytes + about.launch.dynamic_shared_bytes != 0;
    if (sms == 0 || as_double(about.blocks) >= (shares ? kFewBlocks : 1) * as_double(sms)) return {};
    // Idle lanes in more blocks would be idle, too.
    if (as_double(about[C::kThreadInstructions]) <
        kManyLanes * as_double(about.device.warp_size) * as_double(about[C::kInstructions]))
        return {};
    const std::uint64_t full = std::uint64_t{std::max(1u, about.launch.blocks_per_sm)} * sms;
    const double pieces = about.launch.work ? std::max(turns_of(about.launch),
                                                       about.launch.work->instructions / about.warps() / kPieceOfWork)
                                            : as_double(full);
    const double times = std::min(as_double(full) / as_double(about.blocks), pieces);
    const double now = seconds(about.work, about.device, about.blocks);
    if (about.time ? times < 2 : now < kLaunchSeconds) return {};
    Finding finding(about);
    finding.speedup = std::min(as_double(sms) / as_double(about.blocks), now / about.seconds);
    finding.change.reshape(static_cast<std::uint64_t>(as_double(about.blocks) * times), about.threads,
                           about.launch.blocks_per_sm);
    finding.facts.figures = {{AdviceFigure::kBlocks, as_double(about.blocks)}, {AdviceFigure::kSms, as_double(sms)}};
    return {std::move(finding)};
}

// Loads of 16 bytes a thread for the most part: no type is wider.
bool has_wide_loads(const LineProfile& line, const Device& device) {
    constexpr double kMoreThanTwoWords = 8;
    return as_double(line.counters[C::kGlobalLoadBytesRequested]) >
           kMoreThanTwoWords * as_double(device.warp_size) * as_double(line.counters[C::kGlobalLoadRequests]);
}

// Warps that wait for one load after the other while there are too few of them: more loads at once, or wider ones.
std::vector<Finding> find_few_in_flight(const Case& about) {
    constexpr double kTogether = 4;   // loads of a thread under way at once, as four elements or a float4 make it
    constexpr double kManyTurns = 8;  // of a warp, one after the other: a loop
    constexpr double kOneLoad = 1.5;  // under way in a turn
    if (!about.time || !about.launch.work || about.share_of(TimeBound::kLatency) < kMuchWaiting) return {};
    const WarpWork& work = *about.launch.work;
    const double turns = work[Wait::kGlobal] / about.warps(), requests = as_double(about[C::kGlobalLoadRequests]);
    if (turns < kManyTurns || requests > kOneLoad * work[Wait::kGlobal]) return {};
    if (requests <= work[Pipe::kTexture]) return {};       // whether a fetch needs the one before is not known
    if (2 * barriers_of(about.launch) > turns) return {};  // a tile at a time: what others have loaded is waited for
    if (2 * about[C::kGlobalLoadDataSectors] > about[C::kGlobalLoadSectors]) return {};  // each needs the one before
    if (resident_warps(about) > kLowOccupancy * about.device.max_warps_per_sm()) return {};
    const LineProfile* line = line_of_most(about, C::kGlobalLoadRequests);
    Finding finding(about);
    if (line != nullptr) finding.at(*line, 1);
    finding.change.load_together(kTogether);
    finding.least_share = kUncertain;
    if (line != nullptr && has_wide_loads(*line, about.device)) finding.facts.variant = AdviceVariant::kWideLoads;
    const double request = kSectorBytes * as_double(about[C::kGlobalLoadSectors]) / requests;
    finding.facts.figures = {{AdviceFigure::kWarps, resident_warps(about)},
                             {AdviceFigure::kBytes, resident_warps(about) * request},
                             {AdviceFigure::kWantedBytes, wanted_under_way(about.device)},
                             {AdviceFigure::kTimes, kTogether}};
    return {std::move(finding)};
}

// Whether every warp of the grid executes the same instructions as often: each line's come out even over the warps.
// Lines of little weight may differ, as those behind a bounds check do.
bool is_even_work(const Case& about) {
    constexpr std::uint64_t kSmallParts = 100;
    const auto warps = static_cast<std::uint64_t>(about.warps());
    const std::uint64_t all = about[C::kInstructions];
    if (warps == 0 || all % warps != 0) return false;
    return std::all_of(about.lines.begin(), about.lines.end(), [&](const LineProfile& line) {
        const std::uint64_t mine = line.counters[C::kInstructions];
        return mine * kSmallParts < all || mine % warps == 0;
    });
}

// SMs that have nothing to do while one block, or one warp, still works. Waves whose last is not full are not it.
std::vector<Finding> find_imbalance(const Case& about) {
    constexpr double kUneven = 1.5;     // times as long as the average warp takes
    constexpr double kSharedSm = 4;     // likewise: where an SM has two blocks and others one, its warps take 3.1 times
    constexpr double kMuchIdle = 0.15;  // of the launch's time: waves that do not fit come to less
    if (!about.time || !about.launch.replay || about.share_of(TimeBound::kImbalance) < kMuchIdle) return {};
    const ReplayClock& replay = *about.launch.replay;
    const double average = replay.warp_cycles / about.warps();
    if (average <= 0 || replay.longest_warp < kUneven * average) return {};
    Finding finding(about);
    finding.then = about.time->microseconds - about.time->breakdown[TimeBound::kImbalance];
    const double per_microsecond = about.device.cycles_per_microsecond();
    if (const LineProfile* line = line_of_most(about, C::kInstructions)) finding.at(*line, 1);
    finding.facts.figures = {{AdviceFigure::kLongest, replay.longest_warp / per_microsecond},
                             {AdviceFigure::kAverage, average / per_microsecond}};
    if (replay.longest_warp < kSharedSm * average && is_even_work(about)) {
        // No warp has more to do. Blocks that do not divide evenly among the SMs share one with others, and take
        // longer.
        const std::uint64_t sms = about.device.sm_count;
        if (sms == 0 || about.blocks <= sms || about.blocks % sms == 0) return {};
        finding.facts.variant = AdviceVariant::kLastWave;
        finding.facts.figures.set(AdviceFigure::kBlocks, as_double(about.blocks));
        finding.facts.figures.set(AdviceFigure::kSms, as_double(sms));
        finding.facts.figures.set(AdviceFigure::kIdeal, as_double(about.blocks / sms * sms));
    }
    return {std::move(finding)};
}

}  // namespace tilescope::models
