#include "scope/observers/hierarchy/replay.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "scope/observers/hierarchy/in_turn.h"
#include "scope/observers/hierarchy/scheduler/placement.h"

namespace tilescope::observers {
namespace {

// Bytes of delivered blocks that have not begun; beyond, who brings more helps first.
constexpr std::uint64_t kEnoughWaiting = std::uint64_t{4} << 20;  // numeric: of the host's memory
// SMs whose reads do not meet can be in any GPC.
constexpr unsigned kGpcs = 8;  // numeric: to share the work out
// Asks in a window that are worth another thread's help.
constexpr std::size_t kWorthHelp = 200;  // numeric: by time that it took here
// How many requests ahead the host is told of what they may join.
constexpr std::size_t kJoinAhead = 8;  // numeric: by time that it took here
// Steps of time by which a slice orders its requests.
constexpr std::uint64_t kSteps = 1024;  // numeric: of a sort

}  // namespace

Replay::Replay(HierarchyRules rules, std::uint64_t blocks, std::size_t ops, std::shared_ptr<SecondLevel> second,
               std::shared_ptr<const BufferMap> buffers)
    : rules_([&] {
          rules.scheduler.blocks_per_sm = std::max<std::uint64_t>(
              1, std::min<std::uint64_t>(rules.scheduler.blocks_per_sm,
                                         (blocks + rules.scheduler.sms - 1) / rules.scheduler.sms));
          return std::move(rules);
      }()),
      blocks_(blocks),
      second_(std::move(second)),
      buffers_(buffers ? std::move(buffers) : std::make_shared<const BufferMap>()),
      ops_(ops),
      written_before_(second_->written_back()),
      window_(std::max(1u, rules_.l2.near_latency)),
      sampling_(rules_.sampling) {
    second_->begin_launch(ops_, buffers_);
    for (const std::uint32_t place : first_places(rules_.scheduler, rules_.scheduler.blocks_per_sm, blocks))
        free_.emplace_back(0, place);
    for (Order& order : order_) order.in_flight.emplace(rules_.misses, rules_.l2.near_latency);
    gpc_of_.resize(rules_.scheduler.sms);
    unsigned gpcs = 0;
    for (std::uint32_t sm = 0; sm < rules_.scheduler.sms; ++sm) {
        gpc_of_[sm] = rules_.misses.gpc_reads > 1
                          ? rules_.scheduler.gpc[sm]
                          : static_cast<std::uint8_t>(std::uint64_t{sm} * kGpcs / rules_.scheduler.sms);
        gpcs = std::max(gpcs, gpc_of_[sm] + 1u);
    }
    for (unsigned gpc = 0; gpc < gpcs; ++gpc)
        gpcs_.push_back(std::make_unique<Gpc>(rules_, gpc_of_, gpc, ops_, *second_, *buffers_));
}

void Replay::show(machine::LaunchProgress* progress) {
    progress_ = progress;
    if (progress_ != nullptr) progress_->expect_replay();
}

// Of the requests that there will be, as far as the blocks that were delivered tell, those that have been led through.
void Replay::tell_progress() {
    if (progress_ == nullptr) return;
    std::uint64_t done = 0;
    for (const auto& gpc : gpcs_) done += gpc->requests_done();
    done += passed_all_;
    const auto delivered = static_cast<double>(blocks_delivered_), requests = static_cast<double>(requests_);
    if (requests > 0)
        progress_->set_replayed(static_cast<double>(done) / (requests * static_cast<double>(blocks_) / delivered));
    progress_->tell();
}

TrafficByPlace Replay::traffic_by_place() const {
    TrafficByPlace sums = traffic_seen();
    for (const auto& [place, traffic] : estimate_.traffic()) sums[place] += traffic;
    return sums;
}

TrafficByPlace Replay::traffic_seen() const {
    TrafficByPlace sums;
    for (const auto& gpc : gpcs_)
        for (const BufferTraffic& one : gpc->traffic()) sums[{one.op, one.buffer}] += one.traffic;
    return sums;
}

std::vector<CacheTraffic> Replay::traffic() const {
    std::vector<CacheTraffic> all(ops_);
    for (const auto& [place, traffic] : traffic_by_place()) all[place.first] += traffic;
    return all;
}

// By op, then by buffer.
std::vector<BufferTraffic> Replay::traffic_by_buffer() const {
    std::vector<BufferTraffic> all;
    for (const auto& [place, traffic] : traffic_by_place()) all.push_back({place.first, place.second, traffic});
    return all;
}

StoresSent Replay::stores() const {
    StoresSent all;
    for (const auto& gpc : gpcs_) all.add(gpc->stores());
    all.by_line.add(hot_passed_, estimate_.sent_share());
    all.lines += static_cast<std::uint64_t>(estimate_.lines());
    all.in_part += static_cast<std::uint64_t>(estimate_.in_part());
    return all;
}

double Replay::share_replayed() const {
    std::uint64_t seen = 0;
    for (const auto& gpc : gpcs_) seen += gpc->requests_done();
    const std::uint64_t all = seen + estimate_.requests();
    return all == 0 ? 1 : static_cast<double>(seen) / static_cast<double>(all);
}

GpcClock Replay::clock() const {
    GpcClock all;
    const auto add = [](std::uint64_t& own, std::uint64_t more) { own += more; };
    for (const auto& gpc : gpcs_) {
        const GpcClock one = gpc->clock();
        all.for_each_part(add, one);
        all.warps += one.warps;
        all.ends += one.ends;
        all.sms += one.sms;
        all.resident += one.resident;
        all.spread.add(one.spread);
        all.longest_warp = std::max(all.longest_warp, one.longest_warp);
    }
    all.for_each_part(add, estimate_.time());
    return all;
}

// ---- Blocks come in -------------------------------------------------------------------------------------------------

bool Replay::grow(std::uint64_t bytes) {
    if (growing_.fetch_add(bytes) + bytes > rules_.max_traffic_bytes) abandoned_ = true;
    return !abandoned_;
}

void Replay::deliver(BlockTraffic&& traffic, std::uint64_t grown) {
    growing_ -= grown;
    if (abandoned_) return;
    std::unique_ptr<RunningBlock> block = RunningBlock::of(traffic, rules_.warps);
    const std::uint64_t number = block->traffic.block, bytes = block->bytes();
    requests_ += block->count;
    ++blocks_delivered_;
    std::unique_lock lock(mutex_);
    waiting_bytes_ += bytes;
    kept_bytes_ += bytes;
    delivered_.emplace(number, std::move(block));
    if (kept_bytes_ + growing_ + note_bytes_ > rules_.max_traffic_bytes || abandoned_) {
        abandoned_ = true;
        delivered_.clear();
        workers_.dismiss();
        if (progress_ != nullptr) progress_->drop_replay();
        return;
    }
    while (running_ && waiting_bytes_ > kEnoughWaiting && !abandoned_) {
        lock.unlock();
        workers_.help([this] { return waiting_bytes_ <= kEnoughWaiting; });
        lock.lock();
    }
    if (!running_ && !abandoned_) run(lock);
}

// As far as it goes with what was delivered.
void Replay::run(std::unique_lock<std::mutex>& lock) {
    running_ = true;
    workers_.assemble();
    changed_.notify_all();
    while (!abandoned_ && hand_out()) {
        lock.unlock();
        const bool goes_on = sampling_.passes() ? pass() : go_through_window();
        tell_progress();
        lock.lock();
        if (!goes_on) break;
    }
    running_ = false;
    workers_.dismiss();
    changed_.notify_all();
}

// A launch that faulted never comes to its end: then who leaves last lets the others go.
void Replay::leave() {
    std::unique_lock lock(mutex_);
    --working_;
    changed_.notify_all();
    while (ended_ < blocks_ && !abandoned_) {
        if (running_) {
            lock.unlock();
            workers_.help([] { return false; });
            lock.lock();
        } else if (working_ == 0) {
            return;
        } else {
            changed_.wait(lock, [this] { return running_ || working_ == 0 || abandoned_; });
        }
    }
}

// Blocks go to free places, in their order. False when the next one has not been delivered.
bool Replay::hand_out() {
    while (!free_.empty() && next_block_ < blocks_) {
        const auto found = delivered_.find(next_block_);
        if (found == delivered_.end()) return false;
        std::unique_ptr<RunningBlock> block = std::move(found->second);
        delivered_.erase(found);
        ++next_block_;
        requests_begun_ += block->count;
        const auto [since, place] = free_.front();
        free_.pop_front();
        waiting_bytes_ -= block->bytes();
        block->place = place;
        Gpc& gpc = *gpcs_[gpc_of_[place % rules_.scheduler.sms]];
        if (sampling_.passes())
            gpc.pass_in(std::move(block));
        else
            gpc.start(std::move(block), since);
    }
    return true;
}

// ---- Windows --------------------------------------------------------------------------------------------------------

std::uint64_t Replay::next_turn() const {
    std::uint64_t next = ~std::uint64_t{0};
    for (const auto& gpc : gpcs_) next = std::min(next, gpc->next_turn());
    return next;
}

bool Replay::release_stuck() {
    bool released = false;
    for (const auto& gpc : gpcs_) released = gpc->release_stuck() || released;
    return released;
}

// False when everything has ended.
bool Replay::go_through_window() {
    std::uint64_t begin = next_turn();
    if (begin == ~std::uint64_t{0}) {
        if (!release_stuck()) return false;
        begin = next_turn();
    }
    now_ = begin + window_;
    const bool worth = requested_ > kWorthHelp;
    const auto gpcs = static_cast<unsigned>(gpcs_.size());
    workers_.run(gpcs, worth, [this](unsigned gpc) { gpcs_[gpc]->run_until(now_); });
    workers_.run(SecondLevel::kSlices, worth, [this](unsigned slice) { serve(slice); });
    workers_.run(gpcs, worth, [this](unsigned gpc) { gpcs_[gpc]->take_responses(); });
    requested_ = 0;
    for (const Order& order : order_) requested_ += order.turns.size();
    take_freed();
    consider_sampling();
    return true;
}

// Places where blocks ended are free again.
void Replay::take_freed() {
    note_bytes_ = second_->note_bytes();
    for (const auto& gpc : gpcs_) note_bytes_ += gpc->note_bytes();
    std::vector<std::pair<std::uint64_t, std::uint32_t>> freed;
    for (const auto& gpc : gpcs_) {
        freed.insert(freed.end(), gpc->freed().begin(), gpc->freed().end());
        kept_bytes_ -= gpc->freed_bytes();
        gpc->forget_freed();
    }
    std::sort(freed.begin(), freed.end());
    for (const auto& [when, place] : freed) {
        cycles_ = std::max(cycles_, when);
        free_.emplace_back(when + std::max<std::uint64_t>(window_, rules_.scheduler.block_pause), place);
    }
    ended_ += freed.size();
}

// What GPCs request of a slice, in the order of time; at the same time, in that of GPCs and of their requests.
void Replay::serve(unsigned slice) {
    Order& order = order_[slice];
    std::size_t all = 0;
    std::uint64_t from = ~std::uint64_t{0}, until = 0;
    for (const auto& gpc : gpcs_) {
        all += gpc->requests(slice).size();
        from = std::min(from, gpc->times(slice).first);
        until = std::max(until, gpc->times(slice).last);
    }
    order.turns.resize(all);
    if (all == 0) return;
    const int shift = std::bit_width((until - from) / kSteps);
    order.starts.assign(((until - from) >> shift) + 2, 0);
    for (const auto& gpc : gpcs_)
        for (const L2Request& request : gpc->requests(slice)) ++order.starts[((request.time - from) >> shift) + 1];
    for (std::size_t i = 1; i < order.starts.size(); ++i) order.starts[i] += order.starts[i - 1];
    for (const auto& gpc : gpcs_)
        for (const L2Request& request : gpc->requests(slice))
            order.turns[order.starts[(request.time - from) >> shift]++] = {&request, &gpc->response(request.number)};

    const auto request_of = [&](std::size_t i) -> const L2Request& { return *order.turns[i].request; };
    const auto expect = [&](std::size_t i) {
        __builtin_prefetch(order.turns[i].request);
        __builtin_prefetch(order.turns[i].response, 1);
    };
    in_turn(*second_, all, request_of, expect, [&](std::size_t i) {
        if (i + kJoinAhead < all && request_of(i + kJoinAhead).gpc != L2Request::kAlone)
            order.in_flight->expect(request_of(i + kJoinAhead).line, request_of(i + kJoinAhead).gpc);
        const L2Request& request = request_of(i);
        L2Response& response = *order.turns[i].response;
        const bool may_join = request.gpc != L2Request::kAlone;
        const std::uint64_t ready =
            may_join ? order.in_flight->join(request.time, request.line, request.sectors, request.gpc) : 0;
        if (ready != 0) {
            response = {};
            response.ready = ready;
            response.joined = true;
            return;
        }
        const SecondLevel::Response served = respond(request);
        if (may_join) order.in_flight->put(request.line, request.gpc, served.ready);
        response = response_of(request, served);
    });
}

L2Response Replay::response_of(const L2Request& request, const SecondLevel::Response& served) {
    L2Response response;
    response.ready = served.ready;
    response.fetched = static_cast<std::uint16_t>(served.fetched);
    response.found = static_cast<std::uint8_t>(request.kind == L2RequestKind::kRead ? served.found : 0);
    response.over_fabric = static_cast<std::uint8_t>(served.over_fabric);
    response.why = served.why;
    return response;
}

SecondLevel::Response Replay::respond(const L2Request& request) {
    const SecondLevel::Place place{request.line, request.set};
    switch (request.kind) {
        case L2RequestKind::kWrite:
            return second_->write(request.time, request.part, place, {0, request.sectors, request.whole}, request.masks,
                                  request.eviction);
        case L2RequestKind::kUpdate:
            return second_->update(request.time, request.part, place, request.sectors, request.op, request.eviction);
        case L2RequestKind::kRead:
        case L2RequestKind::kConstant:
        case L2RequestKind::kPrefetch: break;
    }
    SecondLevel::Response served = second_->read(request.time, request.part, place, request.sectors, request.op,
                                                 {request.eviction, request.whole_line != 0});
    if (request.kind != L2RequestKind::kRead) served.why = {};  // it is no load's
    return served;
}

}  // namespace tilescope::observers
