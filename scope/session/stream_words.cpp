// What --check streams found, in words.
#include <filesystem>

#include <fmt/format.h>

#include "scope/observers/hazards/stream_races.h"
#include "scope/observers/hazards/undefined_memory.h"
#include "scope/report/format.h"
#include "scope/session/host_reads.h"
#include "scope/session/session_state.h"

namespace tilescope {
namespace {

using observers::StreamRace;
using observers::StreamWork;
using observers::Touch;
using observers::WorkKind;

std::string stream_name(std::uint32_t stream) {
    if (stream == 0) return "the default stream";
    if (stream == 1) return "the thread's default stream";
    return fmt::format("stream {}", stream);
}

// "kernel sum(float const*, float*) on stream 3".
std::string name_of(const StreamWork& work) {
    const std::string on = " on " + stream_name(work.stream);
    switch (work.kind) {
        case WorkKind::kKernel: return "kernel " + work.kernel + on;
        case WorkKind::kCopy: return "the copy" + on;
        case WorkKind::kSet: return "the memset" + on;
        case WorkKind::kAllocation: return "the allocation" + on;
        case WorkKind::kRelease: return "the release" + on;
    }
    return on;
}

std::string deed(const StreamWork& work) {
    if (work.kind == WorkKind::kRelease) return "frees";
    if (work.kind == WorkKind::kAllocation) return "makes";
    const std::string line =
        work.line.line == 0
            ? std::string()
            : fmt::format(" ({}:{})", std::filesystem::path(work.line.file).filename().string(), work.line.line);
    switch (work.touch) {
        case Touch::kRead: return "reads" + line;
        case Touch::kWrite: return "writes" + line;
        case Touch::kStrong: return "updates" + line;
    }
    return "touches" + line;
}

RaceOrder order_of(const StreamRace& race) {
    const Touch first = race.first.touch, second = race.second.touch;
    if (first == Touch::kStrong || second == Touch::kStrong) return RaceOrder::kPlainAgainstAtomic;
    if (first == Touch::kRead) return RaceOrder::kWriteAfterRead;
    return second == Touch::kRead ? RaceOrder::kReadAfterWrite : RaceOrder::kWriteAfterWrite;
}

// "byte 0 of 16,384 bytes of memory allocated at a.cu:3".
std::string place_of(const StreamRace& race, const machine::Memory& memory) {
    if (!race.allocation) return "memory that is gone by now";
    const std::string origin = memory.origin(*race.allocation);
    return "byte " + report::thousands(race.offset) + " of " + report::thousands(race.allocation->size) + " bytes" +
           (origin.empty() ? origin : " " + origin);
}

void place(const Session::Impl& state, std::uint64_t site, std::string& file, std::uint32_t& line) {
    if (!state.line_of_call) return;
    const SourceLocation at = state.line_of_call(site);
    file = at.file;
    line = at.line;
}

Hazard hazard_of(const Session::Impl& state, const StreamRace& race) {
    Hazard hazard;
    hazard.kind = HazardKind::kStreamRace;
    hazard.space = HazardSpace::kGlobal;
    hazard.order = order_of(race);
    place(state, race.second.site, hazard.file, hazard.line);
    place(state, race.first.site, hazard.other_file, hazard.other_line);
    hazard.message = name_of(race.second) + " " + deed(race.second) + " what " + name_of(race.first) + " " +
                     deed(race.first) + ", and nothing orders them: " + place_of(race, state.memory);
    hazard.hint = "record an event on " + stream_name(race.first.stream) + " behind the first, and let " +
                  stream_name(race.second.stream) + " wait for it (cudaStreamWaitEvent)";
    return hazard;
}

Hazard hazard_of(const Session::Impl& state, const observers::PageableCopy& copy) {
    Hazard hazard;
    hazard.kind = HazardKind::kStreamRace;
    hazard.space = HazardSpace::kGlobal;
    hazard.severity = Severity::kNote;
    place(state, copy.site, hazard.file, hazard.line);
    hazard.message = "this copy of " + report::thousands(copy.bytes) + " bytes on " + stream_name(copy.stream) +
                     " is not asynchronous: the host's side of it is pageable memory, for which the call waits";
    hazard.hint = "allocate it with cudaMallocHost, or register it (cudaHostRegister)";
    return hazard;
}

}  // namespace

void Session::name_calls(std::function<std::uint64_t()> site, std::function<SourceLocation(std::uint64_t)> line_of) {
    if (impl_->undefined_memory != nullptr) impl_->undefined_memory->set_site(site);
    if (impl_->stream_races != nullptr) impl_->stream_races->set_site(std::move(site));
    impl_->line_of_call = std::move(line_of);
}

void Session::tell_call_hazards() {
    for (Hazard& hazard : host_reads(*impl_)) note_hazard(std::move(hazard));
    observers::StreamRaces* const found = impl_->stream_races;
    if (found == nullptr || !found->has_news()) return;
    std::vector<StreamRace> races;
    std::vector<observers::PageableCopy> copies;
    found->take(races, copies);
    for (const StreamRace& race : races) note_hazard(hazard_of(*impl_, race));
    for (const observers::PageableCopy& copy : copies) note_hazard(hazard_of(*impl_, copy));
    if (found->forgotten() == 0) return;
    const std::lock_guard lock(impl_->mutex);
    impl_->note_once({Diagnostic{Severity::kWarning,
                                 "check-streams",
                                 {},
                                 "more work is under way at once than is compared: of each stream the latest is",
                                 "synchronise now and then"}});
}

}  // namespace tilescope
