// The device's global memory: allocations in the address space of the process.
//
// Owns: Memory and Allocation. Memory that CUDA's host code may touch (managed, pinned, registered) has one address for
// host and kernels. Device memory has addresses that the host cannot touch (device_space.h); its bytes lie at another
// place, which Allocation::at() gives to the tool. Guarantees: every kernel access is checked against the allocations;
// find() is exact to the byte. Allocation and release are thread-safe; find() may run at the same time as both.
// Does not model: paging, physical placement, or the copies of managed memory between host and device.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "scope/base/diagnostic.h"
#include "scope/machine/device_heap.h"
#include "scope/machine/device_space.h"
#include "scope/machine/memory_budget.h"
#include "scope/machine/virtual_memory.h"

namespace tilescope::texture {
class Objects;
}

namespace tilescope::machine {

// Lines of the host that allocated and freed it; line 0: not known, or not freed.
struct AllocationOrigin {
    SourceLocation allocated, freed;
};

enum class AllocationKind : std::uint8_t {
    kDevice,
    kPinned,
    kManaged,
    kModule,
    kConstant,
    kRegistered,
    kHeap,
    kArray,
    kMapped
};

struct Allocation {
    std::uint64_t base = 0;
    std::uint64_t size = 0;  // bytes, as asked for
    AllocationKind kind = AllocationKind::kDevice;
    bool writable = true;     // false: kernels may only read it
    std::uint64_t id = 0;     // counts up from 1 in order of allocation
    std::uint64_t shift = 0;  // from an address to its byte; 0 where the host sees what kernels see
    // Managed memory of our own, whose pages tell who touched them (host_touch.h).
    bool is_followed = false;

    // Where the tool itself reaches the byte at an address of this allocation.
    std::byte* at(std::uint64_t address) const { return reinterpret_cast<std::byte*>(address + shift); }
    bool contains(std::uint64_t address, std::uint64_t bytes) const {
        return address >= base && bytes <= size && address - base <= size - bytes;
    }
};

// How the host asks for a piece of work.
struct Issue {
    std::uint32_t stream =
        0;  // 0: the legacy default stream; 1: the default stream of a thread; then others in order of first use
    bool is_async = false;      // by a call that need not wait until it is done
    std::uint32_t graph = 0;    // the launch of a graph that it is part of, counted from 1; 0: of none
    bool begins_early = false;  // a kernel that may begin once the one before it lets it (programmatic launch)
};

// Whole pages that work uses; may_read: it changes nothing there.
struct UsedPages {
    std::uint64_t first = 0, end = 0;
    bool may_read = true;
};

class RunObservers;

enum class PlaceKind : std::uint8_t {
    kAllocated,  // a byte of `allocation`
    kFreed,      // a byte of `allocation`, which was released and whose address is not in use again
    kDevice,     // device memory that no allocation holds; `allocation` is the nearest one, if there is any
    kReserved,   // addresses that the program reserved, with nothing mapped there
    kForbidden,  // memory that is mapped, and that this device was not given access to
    kHost,       // the host program's own memory: its heap, stack, variables or code
    kNowhere,    // nothing at all
};

// What lies at an address, for messages.
struct Place {
    PlaceKind kind = PlaceKind::kNowhere;
    std::optional<Allocation> allocation;
};

class Memory {
public:
    Memory();
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    // The device's memory: total bytes that allocate() hands out of it; 0: no end but the host's. Managed memory does
    // not count: it may be more than the device has (models/pages/residency.h).
    void set_capacity(std::uint64_t bytes);
    std::uint64_t capacity() const;
    std::uint64_t in_use() const;
    // What the run may keep. allocate() takes from it, and launches and observers do.
    MemoryBudget& budget() { return budget_; }
    const MemoryBudget& budget() const { return budget_; }
    // What malloc in device code takes from.
    DeviceHeap& heap() { return heap_; }
    // Addresses that programs reserve and map memory to.
    VirtualMemory& virtual_memory() { return virtual_memory_; }
    const VirtualMemory& virtual_memory() const { return virtual_memory_; }
    // Memory of the device for what comes by adopt() and counts elsewhere. False: there is none.
    bool take_capacity(std::uint64_t bytes);
    void give_capacity(std::uint64_t bytes);
    // What kernels sample and write by handle.
    texture::Objects& textures() { return *textures_; }
    const texture::Objects& textures() const { return *textures_; }
    // Where the texels lie that a handle of a texture or surface names; 0: it is none.
    std::uint64_t texels_of(std::uint64_t handle) const;

