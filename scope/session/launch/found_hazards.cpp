#include "scope/session/launch/found_hazards.h"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>

#include "scope/base/names.h"
#include "scope/session/demangle.h"
#include "scope/session/launch/code_order.h"
#include "scope/session/parameter_kind.h"
#include "scope/session/place_hazard.h"
#include "scope/session/variables.h"

namespace tilescope {

using observers::FoundHazard;

Dim3 FoundHazards::block_of(std::uint64_t number) const {
    const auto& grid = launch_.grid.shape.grid;
    return {static_cast<std::uint32_t>(number % grid[0]), static_cast<std::uint32_t>(number / grid[0] % grid[1]),
            static_cast<std::uint32_t>(number / grid[0] / grid[1])};
}

Dim3 FoundHazards::thread_of(std::uint32_t number) const {
    const auto& block = launch_.grid.shape.block;
    return {number % block[0], number / block[0] % block[1], number / block[0] / block[1]};
}

void FoundHazards::name(observers::CodePlace& place) const {
    if (place.program != &program_ || !place.is_known() || place.line != 0) return;
    place_op(program_, launch_.module, place.op, place.file, place.line);
    place.kernel = launch_.name();
}

void FoundHazards::name_values(observers::UndefinedValues& values) {
    for (std::uint32_t number = 1; number <= values.count(); ++number) {
        observers::UndefinedValue& value = values[number];
        if (value.memory.naming == MemoryNaming::kNone && value.read.program == &program_)
            value.memory = names_.at(value.space, value.address);
        name(value.read);
        name(value.stored);
    }
}

void FoundHazards::name_skipped(std::vector<observers::SkippedField>& skipped) {
    const std::vector<KernelParameter>& parameters = launch_.kernel.info.parameters;
    const std::vector<std::string> types = parameter_types(launch_.name());
    const auto is_structure = [&](std::uint32_t offset) {
        for (std::size_t i = 0; i < parameters.size() && types.size() == parameters.size(); ++i)
            if (parameters[i].offset == offset) return points_to_structure(types[i]);
        return false;
    };
    std::erase_if(skipped, [&](observers::SkippedField& field) {
        if (field.store.program != &program_ || field.store.line != 0) return false;
        name(field.store);
        name(field.beside);
        return field.store.line == 0 || !is_structure(field.parameter);
    });
}

// An access that left what its address counts from. Of an asynchronous copy the second site is the one that reads.
void FoundHazards::leave_variable(const FoundHazard& found, HazardFacts& facts) {
    facts.what = HazardCase::kLeavesVariable;
    const std::uint32_t first = program_.ops[found.at.op].site;
    std::uint64_t begin = 0;
    if (found.space == HazardSpace::kShared) {
        const auto& own = program_.shared_variables[static_cast<std::size_t>(program_.sites[first].shared_variable)];
        begin = own.offset;
        facts.from.naming = MemoryNaming::kVariable;
        facts.from.name = source_name(own.name).plain;
        facts.from.bytes = own.bytes;
    } else {
        const std::int32_t source = program_.sites[first].pointer;
        const auto& own =
            program_.pointers[static_cast<std::size_t>(source >= 0 ? source : program_.sites[first + 1].pointer)];
        const std::uint64_t at = machine::address_of(own, launch_.grid.parameters).value_or(0);
        facts.from = names_.global(at);
        if (const auto allocation = launch_.memory.find(at)) {
            begin = allocation->base;
            facts.from.bytes = allocation->size;
            place_allocation(launch_.memory.origin(*allocation), facts.from);
        }
    }
    const std::uint64_t end = begin + facts.from.bytes;
    facts.is_across = found.address >= begin && found.address < end;
    if (!facts.is_across)
        facts.beyond = static_cast<std::int64_t>(found.address - (found.address >= end ? end : begin));
}

HazardFacts FoundHazards::facts_of(const FoundHazard& found) {
    HazardFacts facts;
    if (found.facts) facts = *found.facts;
    facts.act.deed = found.at.deed;
    facts.other.deed = found.other.deed;
    facts.bytes = found.bytes;
    if (facts.what == HazardCase::kDeadFrame) facts.other.function = demangled(facts.other.function);
    if (found.facts) {
        const bool has_place = found.bytes != 0 && facts.memory.naming == MemoryNaming::kNone;
        if (has_place || facts.what == HazardCase::kExactFit) facts.memory = names_.at(found.space, found.address);
        return facts;
    }
    if (found.kind == HazardKind::kUninitialized) {
        facts.what = HazardCase::kUndefinedUse;
        facts.is_from_lane = found.space == HazardSpace::kNone;
        if (found.other.deed == Deed::kNone) {
            facts.other.function = found.earlier_kernel;
            facts.memory = found.earlier_memory;
        } else if (!facts.is_from_lane) {
            facts.memory = names_.at(found.space, found.address);
        }
        if (found.stored_op)
            place_op(program_, launch_.module, *found.stored_op, facts.stored.at.file, facts.stored.at.line);
        return facts;
    }
    facts.memory = names_.at(found.space, found.address);
    if (found.kind == HazardKind::kOutOfBounds) {
        leave_variable(found, facts);
    } else if (found.kind == HazardKind::kStaleRead) {
        facts.what = HazardCase::kStaleRead;
        facts.is_texture = found.is_texture;
        facts.is_before = found.is_before;
    } else {
        facts.what = HazardCase::kRace;
        facts.is_volatile = found.is_volatile;
        facts.is_same_value = found.is_same_value;
        facts.is_met = found.is_met;
        facts.only_decides = found.only_decides;
        facts.hands_on_act = found.hands_on_at;
        facts.is_behind = found.is_behind;
    }
    return facts;
}

// The condition that keeps some threads of a block from an op.
std::optional<SourceSpot> FoundHazards::parting(std::uint32_t op) const {
    const auto& parted_by = program_.race_facts.parted_by;
    if (op >= parted_by.size() || parted_by[op] == machine::RaceFacts::kNoOp) return std::nullopt;
    SourceSpot spot;
    place_op(program_, launch_.module, parted_by[op], spot.file, spot.line);
    return spot;
}

// Where a barrier orders the two ends of a race.
void FoundHazards::place_barrier(const FoundHazard& found, const Hazard& hazard, Lines lines,
                                 HazardFacts& facts) const {
    const bool is_one_line = hazard.file == hazard.other_file && hazard.line == hazard.other_line;
    const CodeOrder order = code_order(program_, found.other.op, found.at.op);
    // Lines of one file tell more than the order of the code, which compilers change.
    const bool comes_round = order.way == Way::kNone ? found.comes_round : order.way == Way::kRound;
    const bool goes_back = is_one_line || hazard.file != hazard.other_file
                               ? comes_round
                               : order.is_upwards && (comes_round || order.is_repeated);
    const std::optional<SourceSpot> at = parting(found.at.op), other = parting(found.other.op);
    facts.is_conditional = at || other;
    if (lines.high != 0) {
        facts.place = RemedyPlace::kLines;
        facts.first_line = lines.low;
        facts.last_line = lines.high;
    } else if (!order.is_one_function) {
        facts.place = RemedyPlace::kCalls;
    } else if (goes_back && order.is_in_one_loop) {
        facts.place = RemedyPlace::kLoop;
    } else if (is_one_line) {
        facts.place = RemedyPlace::kWithin;
    } else if (order.is_repeated && order.is_upwards) {
        facts.place = RemedyPlace::kNextTime;
    } else {
        facts.place = order.is_upwards ? RemedyPlace::kBetweenTurned : RemedyPlace::kBetween;
    }
    // Behind the earlier end, where that is what is named; elsewhere a condition that holds both ends has to be parted.
    const bool is_behind = facts.place == RemedyPlace::kLoop || facts.place == RemedyPlace::kNextTime;
    const bool is_inside = at && other && at->line != hazard.line;
    if (other && other->line != hazard.other_line && (is_behind || is_inside)) facts.parted = *other;
}

void FoundHazards::mend(const FoundHazard& found, const Hazard& hazard, Lines lines, HazardFacts& facts) const {
    facts.remedy = found.kind == HazardKind::kUninitialized
                       ? found.space == HazardSpace::kNone ? Remedy::kLanesPresent : Remedy::kDefine
                   : found.kind == HazardKind::kOutOfBounds ? Remedy::kCheckIndex
                                                            : found.remedy;
    if (found.kind != HazardKind::kRace) return;
    const bool is_one_line = hazard.file == hazard.other_file && hazard.line == hazard.other_line;
    const bool is_update = is_one_line && found.order != RaceOrder::kPlainAgainstAtomic;
    const bool is_barrier = found.remedy == Remedy::kBlockBarrier || found.remedy == Remedy::kWarpBarrier;
    if (found.is_across && found.space == HazardSpace::kGlobal &&
        (is_barrier || (found.remedy == Remedy::kFences && is_update)))
        facts.remedy = is_update ? Remedy::kGridOwner : Remedy::kFlagNotBarrier;
    else if (is_barrier)
        place_barrier(found, hazard, lines, facts);
    else if (found.remedy == Remedy::kCopyWait && found.is_uncommitted)
        facts.remedy = Remedy::kCopyCommit;
}

Hazard FoundHazards::hazard_of(const FoundHazard& found) {
    Hazard hazard;
    hazard.kind = found.kind;
    hazard.space = found.space;
    hazard.order = found.order;
    hazard.severity = found.severity;
    hazard.count = found.count;
    hazard.kernel = launch_.name();
    hazard.block = block_of(found.at.block);
    hazard.thread = thread_of(found.at.thread);
    const LoadedModule& module = launch_.module;
    place_op(program_, module, found.at.op, hazard.file, hazard.line);
    if (found.other.deed != Deed::kNone) {
        place_op(program_, module, found.other.op, hazard.other_file, hazard.other_line);
        hazard.other_block = block_of(found.other.block);
        hazard.other_thread = thread_of(found.other.thread);
    } else if (found.earlier_line != 0) {
        hazard.other_file = found.earlier_file;
        hazard.other_line = found.earlier_line;
    }
    return hazard;
}

// Between accesses of one block that race no barrier stood, so they came by a way without one: where it leads from the
// later end to the earlier one alone, a loop brought the other end first. A warp that skips one of them in its turn
// looks as if it had not come round.
FoundHazard FoundHazards::in_order(FoundHazard found) const {
    if (found.kind != HazardKind::kRace || found.is_across || found.facts || found.at.op == found.other.op)
        return found;
    if (code_order(program_, found.other.op, found.at.op).way != Way::kNone ||
        code_order(program_, found.at.op, found.other.op).way == Way::kNone)
        return found;
    std::swap(found.at, found.other);
    found.comes_round = found.other.op > found.at.op;
    found.hands_on_at = !found.hands_on_at;
    if (found.order == RaceOrder::kReadAfterWrite)
        found.order = RaceOrder::kWriteAfterRead;
    else if (found.order == RaceOrder::kWriteAfterRead)
        found.order = RaceOrder::kReadAfterWrite;
    return found;
}

// What a warning says of two lines where there is an error as well would only be noise: they are one.
std::vector<Hazard> FoundHazards::list(const std::vector<FoundHazard>& found) {
    std::vector<std::pair<Hazard, FoundHazard>> groups;
    for (const FoundHazard& each : found) {
        const FoundHazard one = in_order(each);
        Hazard hazard = hazard_of(one);
        const auto key = [](const Hazard& h) {
            return std::tie(h.kind, h.space, h.order, h.file, h.line, h.other_file, h.other_line);
        };
        const auto known = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
            return key(group.first) == key(hazard) && group.second.told_apart() == one.told_apart();
        });
        if (known == groups.end())
            groups.emplace_back(std::move(hazard), one);
        else
            known->second.take_in(one);
    }
    const std::vector<Lines> lines = join_lines(groups);
    std::vector<Hazard> all;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const FoundHazard& group = groups[i].second;
        Hazard& hazard = all.emplace_back(hazard_of(group));
        hazard.facts = facts_of(group);
        if (hazard.facts.remedy == Remedy::kNone) mend(group, hazard, lines[i], hazard.facts);
    }
    return all;
}

