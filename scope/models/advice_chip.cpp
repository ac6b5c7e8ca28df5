// Rules about what stays on the SM: banks, constants, shared memory without a use, barriers.
#include <algorithm>

#include "scope/models/advice_rules.h"
#include "scope/report/format.h"
#include "scope/report/ratios.h"

namespace tilescope::models {
namespace {

using C = Counter;
using report::per_request;
using report::thousands;

// Shared memory as good as unused: a tenth of a byte's repetitions is what edges of tiles come to.
constexpr double kNoReuse = 1.1;
// Below a twentieth of the launch's traffic, taking shared memory out changes nothing.
constexpr double kLeastShare = 0.05;

std::uint64_t shared_requests(const CounterSet& c) {
    return c[C::kSharedLoadRequests] + c[C::kSharedStoreRequests] + c[C::kSharedAtomicRequests];
}

// The shared array that a line's conflicts lie in: the one that was noted, or the only one there is.
const Variable* array_of(const LaunchProfile& launch, const LineProfile& line) {
    const Variable* only = nullptr;
    std::size_t arrays = 0;
    for (const Variable& variable : launch.variables) {
        constexpr std::uint64_t kScalar = 8;
        if (variable.space != VariableSpace::kShared || variable.bytes <= kScalar) continue;
        if (!line.shared_variable.empty() && variable.name == line.shared_variable) return &variable;
        only = &variable;
        ++arrays;
    }
    return arrays == 1 ? only : nullptr;
}

// How to shift an array's elements apart. An array of rows gets longer rows; one without rows, or of open size, an
// element left out after every 32 words.
std::string padding_of(const Variable* array, double element_bytes) {
    const std::string name = array == nullptr ? "the array" : array->name;
    if (array != nullptr && array->extents.size() > 1) {
        std::string rows, longer;
        for (std::size_t i = 0; i < array->extents.size(); ++i) {
            const bool last = i + 1 == array->extents.size();
            rows += "[" + std::to_string(array->extents[i]) + "]";
            longer += "[" + std::to_string(array->extents[i] + (last ? 1 : 0)) + "]";
        }
        return "make the rows of " + name + " one element longer, " + longer + " instead of " + rows;
    }
    const std::string row = std::to_string(
        static_cast<std::uint64_t>(kWavefrontBytes / std::max(4.0, std::min(element_bytes, kWavefrontBytes))));
    std::string text =
        "leave an element of " + name + " out after every " + row + ": index it by i + i / " + row + " instead of i";
    if (array == nullptr) text += ", or make its rows one element longer, [T][T + 1] instead of [T][T]";
    return text;
}

}  // namespace

std::vector<Finding> find_bank_conflicts(const Case& about) {
    // Padding that leaves more than half of the conflicts is no remedy.
    constexpr double kRemedy = 0.5;
    std::vector<Finding> findings;
    for (const LineProfile& line : about.lines) {
        const CounterSet& c = line.counters;
        const std::uint64_t loads = c[C::kSharedLoadBankConflicts], stores = c[C::kSharedStoreBankConflicts];
        if (loads + stores == 0) continue;
        const bool is_load = loads >= stores;
        const double requests = as_double(c[is_load ? C::kSharedLoadRequests : C::kSharedStoreRequests]);
        const std::uint64_t left = c[C::kSharedConflictsIfPadded];
        if (as_double(left) > kRemedy * as_double(loads + stores)) continue;
        const double asked = as_double(c[is_load ? C::kSharedLoadBytesRequested : C::kSharedStoreBytesRequested]);
        const double lanes = requests * about.device.warp_size;
        const double passes = as_double(c[is_load ? C::kSharedLoadWavefronts : C::kSharedStoreWavefronts]);
        if (requests == 0) continue;
        Finding finding{line.file, line.line, kWavefrontBytes * as_double(loads + stores - left), about.work};
        finding.after.wavefronts -= as_double(loads + stores - left);
        finding.message = std::string("shared ") + (is_load ? "loads" : "stores") + " take " +
                          per_request(passes / requests) + " passes through the banks where " +
                          per_request((passes - as_double(is_load ? loads : stores)) / requests) +
                          " would do, for lanes ask one bank for different words: " +
                          padding_of(array_of(about.launch, line), asked / lanes);
        findings.push_back(std::move(finding));
    }
    return findings;
}

std::vector<Finding> find_constant_divergence(const Case& about) {
    std::vector<Finding> findings;
    for (const LineProfile& line : about.lines) {
        const std::uint64_t requests = line.counters[C::kConstantRequests], passes = line.counters[C::kConstantPasses];
        if (passes <= requests || requests == 0) continue;
        constexpr double kWord = 4;  // what a pass brings to the lanes that want it
        const double extra = as_double(passes - requests);
        Finding finding{line.file, line.line, kWord * extra, about.work};
        finding.after.constant_passes -= extra;
        finding.message = "a warp reads " + per_request(as_double(passes) / as_double(requests)) +
                          " addresses of constant memory at once and gets them one after another: keep a table that "
                          "lanes index differently in shared or global memory";
        findings.push_back(std::move(finding));
    }
    return findings;
}

// Shared memory pays when it replaces repeated loads or carries bytes from one thread to another. Where the observer
// saw neither, it is a detour. Not so a thread's own array with an index known at run time only, which no register can
// hold, nor what cp.async brings ahead of its use.
std::vector<Finding> find_no_reuse(const Case& about) {
    const LaunchProfile& launch = about.launch;
    if (!launch.tiling || shared_requests(launch.counters) == 0 || launch.shared_reuse.empty()) return {};
    if (launch.tiling->potential() >= kNoReuse || about[C::kAsyncCopyInstructions] != 0) return {};
    for (const SharedReuse& variable : launch.shared_reuse)
        if (variable.read_by_others_bytes != 0 || variable.indexed_at_run_time) return {};
    const double bytes = kWavefrontBytes * about.work.wavefronts;
    if (bytes < kLeastShare * as_double(report::traffic_bytes(launch.counters))) return {};
    Finding finding;
    const LineProfile* place = line_of_most(about, C::kSharedLoadRequests);
    if (place == nullptr) place = line_of_most(about, C::kSharedStoreRequests);
    if (place != nullptr) {
        finding.file = place->file;
        finding.line = place->line;
    }
    finding.saves_bytes = bytes;
    finding.after = about.work;
    finding.is_effort = true;
    finding.message =
        std::string("shared memory cannot help here: ") + (launch.tiling->potential() == 1 ? "no" : "hardly any") +
        " byte is asked for twice by a block, and no thread reads what another put there; keep the values in registers";
    if (about[C::kBarriers] != 0) finding.message += ", and the barriers that guard it go with it";
    return {finding};
}

std::vector<Finding> find_redundant_barriers(const Case& about) {
    const std::uint64_t barriers = about[C::kBarriers];
    if (barriers == 0 || about.launch.threads_meet.value_or(true)) return {};
    Finding finding;
    if (const LineProfile* place = line_of_most(about, C::kBarriers)) {
        finding.file = place->file;
        finding.line = place->line;
    }
    finding.after = about.work;
    finding.is_effort = true;
    finding.message = "warps wait at barriers " + thousands(barriers) +
                      " times, but no thread uses what another one of its block wrote, in shared or in global memory: "
                      "leave them out";
    return {finding};
}

}  // namespace tilescope::models
