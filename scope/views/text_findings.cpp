#include "scope/views/text_findings.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "scope/report/format.h"
#include "scope/views/text_launch.h"
#include "scope/views/words/reuse.h"

namespace tilescope::views {

using namespace report;
namespace {

constexpr double kWorthTiling = 1.1;     // what edges of tiles come to is no potential
constexpr double kHighOccupancy = 0.75;  // beyond, more warps rarely make a difference
constexpr std::size_t kNameWidth = 24, kSpaceWidth = 10, kRuleWidth = 15;

std::string megabytes(std::uint64_t bytes) { return with_prefix(static_cast<double>(bytes)) + "B"; }

std::uint64_t magnitude(std::int64_t change) { return static_cast<std::uint64_t>(std::abs(change)); }

std::string change_text(const OccupancyChange& change) {
    const std::string direction = change.change < 0 ? " fewer" : " more";
    if (change.resource == SmResource::kRegisters)
        return counted(magnitude(change.change), "register") + direction + " a thread";
    if (change.resource == SmResource::kShared)
        return thousands(magnitude(change.change)) + " B of shared memory" + direction + " a block";
    if (change.resource == SmResource::kThreads)
        return counted(magnitude(change.change), "thread") + direction + " a block";
    return thousands(magnitude(change.change)) + " " + std::string(name_of(change.resource)) + direction;
}

}  // namespace

bool can_tile(const LaunchProfile& launch) { return launch.tiling && launch.tiling->potential() > kWorthTiling; }

std::string spills_text(const LaunchProfile& launch) {
    const auto& traffic = launch.spill_traffic;
    if (!traffic && (!launch.observed || launch.spill_store_bytes + launch.spill_load_bytes == 0)) return {};
    if (!traffic) return "not counted: how often they run is not known";
    const std::string sectors = counted(traffic->loads.sectors + traffic->stores.sectors, "sector");
    return traffic->counted ? sectors + " of these"
                            : "about " + sectors + " more, an estimate that is not among the counts";
}

std::string tiling_text(const LaunchProfile& launch) {
    if (!launch.tiling || launch.tiling->unique_bytes_per_block == 0) return {};
    if (launch.tiling->potential() == 1) return "no byte is asked for twice by a block: nothing to reuse";
    if (!can_tile(launch)) return "hardly any byte is asked for twice by a block: little to reuse";
    if (launch.tiling->between_threads() <= kWorthTiling)
        return "a byte is asked for " + times_text(launch.tiling->potential()) +
               " times, by one thread mostly: tiling cannot save it" +
               (launch.tiling->register_share > kWorthTiling - 1 ? ", registers can" : "");
    const std::string saved = ": tiling can save " + times_text(launch.tiling->between_threads()) + "×";
    if (are_asked_alike(launch, kWorthTiling))
        return "every byte is asked for " + times_text(launch.tiling->between_threads()) + " times by its block" +
               saved;
    return "a block asks for " + asked_text(launch, kWorthTiling) + saved;
}

std::string next_step_text(const LaunchProfile& launch) {
    if (!launch.occupancy_profile || launch.occupancy > kHighOccupancy) return {};
    for (const OccupancyStep& step : launch.occupancy_profile->next)
        if (step.changes.size() == 1)
            return change_text(step.changes.front()) + ": " + counted(step.blocks_per_sm, "block") + ", " +
                   percent(step.fraction);
    return {};
}

std::string variables_summary(const LaunchProfile& launch) {
    std::string text;
    std::optional<VariableSpace> space;  // of the one before
    for (const Variable& variable : launch.variables) {
        if (variable.space == VariableSpace::kRegister) continue;
        const bool is_named = variable.space != VariableSpace::kLocal;
        if (!text.empty()) text += variable.space == space ? ", " : "; ";
        if (is_named && variable.space != space) text += std::string(name_of(variable.space)) + " ";
        space = variable.space;
        text += printable(variable.name) + " " + thousands(variable.bytes) + " B";
    }
    return text;
}

std::vector<std::string> variables_table(const LaunchProfile& launch, std::size_t width) {
    std::size_t widest = 0;
    for (const Variable& variable : launch.variables) widest = std::max(widest, columns(printable(variable.name)));
    const std::size_t name_width = std::min(widest, kNameWidth);
    std::vector<std::string> lines;
    for (const Variable& variable : launch.variables) {
        std::string text = padded(cut(printable(variable.name), name_width), name_width) + "  " +
                           padded(std::string(name_of(variable.space)), kSpaceWidth) + thousands(variable.bytes) + " B";
        if (variable.lifetime == VariableLifetime::kApplication) {
            text += ", one for the application";
        } else {
            text += " × " + thousands(variable.versions) + " " + std::string(name_of(variable.scope)) +
                    (variable.versions == 1 ? "" : "s");
            if (variable.versions != 1) text += " = " + megabytes(variable.bytes * variable.versions);
        }
        lines.push_back(cut(text, width));
    }
    return lines;
}

std::vector<std::string> advice_lines(const Advice& advice, const ViewOptions& options, std::size_t width) {
    std::string worth;
    if (advice.saves_bytes != 0) worth = "saves " + megabytes(advice.saves_bytes);
    constexpr double kNoTime = 1;               // judged by effort
    constexpr double kLeastMicroseconds = 0.1;  // below, the model tells nothing
    if (advice.speedup > kNoTime)
        worth += (worth.empty() ? "" : ", ") + std::string("at most ") + times_text(advice.speedup) + "× faster";
    const bool tells_time = advice.saves_microseconds && *advice.saves_microseconds >= kLeastMicroseconds;
    if (tells_time) worth += ", about " + report::per_request(*advice.saves_microseconds) + " µs";
    if (tells_time || advice.speedup > kNoTime) worth += " (modelled)";
    std::string place;
    if (advice.line != 0) place = printable(file_name(advice.file)) + ":" + std::to_string(advice.line);
    const std::string rule(name_of(advice.rule));
    std::string head = ink(options, Ink::kBold, rule);
    if (!place.empty() || !worth.empty())
        head += std::string(rule.size() < kRuleWidth ? kRuleWidth - rule.size() : 1, ' ');
    head += worth;
    if (!place.empty()) head += (worth.empty() ? "" : "  ") + ink(options, Ink::kDim, place);
    std::vector<std::string> lines = {head};
    for (const std::string& line : wrap(printable(advice.message), width)) lines.push_back(line);
    return lines;
}

}  // namespace tilescope::views
