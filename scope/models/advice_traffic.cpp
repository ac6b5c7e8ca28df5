// Rules about traffic beyond the SM: coalescing, tiles, atomics, local arrays, spills.
#include <algorithm>
#include <cmath>

#include "scope/models/advice_rules.h"
#include "scope/report/format.h"

namespace tilescope::models {
namespace {

using C = Counter;
using report::per_request;
using report::thousands;

// Twice the sectors. Less is what a shift by an element (5 for 4), rows that begin within a sector, or blocks 16 wide
// that read two rows at once cost: neighbouring requests find the rest of those sectors in L1.
constexpr double kUncoalesced = 2;
// A third of the requests could go: less pays for neither the barriers nor the copies through shared memory.
constexpr double kWorthATile = 1.5;

Work without_bytes(const Work& work, double bytes) {
    Work after = work;
    after.memory_bytes = std::max(0.0, work.memory_bytes - bytes);
    return after;
}

std::string plural(std::uint64_t count, const std::string& one, const std::string& many) {
    return thousands(count) + " " + (count == 1 ? one : many);
}

// Whether all lanes of a line's loads ask for the same bytes: one sector a request, for more bytes than it holds.
bool is_broadcast(const CounterSet& c) {
    return c[C::kGlobalLoadRequests] != 0 && c[C::kGlobalLoadSectors] == c[C::kGlobalLoadRequests] &&
           as_double(c[C::kGlobalLoadBytesRequested]) > kSectorBytes * as_double(c[C::kGlobalLoadRequests]);
}

// What one kind of request of a line wastes.
struct Waste {
    const char* what = "";
    double sectors = 0, actual = 0, ideal = 0;  // beyond the ideal; a request
};
Waste waste_of(const char* what, const CounterSet& c, C requests, C sectors, C ideal) {
    if (as_double(c[sectors]) < kUncoalesced * as_double(c[ideal]) || c[requests] == 0) return {};
    const double count = as_double(c[requests]);
    return {what, as_double(c[sectors]) - as_double(c[ideal]), as_double(c[sectors]) / count,
            as_double(c[ideal]) / count};
}

}  // namespace

std::vector<Finding> find_uncoalesced(const Case& about) {
    std::vector<Finding> findings;
    for (const LineProfile& line : about.lines) {
        const Waste loads =
            waste_of("loads", line.counters, C::kGlobalLoadRequests, C::kGlobalLoadSectors, C::kGlobalLoadIdealSectors);
        const Waste stores = waste_of("stores", line.counters, C::kGlobalStoreRequests, C::kGlobalStoreSectors,
                                      C::kGlobalStoreIdealSectors);
        const double bytes = kSectorBytes * (loads.sectors + stores.sectors);
        if (bytes <= 0) continue;
        const Waste& worst = loads.sectors >= stores.sectors ? loads : stores;
        Finding finding{line.file, line.line, bytes, without_bytes(about.work, bytes)};
        finding.message = std::string(worst.what) + " touch " + per_request(worst.actual) +
                          " sectors a request where " + per_request(worst.ideal) +
                          " would hold the bytes: let neighbouring threads of a warp take neighbouring elements, "
                          "directly or by way of a tile in shared memory";
        findings.push_back(std::move(finding));
    }
    return findings;
}

// One finding for the launch: what a tile holds is the block's, whichever lines ask for it. The place is the line that
// asks for most bytes again.
std::vector<Finding> find_tiles(const Case& about) {
    const auto& tiling = about.launch.tiling;
    if (!tiling || tiling->potential() < kWorthATile) return {};
    const LineProfile* place = nullptr;
    std::uint64_t most = 0;
    for (const LineProfile& line : about.lines) {
        if (!line.tiling || line.tiling->requested_bytes < line.tiling->unique_bytes_per_block) continue;
        const std::uint64_t again = line.tiling->requested_bytes - line.tiling->unique_bytes_per_block;
        if (again <= most) continue;
        most = again;
        place = &line;
    }
    if (place == nullptr) place = line_of_most(about, C::kGlobalLoadBytesRequested);
    // Lanes that share an address ask as one, so whole sectors may be fewer bytes than threads asked for.
    const double sectors = kSectorBytes * as_double(about[C::kGlobalLoadSectors]);
    const double bytes =
        std::min(as_double(tiling->requested_bytes), sectors) - as_double(tiling->unique_bytes_per_block);
    Finding finding;
    if (place != nullptr) {
        finding.file = place->file;
        finding.line = place->line;
    }
    finding.saves_bytes = bytes;
    finding.after = without_bytes(about.work, bytes);
    // What is no longer asked of global memory is asked of shared memory, one wavefront a request at best.
    finding.after.wavefronts += as_double(about[C::kGlobalLoadRequests]);
    const std::string seen = "a block asks for each byte " + report::times_text(tiling->potential()) + " times: ";
    finding.message =
        place != nullptr && is_broadcast(place->counters)
            ? seen +
                  "all lanes of a warp want the same ones, so keep them in constant memory if kernels only read them, "
                  "or load them once into shared memory"
            : seen +
                  "let its threads load each byte once into a tile in shared memory, wait at a barrier and read it "
                  "there";
    return {finding};
}

std::vector<Finding> find_local_arrays(const Case& about) {
    const std::uint64_t sectors = about[C::kLocalLoadSectors] + about[C::kLocalStoreSectors];
    const std::uint64_t requests = about[C::kLocalLoadRequests] + about[C::kLocalStoreRequests];
    if (sectors == 0 || requests == 0 || !has_local_memory(about.launch)) return {};
    const double bytes = kSectorBytes * as_double(sectors);
    const double asked = as_double(about[C::kLocalLoadBytesRequested]) + as_double(about[C::kLocalStoreBytesRequested]);
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
    finding.message = "arrays of a thread lie in local memory, which is off the chip";
    if (bytes >= kUncoalesced * asked)
        finding.message += ", and lanes ask for different elements at once (" +
                           per_request(as_double(sectors) / as_double(requests)) + " sectors a request where " +
                           per_request(asked / kSectorBytes / as_double(requests)) + " would do)";
    finding.message += ": index them by constants only (unroll the loops) and they become registers";
    return {finding};
}

// The assembler spills after the code that is run here, so what is known is how much each thread spills if every spill
// is executed once: bytes that instructions store and load, or from a cubin the room that they take, written and read.
std::vector<Finding> find_spills(const Case& about) {
    std::uint64_t stored = about.launch.spill_store_bytes, loaded = about.launch.spill_load_bytes;
    for (const Variable& variable : about.launch.variables)
        if (stored + loaded == 0 && variable.space == "local" && variable.name == "spills")
            stored = loaded = variable.bytes;
    if (stored + loaded == 0) return {};
    const double bytes = as_double(stored + loaded) * as_double(about.threads) * as_double(about.blocks);
    Finding finding;
    finding.saves_bytes = bytes;
    finding.after = about.work;
    Work before = about.work;
    before.memory_bytes += bytes;
    const double least = seconds(about.work, about.device);
    finding.speedup = least > 0 ? seconds(before, about.device) / least : 1;
    finding.message = "the compiler spills " + thousands(stored) +
                      " B of each thread to local memory for want of registers (counted as if each spill ran once): "
                      "keep fewer values alive, or allow more registers (__launch_bounds__, -maxrregcount)";
    return {finding};
}

std::vector<Finding> find_atomics(const Case& about) {
    std::vector<Finding> findings;
    for (const LineProfile& line : about.lines) {
        const CounterSet& c = line.counters;
        const std::uint64_t turns = c[C::kGlobalAtomicSectors] + c[C::kGlobalReductionSectors];
        if (turns > 0) {
            const double bytes = kSectorBytes * as_double(turns);
            Finding finding{line.file, line.line, bytes, without_bytes(about.work, bytes)};
            finding.message =
                plural(c[C::kGlobalAtomicThreadOperations], "atomic operation takes", "atomic operations take") + " " +
                plural(turns, "turn", "turns") +
                " at L2: sum within the warp or in shared memory first, and add once a block";
            findings.push_back(std::move(finding));
        }
        if (const std::uint64_t conflicts = c[C::kSharedAtomicBankConflicts]; conflicts > 0) {
            Finding finding{line.file, line.line, kWavefrontBytes * as_double(conflicts), about.work};
            finding.after.wavefronts -= as_double(conflicts);
            finding.message = "shared atomics take " +
                              per_request(1 + as_double(conflicts) / as_double(c[C::kSharedAtomicRequests])) +
                              " turns a request, for lanes that meet at an address or a bank: combine equal values "
                              "within the warp, or give each warp a copy of its own";
            findings.push_back(std::move(finding));
        }
    }
    return findings;
}

}  // namespace tilescope::models
