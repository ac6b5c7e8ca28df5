#include "scope/views/text_caches.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "scope/report/format.h"
#include "scope/views/words/reuse.h"

namespace tilescope::views {

using namespace report;
namespace {

using C = Counter;

struct Reason {
    Counter counter;
    const char* words;
};
constexpr std::array<Reason, 6> kFirst = {{{C::kL1MissFirstTouch, "first touch"},
                                           {C::kL1MissCapacity, "capacity"},
                                           {C::kL1MissPartWritten, "written in part"},
                                           {C::kL1MissFence, "fences"},
                                           {C::kL1MissAtomic, "atomics"},
                                           {C::kL1MissBypass, "past L1"}}};
constexpr std::array<Reason, 5> kSecond = {{{C::kL2MissFirstTouch, "first touch"},
                                            {C::kL2MissCapacity, "capacity"},
                                            {C::kL2MissOtherPart, "other part"},
                                            {C::kL2MissOutdated, "written elsewhere"},
                                            {C::kL2MissPartWritten, "written in part"}}};
constexpr double kWorthNaming = 0.01;
// Beyond, most of what there is.
constexpr double kMost = 0.6;

std::uint64_t sum_of(std::span<const Reason> reasons, const CounterSet& counters) {
    std::uint64_t sum = 0;
    for (const Reason& reason : reasons) sum += counters[reason.counter];
    return sum;
}

double share(std::uint64_t part, std::uint64_t all) {
    return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

// The most frequent first.
std::string reasons_text(const char* level, std::span<const Reason> reasons, const CounterSet& counters) {
    const std::uint64_t all = sum_of(reasons, counters);
    if (all == 0) return {};
    std::vector<Reason> order(reasons.begin(), reasons.end());
    std::stable_sort(order.begin(), order.end(),
                     [&](const Reason& a, const Reason& b) { return counters[a.counter] > counters[b.counter]; });
    std::string text = level;
    for (const Reason& reason : order) {
        const std::uint64_t count = counters[reason.counter];
        if (count == all) return text + " all " + reason.words;
        if (share(count, all) < kWorthNaming) break;
        text += (&reason == &order.front() ? " " : ", ") + percent(share(count, all)) + " " + reason.words;
    }
    return text;
}

std::string buffer_name(const CachedBuffer& buffer) {
    if (buffer.kind == BufferKind::kLocal) return "local memory";
    if (buffer.kind == BufferKind::kHeap) return "malloc in kernels";
    if (!buffer.name.empty()) return printable(buffer.name);
    if (buffer.parameter) return "arg" + std::to_string(*buffer.parameter);
    return with_prefix(static_cast<double>(buffer.bytes)) + "B";
}

}  // namespace

std::string misses_text(const CounterSet& counters) {
    const std::string first = reasons_text("L1", kFirst, counters), second = reasons_text("L2", kSecond, counters);
    return first + (first.empty() || second.empty() ? "" : "; ") + second;
}

std::string missed_buffer_text(const LaunchProfile& launch) {
    const CachedBuffer* most = nullptr;
    std::uint64_t all = 0, loaded = 0, its = 0;
    for (const CachedBuffer& buffer : launch.cached_buffers) {
        const std::uint64_t missed = sum_of(kFirst, buffer.counters);
        all += missed;
        loaded += missed != 0 ? 1 : 0;
        if (missed <= its) continue;
        its = missed;
        most = &buffer;
    }
    if (most == nullptr || loaded < 2 || share(its, all) < kMost) return {};
    return percent(share(its, all)) + " of L1's in " + buffer_name(*most);
}

bool is_worth_reasons(const LaunchProfile& launch, const LineProfile& line) {
    constexpr double kPart = 0.1;
    const std::uint64_t all = sum_of(kFirst, launch.counters), its = sum_of(kFirst, line.counters);
    const std::uint64_t needed = line.counters[C::kL1MissFirstTouch];
    return its != all && share(its, all) >= kPart && share(needed, its) < 1 - kPart;
}

std::vector<std::string> buffers_table(const LaunchProfile& launch, std::size_t width) {
    constexpr std::size_t kNameWidth = 15, kCountWidth = 13, kShareWidth = 7, kBytesWidth = 15;
    std::vector<std::string> lines;
    const auto row = [&](const std::string& name, const std::array<std::string, 6>& cells) {
        std::string line = padded(cut(name, kNameWidth - 1), kNameWidth);
        for (std::size_t i = 0; i < cells.size(); ++i)
            line += right_aligned(cells[i], i == 1 || i == 4 ? kShareWidth : i == 5 ? kBytesWidth : kCountWidth);
        lines.push_back(cut(line, width));
    };
    constexpr std::size_t kIndent = 2;
    row("sectors, bytes", {"loaded", "in L1", "stored", "read of L2", "in L2", "DRAM bytes"});
    for (const CachedBuffer& buffer : launch.cached_buffers) {
        const CounterSet& c = buffer.counters;
        const std::uint64_t loads = c[C::kGlobalLoadSectors] + c[C::kLocalLoadSectors];
        const std::uint64_t hits = c[C::kGlobalLoadL1HitSectors] + c[C::kLocalLoadL1HitSectors];
        const std::uint64_t reads = c[C::kL2ReadSectors];
        row(buffer_name(buffer),
            {loads == 0 ? "" : thousands(loads), loads == 0 ? "" : percent(share(hits, loads)),
             c[C::kL2WriteSectors] == 0 ? "" : thousands(c[C::kL2WriteSectors]), reads == 0 ? "" : thousands(reads),
             reads == 0 ? "" : percent(share(c[C::kL2ReadHitSectors], reads)),
             thousands(c[C::kDramReadBytes] + c[C::kDramWriteBytes])});
        if (buffer.atomic_sectors != 0)
            lines.push_back("  " + report::counted(buffer.atomic_sectors, "sector") + " of atomics and reductions");
        for (const std::string& why : wrap(misses_text(c), width - std::min(width, kIndent)))
            if (!why.empty()) lines.push_back(std::string(kIndent, ' ') + why);
    }
    return lines;
}

std::string memory_text(const CounterSet& counters) {
    const double unasked = share(counters[C::kDramUnaskedBytes], counters[C::kDramReadBytes]);
    return thousands(counters[C::kDramReadBytes]) + " B read" +
           (unasked < kWorthNaming ? "" : ", " + percent(unasked) + " of it asked for by nobody") + ", " +
           thousands(counters[C::kDramWriteBytes]) + " B written while it runs";
}

}  // namespace tilescope::views
