#include "scope/session/launch/hazard_words.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include <fmt/format.h>

#include "scope/session/launch/code_order.h"
#include "scope/session/place_hazard.h"
#include "scope/session/variables.h"

namespace tilescope {
namespace {

using observers::Deed;
using observers::FoundHazard;
using observers::HazardEnd;
using observers::Remedy;

std::string coordinates(const Dim3& at) {
    if (at[1] == 0 && at[2] == 0) return std::to_string(at[0]);
    if (at[2] == 0) return fmt::format("({}, {})", at[0], at[1]);
    return fmt::format("({}, {}, {})", at[0], at[1], at[2]);
}

// "thread 5 reads", "... that thread 3 wrote".
const char* does(Deed deed) {
    switch (deed) {
        case Deed::kRead: return "reads";
        case Deed::kStrongRead: return "reads";
        case Deed::kWrite: return "writes";
        case Deed::kStrongWrite: return "writes";
        case Deed::kAtomic: return "updates";
        case Deed::kAsyncCopy: return "copies asynchronously into";
        case Deed::kBranchOn: return "branches";
        case Deed::kAddressFrom: return "makes an address";
        case Deed::kGuardedBy: return "decides whether to access memory";
        case Deed::kMeetBy: return "meets other threads";
        case Deed::kCallTo: return "calls a function";
        case Deed::kNone:
        case Deed::kBarrier: break;
    }
    return "waits at";
}

// Behind what it is done to.
const char* in_which_way(Deed deed) {
    switch (deed) {
        case Deed::kStrongRead:
        case Deed::kStrongWrite: return " (volatile or relaxed)";
        case Deed::kAtomic: return " atomically";
        default: return "";
    }
}

std::string line_of(const std::string& file, std::uint32_t line, const std::string& beside) {
    return file == beside ? fmt::format("line {}", line) : fmt::format("{}:{}", file, line);
}

}  // namespace

Dim3 HazardWords::block_of(std::uint64_t number) const {
    const auto& grid = launch_.grid.shape.grid;
    return {static_cast<std::uint32_t>(number % grid[0]), static_cast<std::uint32_t>(number / grid[0] % grid[1]),
            static_cast<std::uint32_t>(number / grid[0] / grid[1])};
}

Dim3 HazardWords::thread_of(std::uint32_t number) const {
    const auto& block = launch_.grid.shape.block;
    return {number % block[0], number / block[0] % block[1], number / block[0] / block[1]};
}

std::string HazardWords::who(const HazardEnd& end) const {
    return fmt::format("thread {} of block {}", coordinates(thread_of(end.thread)), coordinates(block_of(end.block)));
}

// clang takes apart an array of which only known elements are used: base_0, base_1, ... Where all up to that number are
// there, it is the element's.
std::string HazardWords::part_of_array(const std::string& symbol) const {
    const std::size_t digits = symbol.find_last_not_of("0123456789") + 1;
    if (!symbol.starts_with("_ZZ") || digits == symbol.size() || digits < 2 || symbol[digits - 1] != '_') return {};
    const std::string whole = symbol.substr(0, digits - 1);
    const SourceName name = source_name(whole);
    if (name.full == whole) return {};
    const auto is_there = [&](std::uint64_t part) {
        const std::string wanted = symbol.substr(0, digits) + std::to_string(part);
        return std::any_of(program_.shared_variables.begin(), program_.shared_variables.end(),
                           [&](const machine::SharedVariable& variable) { return variable.name == wanted; });
    };
    const std::uint64_t number = std::strtoull(symbol.c_str() + digits, nullptr, 10);
    for (std::uint64_t part = 0; part < number; ++part)
        if (!is_there(part)) return "an element of " + name.plain;
    return fmt::format("{}[{}]", name.plain, number);
}

std::string HazardWords::shared_variable(std::uint64_t offset) const {
    for (const machine::SharedVariable& variable : program_.shared_variables) {
        const std::uint64_t end =
            variable.bytes == 0 ? launch_.grid.shape.shared_bytes : variable.offset + variable.bytes;
        if (offset < variable.offset || offset >= end) continue;
        if (const std::string part = part_of_array(variable.name); !part.empty()) return part;
        return fmt::format("{}, byte {}", source_name(variable.name).plain, offset - variable.offset);
    }
    return fmt::format("byte {} of shared memory", offset);
}

std::string HazardWords::global_variable(std::uint64_t address) {
    const GlobalName known = global_name(address);
    return known.is_whole ? known.name : fmt::format("{}, byte {}", known.name, address - known.begin);
}

HazardWords::GlobalName HazardWords::global_name(std::uint64_t address) {
    const LoadedModule& module = launch_.module;
    for (const ModuleVariable& variable : module.variables())
        if (address >= variable.address && address - variable.address < variable.size)
            return {source_name(variable.name).plain, variable.address, false};
    const std::optional<machine::Allocation> allocation = launch_.memory.find(address);
    if (!allocation) return {"global memory", 0, true};
    if (launch_.grid.workspace != 0 && allocation->contains(launch_.grid.workspace, 1))
        return {"the barrier of the grid", 0, true};
    const auto& parameters = kernel_.info.parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        std::uint64_t pointer = 0;
        if (parameters[i].size != sizeof pointer ||
            parameters[i].offset + sizeof pointer > launch_.grid.parameters.size())
            continue;
        std::memcpy(&pointer, launch_.grid.parameters.data() + parameters[i].offset, sizeof pointer);
        if (!allocation->contains(pointer, 1)) continue;
        const image::KernelSource* source = source_of(launch_.settings, kernel_, program_);
        const bool is_named = source != nullptr && i < source->parameters.size() && !source->parameters[i].empty();
        return {is_named ? source->parameters[i] : fmt::format("the buffer of argument {}", i), allocation->base,
                false};
    }
    return {fmt::format("byte {} of an allocation of {} bytes", address - allocation->base, allocation->size),
            allocation->base, true};
}

