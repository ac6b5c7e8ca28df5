#include "scope/machine/fault_log.h"

namespace tilescope::machine {

void FaultLog::merge(const FaultLog& other) {
    for (const auto& [key, theirs] : other.places_) {
        auto [entry, fresh] = places_.try_emplace(key, theirs);
        if (fresh) continue;
        FaultPlace& ours = entry->second;
        const std::uint64_t count = ours.count + theirs.count;
        if (theirs.block < ours.block) ours = theirs;
        ours.count = count;
    }
}

std::vector<FaultPlace> FaultLog::places() const {
    std::vector<FaultPlace> list;
    list.reserve(places_.size());
    for (const auto& [key, place] : places_) list.push_back(place);
    return list;
}

}  // namespace tilescope::machine
