#include "scope/observers/hierarchy/sampling/stretch.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace tilescope::observers {
namespace {

using Place = TrafficByPlace::key_type;

double as_double(std::uint64_t number) { return static_cast<double>(number); }

// Whether so much says something of so much that went by.
bool says_enough(std::uint64_t around, std::uint64_t gone) {
    constexpr std::uint64_t kShare = 100;  // numeric: a hundredth
    return around != 0 && around >= gone / kShare;
}

// What differs by less of all does not count.
constexpr double kOfAll = 0.01;  // numeric: by errors seen (bench/README.md)

// The weight of a count beside the clock: a stretch has fewer of it, and they differ more by chance.
constexpr double kCounts = 0.33;  // numeric: likewise

double apart(double one, double other, double all) {
    const double larger = std::max(one, other);
    return larger > 0 ? std::max(0.0, std::abs(one - other) - kOfAll * all) / larger : 0;
}

std::uint64_t rounded(double number) { return static_cast<std::uint64_t>(std::llround(std::max(0.0, number))); }

// What L2 does for reads of an instruction.
template <class Number, class Do, class... Others>
void for_each_of_l2(TrafficOf<Number>& traffic, const Do& what, Others&&... of) {
    what(traffic.fetched, of.fetched...);
    what(traffic.over_fabric, of.over_fabric...);
    for (std::size_t why = 0; why < kSecondMisses; ++why) what(traffic.second_misses[why], of.second_misses[why]...);
}

// What of an instruction's traffic follows from the stretches around, in the proportion of its sectors.
TrafficOf<double> estimate_of(const CacheTraffic& gone, const CacheTraffic& around) {
    TrafficOf<double> all;
    const auto take = [](double& to, std::uint64_t from) { to = static_cast<double>(from); };
    all.for_each(take, gone);
    if (says_enough(around.loads, gone.loads)) {
        const double loads = as_double(gone.loads) / as_double(around.loads);
        all.global_hits = loads * as_double(around.global_hits);
        all.local_hits = loads * as_double(around.local_hits);
        all.merged = loads * as_double(around.merged);
        all.untouched = loads * as_double(around.untouched);
        all.l2_reads = loads * as_double(around.l2_reads);
        for_each_of_l2(
            all, [loads](double& to, std::uint64_t from) { to = loads * as_double(from); }, around);
        for (std::size_t why = 0; why < kFirstMisses; ++why)
            all.first_misses[why] = loads * as_double(around.first_misses[why]);
    }
    if (says_enough(around.stored, gone.stored)) {
        const double stores = as_double(gone.stored) / as_double(around.stored);
        all.store_hits = stores * as_double(around.store_hits);
        all.l2_writes = stores * as_double(around.l2_writes);
    }
    const std::uint64_t looked_up = around.constant_hits + around.constant_misses;
    const std::uint64_t to_look_up = gone.constant_hits + gone.constant_misses;
    if (says_enough(looked_up, to_look_up)) {
        const double lookups = as_double(to_look_up) / as_double(looked_up);
        all.constant_hits = lookups * as_double(around.constant_hits);
        all.constant_misses = lookups * as_double(around.constant_misses);
        all.second_constant_hits = lookups * as_double(around.second_constant_hits);
        all.constant_sectors = lookups * as_double(around.constant_sectors);
    }
    return all;
}

// What L2 fetched while requests went by is what it would have: it went on all the time. Which load of the same line
// comes first is another one than by the clock, though, and which part of L2 asks the other one: so that is told by the
// stretches around, and how much was fetched in all, of a buffer, by L2.
void settle_by_l2(std::map<Place, TrafficOf<double>>& estimates, const Estimate::Gone& gone, const Stretch& around) {
    std::map<std::uint32_t, double> counted, told;  // by buffer, bytes
    const auto is_told = [&](const Place& place, const CacheTraffic& its) {
        const auto found = around.traffic.find(place);
        return found != around.traffic.end() && says_enough(found->second.loads, its.loads);
    };
    for (const auto& [place, its] : gone.traffic) {
        if (!is_told(place, its)) continue;
        counted[place.second] += as_double(its.fetched);
        told[place.second] += estimates[place].fetched;
    }
    for (const auto& [place, its] : gone.traffic) {
        if (!is_told(place, its)) continue;
        TrafficOf<double>& estimate = estimates[place];
        const double in_all = told[place.second], times = in_all > 0 ? counted[place.second] / in_all : 0;
        const auto settle = [&](double& to, std::uint64_t own) { to = in_all > 0 ? to * times : as_double(own); };
        settle(estimate.fetched, its.fetched);
        for (const SecondMiss why : {SecondMiss::kFirstTouch, SecondMiss::kCapacity, SecondMiss::kPartWritten})
            settle(estimate.second_misses[static_cast<std::size_t>(why)],
                   its.second_misses[static_cast<std::size_t>(why)]);
    }
}

// L2 is asked for no less than it does not have.
void settle_hits(TrafficOf<double>& estimate) {
    const double missed = std::accumulate(estimate.second_misses.begin(), estimate.second_misses.end(), 0.0);
    estimate.l2_reads = std::max(estimate.l2_reads, missed);
    estimate.l2_read_hits = estimate.l2_reads - missed;
}

// Of all sectors asked for, a request: those that L2 fetched, and those that it was asked for.
struct Asked {
    double sectors = 0, fetched = 0, l2_reads = 0;

