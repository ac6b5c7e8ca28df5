// Virtual memory management: addresses that a program reserves, physical memory that it makes, and which lies where.
//
// Owns: VirtualMemory: the reserved ranges, the physical memory (a file in memory for each handle, so that one piece
// can lie at several addresses) and the mappings. Guarantees: what a program may touch is an allocation of Memory's, of
// kind kMapped; the same physical memory at two addresses is the same bytes; a range that is reserved is handed to
// nobody else; physical memory lasts as long as somebody holds it or it is mapped. Its callers do one thing at a time;
// what asks about an address may run beside that. Does not model: that two addresses are one line of a cache, or one
// word to a check for races.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>
#include <utility>
#include <vector>

namespace tilescope::machine {

class Memory;

class VirtualMemory {
public:
    // Physical memory comes in multiples of it, and lies at multiples of it.
    static constexpr std::uint64_t kGrain = std::uint64_t{2} << 20;
    enum class Access : std::uint8_t { kNone = 0, kRead = 1, kReadAndWrite = 3 };
    // What is at an address beside allocations.
    enum class State : std::uint8_t { kOther, kReserved, kForbidden };
    struct Range {
        std::uint64_t base = 0, size = 0;
    };

    explicit VirtualMemory(Memory& memory) : memory_(memory) {}
    ~VirtualMemory();
    VirtualMemory(const VirtualMemory&) = delete;
    VirtualMemory& operator=(const VirtualMemory&) = delete;

    // Sizes in whole grains. At `wanted` if that is free. 0: there is no room.
    std::uint64_t reserve(std::uint64_t bytes, std::uint64_t alignment, std::uint64_t wanted);
    // False: that is not one whole reserved range, or something is mapped there.
    bool free_addresses(std::uint64_t base, std::uint64_t bytes);
    std::optional<Range> reserved_around(std::uint64_t address) const;

    // A handle of zero-filled memory, held once; 0: there is no room.
    std::uint64_t create(std::uint64_t bytes);
    // Bytes of what somebody holds; nothing: nobody does.
    std::optional<std::uint64_t> size_of(std::uint64_t handle) const;
    bool release(std::uint64_t handle);
    // Of what is mapped there, which is held once more; 0: nothing is.
    std::uint64_t hold_at(std::uint64_t address);

    // All of it, with no access. False: not within one reserved range, or something is mapped there already.
    bool map(std::uint64_t at, std::uint64_t handle);
    // Whatever is mapped there. False: not within one reserved range, or a mapping would be cut.
    bool unmap(std::uint64_t at, std::uint64_t bytes);
    // False: something there is not mapped, or a mapping would be cut.
    bool allow(std::uint64_t at, std::uint64_t bytes, Access access);
    std::optional<Access> access_at(std::uint64_t address) const;
    State state_at(std::uint64_t address) const;

    // Gives all of it back.
    void clear();

private:
    struct Physical {
        std::uint64_t size = 0;
        int file = -1;
        unsigned holders = 0, mappings = 0;
    };
    struct Mapping {
        std::uint64_t size = 0, handle = 0;
        Access access = Access::kNone;
    };
    using Mappings = std::map<std::uint64_t, Mapping>;

    static Mappings::const_iterator around(const Mappings& mappings, std::uint64_t address);
    // The bases of what is mapped in a range; nothing where one would be cut.
    std::optional<std::vector<std::uint64_t>> whole_within(std::uint64_t at, std::uint64_t bytes) const;
    void show(std::uint64_t base, const Mapping& mapping, Access access);
    void drop(std::uint64_t base);
    void let_go(std::uint64_t handle);

    Memory& memory_;
    mutable std::shared_mutex mutex_;
    std::map<std::uint64_t, std::uint64_t> reserved_;  // base to size
    std::map<std::uint64_t, Physical> physical_;       // by handle
    Mappings mappings_;                                // by base; none overlaps another
    std::uint64_t next_handle_ = 1;
};

}  // namespace tilescope::machine
