// The factors of a wgmma, from registers and shared memory.
//
// Owns: GroupProduct, what an instruction says, and the way from its operands to lines of bytes along the depth.
// Guarantees: only the block's shared memory is read; every chunk is announced before.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <vector>

#include "scope/isa/families/matrix_access.h"
#include "scope/isa/families/matrix_fragments.h"
#include "scope/isa/families/wgmma_descriptor.h"

namespace tilescope::isa::TILESCOPE_TARGET::wgmma {

inline constexpr unsigned kGroupWarps = 4, kWarpRows = 16, kMostColumns = 256;

// An operand of the instruction, and which of those that lanes hand over it is.
struct Handed {
    machine::Operand slot;
    unsigned brought = 0;

    template <class Word>
    const Word* in(const Warp& warp) const {
        if (warp.meeting != nullptr) return reinterpret_cast<const Word*>(warp.meeting->brought[brought]);
        return warp.source<Word>(slot);
    }
};

struct GroupProduct {
    std::vector<Handed> sums, a;  // registers; no a: it lies in shared memory
    Handed a_descriptor, b_descriptor, adds;
    bool adds_negated = false;
    unsigned columns = 8;
    bool sums_halves = false, negates = false, saturates = false;
    bool a_across = false, b_across = false;  // lines are neighbours in memory, not the depth
    Handed metadata;                          // of a sparse A
    unsigned selector = 0;
};

// A factor: of each line the bytes along its depth.
template <unsigned kLines, unsigned kBytes = kDepthBytes>
struct Lines {
    alignas(64) std::byte bytes[kLines][kBytes] = {};
};

// Reads up to 32 chunks: take(chunk, its bytes). Where a run goes on after faults, those that may not be read are left.
template <class Take>
void read_chunks(Warp& warp, const Op& op, const std::uint64_t (&addresses)[kWarpSize], unsigned count, bool counts,
                 const Take& take) {
    const std::uint32_t own = warp.exec;
    Op access = op;
    access.width = kChunkBytes;
    access.immediate = 0;
    access.flags = 0;
    warp.exec = static_cast<std::uint32_t>((std::uint64_t{1} << count) - 1);
    SiteMemo& memo = warp.worker->memos[op.site];
    Located at = locate_bases(warp, access, memo, addresses);
    at.first -= warp.worker->program->shared_base;
    (void)permit(warp, access, memo, at, Space::kShared, false);
    if (warp.exec != 0) {
        constexpr std::uint32_t kBit = machine::bit_of(Space::kShared);
        if (memo.written_spaces & kBit)
            announce_written(warp, access, memo, at, Space::kShared, AccessKind::kFactorLoad, nullptr);
        if (counts && (memo.counted_spaces & kBit)) {
            Access told = describe(warp, access, memo, at, Space::kShared, AccessKind::kFactorLoad);
            told.width = kChunkBytes;
            told.same_pattern = false;  // as what was told before: not all that is read is
            memo.counted->tell(told);
        }
        const std::byte* const first = bytes_of<Space::kShared>(warp, memo, at);
        for (std::uint32_t left = warp.exec; left != 0; left &= left - 1) {
            const auto chunk = static_cast<unsigned>(std::countr_zero(left));
            take(chunk, first + memo.deltas[chunk]);
        }
    }
    warp.exec = own;
}

// `lines` lines from `first` on. A card reads all of a factor once for its group: of B each warp counts a quarter.
template <unsigned kLines, unsigned kBytes>
void read_factor(Warp& warp, const Op& op, std::uint64_t bits, bool across, unsigned first, unsigned lines,
                 bool is_shared_out, Lines<kLines, kBytes>& factor) {
    const Descriptor descriptor(bits);
    constexpr unsigned kChunks = kBytes / kChunkBytes;  // of a line
    const unsigned chunks = lines * kChunks;
    constexpr unsigned kDepth = kBytes / 2, kInChunk = kChunkBytes / 2;  // of 16-bit elements
    for (unsigned from = 0; from < chunks; from += kWarpSize) {
        const unsigned count = std::min(chunks - from, kWarpSize);
        alignas(64) std::uint64_t addresses[kWarpSize] = {};
        // Lines of one chunk come one after the other, as they go through the banks.
        const unsigned lines_here = count / kChunks;
        const auto line_of = [&](unsigned i) { return from / kChunks + i % lines_here; };
        for (unsigned i = 0; i < count; ++i)
            addresses[i] = across ? descriptor.across(first / kInChunk + (from + i) / kDepth, (from + i) % kDepth)
                                  : descriptor.along(first + line_of(i), i / lines_here);
        const bool counts = !is_shared_out || from / kWarpSize % kGroupWarps == warp.index % kGroupWarps;
        read_chunks(warp, op, addresses, count, counts, [&](unsigned i, const std::byte* bytes) {
            if (!across) {
                std::memcpy(factor.bytes[line_of(i)] + i / lines_here * kChunkBytes, bytes, kChunkBytes);
                return;
            }
            const unsigned line = (from + i) / kDepth * kInChunk, depth = (from + i) % kDepth;
            for (unsigned e = 0; e < kInChunk; ++e) std::memcpy(factor.bytes[line + e] + depth * 2, bytes + e * 2, 2);
        });
    }
}

// As mma.sync lays it out: rows eight apart first, then along the depth.
inline void take_registers(const Warp& warp, const GroupProduct& of, Lines<kWarpRows>& a) {
    for (unsigned word = 0; word < of.a.size(); ++word) {
        const auto* words = of.a[word].in<std::uint32_t>(warp);
        for (unsigned lane = 0; lane < kWarpSize; ++lane)
            std::memcpy(
                a.bytes[row_in_tile(lane) + word % 2 * kTileRows] + (word_in_row(lane) + word / 2 * kTileWords) * 4,
                words + lane, 4);
    }
}

template <unsigned kBytesOfB = kDepthBytes>
struct Taken {
    Lines<kWarpRows> a;
    Lines<kMostColumns, kBytesOfB> b;
    bool adds = true;
};

template <unsigned kBytesOfB>
void take_factors(Warp& warp, const Op& op, const GroupProduct& of, Taken<kBytesOfB>& taken) {
    if (warp.worker->audience.wants(machine::Event::kProductGroup)) {
        machine::ProductGroup group;
        machine::fill(group, warp, op);
        group.kind = machine::ProductGroupKind::kProduct;
        warp.worker->audience.tell(group);
    }
    const auto lead = static_cast<unsigned>(std::countr_zero(warp.exec));
    const std::uint32_t adds = *of.adds.in<std::uint32_t>(warp);
    // What lanes hand over is as it is written.
    taken.adds = ((of.adds_negated && warp.meeting == nullptr ? ~adds : adds) >> lead & 1) != 0;
    if (of.a.empty()) {
        const std::uint64_t bits = of.a_descriptor.in<std::uint64_t>(warp)[lead];
        read_factor(warp, op, bits, of.a_across, warp.index % kGroupWarps * kWarpRows, kWarpRows, false, taken.a);
    } else {
        take_registers(warp, of, taken.a);
    }
    const std::uint64_t bits = of.b_descriptor.in<std::uint64_t>(warp)[lead];
    read_factor(warp, op, bits, of.b_across, 0, of.columns, true, taken.b);
}

}  // namespace tilescope::isa::TILESCOPE_TARGET::wgmma
