// The requests of one warp instruction to textures or surfaces, for those who want to know of them.
#pragma once

#include <algorithm>
#include <cstdint>

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
    // Where a lane reads or writes a surface.
    void touch(unsigned lane, std::uint64_t address) {
        if (!is_wanted_) return;
        addresses_[lane] = address;
        touching_ |= 1u << lane;
    }
    // width: of what each lane touches of a surface, in bytes.
    void tell(unsigned width = 0, bool is_atomic = false) {
        if (!is_wanted_) return;
        close();
        if (requests_ == 0) return;
        machine::Texels event;
        machine::fill(event, warp_, op_);
        event.kind = kind_;
        event.requests = requests_;
        event.sectors = sectors_;
        event.count = count_;
        event.addresses = addresses_;
        event.touching = touching_;
        event.width = static_cast<std::uint8_t>(width);
        event.is_atomic = is_atomic;
        warp_.worker->audience.tell(event);
    }

private:
    void close() {
        if (!is_open_) return;
        std::copy_n(footprint_.data(), footprint_.count(), sectors_ + count_);
        count_ += footprint_.count();
        footprint_.clear();
        ++requests_;
        is_open_ = false;
    }

    const machine::Warp& warp_;
    const machine::Op& op_;
    machine::TexelsKind kind_;
    bool is_wanted_, is_open_ = false;
    unsigned current_ = 0, threads_ = 0, requests_ = 0;
    std::uint32_t touching_ = 0;
    std::uint64_t addresses_[machine::kWarpSize];  // of the lanes in touching_
    texture::Footprint footprint_;
    // Two levels of eight texels for each lane.
    std::uint64_t sectors_[16 * machine::kWarpSize];
    unsigned count_ = 0;
};

}  // namespace tilescope::isa
