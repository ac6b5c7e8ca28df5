#include "scope/observers/caches/replay.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "scope/observers/caches/placement.h"

namespace tilescope::observers {
namespace {

// Bytes of delivered blocks that have not begun; beyond, who brings more helps first.
constexpr std::uint64_t kEnoughWaiting = std::uint64_t{4} << 20;
// SMs whose reads do not meet can be in any team.
constexpr unsigned kTeams = 8;
// Asks in a window that are worth another thread's help.
constexpr std::size_t kWorthHelp = 200;
// Steps of time by which a slice orders what it is asked.
constexpr std::uint64_t kSteps = 1024;
// How far ahead of an ask the host is told of its set and its way.
constexpr std::size_t kFarAhead = 24, kAhead = 12;

}  // namespace

Replay::Replay(CacheFigures figures, std::uint64_t blocks, std::size_t ops, std::shared_ptr<SecondLevel> second,
               std::shared_ptr<const BufferMap> buffers)
    : figures_([&] {
          figures.blocks_per_sm = std::max<std::uint64_t>(
              1, std::min<std::uint64_t>(figures.blocks_per_sm, (blocks + figures.sms - 1) / figures.sms));
          return std::move(figures);
      }()),
      blocks_(blocks),
      second_(std::move(second)),
      buffers_(buffers ? std::move(buffers) : std::make_shared<const BufferMap>()),
      ops_(ops),
      written_before_(second_->written_back()),
      window_(std::max(1u, figures_.near_latency)) {
    second_->begin_launch(ops_, buffers_);
    for (const std::uint32_t place : first_places(figures_, figures_.blocks_per_sm, blocks))
        free_.emplace_back(0, place);
    for (Order& order : order_) order.coalescer.emplace(figures_);
    team_of_.resize(figures_.sms);
    unsigned teams = 0;
    for (std::uint32_t sm = 0; sm < figures_.sms; ++sm) {
        team_of_[sm] = figures_.merged_reads > 1 ? figures_.group[sm]
                                                 : static_cast<std::uint8_t>(std::uint64_t{sm} * kTeams / figures_.sms);
        teams = std::max(teams, team_of_[sm] + 1u);
    }
    for (unsigned team = 0; team < teams; ++team)
        teams_.push_back(std::make_unique<Team>(figures_, team_of_, team, ops_, *second_, *buffers_));
}

std::vector<CacheTraffic> Replay::traffic() const {
    std::vector<CacheTraffic> all(ops_);
    for (const auto& team : teams_)
        for (const BufferTraffic& one : team->traffic()) all[one.op] += one.traffic;
    return all;
}

// By op, then by buffer.
std::vector<BufferTraffic> Replay::traffic_by_buffer() const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, CacheTraffic> sums;
    for (const auto& team : teams_)
        for (const BufferTraffic& one : team->traffic()) sums[{one.op, one.buffer}] += one.traffic;
    std::vector<BufferTraffic> all;
    all.reserve(sums.size());
    for (const auto& [place, traffic] : sums) all.push_back({place.first, place.second, traffic});
    return all;
}

StoresSent Replay::stores() const {
    StoresSent all;
    for (const auto& team : teams_) all.add(team->stores());
    return all;
}

TeamClock Replay::clock() const {
    TeamClock all;
    for (const auto& team : teams_) {
        const TeamClock one = team->clock();
        for (std::uint64_t TeamClock::*part :
             {&TeamClock::warps, &TeamClock::slots, &TeamClock::arithmetic, &TeamClock::pipe, &TeamClock::memory,
              &TeamClock::local, &TeamClock::barriers, &TeamClock::ends, &TeamClock::sms})
            all.*part += one.*part;
        all.longest_warp = std::max(all.longest_warp, one.longest_warp);
    }
    return all;
}

// ---- Blocks come in -------------------------------------------------------------------------------------------------

