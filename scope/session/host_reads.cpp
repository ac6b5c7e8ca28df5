#include "scope/session/host_reads.h"

#include <filesystem>

#include <fmt/format.h>

#include "scope/observers/hazards/undefined_memory.h"
#include "scope/report/format.h"
#include "scope/session/launch/hazard_words.h"

namespace tilescope {
namespace {

using observers::HostRead;
using observers::HostReadKind;
using observers::UndefinedValue;

std::string bytes_text(std::uint64_t bytes) { return report::thousands(bytes) + (bytes == 1 ? " byte" : " bytes"); }

// "a.cu:12 in f(int*)", with as much of it as another place does not say already.
std::string place_text(const observers::CodePlace& place, const observers::CodePlace& other = {}) {
    if (place.line == 0) return "an earlier launch";
    const std::string file = std::filesystem::path(place.file).filename().string();
    if (place.kernel == other.kernel && place.file == other.file) return fmt::format("line {}", place.line);
    return fmt::format("{}:{} in {}", file, place.line, place.kernel);
}

// Which op left the value there, and what it came from.
std::string history(const UndefinedValue& value) {
    const std::string memory = value.memory.empty() ? "memory" : value.memory;
    if (value.space == HazardSpace::kNone)
        return fmt::format("{} stored what the shuffle at {} brought from {}", place_text(value.stored),
                           place_text(value.read, value.stored), memory);
    if (value.stored.line == value.read.line && value.stored.kernel == value.read.kernel)
        return fmt::format("{} {} {}, which nobody had written", place_text(value.stored),
                           value.is_computed ? "made them of" : "moved them there from", memory);
    return fmt::format("{} stored them; they come from {}, which {} read and nobody had written",
                       place_text(value.stored), memory, place_text(value.read, value.stored));
}

// "byte 64 of 256 bytes allocated at a.cu:3".
std::string memory_text(const HostRead& read, const machine::Memory& memory) {
    const std::string origin = memory.origin(read.allocation);
    return "byte " + report::thousands(read.offset) + " of " + bytes_text(read.allocation.size) +
           (origin.empty() ? " of device memory" : " " + origin);
}

Hazard hazard_of_read(const Recording& recording, const machine::Memory& device, const HostRead& read) {
    Hazard hazard;
    hazard.kind = HazardKind::kUninitialized;
    hazard.space = HazardSpace::kGlobal;
    if (recording.place_of_call) {
        const SourceLocation at = recording.place_of_call(read.site).at;
        hazard.file = at.file;
        hazard.line = at.line;
    }
    const std::string memory = memory_text(read, device);
    std::string stored;  // how they came there, if anybody stored them
    if (read.value != 0) {
        const UndefinedValue& value = recording.undefined_memory->values()[read.value];
        hazard.other_file = value.stored.file;
        hazard.other_line = value.stored.line;
        stored = ": " + history(value);
        hazard.hint =
            "write that memory before it is read: cudaMemset or cudaMemcpy for device memory, all elements "
            "for shared and local arrays";
        if (value.space == HazardSpace::kNone) hazard.hint = kAskThoseThere;
    }
    switch (read.kind) {
        case HostReadKind::kNeverWritten:
            hazard.message =
                fmt::format("the host copies {} that nobody wrote, from {}{}", bytes_text(read.bytes), memory, stored);
            if (read.value == 0)
                hazard.hint =
                    "write it before: by a kernel (did it run, and on this buffer?), cudaMemcpy or cudaMemset";
            break;
        case HostReadKind::kPartly:
            hazard.severity = Severity::kWarning;
            hazard.message = fmt::format("of the {} that the host copies nobody wrote {}; the first of them is {}{}",
                                         bytes_text(read.bytes), bytes_text(read.undefined), memory, stored);
            if (read.value == 0)
                hazard.hint = "does the grid reach all elements? Copy no more than was written, or set the rest";
            break;
        case HostReadKind::kMoved: hazard.severity = Severity::kWarning; [[fallthrough]];
        case HostReadKind::kUndefined:
            hazard.message = fmt::format("the host copies {} with undefined values, {}{}", bytes_text(read.undefined),
                                         memory, stored);
            break;
    }
    return hazard;
}

}  // namespace

std::vector<Hazard> host_reads(Recording& recording, const machine::Memory& device) {
    std::vector<Hazard> hazards;
    if (recording.undefined_memory == nullptr || !recording.undefined_memory->has_news()) return hazards;
    for (const HostRead& read : recording.undefined_memory->take())
        hazards.push_back(hazard_of_read(recording, device, read));
    return hazards;
}

}  // namespace tilescope
