// The replay's part in sampling: requests that go by without a clock, and what they would have taken.
#include <algorithm>
#include <optional>

#include "scope/observers/hierarchy/in_turn.h"
#include "scope/observers/hierarchy/replay.h"

namespace tilescope::observers {
namespace {

// The end of a launch begins where such a share of the warps come to theirs and none take their places.
constexpr double kEndingShare = 0.05;  // numeric: by errors seen (bench/README.md)

}  // namespace

Stretch Replay::done() const {
    Stretch all;
    all.cycles = now_;
    all.traffic = traffic_seen();
    all.mix.assign(ops_, 0);
    for (const auto& gpc : gpcs_) {
        all.requests += gpc->requests_done();
        all.time.for_each_part([](std::uint64_t& part, std::uint64_t more) { part += more; }, gpc->clock());
        const StoresSent& stores = gpc->sent();
        all.lines += stores.lines;
        all.in_part += stores.in_part;
        for (std::size_t op = 0; op < all.mix.size(); ++op) all.mix[op] += gpc->mix()[op];
    }
    return all;
}

void Replay::consider_sampling() {
    LaunchPosition at;
    std::uint64_t room = 0;
    for (const auto& gpc : gpcs_) {
        at.requests += gpc->requests_done();
        at.live += gpc->live_warps();
        room += gpc->warp_room();
    }
    const double warps = static_cast<double>(rules_.warps), blocks = static_cast<double>(blocks_);
    const double of_block =
        static_cast<double>(requests_begun_) / static_cast<double>(std::max<std::uint64_t>(1, next_block_));
    at.each = of_block / warps;
    at.all = of_block * blocks;
    at.waves = blocks / static_cast<double>(rules_.scheduler.sms * rules_.scheduler.blocks_per_sm);
    // The end: what is resident has its last requests to do.
    const double last = static_cast<double>(next_block_ < blocks_ ? room : at.live);
    const double end = std::min(at.each, Sampling::most_turns()) * last;
    at.left = at.all - static_cast<double>(passed_all_ + at.requests) - end;
    const auto settle = [this](const Stretch& before, const Stretch& behind) { settle_passed(before, behind); };
    if (ended_ == blocks_) return sampling_.end(settle);
    const auto measure = [this] {
        for (const auto& gpc : gpcs_) gpc->begin_stretch();
        return done();
    };
    sampling_.look(at, measure, settle);
    if (!sampling_.passes()) return;
    passed_at_ = now_;
    mixed_ = 0;
    mix_before_.clear();
    Gpc::Progress progress;
    if (!Sampling::are_short(at))
        for (const auto& gpc : gpcs_) gpc->add_progress(progress);
    for (const auto& gpc : gpcs_) {
        gpc->set_speeds(progress);
        if (sampling_.blocks_to_pass() != 0) gpc->pass_blocks(sampling_.blocks_to_pass());
        gpc->forget_passed();
    }
    second_->stop_clock(true);
}

// A few requests of each warp. False when everything has ended, which it does not: the end has a clock.
bool Replay::pass() {
    const auto gpcs = static_cast<unsigned>(gpcs_.size());
    std::uint64_t live = 0, ending = 0, before = 0, passed = 0;
    for (const auto& gpc : gpcs_) {
        live += gpc->live_warps();
        ending += gpc->ending_within(sampling_.turns());
        before += gpc->passed().requests;
    }
    const std::uint64_t left = blocks_ - next_block_;
    const bool ends = static_cast<double>(ending) >
                      static_cast<double>(left * rules_.warps) + kEndingShare * static_cast<double>(live);
    if (!ends) {
        workers_.run(gpcs, true, [this](unsigned gpc) { gpcs_[gpc]->pass(sampling_.turns()); });
        workers_.run(SecondLevel::kSlices, true, [this](unsigned slice) { serve_passed(slice); });
        workers_.run(gpcs, true, [this](unsigned gpc) { gpcs_[gpc]->take_passed(); });
        for (const auto& gpc : gpcs_) passed += gpc->passed().requests;
        passed_all_ += passed - before;
        take_freed();
        // Blocks that come take the places of those that went, as long as there are any.
        std::optional<std::uint64_t> fewer;
        if (next_block_ == blocks_) {
            fewer = 0;
            for (const auto& gpc : gpcs_) *fewer += gpc->live_warps();
        }
        std::vector<std::uint64_t> mix;
        if (before == 0 && sampling_.blocks_to_pass() != 0) {  // ends of blocks, which are of another kind
            mixed_ = passed;
            mix_before_ = mix_passed();
        }
        if (passed - mixed_ >= sampling_.enough()) {
            mixed_ = passed;
            std::vector<std::uint64_t> all = mix_passed();
            mix = all;
            for (std::size_t op = 0; op < mix_before_.size(); ++op) mix[op] -= mix_before_[op];
            mix_before_ = std::move(all);
        }
        if (passed != before && sampling_.goes_on(passed, mix, fewer)) return true;
    }
    second_->stop_clock(false);
    std::uint64_t requests = 0;
    for (const auto& gpc : gpcs_) {
        gpc->resume(sampling_.has_hits());
        requests += gpc->requests_done();
    }
    sampling_.resume(requests);
    if (ended_ == blocks_) consider_sampling();  // none is left that could have a clock
    return true;
}

std::vector<std::uint64_t> Replay::mix_passed() const {
    std::vector<std::uint64_t> all(ops_);
    for (const auto& gpc : gpcs_)
        for (std::size_t op = 0; op < all.size(); ++op) all[op] += gpc->passed().mix[op];
    return all;
}

void Replay::serve_passed(unsigned slice) {
    for (const auto& gpc : gpcs_) {
        const std::vector<L2Request>& requests = gpc->requests(slice);
        in_turn(
            *second_, requests.size(), [&](std::size_t i) -> const L2Request& { return requests[i]; },
            [&](std::size_t i) { __builtin_prefetch(&gpc->response(requests[i].number), 1); },
            [&](std::size_t i) { gpc->response(requests[i].number) = response_of(requests[i], respond(requests[i])); });
    }
}

void Replay::settle_passed(const Stretch& before, const Stretch& behind) {
    Estimate::Gone gone;
    for (const auto& gpc : gpcs_) {
        const Passed& passed = gpc->passed();
        gone.requests += passed.requests;
        gone.lines += passed.lines;
        for (std::size_t at = 0; at < passed.traffic.size(); ++at)
            gone.traffic[{gpc->traffic()[at].op, gpc->traffic()[at].buffer}] += passed.traffic[at];
    }
    if (gone.requests == 0) return;
    // Where an order of requests without a clock makes another thing of the caches, no more go by.
    Stretch around = before;
    if (estimate_.add(gone, before, behind))
        around.add(behind);
    else
        sampling_.stop();
    const double share = static_cast<double>(gone.requests) / static_cast<double>(around.requests);
    const auto cycles = static_cast<std::uint64_t>(share * static_cast<double>(around.cycles));
    passed_times_.push_back({passed_at_, cycles});
    for (const auto& gpc : gpcs_) {
        hot_passed_.add(gpc->passed().stored_lines);
        gpc->grow_older(passed_at_, cycles);
    }
}

}  // namespace tilescope::observers
