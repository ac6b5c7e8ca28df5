// The device's global memory: allocations in the host's own address space.
//
// Owns: Memory and Allocation. A device pointer is the address of real storage, so host code and kernels see the same
// bytes. Guarantees: every kernel access is checked against the allocations; find() is exact to the byte. Allocation
// and release are thread-safe; find() may run at the same time as both.
// Does not model: paging, physical placement, or the copies of managed memory between host and device.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

namespace tilescope::machine {

enum class AllocationKind : std::uint8_t { kDevice, kPinned, kManaged, kModule, kConstant, kRegistered };

struct Allocation {
    std::uint64_t base = 0;
    std::uint64_t size = 0;  // bytes, as asked for
    AllocationKind kind = AllocationKind::kDevice;
    bool writable = true;  // false: kernels may only read it
    std::uint64_t id = 0;  // counts up from 1 in order of allocation

    bool contains(std::uint64_t address, std::uint64_t bytes) const {
        return address >= base && bytes <= size && address - base <= size - bytes;
    }
};

class Memory {
public:
    Memory();
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    // Total bytes that allocate() hands out for kDevice, kManaged and kPinned; 0: no limit but the host's.
    void set_capacity(std::uint64_t bytes);
    std::uint64_t capacity() const;
    std::uint64_t in_use() const;

    // Storage aligned to 512 bytes, zero-filled, or nullptr when the capacity or the host's memory is exhausted.
    // size 0 gives a unique address of an empty allocation.
    void* allocate(std::uint64_t size, AllocationKind kind);
    // Makes storage that the caller owns visible to kernels. False when it overlaps an allocation.
    bool adopt(void* base, std::uint64_t size, AllocationKind kind, bool writable = true);
    // base must be what allocate() or adopt() took; false otherwise (nothing is changed).
    bool release(void* base);

    // The allocation that holds the byte at `address`.
    std::optional<Allocation> find(std::uint64_t address) const;
    // The nearest allocation below or above an address, for messages.
    std::optional<Allocation> nearest(std::uint64_t address) const;
    std::vector<Allocation> all() const;
    // Changes whenever the set of allocations does; a worker's cached Allocation is valid while this is unchanged.
    std::uint64_t version() const { return version_.load(std::memory_order_acquire); }

private:
    struct Storage {
        Allocation allocation;
        void* mapping = nullptr;  // nullptr when adopted
        std::uint64_t mapped = 0;
    };
    mutable std::shared_mutex mutex_;
    std::map<std::uint64_t, Storage> by_base_;
    std::uint64_t capacity_ = 0, in_use_ = 0, next_id_ = 1;
    std::atomic<std::uint64_t> version_{1};
};

}  // namespace tilescope::machine
