// The requests of one warp instruction to textures or surfaces, for those who want to know of them.
#pragma once

#include <cstdint>
#include <vector>

#include "scope/machine/worker.h"
#include "scope/texture/footprint.h"

namespace tilescope::isa {

class TexelRequests {
public:
    TexelRequests(const machine::Warp& warp, const machine::Op& op, machine::TexelsKind kind)
        : warp_(warp), op_(op), kind_(kind), is_wanted_(warp.worker->audience.wants(machine::Event::kTexels)) {}

    // The footprint of the lane's part of a request; null: nobody asks. Lanes come in order.
    texture::Footprint* of_lane(unsigned lane, unsigned threads, const machine::TexelAccess& access) {
        if (!is_wanted_) return nullptr;
        const unsigned part = texture::threads_of_part(threads, access.filters, access.is_volume, access.bytes);
        if (requests_ == 0 || lane / threads != request_ || threads != threads_) {
            close();
            ++requests_;
        } else if (lane / part != part_) {
            close();
        }
        request_ = lane / threads;
        part_ = lane / part;
        threads_ = threads;
        access_ = access;
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
        if (counts_.empty()) return;
        machine::Texels event;
        machine::fill(event, warp_, op_);
        event.kind = kind_;
        event.access = access_;
        event.requests = requests_;
        event.parts = static_cast<unsigned>(counts_.size());
        event.counts = counts_.data();
        event.sectors = sectors_.data();
        event.count = static_cast<unsigned>(sectors_.size());
        event.addresses = addresses_;
        event.touching = touching_;
        event.width = static_cast<std::uint8_t>(width);
        event.is_atomic = is_atomic;
        warp_.worker->audience.tell(event);
    }

private:
    void close() {
        if (!is_open_) return;
        for (unsigned i = 0; i < texture::times_asked(access_.filters, access_.bytes); ++i) {
            sectors_.insert(sectors_.end(), footprint_.begin(), footprint_.end());
            counts_.push_back(static_cast<std::uint8_t>(footprint_.count()));
        }
        footprint_.clear();
        is_open_ = false;
    }

    const machine::Warp& warp_;
    const machine::Op& op_;
    machine::TexelsKind kind_;
    machine::TexelAccess access_;
    bool is_wanted_, is_open_ = false;
    unsigned requests_ = 0, request_ = 0, part_ = 0, threads_ = 0;
    std::uint32_t touching_ = 0;
    std::uint64_t addresses_[machine::kWarpSize];  // of the lanes in touching_
    texture::Footprint footprint_;
    std::vector<texture::Sector> sectors_;
    std::vector<std::uint8_t> counts_;
};

}  // namespace tilescope::isa