    // What fresh memory of kinds kDevice and kHeap holds; 0 unless set.
    void set_fill(std::uint8_t fill) { fill_ = fill; }
    // The address of memory, zero-filled but for that, aligned to 512 bytes, or nullptr when the capacity, the budget
    // or the host's memory is exhausted. size 0 gives a unique address of an empty allocation. Only managed and pinned
    // memory can be touched at this address; for the rest see bytes().
    void* allocate(std::uint64_t size, AllocationKind kind, const Issue& issue = {});
    // Where the tool itself reaches the byte at an address; the address itself when it is none of device memory.
    std::byte* bytes(std::uint64_t address) const;
    std::byte* bytes(const void* address) const { return bytes(reinterpret_cast<std::uint64_t>(address)); }
    // Zero-filled device addresses between two multiples of `piece`, for allocations that must lie close together and
    // come by adopt(). 0 when there is no room.
    std::uint64_t take_range(std::uint64_t size, std::uint64_t piece);
    // At a multiple of `alignment`, at `wanted` if that is free.
    std::uint64_t reserve_range(std::uint64_t size, std::uint64_t alignment, std::uint64_t wanted);
    void give_back_range(std::uint64_t base, std::uint64_t size);
    // Makes storage that the caller owns, or a part of such a range, visible to kernels. False when it overlaps an
    // allocation.
    bool adopt(void* base, std::uint64_t size, AllocationKind kind, bool writable = true);
    // base must be what allocate() or adopt() took; false otherwise (nothing is changed).
    bool release(void* base, const Issue& issue = {});
    // Who is told of what comes and goes from now on; they outlive the memory.
    void tell(RunObservers& observers) { observers_ = &observers; }

    // The allocation that holds the byte at `address`.
    std::optional<Allocation> find(std::uint64_t address) const;
    // The same; mapped memory that lies side by side is one.
    std::optional<Allocation> find_joined(std::uint64_t address) const;
    // Whether an access lies wholly behind an allocation of device memory, within the page that keeps the next one off.
    bool is_padding(std::uint64_t address, std::uint64_t bytes) const;
    // The nearest allocation below or above an address, for messages.
    std::optional<Allocation> nearest(std::uint64_t address) const;
    std::vector<Allocation> all() const;
    // Pages that hold nothing but bytes of one allocation that host and kernels see alike, by address.
    std::vector<UsedPages> pages_of_host() const;
    // What lies at any address. Released allocations are remembered while they are among the last few thousand and
    // their addresses are not in use again.
    Place classify(std::uint64_t address) const;
    // Whether the byte there belonged to an allocation that classify() would call freed.
    bool was_freed(std::uint64_t address) const;
    // Who knows where allocations were made, by Allocation::id.
    void set_origin(std::function<AllocationOrigin(std::uint64_t)> origin) { origin_ = std::move(origin); }
    AllocationOrigin origin(const Allocation& allocation) const {
        return origin_ ? origin_(allocation.id) : AllocationOrigin{};
    }
    // Changes whenever the set of allocations does; a worker's cached Allocation is valid while this is unchanged.
    std::uint64_t version() const { return version_.load(std::memory_order_acquire); }

private:
    struct Storage {
        Allocation allocation;
        std::uint64_t mapped = 0;  // bytes of address space; 0 when adopted
    };
    std::optional<Allocation> make(std::uint64_t size, AllocationKind kind);
    std::optional<Allocation> make_of(void* base, std::uint64_t size, AllocationKind kind, bool writable);
    void drop(const Storage& storage);
    const Allocation* at_or_below(std::uint64_t address) const;
    void* place(Storage& storage);
    void unmap(const Storage& storage);
    void remember_freed(const Allocation& allocation);
    void forget_freed(std::uint64_t base, std::uint64_t size);

    mutable std::shared_mutex mutex_;
    DeviceSpace device_;
    std::uint64_t next_managed_ = kManagedPlace, next_pinned_ = kPinnedPlace;  // where the next ones go
    MemoryBudget budget_;
    std::map<std::uint64_t, Storage> by_base_;
    std::map<std::uint64_t, Allocation> freed_;  // by base; none overlaps another or an allocation
    std::deque<std::pair<std::uint64_t, std::uint64_t>> freed_order_;  // base and id, oldest first
    std::uint64_t capacity_ = 0, in_use_ = 0, next_id_ = 1;
    std::atomic<std::uint64_t> version_{1};
    DeviceHeap heap_{*this};
    VirtualMemory virtual_memory_{*this};
    std::unique_ptr<texture::Objects> textures_;
    RunObservers* observers_ = nullptr;
    std::uint8_t fill_ = 0;
    void fill(const Allocation& allocation) const;
    std::function<AllocationOrigin(std::uint64_t)> origin_;
};

}  // namespace tilescope::machine
