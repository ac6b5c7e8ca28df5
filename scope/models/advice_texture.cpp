// Rules about textures: what a plain load would do as well, what would better lie in an array, and what the unit would
// filter.
#include <algorithm>
#include <optional>

#include "scope/models/advice_rules.h"
#include "scope/models/time/launch_time.h"

namespace tilescope::models {
namespace {

using C = Counter;

// Loads of the same texels touch no more than this share of the sectors that fetches ask for: then they lie in rows. An
// array's sectors hold two rows, so that a row costs twice as many.
constexpr double kAsInRows = 0.65;
// Of the sectors that fetches ask of memory that lies in rows, tiles would take no more than this.
constexpr double kFewerInTiles = 0.65;
// Fetches that are four neighbours, nearly all.
constexpr double kNearlyAll = 0.9;

// A line's fetches, as a whole; the walk is of some of them.
struct Fetches {
    double instructions = 0, requests = 0, sectors = 0;
    double times = 0;  // as many as were looked at
};
Fetches fetches_of(const LineProfile& line) {
    Fetches fetches;
    if (!line.texels || line.texels->requests == 0) return fetches;
    fetches.requests = as_double(line.counters[C::kTextureRequests]);
    fetches.sectors = as_double(line.counters[C::kTextureSectors]);
    fetches.times = fetches.requests / as_double(line.texels->requests);
    fetches.instructions = fetches.times * as_double(line.texels->fetches);
    return fetches;
}

bool is_single(const TexelWalk& walk) { return walk.fetches != 0 && walk.single == walk.fetches; }

// Texels one at a time, as they lie there, nowhere beyond an edge, along rows: nothing of it needs the unit.
std::optional<Finding> find_plain_loads(const Case& about) {
    Finding finding(about);
    double row_sectors = 0, sectors = 0, instructions = 0;
    for (const LineProfile& line : about.lines) {
        if (line.counters[C::kTextureRequests] == 0) continue;
        const Fetches fetches = fetches_of(line);
        if (!line.texels || !is_single(*line.texels) || line.texels->by_hand != 0) continue;
        const TexelWalk& walk = *line.texels;
        // What lies in rows already is asked for as loads would ask.
        const double most = walk.in_rows == walk.fetches ? 1 : kAsInRows;
        if (as_double(walk.row_sectors) > most * as_double(walk.sectors)) continue;
        if (walk.in_rows == walk.fetches && as_double(walk.tile_sectors) <= kFewerInTiles * as_double(walk.sectors))
            continue;
        const double its = fetches.times * as_double(walk.row_sectors);
        finding.change.load_instead(fetches.instructions, fetches.requests, fetches.sectors, its,
                                    fetches.times * as_double(walk.row_lines));
        finding.at(line, fetches.sectors);
        row_sectors += its;
        sectors += fetches.sectors;
        instructions += fetches.instructions;
    }
    if (instructions <= 0) return {};
    // A load that would take longer is none that does as well.
    const auto then = changed_microseconds(about.device, about.launch, finding.change.launch());
    if (!about.time || !then || *then > about.time->microseconds) return {};
    finding.is_effort = true;
    finding.facts.variant = AdviceVariant::kPlainLoad;
    finding.facts.figures = {{AdviceFigure::kActual, sectors / instructions},
                             {AdviceFigure::kIdeal, row_sectors / instructions}};
    return finding;
}

// Columns and turned images of pitched memory: tiles hold neighbours of both dimensions.
std::optional<Finding> find_arrays(const Case& about) {
    Finding finding(about);
    double sectors = 0, tile_sectors = 0, instructions = 0;
    const double all = as_double(about[C::kTextureSectors]);
    for (const LineProfile& line : about.lines) {
        if (line.counters[C::kTextureRequests] == 0 || !line.texels) continue;
        const TexelWalk& walk = *line.texels;
        const bool is_in_rows = walk.fetches != 0 && walk.in_rows == walk.fetches;
        if (!is_in_rows || as_double(walk.tile_sectors) > kFewerInTiles * as_double(walk.sectors)) continue;
        const Fetches fetches = fetches_of(line);
        const double its = fetches.times * as_double(walk.tile_sectors);
        // Of the misses, those that any order would have.
        const double first = as_double(about[C::kL1MissFirstTouch]) * (all > 0 ? fetches.sectors / all : 0);
        finding.change.spare_texture_sectors(std::max(0.0, fetches.sectors - its), first);
        finding.at(line, fetches.sectors);
        sectors += fetches.sectors;
        tile_sectors += its;
        instructions += fetches.instructions;
    }
    if (instructions <= 0 || !about.time) return {};
    finding.facts.variant = AdviceVariant::kIntoArray;
    finding.facts.figures = {{AdviceFigure::kActual, sectors / instructions},
                             {AdviceFigure::kIdeal, tile_sectors / instructions}};
    return finding;
}

// Four fetches of neighbours, two by two, where one that filters would bring all of them and weigh them.
std::optional<Finding> find_filters(const Case& about) {
    constexpr double kTogether = 4, kSpared = (kTogether - 1) / kTogether;
    Finding finding(about);
    double instructions = 0;
    for (const LineProfile& line : about.lines) {
        if (line.counters[C::kTextureRequests] == 0 || !line.texels) continue;
        const TexelWalk& walk = *line.texels;
        if (walk.fetches == 0 || as_double(walk.by_hand) < kNearlyAll * as_double(walk.fetches)) continue;
        const Fetches fetches = fetches_of(line);
        finding.change.spare_fetches(kSpared * fetches.instructions, kSpared * fetches.requests,
                                     kSpared * fetches.sectors);
        finding.at(line, fetches.instructions);
        instructions += fetches.instructions;
    }
    if (instructions <= 0 || !about.time) return {};
    finding.facts.variant = AdviceVariant::kFilteredByUnit;
    finding.facts.figures = {{AdviceFigure::kTimes, kTogether}};
    return finding;
}

}  // namespace

std::vector<Finding> find_texture_ways(const Case& about) {
    std::vector<Finding> findings;
    for (const auto find : {&find_plain_loads, &find_arrays, &find_filters})
        if (std::optional<Finding> finding = find(about)) findings.push_back(std::move(*finding));
    return findings;
}

}  // namespace tilescope::models
