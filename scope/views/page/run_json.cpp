#include "scope/views/page/run_json.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "scope/models/verdicts.h"
#include "scope/report/format.h"
#include "scope/report/json_parts.h"
#include "scope/report/json_writer.h"
#include "scope/views/document/groups.h"
#include "scope/views/document/trust.h"
#include "scope/views/page/kept_profile.h"
#include "scope/views/page/kernel_json.h"
#include "scope/views/page/sources_json.h"
#include "scope/views/render/document_json.h"

namespace tilescope::views::page {

using namespace report;
namespace {

// By the place of its kernel among those that are shown: of each launch of the program the entry that stands for it.
class Entries {
public:
    explicit Entries(const PageRun& run) : is_folded_(run.source.is_folded) {
        for (std::size_t i = 0; i < run.kept.launches.size(); ++i) {
            const LaunchProfile& launch = run.kept.launches[i];
            by_kernel_.emplace(std::tuple(launch.entry, launch.kernel), i);
            by_index_.emplace(launch.index, i);
        }
        std::optional<std::size_t> group;
        const LaunchProfile* before = nullptr;
        const LaunchList& all = run.source.whole.launches;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const LaunchProfile& launch = all[i];
            const std::uint32_t index = all.marks(i).index;
            if (!launch.observed) continue;
            if (const auto found = by_index_.find(index); found != by_index_.end())
                group = found->second;
            else if (before != nullptr && !(before->entry == launch.entry && before->kernel == launch.kernel))
                group.reset();
            if (group) of_launch_.emplace(index, *group);
            before = &launch;
        }
    }

    std::optional<std::size_t> of(const LaunchProfile& launch, std::uint32_t index) const {
        if (!launch.observed) return {};
        if (is_folded_) {
            const auto found = by_kernel_.find(std::tuple(launch.entry, launch.kernel));
            return found == by_kernel_.end() ? std::nullopt : std::optional(found->second);
        }
        const auto found = of_launch_.find(index);
        return found == of_launch_.end() ? std::nullopt : std::optional(found->second);
    }

private:
    bool is_folded_;
    std::map<std::tuple<std::string, std::string>, std::size_t> by_kernel_;
    std::map<std::uint32_t, std::size_t> by_index_, of_launch_;
};

Json launch_list(const PageRun& run, const PageLimits& limits, LeftOut& left) {
    Json json = {{"total", run.source.whole.launches.size()}, {"kernels", Json::array()}, {"rows", Json::array()}};
    const Entries entries(run);
    std::map<std::string, std::size_t> names;
    const LaunchList& all = run.source.whole.launches;
    for (std::size_t i = 0; i < std::min(all.size(), limits.launch_rows); ++i) {
        const LaunchProfile& launch = all[i];
        const std::uint32_t index = all.marks(i).index;
        const auto [name, is_new] = names.try_emplace(launch.kernel, names.size());
        if (is_new) json["kernels"].push_back(launch.kernel);
        Json row = {{"index", index}, {"kernel", name->second}};
        if (const auto entry = entries.of(launch, index)) row["entry"] = *entry;
        row["grid"] = launch.grid;
        row["block"] = launch.block;
        if (launch.stream != 0) row["stream"] = launch.stream;
        if (launch.folded != 1) row["folded"] = launch.folded;
        if (!launch.observed) row["observed"] = false;
        if (launch.time) {
            row["microseconds"] = rounded(launch.time->microseconds);
            row["bound"] = name_of(launch.time->bound);
        }
        json["rows"].push_back(std::move(row));
    }
    if (run.source.whole.launches.size() > limits.launch_rows)
        left.add("more launches, which the list of all launches does not name",
                 run.source.whole.launches.size() - limits.launch_rows);
    return json;
}

// Those of these numbers, each by itself.
LaunchList launches_of(const LaunchList& all, const std::set<std::uint32_t>& numbers) {
    LaunchList some;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::uint32_t index = all.marks(i).index;
        if (numbers.count(index) == 0) continue;
        some.push_back(all[i]);
        some.back().index = index;
    }
    return some;
}

Json program_json(const Profile& profile) {
    const auto parts = models::program_parts(profile);
    if (!parts) return {};
    Json json = {{"microseconds", rounded(profile.timeline_totals->microseconds)}, {"parts", Json::array()}};
    for (const models::ProgramPart& part : *parts)
        json["parts"].push_back({{"name", models::name_of(part.what)}, {"microseconds", rounded(part.microseconds)}});
    json["hidden"] = rounded(profile.timeline_totals->hidden);
    return json;
}

Json profile_json(const Profile& profile, const PageLimits& limits, LeftOut& left) {
    Json json = JsonWriter::object(profile, /*with_times=*/false);
    for (std::size_t i = 0; i < profile.launches.size(); ++i) {
        Json launch = JsonWriter::object(profile.launches[i], /*with_times=*/false);
        launch["index"] = profile.launches.marks(i).index;
        for (Json& line : launch["lines"]) line.erase("pictures");  // its kernel has them
        json["launches"].push_back(std::move(launch));
    }
    json.erase("profiler_names");  // the page's list of figures has them
    json.erase("stall_reasons");
    if (json.contains("trace") &&
        json["trace"].dump(-1, ' ', false, Json::error_handler_t::replace).size() > limits.phase_bytes) {
        json.erase("trace");
        left.say("The table of phases is too long for a page; `tilescope trace` shows it");
    }
    return json;
}

}  // namespace

PageRun page_run(const PageSource& source, const ViewOptions& options, const PageLimits& limits, LeftOut& left) {
    PageRun run{source, kept_profile(source, limits, left), {}};
    DocumentOptions document = options.document();
    document.every_launch = false;
    run.document = document_of(run.kept, document);
    std::set<std::uint32_t> shown;
    for (const Section& section : run.document.sections)
        if (section.launch) shown.insert(*section.launch);
    run.kept.launches = launches_of(run.kept.launches, shown);
    keep_lines(run.kept, run.kept.launches.size(), limits, left);
    keep_code(run.kept, limits, left);
    return run;
}

Json run_json(const PageRun& run, const ViewOptions& options, const DeviceSheet* sheet, const PageLimits& limits,
              LeftOut& left) {
    Json json = {{"profile", profile_json(run.kept, limits, left)}, {"document", document_json(run.document)}};
    json["launches"] = launch_list(run, limits, left);
    if (Json program = program_json(run.source.whole); !program.is_null()) json["program"] = std::move(program);
    json["kernels"] = Json::array();
    for (const LaunchProfile& launch : run.kept.launches) json["kernels"].push_back(kernel_json(launch, limits));
    json["sources"] = sources_json(run.kept, options.source_directories, limits, left);
    if (const std::uint64_t more = left.count_of(kMoreHazards) + left.count_of(kMoreHostHazards); more != 0)
        json["more_hazards"] = more;
    json["trust"] = {{"rows", rows_json(trust_rows(run.source.whole, sheet))}};
    return json;
}

}  // namespace tilescope::views::page
