#include "scope/views/document/trust.h"

#include <algorithm>
#include <string>

#include "scope/report/format.h"

namespace tilescope::views {

using namespace report;
namespace {

// Launches of a profile by what holds for them.
struct LaunchTally {
    std::uint64_t all = 0, observed = 0, sampled = 0, estimated_registers = 0, modelled = 0, timed = 0, in_part = 0;
    std::uint64_t special = 0;  // used the special function unit
    double least_replayed = 1, least_run = 1;
};

LaunchTally tally_of(const Profile& profile) {
    LaunchTally tally;
    for (const LaunchProfile& launch : profile.launches) {
        const std::uint64_t times = launch.folded;
        tally.all += times;
        if (!launch.observed) continue;
        tally.observed += times;
        if (launch.registers_from == RegistersFrom::kEstimate) tally.estimated_registers += times;
        if (launch.counters.modelled) tally.modelled += times;
        if (launch.time) tally.timed += times;
        if (launch.counters[Counter::kFp32Special] != 0) tally.special += times;
        if (launch.sampled) {
            const double blocks = static_cast<double>(launch.grid[0]) * launch.grid[1] * launch.grid[2];
            tally.sampled += times;
            if (launch.folded == 1 && blocks > 0)
                tally.least_run = std::min(tally.least_run, static_cast<double>(launch.blocks_run) / blocks);
        }
        if (launch.caches_replayed && *launch.caches_replayed < 1) {
            tally.in_part += times;
            tally.least_replayed = std::min(tally.least_replayed, *launch.caches_replayed);
        }
    }
    return tally;
}

Row said(std::string_view key, std::string label, std::string text, RowSource source) {
    return {.key = key, .label = std::move(label), .text = std::move(text), .source = source};
}

std::string of_launches(std::uint64_t some, std::uint64_t all) {
    return some == all ? "all " + counted(all, "launch", "launches")
                       : thousands(some) + " of " + counted(all, "launch", "launches");
}

void add_counts(const LaunchTally& tally, std::vector<Row>& rows) {
    if (tally.observed > tally.sampled)
        rows.push_back(said("exact", "exact",
                            "requests, sectors, wavefronts, bank conflicts, requested bytes and operations: counted "
                            "access by access, like hardware counters",
                            RowSource::kCounted));
    if (tally.sampled != 0) {
        Row row = said("sampled", "sampled",
                       of_launches(tally.sampled, tally.observed) +
                           " ran part of their blocks; counts are scaled to the whole grid",
                       RowSource::kEstimated);
        row.values = {{"blocks_run", tally.least_run, Unit::kShare, {}, "at least", "of the blocks"}};
        rows.push_back(std::move(row));
    }
    if (tally.all > tally.observed)
        rows.push_back(said(
            "not_counted", "not counted",
            of_launches(tally.all - tally.observed, tally.all) + " ran without being counted (--kernel, --launches)",
            RowSource::kCounted));
    if (tally.observed > tally.estimated_registers)
        rows.push_back(said("machine_code", "machine code",
                            "registers of " + of_launches(tally.observed - tally.estimated_registers, tally.observed) +
                                ": assigned by ptxas",
                            RowSource::kMachineCode));
    if (tally.estimated_registers != 0)
        rows.push_back(said("estimated", "estimated",
                            "registers of " + of_launches(tally.estimated_registers, tally.observed) +
                                " and their occupancy: no SASS is available",
                            RowSource::kEstimated));
}

void add_models(const Profile& profile, const LaunchTally& tally, std::vector<Row>& rows) {
    if (tally.modelled != 0)
        rows.push_back(said("modelled", "modeled",
                            "L1, L2, DRAM, time and potential savings: from models of the " +
                                gpu_name(printable(profile.device)) +
                                " (docs/reference/fidelity.md gives their errors)",
                            RowSource::kModelled));
    else if (tally.observed != 0)
        rows.push_back(said("no_caches", "not modeled", "L1, L2, DRAM and time (--caches off, or nothing to model)",
                            RowSource::kModelled));
    if (tally.in_part != 0) {
        Row row = said("replayed", "sampled in time",
                       of_launches(tally.in_part, tally.observed) +
                           " are repetitive: the cache simulation ran part of their requests, and the rest is "
                           "extrapolated from identical work",
                       RowSource::kModelled);
        row.values = {{"replayed", tally.least_replayed, Unit::kShare, {}, "at least", "of the requests"}};
        rows.push_back(std::move(row));
    }
    if (tally.modelled != 0 && tally.timed < tally.modelled)
        rows.push_back(
            said("no_time", "no time",
                 of_launches(tally.modelled - tally.timed, tally.modelled) +
                     " have none: the device file lacks figures, or the launch uses features without a time model",
                 RowSource::kModelled));
}

void add_device(const DeviceSheet& device, std::vector<Row>& rows) {
    std::size_t all = 0;
    for (const FigureShare& share : device.figures) all += share.figures;
    if (all == 0) return;
    Row row{.kind = RowKind::kList, .key = "card", .label = "the " + gpu_name(printable(device.name))};
    row.text = "sources of its " + thousands(all) + " figures:";
    row.source = RowSource::kModelled;
    for (const FigureShare& share : device.figures)
        row.values.push_back(
            {"figures", std::uint64_t{share.figures}, Unit::kNone, {}, "", share.kind + ": " + share.means});
    rows.push_back(std::move(row));
}

// The only devices whose special function unit was compared with tilescope's.
constexpr std::string_view kComparedCapability = "9.0";

void add_approximate_functions(const DeviceSheet& device, const LaunchTally& tally, std::vector<Row>& rows) {
    if (tally.special == 0 || device.compute == kComparedCapability) return;
    rows.push_back(said("approximate_functions", "assumed",
                        of_launches(tally.special, tally.observed) +
                            " used the special function unit: approximate functions (__sinf, rsqrtf, ...) give an "
                            "H200's bits, as those of the " +
                            printable(device.name) + " are not known",
                        RowSource::kModelled));
}

void add_checks(const Profile& profile, std::vector<Row>& rows) {
    std::string looked, left;
    for (const auto& row : kNames<Check>) {
        const bool is_checked =
            std::find(profile.checks.begin(), profile.checks.end(), row.value) != profile.checks.end();
        std::string& names = is_checked ? looked : left;
        names += (names.empty() ? "" : ", ") + std::string(row.name);
    }
    if (!looked.empty()) rows.push_back(said("checked", "checked", looked, RowSource::kCounted));
    if (profile.checked && profile.checked->is_auto)
        rows.push_back(said("host_not_checked", "not checked",
                            "host accesses to memory that running kernels or copies use (--check streams)",
                            RowSource::kCounted));
    if (profile.checked && profile.checked->in_part != 0)
        rows.push_back(
            said("checked_in_part", "in part",
                 "races and init: the first blocks of " +
                     of_launches(profile.checked->in_part, profile.checked->launches + profile.checked->in_part) +
                     ", to limit the run time (--check auto)",
                 RowSource::kCounted));
    if (!left.empty())
        rows.push_back(said("not_checked", "not checked", left + " (use --check all)", RowSource::kCounted));
    if (profile.suppressed != 0)
        rows.push_back(said("suppressed", "suppressed",
                            counted(profile.suppressed, "hazard") + ", by --suppress or comments in the source",
                            RowSource::kCounted));
}

// What did not run, and what was told on the way.
void add_refusals(const Profile& profile, std::vector<Row>& rows) {
    // geometry: a screenful
    constexpr std::size_t kShown = 20;
    if (profile.unfinished)
        rows.push_back(said("unfinished", "not counted",
                            "launch " + std::to_string(profile.unfinished->index) + ", " +
                                printable(profile.unfinished->kernel) + ", was running when the program ended",
                            RowSource::kCounted));
    std::size_t told = 0;
    for (const Diagnostic& diagnostic : profile.diagnostics) {
        if (++told > kShown) break;
        const bool is_error = diagnostic.severity == Severity::kError;
        Row row =
            said(is_error ? "refused" : "note", is_error ? "unsupported" : std::string(name_of(diagnostic.severity)),
                 printable(diagnostic.message), RowSource::kCounted);
        row.remedy = printable(diagnostic.hint);
        if (diagnostic.location.line != 0) row.places = {{diagnostic.location.file, diagnostic.location.line}};
        rows.push_back(std::move(row));
    }
    if (profile.timeline_totals && profile.timeline_totals->until)
        rows.push_back(
            said("time_line", "timeline",
                 "ends before launch " + std::to_string(*profile.timeline_totals->until) + ", whose time is not known",
                 RowSource::kModelled));
}

}  // namespace

std::vector<Row> trust_rows(const Profile& profile, const DeviceSheet* device) {
    const LaunchTally tally = tally_of(profile);
    std::vector<Row> rows;
    add_counts(tally, rows);
    add_models(profile, tally, rows);
    if (device != nullptr && tally.modelled != 0) add_device(*device, rows);
    if (device != nullptr) add_approximate_functions(*device, tally, rows);
    add_checks(profile, rows);
    add_refusals(profile, rows);
    return rows;
}

}  // namespace tilescope::views
