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

}  // namespace

// One finding for the launch: what a tile holds is the block's, whichever lines ask for it. The place is the line that
// asks for most bytes again.
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
    for (const BufferReuse& buffer : about.launch.buffers) add(buffer.tiling);
    if (about.launch.buffers.empty()) add(*tiling);
    if (asked == 0) return {};
    const LineProfile* place = line_of_most_shared(about);
    if (place == nullptr) place = line_of_most(about, C::kGlobalLoadBytesRequested);
    const double bytes = std::min(asked, std::max(0.0, moved_for_loads(about) - others)) - once;
    Finding finding;
    if (place != nullptr) {
        finding.file = place->file;
        finding.line = place->line;
    }
    finding.saves_bytes = bytes;
    finding.after = without_bytes(about.work, bytes);
    finding.load_sectors = bytes / kSectorBytes;
    finding.spares_requests = true;
    // What is no longer asked of global memory is asked of shared memory, one wavefront a request at best.
    finding.after.wavefronts += as_double(about[C::kGlobalLoadRequests]) * asked / std::max(1.0, asked + others);
    report::AskedAgain asked_again = report::asked_again(about.launch, kWorthATile);
    if (place != nullptr && is_broadcast(place->counters)) finding.facts.variant = AdviceVariant::kOneAddress;
    finding.facts.figures.set(AdviceFigure::kTimes, asked_again.times);
    finding.facts.buffers = std::move(asked_again.buffers);
    finding.facts.more_buffers = asked_again.more_buffers;
    return {finding};
}

// A thread that reads its own element from global memory each time round a loop, mostly because the compiler must take
// into account that a store may have changed it. Behind a barrier another thread may have, unless none ever does.
std::vector<Finding> find_registers(const Case& about) {
    if (about[C::kBarriers] != 0 && about.launch.threads_meet.value_or(true)) return {};
    const auto kept_bytes = [](const Tiling& tiling) {
        return tiling.register_share * as_double(tiling.requested_bytes);
    };
    const BufferReuse* kept = nullptr;
    for (const BufferReuse& buffer : about.launch.buffers)
        if (buffer.tiling.register_share >= kWorthARegister &&
            (kept == nullptr || kept_bytes(buffer.tiling) > kept_bytes(kept->tiling)))
            kept = &buffer;
    if (kept == nullptr) return {};
    std::vector<Finding> findings;
    for (const LineProfile& line : about.lines) {
        if (!line.tiling || line.tiling->register_share <= 0) continue;
        const double share = line.tiling->register_share;
        const double loads = share * as_double(line.counters[C::kGlobalLoadSectors]);
        // A line that stores as well writes the element back each time.
        const double stores = std::min(loads, as_double(line.counters[C::kGlobalStoreSectors]));
        const double bytes = kSectorBytes * (loads + stores);
        Finding finding{line.file, line.line, bytes, without_bytes(about.work, bytes)};
        finding.load_sectors = loads;
        finding.store_sectors = stores;
        finding.spares_requests = true;
        finding.after.instructions -= share * as_double(line.counters[C::kGlobalLoadRequests]);
        const double times = 1 / (1 - std::min(kept->tiling.own_share.value_or(0), kAlmostAll));
        finding.facts.figures.set(AdviceFigure::kTimes, times);
        finding.facts.buffers = {{kept->parameter, kept->name, times}};
        findings.push_back(std::move(finding));
    }
    return findings;
}

}  // namespace tilescope::models