std::string HazardWords::variable(HazardSpace space, std::uint64_t address) {
    if (space == HazardSpace::kLocal) return fmt::format("its local memory, byte {}", address);
    return space == HazardSpace::kShared ? shared_variable(address) : global_variable(address);
}

// What decides something and was never written: who read it, and where from.
std::string HazardWords::undefined_use(const FoundHazard& found, const Hazard& hazard) {
    std::string text = fmt::format("{} {} at {} by an undefined value: ", who(found.at), does(found.at.deed),
                                   line_of(hazard.file, hazard.line, hazard.file));
    if (found.space == HazardSpace::kNone) {
        const bool is_here = found.other.deed != Deed::kNone;
        return text + fmt::format("the shuffle at {} brought it from a lane that takes no part",
                                  is_here ? line_of(hazard.other_file, hazard.other_line, hazard.file)
                                          : line_of(found.earlier_file, found.earlier_line, hazard.file));
    }
    if (found.other.deed == Deed::kNone) {
        text += fmt::format("{} in {} read {}", line_of(found.earlier_file, found.earlier_line, hazard.file),
                            found.earlier_kernel, found.earlier_memory);
    } else {
        const bool is_same = found.at.block == found.other.block && found.at.thread == found.other.thread;
        text += fmt::format("{} read {} at {}", is_same ? "it" : who(found.other), variable(found.space, found.address),
                            line_of(hazard.other_file, hazard.other_line, hazard.file));
    }
    text += ", which nobody had written";
    if (!found.stored_op) return text;
    std::string file;
    std::uint32_t line = 0;
    place_op(program_, launch_.module, *found.stored_op, file, line);
    return text + fmt::format("; {} stored it on the way", line_of(file, line, hazard.file));
}

void HazardWords::name(observers::CodePlace& place) const {
    if (place.program != &program_ || !place.is_known() || place.line != 0) return;
    place_op(program_, launch_.module, place.op, place.file, place.line);
    place.kernel = launch_.name();
}

void HazardWords::name_values(observers::UndefinedValues& values) {
    for (std::uint32_t number = 1; number <= values.count(); ++number) {
        observers::UndefinedValue& value = values[number];
        if (value.memory.empty() && value.read.program == &program_)
            value.memory = variable(value.space, value.address);
        name(value.read);
        name(value.stored);
    }
}

