// cp.async: copies from global to shared memory. They happen when issued, which every wait allows.
#include <bit>
#include <cstring>
#include <iterator>
#include <utility>

#include "scope/isa/families/memory_access.h"
#include "scope/isa/table/binding.h"
#include "scope/isa/table/family_list.h"

namespace tilescope::isa::TILESCOPE_TARGET {
namespace {

using machine::CopyGroup;
using machine::CopyGroupKind;
using machine::Event;
using machine::OpFn;

// The global side is a second access with a site of its own.
struct CopySource {
    Op op;                  // address operand, offset and site of the global side
    bool has_size = false;  // a source size: the rest is zeros
    machine::Operand size;
    bool has_ignore = false;  // a predicate: nothing is read, zeros are written
    bool ignore_negated = false;
    machine::Operand ignore;
    bool by_places = false;  // past L1: which sectors are read hangs on where they go (observers/sector_rule.h)
};

void copy_lanes(Warp& warp, const CopySource& source, const SiteMemo& to_memo, std::byte* to, const SiteMemo& from_memo,
                const std::byte* from, unsigned bytes, std::uint32_t reading) {
    const auto* size = source.has_size ? warp.source<std::uint32_t>(source.size) : nullptr;
    for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(left));
        std::byte* cell = to + to_memo.deltas[i];
        unsigned read = size ? (size[i] < bytes ? size[i] : bytes) : bytes;
        if (!(reading >> i & 1)) read = 0;
        if (read) std::memcpy(cell, from + from_memo.deltas[i], read);
        std::memset(cell + read, 0, bytes - read);
    }
}

// Lanes that read something: none that is ignored or has a source size of 0; those make no request.
std::uint32_t reading_lanes(const Warp& warp, const CopySource& source) {
    std::uint32_t reading = warp.exec;
    if (source.has_ignore)
        reading &= source.ignore_negated ? warp.predicate(source.ignore) : ~warp.predicate(source.ignore);
    if (source.has_size) {
        const auto* size = warp.source<std::uint32_t>(source.size);
        for (unsigned i = 0; i < kWarpSize; ++i)
            if (size[i] == 0) reading &= ~(1u << i);
    }
    return reading;
}

// Where reads go. The memo of their site keeps where they went before.
Destination destination_of(const SiteMemo& to_memo, const Located& to, SiteMemo& from_memo) {
    constexpr unsigned kLine = 128;  // geometry: of shared memory, that all banks hold
    const auto place = static_cast<std::uint8_t>(to.first % kLine);
    return {to.first, to_memo.deltas, std::exchange(from_memo.place, place) == place};
}

void copy(Warp& warp, const Op& op) {
    const auto& source = *static_cast<const CopySource*>(op.extra);
    const std::uint32_t all = warp.exec;
    SiteMemo& to_memo = warp.worker->memos[op.site];
    Located to = locate(warp, op, to_memo);
    (void)permit(warp, op, to_memo, to, Space::kShared, true);
    const std::uint32_t writing = warp.exec;
    if (writing != 0) {
        announce(warp, op, to_memo, to, Space::kShared, AccessKind::kAsyncCopyWrite);
        SiteMemo& from_memo = warp.worker->memos[source.op.site];
        if (!to.same) from_memo.place = SiteMemo::kUnknownPlace;
        Located from;
        bool together = true;
        warp.exec = reading_lanes(warp, source);
        const auto* sizes = source.has_size ? warp.source<std::uint32_t>(source.size) : nullptr;
        if (warp.exec != 0) {
            from = locate(warp, source.op, from_memo);
            together = permit(warp, source.op, from_memo, from, Space::kGlobal, false, sizes);
        }
        const std::uint32_t reading = warp.exec;
        if (reading != 0)
            announce(warp, source.op, from_memo, from, Space::kGlobal, AccessKind::kAsyncCopyRead,
                     AccessKind::kAsyncCopyRead, sizes,
                     source.by_places ? destination_of(to_memo, to, from_memo) : Destination{});
        warp.exec = writing;
        std::byte* const cells = bytes_of<Space::kShared>(warp, to_memo, to);
        const std::byte* const bytes = reading == 0 ? nullptr : bytes_of<Space::kGlobal>(warp, from_memo, from);
        if (together) [[likely]]
            copy_lanes(warp, source, to_memo, cells, from_memo, bytes, op.width, reading);
        else
            copy_lanes(warp, source, to_memo, cells, apart(warp, from_memo, from.first), bytes, op.width, reading);
    }
    warp.exec = all;
}