std::unique_ptr<RunningBlock> Replay::sorted(BlockTraffic traffic, std::uint32_t warps) {
    auto block = std::make_unique<RunningBlock>();
    block->live = warps;
    block->arrived.resize(traffic.meetings.size());
    block->starts.assign(warps + 1, 0);
    for (const Request& request : traffic.requests) ++block->starts[request.warp + 1];
    for (std::uint32_t w = 0; w < warps; ++w) block->starts[w + 1] += block->starts[w];
    std::vector<Request> by_warp(traffic.requests.size());
    std::vector<std::uint32_t> next(block->starts.begin(), block->starts.end() - 1);
    for (const Request& request : traffic.requests) by_warp[next[request.warp]++] = request;
    block->traffic = std::move(traffic);
    block->traffic.requests = std::move(by_warp);
    return block;
}

bool Replay::grow(std::uint64_t bytes) {
    if (growing_.fetch_add(bytes) + bytes > figures_.max_traffic_bytes) abandoned_ = true;
    return !abandoned_;
}

void Replay::deliver(BlockTraffic traffic, std::uint64_t grown) {
    growing_ -= grown;
    if (abandoned_) return;
    std::unique_ptr<RunningBlock> block = sorted(std::move(traffic), figures_.warps);
    const std::uint64_t number = block->traffic.block, bytes = block->traffic.bytes();
    std::unique_lock lock(mutex_);
    waiting_bytes_ += bytes;
    kept_bytes_ += bytes;
    delivered_.emplace(number, std::move(block));
    if (kept_bytes_ + growing_ + note_bytes_ > figures_.max_traffic_bytes || abandoned_) {
        abandoned_ = true;
        delivered_.clear();
        crew_.dismiss();
        return;
    }
    while (running_ && waiting_bytes_ > kEnoughWaiting && !abandoned_) {
        lock.unlock();
        crew_.help([this] { return waiting_bytes_ <= kEnoughWaiting; });
        lock.lock();
    }
    if (!running_ && !abandoned_) run(lock);
}

// As far as it goes with what was delivered.
void Replay::run(std::unique_lock<std::mutex>& lock) {
    running_ = true;
    crew_.assemble();
    changed_.notify_all();
    while (!abandoned_ && hand_out()) {
        lock.unlock();
        const bool goes_on = go_through_window();
        lock.lock();
        if (!goes_on) break;
    }
    running_ = false;
    crew_.dismiss();
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
            crew_.help([] { return false; });
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
        const auto [since, place] = free_.front();
        free_.pop_front();
        waiting_bytes_ -= block->traffic.bytes();
        block->place = place;
        teams_[team_of_[place % figures_.sms]]->start(std::move(block), since);
    }
    return true;
}

// ---- Windows --------------------------------------------------------------------------------------------------------

std::uint64_t Replay::next_turn() const {
    std::uint64_t next = ~std::uint64_t{0};
    for (const auto& team : teams_) next = std::min(next, team->next_turn());
    return next;
}

bool Replay::release_stuck() {
    bool released = false;
    for (const auto& team : teams_) released = team->release_stuck() || released;
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
    const bool worth = asked_ > kWorthHelp;
    const auto teams = static_cast<unsigned>(teams_.size());
    crew_.run(teams, worth, [this](unsigned team) { teams_[team]->go_to(now_); });
    crew_.run(SecondLevel::kSlices, worth, [this](unsigned slice) { answer(slice); });
    crew_.run(teams, worth, [this](unsigned team) { teams_[team]->take_answers(); });
    note_bytes_ = second_->note_bytes();
    for (const auto& team : teams_) note_bytes_ += team->note_bytes();
    asked_ = 0;
    for (const Order& order : order_) asked_ += order.turns.size();
    std::vector<std::pair<std::uint64_t, std::uint32_t>> freed;
    for (const auto& team : teams_) {
        freed.insert(freed.end(), team->freed().begin(), team->freed().end());
        kept_bytes_ -= team->freed_bytes();
        team->forget_freed();
    }
    std::sort(freed.begin(), freed.end());
    for (const auto& [when, place] : freed) {
        cycles_ = std::max(cycles_, when);
        free_.emplace_back(when + std::max<std::uint64_t>(window_, figures_.block_pause), place);
    }
    ended_ += freed.size();
    return true;
}