// An access that left what its address counts from. Of an asynchronous copy the second site is the one that reads.
std::string HazardWords::out_of_bounds(const FoundHazard& found) {
    const bool is_shared = found.space == HazardSpace::kShared;
    const std::uint32_t first = program_.ops[found.at.op].site;
    std::uint64_t begin = 0, bytes = 0;
    std::string name, made;
    if (is_shared) {
        const auto& own = program_.shared_variables[static_cast<std::size_t>(program_.sites[first].shared_variable)];
        begin = own.offset;
        bytes = own.bytes;
        name = source_name(own.name).plain;
    } else {
        const std::int32_t source = program_.sites[first].pointer;
        const auto& own =
            program_.pointers[static_cast<std::size_t>(source >= 0 ? source : program_.sites[first + 1].pointer)];
        const std::uint64_t at = machine::address_of(own, launch_.grid.parameters).value_or(0);
        if (const auto allocation = launch_.memory.find(at)) {
            begin = allocation->base;
            bytes = allocation->size;
            made = launch_.memory.origin(*allocation);
            if (!made.empty()) made = " (" + made + ")";
        }
        name = global_name(at).name;
    }
    const std::uint64_t end = begin + bytes;
    const std::string where = found.address >= end ? fmt::format("{} bytes past its end", found.address - end)
                              : found.address < begin
                                  ? fmt::format("{} bytes before its beginning", begin - found.address)
                                  : "across its end";
    const std::string size =
        is_shared && bytes == 0 ? "which is dynamic" : fmt::format("which has {} bytes{}", bytes, made);
    return fmt::format("{} {} {} bytes by an index into {}, {}: {}, at {}", who(found.at), does(found.at.deed),
                       found.bytes, name, size, where, variable(found.space, found.address));
}

std::string HazardWords::message(const FoundHazard& found, const Hazard& hazard) {
    if (found.kind == HazardKind::kOutOfBounds && !found.message.empty())
        return fmt::format("{} {} {} bytes {}", who(found.at), does(found.at.deed), found.bytes, found.message);
    if (!found.message.empty()) return found.message;
    if (found.kind == HazardKind::kUninitialized) return undefined_use(found, hazard);
    if (found.kind == HazardKind::kOutOfBounds) return out_of_bounds(found);
    const std::string name = variable(found.space, found.address);
    std::string text = fmt::format("{} {} {}{} at {}", who(found.at), does(found.at.deed), name,
                                   in_which_way(found.at.deed), line_of(hazard.file, hazard.line, hazard.file));
    text += fmt::format("; {} {} it{} at {}; nothing orders the two", who(found.other), does(found.other.deed),
                        in_which_way(found.other.deed), line_of(hazard.other_file, hazard.other_line, hazard.file));
    if (found.is_volatile) text += ", and volatile does not";
    if (found.is_same_value) text += "; what is written is what was there or what the other one writes";
    return text;
}

