#include "scope/observers/hierarchy/followed_launch.h"

#include <algorithm>
#include <utility>

namespace tilescope::observers {

FollowedLaunch::FollowedLaunch(LaunchTerms terms, std::shared_ptr<SecondLevel> second,
                               std::shared_ptr<KnownLaunches> known, machine::LaunchProgress* progress)
    : terms_(std::move(terms)), second_(std::move(second)), known_(std::move(known)), progress_(progress) {
    const bool remembers = known_ && terms_.state && terms_.blocks <= KnownLaunches::kMaxBlocks;
    if (remembers) {
        hashes_.resize(terms_.blocks);
        alike_ = known_->alike(terms_);
    }
    if (alike_.empty()) leads_ = &make_replay();
}

Replay& FollowedLaunch::make_replay() {
    replay_ = std::make_unique<Replay>(*terms_.rules, terms_.blocks, terms_.ops, second_, terms_.buffers);
    replay_->show(progress_);
    return *replay_;
}

// What came from other threads since goes to the replay itself; it wants blocks in any order.
void FollowedLaunch::begin_replay(std::unique_lock<std::mutex>& lock) {
    Replay& replay = make_replay();
    for (unsigned i = 0; i < working_; ++i) replay.enter();
    if (growing_ != 0) replay.grow(growing_);
    std::vector<Held> held = std::exchange(held_, {});
    leads_ = &replay;
    changed_.notify_all();
    lock.unlock();
    for (Held& block : held) replay.deliver(std::move(block.traffic), block.grown);
}

bool FollowedLaunch::grow(std::uint64_t bytes) {
    if (Replay* const replay = leads_) return replay->grow(bytes);
    std::unique_lock lock(mutex_);
    if (Replay* const replay = leads_) return replay->grow(bytes);
    growing_ += bytes;
    if (held_bytes_ + growing_ > std::min(kMaxHeld, terms_.rules->max_traffic_bytes / 2)) begin_replay(lock);
    return true;
}

bool FollowedLaunch::agrees(const KnownLaunch& known, std::uint64_t block) const {
    return known.blocks[block] == hashes_[block];
}

void FollowedLaunch::deliver(BlockTraffic&& traffic, std::uint64_t grown) {
    const std::uint64_t block = traffic.block;
    if (!hashes_.empty()) hashes_[block] = hash_of(traffic);  // each block's own place
    if (Replay* const replay = leads_) return replay->deliver(std::move(traffic), grown);
    std::unique_lock lock(mutex_);
    if (Replay* const replay = leads_) {
        lock.unlock();
        return replay->deliver(std::move(traffic), grown);
    }
    std::erase_if(alike_, [&](const auto& known) { return !agrees(*known, block); });
    ++came_;
    held_bytes_ += traffic.bytes();
    held_.push_back({std::move(traffic), grown});
    if (alike_.empty() || held_bytes_ + growing_ > std::min(kMaxHeld, terms_.rules->max_traffic_bytes / 2))
        return begin_replay(lock);
    if (came_ < terms_.blocks) return;
    answer_ = alike_.front()->answer;
    held_.clear();
    changed_.notify_all();
}

void FollowedLaunch::enter() {
    const std::unique_lock lock(mutex_);
    ++working_;
    if (Replay* const replay = leads_) replay->enter();
}

// Who has no more blocks to bring waits for whoever has: there may be something to help with.
void FollowedLaunch::leave() {
    std::unique_lock lock(mutex_);
    if (leads_ == nullptr) {
        // The replay, if it begins while somebody waits, counts those who wait, too.
        ++waiting_;
        changed_.notify_all();
        changed_.wait(lock, [this] { return leads_ != nullptr || answer_ || waiting_ == working_; });
        --waiting_;
        if (leads_ == nullptr) {
            --working_;
            return;
        }
    }
    --working_;
    lock.unlock();
    leads_.load()->leave();
}

std::shared_ptr<const ReplayAnswer> FollowedLaunch::answer() {
    if (answer_) {
        if (!alike_.empty()) known_->used(std::exchange(alike_, {}).front());
        return answer_;
    }
    if (!replay_ || !replay_->is_complete()) return nullptr;
    answer_ = std::make_shared<const ReplayAnswer>(answer_of(*replay_));
    const bool may_answer = !hashes_.empty() && (!terms_.is_kept || second_->state() == terms_.state);
    if (may_answer) known_->add({terms_, std::move(hashes_), answer_});
    replay_.reset();
    return answer_;
}

}  // namespace tilescope::observers
