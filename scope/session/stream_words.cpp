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
    const std::string on =
        work.graph != 0 ? fmt::format(" in launch {} of a graph", work.graph) : " on " + stream_name(work.stream);
    switch (work.kind) {
        case WorkKind::kKernel: return "kernel " + work.kernel + on;
        case WorkKind::kCopy: return "the copy" + on;
        case WorkKind::kSet: return "the memset" + on;
        case WorkKind::kAllocation: return "the allocation" + on;
        case WorkKind::kRelease: return "the release" + on;
    }
    return on;
}

// Where an event would be recorded behind it, or wait before it.
std::string place_name(const StreamWork& work) {
    return work.graph != 0 ? fmt::format("the stream that graph launch {} went to", work.graph)
                           : stream_name(work.stream);
}

// " (a.cu:12)".
std::string line_text(const StreamWork& work) {
    if (work.line.line == 0) return {};
    return fmt::format(" ({}:{})", std::filesystem::path(work.line.file).filename().string(), work.line.line);
}

std::string verb(const StreamWork& work) {
    if (work.kind == WorkKind::kRelease) return "frees";
    if (work.kind == WorkKind::kAllocation) return "makes";
    switch (work.touch) {
        case Touch::kRead: return "reads";
        case Touch::kWrite: return "writes";
        case Touch::kStrong:
        case Touch::kSystem: return "updates";
        case Touch::kStrongRead:
        case Touch::kSystemRead: return "reads";
    }
    return "touches";
}

std::string deed(const StreamWork& work) { return verb(work) + line_text(work); }

RaceOrder order_of(const StreamRace& race) {
    const Touch first = race.first.touch, second = race.second.touch;
    if (observers::is_strong(first) || observers::is_strong(second)) return RaceOrder::kPlainAgainstAtomic;
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

void fill_place(const Recording& recording, std::uint64_t site, std::string& file, std::uint32_t& line) {
    if (!recording.place_of_call) return;
    const SourceLocation at = recording.place_of_call(site).at;
    file = at.file;
    line = at.line;
}

std::string memory_name(const machine::Allocation& allocation) {
    switch (allocation.kind) {
        case machine::AllocationKind::kManaged: return "managed memory";
        case machine::AllocationKind::kPinned: return "pinned memory";
        case machine::AllocationKind::kRegistered: return "registered memory";
        default: return "memory";
    }
}

RaceOrder order_of(const observers::HostRace& race) {
    if (race.work.touch == Touch::kStrong || race.work.touch == Touch::kStrongRead)
        return RaceOrder::kPlainAgainstAtomic;
    if (!race.writes) return RaceOrder::kReadAfterWrite;
    return observers::changes(race.work.touch) ? RaceOrder::kWriteAfterWrite : RaceOrder::kWriteAfterRead;
}

// A function of the host that a stream calls cannot wait by a call of CUDA, nor can a node.
constexpr const char* kEdge =
    "let one node depend on the other (cudaGraphAddDependencies), or while capturing record an event behind the first "
    "and let the stream of the second wait for it";

std::string let_wait(const std::string& waiting, const StreamWork& first) {
    return "record an event on " + place_name(first) + " behind the first, and let " + waiting +
           " wait for it (cudaStreamWaitEvent)";
}

// "host code in main reads byte 0 of 4,096 bytes of managed memory allocated at a.cu:3 before it has waited for kernel
// add(int*) on stream 3, which writes it (a.cu:12)".
Hazard hazard_of(const Recording& recording, const machine::Memory& device, const observers::HostRace& race) {
    Hazard hazard;
    hazard.kind = HazardKind::kStreamRace;
    hazard.space = HazardSpace::kGlobal;
    hazard.order = order_of(race);
    const CallPlace here = recording.place_of_call ? recording.place_of_call(race.site) : CallPlace{};
    if (here.at.line != 0) {
        hazard.file = here.at.file;
        hazard.line = here.at.line;
    }
    fill_place(recording, race.work.site, hazard.other_file, hazard.other_line);
    std::string memory = "memory";
    if (race.allocation) {
        const std::string origin = device.origin(*race.allocation);
        memory = fmt::format("byte {} of {} bytes of {}", report::thousands(race.offset),
                             report::thousands(race.allocation->size), memory_name(*race.allocation)) +
                 (origin.empty() ? origin : " " + origin);
    }
    hazard.message =
        fmt::format("host code{} {} {} before it has waited for {}, which {} it{}",
                    here.function.empty() ? std::string() : " in " + here.function, race.writes ? "writes" : "reads",
                    memory, name_of(race.work), verb(race.work), line_text(race.work));
    const std::string before =
        here.at.line == 0
            ? std::string("before that")
            : fmt::format("before {}:{}", std::filesystem::path(here.at.file).filename().string(), here.at.line);
    if (race.is_by_function)
        hazard.hint = race.work.graph != 0 ? kEdge : let_wait("the stream that calls the function", race.work);
    else
        hazard.hint =
            fmt::format("cudaStreamSynchronize() of {}, or cudaDeviceSynchronize(), {}", place_name(race.work), before);
    return hazard;
}

std::string hint_for(const StreamRace& race) {
    const StreamWork &first = race.first, &second = race.second;
    if (race.is_early)
        return "call cudaGridDependencySynchronize() in " + second.kernel +
               " before it touches that memory, or launch it without "
               "cudaLaunchAttributeProgrammaticStreamSerialization";
    if (first.graph != 0 && first.graph == second.graph) return kEdge;
    return let_wait(place_name(second), first);
}

Hazard hazard_of(const Recording& recording, const machine::Memory& device, const StreamRace& race) {
    Hazard hazard;
    hazard.kind = HazardKind::kStreamRace;
    hazard.space = HazardSpace::kGlobal;
    hazard.order = order_of(race);
    fill_place(recording, race.second.site, hazard.file, hazard.line);
    fill_place(recording, race.first.site, hazard.other_file, hazard.other_line);
    hazard.message = name_of(race.second) + " " + deed(race.second) + " what " + name_of(race.first) + " " +
                     deed(race.first) +
                     (race.is_early ? ", which lets it begin before its end, and it does not wait: "
                                    : ", and nothing orders them: ") +
                     place_of(race, device);
    hazard.hint = hint_for(race);
    return hazard;
}

Hazard hazard_of(const Recording& recording, const observers::PageableCopy& copy) {
    Hazard hazard;
    hazard.kind = HazardKind::kStreamRace;
    hazard.space = HazardSpace::kGlobal;
    hazard.severity = Severity::kNote;
    fill_place(recording, copy.site, hazard.file, hazard.line);
    hazard.message = "this copy of " + report::thousands(copy.bytes) + " bytes on " + stream_name(copy.stream) +
                     " is not asynchronous: the host's side of it is pageable memory, for which the call waits";
    hazard.hint = "allocate it with cudaMallocHost, or register it (cudaHostRegister)";
    return hazard;
}

}  // namespace

