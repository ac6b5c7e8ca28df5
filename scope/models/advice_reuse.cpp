// Rules about what a block or a thread asks of global memory more than once: tiles and registers.
#include <algorithm>

#include "scope/models/advice_rules.h"
#include "scope/report/reuse.h"

namespace tilescope::models {
namespace {

using C = Counter;

// A third of the requests could go: less pays for neither the barriers nor the copies through shared memory.
constexpr double kWorthATile = 1.5;
constexpr double kWorthARegister = 1 - 1 / kWorthATile;  // share of the bytes asked for
constexpr double kDataShare = 0.25;                      // of the sectors of loads, whose index is data
constexpr double kFewElements = 64;                      // that registers hold
constexpr double kAlmostAll = 0.999999;                  // of them, that an element asked for a million times has

// Whether all lanes of a line's loads ask for the same bytes: one sector a request, for more bytes than it holds.
bool is_broadcast(const CounterSet& c) {
    return c[C::kGlobalLoadRequests] != 0 && c[C::kGlobalLoadSectors] == c[C::kGlobalLoadRequests] &&
           as_double(c[C::kGlobalLoadBytesRequested]) > kSectorBytes * as_double(c[C::kGlobalLoadRequests]);
}

// Bytes that threads ask for after another thread of their block.
double asked_between_threads(const Tiling& tiling) {
    return as_double(tiling.requested_bytes) * (1 - tiling.own_share.value_or(0));
}

// Bytes that move for what loads ask for. Lanes that share an address ask as one, so whole sectors may be fewer bytes
// than threads asked for; what sectors bring beyond that is another rule's.
double moved_for_loads(const Case& about) {
    double bytes = 0;
    for (const LineProfile& line : about.lines)
        bytes += std::min(kSectorBytes * as_double(line.counters[C::kGlobalLoadSectors]),
                          as_double(line.counters[C::kGlobalLoadBytesRequested]));
    return bytes;
}

// What loads of a buffer ask for, thread by thread: elements of a block, and how often a thread asks for each.
struct Asked {
    double elements = 0, times = 0;
};
Asked asked_by_threads(const Case& about, const Tiling& tiling) {
    if (tiling.requests == 0 || tiling.unique_bytes_per_block == 0) return {};
    const double bytes = as_double(tiling.requested_bytes) / as_double(tiling.requests);  // of an element
    Asked asked;
    asked.elements = as_double(tiling.unique_bytes_per_block) / bytes / as_double(about.blocks);
    asked.times = as_double(tiling.requests) / (as_double(about.blocks) * as_double(about.threads) * asked.elements);
    return asked;
}

// Requests to shared memory that take the place of one to global memory. What all lanes of a warp want lies in a row of
// the tile: four elements of it are one request.
double shared_requests_of_tile(const Case& about) {
    constexpr double kFour = 4, kMostlyUniform = 0.75;
    double requests = 0, uniform = 0;
    for (const LineProfile& line : about.lines) {
        const double its = as_double(line.counters[C::kGlobalLoadRequests]);
        const double each = as_double(line.counters[C::kGlobalLoadBytesRequested]) / kSectorBytes;
        requests += its;
        // Between a sector for each request and all that their bytes take.
        if (each > its)
            uniform +=
                its * std::clamp((each - as_double(line.counters[C::kGlobalLoadSectors])) / (each - its), 0.0, 1.0);
    }
    // Where all requests are such, it is no product that a row of the tile would serve.
    const double share = requests > 0 ? uniform / requests : 0;
    return share < kMostlyUniform ? 1 - share * (1 - 1 / kFour) : 1;
}

// The line whose threads ask most for what others of their block asked for.
const LineProfile* line_of_most_shared(const Case& about) {
    const LineProfile* place = nullptr;
    double most = 0;
    for (const LineProfile& line : about.lines) {
        if (!line.tiling) continue;
        const double again = asked_between_threads(*line.tiling) - as_double(line.tiling->unique_bytes_per_block);
        if (again <= most) continue;
        most = again;
        place = &line;
    }
    return place;
}

// Products whose factors come from shared memory anew each time: a load for hardly more than one multiply-add.
std::optional<Finding> find_products_from_shared(const Case& about) {
    constexpr double kLoadsOfProduct = 1.2;  // shared loads for each multiply-add; vectors ask for several at once
    constexpr double kOutputs = 8;           // elements of the result that a thread would make instead of one
    constexpr double kVector = 4;            // elements that one request brings to all lanes
    constexpr double kMostlyPasses = 0.25;   // of the launch's time, in L1's and shared memory's pipe
    if (about.share_of(TimeBound::kL1) < kMostlyPasses) return {};
    Finding finding(about);
    double loads = 0, products = 0, passes = 0, of_lanes = 0;
    for (const LineProfile& line : about.lines) {
        const double asked = as_double(line.counters[C::kSharedLoadBytesRequested]);
        const double fma = as_double(line.counters[C::kFp32Fma]);
        constexpr double kElement = 4;
        if (asked == 0 || fma == 0 || asked < kElement * kLoadsOfProduct * fma) continue;
        finding.at(line, fma);
        loads += asked / kElement;
        products += fma;
        passes += as_double(line.counters[C::kSharedLoadWavefronts]);
        // The others are vectors of what all lanes want, which stay.
        const double requests = as_double(line.counters[C::kSharedLoadRequests]);
        const double wide = (asked / requests - kWavefrontBytes) / (kVector * kWavefrontBytes - kWavefrontBytes);
        of_lanes += requests * (1 - std::clamp(wide, 0.0, 1.0));
    }
    if (products == 0 || passes < as_double(about[C::kSharedLoadWavefronts]) / 2) return {};
    // What lanes load for themselves serves all of a thread's elements.
    finding.change.spare_shared_loads(of_lanes * (1 - 1 / kOutputs));
    KernelResources resources = resources_of(about);
    resources.threads_per_block =
        std::max<std::uint64_t>(about.device.warp_size, about.threads / static_cast<std::uint64_t>(kOutputs));
    finding.change.join_threads(kOutputs, occupancy(about.device, resources).blocks_per_sm);
    finding.facts.variant = AdviceVariant::kFromShared;
    finding.facts.figures = {{AdviceFigure::kTimes, loads / products}, {AdviceFigure::kIdeal, kOutputs}};
    return finding;
}

}  // namespace

// One finding for the launch: what a tile holds is the block's, whichever lines ask for it. The place is the line that
// asks for most bytes again. What is no longer asked of global memory is asked of shared memory, a wavefront a request
// at best; and each byte is loaded, stored there and waited for once.
std::vector<Finding> find_tiles(const Case& about) {
    const auto& tiling = about.launch.tiling;
    if (!tiling) return {};
    double asked = 0, once = 0, others = 0;  // of the buffers worth a tile, and of the others
    const auto add = [&](const Tiling& part) {
        const double between = asked_between_threads(part), unique = as_double(part.unique_bytes_per_block);
        if (part.between_threads() < kWorthATile) {
            others += as_double(part.requested_bytes);
            return;
        }
        asked += between;
        once += unique;
    };
    // A few elements that all threads want are no tile, and what data picks cannot be fetched beforehand.
    if (kDataShare * as_double(about[C::kGlobalLoadSectors]) < as_double(about[C::kGlobalLoadDataSectors])) return {};
    for (const BufferReuse& buffer : about.launch.buffers)
        if (const double few = asked_by_threads(about, buffer.tiling).elements; few == 0 || few > kFewElements)
            add(buffer.tiling);
        else
            others += as_double(buffer.tiling.requested_bytes);
    if (about.launch.buffers.empty()) add(*tiling);
    if (asked == 0) return {};
    const LineProfile* place = line_of_most_shared(about);
    if (place == nullptr) place = line_of_most(about, C::kGlobalLoadBytesRequested);
    const double bytes = std::min(asked, std::max(0.0, moved_for_loads(about) - others)) - once;
    Finding finding(about);
    if (place != nullptr) finding.at(*place, bytes);
    finding.saves_bytes = bytes;
    const double share = asked / std::max(1.0, asked + others);
    const double requests = as_double(about[C::kGlobalLoadRequests]) * share;
    const double tile_requests = requests * std::min(1.0, once / asked);
    const double lines = as_double(about[C::kGlobalLoadLines]) * share * (1 - std::min(1.0, once / asked));
    finding.change.spare_load_sectors(bytes / kSectorBytes, lines);
    finding.change.spare_load_requests(requests - tile_requests);
    finding.change.add_shared(requests * shared_requests_of_tile(about), tile_requests);
    // A tile is as large as what the block's threads load at once; before it is used, and before it is replaced, all
    // wait.
    finding.change.add_barriers(2 * tile_requests);
    report::AskedAgain asked_again = report::asked_again(about.launch, kWorthATile);
    if (place != nullptr && is_broadcast(place->counters)) finding.facts.variant = AdviceVariant::kOneAddress;
    finding.facts.figures.set(AdviceFigure::kTimes, asked_again.times);
    finding.facts.buffers = std::move(asked_again.buffers);
    finding.facts.more_buffers = asked_again.more_buffers;
    return {std::move(finding)};
}

// A thread that reads its own element from global memory each time round a loop, mostly because the compiler must take
// into account that a store may have changed it. Behind a barrier another thread may have, unless none ever does.
// Likewise a few elements that all threads read, each again and again.
std::vector<Finding> find_registers(const Case& about) {
    std::vector<Finding> findings;
    if (auto products = find_products_from_shared(about)) findings.push_back(std::move(*products));
    if (about[C::kBarriers] != 0 && about.launch.threads_meet.value_or(true)) return findings;
    const auto kept_bytes = [](const Tiling& tiling) {
        return tiling.register_share * as_double(tiling.requested_bytes);
    };
    const BufferReuse *kept = nullptr, *alike = nullptr;
    for (const BufferReuse& buffer : about.launch.buffers) {
        if (buffer.tiling.register_share >= kWorthARegister &&
            (kept == nullptr || kept_bytes(buffer.tiling) > kept_bytes(kept->tiling)))
            kept = &buffer;
        const Asked asked = asked_by_threads(about, buffer.tiling);
        if (asked.elements <= kFewElements && asked.times >= kWorthATile &&
            (alike == nullptr || buffer.tiling.requests > alike->tiling.requests))
            alike = &buffer;
    }
    if (kept == nullptr && alike == nullptr) return findings;
    Finding finding(about);
    double others = as_double(about[C::kGlobalLoadRequests]), requests = 0;
    for (const LineProfile& line : about.lines) {
        const CounterSet& c = line.counters;
        double share = line.tiling ? line.tiling->register_share : 0;
        // Elements that all want lie in a sector or two for each request.
        if (kept == nullptr && is_broadcast(c)) share = 1 - 1 / asked_by_threads(about, alike->tiling).times;
        if (share <= 0) continue;
        const double loads = share * as_double(c[C::kGlobalLoadSectors]);
        // A line that stores as well writes the element back each time.
        const double stores = std::min(loads, as_double(c[C::kGlobalStoreSectors]));
        finding.at(line, loads + stores);
        finding.saves_bytes += kSectorBytes * (loads + stores);
        finding.change.spare_load_sectors(loads, share * as_double(c[C::kGlobalLoadLines]));
        others -= as_double(c[C::kGlobalLoadRequests]);
        requests += share * as_double(c[C::kGlobalLoadRequests]);
        if (stores > 0) {
            const double stored = stores / as_double(c[C::kGlobalStoreSectors]);
            finding.change.spare_store_sectors(stores, stored * as_double(c[C::kGlobalStoreLines]));
            finding.change.spare_store_requests(stored * as_double(c[C::kGlobalStoreRequests]));
        }
    }
    if (finding.places.empty()) return findings;
    finding.change.spare_load_requests(requests, others);
    const BufferReuse& buffer = kept != nullptr ? *kept : *alike;
    const double times = kept != nullptr ? 1 / (1 - std::min(kept->tiling.own_share.value_or(0), kAlmostAll))
                                         : asked_by_threads(about, buffer.tiling).times;
    if (kept == nullptr) finding.facts.variant = AdviceVariant::kAlike;
    finding.facts.figures.set(AdviceFigure::kTimes, times);
    finding.facts.buffers = {{buffer.parameter, buffer.name, times}};
    findings.push_back(std::move(finding));
    return findings;
}

}  // namespace tilescope::models
