// A comparison as JSON for programs; as text and as Markdown it is a document like any other.
#include <optional>

#include "scope/report/enums.h"
#include "scope/views/document/comparison.h"
#include "scope/views/render/comparison_data.h"
#include "scope/views/render/comparison_view.h"

namespace tilescope::views {

using namespace report;
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of_presence(Presence presence) {
    return presence == Presence::kGone ? "gone" : presence == Presence::kNew ? "new" : "both";
}

std::string_view name_of_change(FigureChange change) {
    constexpr std::string_view kNames[] = {"same", "less", "more", "gone", "new"};
    return kNames[static_cast<std::size_t>(change)];
}

template <class Number>
Json optional_json(const std::optional<Number>& number) {
    return number ? Json(*number) : Json();
}

Json bound_json(const std::optional<TimeBound>& bound) { return bound ? Json(report::name_of(*bound)) : Json(); }

Json time_json(const ComparedTime& time, bool has_bounds) {
    Json json = {{"before", optional_json(time.before)}, {"after", optional_json(time.after)}};
    if (time.before && time.after) {
        json["change_microseconds"] = *time.after - *time.before;
        json["ratio"] = *time.before > 0 ? Json(*time.after / *time.before) : Json();
    }
    if (has_bounds) {
        json["bound_before"] = bound_json(time.bound_before);
        json["bound_after"] = bound_json(time.bound_after);
    }
    return json;
}

Json finding_json(const ComparedFinding& finding, const char* amount) {
    Json json = {{"kind", finding.kind}, {"presence", name_of_presence(finding.presence)}};
    if (!finding.file.empty()) json["file"] = finding.file;
    if (!finding.file_before.empty()) json["file_before"] = finding.file_before;
    if (finding.line_before != 0) json["line_before"] = finding.line_before;
    if (finding.line_after != 0) json["line_after"] = finding.line_after;
    json[std::string(amount) + "_before"] = optional_json(finding.before);
    json[std::string(amount) + "_after"] = optional_json(finding.after);
    if (!finding.message.empty()) json["message"] = finding.message;
    return json;
}

void add_not_compared(const NotCompared& hazards, Json& json) {
    if (hazards.is_any()) json["hazards_not_compared"] = {{"before", hazards.before}, {"after", hazards.after}};
}

Json findings_json(const std::vector<ComparedFinding>& findings, const char* amount) {
    Json json = Json::array();
    for (const ComparedFinding& finding : findings) json.push_back(finding_json(finding, amount));
    return json;
}

Json line_json(const ComparedLine& line) {
    Json json = {{"file", line.file}, {"presence", name_of_presence(line.presence())}};
    if (!line.file_before.empty()) json["file_before"] = line.file_before;
    if (line.before != 0) json["line_before"] = line.before, json["bytes_before"] = line.bytes_before;
    if (line.after != 0) json["line_after"] = line.after, json["bytes_after"] = line.bytes_after;
    return json;
}

Json kernel_json(const ComparedKernel& kernel) {
    Json json = {{"kernel", kernel.kernel}, {"presence", name_of_presence(kernel.presence())}};
    if (!kernel.other_kernel.empty()) json["other_kernel"] = kernel.other_kernel;
    json["launches_before"] = kernel.launches_before;
    json["launches_after"] = kernel.launches_after;
    json["hazards_before"] = kernel.hazards_before;
    json["hazards_after"] = kernel.hazards_after;
    json["advice_before"] = kernel.advice_before;
    json["advice_after"] = kernel.advice_after;
    if (kernel.time.is_known()) json["time"] = time_json(kernel.time, true);
    return json;
}

Json figure_json(const ComparedFigure& figure) {
    Json json = {{"name", figure.name}, {"unit", figure.unit}};
    json["before"] = optional_json(figure.before);
    json["after"] = optional_json(figure.after);
    json["equal"] = figure.equal();
    json["change"] = name_of_change(figure.change());
    if (!figure.origin.empty()) json["origin"] = figure.origin;
    return json;
}

Json launch_json(const ComparedLaunch& launch) {
    Json one = {{"kernel", launch.kernel}};
    if (!launch.other_kernel.empty()) one["other_kernel"] = launch.other_kernel;
    one["before"] = launch.before;
    one["after"] = launch.after;
    if (launch.grid_before) {
        one["grid_before"] = *launch.grid_before, one["grid_after"] = *launch.grid_after;
        one["block_before"] = *launch.block_before, one["block_after"] = *launch.block_after;
    }
    if (launch.time.is_known()) one["time"] = time_json(launch.time, true);
    one["figures"] = Json::array();
    for (const ComparedFigure& figure : launch.figures) one["figures"].push_back(figure_json(figure));
    one["lines"] = Json::array();
    for (const ComparedLine& line : launch.lines) one["lines"].push_back(line_json(line));
    one["hazards"] = findings_json(launch.hazards, "count");
    one["advice"] = findings_json(launch.advice, "saves_microseconds");
    add_not_compared(launch.hazards_not_compared, one);
    return one;
}

}  // namespace

std::string comparison_text(const Comparison& comparison, const ViewOptions& options) {
    return document_text(document_of(comparison), options);
}

std::string comparison_markdown(const Comparison& comparison) { return document_markdown(document_of(comparison)); }

nlohmann::ordered_json comparison_data(const Comparison& comparison) {
    Json json = {{"before", comparison.before}, {"after", comparison.after}};
    if (!comparison.device_before.empty()) {
        json["device_before"] = comparison.device_before;
        json["device_after"] = comparison.device_after;
    }
    json["program"] = Json::object();
    for (const NamedTime& named : comparison.program)
        json["program"][std::string(named.name)] = time_json(named.time, false);
    json["kernels"] = Json::array();
    for (const ComparedKernel& kernel : comparison.kernels) json["kernels"].push_back(kernel_json(kernel));
    json["launches"] = Json::array();
    for (const ComparedLaunch& launch : comparison.launches) json["launches"].push_back(launch_json(launch));
    json["only_before"] = comparison.only_before;
    json["only_after"] = comparison.only_after;
    json["hazards"] = findings_json(comparison.hazards, "count");
    json["advice"] = findings_json(comparison.advice, "saves_microseconds");
    add_not_compared(comparison.hazards_not_compared, json);
    return json;
}

std::string comparison_json(const Comparison& comparison) {
    return comparison_data(comparison).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilescope::views
