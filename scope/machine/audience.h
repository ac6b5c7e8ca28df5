// Audience: which observers of a worker get which events, settled before its first block.
//
// Owns: lists of observers, by site and space and by kind of event. Guarantees: sites with the same observers share
// one list, and a list keeps the observers' order.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "scope/machine/observer.h"

namespace tilescope::machine {

// Observers of accesses, by space.
struct Listeners {
    std::array<std::vector<Observer*>, kSpaces> by_space;
    std::uint32_t spaces = 0;  // in which there are any

    void tell(const Access& access) const {
        for (Observer* observer : by_space[static_cast<unsigned>(access.space)]) observer->on_access(access);
    }
};

class Audience {
public:
    void add(Observer& observer);
    // Who listens to a site; the same as long as the audience lives.
    const Listeners& listeners(const Site& site, View view);

    bool wants(Event event) const { return (events_ & bit_of(event)) != 0; }
    void tell(const BarrierArrival& event) const { tell(Event::kBarrierArrival, &Observer::on_barrier, event); }
    void tell(const BarrierPassed& event) const { tell(Event::kBarrierPassed, &Observer::on_barrier_passed, event); }
    void tell(const WarpBarrier& event) const { tell(Event::kWarpBarrier, &Observer::on_warp_barrier, event); }
    void tell(const Fence& event) const { tell(Event::kFence, &Observer::on_fence, event); }
    void tell(const CopyGroup& event) const { tell(Event::kCopyGroup, &Observer::on_copy_group, event); }
    void tell(const BarrierObjectUse& event) const { tell(Event::kBarrierObject, &Observer::on_barrier_object, event); }
    void tell(const Prefetch& event) const { tell(Event::kPrefetch, &Observer::on_prefetch, event); }
    void tell(const WarpEnd& event) const { tell(Event::kWarpEnd, &Observer::on_warp_end, event); }
    void tell(const HeapBlock& event) const { tell(Event::kHeapBlock, &Observer::on_heap_block, event); }
    void tell(const GridDependency& event) const { tell(Event::kGridDependency, &Observer::on_grid_dependency, event); }
    void tell(const ProductGroup& event) const { tell(Event::kProductGroup, &Observer::on_product_group, event); }
    void tell(const Texels& event) const { tell(Event::kTexels, &Observer::on_texels, event); }
    void begin_block(const BlockPlace& block) const {
        for (Observer* observer : observers_) observer->begin_block(block);
    }
    void end_block(const BlockPlace& block) const {
        for (Observer* observer : observers_) observer->end_block(block);
    }

private:
    template <class E>
    void tell(Event which, void (Observer::*call)(const E&), const E& event) const {
        for (Observer* observer : by_event_[static_cast<unsigned>(which)]) (observer->*call)(event);
    }

    // Those of one view, and the lists by what each of them wants, in their order.
    struct Viewers {
        std::vector<Observer*> observers;
        std::map<std::vector<std::uint32_t>, Listeners> listeners;
        std::vector<std::uint32_t> wanted;  // at the site that was asked about last
        const Listeners* last = nullptr;    // and who that was
    };

    std::vector<Observer*> observers_;
    std::array<std::vector<Observer*>, kEvents> by_event_;
    std::uint32_t events_ = 0;
    Viewers viewers_[2];  // by View
};

}  // namespace tilescope::machine