// What teams ask of a slice, in the order of time; at the same time, that of teams, and of what each asked first.
void Replay::answer(unsigned slice) {
    Order& order = order_[slice];
    std::size_t all = 0;
    std::uint64_t from = ~std::uint64_t{0}, until = 0;
    for (const auto& team : teams_)
        for (const Ask& ask : team->asks(slice)) {
            ++all;
            from = std::min(from, ask.time);
            until = std::max(until, ask.time);
        }
    order.turns.resize(all);
    if (all == 0) return;
    const int shift = std::bit_width((until - from) / kSteps);
    order.starts.assign(((until - from) >> shift) + 2, 0);
    for (const auto& team : teams_)
        for (const Ask& ask : team->asks(slice)) ++order.starts[((ask.time - from) >> shift) + 1];
    for (std::size_t i = 1; i < order.starts.size(); ++i) order.starts[i] += order.starts[i - 1];
    for (const auto& team : teams_)
        for (const Ask& ask : team->asks(slice))
            order.turns[order.starts[(ask.time - from) >> shift]++] = {&ask, &team->answer(ask.number)};

    SecondLevel& second = *second_;
    const auto ahead = [&](std::size_t i, auto expect) {
        if (i < all) expect(*order.turns[i].ask);
    };
    const auto set = [&](const Ask& ask) { second.expect(ask.part, {ask.line, ask.set}); };
    const auto way = [&](const Ask& ask) {
        second.expect_way(ask.part, {ask.line, ask.set}, ask.kind != Ask::Kind::kRead);
    };
    for (std::size_t i = 0; i < kFarAhead; ++i) ahead(i, set);
    for (std::size_t i = 0; i < kAhead; ++i) ahead(i, way);
    for (std::size_t i = 0; i < all; ++i) {
        ahead(i + kFarAhead, set);
        ahead(i + kAhead, way);
        const Ask& ask = *order.turns[i].ask;
        const SecondLevel::Place place{ask.line, ask.set};
        Told& told = *order.turns[i].told;
        const bool may_join = ask.group != Ask::kAlone;
        if (may_join)
            if (const std::uint64_t ready = order.coalescer->join(ask.time, ask.line, ask.sectors, ask.group);
                ready != 0) {
                told = {};
                told.ready = ready;
                told.joined = true;
                continue;
            }
        SecondLevel::Answer answer;
        switch (ask.kind) {
            case Ask::Kind::kRead:
                answer =
                    second.read(ask.time, ask.part, place, ask.sectors, ask.op, {ask.eviction, ask.whole_line != 0});
                break;
            case Ask::Kind::kWrite:
                answer = second.write(ask.time, ask.part, place, {0, ask.sectors, ask.whole}, ask.masks, ask.eviction);
                break;
            case Ask::Kind::kConstant:
            case Ask::Kind::kPrefetch:
                answer =
                    second.read(ask.time, ask.part, place, ask.sectors, ask.op, {ask.eviction, ask.whole_line != 0});
                answer.why = {};  // it is no load's
                break;
            case Ask::Kind::kUpdate:
                answer = second.update(ask.time, ask.part, place, ask.sectors, ask.op, ask.eviction);
                break;
        }
        if (may_join) order.coalescer->put(ask.line, ask.group, answer.ready);
        told.joined = false;
        told.ready = answer.ready;
        told.fetched = answer.fetched;
        told.found = static_cast<std::uint8_t>(ask.kind == Ask::Kind::kRead ? answer.found : 0);
        told.over_fabric = static_cast<std::uint8_t>(answer.over_fabric);
        told.why = answer.why;
    }
}

}  // namespace tilescope::observers
