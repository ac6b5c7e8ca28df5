// `tilescope devices`: what is known of each device, and from where.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "scope/cli/command.h"
#include "scope/cli/exit_status.h"
#include "scope/models/device.h"
#include "scope/report/format.h"

namespace tilescope::cli {
namespace {

using Json = nlohmann::ordered_json;
using models::Device;
using models::Figure;

Json number(double value) {
    constexpr double kExact = 9007199254740992.0;
    if (value == static_cast<double>(static_cast<std::uint64_t>(value)) && value < kExact)
        return static_cast<std::uint64_t>(value);
    return value;
}

// The form of a device file, so that it can be changed and loaded again.
Json device_json(const Device& device) {
    Json json = {{"name", device.name}, {"product", device.product}, {"description", device.description}};
    for (const Figure& figure : device.figures) {
        Json value = Json::array();
        for (double item : figure.values) value.push_back(number(item));
        if (figure.values.size() == 1) value = value[0];
        json["figures"][figure.key] = {{"value", value}, {"unit", figure.unit}, {"source", figure.source}};
    }
    return json;
}

bool is_rate(const Figure& figure) { return figure.unit.ends_with("/s"); }

// 66,900,000,000,000 FLOP/s says less than 66.9 TFLOP/s.
std::string shown(const Figure& figure) {
    std::string text;
    for (double value : figure.values) {
        if (!text.empty()) text += ", ";
        if (is_rate(figure)) {
            text += fmt::format("{:.6g}", value / 1e12);
        } else if (value == static_cast<double>(static_cast<std::uint64_t>(value))) {
            text += report::thousands(static_cast<std::uint64_t>(value));
        } else {
            text += report::plain_number(value);
        }
    }
    if (is_rate(figure)) return text + (figure.unit == "bytes/s" ? " TB/s" : " T" + figure.unit);
    return figure.unit.empty() ? text : text + " " + figure.unit;
}

std::string device_text(const Device& device) {
    std::vector<std::string> sources;
    std::string text = fmt::format("{}: {}\n{}\n\n", device.name, device.product, device.description);
    for (const Figure& figure : device.figures) {
        auto at = std::find(sources.begin(), sources.end(), figure.source);
        if (at == sources.end()) at = sources.insert(sources.end(), figure.source);
        text += fmt::format("  {:<27} {:<60} [{}]\n", figure.key, shown(figure), at - sources.begin() + 1);
    }
    text += "\nSources\n";
    for (std::size_t i = 0; i < sources.size(); ++i) text += fmt::format("  [{}] {}\n", i + 1, sources[i]);
    return text;
}

std::string list_text(const std::vector<Device>& devices) {
    std::string text = fmt::format("{:<14} {:>4} {:>5} {:>10} {:>11} {:>14}  {}\n", "name", "CC", "SMs", "DRAM",
                                   "DRAM TB/s", "fp32 TFLOP/s", "description");
    for (const Device& device : devices)
        text += fmt::format("{:<14} {:>4} {:>5} {:>6.0f} GiB {:>11.2f} {:>14.1f}  {}\n", device.name,
                            fmt::format("{}.{}", device.compute_major, device.compute_minor), device.sm_count,
                            static_cast<double>(device.dram_bytes) / (1 << 30), device.dram_bandwidth / 1e12,
                            device.peak.fp32 / 1e12, device.description);
    return text;
}

int list(bool json) {
    std::vector<Device> devices;
    for (const std::string& name : models::device_names()) {
        auto device = models::load_device(name);
        if (!device) return complain(device.errors()), kUsage;
        devices.push_back(std::move(*device));
    }
    Json all = Json::array();
    for (const Device& device : devices) all.push_back(device_json(device));
    std::cout << (json ? all.dump(2) + "\n" : list_text(devices));
    return kRan;
}

struct DevicesCommand {
    std::string name;
    bool json = false;
};

int run(const DevicesCommand& command) {
    if (command.name.empty()) return list(command.json);
    const auto device = models::load_device(command.name);
    if (!device) return complain(device.errors()), kUsage;
    std::cout << (command.json ? device_json(*device).dump(2) + "\n" : device_text(*device));
    return kRan;
}

}  // namespace

Action add_devices(CLI::App& app) {
    auto command = std::make_shared<DevicesCommand>();
    app.add_option("NAME", command->name, "a device, by name or JSON file; without it all are listed");
    app.add_flag("--json", command->json, "as JSON, in the form that --device reads");
    return [command](const Invocation&) { return run(*command); };
}

}  // namespace tilescope::cli
