// Residency: on which side of the link each piece of managed memory lies, and what it costs to touch it from the other.
//
// Owns: Residency. Guarantees: a page that somebody touches is where it is needed, or mapped across by advice; what is
// told moves between the two sides is what these moves take, no more. Pieces are leaves of 64 KiB, in trees of 2 MiB
// (docs/reference/timeline.md has the rules and their sources). Does not model: pages of 4 KiB that move alone; faults
// of several SMs on one leaf, which count as one; access counters; links that share one address space (NVLink-C2C).
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "scope/report/profile.h"

namespace tilescope::models {

// As in NVIDIA's driver (open-gpu-kernel-modules, uvm_perf_prefetch.c), whatever the card.
inline constexpr std::uint64_t kLeafBytes = 64 * 1024;        // geometry: of the driver
inline constexpr std::uint64_t kTreeBytes = 2 * 1024 * 1024;  // geometry: of the driver

enum class MemoryAdvice : std::uint8_t {
    kReadMostly,
    kNotReadMostly,
    kPreferDevice,
    kPreferHost,
    kNotPreferred,
    kAccessedByDevice,
    kNotAccessedByDevice,
};

class Residency {
public:
    // Bytes of the device's memory that managed memory may fill.
    explicit Residency(std::uint64_t capacity) : capacity_(capacity) {}
    void set_capacity(std::uint64_t bytes);

    // base: a multiple of kLeafBytes. Nobody has touched it yet.
    void add(std::uint64_t base, std::uint64_t size);
    void remove(std::uint64_t base);
    bool empty() const { return ranges_.empty(); }

    // Each touches the leaf that holds the address; the host so many of its pages of 4 KiB.
    void touch_on_device(std::uint64_t address, bool writes);
    void touch_on_host(std::uint64_t address, bool writes, std::uint64_t pages = 1);
    // What a copy or a set touches: on the device, whichever way it goes; or from host to host.
    void copy(std::uint64_t address, std::uint64_t bytes, bool writes);
    void copy_by_host(std::uint64_t address, std::uint64_t bytes, bool writes);
    // Bytes that cross the link.
    std::uint64_t prefetch(std::uint64_t address, std::uint64_t bytes, bool to_device);
    void advise(std::uint64_t address, std::uint64_t bytes, MemoryAdvice advice);
    bool is_read_mostly(std::uint64_t address) const;

    std::uint64_t resident() const { return resident_; }
    std::uint64_t peak_resident() const { return peak_; }
    std::uint64_t touched_by_device() const { return touched_; }  // different bytes
    // What happened since it was last taken.
    const PageMoves& moves() const { return moves_; }
    PageMoves take();

private:
    struct Leaf {
        bool on_host = false, on_device = false;
        bool was_on_device = false, was_evicted = false, was_touched = false;
        bool is_read_mostly = false, is_mapped = false;  // mapped: the device reaches across the link
        bool prefers_host = false;
        std::uint64_t reached_in = 0;  // the last period, by takes_, in which the device reached it across the link
    };
    struct Tree {
        std::uint64_t last_use = 0;
        bool is_listed = false;
    };

    // The end of the range that holds the leaf; 0: none does.
    std::uint64_t end_of_range(std::uint64_t number) const;
    std::uint64_t bytes_of(std::uint64_t number) const;
    void use(std::uint64_t tree);
    void bring(std::uint64_t number, bool writes);
    void bring_back(std::uint64_t number, bool writes);
    // After a fault: the rest of the subtrees around the leaf of which more than half is there by now.
    template <class IsThere, class Bring>
    void fetch_neighbours(std::uint64_t number, IsThere&& is_there, Bring&& bring);
    void leave_device(std::uint64_t number, Leaf& leaf);
    void make_room(std::uint64_t bytes, std::uint64_t keep);
    void evict(std::uint64_t tree);

    std::uint64_t capacity_;
    std::map<std::uint64_t, std::uint64_t> ranges_;  // size by base
    std::map<std::uint64_t, Leaf> leaves_;           // by address / kLeafBytes; those that somebody touched or advised
    std::map<std::uint64_t, Tree> trees_;            // by address / kTreeBytes
    std::map<std::uint64_t, std::uint64_t>
        by_use_;  // trees with something on the device, the least recently used first
    std::uint64_t clock_ = 0, resident_ = 0, peak_ = 0, touched_ = 0, takes_ = 1;
    PageMoves moves_;
};

// What the moves of a run amount to.
PageTrouble judge_pages(const PageReport& report);

}  // namespace tilescope::models
