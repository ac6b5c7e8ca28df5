#include "scope/session/launch/fault_hazards.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "scope/base/names.h"
#include "scope/session/place_hazard.h"

namespace tilescope {
namespace {

HazardKind kind_of(machine::FaultKind kind) {
    switch (kind) {
        case machine::FaultKind::kOutOfBounds: return HazardKind::kOutOfBounds;
        case machine::FaultKind::kUseAfterFree: return HazardKind::kUseAfterFree;
        case machine::FaultKind::kMisaligned: return HazardKind::kMisaligned;
        case machine::FaultKind::kTrap: return HazardKind::kTrap;
        case machine::FaultKind::kDeadlock: return HazardKind::kDeadlock;
        case machine::FaultKind::kStackOverflow: return HazardKind::kStackOverflow;
        case machine::FaultKind::kIllegalInstruction: return HazardKind::kIllegalInstruction;
        case machine::FaultKind::kInvalidFree: return HazardKind::kInvalidFree;
        case machine::FaultKind::kAssert: return HazardKind::kAssert;
        case machine::FaultKind::kInstructionLimit: return HazardKind::kLimit;
    }
    return HazardKind::kTrap;
}

// Places of one line are one where they went wrong in the same way.
auto key_of(const Hazard& hazard, bool writes) {
    return std::make_tuple(hazard.kind, hazard.space, hazard.file, hazard.line, writes);
}

auto turn_order_of(const machine::FaultPlace& place) { return std::make_tuple(place.block, place.turn); }

}  // namespace

HazardKind kind_on_card(const machine::Fault& fault) { return kind_of(fault.on_card); }

Hazard fault_hazard(const machine::Program& program, const LoadedModule& module, const std::string& kernel,
                    const machine::Fault& fault) {
    Hazard hazard;
    hazard.kind = kind_of(fault.kind);
    hazard.space = report::by_name<HazardSpace>(fault.space).value_or(HazardSpace::kNone);
    hazard.kernel = kernel;
    std::copy_n(fault.block, 3, hazard.block.begin());
    std::copy_n(fault.thread, 3, hazard.thread.begin());
    hazard.message = fault.message;
    place_op(program, module, fault.op, hazard.file, hazard.line);
    return hazard;
}

std::vector<Hazard> fault_hazards(const machine::Program& program, const LoadedModule& module,
                                  const std::string& kernel, const std::vector<machine::FaultPlace>& places) {
    std::vector<std::pair<const machine::FaultPlace*, Hazard>> found;
    for (const machine::FaultPlace& place : places) {
        Hazard hazard = fault_hazard(program, module, kernel, place.first);
        hazard.count = place.count;
        const auto known = std::find_if(found.begin(), found.end(), [&](const auto& one) {
            return key_of(one.second, one.first->writes) == key_of(hazard, place.writes);
        });
        if (known == found.end()) {
            found.emplace_back(&place, std::move(hazard));
            continue;
        }
        hazard.count += known->second.count;
        if (turn_order_of(place) < turn_order_of(*known->first))
            *known = {&place, std::move(hazard)};
        else
            known->second.count = hazard.count;
    }
    std::vector<Hazard> list;
    list.reserve(found.size());
    for (auto& [place, hazard] : found) list.push_back(std::move(hazard));
    return list;
}

}  // namespace tilescope
