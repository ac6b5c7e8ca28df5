// Rules about traffic beyond the SM: coalescing, structures, half lines, atomics, local arrays, spills.
#include <algorithm>
#include <cmath>

#include "scope/models/advice_rules.h"
#include "scope/models/time/launch_time.h"

namespace tilescope::models {
namespace {

using C = Counter;

// Twice the sectors. Less is what a shift by an element (5 for 4), rows that begin within a sector, or blocks 16 wide
// that read two rows at once cost: neighbouring requests find the rest of those sectors in L1.
constexpr double kUncoalesced = 2;
// A third of the adds could be spared by summing beforehand: less is not worth it.
constexpr double kMeet = 1.5;
// Of a line's four sectors, no more than this are asked for.
constexpr double kHalfLine = 2.25;

// The counters of loads, or of stores.
struct Kind {
    AdviceVariant variant;
    C requests, sectors, ideal, data_sectors, data_ideal, part_requests, part_sectors, lines;
};
constexpr Kind kLoads = {AdviceVariant::kLoads,      C::kGlobalLoadRequests,    C::kGlobalLoadSectors,
                         C::kGlobalLoadIdealSectors, C::kGlobalLoadDataSectors, C::kGlobalLoadDataIdealSectors,
                         C::kGlobalLoadPartRequests, C::kGlobalLoadPartSectors, C::kGlobalLoadLines};
constexpr Kind kStores = {AdviceVariant::kStores,      C::kGlobalStoreRequests,    C::kGlobalStoreSectors,
                          C::kGlobalStoreIdealSectors, C::kGlobalStoreDataSectors, C::kGlobalStoreDataIdealSectors,
                          C::kGlobalStorePartRequests, C::kGlobalStorePartSectors, C::kGlobalStoreLines};

// What one kind of request of a line wastes that another order of threads or elements would save: neither what data
// sends where it goes, nor what a structure in one piece would save.
struct Waste {
    double sectors = 0, lines = 0;  // beyond the ideal
    double actual = 0, ideal = 0;   // a request
};
Waste waste_of(const Kind& kind, const CounterSet& c) {
    const double requests = as_double(c[kind.requests]) - as_double(c[kind.part_requests]);
    const double sectors =
        as_double(c[kind.sectors]) - as_double(c[kind.part_sectors]) - as_double(c[kind.data_sectors]);
    const double ideal = as_double(c[kind.ideal]) - as_double(c[kind.data_ideal]);
    if (requests <= 0 || ideal <= 0 || sectors < kUncoalesced * ideal) return {};
    Waste waste;
    waste.sectors = sectors - ideal;
    waste.actual = sectors / requests;
    waste.ideal = ideal / requests;
    const double share = sectors / as_double(c[kind.sectors]);
    const double lines = as_double(c[kind.lines]) * share;
    waste.lines = std::max(0.0, lines - std::max(requests, ideal / (kWavefrontBytes / kSectorBytes)));
    return waste;
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
    Finding finding(about);
    finding.at(line, turns);
    finding.saves_bytes = kSectorBytes * turns * (1 - left);
    finding.change.spare_atomic_turns(turns * (1 - left));
    if (meet_in_blocks)  // what goes to shared memory instead, a wavefront a request at best
        finding.change.add_shared(0,
                                  as_double(c[C::kGlobalAtomicRequests]) + as_double(c[C::kGlobalReductionRequests]));
    finding.facts.variant = meet_in_blocks ? AdviceVariant::kMeetInBlocks : AdviceVariant::kMeetInWarps;
    finding.facts.figures = {
        {AdviceFigure::kOperations, adds}, {AdviceFigure::kTurns, turns}, {AdviceFigure::kTimes, 1 / left}};
    findings.push_back(std::move(finding));
}

// Copies of structures that are aligned already, which the compiler split all the same. Worth saying however little
// time it takes: the counts are the compiler's doing. What it saves is known of global memory alone.
void find_split_copies(const Case& about, std::vector<Finding>& findings) {
    Finding finding(about);
    finding.is_effort = true;
    const LineProfile* most = nullptr;
    const auto parts_of = [](const LineProfile& line) {
        return std::max(line.split_copy->loads, line.split_copy->stores);
    };
    for (const LineProfile& line : about.lines) {
        if (!line.split_copy) continue;
        const CounterSet& c = line.counters;
        finding.at(line, parts_of(line));
        if (most == nullptr || parts_of(line) > parts_of(*most)) most = &line;
        const double load_requests = as_double(c[C::kGlobalLoadPartRequests]);
        const double store_requests = as_double(c[C::kGlobalStorePartRequests]);
        const double load_sectors = as_double(c[C::kGlobalLoadPartSectors]);
        const double store_sectors = as_double(c[C::kGlobalStorePartSectors]);
        if (load_requests > 0) {
            const double lines = as_double(c[C::kGlobalLoadLines]) * load_sectors / as_double(c[C::kGlobalLoadSectors]);
            finding.change.spare_load_sectors(load_sectors, lines);
            finding.change.spare_load_requests(load_requests);
        }
        if (store_requests > 0) {
            const double lines =
                as_double(c[C::kGlobalStoreLines]) * store_sectors / as_double(c[C::kGlobalStoreSectors]);
            finding.change.spare_store_sectors(store_sectors, lines);
            finding.change.spare_store_requests(store_requests);
        }
        finding.saves_bytes += kSectorBytes * (load_sectors + store_sectors);
    }
    if (most == nullptr) return;
    finding.facts.variant = AdviceVariant::kSplitByCompiler;
    finding.facts.figures = {{AdviceFigure::kStructureBytes, as_double(most->split_copy->bytes)},
                             {AdviceFigure::kSplitLoads, as_double(most->split_copy->loads)},
                             {AdviceFigure::kSplitStores, as_double(most->split_copy->stores)}};
    findings.push_back(std::move(finding));
}

}  // namespace

std::vector<Finding> find_uncoalesced(const Case& about) {
    Finding finding(about);
    Waste worst;
    double most = 0;
    for (const LineProfile& line : about.lines) {
        if (line.by_layout) continue;   // no thread can choose its elements
        if (line.split_copy) continue;  // the source asks for whole elements already
        for (const Kind& kind : {kLoads, kStores}) {
            const Waste waste = waste_of(kind, line.counters);
            if (waste.sectors <= 0) continue;
            if (kind.variant == AdviceVariant::kLoads)
                finding.change.spare_load_sectors(waste.sectors, waste.lines);
            else
                finding.change.spare_store_sectors(waste.sectors, waste.lines);
            finding.at(line, waste.sectors);
            finding.saves_bytes += kSectorBytes * waste.sectors;
            if (waste.sectors <= most) continue;
            most = waste.sectors;
            worst = waste;
            finding.facts.variant = kind.variant;
        }
    }
    if (most <= 0) return {};
    finding.facts.figures = {{AdviceFigure::kActual, worst.actual}, {AdviceFigure::kIdeal, worst.ideal}};
    return {std::move(finding)};
}

// Accesses of threads to the parts of a structure, which one access would bring if its alignment let the compiler.
std::vector<Finding> find_split_structures(const Case& about) {
    Finding finding(about);
    double most = 0;
    for (const LineProfile& line : about.lines)
        for (const Kind& kind : {kLoads, kStores}) {
            const CounterSet& c = line.counters;
            if (line.split_copy) continue;  // find_split_copies has it
            const double requests = as_double(c[kind.part_requests]), sectors = as_double(c[kind.part_sectors]);
            if (requests == 0 || line.structure_bytes == 0) continue;
            const double lines = as_double(c[kind.lines]) * sectors / as_double(c[kind.sectors]);
            if (kind.variant == AdviceVariant::kLoads) {
                finding.change.spare_load_sectors(sectors, lines);
                finding.change.spare_load_requests(requests);
            } else {
                finding.change.spare_store_sectors(sectors, lines);
                finding.change.spare_store_requests(requests);
            }
            finding.at(line, sectors);
            finding.saves_bytes += kSectorBytes * sectors;
            if (sectors <= most) continue;
            most = sectors;
            const double whole = as_double(c[kind.requests]) - requests;
            finding.facts.variant = kind.variant;
            finding.facts.figures = {{AdviceFigure::kStructureBytes, as_double(line.structure_bytes)},
                                     {AdviceFigure::kTimes, 1 + requests / std::max(1.0, whole)}};
        }
    std::vector<Finding> findings;
    find_split_copies(about, findings);
    if (most > 0) findings.push_back(std::move(finding));
    return findings;
}

// Loads that use every sector in full and leave half of each line, which L2 looks up and device memory opens as a
// whole.
std::vector<Finding> find_half_lines(const Case& about) {
    constexpr double kMostOfIt = 0.6, kNearlyOnce = 0.8;
    const bool is_part =
        std::any_of(about.launch.buffers.begin(), about.launch.buffers.end(), [](const BufferReuse& buffer) {
            return buffer.tiling.unique_bytes.value_or(0) != 0 &&
                   as_double(*buffer.tiling.unique_bytes) <= kMostOfIt * as_double(buffer.bytes);
        });
    // What one request leaves of a line another one may take, or other blocks.
    const std::uint64_t unique = about.launch.tiling ? about.launch.tiling->unique_bytes.value_or(0) : 0;
    if (!about.time || !is_part || as_double(unique) < kNearlyOnce * as_double(about.launch.tiling->requested_bytes))
        return {};
    constexpr double kLineSectors = kWavefrontBytes / kSectorBytes;
    Finding finding(about);
    double most = 0;
    for (const LineProfile& line : about.lines) {
        const CounterSet& c = line.counters;
        const double lines = as_double(c[C::kGlobalLoadLines]), sectors = as_double(c[C::kGlobalLoadSectors]);
        const double requests = as_double(c[C::kGlobalLoadRequests]);
        const bool is_full = sectors < kUncoalesced * as_double(c[C::kGlobalLoadIdealSectors]);
        const bool is_by_data = 2 * as_double(c[C::kGlobalLoadDataSectors]) > sectors;
        if (lines == 0 || !is_full || is_by_data || sectors > kHalfLine * lines || lines < 2 * requests) continue;
        const double spared = lines - sectors / kLineSectors;
        finding.change.spare_load_lines(spared, as_double(c[C::kDramUnaskedBytes]));
        finding.at(line, spared);
        if (spared <= most) continue;
        most = spared;
        finding.facts.figures = {{AdviceFigure::kActual, sectors / lines}, {AdviceFigure::kIdeal, kLineSectors}};
    }
    if (most <= 0) return {};
    return {std::move(finding)};
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
    Finding finding(about);
    for (const LineProfile& line : about.lines) {
        const std::uint64_t its = line.counters[C::kLocalLoadSectors] + line.counters[C::kLocalStoreSectors];
        if (its != 0) finding.at(line, as_double(its));
    }
    const double asked = as_double(asked_bytes);
    finding.saves_bytes = kSectorBytes * as_double(sectors);
    finding.change.spare_local(as_double(sectors), as_double(requests));
    if (finding.saves_bytes >= kUncoalesced * asked) finding.facts.variant = AdviceVariant::kScattered;
    finding.facts.figures = {{AdviceFigure::kActual, as_double(sectors) / as_double(requests)},
                             {AdviceFigure::kIdeal, asked / kSectorBytes / as_double(requests)}};
    return {std::move(finding)};
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
    const double sectors = traffic ? as_double(traffic->loads.sectors + traffic->stores.sectors) : 0;
    Finding finding(about);
    finding.saves_bytes = traffic ? kSectorBytes * sectors
                                  : as_double(stored + loaded) * as_double(about.threads) * as_double(about.blocks);
    if (traffic && traffic->counted)
        finding.change.spare_local(sectors, as_double(traffic->loads.instructions + traffic->stores.instructions));
    finding.change.spare_spills();
    Work before = about.work;
    if (!traffic || !traffic->counted) before.memory_bytes += finding.saves_bytes;
    const double least = seconds(work_of(finding.change.launch()), about.device);
    finding.speedup = least > 0 ? seconds(before, about.device) / least : 1;
    if (!traffic) finding.facts.variant = AdviceVariant::kAsIfOnce;
    finding.facts.figures.set(AdviceFigure::kSpilledBytes, as_double(stored));
    return {std::move(finding)};
}

std::vector<Finding> find_atomics(const Case& about) {
    std::vector<Finding> findings;
    for (const LineProfile& line : about.lines) find_meeting_adds(about, line, findings);
    return findings;
}

// Shared atomics whose lanes meet at an address; lanes that only share a bank cannot be combined. Of floats each try is
// a loop that compares and swaps, whose time only a replay has: without the meetings it is the model's own.
std::vector<Finding> find_shared_atomics(const Case& about) {
    Finding finding(about);
    double conflicts = 0, adds = 0, addresses = 0, requests = 0, tries = 0;
    for (const LineProfile& line : about.lines) {
        const CounterSet& c = line.counters;
        const double its = as_double(c[C::kSharedAtomicThreadOperations]);
        if (c[C::kSharedAtomicBankConflicts] == 0 || its < kMeet * as_double(c[C::kSharedAtomicAddresses])) continue;
        finding.at(line, as_double(c[C::kSharedAtomicBankConflicts]));
        conflicts += as_double(c[C::kSharedAtomicBankConflicts]);
        adds += its;
        addresses += as_double(c[C::kSharedAtomicAddresses]);
        requests += as_double(c[C::kSharedAtomicRequests]);
        tries += as_double(c[C::kSharedSwapTries]);
    }
    if (conflicts == 0) return {};
    finding.saves_bytes = kWavefrontBytes * conflicts;
    finding.change.spare_shared_atomics();
    finding.facts.variant = tries > 0 ? AdviceVariant::kMeetInLoops : AdviceVariant::kMeetInShared;
    finding.facts.figures = {{AdviceFigure::kActual, 1 + conflicts / requests},
                             {AdviceFigure::kTimes, adds / addresses}};
    if (tries > 0 && about.time) finding.then = microseconds_without_replay(about.device, finding.change.launch());
    return {std::move(finding)};
}

}  // namespace tilescope::models
