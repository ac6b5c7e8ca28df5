// Rules about traffic beyond the SM: coalescing, atomics, local arrays, spills.
#include <algorithm>
#include <cmath>

#include "scope/models/advice_rules.h"

namespace tilescope::models {
namespace {

using C = Counter;

// Twice the sectors. Less is what a shift by an element (5 for 4), rows that begin within a sector, or blocks 16 wide
// that read two rows at once cost: neighbouring requests find the rest of those sectors in L1.
constexpr double kUncoalesced = 2;
// A third of the adds could be spared by summing beforehand: less is not worth it.
constexpr double kMeet = 1.5;

// What one kind of request of a line wastes.
struct Waste {
    AdviceVariant what = AdviceVariant::kNone;
    double sectors = 0, actual = 0, ideal = 0;  // beyond the ideal; a request
};
Waste waste_of(AdviceVariant what, const CounterSet& c, C requests, C sectors, C ideal) {
    if (as_double(c[sectors]) < kUncoalesced * as_double(c[ideal]) || c[requests] == 0) return {};
    const double count = as_double(c[requests]);
    return {what, as_double(c[sectors]) - as_double(c[ideal]), as_double(c[sectors]) / count,
            as_double(c[ideal]) / count};
}

// Global atomics whose lanes meet. Where every add goes to an address of its own, none can be combined with another.
void find_meeting_adds(const Case& about, const LineProfile& line, std::vector<Finding>& findings) {
    const CounterSet& c = line.counters;
    const double turns = as_double(c[C::kGlobalAtomicSectors]) + as_double(c[C::kGlobalReductionSectors]);
    const double adds = as_double(c[C::kGlobalAtomicThreadOperations]);
    const double of_warps = as_double(c[C::kGlobalAtomicAddresses]),
                 of_blocks = as_double(c[C::kGlobalAtomicBlockAddresses]);
    if (turns == 0 || of_warps == 0 || of_blocks == 0) return;
    // A copy of a block's addresses in shared memory, 4 bytes each, and one add to each of them at the end.
    constexpr double kCopyBytes = 4;
    const bool copy_fits =
        kCopyBytes * of_blocks <= as_double(about.device.shared_bytes_per_block_optin) * as_double(about.blocks);
    const bool meet_in_warps = adds >= kMeet * of_warps, meet_in_blocks = copy_fits && adds >= kMeet * of_blocks;
    if (!meet_in_warps && !meet_in_blocks) return;
    const double left = (meet_in_blocks ? of_blocks : of_warps) / adds;
    const double bytes = kSectorBytes * turns * (1 - left);
    Finding finding{line.file, line.line, bytes, without_bytes(about.work, bytes)};
    finding.atomic_sectors = turns * (1 - left);
    if (meet_in_blocks)  // what goes to shared memory instead, a wavefront a request at best
        finding.after.wavefronts += as_double(c[C::kGlobalAtomicRequests]) + as_double(c[C::kGlobalReductionRequests]);
    finding.facts.variant = meet_in_blocks ? AdviceVariant::kMeetInBlocks : AdviceVariant::kMeetInWarps;
    finding.facts.figures = {
        {AdviceFigure::kOperations, adds}, {AdviceFigure::kTurns, turns}, {AdviceFigure::kTimes, 1 / left}};
    findings.push_back(std::move(finding));
}

// Shared atomics whose lanes meet at an address; lanes that only share a bank cannot be combined.
void find_meeting_shared_adds(const Case& about, const LineProfile& line, std::vector<Finding>& findings) {
    const CounterSet& c = line.counters;
    const std::uint64_t conflicts = c[C::kSharedAtomicBankConflicts];
    const double adds = as_double(c[C::kSharedAtomicThreadOperations]);
    if (conflicts == 0 || adds < kMeet * as_double(c[C::kSharedAtomicAddresses])) return;
    Finding finding{line.file, line.line, kWavefrontBytes * as_double(conflicts), about.work};
    finding.after.wavefronts -= as_double(conflicts);
    finding.facts.variant = AdviceVariant::kMeetInShared;
    finding.facts.figures = {{AdviceFigure::kActual, 1 + as_double(conflicts) / as_double(c[C::kSharedAtomicRequests])},
                             {AdviceFigure::kTimes, adds / as_double(c[C::kSharedAtomicAddresses])}};
    findings.push_back(std::move(finding));
}

}  // namespace

Work without_bytes(const Work& work, double bytes) {
    Work after = work;
    after.memory_bytes = std::max(0.0, work.memory_bytes - bytes);
    return after;
}

std::vector<Finding> find_uncoalesced(const Case& about) {
    std::vector<Finding> findings;
    for (const LineProfile& line : about.lines) {
        const Waste loads = waste_of(AdviceVariant::kLoads, line.counters, C::kGlobalLoadRequests,
                                     C::kGlobalLoadSectors, C::kGlobalLoadIdealSectors);
        const Waste stores = waste_of(AdviceVariant::kStores, line.counters, C::kGlobalStoreRequests,
                                      C::kGlobalStoreSectors, C::kGlobalStoreIdealSectors);
        const double bytes = kSectorBytes * (loads.sectors + stores.sectors);
        if (bytes <= 0) continue;
        const Waste& worst = loads.sectors >= stores.sectors ? loads : stores;
        Finding finding{line.file, line.line, bytes, without_bytes(about.work, bytes)};
        finding.load_sectors = loads.sectors;
        finding.store_sectors = stores.sectors;
        finding.facts.variant = worst.what;
        finding.facts.figures = {{AdviceFigure::kActual, worst.actual}, {AdviceFigure::kIdeal, worst.ideal}};
        findings.push_back(std::move(finding));
    }
    return findings;
}

std::vector<Finding> find_local_arrays(const Case& about) {
    std::uint64_t sectors = about[C::kLocalLoadSectors] + about[C::kLocalStoreSectors];
    std::uint64_t requests = about[C::kLocalLoadRequests] + about[C::kLocalStoreRequests];
    std::uint64_t asked_bytes = about[C::kLocalLoadBytesRequested] + about[C::kLocalStoreBytesRequested];
    if (const auto& spills = about.launch.spill_traffic; spills && spills->counted) {
        sectors -= std::min(sectors, spills->loads.sectors + spills->stores.sectors);
        requests -= std::min(requests, spills->loads.requests + spills->stores.requests);
        asked_bytes -= std::min(asked_bytes, spills->loads.bytes + spills->stores.bytes);
    }
    if (sectors == 0 || requests == 0 || !has_local_memory(about.launch)) return {};
    const double bytes = kSectorBytes * as_double(sectors);
    const double asked = as_double(asked_bytes);
    const LineProfile* place = nullptr;
    std::uint64_t most = 0;
    for (const LineProfile& line : about.lines) {
        const std::uint64_t its = line.counters[C::kLocalLoadSectors] + line.counters[C::kLocalStoreSectors];
        if (its <= most) continue;
        most = its;
        place = &line;
    }
    Finding finding;
    if (place != nullptr) {
        finding.file = place->file;
        finding.line = place->line;
    }
    finding.saves_bytes = bytes;
    finding.after = without_bytes(about.work, bytes);
    finding.local_sectors = as_double(sectors);
    if (bytes >= kUncoalesced * asked) finding.facts.variant = AdviceVariant::kScattered;
    finding.facts.figures = {{AdviceFigure::kActual, as_double(sectors) / as_double(requests)},
                             {AdviceFigure::kIdeal, asked / kSectorBytes / as_double(requests)}};
    return {finding};
}

// Where the traffic of spills is not known, what is known is how much each thread spills if every spill is executed
// once: bytes that instructions store and load, or from a cubin the room that they take, written and read.
std::vector<Finding> find_spills(const Case& about) {
    std::uint64_t stored = about.launch.spill_store_bytes, loaded = about.launch.spill_load_bytes;
    for (const Variable& variable : about.launch.variables)
        if (stored + loaded == 0 && variable.space == VariableSpace::kLocal && variable.name == "spills")
            stored = loaded = variable.bytes;
    if (stored + loaded == 0) return {};
    const auto& traffic = about.launch.spill_traffic;
    const double bytes = traffic ? kSectorBytes * as_double(traffic->loads.sectors + traffic->stores.sectors)
                                 : as_double(stored + loaded) * as_double(about.threads) * as_double(about.blocks);
    Finding finding;
    finding.saves_bytes = bytes;
    const bool is_counted = traffic && traffic->counted;
    finding.after = is_counted ? without_bytes(about.work, bytes) : about.work;
    if (is_counted) finding.local_sectors = bytes / kSectorBytes;
    finding.spares_spills = true;
    Work before = about.work;
    if (!is_counted) before.memory_bytes += bytes;
    const double least = seconds(finding.after, about.device);
    finding.speedup = least > 0 ? seconds(before, about.device) / least : 1;
    if (!traffic) finding.facts.variant = AdviceVariant::kAsIfOnce;
    finding.facts.figures.set(AdviceFigure::kSpilledBytes, as_double(stored));
    return {finding};
}

std::vector<Finding> find_atomics(const Case& about) {
    std::vector<Finding> findings;
    for (const LineProfile& line : about.lines) {
        find_meeting_adds(about, line, findings);
        find_meeting_shared_adds(about, line, findings);
    }
    return findings;
}

}  // namespace tilescope::models
