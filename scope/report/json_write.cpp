// Profile to JSON.
#include <nlohmann/json.hpp>

#include "scope/report/json.h"
#include "scope/report/json_names.h"
#include "scope/report/json_occupancy.h"
#include "scope/report/json_parts.h"
#include "scope/report/json_phases.h"
#include "scope/report/json_roofline.h"
#include "scope/report/json_tiling.h"
#include "scope/report/ratios.h"

namespace tilescope::report {
namespace {

using Json = nlohmann::ordered_json;

enum class Zeros : bool { kDrop, kKeep };

Json counters_json(const CounterSet& counters, Zeros zeros) {
    Json json = Json::object();
    // Put at the end without a look at the others, as [] would do: no two names are the same.
    auto& members = json.get_ref<Json::object_t&>();
    for (std::size_t i = 0; i < kCounterCount; ++i)
        if (zeros == Zeros::kKeep || counters.values[i] != 0)
            members.Json::object_t::Container::emplace_back(std::string(info(static_cast<Counter>(i)).name),
                                                            counters.values[i]);
    return json;
}

}  // namespace

Json hazard_json(const Hazard& hazard) {
    Json json = {{"kind", hazard.kind}, {"space", hazard.space}};
    if (!hazard.order.empty()) json["order"] = hazard.order;
    json["file"] = hazard.file;
    json["line"] = hazard.line;
    if (!hazard.other_file.empty() || hazard.other_line != 0) {
        json["other_file"] = hazard.other_file;
        json["other_line"] = hazard.other_line;
    }
    json["count"] = hazard.count;
    if (hazard.is_warning) json["warning"] = true;
    json["block"] = hazard.block;
    json["thread"] = hazard.thread;
    json["kernel"] = hazard.kernel;
    json["message"] = hazard.message;
    return json;
}

namespace {

Json hazards_json(const std::vector<Hazard>& hazards) {
    Json json = Json::array();
    for (const Hazard& hazard : hazards) json.push_back(hazard_json(hazard));
    return json;
}

Json intensity_json(const CounterSet& counters) {
    Json json = {{"flop", flop(counters)}, {"requested_bytes", requested_bytes(counters)}};
    if (const auto requested = ratio_by_name("intensity")->value(counters)) json["requested"] = *requested;
    return json;
}

Json lines_json(const std::vector<LineProfile>& lines) {
    Json json = Json::array();
    for (const LineProfile& line : lines) {
        json.push_back(
            {{"file", line.file}, {"line", line.line}, {"counters", counters_json(line.counters, Zeros::kDrop)}});
        if (line.tiling) json.back()["tiling"] = tiling_json(*line.tiling);
        if (!line.shared_variable.empty()) json.back()["shared_variable"] = line.shared_variable;
    }
    return json;
}

Json variables_json(const std::vector<Variable>& variables) {
    Json json = Json::array();
    for (const Variable& v : variables) {
        json.push_back({{"name", v.name},
                        {"space", v.space},
                        {"bytes", v.bytes},
                        {"versions", v.versions},
                        {"scope", v.scope},
                        {"lifetime", v.lifetime}});
        if (!v.extents.empty()) json.back()["extents"] = v.extents;
    }
    return json;
}

Json advice_json(const std::vector<Advice>& advice) {
    Json json = Json::array();
    for (const Advice& a : advice)
        json.push_back({{"rule", a.rule},
                        {"file", a.file},
                        {"line", a.line},
                        {"saves_bytes", a.saves_bytes},
                        {"speedup", a.speedup},
                        {"message", a.message}});
    return json;
}

}  // namespace

Json launch_json(const LaunchProfile& launch, bool with_times) {
    Json json = {{"index", launch.index},
                 {"kernel", launch.kernel},
                 {"entry", launch.entry},
                 {"grid", launch.grid},
                 {"block", launch.block},
                 {"static_shared_bytes", launch.static_shared_bytes},
                 {"dynamic_shared_bytes", launch.dynamic_shared_bytes},
                 {"local_bytes_per_thread", launch.local_bytes_per_thread},
                 {"registers_per_thread", launch.registers_per_thread},
                 {"registers_from", name_of(launch.registers_from)},
                 {"spill_store_bytes", launch.spill_store_bytes},
                 {"spill_load_bytes", launch.spill_load_bytes},
                 {"blocks_run", launch.blocks_run},
                 {"sampled", launch.sampled},
                 {"stream", launch.stream}};
    if (!launch.observed) json["observed"] = false;
    if (launch.folded != 1) {
        json["folded"] = launch.folded;
        json["folded_shapes"] = launch.folded_shapes;
    }
    json["counters"] = launch.observed ? counters_json(launch.counters, Zeros::kKeep) : Json::object();
    if (launch.observed) json["intensity"] = intensity_json(launch.counters);
    if (launch.blocks_per_sm != 0) json["occupancy"] = occupancy_json(launch);
    if (launch.roofline) json["roofline"] = roofline_json(*launch.roofline);
    if (launch.tiling) json["tiling"] = launch_tiling_json(launch);
    if (launch.threads_meet) json["threads_meet"] = *launch.threads_meet;
    if (with_times) json["seconds"] = launch.seconds;
    if (!launch.variables.empty()) json["variables"] = variables_json(launch.variables);
    json["lines"] = lines_json(launch.lines);
    json["hazards"] = hazards_json(launch.hazards);
    // An empty list says that nothing is worth advice; no list, that nobody looked.
    if (launch.tiling || !launch.advice.empty()) json["advice"] = advice_json(launch.advice);
    return json;
}

Json diagnostic_json(const Diagnostic& d) {
    return {
        {"severity", name_of(d.severity)}, {"code", d.code},       {"file", d.location.file}, {"line", d.location.line},
        {"column", d.location.column},     {"message", d.message}, {"hint", d.hint}};
}

Json failed_call_json(const FailedCall& failed) {
    Json json = {{"call", failed.call}, {"error", failed.error}, {"reason", failed.reason}};
    if (!failed.kernel.empty()) json["kernel"] = failed.kernel;
    if (failed.line != 0) {
        json["file"] = failed.file;
        json["line"] = failed.line;
    }
    json["count"] = failed.count;
    json["unread"] = failed.unread;
    return json;
}

Json unfinished_json(const UnfinishedLaunch& launch) {
    return {{"index", launch.index}, {"kernel", launch.kernel}, {"grid", launch.grid}, {"block", launch.block}};
}

std::string to_json(const Profile& profile, bool with_times) {
    Json json = {{"schema", profile.schema},     {"tilescope", profile.tilescope_version},
                 {"device", profile.device},     {"program", profile.program},
                 {"compiler", profile.compiler}, {"outcome", name_of(profile.outcome)}};
    if (!profile.ended.empty()) json["ended"] = profile.ended;
    if (with_times) {
        json["jobs"] = profile.jobs;
        json["seconds"] = profile.seconds;
    }
    json["launches"] = Json::array();
    for (const LaunchProfile& launch : profile.launches) json["launches"].push_back(launch_json(launch, with_times));
    if (profile.unfinished) json["unfinished"] = unfinished_json(*profile.unfinished);
    json["hazards"] = hazards_json(profile.hazards);
    for (const FailedCall& failed : profile.failed_calls) json["failed_calls"].push_back(failed_call_json(failed));
    if (profile.trace) json["trace"] = phases_json(*profile.trace);
    for (const Diagnostic& diagnostic : profile.diagnostics) json["diagnostics"].push_back(diagnostic_json(diagnostic));
    // Names of files may be any bytes; what is not UTF-8 becomes U+FFFD rather than an exception.
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilescope::report