FoundHazards::Lines FoundHazards::free_lines(const FoundHazard& found, const Hazard& hazard) const {
    const bool is_barrier = found.remedy == Remedy::kBlockBarrier || found.remedy == Remedy::kWarpBarrier;
    if (found.kind != HazardKind::kRace || !is_barrier || found.is_across || found.facts) return {};
    // Of an inlined function the lines say nothing of the order.
    if (hazard.file != hazard.other_file || hazard.other_line == 0 || hazard.other_line >= hazard.line) return {};
    const CodeOrder order = code_order(program_, found.other.op, found.at.op);
    const bool is_conditional = parting(found.at.op) || parting(found.other.op);
    if (!order.is_one_function || order.is_repeated || is_conditional || order.is_upwards ||
        order.way != Way::kStraight)
        return {};
    return {hazard.other_line, hazard.line};
}

// Pairs of lines that one barrier mends name one place for it: of all that share some lines, by the first end.
std::vector<FoundHazards::Lines> FoundHazards::join_lines(Groups& groups) const {
    std::vector<Lines> lines;
    std::vector<std::size_t> open;
    for (const auto& [hazard, found] : groups) {
        lines.push_back(free_lines(found, hazard));
        if (lines.back().high != 0) open.push_back(lines.size() - 1);
    }
    std::stable_sort(open.begin(), open.end(),
                     [&](std::size_t a, std::size_t b) { return lines[a].high < lines[b].high; });
    while (!open.empty()) {
        const std::string& file = groups[open.front()].first.file;
        const std::uint32_t end = lines[open.front()].high;
        std::vector<std::size_t> together, rest;
        for (const std::size_t i : open)
            (groups[i].first.file == file && lines[i].low < end ? together : rest).push_back(i);
        Lines all{0, end};
        bool is_block = false;
        for (const std::size_t i : together) {
            all.low = std::max(all.low, lines[i].low);
            is_block = is_block || groups[i].second.remedy == Remedy::kBlockBarrier;
        }
        for (const std::size_t i : together) {
            lines[i] = all;
            if (is_block) groups[i].second.remedy = Remedy::kBlockBarrier;
        }
        open = std::move(rest);
    }
    return lines;
}

}  // namespace tilescope
