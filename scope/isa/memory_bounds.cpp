#include "scope/isa/memory_bounds.h"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace tilescope::isa {
namespace {

using machine::Allocation;
using machine::FaultKind;
using machine::Space;

const char* name_of(Space space) {
    switch (space) {
        case Space::kShared: return "shared";
        case Space::kLocal: return "local";
        case Space::kConstant: return "constant";
        case Space::kParam: return "param";
        default: return "global";
    }
}

std::string bytes_text(std::uint64_t count) { return fmt::format("{} byte{}", count, count == 1 ? "" : "s"); }

// Where the address lies, in words.
std::string neighbour(const machine::Memory& memory, std::uint64_t address, std::uint64_t bytes) {
    const std::optional<Allocation> near = memory.nearest(address);
    if (!near) return "nothing is allocated";
    const std::uint64_t end = near->base + near->size;
    if (near->contains(address, bytes)) return "that allocation can only be read";
    if (address >= end)
        return bytes_text(address - end) + " past the end of the allocation of " + bytes_text(near->size);
    if (address < near->base)
        return bytes_text(near->base - address) + " before the allocation of " + bytes_text(near->size);
    return "it crosses the end of the allocation of " + bytes_text(near->size);
}

// Addresses of global memory are the host's, other ones in every run: a message says where they lie instead, so that
// two runs give the same profile. Only values that were no pointer to begin with are shown.
std::string global_place(const machine::Memory& memory, std::uint64_t address, std::uint64_t bytes) {
    constexpr std::uint64_t kNearNull = 65'536, kFar = 1ULL << 32U;
    if (address < kNearNull)
        return fmt::format(" at {:#x} is out of bounds: that is a null pointer or an offset from one", address);
    if (const std::optional<Allocation> near = memory.nearest(address)) {
        const std::uint64_t end = near->base + near->size;
        const std::uint64_t distance = address >= end ? address - end : near->base - std::min(near->base, address);
        if (distance < kFar) return " is out of bounds: " + neighbour(memory, address, bytes);
    }
    // Where the host keeps its memory: a pointer that was freed, say.
    constexpr std::uint64_t kHostFirst = 1ULL << 44U, kHostLast = 1ULL << 47U;
    if (address >= kHostFirst && address < kHostLast) return " is out of bounds: nothing is allocated there or near";
    return fmt::format(" at {:#x} is out of bounds: nothing is allocated there or near", address);
}

[[noreturn]] void outside(machine::Warp& warp, const machine::Op& op, Space space, unsigned lane, std::uint64_t address,
                          bool writes) {
    std::string where;
    if (space == Space::kShared)
        where = "the block has " + bytes_text(warp.worker->shared_bytes);
    else if (space == Space::kLocal)
        where = "the thread's stack has " + bytes_text(warp.worker->local_bytes);
    else if (space == Space::kParam)
        where = "the kernel's parameters have " + bytes_text(warp.worker->parameter_bytes);
    // Shared and local addresses are offsets.
    std::string place = where.empty() ? global_place(*warp.worker->memory, address, op.width)
                                      : fmt::format(" at {:#x} is out of bounds: {}", address, where);
    if (space == Space::kParam) place = " is out of bounds: " + where;
    machine::raise(
        warp, op, FaultKind::kOutOfBounds, name_of(space), lane,
        fmt::format("{}-byte {} of {} memory{}", op.width, writes ? "write" : "read", name_of(space), place));
}

bool holds(const Allocation& allocation, std::uint64_t address, std::uint64_t bytes, bool writes) {
    return allocation.contains(address, bytes) && (!writes || allocation.writable);
}

}  // namespace

void check_slowly(machine::Warp& warp, const machine::Op& op, machine::SiteMemo& memo, std::uint64_t first, Space space,
                  bool writes) {
    machine::Worker& worker = *warp.worker;
    const std::uint64_t alignment = (op.width & (op.width - 1)) == 0 ? op.width - 1u : 0u;
    const std::uint64_t version = worker.memory->version();
    std::optional<Allocation> last;
    bool one_allocation = true;
    for (unsigned lane = 0; lane < machine::kWarpSize; ++lane) {
        if (!(warp.exec >> lane & 1)) continue;
        const std::uint64_t address = first + static_cast<std::uint64_t>(memo.deltas[lane]);
        if (address & alignment)
            machine::raise(
                warp, op, FaultKind::kMisaligned, name_of(space), lane,
                fmt::format("{}-byte {} of {} memory is misaligned: {} beyond a multiple of {}", op.width,
                            writes ? "write" : "read", name_of(space), bytes_text(address & alignment), op.width));
        std::uint64_t limit = 0;
        if (space == Space::kShared) limit = worker.shared_bytes;
        if (space == Space::kLocal) limit = worker.local_bytes;
        if (space == Space::kShared || space == Space::kLocal) {
            if (address > limit || op.width > limit - address) outside(warp, op, space, lane, address, writes);
            continue;
        }
        if (last && holds(*last, address, op.width, writes)) continue;
        if (last) one_allocation = false;
        const Allocation parameters{reinterpret_cast<std::uint64_t>(worker.parameters), worker.parameter_bytes,
                                    machine::AllocationKind::kConstant, false, 0};
        last = space == Space::kParam ? parameters : worker.memory->find(address);
        if (!last || !holds(*last, address, op.width, writes)) outside(warp, op, space, lane, address, writes);
    }
    if (!last || !one_allocation) return;
    memo.allowed_from = last->base;
    memo.allowed_to = last->base + last->size;
    memo.allowed_version = version;
    memo.allowed_writable = last->writable;
}

}  // namespace tilescope::isa
