// GuardedArena: storage of the machine with guard space around it. An overrun stops the process and corrupts nothing.
//
// Owns: GuardedArena. Released small ones are reused for the same shape, because mapping and guarding memory takes as
// long as a small launch. Guarantees: regions are zero-filled and aligned to 128 bytes. Each ends, rounded up to 128
// bytes, where its guard space begins. Guard space takes address space only. Does not model: whether an access is
// allowed. permit() (isa/families/memory_access.h) checks that first; this is the second protection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tilescope::machine {

class GuardedArena {
public:
    struct Region {
        std::uint64_t bytes = 0;  // of one element
        std::uint64_t count = 1;
        bool apart = false;  // guard space between the elements as well
        bool operator==(const Region&) const = default;
    };
    struct Place {
        std::byte* data = nullptr;  // of the first element
        std::uint64_t stride = 0;   // bytes from one element to the next
    };

    // What a region of one element holds from the beginning; nothing writes to it.
    struct Fixed {
        std::size_t region = 0;
        std::span<const std::byte> bytes;  // no more than the region's
    };
    // Throws std::bad_alloc when the host has no room.
    explicit GuardedArena(const std::vector<Region>& regions) : GuardedArena(regions, Fixed{}) {}
    GuardedArena(const std::vector<Region>& regions, const Fixed& fixed);
    ~GuardedArena();
    GuardedArena(const GuardedArena&) = delete;
    GuardedArena& operator=(const GuardedArena&) = delete;

    const Place& place(std::size_t region) const { return mapping_.placed[region].place; }
    // Gives back the address space of those that wait.
    static void release_spares();

private:
    struct Placed {
        Place place;
        std::byte* pages = nullptr;  // of the first element
        std::uint64_t page_bytes = 0;
        bool read_only = false;
    };
    struct Mapping {
        std::vector<Region> regions;
        std::byte* base = nullptr;
        std::uint64_t bytes = 0;         // with all guards
        std::uint64_t usable_bytes = 0;  // in pages
        std::vector<Placed> placed;
    };
    class Spares;
    static Spares& spares();
    static void unmap(const Mapping& mapping);

    // False when the address space is too small for guards of these sizes.
    bool map(std::uint64_t outer, std::uint64_t inner);
    // The mapping as it was when it was new. False when the host refuses.
    static bool renew(Mapping& mapping, const Fixed& fixed);
    // Whether the region has these bytes already, and may stay as it is.
    static bool holds(const Mapping& mapping, const Fixed& fixed);
    static void fix(Mapping& mapping, const Fixed& fixed);

    Mapping mapping_;
};

}  // namespace tilescope::machine
