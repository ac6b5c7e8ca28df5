// What a launch's instructions are, and what moving its bytes costs.
#include <algorithm>
#include <array>
#include <utility>

#include "scope/report/format.h"
#include "scope/views/document/parts.h"

namespace tilescope::views {
namespace {

using C = Counter;

struct Kind {
    C counter;
    std::string_view key, words;
};
constexpr Kind kKinds[] = {{C::kIntegerInstructions, "integer", "integer"},
                           {C::kFloatInstructions, "float", "floating point"},
                           {C::kConversionInstructions, "conversion", "conversions"},
                           {C::kMoveInstructions, "move", "moves"},
                           {C::kMemoryInstructions, "memory", "memory"},
                           {C::kControlInstructions, "control", "control"},
                           {C::kSyncInstructions, "sync", "synchronization"}};
// What a register's value does without.
constexpr Kind kAccesses[] = {{C::kGlobalLoadInstructions, "global_loads", "global loads"},
                              {C::kGlobalStoreInstructions, "global_stores", "global stores"},
                              {C::kSharedLoadInstructions, "shared_loads", "shared loads"},
                              {C::kSharedStoreInstructions, "shared_stores", "shared stores"},
                              {C::kLocalLoadRequests, "local_loads", "local loads"},
                              {C::kLocalStoreRequests, "local_stores", "local stores"}};

double part_of_all(std::uint64_t part, std::uint64_t all) {
    return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

std::string_view level_words(EnergyLevel level) {
    switch (level) {
        case EnergyLevel::kRegisters: return "registers";
        case EnergyLevel::kShared: return "shared memory";
        case EnergyLevel::kL1: return "L1";
        case EnergyLevel::kL2: return "L2";
        case EnergyLevel::kDram: return "DRAM";
    }
    return "";
}

}  // namespace

void add_instructions(const LaunchProfile& launch, std::vector<Row>& rows) {
    const CounterSet& c = launch.counters;
    const std::uint64_t all = c[C::kInstructions];
    if (all == 0) return;
    std::vector<Kind> order(std::begin(kKinds), std::end(kKinds));
    std::stable_sort(order.begin(), order.end(),
                     [&](const Kind& a, const Kind& b) { return c[a.counter] > c[b.counter]; });
    Row row{.key = "instructions", .label = "instructions", .shown = Shown::kInFull};
    row.text = thousands(all) + " warp instructions";
    for (const Kind& kind : order) {
        const double share = part_of_all(c[kind.counter], all);
        if (c[kind.counter] == 0) continue;
        row.text += (row.values.empty() ? ": " : ", ") + percent(share) + " " + std::string(kind.words);
        row.values.push_back({kind.key, share, Unit::kShare, {}, "", std::string(kind.words)});
    }
    rows.push_back(std::move(row));
    Row accesses{.key = "memory_instructions", .label = "", .is_part = true, .shown = Shown::kInFull};
    for (const Kind& kind : kAccesses) {
        if (c[kind.counter] == 0) continue;
        accesses.text +=
            (accesses.text.empty() ? "" : ", ") + thousands(c[kind.counter]) + " " + std::string(kind.words);
        accesses.values.push_back({kind.key, c[kind.counter], Unit::kNone});
    }
    if (accesses.values.empty()) return;
    accesses.text += "; values in registers need none";
    rows.push_back(std::move(accesses));
}

void add_energy(const LaunchProfile& launch, std::vector<Row>& rows) {
    if (!launch.energy) return;
    std::vector<EnergyPart> order = launch.energy->parts;
    std::stable_sort(order.begin(), order.end(),
                     [](const EnergyPart& a, const EnergyPart& b) { return a.microjoules > b.microjoules; });
    Row row{.key = "energy", .label = "energy", .shown = Shown::kInFull, .source = RowSource::kEstimated};
    const Value all{"energy", launch.energy->microjoules, Unit::kMicrojoules};
    row.text = "about " + amount_text(all) + " to move its bytes";
    row.values = {all};
    std::string unknown;
    for (const EnergyPart& part : order) {
        const std::string level(level_words(part.level));
        if (!part.picojoules_per_byte) {
            unknown += (unknown.empty() ? "" : ", ") + level;
            continue;
        }
        row.text += (row.values.size() == 1 ? ": " : ", ") + percent(part.share) + " " + level + " (" +
                    plain_number(*part.picojoules_per_byte) + " pJ/B)";
        row.values.push_back({name_of(part.level), part.share, Unit::kShare, {}, "", level});
    }
    if (!unknown.empty()) row.text += "; no cost per byte known for " + unknown;
    row.text += " (estimated)";
    rows.push_back(std::move(row));
}

}  // namespace tilescope::views
