#include "scope/models/time/launch_time.h"

#include <algorithm>
#include <cmath>

#include "scope/models/time/peaks.h"
#include "scope/models/time/queue.h"
#include "scope/models/time/stations.h"

namespace tilescope::models {
namespace {

struct Shape {
    double blocks = 0, warps_per_block = 0, at_once = 0, sms = 0, schedulers = 0;
    double in_step = 1;
};

Shape shape_of(const Device& device, const LaunchProfile& launch) {
    Shape shape;
    shape.blocks = static_cast<double>(launch.grid[0]) * launch.grid[1] * launch.grid[2];
    const double threads = static_cast<double>(launch.block[0]) * launch.block[1] * launch.block[2];
    shape.warps_per_block = std::ceil(threads / device.warp_size);
    shape.at_once = launch.blocks_per_sm;
    shape.sms = std::min<double>(device.sm_count, shape.blocks);
    shape.schedulers = std::max(1u, device.sub_partitions);
    return shape;
}

// How much warps are in step: all wait at the same time, and all want the stations at the same time. Those of one wave
// begin in step and part with every turn, those of barriers are brought together again, waves of few blocks stay.
double in_step(const Device& device, const LaunchProfile& launch, const Shape& shape) {
    const double turns = turns_of(launch);
    const double waves = std::max(1.0, shape.blocks / shape.sms / shape.at_once);
    const double begin = (1 / shape.at_once + (1 - 1 / shape.at_once) / waves) / turns;
    return std::max({device.time.in_step, begin, std::min(1.0, barriers_of(launch) / turns)});
}

double blocks_of_busiest(const Shape& shape) { return std::ceil(shape.blocks / shape.sms); }

// So many blocks on the busiest SM, side by side.
Residence side_by_side(const Demands& demands, const Shape& shape, double blocks) {
    Sharers sharers;
    sharers.sm = blocks * shape.warps_per_block;
    sharers.scheduler = std::max(1.0, sharers.sm / shape.schedulers);
    sharers.device = std::min(sharers.sm * shape.sms, shape.blocks * shape.warps_per_block);
    // In step: the waiting covers nothing, it comes on top of what the stations take. Else others work meanwhile.
    Demands working = demands;
    working.waiting = 0;
    const Residence apart = residence(demands, sharers), together = residence(working, sharers);
    Residence result;
    for (std::size_t i = 0; i < kTimeBounds; ++i)
        result.parts.parts[i] = shape.in_step * together.parts.parts[i] + (1 - shape.in_step) * apart.parts.parts[i];
    result.parts[TimeBound::kLatency] = demands.waiting;
    result.cycles = result.parts.sum();
    return result;
}

// All blocks of the busiest SM: as many waves as it takes, the last of them with what is left.
Residence all_waves(const Demands& demands, const Shape& shape) {
    const double on_busiest = blocks_of_busiest(shape);
    const double full = std::floor(on_busiest / shape.at_once), rest = on_busiest - full * shape.at_once;
    Residence all;
    const auto add = [&](double waves, const Residence& wave) {
        all.cycles += waves * wave.cycles;
        all.parts.add(wave.parts, waves);
    };
    if (full > 0) add(full, side_by_side(demands, shape, shape.at_once));
    if (rest > 0) add(1, side_by_side(demands, shape, rest));
    return all;
}

// Stations that the replay of the caches does not have, or only in part; it has the others, and all that warps wait
// for.
bool is_beyond_replay(TimeBound bound) {
    return bound == TimeBound::kConstant || bound == TimeBound::kWrites || bound == TimeBound::kL2 ||
           bound == TimeBound::kDram || bound == TimeBound::kAtomics;
}

// Cycles of a launch that was replayed, from its first block's begin on: those of the replay's clock, and what is spent
// at further stations, each as busy with others as all these cycles leave it.
double replayed_cycles(const Device& device, const LaunchProfile& launch, const Shape& shape, const Demands& demands) {
    const double on_sm = std::min(shape.at_once, blocks_of_busiest(shape)) * shape.warps_per_block;
    const double all_warps = shape.blocks * shape.warps_per_block;
    Demands whole;
    whole.waiting = launch.replay->cycles + device.pace.block;
    std::vector<double> customers;
    Sharers sharers;
    sharers.sm = on_sm;
    sharers.device = std::min(on_sm * shape.sms, all_warps);
    for (Station station : demands.stations) {
        if (!is_beyond_replay(station.bound)) continue;
        // A warp's share of all its customers' work, so that all of them together take as long as it all does.
        const bool is_device = station.per == StationPer::kDevice;
        const double work = station.cycles * (is_device ? all_warps : blocks_of_busiest(shape) * shape.warps_per_block);
        station.cycles = work / (is_device ? sharers.device : sharers.sm);
        whole.stations.push_back(station);
    }
    return residence(whole, sharers).cycles;
}

struct Model {
    Shape shape;
    Demands demands;
    double busiest_warp = 1;  // without a replay
    bool is_even = false;     // as if no SM waited for another
    double before = 0;        // cycles of the launch itself
    // With a replay: what its clock makes of the cycles that the stations give, and the share of all for which the
    // average SM has no block any more.
    bool is_replayed = false;
    double scale = 1, idle = 0;

