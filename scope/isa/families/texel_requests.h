// The requests of one warp instruction to textures or surfaces, for those who want to know of them.
#pragma once

#include <vector>

#include "scope/machine/worker.h"
#include "scope/texture/footprint.h"

namespace tilescope::isa {

class TexelRequests {
public:
    TexelRequests(const machine::Warp& warp, const machine::Op& op, machine::TexelsKind kind)
        : warp_(warp), op_(op), kind_(kind), is_wanted_(warp.worker->audience.wants(machine::Event::kTexels)) {}

    // The footprint of the lane's request; null: nobody asks. Lanes come in order.
    texture::Footprint* of_lane(unsigned lane, unsigned threads) {
        if (!is_wanted_) return nullptr;
        const unsigned number = lane / threads;
        if (number != current_ || threads != threads_) close();
        current_ = number;
        threads_ = threads;
        is_open_ = true;
        return &footprint_;
    }
    void tell() {
        if (!is_wanted_) return;
        close();
        if (requests_ == 0) return;
        machine::Texels event;
        machine::fill(event, warp_, op_);
        event.kind = kind_;
        event.requests = requests_;
        event.sectors = sectors_.data();
        event.count = static_cast<unsigned>(sectors_.size());
        warp_.worker->audience.tell(event);
    }

private:
    void close() {
        if (!is_open_) return;
        sectors_.insert(sectors_.end(), footprint_.data(), footprint_.data() + footprint_.count());
        footprint_.clear();
        ++requests_;
        is_open_ = false;
    }

    const machine::Warp& warp_;
    const machine::Op& op_;
    machine::TexelsKind kind_;
    bool is_wanted_, is_open_ = false;
    unsigned current_ = 0, threads_ = 0, requests_ = 0;
    texture::Footprint footprint_;
    std::vector<std::uint64_t> sectors_;
};

}  // namespace tilescope::isa
