// What --check streams found, as hazards.
#include <optional>
#include <utility>

#include "scope/observers/hazards/overlapping_copies.h"
#include "scope/observers/hazards/stream_races.h"
#include "scope/observers/hazards/undefined_memory.h"
#include "scope/session/host_reads.h"
#include "scope/session/launch/memory_names.h"
#include "scope/session/session_state.h"

namespace tilescope {
namespace {

using observers::StreamRace;
using observers::StreamWork;
using observers::Touch;
using observers::WorkKind;

Doer doer_of(WorkKind kind) {
    switch (kind) {
        case WorkKind::kKernel: return Doer::kKernel;
        case WorkKind::kCopy: return Doer::kCopy;
        case WorkKind::kSet: return Doer::kSet;
        case WorkKind::kAllocation: return Doer::kAllocation;
        case WorkKind::kRelease: return Doer::kRelease;
    }
    return Doer::kKernel;
}

Deed deed_of(Touch touch) {
    switch (touch) {
        case Touch::kRead: return Deed::kRead;
        case Touch::kWrite: return Deed::kWrite;
        case Touch::kStrong:
        case Touch::kSystem: return Deed::kAtomic;
        case Touch::kStrongRead:
        case Touch::kSystemRead: return Deed::kStrongRead;
    }
    return Deed::kNone;
}

HazardAct act_of(const StreamWork& work) {
    HazardAct act;
    act.deed = deed_of(work.touch);
    act.doer = doer_of(work.kind);
    act.function = work.kernel;
    act.stream = work.stream;
    act.graph = work.graph;
    act.at = {work.line.file, work.line.line};
    return act;
}

RaceOrder order_of(const StreamRace& race) {
    const Touch first = race.first.touch, second = race.second.touch;
    if (observers::is_strong(first) || observers::is_strong(second)) return RaceOrder::kPlainAgainstAtomic;
    if (first == Touch::kRead) return RaceOrder::kWriteAfterRead;
    return second == Touch::kRead ? RaceOrder::kReadAfterWrite : RaceOrder::kWriteAfterWrite;
}

MemoryKind kind_of(machine::AllocationKind kind) {
    switch (kind) {
        case machine::AllocationKind::kManaged: return MemoryKind::kManaged;
        case machine::AllocationKind::kPinned: return MemoryKind::kPinned;
        case machine::AllocationKind::kRegistered: return MemoryKind::kRegistered;
        default: return MemoryKind::kDevice;
    }
}

HazardMemory memory_of(const std::optional<machine::Allocation>& allocation, std::uint64_t offset,
                       const machine::Memory& memory) {
    HazardMemory place;
    if (!allocation) return place;
    place.naming = MemoryNaming::kAllocation;
    place.byte = offset;
    place.bytes = allocation->size;
    place.kind = kind_of(allocation->kind);
    place_allocation(memory.origin(*allocation), place);
    return place;
}

void fill_place(const Recording& recording, std::uint64_t site, std::string& file, std::uint32_t& line) {
    if (!recording.place_of_call) return;
    const SourceLocation at = recording.place_of_call(site).at;
    file = at.file;
    line = at.line;
}

RaceOrder order_of(const observers::HostRace& race) {
    if (race.work.touch == Touch::kStrong || race.work.touch == Touch::kStrongRead)
        return RaceOrder::kPlainAgainstAtomic;
    if (!race.writes) return RaceOrder::kReadAfterWrite;
    return observers::changes(race.work.touch) ? RaceOrder::kWriteAfterWrite : RaceOrder::kWriteAfterRead;
}

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
    HazardFacts& facts = hazard.facts;
    facts.what = HazardCase::kHostRace;
    facts.act.deed = race.writes ? Deed::kWrite : Deed::kRead;
    facts.act.doer = Doer::kHost;
    facts.act.function = here.function;
    facts.other = act_of(race.work);
    facts.memory = memory_of(race.allocation, race.offset, device);
    // A function of the host that a stream calls cannot wait by a call of CUDA, nor can a node.
    facts.remedy = !race.is_by_function   ? Remedy::kSynchronize
                   : race.work.graph != 0 ? Remedy::kGraphEdge
                                          : Remedy::kEventForCaller;
    return hazard;
}

Hazard hazard_of(const Recording& recording, const machine::Memory& device, const StreamRace& race) {
    Hazard hazard;
    hazard.kind = HazardKind::kStreamRace;
    hazard.space = HazardSpace::kGlobal;
    hazard.order = order_of(race);
    fill_place(recording, race.second.site, hazard.file, hazard.line);
    fill_place(recording, race.first.site, hazard.other_file, hazard.other_line);
    HazardFacts& facts = hazard.facts;
    facts.what = race.is_early ? HazardCase::kEarlyLaunch : HazardCase::kStreamRace;
    facts.act = act_of(race.second);
    facts.other = act_of(race.first);
    facts.memory = memory_of(race.allocation, race.offset, device);
    const bool is_one_graph = race.first.graph != 0 && race.first.graph == race.second.graph;
    facts.remedy = race.is_early ? Remedy::kGridDependency : is_one_graph ? Remedy::kGraphEdge : Remedy::kEvent;
    return hazard;
}

Hazard hazard_of(const Recording& recording, const observers::PageableCopy& copy) {
    Hazard hazard;
    hazard.kind = HazardKind::kStreamRace;
    hazard.space = HazardSpace::kGlobal;
    hazard.severity = Severity::kNote;
    fill_place(recording, copy.site, hazard.file, hazard.line);
    hazard.facts.what = HazardCase::kPageableCopy;
    hazard.facts.act.doer = Doer::kCopy;
    hazard.facts.act.stream = copy.stream;
    hazard.facts.bytes = copy.bytes;
    hazard.facts.remedy = Remedy::kPinnedMemory;
    return hazard;
}

Hazard hazard_of(const Recording& recording, const machine::Memory& device, const observers::OverlappingCopy& copy) {
    Hazard hazard;
    hazard.kind = HazardKind::kOverlappingCopy;
    hazard.space = HazardSpace::kGlobal;
    // The documentation forbids both; nothing can go wrong where each byte goes where it is.
    hazard.severity = copy.is_onto_itself ? Severity::kWarning : Severity::kError;
    fill_place(recording, copy.site, hazard.file, hazard.line);
    HazardFacts& facts = hazard.facts;
    facts.what = HazardCase::kOverlappingCopy;
    facts.act.doer = Doer::kCopy;
    facts.act.deed = Deed::kWrite;
    facts.act.stream = copy.issue.stream;
    facts.act.graph = copy.issue.graph;
    facts.bytes = copy.bytes;
    facts.reaches = copy.shared;
    facts.beyond = copy.distance;
    facts.is_same_value = copy.is_onto_itself;
    facts.memory = memory_of(copy.allocation, copy.offset, device);
    facts.remedy = Remedy::kCopyApart;
    return hazard;
}

}  // namespace

void Session::name_calls(std::function<std::uint64_t()> site, std::function<CallPlace(std::uint64_t)> place_of) {
    if (impl_->recording.undefined_memory != nullptr) impl_->recording.undefined_memory->set_site(site);
    if (impl_->recording.overlapping_copies != nullptr) impl_->recording.overlapping_copies->set_site(site);
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
    if (observers::OverlappingCopies* const copies = recording.overlapping_copies; copies && copies->has_news())
        for (const observers::OverlappingCopy& copy : copies->take()) note_hazard(hazard_of(recording, device, copy));
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