std::string HazardWords::hint(const FoundHazard& found, const Hazard& hazard, Lines lines) const {
    if (!found.hint.empty()) return found.hint;
    if (found.kind == HazardKind::kUninitialized) {
        switch (found.space) {
            case HazardSpace::kShared:
                return "have every element written before the barrier, those beyond the end of the data as well (0 "
                       "there)";
            case HazardSpace::kLocal: return "give all elements of the array a value before they are read";
            case HazardSpace::kNone: return kAskThoseThere;
            default: return "write it before: by a kernel, cudaMemcpy or cudaMemset, over all of its length";
        }
    }
    if (found.kind == HazardKind::kOutOfBounds) return "check the index against the array's own size";
    const std::string at = line_of(hazard.file, hazard.line, hazard.file);
    const std::string other = line_of(hazard.other_file, hazard.other_line, hazard.file);
    const bool is_one_line = hazard.file == hazard.other_file && hazard.line == hazard.other_line;
    const CodeOrder order = code_order(program_, found.other.op, found.at.op);
    // Lines of one file tell more than the order of the code, which compilers change.
    const bool comes_round = order.way == Way::kNone ? found.comes_round : order.way == Way::kRound;
    const bool goes_back = is_one_line || hazard.file != hazard.other_file
                               ? comes_round
                               : order.is_upwards && (comes_round || order.is_repeated);
    const std::string by_all = order.is_conditional ? ", where all threads come by" : "";
    const auto between = [&](const char* what) {
        if (lines.high != 0) return fmt::format("add {} between line {} and line {}", what, lines.low, lines.high);
        if (!order.is_one_function)
            return fmt::format("add {} after {} and before {}, between the calls of their functions", what, other, at);
        if (goes_back && order.is_in_one_loop)
            return fmt::format("add {} after {}, before the loop comes round to {}", what, other, at) +
                   (is_one_line ? "; if several threads update one element there, use an atomic" : "");
        if (is_one_line)
            return fmt::format(
                "{} both reads and writes: read into a variable, add {}{}, then write; if several threads "
                "update one element there, use an atomic",
                at, what, order.is_conditional ? " where all threads come by" : "");
        if (order.is_repeated && order.is_upwards)
            return fmt::format("add {} after {}, before {} comes again", what, other, at);
        return fmt::format("add {} between {} and {}{}", what, order.is_upwards ? at : other,
                           order.is_upwards ? other : at, by_all);
    };
    constexpr const char* kBetweenBlocks =
        "blocks are only ordered by a flag or counter: __threadfence() and an atomic on the writing side, an atomic "
        "and "
        "__threadfence() on the reading side, or a second launch";
    const bool is_update = is_one_line && found.order != RaceOrder::kPlainAgainstAtomic;
    if (found.is_across && found.space == HazardSpace::kGlobal &&
        (found.remedy == Remedy::kBlockBarrier || found.remedy == Remedy::kWarpBarrier ||
         (found.remedy == Remedy::kFences && is_update)))
        return is_update
                   ? fmt::format(
                         "{}: use an atomic, or let one thread of the grid own each element; no barrier orders blocks",
                         at)
                   : std::string(kBetweenBlocks) + "; no barrier orders blocks";
    switch (found.remedy) {
        case Remedy::kBlockBarrier: return between("__syncthreads()");
        case Remedy::kWarpBarrier:
            return between("__syncthreads()") + " (__syncwarp() is enough here: the two are of one warp)";
        case Remedy::kCopyWait:
            if (found.is_uncommitted)
                return fmt::format(
                    "commit the copy (cp.async.commit_group, __pipeline_commit()) behind {}: a wait is for "
                    "groups that were committed, and this copy is in none",
                    other);
            return fmt::format(
                "wait for the copy (cp.async.wait_group, __pipeline_wait_prior()) before {}, and add "
                "__syncthreads() where other threads use it",
                at);
        case Remedy::kFences: return kBetweenBlocks;
        case Remedy::kAtomic: return fmt::format("make both accesses atomic (or order them): {} and {}", other, at);
        case Remedy::kScope: return "use a scope that holds both threads: device scope between blocks";
        case Remedy::kOneWriter: return fmt::format("{}: let one thread write each element, or use an atomic", at);
        case Remedy::kUniform: return "have all threads of the block come to the same barrier";
        case Remedy::kNone: break;
    }
    return {};
}

Hazard HazardWords::hazard_of(const FoundHazard& found) {
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

// What a warning says of two lines where there is an error as well would only be noise: they are one.
std::vector<Hazard> HazardWords::in_words(const std::vector<FoundHazard>& found) {
    std::vector<std::pair<Hazard, FoundHazard>> groups;
    for (const FoundHazard& one : found) {
        Hazard hazard = hazard_of(one);
        const auto key = [](const Hazard& h) {
            return std::tie(h.kind, h.space, h.order, h.file, h.line, h.other_file, h.other_line);
        };
        const auto known = std::find_if(groups.begin(), groups.end(),
                                        [&](const auto& group) { return key(group.first) == key(hazard); });
        if (known == groups.end())
            groups.emplace_back(std::move(hazard), one);
        else
            known->second.take_in(one);
    }
    const std::vector<Lines> lines = join_lines(groups);
    std::vector<Hazard> list;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const FoundHazard& group = groups[i].second;
        list.push_back(hazard_of(group));
        list.back().message = message(group, list.back());
        list.back().hint = hint(group, list.back(), lines[i]);
    }
    return list;
}

HazardWords::Lines HazardWords::free_lines(const FoundHazard& found, const Hazard& hazard) const {
    const bool is_barrier = found.remedy == Remedy::kBlockBarrier || found.remedy == Remedy::kWarpBarrier;
    if (found.kind != HazardKind::kRace || !is_barrier || found.is_across || !found.hint.empty()) return {};
    // Of an inlined function the lines say nothing of the order.
    if (hazard.file != hazard.other_file || hazard.other_line == 0 || hazard.other_line >= hazard.line) return {};
    const CodeOrder order = code_order(program_, found.other.op, found.at.op);
    if (!order.is_one_function || order.is_repeated || order.is_conditional || order.is_upwards ||
        order.way != Way::kStraight)
        return {};
    return {hazard.other_line, hazard.line};
}

// Pairs of lines that one barrier mends name one place for it: of all that share some lines, by the first end.
std::vector<HazardWords::Lines> HazardWords::join_lines(Groups& groups) const {
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
