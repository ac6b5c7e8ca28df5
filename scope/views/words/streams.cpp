#include "scope/views/words/streams.h"

#include <string_view>

#include <fmt/format.h>

#include "scope/report/format.h"
#include "scope/views/words/hazard_parts.h"

namespace tilescope::views::words {
namespace {

using report::thousands;

std::string stream_name(std::uint32_t stream) {
    if (stream == 0) return "the default stream";
    if (stream == 1) return "the thread's default stream";
    return fmt::format("stream {}", stream);
}

// "kernel sum(float const*, float*) on stream 3".
std::string name_of(const HazardAct& work) {
    const std::string on =
        work.graph != 0 ? fmt::format(" in launch {} of a graph", work.graph) : " on " + stream_name(work.stream);
    switch (work.doer) {
        case Doer::kKernel: return "kernel " + work.function + on;
        case Doer::kCopy: return "the copy" + on;
        case Doer::kSet: return "the memset" + on;
        case Doer::kAllocation: return "the allocation" + on;
        case Doer::kRelease: return "the release" + on;
        case Doer::kThread:
        case Doer::kHost: break;
    }
    return on;
}

// Where an event would be recorded behind it, or wait before it.
std::string place_name(const HazardAct& work) {
    return work.graph != 0 ? fmt::format("the stream that graph launch {} went to", work.graph)
                           : stream_name(work.stream);
}

// " (a.cu:12)".
std::string line_behind(const HazardAct& work) {
    return work.at.line == 0 ? std::string() : " (" + short_place(work.at) + ")";
}

std::string_view verb(const HazardAct& work) {
    if (work.doer == Doer::kRelease) return "frees";
    return work.doer == Doer::kAllocation ? "makes" : does(work.deed);
}

std::string deed(const HazardAct& work) { return std::string(verb(work)) + line_behind(work); }

std::string_view kind_text(MemoryKind kind) {
    switch (kind) {
        case MemoryKind::kManaged: return "managed memory";
        case MemoryKind::kPinned: return "pinned memory";
        case MemoryKind::kRegistered: return "registered memory";
        case MemoryKind::kDevice: break;
    }
    return "memory";
}

std::string origin_behind(const HazardMemory& memory) {
    const std::string origin = origin_text(memory);
    return origin.empty() ? origin : " " + origin;
}

// "kernel a(int*) on stream 3 reads (a.cu:12) what the copy on stream 2 writes, and nothing orders them: byte 0 of
// 16,384 bytes allocated at a.cu:3".
std::string stream_race(const HazardFacts& facts) {
    const std::string_view why = facts.what == HazardCase::kEarlyLaunch
                                     ? ", which lets it begin before its end, and it does not wait: "
                                     : ", and nothing orders them: ";
    const HazardMemory& memory = facts.memory;
    const std::string where = memory.naming == MemoryNaming::kNone
                                  ? std::string("memory that is gone by now")
                                  : fmt::format("byte {} of {} bytes{}", thousands(memory.byte),
                                                thousands(memory.bytes), origin_behind(memory));
    return fmt::format("{} {} what {} {}{}{}", name_of(facts.act), deed(facts.act), name_of(facts.other),
                       deed(facts.other), why, where);
}

// "host code in main reads byte 0 of 4,096 bytes of managed memory allocated at a.cu:3 before it has waited for kernel
// add(int*) on stream 3, which writes it (a.cu:12)".
std::string host_race(const HazardFacts& facts) {
    const HazardMemory& memory = facts.memory;
    const std::string what = memory.naming == MemoryNaming::kNone
                                 ? std::string("memory")
                                 : fmt::format("byte {} of {} bytes of {}{}", thousands(memory.byte),
                                               thousands(memory.bytes), kind_text(memory.kind), origin_behind(memory));
    return fmt::format("host code{} {} {} before it has waited for {}, which {} it{}",
                       facts.act.function.empty() ? std::string() : " in " + facts.act.function, does(facts.act.deed),
                       what, name_of(facts.other), verb(facts.other), line_behind(facts.other));
}

// "a.cu:12 in f(int*)", with as much of it as another place does not say already.
std::string place_text(const HazardAct& place, const HazardAct& beside = {}) {
    if (place.at.line == 0) return "an earlier launch";
    if (place.function == beside.function && place.at.file == beside.at.file)
        return fmt::format("line {}", place.at.line);
    return fmt::format("{} in {}", short_place(place.at), place.function);
}

// Behind a sentence: which op left an undefined value where the host reads it, and what it came from.
std::string history(const HazardFacts& facts) {
    if (facts.stored.deed == Deed::kNone) return {};
    std::string from = memory_text(facts.from);
    if (from.empty()) from = "memory";
    const HazardAct &stored = facts.stored, &read = facts.other;
    if (facts.is_from_lane)
        return fmt::format(": {} stored what the shuffle at {} brought from {}", place_text(stored),
                           place_text(read, stored), from);
    if (stored.at.line == read.at.line && stored.function == read.function)
        return fmt::format(": {} {} {}, which nobody had written", place_text(stored),
                           facts.is_computed ? "made them of" : "moved them there from", from);
    return fmt::format(": {} stored them; they come from {}, which {} read and nobody had written", place_text(stored),
                       from, place_text(read, stored));
}

std::string host_read(const HazardFacts& facts) {
    const HazardMemory& at = facts.memory;
    const std::string origin = origin_text(at);
    const std::string memory = fmt::format("byte {} of {} {}", thousands(at.byte), bytes_text(at.bytes),
                                           origin.empty() ? "of device memory" : origin);
    if (facts.what == HazardCase::kHostReadsUnwritten)
        return fmt::format("the host copies {} that nobody wrote, from {}{}", bytes_text(facts.bytes), memory,
                           history(facts));
    if (facts.what == HazardCase::kHostReadsPartly)
        return fmt::format("of the {} that the host copies nobody wrote {}; the first of them is {}{}",
                           bytes_text(facts.bytes), bytes_text(facts.undefined), memory, history(facts));
    return fmt::format("the host copies {} with undefined values, {}{}", bytes_text(facts.undefined), memory,
                       history(facts));
}

std::uint64_t magnitude(std::int64_t value) {
    return value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

std::string leak(const Hazard& hazard) {
    const MemoryKind kind = hazard.facts.memory.kind;
    const std::string_view memory = kind == MemoryKind::kManaged  ? "managed memory"
                                    : kind == MemoryKind::kPinned ? "pinned host memory"
                                                                  : "device memory";
    const std::string in = hazard.count == 1 ? std::string() : " in " + thousands(hazard.count) + " allocations";
    return fmt::format("{} of {}{} were never freed", bytes_text(hazard.facts.bytes), memory, in);
}

std::string skipped_field(const Hazard& hazard) {
    const HazardFacts& facts = hazard.facts;
    const HazardMemory& memory = facts.memory;
    return fmt::format(
        "the host copies a field of {} that nobody wrote, at byte {} of {} bytes{}: {} in {} wrote other fields of its "
        "element ({}) but not this one ({}), which other threads wrote {} times",
        bytes_text(facts.undefined), thousands(memory.byte), thousands(memory.bytes), origin_behind(memory),
        who(hazard.other_thread, hazard.other_block), facts.other.function, short_place(facts.stored.at),
        short_place(facts.other.at), thousands(facts.reaches));
}

std::string overlapping_copy(const HazardFacts& facts) {
    const HazardMemory& memory = facts.memory;
    const std::string where = memory.naming == MemoryNaming::kNone
                                  ? std::string()
                                  : fmt::format(", from byte {} of {} bytes{} on", thousands(memory.byte),
                                                thousands(memory.bytes), origin_behind(memory));
    if (facts.is_same_value)
        return fmt::format(
            "{} copies {} onto themselves{}: CUDA does not allow source and target to overlap, and here the copy "
            "changes nothing",
            name_of(facts.act), bytes_text(facts.bytes), where);
    const std::string apart = facts.beyond == 0
                                  ? std::string("begins where the source begins")
                                  : fmt::format("begins {} {} the source", bytes_text(magnitude(facts.beyond)),
                                                facts.beyond < 0 ? "before" : "after");
    return fmt::format(
        "source and target of {} overlap: they share {} of {}{}; the target {}. CUDA leaves the result undefined",
        name_of(facts.act), bytes_text(facts.reaches), bytes_text(facts.bytes), where, apart);
}

// Of a graph, or of streams that are captured into one.
constexpr std::string_view kEdge =
    "let one node depend on the other (cudaGraphAddDependencies), or while capturing record an event behind the first "
    "and let the stream of the second wait for it";

std::string let_wait(const std::string& waiting, const HazardAct& first) {
    return "record an event on " + place_name(first) + " behind the first, and let " + waiting +
           " wait for it (cudaStreamWaitEvent)";
}

}  // namespace

std::string host_message(const Hazard& hazard) {
    const HazardFacts& facts = hazard.facts;
    switch (facts.what) {
        case HazardCase::kStreamRace:
        case HazardCase::kEarlyLaunch: return stream_race(facts);
        case HazardCase::kHostRace: return host_race(facts);
        case HazardCase::kPageableCopy:
            return "this copy of " + thousands(facts.bytes) + " bytes on " + stream_name(facts.act.stream) +
                   " is not asynchronous: the host's side of it is pageable memory, for which the call waits";
        case HazardCase::kHostReadsUnwritten:
        case HazardCase::kHostReadsPartly:
        case HazardCase::kHostReadsUndefined: return host_read(facts);
        case HazardCase::kLeak: return leak(hazard);
        case HazardCase::kSkippedField: return skipped_field(hazard);
        case HazardCase::kOverlappingCopy: return overlapping_copy(facts);
        case HazardCase::kHeapLeak: return bytes_text(facts.bytes) + " that kernels took by malloc were never freed";
        default: return {};
    }
}

std::string host_hint(const Hazard& hazard) {
    const HazardFacts& facts = hazard.facts;
    switch (facts.remedy) {
        case Remedy::kDefineForHost:
            return "write that memory before it is read: cudaMemset or cudaMemcpy for device memory, all elements for "
                   "shared and local arrays";
        case Remedy::kDefineBuffer:
            return "write it before: by a kernel (did it run, and on this buffer?), cudaMemcpy or cudaMemset";
        case Remedy::kCopyLess:
            return "does the grid reach all elements? Copy no more than was written, or set the rest";
        case Remedy::kGraphEdge: return std::string(kEdge);
        case Remedy::kEvent: return let_wait(place_name(facts.act), facts.other);
        case Remedy::kEventForCaller: return let_wait("the stream that calls the function", facts.other);
        case Remedy::kSynchronize:
            return fmt::format("cudaStreamSynchronize() of {}, or cudaDeviceSynchronize(), before {}",
                               place_name(facts.other),
                               hazard.line == 0 ? "that" : short_place({hazard.file, hazard.line}));
        case Remedy::kGridDependency:
            return "call cudaGridDependencySynchronize() in " + facts.act.function +
                   " before it touches that memory, or launch it without "
                   "cudaLaunchAttributeProgrammaticStreamSerialization";
        case Remedy::kPinnedMemory: return "allocate it with cudaMallocHost, or register it (cudaHostRegister)";
        case Remedy::kFree:
            return std::string(facts.memory.kind == MemoryKind::kPinned ? "cudaFreeHost" : "cudaFree") +
                   "() each before the program ends";
        case Remedy::kWriteField:
            return fmt::format(
                "write the field in every element, or initialize the buffer first (cudaMemset); is the "
                "condition at {} right?",
                short_place(facts.other.at));
        case Remedy::kCopyApart:
            return facts.is_same_value ? "leave the copy out"
                                       : "copy to a second buffer first, or move the bytes in a kernel that reads all "
                                         "of them before it writes";
        case Remedy::kFreeInKernel: return "free() them in a kernel";
        default: return {};
    }
}

}  // namespace tilescope::views::words
