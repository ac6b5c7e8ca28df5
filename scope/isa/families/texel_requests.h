// The requests of one warp instruction to textures or surfaces, for those who want to know of them.
//
// Owns: TexelRequests. Guarantees: sectors in the order in which lanes first ask for them. Its lists lie on the stack
// and are left as they are until they are filled: an instruction that nobody asks about pays nothing for them.
#pragma once

#include <cstdint>
#include <memory>

#include "scope/machine/simd/target.h"
#include "scope/machine/worker.h"
#include "scope/texture/footprint.h"

namespace tilescope::isa::TILESCOPE_TARGET {

class TexelRequests {
public:
    TexelRequests(const machine::Warp& warp, const machine::Op& op, machine::TexelsKind kind)
        : warp_(warp), op_(op), kind_(kind), is_wanted_(warp.worker->audience.wants(machine::Event::kTexels)) {}

    bool is_wanted() const { return is_wanted_; }
    // The footprint of the lane's part of a request; null: nobody asks. Lanes come in order.
    texture::Footprint* of_lane(unsigned lane, unsigned threads, const texture::Image& image,
                                const machine::TexelAccess& access) {
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
        image_ = &image;
        is_open_ = true;
        return &footprint_;
    }

    // All lanes of `exec` at once, instead of of_lane(): add(lane, *this) adds the sectors of each. Somebody asks.
    template <class AddLane>
    void of_all(std::uint32_t exec, unsigned threads, const texture::Image& image, const machine::TexelAccess& access,
                const AddLane& add) {
        access_ = access;
        image_ = &image;
        const unsigned part = texture::threads_of_part(threads, access.filters, access.is_volume, access.bytes);
        for (unsigned first = 0; first < machine::kWarpSize; first += threads) {
            if ((exec >> first & lanes(threads)) == 0) continue;
            ++requests_;
            for (unsigned of_part = first; of_part < first + threads; of_part += part) {
                std::uint32_t left = exec & lanes(part) << of_part;
                if (left == 0) continue;
                begin_ = count_;
                for (; left != 0; left &= left - 1) add(static_cast<unsigned>(__builtin_ctz(left)), *this);
                end_part(begin_);
            }
        }
    }
    // A sector that lanes of this part may have asked for already: `key` is a number of its own, of which `hint` is a
    // few bits; address() is where a card has it.
    template <class Address>
    void add_sector(std::uint64_t key, unsigned hint, std::uint32_t bytes, const Address& address) {
        std::uint16_t& slot = slots_[hint % kSlots];
        if (slot >= begin_ && slot < count_ && keys_[slot] == key) {
            sectors_[slot].bytes |= bytes;
            return;
        }
        unsigned at = begin_;
        while (at < count_ && keys_[at] != key) ++at;
        if (at == count_) {
            if (count_ - begin_ == texture::Footprint::kMaxSectors) return;
            keys_[count_] = key;
            std::construct_at(sectors_ + count_++, texture::Sector{address(), 0u});
        }
        sectors_[at].bytes |= bytes;
        slot = static_cast<std::uint16_t>(at);
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
        if (parts_ == 0) return;
        machine::Texels event;
        machine::fill(event, warp_, op_);
        event.kind = kind_;
        event.access = access_;
        event.image = image_;
        event.requests = requests_;
        event.parts = parts_;
        event.counts = counts_;
        event.sectors = sectors_;
        event.count = count_;
        event.addresses = addresses_;
        event.touching = touching_;
        event.width = static_cast<std::uint8_t>(width);
        event.is_atomic = is_atomic;
        warp_.worker->audience.tell(event);
    }

private:
    // A lane has two levels of eight texels at most, and each may be asked for twice.
    static constexpr unsigned kMaxParts = 2 * machine::kWarpSize, kMaxAll = kMaxParts * 16, kSlots = 32;

    static constexpr std::uint32_t lanes(unsigned count) { return (1u << count) - 1; }

    void close() {
        if (!is_open_) return;
        const unsigned begin = count_;
        for (const texture::Sector& sector : footprint_) std::construct_at(sectors_ + count_++, sector);
        end_part(begin);
        footprint_.clear();
        is_open_ = false;
    }
    // The sectors from `begin` on are a part's, which may be asked for twice.
    void end_part(unsigned begin) {
        const unsigned its = count_ - begin;
        for (unsigned i = 0; i < texture::times_asked(access_.filters, access_.bytes); ++i) {
            counts_[parts_++] = static_cast<std::uint8_t>(its);
            if (i == 0) continue;
            for (unsigned k = begin; k < begin + its; ++k) std::construct_at(sectors_ + count_++, sectors_[k]);
        }
    }

    const machine::Warp& warp_;
    const machine::Op& op_;
    const texture::Image* image_ = nullptr;
    machine::TexelsKind kind_;
    machine::TexelAccess access_;
    bool is_wanted_, is_open_ = false;
    unsigned requests_ = 0, request_ = 0, part_ = 0, threads_ = 0;
    unsigned parts_ = 0, begin_ = 0, count_ = 0;
    std::uint32_t touching_ = 0;
    std::uint16_t slots_[kSlots] = {};             // of the part's sectors, by their hints: where they stand
    std::uint64_t addresses_[machine::kWarpSize];  // of the lanes in touching_
    texture::Footprint footprint_;
    std::uint8_t counts_[kMaxParts];
    std::uint64_t keys_[kMaxAll];
    texture::Sector sectors_[kMaxAll];
};

}  // namespace tilescope::isa::TILESCOPE_TARGET
