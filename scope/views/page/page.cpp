#include "scope/views/page/page.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "scope/base/safe_text.h"
#include "scope/models/device.h"
#include "scope/models/device_sheets.h"
#include "scope/report/format.h"
#include "scope/views/document/comparison.h"
#include "scope/views/page/compared_json.h"
#include "scope/views/page/json_tools.h"
#include "scope/views/page/lists_json.h"
#include "scope/views/page/page_limits.h"
#include "scope/views/page/run_json.h"
#include "scope/views/render/comparison_data.h"
#include "scope/views/render/document_json.h"

namespace tilescope::views {

using namespace report;
namespace page {
namespace {

// The device of a profile: as it was given, or by its name; a profile may be anybody's, so no file is looked for.
std::optional<models::Device> device_of(const Profile& profile, const ViewOptions& options) {
    if (options.device != nullptr && options.device->name == profile.device) return *options.device;
    const std::vector<std::string> names = models::device_names();
    if (std::find(names.begin(), names.end(), profile.device) == names.end()) return {};
    const auto device = models::load_device(profile.device);
    return device ? std::optional(*device) : std::nullopt;
}

Json frame(const char* kind, const ViewOptions& options, std::string title) {
    return {{"schema", 1},
            {"kind", kind},
            {"tool", {{"name", "tilescope"}, {"version", options.tool_version}}},
            {"title", std::move(title)},
            {"left_out", Json::array()}};
}

void add_lists(Json& json) {
    static const Json kFigures = figures_list(), kGlossary = glossary_list();
    json["figures"] = kFigures;
    json["glossary"] = kGlossary;
    json["time_parts"] = time_parts_list();
    json["stalls"] = stalls_list();
}

// A run, and the devices beside it.
void add_run(const PageSource& source, const ViewOptions& options, const PageLimits& limits, LeftOut& left,
             Json& json) {
    const PageRun run = page_run(source, options, limits, left);
    const auto own = device_of(source.whole, options);
    const DeviceSheets sheets =
        models::device_sheets(source.counted, run.kept, own ? &*own : nullptr, {.launches = limits.device_launches});
    if (run.kept.launches.size() > limits.device_launches)
        left.add("more kernels, which are shown on the device that was modeled alone",
                 run.kept.launches.size() - limits.device_launches);
    json["run"] = run_json(run, options, sheets.knows_own ? &sheets.devices.front() : nullptr, limits, left);
    cut_texts(json["run"], limits.text, left);
    json["devices"] = devices_json(sheets);
    cut_texts(json["devices"], limits.text, left);
    json["occupancy"] = tables_json(sheets);
}

Json report_json(const PageSource& source, const ViewOptions& options, const PageLimits& limits) {
    LeftOut left = source.left;
    Json json = frame("report", options, cut(printable(source.whole.program), limits.text));
    add_run(source, options, limits, left, json);
    add_lists(json);
    json["left_out"] = left.sentences();
    return json;
}

// `baseline`: the first side; null where there is none of its own.
Json compared_json(const Comparison& comparison, const PageSource& source, const PageSource* baseline,
                   const ViewOptions& options, const PageLimits& limits) {
    LeftOut left = source.left;
    const Comparison kept = kept_comparison(comparison, limits, left);
    const std::string before = printable(file_name(kept.before)), after = printable(file_name(kept.after));
    Json json = frame("compare", options, cut(before, limits.text) + " → " + cut(after, limits.text));
    add_run(source, options, limits, left, json);
    if (baseline != nullptr) {
        LeftOut before_left = baseline->left;
        const PageRun run = page_run(*baseline, options, limits, before_left);
        const auto own = device_of(baseline->whole, options);
        const DeviceSheets sheet =
            models::device_sheets(baseline->counted, run.kept, own ? &*own : nullptr, {.devices = 1, .launches = 0});
        json["baseline"] =
            run_json(run, options, sheet.knows_own ? &sheet.devices.front() : nullptr, limits, before_left);
        cut_texts(json["baseline"], limits.text, before_left);
        for (const std::string& sentence : before_left.sentences()) left.say(sentence + ", of " + before);
    }
    json["comparison"] = {{"before", before}, {"after", after}};
    json["comparison"]["data"] = comparison_data(kept);
    json["comparison"]["document"] = document_json(document_of(kept));
    cut_texts(json["comparison"], limits.text, left);
    add_lists(json);
    json["left_out"] = left.sentences();
    return json;
}

// What goes where even the last rung is too much, the largest part that is there first.
void drop_parts(Json& json, std::size_t most_bytes) {
    constexpr std::string_view kParts[] = {"/run/sources",
                                           "/baseline/sources",
                                           "/run/profile/timeline",
                                           "/baseline/profile/timeline",
                                           "/run/launches/rows",
                                           "/baseline/launches/rows",
                                           "/devices",
                                           "/run/kernels",
                                           "/baseline/kernels",
                                           "/comparison/data",
                                           "/baseline",
                                           "/run/profile/launches",
                                           "/comparison/document",
                                           "/run/document/sections",
                                           "/run/trust/rows",
                                           "/run/profile/hazards",
                                           "/run/profile/diagnostics",
                                           "/run/profile"};
    for (const std::string_view part : kParts) {
        if (script_text(json).size() <= most_bytes) return;
        const Json::json_pointer at{std::string(part)};
        if (!json.contains(at)) continue;
        json[at] = json[at].is_array() ? Json::array() : Json::object();
        json["left_out"].push_back("What belongs to " + std::string(part) + ": it is too long for a page");
    }
}

// The first rung that fits.
std::string fitting(const std::function<Json(const PageLimits&)>& build, std::size_t most_bytes) {
    for (const PageLimits& limits : kLadder) {
        Json json = build(limits);
        const bool is_last = &limits == &kLadder.back();
        if (is_last) drop_parts(json, most_bytes);
        std::string text = script_text(json);
        if (text.size() <= most_bytes || is_last) return text;
    }
    return {};
}

std::string in_template(const std::function<std::string(std::size_t)>& data) {
    constexpr std::string_view kBegin = R"(<script type="application/json" id="tilescope-data">)", kEnd = "</script>";
    const std::string& page = page_template();
    const std::size_t at = page.find(kDataMarker);
    const std::size_t around = page.size() - kDataMarker.size() + kBegin.size() + kEnd.size();
    std::string text = page.substr(0, at);
    text += kBegin;
    text += data(kMostBytes - std::min(kMostBytes, around));
    text += kEnd;
    return text + page.substr(at + kDataMarker.size());
}

}  // namespace

std::string report_data(const Profile& profile, const ViewOptions& options, std::size_t most_bytes) {
    const PageSource source = page_source(profile);
    return fitting([&](const PageLimits& limits) { return report_json(source, options, limits); }, most_bytes);
}

std::string comparison_data_text(const ComparedProfiles& compared, const ViewOptions& options, std::size_t most_bytes) {
    const PageSource before = page_source(compared.before);
    const bool has_both = compared.after != nullptr;
    const std::optional<PageSource> after = has_both ? std::optional(page_source(*compared.after)) : std::nullopt;
    return fitting(
        [&](const PageLimits& limits) {
            return compared_json(compared.comparison, has_both ? *after : before, has_both ? &before : nullptr, options,
                                 limits);
        },
        most_bytes);
}

}  // namespace page

std::string html_view(const Profile& profile, const ViewOptions& options) {
    return page::in_template([&](std::size_t most) { return page::report_data(profile, options, most); });
}

std::string comparison_page(const ComparedProfiles& compared, const ViewOptions& options) {
    return page::in_template([&](std::size_t most) { return page::comparison_data_text(compared, options, most); });
}

}  // namespace tilescope::views
