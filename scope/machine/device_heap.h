// DeviceHeap: the heap of malloc in kernels.
//
// Owns: one range of device addresses, and which parts are in use. Guarantees: blocks are distinct and aligned to 16
// bytes. Each is an allocation of its own (AllocationKind::kHeap), so accesses are checked to the byte. Blocks that a
// kernel doesn't free remain for the next kernel. Does not model: NVIDIA's overhead beyond 16 bytes per block, and its
// choice among free blocks.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace tilescope::machine {

class Memory;

class DeviceHeap {
public:
    explicit DeviceHeap(Memory& memory) : memory_(memory) {}
    DeviceHeap(const DeviceHeap&) = delete;
    DeviceHeap& operator=(const DeviceHeap&) = delete;

    // Bytes for all blocks (cudaLimitMallocHeapSize). False, and nothing changes, once a block was asked for.
    bool set_size(std::uint64_t bytes);
    // The address of a block, 0 when there is no room for it, or it is empty.
    std::uint64_t allocate(std::uint64_t bytes);
    // False when no block begins there.
    bool release(std::uint64_t address);
    // Takes every block back.
    void clear();
    // The size, once a request found no room; 0 before. For messages about null pointers.
    std::uint64_t full_size();
    // Where blocks lie, first and past the last byte; nothing, 0 and 0, before the first.
    std::pair<std::uint64_t, std::uint64_t> range();

private:
    static constexpr std::uint64_t kUnit = 16;
    static constexpr std::uint64_t kDefaultSize = 8u << 20;

    std::uint64_t allocate_locked(std::uint64_t bytes);
    void give_back(std::uint64_t address, std::uint64_t bytes);

    Memory& memory_;
    std::mutex mutex_;
    std::uint64_t size_ = kDefaultSize;
    bool has_failed_ = false;
    std::uint64_t base_ = 0;                       // 0: nobody has asked for a block yet
    std::map<std::uint64_t, std::uint64_t> free_;  // by address, no two of them touch
    std::map<std::uint64_t, std::uint64_t> used_;  // with what lies around them
};

}  // namespace tilescope::machine