    Asked(const CacheTraffic& all, std::uint64_t requests)
        : sectors(as_double(all.loads + all.updates + all.stored) / as_double(std::max<std::uint64_t>(1, requests))),
          fetched(as_double(all.fetched) / kSectorBytes / as_double(std::max<std::uint64_t>(1, requests))),
          l2_reads(as_double(all.l2_reads) / as_double(std::max<std::uint64_t>(1, requests))) {}
};

// How far apart numbers may be that the order of requests has not changed.
constexpr double kSameOrder = 0.1, kSameOrderOfAll = 0.03;  // numeric: by errors seen (bench/README.md)

// Whether what went by fetched as much, a request, as was fetched before or behind, or something between, and these did
// the same.
bool keeps_order(const Estimate::Gone& gone, const Stretch& before, const Stretch& behind) {
    CacheTraffic all;
    for (const auto& [place, traffic] : gone.traffic) all += traffic;
    const Asked its(all, gone.requests), one(before.total(), before.requests);
    const Asked other = behind.requests != 0 ? Asked(behind.total(), behind.requests) : one;
    const auto room = [&](double larger) { return kSameOrder * larger + kSameOrderOfAll * its.sectors; };
    const auto [least, most] = std::minmax(one.fetched, other.fetched);
    const auto [fewest, many] = std::minmax(one.l2_reads, other.l2_reads);
    return its.fetched >= least - room(most) && its.fetched <= most + room(most) && most - least <= room(most) &&
           many - fewest <= room(many);
}

// Sums that hold of what was counted hold of what is rounded.
CacheTraffic rounded(const TrafficOf<double>& estimate) {
    CacheTraffic all;
    all.for_each([](std::uint64_t& to, double from) { to = rounded(from); }, estimate);
    const auto settle = [](auto& parts, std::uint64_t sum) {
        std::uint64_t before = 0;
        for (std::uint64_t& part : parts) {
            part = std::min(part, sum - before);
            before += part;
        }
        if (before < sum) *std::max_element(parts.begin(), parts.end()) += sum - before;
    };
    const std::uint64_t hits = all.global_hits + all.local_hits;
    if (std::any_of(all.first_misses.begin(), all.first_misses.end(), [](std::uint64_t why) { return why != 0; }))
        settle(all.first_misses, all.loads - std::min(all.loads, hits));
    all.l2_read_hits = std::min(all.l2_read_hits, all.l2_reads);
    const std::uint64_t missed = std::accumulate(all.second_misses.begin(), all.second_misses.end(), std::uint64_t{0});
    if (missed != 0) settle(all.second_misses, all.l2_reads - all.l2_read_hits);
    return all;
}

}  // namespace