    // Of the busiest SM's blocks, what the average one has.
    double even_share() const { return shape.blocks / shape.sms / blocks_of_busiest(shape); }
};

// How long warps wait, so that the launch takes as long as its replay says.
void fit_to_replay(const Device& device, const LaunchProfile& launch, Model& model) {
    const ReplayClock& replay = *launch.replay;
    model.is_replayed = true;
    model.idle = std::clamp(1 - replay.busy_cycles / replay.cycles, 0.0, 1.0);
    const double goal = (1 - model.idle) * replayed_cycles(device, launch, model.shape, model.demands);
    const auto cycles = [&](double waiting) {
        Demands demands = model.demands;
        demands.waiting = waiting;
        return all_waves(demands, model.shape).cycles;
    };
    double low = 0, high = goal;
    if (cycles(0) >= goal) {
        model.scale = goal / cycles(0);
        high = 0;
    }
    constexpr int kHalvings = 40;  // numeric: far finer than a cycle of any launch, our algorithm
    for (int i = 0; i < kHalvings && high > 0; ++i) {
        const double middle = (low + high) / 2;
        (cycles(middle) < goal ? low : high) = middle;
    }
    model.demands.waiting = high;
}

// Cycles by what they are spent on. What the other SMs wait for the busiest is imbalance, and without a replay so is
// what the busiest warp takes beyond all that.
TimeParts parts_of(const Model& model) {
    const Residence run = all_waves(model.demands, model.shape);
    TimeParts parts = run.parts;
    if (model.is_even) {
        parts.scale(model.is_replayed ? model.scale : model.even_share());
    } else if (model.is_replayed) {
        parts.scale(model.scale);
        if (model.idle < 1) parts[TimeBound::kImbalance] += run.cycles * model.scale * model.idle / (1 - model.idle);
    } else {
        const double idle = run.cycles * (1 - model.even_share());
        if (run.cycles > 0) parts.scale(1 - idle / run.cycles);
        // The busiest warp needs its time even when all others have gone.
        double alone = model.demands.waiting;
        for (const Station& station : model.demands.stations) alone += station.cycles;
        parts[TimeBound::kImbalance] = idle + std::max(0.0, model.busiest_warp * alone - run.cycles);
    }
    parts[TimeBound::kLaunch] += model.before;
    return parts;
}

TimeBound largest_bound(const TimeParts& parts) {
    const auto& all = parts.parts;
    return static_cast<TimeBound>(std::max_element(all.begin(), all.end()) - all.begin());
}

// What would be left if nothing were spent on a bound.
Model without(Model model, TimeBound bound) {
    std::erase_if(model.demands.stations, [&](const Station& station) { return station.bound == bound; });
    if (bound == TimeBound::kLatency) model.demands.waiting = 0;
    if (bound == TimeBound::kLaunch) model.before = 0;
    if (bound == TimeBound::kImbalance) model.is_even = true;
    return model;
}

std::optional<Model> model_of(const Device& device, const LaunchProfile& launch) {
    if (!launch.counters.modelled || !launch.work || launch.blocks_per_sm == 0 || launch.folded != 1) return {};
    if (!missing_for_time(device).empty() || lacks_textures(device, launch)) return {};
    Model model;
    model.shape = shape_of(device, launch);
    if (model.shape.blocks < 1 || model.shape.warps_per_block < 1) return {};
    model.shape.in_step = in_step(device, launch, model.shape);
    model.demands = demands_of(device, launch);
    model.busiest_warp = launch.work->busiest_warp;
    model.before = launch_cycles(device);
    if (launch.replay && launch.replay->cycles > 0) fit_to_replay(device, launch, model);
    return model;
}

// One warp that takes most of the launch, and much longer than others do.
void note_longest_warp(const LaunchProfile& launch, const Model& model, double per_microsecond, TimeProfile& time) {
    constexpr double kMostOf = 0.5, kMuchLonger = 4;  // numeric: when a warp is worth naming, presentation
    if (time.bound != TimeBound::kImbalance || !launch.replay) return;
    const double average = launch.replay->warp_cycles / (model.shape.blocks * model.shape.warps_per_block);
    const double longest = launch.replay->longest_warp;
    if (longest < kMostOf * launch.replay->cycles || longest < kMuchLonger * average) return;
    time.longest_warp = longest / per_microsecond;
    time.average_warp = average / per_microsecond;
}

// The model's own answer, whatever a replay said, behind what every launch takes.
std::optional<double> cycles_without_replay(const Device& device, const LaunchProfile& launch) {
    const std::optional<Model> model = model_of(device, without_replay(launch));
    if (!model) return {};
    return parts_of(*model).sum() - model->before;
}

}  // namespace

std::optional<TimeProfile> launch_time(const Device& device, const LaunchProfile& launch) {
    const std::optional<Model> model = model_of(device, launch);
    if (!model) return {};
    const TimeParts parts = parts_of(*model);
    const double per_microsecond = device.cycles_per_microsecond();
    TimeProfile time;
    time.microseconds = parts.sum() / per_microsecond;
    time.clock_ghz = device.clock_ghz();
    time.bound = largest_bound(parts);
    for (std::size_t i = 0; i < kTimeBounds; ++i) time.breakdown.parts[i] = parts.parts[i] / per_microsecond;
    note_longest_warp(launch, *model, per_microsecond, time);
    const TimeParts next = parts_of(without(*model, time.bound));
    time.next_bound = largest_bound(next);
    time.next_microseconds = next.sum() / per_microsecond;
    note_peaks(device, launch, time);
    return time;
}

LaunchProfile without_replay(const LaunchProfile& launch) {
    LaunchProfile alone;
    alone.grid = launch.grid;
    alone.block = launch.block;
    alone.counters = launch.counters;
    alone.work = launch.work;
    alone.spill_traffic = launch.spill_traffic;
    alone.blocks_per_sm = launch.blocks_per_sm;
    return alone;
}

std::optional<double> microseconds_without_replay(const Device& device, const LaunchProfile& launch) {
    const std::optional<double> cycles = cycles_without_replay(device, launch);
    if (!cycles) return {};
    return (launch_cycles(device) + *cycles) / device.cycles_per_microsecond();
}

std::optional<double> changed_microseconds(const Device& device, const LaunchProfile& launch,
                                           const LaunchProfile& changed) {
    const std::optional<Model> model = model_of(device, launch);
    const auto before = cycles_without_replay(device, launch), after = cycles_without_replay(device, changed);
    if (!model || !before || !after || *before <= 0) return {};
    const double cycles = parts_of(*model).sum() - model->before;
    // The less is left of what the model was asked about, the less it matters how far it was off.
    const double left = std::min(1.0, *after / *before);
    return (model->before + *after * std::pow(cycles / *before, left)) / device.cycles_per_microsecond();
}

}  // namespace tilescope::models
