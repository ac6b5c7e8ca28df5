// Reads by the read-only path of what the same launch writes, before or after.
#include <bit>

#include "scope/observers/hazards/race_checker.h"

namespace tilescope::observers {
namespace {

unsigned lowest_of(std::uint32_t lanes) { return static_cast<unsigned>(std::countr_zero(lanes)); }

}  // namespace

// Nothing makes the read-only path see what the launch wrote: neither order nor that the thread wrote it itself.
void RaceChecker::read_stale(const Cell& cell, std::uint32_t lanes) {
    Ref write{cell.write, 1u << cell.write_lane};
    if (cell.flags & Cell::kExtended) {
        const Extension& extension = (*checked_.extensions)[cell.first];
        if (!extension.strong_writes.empty()) write = extension.strong_writes.back();
    }
    if (write.record < checked_.live) return;
    report_stale((*checked_.records)[write.record], lowest_of(write.lanes), lowest_of(lanes), false);
}

// A read by that path may come again after the write; one that surely came before it saw what it was to see.
void RaceChecker::write_under_readers(const Cell& cell, std::uint32_t lanes) {
    const auto look = [&](std::uint32_t number, std::uint32_t readers) {
        if (number < checked_.live) return;
        const Record& record = (*checked_.records)[number];
        if (!record.is_read_only || record.op == stale_) return;
        const unsigned reader = lowest_of(readers);
        bool is_ordered = true;
        for (std::uint32_t left = lanes; left != 0; left &= left - 1)
            is_ordered = is_ordered && clock_.knows(warp_, lowest_of(left), record, number, reader, place_);
        report_stale(record, reader, lowest_of(lanes), is_ordered);
    };
    if (cell.flags & Cell::kExtended) {
        for (const Ref& ref : (*checked_.extensions)[cell.first].reads) look(ref.record, ref.lanes);
        return;
    }
    look(cell.first, 1u << cell.first_lane);
    look(cell.second, 1u << cell.second_lane);
}

void RaceChecker::report_stale(const Record& met, unsigned met_lane, unsigned lane, bool is_ordered) {
    if (met.op == stale_) return;
    stale_ = met.op;
    const Record other = met;  // a new record may move it
    const Record& mine = (*checked_.records)[me()];
    const HazardEnd here{mine.deed, mine.op, mine.block, mine.warp * machine::kWarpSize + lane};
    const HazardEnd there{other.deed, other.op, other.block, other.warp * machine::kWarpSize + met_lane};
    FoundHazard hazard;
    hazard.kind = HazardKind::kStaleRead;
    hazard.space = checked_.space;
    hazard.severity = is_ordered ? Severity::kWarning : Severity::kError;
    hazard.remedy = Remedy::kCoherentRead;
    hazard.at = checked_.is_read_only ? here : there;
    hazard.other = checked_.is_read_only ? there : here;
    hazard.is_before = is_ordered;
    hazard.is_across = other.block != clock_.number();
    hazard.address = address_;
    hazard.bytes = access_.width;
    checked_.hazards->add(hazard);
}

}  // namespace tilescope::observers
