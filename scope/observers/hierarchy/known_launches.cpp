#include "scope/observers/hierarchy/known_launches.h"

#define XXH_STATIC_LINKING_ONLY  // a state that needs no allocation
#include <xxhash.h>

#include <algorithm>
#include <utility>

namespace tilescope::observers {
namespace {

template <class T>
void add_all(XXH3_state_t& state, const std::vector<T>& list) {
    const std::uint64_t size = list.size();
    XXH3_128bits_update(&state, &size, sizeof size);
    if (size != 0) XXH3_128bits_update(&state, list.data(), size * sizeof(T));
}

template <class T>
bool same(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b) {
    return a == b || *a == *b;
}

}  // namespace

TrafficHash hash_of(const BlockTraffic& traffic) {
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    add_all(state, traffic.requests);
    add_all(state, traffic.words);
    add_all(state, traffic.meetings);
    const XXH128_hash_t hash = XXH3_128bits_digest(&state);
    return {hash.low64, hash.high64};
}

bool LaunchTerms::alike(const LaunchTerms& other) const {
    return state && state == other.state && is_kept == other.is_kept && blocks == other.blocks && ops == other.ops &&
           same(buffers, other.buffers) && same(rules, other.rules);
}

std::uint64_t KnownLaunches::bytes_of(const KnownLaunch& launch) {
    const std::uint64_t buffers = launch.terms.buffers->buffers().size() * sizeof(BufferMap::Buffer);
    const HierarchyRules& rules = *launch.terms.rules;
    return sizeof launch + launch.blocks.capacity() * sizeof(TrafficHash) + launch.answer->bytes() + buffers +
           sizeof rules + rules.paces.capacity() * sizeof(machine::WarpClock);
}

std::vector<std::shared_ptr<const KnownLaunch>> KnownLaunches::alike(const LaunchTerms& terms) {
    std::vector<std::shared_ptr<const KnownLaunch>> found;
    for (const auto& launch : launches_)
        if (launch->terms.alike(terms)) found.push_back(launch);
    return found;
}

void KnownLaunches::add(KnownLaunch launch) {
    const std::uint64_t bytes = bytes_of(launch);
    if (bytes > kMaxBytes) return;
    launches_.push_front(std::make_shared<const KnownLaunch>(std::move(launch)));
    bytes_ += bytes;
    while (launches_.size() > kMaxLaunches || bytes_ > kMaxBytes) {
        bytes_ -= bytes_of(*launches_.back());
        launches_.pop_back();
    }
}

void KnownLaunches::used(const std::shared_ptr<const KnownLaunch>& launch) {
    ++answered_;
    const auto at = std::find(launches_.begin(), launches_.end(), launch);
    if (at != launches_.end()) launches_.splice(launches_.begin(), launches_, at);
}

}  // namespace tilescope::observers