// Commits and waits have nothing to do but to be told of.
template <CopyGroupKind kKind>
void tell_group(Warp& warp, const Op& op) {
    if (!warp.worker->audience.wants(Event::kCopyGroup)) return;
    CopyGroup group;
    fill(group, warp, op);
    group.kind = kKind;
    if constexpr (kKind == CopyGroupKind::kWait)
        group.pending = warp.source<std::uint32_t>(op.a)[std::countr_zero(warp.exec)];
    warp.worker->audience.tell(group);
}

OpFn bind_group(Binding& binding) {
    if (binding.has("commit_group")) return &tell_group<CopyGroupKind::kCommit>;
    if (binding.has("wait_all")) return &tell_group<CopyGroupKind::kWaitAll>;
    return &tell_group<CopyGroupKind::kWait>;
}

OpFn bind_copy(Binding& binding) {
    Op& op = binding.op;
    const BoundOperand &to = binding.operands[0], &from = binding.operands[1], &bytes = binding.operands[2];
    if (!bytes.is_immediate || (bytes.value != 4 && bytes.value != 8 && bytes.value != 16) ||
        (binding.has("cg") && bytes.value != 16)) {
        binding.fail("a copy size other than 4, 8 or 16 bytes (.cg: 16)");
        return nullptr;
    }
    op.width = static_cast<std::uint8_t>(bytes.value);
    op.a = to.slot;
    op.immediate = to.value;
    op.flags |= to.bytes == 4 ? kNarrowAddress : 0;
    CopySource source;
    source.by_places = binding.has("cg");
    source.op.index = op.index;
    source.op.site = op.site + 1;
    source.op.width = op.width;
    source.op.a = from.slot;
    source.op.immediate = from.value;
    source.op.flags = from.bytes == 4 ? kNarrowAddress : 0;
    if (binding.operands.size() > 3 && binding.operands[3].kind == BoundKind::kValue) {
        const BoundOperand& last = binding.operands[3];
        if (last.bytes == 0) {
            source.has_ignore = true;
            source.ignore = last.slot;
            source.ignore_negated = last.negated;
        } else if (last.bytes != 8) {  // a policy of the second-level cache has 64 bits
            source.has_size = true;
            source.size = last.slot;
        }
    }
    if (binding.has("L2::cache_hint")) {
        source.op.c = binding.operands.back().slot;
        source.op.flags |= kHasPolicy;
    }
    op.extra = binding.keep(source);
    return &copy;
}

#define COPY "cp.async~.[ca cg].[shared shared::cta].global{.[L2::64B L2::128B L2::256B]}"

constexpr Row kAsyncCopyRows[] = {
    {.syntax = COPY,
     .operands = "[] [] s32 u32?",
     .kind = Class::kMemory,
     .effect = effect::kCopy,
     .bind = &bind_copy,
     .needs = {70, 80}},
    {.syntax = COPY,
     .operands = "[] [] s32 pred",
     .kind = Class::kMemory,
     .effect = effect::kCopy,
     .bind = &bind_copy,
     .needs = {70, 80}},
    {.syntax = COPY ".L2::cache_hint",
     .operands = "[] [] s32 b64",
     .kind = Class::kMemory,
     .effect = effect::kCopy,
     .bind = &bind_copy,
     .needs = {74, 80}},
    {.syntax = COPY ".L2::cache_hint",
     .operands = "[] [] s32 u32 b64",
     .kind = Class::kMemory,
     .effect = effect::kCopy,
     .bind = &bind_copy,
     .needs = {74, 80}},
    {.syntax = "cp.async.commit_group~",
     .operands = "",
     .kind = Class::kSync,
     .bind = &bind_group,
     .needs = {70, 80},
     .note = "copies happen when issued"},
    {.syntax = "cp.async.wait_group~",
     .operands = "s32",
     .kind = Class::kSync,
     .bind = &bind_group,
     .needs = {70, 80},
     .note = "copies happen when issued"},
    {.syntax = "cp.async.wait_all~",
     .operands = "",
     .kind = Class::kSync,
     .bind = &bind_group,
     .needs = {70, 80},
     .note = "copies happen when issued"},
};

}  // namespace

const Family& async_copy_family() {
    static constexpr Family kFamily{"async_copy", "asynchronous copies", kAsyncCopyRows, std::size(kAsyncCopyRows)};
    return kFamily;
}

}  // namespace tilescope::isa::TILESCOPE_TARGET