Stretch Stretch::since(const Stretch& before) const {
    Stretch rest = *this;
    rest.requests -= before.requests;
    rest.cycles -= before.cycles;
    rest.lines -= before.lines;
    rest.in_part -= before.in_part;
    for (const auto& [place, traffic] : before.traffic) rest.traffic[place] -= traffic;
    rest.time.for_each_part([](std::uint64_t& part, std::uint64_t less) { part -= less; }, before.time);
    for (std::size_t op = 0; op < before.mix.size(); ++op) rest.mix[op] -= before.mix[op];
    return rest;
}

void Stretch::add(const Stretch& other) {
    requests += other.requests;
    cycles += other.cycles;
    lines += other.lines;
    in_part += other.in_part;
    for (const auto& [place, its] : other.traffic) traffic[place] += its;
    time.for_each_part([](std::uint64_t& part, std::uint64_t more) { part += more; }, other.time);
}

CacheTraffic Stretch::total() const {
    CacheTraffic all;
    for (const auto& [place, traffic] : this->traffic) all += traffic;
    return all;
}

double difference(const Stretch& one, const Stretch& other) {
    if (one.requests == 0 || other.requests == 0) return 1;
    const double ones = as_double(one.requests), others = as_double(other.requests);
    const CacheTraffic a = one.total(), b = other.total();
    const double sectors = as_double(a.loads + a.stored + a.updates) / ones;
    double most = apart(as_double(one.cycles) / ones, as_double(other.cycles) / others, 0);
    const auto compare = [&](double its, double others_its) {
        most = std::max(most, kCounts * apart(its, others_its, sectors));
    };
    for (std::uint64_t CacheTraffic::*count :
         {&CacheTraffic::loads, &CacheTraffic::stored, &CacheTraffic::updates, &CacheTraffic::global_hits,
          &CacheTraffic::local_hits, &CacheTraffic::merged, &CacheTraffic::l2_reads, &CacheTraffic::l2_read_hits,
          &CacheTraffic::l2_writes, &CacheTraffic::over_fabric})
        compare(as_double(a.*count) / ones, as_double(b.*count) / others);
    compare(as_double(a.fetched) / kSectorBytes / ones, as_double(b.fetched) / kSectorBytes / others);
    return most;
}

double difference(const std::vector<std::uint64_t>& one, const std::vector<std::uint64_t>& other) {
    const double ones = as_double(std::accumulate(one.begin(), one.end(), std::uint64_t{0}));
    const double others = as_double(std::accumulate(other.begin(), other.end(), std::uint64_t{0}));
    if (ones == 0 || others == 0) return 1;
    double apart = 0;
    for (std::size_t op = 0; op < std::min(one.size(), other.size()); ++op)
        apart += std::abs(as_double(one[op]) / ones - as_double(other[op]) / others);
    return apart / 2;
}

bool Estimate::add(const Gone& gone, const Stretch& before, const Stretch& behind) {
    const bool is_like = keeps_order(gone, before, behind);
    Stretch around = before;
    if (is_like) around.add(behind);
    requests_ += gone.requests;
    std::map<Place, TrafficOf<double>> estimates;
    for (const auto& [place, traffic] : gone.traffic) {
        const auto found = around.traffic.find(place);
        estimates[place] = estimate_of(traffic, found == around.traffic.end() ? CacheTraffic{} : found->second);
    }
    if (is_like) settle_by_l2(estimates, gone, around);
    for (auto& [place, estimate] : estimates) {
        settle_hits(estimate);
        traffic_[place] += estimate;
    }
    const double times = around.requests != 0 ? as_double(gone.requests) / as_double(around.requests) : 0;
    time_.for_each_part([times](double& part, std::uint64_t its) { part += times * as_double(its); }, around.time);
    lines_ += times * as_double(around.lines);
    in_part_ += times * as_double(around.in_part);
    gone_lines_ += as_double(gone.lines);
    return is_like;
}

TrafficByPlace Estimate::traffic() const {
    TrafficByPlace all;
    for (const auto& [place, traffic] : traffic_) all[place] = rounded(traffic);
    return all;
}

TimeOf<std::uint64_t> Estimate::time() const {
    TimeOf<std::uint64_t> time;
    time.for_each_part([](std::uint64_t& part, double its) { part = rounded(its); }, time_);
    return time;
}

}  // namespace tilescope::observers
