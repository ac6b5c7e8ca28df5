// `tilescope generate-metrics PROFILE`: for the Python package, whose names and figures are these and no others.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "scope/cli/application.h"
#include "scope/cli/command.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/profile_file.h"
#include "scope/report/metrics.h"
#include "scope/report/profiler_names.h"

namespace tilescope::cli {
namespace {

using MetricsJson = nlohmann::ordered_json;

// What every counter, ratio and fact is.
MetricsJson described() {
    MetricsJson all = MetricsJson::object();
    const auto add = [&](const char* kind, std::string_view name, std::string_view unit, std::string_view description,
                         bool modelled) {
        MetricsJson row = {{"kind", kind}, {"unit", unit}, {"description", description}};
        if (modelled) row["modelled"] = true;
        all[std::string(name)] = std::move(row);
    };
    for (std::size_t i = 0; i < kCounterCount; ++i) {
        const CounterInfo& counter = info(static_cast<Counter>(i));
        add("counter", counter.name, counter.unit, counter.description, is_modelled(static_cast<Counter>(i)));
    }
    for (const report::Ratio& ratio : report::ratios())
        add("ratio", ratio.name, ratio.unit, ratio.description, ratio.modelled);
    for (const report::Fact& fact : report::facts())
        add("fact", fact.name, fact.unit, fact.description, fact.needs_time);
    return all;
}

MetricsJson profiler_table() {
    MetricsJson rows = MetricsJson::array();
    for (const report::ProfilerName& name : report::profiler_names()) {
        MetricsJson row = {{"ours", name.ours}, {"theirs", name.theirs}};
        if (!name.differs.empty()) row["differs"] = name.differs;
        rows.push_back(std::move(row));
    }
    return rows;
}

// Ratios and facts of a launch; its counters are in the profile.
MetricsJson figures(const LaunchProfile& launch) {
    MetricsJson values = MetricsJson::object();
    for (const report::Ratio& ratio : report::ratios())
        if (const auto value = ratio.value(launch.counters)) values[std::string(ratio.name)] = *value;
    for (const report::Fact& fact : report::facts())
        if (const auto value = fact.value(launch)) values[std::string(fact.name)] = *value;
    return values;
}

int generate_metrics(const std::string& path) {
    MetricsJson json = {{"schema", 1}, {"metrics", described()}, {"profiler", profiler_table()}};
    if (!path.empty()) {
        const auto profile = load_profile(path);
        if (!profile) return complain(profile.errors()), kUsage;
        MetricsJson& launches = json["launches"] = MetricsJson::array();
        for (const LaunchProfile& launch : profile->launches) launches.push_back(figures(launch));
    }
    std::cout << json.dump() << "\n";
    return kRan;
}

}  // namespace

Action add_generate_metrics(CLI::App& app) {
    auto path = std::make_shared<std::string>();
    app.add_option("PROFILE", *path, "a profile that --json wrote");
    return [path](const Invocation&) { return generate_metrics(*path); };
}

}  // namespace tilescope::cli
