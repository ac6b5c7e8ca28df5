#include "scope/isa/families/memory_bounds.h"

#include <algorithm>
#include <optional>

namespace tilescope::isa {
namespace {

using machine::Allocation;
using machine::FaultKind;
using machine::Space;

// The bytes of one space that lanes of an access may touch: all there is, or the allocation around an address.
std::optional<Allocation> room_for(const machine::Worker& worker, Space space, std::uint64_t address) {
    Allocation room;
    switch (space) {
        case Space::kShared:
            if (address < worker.shared_own) {
                room.size = worker.program->shared_reserved_used;
            } else {
                room.base = worker.shared_own;
                room.size = worker.shared_bytes - worker.shared_own;
            }
            return room;
        case Space::kLocal: room.size = worker.local_bytes; return room;
        case Space::kParam:
            room.base = reinterpret_cast<std::uint64_t>(worker.parameters);
            room.size = worker.parameter_bytes;
            room.writable = false;
            return room;
        default: return worker.memory->find(address);
    }
}

bool holds(const Allocation& allocation, std::uint64_t address, std::uint64_t bytes, bool writes) {
    return allocation.contains(address, bytes) && (!writes || allocation.writable);
}

// An atomic on one or two bytes is a compare-and-swap of the aligned word around them (cuda::atomic_ref, with NVIDIA's
// headers and with ours). That word may pass the end of its allocation, as allocations begin and end at whole words.
bool holds_word(const Allocation& allocation, std::uint64_t address, const machine::Op& op, machine::Order order,
                bool writes) {
    return op.width <= 4 && order >= machine::Order::kRelaxed && holds(allocation, address, 1, writes);
}

// What an H100 (driver 580, November 2026) does with an access outside all that the program has; PTX leaves it open.
// - Shared memory: the driver's own part below a block's takes it in silence. Farther below, or 16 MiB up, it is an
//   illegal instruction where the instruction names the space; all else is an illegal address.
// - Global memory: a page of 2 MiB is mapped whole, so that whatever comes soon behind an allocation goes unnoticed:
//   here what lies on the page that keeps allocations apart.
constexpr std::int64_t kSharedSpan = 16 << 20;

Refusal outside(const machine::Worker& worker, const machine::Op& op, Space space, std::uint64_t address) {
    Refusal refusal = FaultKind::kOutOfBounds;
    const bool is_narrow = (op.flags & kNarrowAddress) != 0;
    if (space == Space::kShared) {
        const std::uint64_t from_own = address - worker.shared_own;
        const std::int64_t offset =
            is_narrow ? static_cast<std::int32_t>(from_own) : static_cast<std::int64_t>(from_own);
        const bool is_below = offset < 0;
        refusal.is_noticed = !is_below || 0 - static_cast<std::uint64_t>(offset) > worker.shared_bytes_reserved;
        const bool is_outside = is_below || offset >= kSharedSpan;
        if (is_outside && is_narrow) refusal.on_card = FaultKind::kIllegalInstruction;
    } else if (space == Space::kGlobal) {
        refusal.is_noticed = !worker.memory->is_padding(address, op.width);
    }
    return refusal;
}

}  // namespace

LawfulLanes lawful_lanes(machine::Warp& warp, const machine::Op& op, machine::SiteMemo& memo, std::uint64_t first,
                         Space space, bool writes, const std::uint32_t* sizes) {
    const machine::Worker& worker = *warp.worker;
    const std::uint64_t alignment = (op.width & (op.width - 1)) == 0 ? op.width - 1u : 0u;
    const std::uint64_t version = worker.memory->version();
    // What the memo keeps is of allocations; a site of generic addresses may come to shared memory between two of them.
    const bool of_allocations = space != Space::kShared && space != Space::kLocal;
    std::optional<Allocation> last;
    bool one_allocation = true;
    LawfulLanes lawful;
    for (unsigned lane = 0; lane < machine::kWarpSize; ++lane) {
        if (!(warp.exec >> lane & 1)) continue;
        const std::uint64_t address = lane_address(op, first, memo.deltas[lane]);
        if (address & alignment) {
            refuse(warp, op, FaultKind::kMisaligned, space, lane, writes,
                   [&] { return misaligned_text(worker, op, space, address, writes); });
            continue;
        }
        const std::uint64_t bytes = sizes ? std::min<std::uint64_t>(sizes[lane], op.width) : op.width;
        if (!last || !holds(*last, address, bytes, writes)) {
            one_allocation = one_allocation && !last;
            last = room_for(worker, space, address);
        }
        if (last && (holds(*last, address, bytes, writes) || holds_word(*last, address, op, memo.order, writes))) {
            if (lawful.lanes == 0 && of_allocations) memo.shift = last->shift;
            lawful.together = lawful.together && (!of_allocations || last->shift == memo.shift);
            lawful.lanes |= 1u << lane;
        } else {
            const bool freed = of_allocations && space != Space::kParam && worker.memory->was_freed(address);
            const Refusal why = freed ? Refusal(FaultKind::kUseAfterFree) : outside(worker, op, space, address);
            refuse(warp, op, why, space, lane, writes,
                   [&] { return outside_text(worker, op, space, address, writes); });
        }
    }
    if (!of_allocations) return lawful;
    // What was allowed before may have another shift.
    memo.allowed_from = memo.allowed_bytes = 0;
    if (!last || !one_allocation || lawful.lanes != warp.exec) return lawful;
    memo.allowed_from = last->base;
    memo.allowed_bytes = last->size;
    memo.allowed_version = version;
    memo.allowed_writable = last->writable;
    return lawful;
}

machine::SiteMemo apart(const machine::Warp& warp, const machine::SiteMemo& memo, std::uint64_t first) {
    machine::SiteMemo moved = memo;
    moved.shape = machine::Shape::kGeneral;
    for (unsigned lane = 0; lane < machine::kWarpSize; ++lane) {
        if (!(memo.mask >> lane & 1)) continue;
        const std::uint64_t address = first + static_cast<std::uint64_t>(memo.deltas[lane]);
        const std::uint64_t shift = warp.worker->memory->find(address)->shift;
        moved.deltas[lane] += static_cast<std::int64_t>(shift - memo.shift);
    }
    return moved;
}

}  // namespace tilescope::isa
