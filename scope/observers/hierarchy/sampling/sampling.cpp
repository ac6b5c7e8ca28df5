#include "scope/observers/hierarchy/sampling/sampling.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilescope::observers {
namespace {

// Requests of a warp in a stretch at first, and of all of them at least; and how much longer it may become.
constexpr double kFewTurns = 8, kTurns = 16;             // numeric: by errors seen (bench/README.md)
constexpr std::uint64_t kLeast = 8192, kMostLonger = 2;  // numeric: likewise
// The launch's begin, in stretches.
constexpr std::uint64_t kBegin = 1;  // numeric: likewise
// Stretches that differ by less are alike; those that are not too far apart let something go by between them.
constexpr double kAlike = 0.03, kClose = 0.12;  // numeric: likewise
// How long what goes by is at first, at least and at most, in stretches; and at most, of what the launch has left.
constexpr double kFirstTimes = 2, kLeastTimes = 1, kMostTimes = 32, kMostOfLeft = 0.5;  // numeric: likewise
// The clock finds its pace in such a part of a stretch.
constexpr std::uint64_t kPacePart = 2;  // numeric: likewise
// Where L2 had to give up more of all sectors, and fetches them again, what it has hangs on the order of requests.
constexpr double kFewGivenUp = 0.02;  // numeric: likewise
// L1 has none worth to be told of, if they are fewer of all sectors.
constexpr double kFewHits = 0.005;  // numeric: likewise
// A warp is short if it has fewer requests.
constexpr double kShort = 64;  // numeric: likewise
// Requests of a warp that go by at a time.
constexpr double kMostAtOnce = 8;  // numeric: likewise
// What goes by is of another kind when its mix of requests differs by more, or fewer warps are left.
constexpr double kOtherMix = 0.05, kFewerWarps = 0.97;  // numeric: likewise

bool gives_way(const Stretch& stretch) {
    const CacheTraffic all = stretch.total();
    return static_cast<double>(all.second_misses[static_cast<std::size_t>(SecondMiss::kCapacity)]) >
           kFewGivenUp * static_cast<double>(all.loads + all.stored + all.updates);
}

}  // namespace

bool Sampling::has_hits() const {
    const CacheTraffic all = before_->total();
    return static_cast<double>(all.global_hits + all.local_hits + all.store_hits) >
           kFewHits * static_cast<double>(all.loads + all.stored);
}

bool Sampling::are_short(const LaunchPosition& at) { return at.each <= kShort; }

double Sampling::most_turns() { return kTurns; }

bool Sampling::is_worth_it(const LaunchPosition& at) const {
    return at.all >= static_cast<double>(rules_.least) ||
           (at.waves >= rules_.waves && at.all >= static_cast<double>(rules_.least_in_waves));
}

std::uint64_t Sampling::length(const LaunchPosition& at) {
    // Whole warps, where they are short.
    const double turns = at.each < kFewTurns ? at.each * std::round(kFewTurns / at.each) : std::min(at.each, kTurns);
    // Where blocks meet, they keep their distance from each other only if all go on step by step.
    const bool meets = before_ && before_->time.barriers != 0;
    turns_ = meets ? 1 : static_cast<std::uint32_t>(std::clamp(at.each, 1.0, kMostAtOnce));
    return longer_ * std::max(kLeast, static_cast<std::uint64_t>(static_cast<double>(at.live) * turns));
}

// Short blocks go by as a whole, so that their places find themselves where they were: most wait somewhere for long.
std::uint32_t Sampling::whole_blocks(const LaunchPosition& at, double requests) {
    const double all = at.each * static_cast<double>(at.live);
    return static_cast<std::uint32_t>(std::max(1.0, std::round(requests / all)));
}

void Sampling::begin_stretch(const LaunchPosition& at, Stretch now) {
    phase_ = Phase::kMeasure;
    from_ = std::move(now);
    length_ = length(at);
    until_ = at.requests + length_;
}

void Sampling::look(const LaunchPosition& at, const std::function<Stretch()>& measure,
                    const std::function<void(const Stretch& before, const Stretch& behind)>& settle) {
    if (phase_ == Phase::kBegin) {
        if (!is_worth_it(at)) return;
        if (until_ == 0) until_ = at.requests + kBegin * length(at);
        if (at.requests < until_) return;
        return begin_stretch(at, measure());
    }
    if (at.requests < until_ || phase_ == Phase::kWhole) return;
    if (phase_ == Phase::kFindPace) return begin_stretch(at, measure());
    Stretch now = measure();
    Stretch stretch = now.since(from_);
    const double apart = before_ ? difference(*before_, stretch) : 1;
    if (std::exchange(is_open_, false)) {
        settle(*before_, stretch);
        if (phase_ == Phase::kWhole) return;
        const double before = times_ > 0 ? times_ : kFirstTimes;
        times_ = apart <= kAlike ? std::min(kMostTimes, 2 * before) : std::max(kLeastTimes, before / 2);
    } else if (before_ && apart > kAlike) {
        longer_ = std::min(kMostLonger, 2 * longer_);  // what differs by chance does so less then
    }
    before_ = std::move(stretch);
    // Behind what goes by, a stretch is measured, and before it the clock finds its pace.
    const double length = static_cast<double>(length_), behind = length + length / kPacePart;
    const double most = std::min(kMostOfLeft * at.left, at.left - behind);
    if (at.live == 0 || gives_way(*before_) || apart > kClose || most < kLeastTimes * length)
        return begin_stretch(at, std::move(now));
    if (times_ == 0) times_ = kFirstTimes;
    const double passes = std::min(times_ * length, most);
    to_pass_ = static_cast<std::uint64_t>(passes);
    blocks_ = are_short(at) ? whole_blocks(at, passes) : 0;
    if (blocks_ != 0) to_pass_ = ~std::uint64_t{0};
    live_ = at.live;
    phase_ = Phase::kPass;
}

bool Sampling::goes_on(std::uint64_t passed, const std::vector<std::uint64_t>& mix,
                       std::optional<std::uint64_t> live) const {
    return passed < to_pass_ && (!live || static_cast<double>(*live) >= kFewerWarps * static_cast<double>(live_)) &&
           (mix.empty() || difference(mix, before_->mix) <= kOtherMix);
}

void Sampling::stop() { phase_ = Phase::kWhole; }

void Sampling::resume(std::uint64_t requests) {
    phase_ = Phase::kFindPace;
    is_open_ = true;
    until_ = requests + length_ / kPacePart;
}

void Sampling::end(const std::function<void(const Stretch& before, const Stretch& behind)>& settle) {
    if (std::exchange(is_open_, false)) settle(*before_, {});
}

}  // namespace tilescope::observers
