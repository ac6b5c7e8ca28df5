#include "scope/observers/thread_rereads.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::AccessKind;

constexpr std::uint64_t kBlocks = 8;                // of a grid that are followed, about
constexpr std::uint64_t kLanesOfABlock = 1u << 19;  // accesses of lanes

}  // namespace

ThreadRereads::ThreadRereads(const machine::Program& program, const LaunchContext& context)
    : program_(&program),
      memory_(context.memory),
      every_(std::max<std::uint64_t>(1, context.blocks / kBlocks)),
      steady_(program.sites.size()) {}

void ThreadRereads::begin_block(std::uint64_t block) {
    lanes_left_ = block % every_ == 0 ? kLanesOfABlock : 0;
    if (lanes_left_ == 0) return;
    ++block_number_;
    steady_.begin_block();
}

void ThreadRereads::on_access(const Access& access) {
    lanes_left_ -= std::min<std::uint64_t>(lanes_left_, access.lanes());
    const bool loads = access.kind == AccessKind::kLoad || access.kind == AccessKind::kAsyncCopyRead;
    const std::uint32_t steady = steady_.follow(access).same;
    // What others may write at any time has to be asked for again.
    const bool may_keep = loads && program_->facts[access.op].order == machine::Order::kWeak;
    Owners* owners = nullptr;
    RereadBytes bytes;
    for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const std::uint64_t address = access.address(lane);
        if (owners == nullptr || !owners->allocation.contains(address, 1)) {
            if (owners != nullptr) (*owners->bytes)[access.site] += std::exchange(bytes, {});
            owners = owners_of(address);
            if (owners == nullptr) continue;  // released meanwhile, by a host thread
        }
        std::uint32_t& tag = owners->tags[(address - owners->allocation.base) >> kUnitShift];
        const std::uint32_t me = owner_tag(access.thread + lane);
        if (!loads) {
            if (tag != me || access.kind != AccessKind::kStore) tag = 0;
            continue;
        }
        bytes.asked += access.width;
        if (tag == me && may_keep) {
            bytes.own += access.width;
            if (steady >> lane & 1) bytes.steady += access.width;
        }
        tag = me;
    }
    if (owners != nullptr) (*owners->bytes)[access.site] += bytes;
}

void ThreadRereads::merge(const ThreadRereads& other) {
    for (const auto& [base, theirs] : other.bytes_) {
        std::vector<RereadBytes>& ours = bytes_[base];
        ours.resize(theirs.size());
        for (std::size_t i = 0; i < theirs.size(); ++i) ours[i] += theirs[i];
    }
}

ThreadRereads::Owners* ThreadRereads::owners_of(std::uint64_t address) {
    auto after = owners_.upper_bound(address);
    if (after != owners_.begin()) {
        Owners& before = std::prev(after)->second;
        if (before.allocation.contains(address, 1)) return &before;
    }
    const auto allocation = memory_->find(address);
    if (!allocation) return nullptr;
    Owners& made = owners_[allocation->base];
    made.allocation = *allocation;
    made.tags = ZeroedArray<std::uint32_t>((allocation->size >> kUnitShift) + 1);
    made.bytes = &bytes_[allocation->base];
    made.bytes->resize(program_->sites.size());
    return &made;
}

}  // namespace tilescope::observers
