#include "scope/session/host_reads.h"

#include "scope/observers/hazards/undefined_memory.h"
#include "scope/session/launch/memory_names.h"

namespace tilescope {
namespace {

using observers::HostRead;
using observers::HostReadKind;
using observers::UndefinedValue;

HazardAct act_at(const observers::CodePlace& place) {
    HazardAct act;
    act.function = place.kernel;
    act.at = {place.file, place.line};
    return act;
}

// Which op left the value there, and what it came from.
void tell_history(const UndefinedValue& value, HazardFacts& facts) {
    facts.stored = act_at(value.stored);
    facts.stored.deed = Deed::kWrite;
    facts.other = act_at(value.read);
    facts.other.deed = Deed::kRead;
    facts.from = value.memory;
    facts.is_from_lane = value.space == HazardSpace::kNone;
    facts.is_computed = value.is_computed;
    facts.remedy = facts.is_from_lane ? Remedy::kLanesPresent : Remedy::kDefineForHost;
}

// Which thread left the field out, beside which store of its own, and where the others write it.
void tell_skipped(const observers::SkippedField& field, Hazard& hazard) {
    const std::uint32_t *const grid = field.grid, *const threads = field.threads;
    hazard.other_file = field.store.file;
    hazard.other_line = field.store.line;
    hazard.other_block = {static_cast<std::uint32_t>(field.block % grid[0]),
                          static_cast<std::uint32_t>(field.block / grid[0] % grid[1]),
                          static_cast<std::uint32_t>(field.block / grid[0] / grid[1])};
    hazard.other_thread = {field.thread % threads[0], field.thread / threads[0] % threads[1],
                           field.thread / threads[0] / threads[1]};
    HazardFacts& facts = hazard.facts;
    facts.what = HazardCase::kSkippedField;
    facts.other = act_at(field.store);
    facts.other.deed = Deed::kWrite;
    facts.stored = act_at(field.beside);
    facts.stored.deed = Deed::kWrite;
    facts.reaches = field.others;
    facts.remedy = Remedy::kWriteField;
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
    HazardFacts& facts = hazard.facts;
    facts.act.doer = Doer::kHost;
    facts.act.deed = Deed::kRead;
    facts.bytes = read.bytes;
    facts.undefined = read.undefined;
    facts.memory.naming = MemoryNaming::kAllocation;
    facts.memory.byte = read.offset;
    facts.memory.bytes = read.allocation.size;
    place_allocation(device.origin(read.allocation), facts.memory);
    if (read.value != 0) {
        const UndefinedValue& value = recording.undefined_memory->values()[read.value];
        hazard.other_file = value.stored.file;
        hazard.other_line = value.stored.line;
        tell_history(value, facts);
    }
    switch (read.kind) {
        case HostReadKind::kNeverWritten:
            facts.what = HazardCase::kHostReadsUnwritten;
            if (read.value == 0) facts.remedy = Remedy::kDefineBuffer;
            break;
        case HostReadKind::kPartly:
            hazard.severity = Severity::kWarning;
            facts.what = HazardCase::kHostReadsPartly;
            if (read.value == 0) facts.remedy = Remedy::kCopyLess;
            break;
        case HostReadKind::kMoved: hazard.severity = Severity::kWarning; [[fallthrough]];
        case HostReadKind::kUndefined: facts.what = HazardCase::kHostReadsUndefined; break;
        case HostReadKind::kSkippedField:
            hazard.severity = Severity::kNote;
            tell_skipped(*read.skipped, hazard);
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
