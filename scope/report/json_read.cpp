// JSON to Profile. The text may come from anywhere, so every type is checked and errors name the key.
#include <nlohmann/json.hpp>

#include "scope/report/json.h"
#include "scope/report/json_names.h"
#include "scope/report/json_occupancy.h"
#include "scope/report/json_parts.h"
#include "scope/report/json_phases.h"
#include "scope/report/json_reader.h"
#include "scope/report/json_roofline.h"
#include "scope/report/json_tiling.h"

namespace tilescope::report {
namespace {

using Json = nlohmann::json;

void read_counters(Reader& reader, const Json& parent, const std::string& path, CounterSet& into) {
    const Json* json = reader.object(parent, path, "counters");
    if (json == nullptr) return;
    for (auto it = json->begin(); it != json->end(); ++it)
        if (const auto counter = counter_by_name(it.key()))
            reader.integer(it.value(), path + "counters." + it.key(), into[*counter]);
}

}  // namespace

Hazard read_hazard(Reader& reader, const Json& json, const std::string& path) {
    Hazard hazard;
    reader.text(json, path, "kind", hazard.kind);
    reader.text(json, path, "space", hazard.space);
    reader.text(json, path, "order", hazard.order);
    reader.text(json, path, "file", hazard.file);
    reader.integer(json, path, "line", hazard.line);
    reader.text(json, path, "other_file", hazard.other_file);
    reader.integer(json, path, "other_line", hazard.other_line);
    reader.integer(json, path, "count", hazard.count);
    reader.boolean(json, path, "warning", hazard.is_warning);
    reader.dim3(json, path, "block", hazard.block);
    reader.dim3(json, path, "thread", hazard.thread);
    reader.text(json, path, "kernel", hazard.kernel);
    reader.text(json, path, "message", hazard.message);
    return hazard;
}

namespace {

void read_hazards(Reader& reader, const Json& parent, const std::string& path, std::vector<Hazard>& into) {
    reader.list(parent, path, "hazards",
                [&](const Json& item, const std::string& where) { into.push_back(read_hazard(reader, item, where)); });
}

Variable read_variable(Reader& reader, const Json& json, const std::string& path) {
    Variable variable;
    reader.text(json, path, "name", variable.name);
    reader.text(json, path, "space", variable.space);
    reader.integer(json, path, "bytes", variable.bytes);
    reader.integer(json, path, "versions", variable.versions);
    reader.text(json, path, "scope", variable.scope);
    reader.text(json, path, "lifetime", variable.lifetime);
    reader.integers(json, path, "extents", variable.extents);
    return variable;
}

Advice read_advice(Reader& reader, const Json& json, const std::string& path) {
    Advice advice;
    reader.text(json, path, "rule", advice.rule);
    reader.text(json, path, "file", advice.file);
    reader.integer(json, path, "line", advice.line);
    reader.integer(json, path, "saves_bytes", advice.saves_bytes);
    reader.number(json, path, "speedup", advice.speedup);
    reader.text(json, path, "message", advice.message);
    return advice;
}

}  // namespace

LaunchProfile read_launch(Reader& reader, const Json& json, const std::string& path) {
    LaunchProfile launch;
    reader.integer(json, path, "index", launch.index);
    reader.text(json, path, "kernel", launch.kernel);
    reader.text(json, path, "entry", launch.entry);
    reader.dim3(json, path, "grid", launch.grid);
    reader.dim3(json, path, "block", launch.block);
    reader.integer(json, path, "static_shared_bytes", launch.static_shared_bytes);
    reader.integer(json, path, "dynamic_shared_bytes", launch.dynamic_shared_bytes);
    reader.integer(json, path, "local_bytes_per_thread", launch.local_bytes_per_thread);
    reader.integer(json, path, "registers_per_thread", launch.registers_per_thread);
    reader.named(json, path, "registers_from", registers_from_by_name, launch.registers_from);
    reader.integer(json, path, "spill_store_bytes", launch.spill_store_bytes);
    reader.integer(json, path, "spill_load_bytes", launch.spill_load_bytes);
    reader.integer(json, path, "blocks_run", launch.blocks_run);
    reader.boolean(json, path, "sampled", launch.sampled);
    reader.boolean(json, path, "observed", launch.observed);
    reader.integer(json, path, "folded", launch.folded);
    reader.integer(json, path, "folded_shapes", launch.folded_shapes);
    reader.integer(json, path, "stream", launch.stream);
    reader.number(json, path, "seconds", launch.seconds);
    read_counters(reader, json, path, launch.counters);
    read_occupancy(reader, json, path, launch);
    read_roofline(reader, json, path, launch);
    reader.list(json, path, "lines", [&](const Json& item, const std::string& where) {
        LineProfile line;
        reader.text(item, where, "file", line.file);
        reader.integer(item, where, "line", line.line);
        read_counters(reader, item, where, line.counters);
        read_tiling(reader, item, where, line.tiling);
        reader.text(item, where, "shared_variable", line.shared_variable);
        launch.lines.push_back(std::move(line));
    });
    read_launch_tiling(reader, json, path, launch);
    if (reader.find(json, "threads_meet") != nullptr)
        reader.boolean(json, path, "threads_meet", launch.threads_meet.emplace());
    reader.list(json, path, "variables", [&](const Json& item, const std::string& where) {
        launch.variables.push_back(read_variable(reader, item, where));
    });
    reader.list(json, path, "advice", [&](const Json& item, const std::string& where) {
        launch.advice.push_back(read_advice(reader, item, where));
    });
    read_hazards(reader, json, path, launch.hazards);
    return launch;
}

Diagnostic read_diagnostic(Reader& reader, const Json& json, const std::string& path) {
    Diagnostic d;
    reader.named(json, path, "severity", severity_by_name, d.severity);
    reader.text(json, path, "code", d.code);
    reader.text(json, path, "file", d.location.file);
    reader.integer(json, path, "line", d.location.line);
    reader.integer(json, path, "column", d.location.column);
    reader.text(json, path, "message", d.message);
    reader.text(json, path, "hint", d.hint);
    return d;
}

FailedCall read_failed_call(Reader& reader, const Json& json, const std::string& path) {
    FailedCall failed;
    reader.text(json, path, "call", failed.call);
    reader.text(json, path, "error", failed.error);
    reader.text(json, path, "reason", failed.reason);
    reader.text(json, path, "kernel", failed.kernel);
    reader.text(json, path, "file", failed.file);
    reader.integer(json, path, "line", failed.line);
    reader.integer(json, path, "count", failed.count);
    reader.integer(json, path, "unread", failed.unread);
    return failed;
}

UnfinishedLaunch read_unfinished(Reader& reader, const Json& json, const std::string& path) {
    UnfinishedLaunch launch;
    reader.integer(json, path, "index", launch.index);
    reader.text(json, path, "kernel", launch.kernel);
    reader.dim3(json, path, "grid", launch.grid);
    reader.dim3(json, path, "block", launch.block);
    return launch;
}

Result<Profile> from_json(std::string_view text, const std::string& name) {
    const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (json.is_discarded() || !json.is_object())
        return error("profile-json", {name}, "this is not a profile: not a JSON object",
                     "write one with `tilescope run --json FILE PROGRAM`");
    const auto schema = json.find("schema");
    if (schema == json.end() || !schema->is_number_integer() || *schema != 1)
        return error("profile-schema", {name}, "\"schema\" is not 1", "this tilescope reads profiles of schema 1 only");
    Reader reader(name);
    Profile profile;
    reader.text(json, "", "tilescope", profile.tilescope_version);
    reader.text(json, "", "device", profile.device);
    reader.text(json, "", "program", profile.program);
    reader.text(json, "", "compiler", profile.compiler);
    reader.named(json, "", "outcome", outcome_by_name, profile.outcome);
    reader.text(json, "", "ended", profile.ended);
    reader.integer(json, "", "jobs", profile.jobs);
    reader.number(json, "", "seconds", profile.seconds);
    if (!json.contains("launches")) reader.fail("launches", "is missing");
    reader.list(json, "", "launches", [&](const Json& item, const std::string& where) {
        profile.launches.push_back(read_launch(reader, item, where));
    });
    if (const Json* unfinished = reader.object(json, "", "unfinished"))
        profile.unfinished = read_unfinished(reader, *unfinished, "unfinished.");
    read_hazards(reader, json, "", profile.hazards);
    reader.list(json, "", "failed_calls", [&](const Json& item, const std::string& where) {
        profile.failed_calls.push_back(read_failed_call(reader, item, where));
    });
    read_phases(reader, json, profile.trace);
    reader.list(json, "", "diagnostics", [&](const Json& item, const std::string& where) {
        profile.diagnostics.push_back(read_diagnostic(reader, item, where));
    });
    if (!reader.errors().empty()) return reader.errors();
    return profile;
}

}  // namespace tilescope::report