void Session::name_calls(std::function<std::uint64_t()> site, std::function<CallPlace(std::uint64_t)> place_of) {
    if (impl_->recording.undefined_memory != nullptr) impl_->recording.undefined_memory->set_site(site);
    if (impl_->recording.stream_races != nullptr) impl_->recording.stream_races->set_site(std::move(site));
    impl_->recording.place_of_call = std::move(place_of);
}

std::vector<machine::UsedPages> Session::pages_in_use(std::optional<std::uint32_t> stream) {
    if (impl_->recording.stream_races == nullptr) return {};
    const auto order = impl_->observers.keep_order();
    return impl_->recording.stream_races->pages_in_use(stream);
}

std::uint64_t Session::work_version() const {
    return impl_->recording.stream_races == nullptr ? 0 : impl_->recording.stream_races->work_version();
}

void Session::tell_call_hazards() {
    Recording& recording = impl_->recording;
    const machine::Memory& device = impl_->device_memory.memory;
    for (Hazard& hazard : host_reads(recording, device)) note_hazard(std::move(hazard));
    observers::StreamRaces* const found = recording.stream_races;
    if (found == nullptr || !found->has_news()) return;
    const observers::StreamFindings news = found->take();
    for (const StreamRace& race : news.races) note_hazard(hazard_of(recording, device, race));
    for (const observers::HostRace& race : news.host_races) note_hazard(hazard_of(recording, device, race));
    for (const observers::PageableCopy& copy : news.copies) note_hazard(hazard_of(recording, copy));
    if (found->forgotten() == 0) return;
    const std::lock_guard lock(impl_->mutex);
    recording.note_once({Diagnostic{Severity::kWarning,
                                    "check-streams",
                                    {},
                                    "more work is under way at once than is compared: of each stream the latest is",
                                    "synchronise now and then"}});
}

}  // namespace tilescope
