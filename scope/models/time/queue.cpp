#include "scope/models/time/queue.h"

#include <algorithm>

namespace tilescope::models {
namespace {

// Of those that share a station, the others.
double others(const Station& station, const Sharers& sharers) {
    double all = sharers.sm;
    if (station.per == StationPer::kScheduler) all = sharers.scheduler;
    if (station.per == StationPer::kDevice) all = sharers.device;
    return std::max(0.0, all - 1);
}

// A warp's time at a station when each warp comes by once in `cycles`; negative when the station cannot do that.
double time_at(const Station& station, double others, double cycles) {
    const double busy = station.cycles * others / cycles;
    return busy < 1 ? station.cycles / (1 - busy) : -1;
}

// The time that a warp would take if each came by once in `cycles`: falls as that rises; negative: not possible.
double answer(const Demands& demands, const Sharers& sharers, double cycles) {
    double sum = demands.waiting;
    for (const Station& station : demands.stations) {
        const double here = time_at(station, others(station, sharers), cycles);
        if (here < 0) return -1;
        sum += here;
    }
    return sum;
}

}  // namespace

Residence residence(const Demands& demands, const Sharers& sharers) {
    // Between the busiest station's time and that of warps which pass every station one after the other.
    double low = demands.waiting, high = demands.waiting;
    for (const Station& station : demands.stations) {
        low = std::max(low, station.cycles * others(station, sharers));
        high += station.cycles * (others(station, sharers) + 1);
    }
    constexpr int kHalvings = 60;  // numeric: past the last digit of a double, our algorithm
    for (int i = 0; i < kHalvings && low < high; ++i) {
        const double middle = (low + high) / 2;
        const double sum = middle > 0 ? answer(demands, sharers, middle) : -1;
        (sum < 0 || sum > middle ? low : high) = middle;
    }
    Residence result;
    double sum = 0;
    const auto add = [&](TimeBound bound, double cycles) {
        result.parts[bound] += cycles;
        sum += cycles;
    };
    add(TimeBound::kLatency, demands.waiting);
    for (const Station& station : demands.stations)
        if (high > 0) add(station.bound, std::max(0.0, time_at(station, others(station, sharers), high)));
    // What is left of the halving is rounding.
    result.cycles = high;
    if (sum > 0) result.parts.scale(high / sum);
    return result;
}

}  // namespace tilescope::models
