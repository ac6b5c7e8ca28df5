#include "scope/views/words/hazards.h"

#include <bit>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "scope/base/number_ranges.h"
#include "scope/report/format.h"
#include "scope/views/words/barrier_places.h"
#include "scope/views/words/hazard_parts.h"
#include "scope/views/words/streams.h"

namespace tilescope::views::words {
namespace {

std::string who_of(const Hazard& hazard) { return who(hazard.thread, hazard.block); }
std::string other_of(const Hazard& hazard) { return who(hazard.other_thread, hazard.other_block); }

// Behind what it is done to.
std::string_view in_which_way(Deed deed) {
    switch (deed) {
        case Deed::kStrongRead:
        case Deed::kStrongWrite: return " (volatile or relaxed)";
        case Deed::kAtomic: return " atomically";
        default: return "";
    }
}

std::string race(const Hazard& hazard) {
    const HazardFacts& facts = hazard.facts;
    const Deed deed = facts.act.deed, other = facts.other.deed;
    std::string text = fmt::format("{} {} {}{} at {}; {} {} it{} at {}; nothing orders the two", who_of(hazard),
                                   does(deed), memory_text(facts.memory), in_which_way(deed), line_of(hazard),
                                   other_of(hazard), does(other), in_which_way(other), other_line_of(hazard));
    if (facts.is_met)
        text +=
            " but the four warps of the warpgroup, which wait for each other at wgmma on an H200; "
            "PTX doesn't guarantee that";
    if (facts.is_volatile) text += ", and volatile does not";
    if (facts.is_same_value) text += "; what is written is what was there or what the other one writes";
    if (facts.only_decides) text += "; the value is only compared, so an old one does no harm as long as it is whole";
    return text;
}

// A read by the read-only path of what the same launch writes.
std::string stale_read(const Hazard& hazard) {
    const HazardFacts& facts = hazard.facts;
    const std::string_view path = facts.is_texture ? "a texture" : "the read-only cache (ld.global.nc)";
    std::string text = fmt::format("{} reads {} through {} at {}; {} {} it{} at {} in the same launch", who_of(hazard),
                                   memory_text(facts.memory), path, line_of(hazard), other_of(hazard),
                                   does(facts.other.deed), in_which_way(facts.other.deed), other_line_of(hazard));
    if (facts.is_before) return text + ", later: CUDA requires memory that no thread writes while the kernel runs";
    text += ": the read may bring the old value, and neither a barrier nor a fence helps";
    if (!facts.is_texture)
        text +=
            "; where the source has no __ldg, the compiler chose this path for a pointer that is declared const "
            "and __restrict__, and the program breaks that promise";
    return text;
}

// What decides something and was never written: who read it, and where from.
std::string undefined_use(const Hazard& hazard) {
    const HazardFacts& facts = hazard.facts;
    std::string text =
        fmt::format("{} {} at {} by an undefined value: ", who_of(hazard), does(facts.act.deed), line_of(hazard));
    if (facts.is_from_lane)
        return text + fmt::format("the shuffle at {} brought it from a lane that takes no part", other_line_of(hazard));
    if (facts.other.deed == Deed::kNone) {
        text += fmt::format("{} in {} read {}", other_line_of(hazard), facts.other.function, memory_text(facts.memory));
    } else {
        const bool is_same = hazard.block == hazard.other_block && hazard.thread == hazard.other_thread;
        text += fmt::format("{} read {} at {}", is_same ? "it" : other_of(hazard), memory_text(facts.memory),
                            other_line_of(hazard));
    }
    text += ", which nobody had written";
    const SourceSpot& stored = facts.stored.at;
    if (stored.line == 0) return text;
    return text + fmt::format("; {} stored it on the way", line_text(stored.file, stored.line, hazard.file));
}

std::string access(const Hazard& hazard) {
    return fmt::format("{} {} {} bytes ", who_of(hazard), does(hazard.facts.act.deed), hazard.facts.bytes);
}

std::string leaves_variable(const Hazard& hazard) {
    const HazardFacts& facts = hazard.facts;
    std::string made = origin_text(facts.from);
    if (!made.empty()) made = " (" + made + ")";
    const std::string where = facts.is_across     ? std::string("across its end")
                              : facts.beyond >= 0 ? fmt::format("{} bytes past its end", facts.beyond)
                                                  : fmt::format("{} bytes before its beginning", -facts.beyond);
    const bool is_dynamic = hazard.space == HazardSpace::kShared && facts.from.bytes == 0;
    const std::string size =
        is_dynamic ? std::string("which is dynamic") : fmt::format("which has {} bytes{}", facts.from.bytes, made);
    return access(hazard) + fmt::format("by an index into {}, {}: {}, at {}", memory_name(facts.from), size, where,
                                        memory_text(facts.memory));
}

std::string leaves_rows(const Hazard& hazard) {
    const HazardFacts& facts = hazard.facts;
    return access(hazard) +
           fmt::format("row {} of {}, which has {} rows ({})", facts.row, facts.from.name, facts.rows, facts.option);
}

std::string between_rows(const Hazard& hazard) {
    const HazardFacts& facts = hazard.facts;
    return access(hazard) +
           fmt::format("what lies between rows {} and {} of {}, {} bytes behind the row's last element ({})", facts.row,
                       facts.row + 1, facts.from.name, facts.beyond, facts.option);
}

// Who said how long rows are.
std::string shape_source(const HazardFacts& facts) {
    if (!facts.option.empty()) return facts.option;
    return fmt::format("rows of {} elements, as the index says", facts.elements);
}

std::string crosses_row(const Hazard& hazard) {
    const HazardFacts& facts = hazard.facts;
    if (facts.row < 0)
        return access(hazard) +
               fmt::format("before row {} of {}: the thread beside it has that row's first element ({})",
                           facts.other_row, facts.from.name, shape_source(facts));
    return access(hazard) +
           fmt::format("of row {} of {}, past the end of row {}: the thread beside it has that row's last element ({})",
                       facts.other_row, facts.from.name, facts.row, shape_source(facts));
}

std::string thread_text(const Dim3& thread) {
    return fmt::format("thread ({}, {}, {})", thread[0], thread[1], thread[2]);
}

std::string two_barriers(const Hazard& hazard) {
    return fmt::format(
        "threads of one block wait at two barriers of the same number, {} at one and {} at the other{}; they pass as "
        "if it were one, but CUDA leaves it undefined",
        thread_text(hazard.thread), thread_text(hazard.other_thread),
        hazard.facts.is_one_line ? " (one line makes both, by a macro or an inlined function)" : "");
}

std::string ended_before(const Hazard& hazard) {
    return fmt::format(
        "{} of the {} threads of the block come to this barrier, and it passes without the others, such as {}, which "
        "have ended: CUDA leaves it undefined",
        hazard.facts.came, hazard.facts.expected, thread_text(hazard.facts.missing));
}

std::string crowded_barrier(const Hazard& hazard) {
    const HazardFacts& facts = hazard.facts;
    return fmt::format(
        "more threads come to barrier {} than the {} that it is for: nothing orders thread {} with thread {}, which it "
        "let pass before, so it is chance which of them meet",
        facts.barrier, facts.expected, facts.act.number, facts.other.number);
}

std::string lucky_barrier(const Hazard& hazard) {
    return fmt::format(
        "threads come to this barrier by the condition at {}, which follows from their place in the block: all of each "
        "block went one way with this size, and with another one they need not",
        other_line_of(hazard));
}

std::string index_wraps(const HazardFacts& facts) {
    return fmt::format(
        "this index has 32 bits, which hold at most {}, and comes to {} in this grid: it wraps round, and later "
        "threads have "
        "the "
        "elements of earlier ones or none",
        report::thousands(facts.limit), report::thousands(facts.reaches));
}

std::string exact_fit(const HazardFacts& facts) {
    return fmt::format(
        "no check guards this access, and only this size keeps it in bounds: the last thread of the grid has the last "
        "of "
        "the {} elements of {}",
        report::thousands(facts.reaches), memory_name(facts.memory));
}

std::string lanes_text(std::uint32_t mask) {
    std::vector<std::uint32_t> lanes;
    for (std::uint32_t left = mask; left != 0; left &= left - 1)
        lanes.push_back(static_cast<std::uint32_t>(std::countr_zero(left)));
    return numbered("lane", lanes);
}

std::string missing_lanes(const HazardFacts& facts) {
    return fmt::format(
        "the member mask names {}, which went another way and ended; {} went on without {}, as on a GPU, but CUDA "
        "leaves the result undefined",
        lanes_text(facts.other_lanes), lanes_text(facts.lanes), std::popcount(facts.other_lanes) == 1 ? "it" : "them");
}

std::string ended_lanes(const HazardFacts& facts) {
    return fmt::format(
        "{} had ended before this instruction, or the block has no such threads, and it wants all threads of the warp "
        "(.aligned): {} went on without {}, and the result is undefined",
        lanes_text(facts.other_lanes), lanes_text(facts.lanes), std::popcount(facts.other_lanes) == 1 ? "it" : "them");
}

std::string dead_frame(const Hazard& hazard) {
    const HazardFacts& facts = hazard.facts;
    return fmt::format(
        "{} {} {} bytes of a local variable of {}, which has returned: the pointer dangles, and the next call "
        "overwrites "
        "that memory",
        who_of(hazard), does(facts.act.deed), facts.bytes, facts.other.function);
}

std::string no_acquire(const Hazard& hazard) {
    return fmt::format(
        "{} reads {} at {} with a plain load after an atomic announced it, but no fence stands between the two; {} "
        "wrote it at {}. L1 may still hold the old value",
        who_of(hazard), memory_text(hazard.facts.memory), line_of(hazard), other_of(hazard), other_line_of(hazard));
}

// What a product of a group of warps (wgmma) needs around it.
std::string product(const Hazard& hazard) {
    const std::string at = line_of(hazard), other = other_line_of(hazard);
    switch (hazard.facts.what) {
        case HazardCase::kNoProxyFence:
            return fmt::format(
                "wgmma at {} multiplies {} that {} wrote at {}, and no fence between proxies was passed since: it may "
                "find what was there before",
                at, memory_text(hazard.facts.memory), other_of(hazard), other);
        case HazardCase::kProductUnderWay:
            return fmt::format("{} {} {} at {}, which wgmma at {} may still read: its warp has not waited for it",
                               who_of(hazard), does(hazard.facts.act.deed), memory_text(hazard.facts.memory), at,
                               other);
        case HazardCase::kUnfencedProduct:
            return fmt::format(
                "wgmma at {} is the first of its warp, and no wgmma.fence comes before it: it may find "
                "registers as they were before",
                at);
        case HazardCase::kPartialGroup:
            return fmt::format(
                "{} runs wgmma at {} while another warp of its warpgroup runs wgmma at {}: PTX requires the same "
                "instruction of all four warps, and the result is undefined",
                who_of(hazard), at, other);
        default:
            return fmt::format("{} at {} reads sums of wgmma at {} that nothing has waited for", who_of(hazard), at,
                               other);
    }
}

std::string absent_source(const HazardFacts& facts) {
    std::string text =
        fmt::format("lane {} reads from lane {}{}", facts.act.number, facts.other.number,
                    facts.is_there ? ", which takes no part: the value is undefined"
                                   : ", which has ended or never was: the value is undefined, 0 on an H200");
    if (std::popcount(facts.lanes) > 1) text += fmt::format(" ({} read from such lanes)", lanes_text(facts.lanes));
    return text;
}

std::string define(HazardSpace space) {
    switch (space) {
        case HazardSpace::kShared:
            return "have every element written before the barrier, those beyond the end of the data as well (0 there)";
        case HazardSpace::kLocal: return "give all elements of the array a value before they are read";
        default: return "write it before: by a kernel, cudaMemcpy or cudaMemset, over all of its length";
    }
}

std::string coherent_read(const Hazard& hazard) {
    const std::string at = line_of(hazard);
    if (hazard.facts.is_texture)
        return fmt::format("read it with a plain load or surf2Dread at {}, or in a launch of its own", at);
    return fmt::format(
        "read it with a plain load at {}: no __ldg, and no const __restrict__ on a pointer to memory that the kernel "
        "writes",
        at);
}

constexpr std::string_view kFlag =
    "blocks are only ordered by a flag or counter: __threadfence() and an atomic on the writing side, an atomic and "
    "__threadfence() on the reading side, or a second launch";

}  // namespace

std::string hazard_message(const Hazard& hazard) {
    switch (hazard.facts.what) {
        case HazardCase::kNone: break;
        case HazardCase::kRace: return race(hazard);
        case HazardCase::kUndefinedUse: return undefined_use(hazard);
        case HazardCase::kLeavesVariable: return leaves_variable(hazard);
        case HazardCase::kLeavesRows: return leaves_rows(hazard);
        case HazardCase::kBetweenRows: return between_rows(hazard);
        case HazardCase::kCrossesRow: return crosses_row(hazard);
        case HazardCase::kTwoBarriers: return two_barriers(hazard);
        case HazardCase::kEndedBefore: return ended_before(hazard);
        case HazardCase::kCrowdedBarrier: return crowded_barrier(hazard);
        case HazardCase::kUnnamedLane:
            return fmt::format("lane {} is not named in its own member mask: the result is undefined",
                               hazard.facts.act.number);
        case HazardCase::kMissingLanes: return missing_lanes(hazard.facts);
        case HazardCase::kEndedLanes: return ended_lanes(hazard.facts);
        case HazardCase::kNoProxyFence:
        case HazardCase::kProductUnderWay:
        case HazardCase::kUnfencedProduct:
        case HazardCase::kPartialGroup:
        case HazardCase::kEarlyRead: return product(hazard);
        case HazardCase::kAbsentSource: return absent_source(hazard.facts);
        case HazardCase::kLuckyBarrier: return lucky_barrier(hazard);
        case HazardCase::kIndexWraps: return index_wraps(hazard.facts);
        case HazardCase::kExactFit: return exact_fit(hazard.facts);
        case HazardCase::kStreamRace:
        case HazardCase::kEarlyLaunch:
        case HazardCase::kHostRace:
        case HazardCase::kPageableCopy:
        case HazardCase::kHostReadsUnwritten:
        case HazardCase::kHostReadsPartly:
        case HazardCase::kHostReadsUndefined:
        case HazardCase::kLeak:
        case HazardCase::kHeapLeak:
        case HazardCase::kOverlappingCopy:
        case HazardCase::kSkippedField: return host_message(hazard);
        case HazardCase::kDeadFrame: return dead_frame(hazard);
        case HazardCase::kNoAcquire: return no_acquire(hazard);
        case HazardCase::kStaleRead: return stale_read(hazard);
    }
    return {};
}

std::string hazard_hint(const Hazard& hazard) {
    const std::string at = line_of(hazard), other = other_line_of(hazard);
    switch (hazard.facts.remedy) {
        case Remedy::kNone: break;
        case Remedy::kBlockBarrier: return place_of_barrier(hazard, "__syncthreads()");
        case Remedy::kWarpBarrier:
            // A barrier of the block goes only where all of its threads come by.
            if (hazard.facts.is_conditional) return place_of_barrier(hazard, "__syncwarp()");
            return place_of_barrier(hazard, "__syncthreads()") +
                   " (__syncwarp() is enough here: the two are of one warp)";
        case Remedy::kWarpHandOver: return hand_over(hazard);
        case Remedy::kRelaxedRead:
            return fmt::format(
                "read it with a relaxed or volatile access at {}: *(volatile T*)p, or "
                "cuda::atomic_ref<T>(*p).load(cuda::memory_order_relaxed)",
                hazard.facts.act.deed == Deed::kRead ? at : other);
        case Remedy::kCoherentRead: return coherent_read(hazard);
        case Remedy::kCopyCommit:
            return fmt::format(
                "commit the copy (cp.async.commit_group, __pipeline_commit()) behind {}: a wait is for groups that "
                "were committed, and this copy is in none",
                other);
        case Remedy::kCopyWait:
            return fmt::format(
                "wait for the copy (cp.async.wait_group, __pipeline_wait_prior()) before {}, and add __syncthreads() "
                "where other threads use it",
                at);
        case Remedy::kFences: return std::string(kFlag);
        case Remedy::kFlagNotBarrier: return std::string(kFlag) + "; no barrier orders blocks";
        case Remedy::kGridOwner:
            return at + ": use an atomic, or let one thread of the grid own each element; no barrier orders blocks";
        case Remedy::kAtomic: return fmt::format("make both accesses atomic (or order them): {} and {}", other, at);
        case Remedy::kScope: return "use a scope that holds both threads: device scope between blocks";
        case Remedy::kOneWriter: return at + ": let one thread write each element, or use an atomic";
        case Remedy::kUniform: return "have all threads of the block come to the same barrier";
        case Remedy::kUnconditional:
            return "take the barrier out of the condition, or the return before it: let threads without work skip the "
                   "work, not the barrier";
        case Remedy::kBarrierNumbers: return "give each group of threads a barrier number of its own";
        case Remedy::kCheckIndex: return "check the index against the array's own size";
        case Remedy::kWideIndex:
            return "compute it in 64 bits: (size_t)blockIdx.x * blockDim.x + threadIdx.x, and have the kernel's size "
                   "in 64 bits, too";
        case Remedy::kCheckColumn:
            return fmt::format("check the column against the {} elements of a row of {}, beside the row",
                               hazard.facts.elements, hazard.facts.from.name);
        case Remedy::kDefine: return define(hazard.space);
        case Remedy::kLanesPresent:
            return "let all lanes of the mask take part, or use no value of a lane that does not: a smaller width, or "
                   "a check of the lane's number";
        case Remedy::kWholeWarp:
            return "let all threads of the warp come to it, and only then return: skip the work, not the instruction; "
                   "launch blocks of whole warps";
        case Remedy::kWholeGroup: return "have all four warps of the group, and all their threads, come to it";
        case Remedy::kProxyFence:
            return fmt::format("put fence.proxy.async behind {}, before the barrier that hands it on", other);
        case Remedy::kProductFence: return fmt::format("put wgmma.fence.sync.aligned before {}", at);
        case Remedy::kProductWait:
            return fmt::format("put wgmma.commit_group and wgmma.wait_group between {} and {}", other, at);
        case Remedy::kOutlive:
            return "let the caller own the array and pass a pointer to it, or return the values in a struct";
        case Remedy::kAcquireFence:
            return fmt::format(
                "add __threadfence() between the atomic and {}, or read with volatile, __ldcg() or an acquire load",
                at);
        case Remedy::kCooperative:
            return "the kernel asks for the barrier of the whole grid (grid.sync()), which a launch by <<<...>>> does "
                   "not have: launch it by cudaLaunchCooperativeKernel()";
        default: return host_hint(hazard);
    }
    return {};
}

}  // namespace tilescope::views::words
