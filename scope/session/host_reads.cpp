#include "scope/session/host_reads.h"

#include <fmt/format.h>

#include "scope/observers/hazards/undefined_memory.h"
#include "scope/report/format.h"

namespace tilescope {
namespace {

using observers::CodePlace;
using observers::HostRead;
using observers::UndefinedValue;

std::string bytes_text(std::uint64_t bytes) { return report::thousands(bytes) + (bytes == 1 ? " byte" : " bytes"); }

// "line 12 of a.cu in f(int*)".
std::string place_text(const CodePlace& place) {
    if (place.line == 0) return "an earlier launch";
    return fmt::format("{}:{} in {}", place.file, place.line, place.kernel);
}

// "byte 64 of 256 bytes allocated at a.cu:3".
std::string memory_text(const HostRead& read, const machine::Memory& memory) {
    const std::string origin = memory.origin(read.allocation);
    return "byte " + report::thousands(read.offset) + " of " + bytes_text(read.allocation.size) +
           (origin.empty() ? " of device memory" : " " + origin);
}

Hazard hazard_of(const Session::Impl& state, const HostRead& read) {
    Hazard hazard;
    hazard.kind = HazardKind::kUninitialized;
    hazard.space = HazardSpace::kGlobal;
    if (state.line_of_call) {
        const SourceLocation at = state.line_of_call(read.site);
        hazard.file = at.file;
        hazard.line = at.line;
    }
    const std::string memory = memory_text(read, state.memory);
    switch (read.kind) {
        case HostRead::Kind::kNeverWritten:
            hazard.message =
                fmt::format("the host copies {} that nobody wrote, from {}", bytes_text(read.bytes), memory);
            hazard.hint = "write it before: by a kernel (did it run, and on this buffer?), cudaMemcpy or cudaMemset";
            break;
        case HostRead::Kind::kPartly:
            hazard.severity = Severity::kWarning;
            hazard.message = fmt::format("of the {} that the host copies nobody wrote {}, from {} on",
                                         bytes_text(read.bytes), bytes_text(read.undefined), memory);
            hazard.hint = "does the grid reach all elements? Copy no more than was written, or set the rest";
            break;
        case HostRead::Kind::kUndefined: {
            const UndefinedValue& value = state.undefined_memory->values()[read.value];
            hazard.other_file = value.stored.file;
            hazard.other_line = value.stored.line;
            hazard.message = fmt::format(
                "the host copies {} with undefined values ({}): {} wrote them, from what {} read in {}, which nobody "
                "had written",
                bytes_text(read.undefined), memory, place_text(value.stored), place_text(value.read),
                value.memory.empty() ? "memory" : value.memory);
            hazard.hint =
                "write that memory before it is read: cudaMemset or cudaMemcpy for device memory, all elements "
                "for shared and local arrays";
            break;
        }
    }
    return hazard;
}

}  // namespace

std::vector<Hazard> host_reads(Session::Impl& state) {
    std::vector<Hazard> hazards;
    if (state.undefined_memory == nullptr || !state.undefined_memory->has_news()) return hazards;
    for (const HostRead& read : state.undefined_memory->take()) hazards.push_back(hazard_of(state, read));
    return hazards;
}

}  // namespace tilescope
