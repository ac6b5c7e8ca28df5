// `tilescope devices`: what is known of each device, and from where.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "scope/cli/command.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/help.h"
#include "scope/cli/run_options.h"
#include "scope/models/device.h"
#include "scope/models/time/stations.h"
#include "scope/report/format.h"

namespace tilescope::cli {
namespace {

using models::Device;
using models::Figure;
using models::FigureKind;
using models::FigureSpec;
using models::Theme;

bool is_whole(double value) { return value == static_cast<double>(static_cast<std::uint64_t>(value)); }

// One number in the unit that people say it in: 66.9 TFLOP/s, 4.8 TB/s, 228 KiB, 1,980 MHz.
std::string shown(double value, std::string_view unit) {
    const auto scaled = [&](double by, const char* name) { return fmt::format("{:.4g} {}", value / by, name); };
    constexpr double kKi = 1024;
    if (unit == "bytes/s") return value < 1e12 ? scaled(1e9, "GB/s") : scaled(1e12, "TB/s");
    if (unit.ends_with("/s")) return scaled(1e12, ("T" + std::string(unit)).c_str());
    if (unit == "kHz") return scaled(1e3, "MHz");
    if (unit == "bytes" && value >= kKi * kKi * kKi) return scaled(kKi * kKi * kKi, "GiB");
    if (unit == "bytes" && value >= kKi * kKi && is_whole(value / kKi)) return scaled(kKi * kKi, "MiB");
    if (unit == "bytes" && value >= kKi && is_whole(value / kKi)) return scaled(kKi, "KiB");
    const std::string text =
        is_whole(value) ? report::thousands(static_cast<std::uint64_t>(value)) : report::plain_number(value);
    return unit.empty() ? text : text + " " + std::string(unit);
}

std::string shown(const Figure& figure) {
    if (figure.values.size() == 1) return shown(figure.values[0], figure.unit);
    // All of a list in one unit, which is said once.
    const bool kib = figure.unit == "bytes" && std::all_of(figure.values.begin(), figure.values.end(),
                                                           [](double v) { return is_whole(v / 1024); });
    std::string text;
    for (const double value : figure.values)
        text += (text.empty() ? "" : " ") + shown(kib ? value / 1024 : value, std::string_view());
    return text + " " + (kib ? "KiB" : figure.unit);
}

const Figure* find(const Device& device, std::string_view key) {
    for (const Figure& figure : device.figures)
        if (figure.key == key) return &figure;
    return nullptr;
}

// Round figures that courses and textbooks give for any GPU, in cycles, beside those of this one.
struct TextbookLatency {
    const char *key, *cycles;
};
constexpr TextbookLatency kTextbookLatencies[] = {{"latency_arithmetic", "1 for a register"},
                                                  {"latency_shared", "10"},
                                                  {"latency_l2_near", "100 to 200"},
                                                  {"latency_dram", "400 to 800"},
                                                  {"texture_latency", "100"}};

// "; textbook 100 to 200"
std::string beside_textbook(std::string_view key) {
    for (const TextbookLatency& latency : kTextbookLatencies)
        if (key == latency.key) return fmt::format("textbook {}", latency.cycles);
    return "";
}

const char* title(Theme theme) {
    switch (theme) {
        case Theme::kCompute: return "Compute";
        case Theme::kLimits: return "Limits";
        case Theme::kMemory: return "Memory";
        case Theme::kBandwidth: return "Bandwidth by level";
        case Theme::kLatency: return "Latency by level";
        case Theme::kTime: return "Time, for its model";
        case Theme::kHost: return "Host, link and managed memory, for the timeline";
        case Theme::kCaches: return "Caches, for their model";
        case Theme::kEnergy: return "Energy by level";
    }
    return "";
}

// The sources of one device, each printed once and cited by its number.
class Sources {
public:
    std::size_t number(const Figure& figure) {
        auto at = std::find(all_.begin(), all_.end(), figure.source);
        if (at == all_.end()) at = all_.insert(all_.end(), figure.source);
        return static_cast<std::size_t>(at - all_.begin()) + 1;
    }
    std::string text() const {
        std::string text;
        for (std::size_t i = 0; i < all_.size(); ++i) {
            std::string mark = fmt::format("{:>4} ", fmt::format("[{}]", i + 1));
            for (const std::string& line : report::wrap(all_[i], kTextWidth - mark.size())) {
                text += mark + line + "\n";
                mark.assign(mark.size(), ' ');
            }
        }
        return text;
    }

private:
    std::vector<std::string> all_;
};

std::string figure_row(std::string_view label, std::string_view value, std::string_view behind) {
    constexpr std::size_t kLabel = 49;
    std::string text = "  " + report::cut(label, kLabel);
    text.append(kLabel + 3 - report::columns(text) + 1, ' ');
    const std::size_t column = report::columns(text);
    text += value;
    if (behind.empty()) return text + "\n";
    // Lists are long: what stands behind them goes to a line of its own.
    if (report::columns(text) + 2 + report::columns(behind) > kTextWidth)
        text += "\n" + std::string(column, ' ') + std::string(behind);
    else
        text += fmt::format("  {}", behind);
    return text + "\n";
}

std::string times(double factor) {
    return factor >= 100 ? fmt::format("{:.0f}×", factor) : fmt::format("{:.1f}×", factor);
}

// What follows from the figures of a theme: the bandwidth of all SMs, and row M7's ratios.
std::string conclusions(const Device& device, Theme theme) {
    std::string text;
    const auto all_sms = [&](const char* what, double rate) {
        if (rate == 0) return;
        std::string ratio;
        if (device.dram_bandwidth > 0) ratio = times(rate / device.dram_bandwidth) + " DRAM";
        text += figure_row(fmt::format("{} of all SMs", what), shown(rate, "bytes/s"), ratio);
    };
    const auto energy = [&](const char* what, double picojoules) {
        if (picojoules == 0 || device.energy.registers == 0) return;
        text += figure_row(fmt::format("{} over a register", what), times(picojoules / device.energy.registers), "");
    };
    if (theme == Theme::kCompute && device.ridge_fp32() > 0)
        text += figure_row("fp32 peak over DRAM's bandwidth (ridge)",
                           fmt::format("{:.1f} FLOP/byte", device.ridge_fp32()), "");
    if (theme == Theme::kBandwidth) {
        all_sms("registers", device.register_bandwidth());
        all_sms("shared memory", device.shared_bandwidth());
        all_sms("L1 cache", device.l1_bandwidth());
    }
    if (theme == Theme::kLatency)
        text += "  textbook: round figures that courses give for any GPU; a launch is modeled by this device's own\n";
    if (theme == Theme::kEnergy) {
        energy("shared memory", device.energy.shared);
        energy("L1 cache", device.energy.l1);
        energy("L2 cache", device.energy.l2);
        energy("DRAM", device.energy.dram);
    }
    return text;
}

std::string capability(const Device& device) {
    return fmt::format("{}.{}", device.compute_major, device.compute_minor);
}

// One figure; the two halves of the compute capability as one.
std::string figure_text(const Device& device, const FigureSpec& spec, Sources& sources) {
    const std::string_view key = spec.key;
    if (key == "compute_minor") return "";
    const Figure* figure = find(device, spec.key);
    const std::string textbook = beside_textbook(key);
    if (figure == nullptr) return figure_row(spec.description, "unknown", textbook);
    std::string mark = fmt::format("[{}] {}", sources.number(*figure), models::name_of(figure->kind));
    if (!textbook.empty()) mark += "; " + textbook;
    if (key == "compute_major") return figure_row("compute capability", capability(device), mark);
    return figure_row(spec.description, shown(*figure), mark);
}

// What tilescope computes like an H200 on every device. `tilescope run` says so of the launches that it concerns.
std::string functions_text(const Device& device) {
    return "\nResults\n" + figure_row("approximate functions (__sinf, rsqrtf, ...)", "an H200's bits",
                                      has_compared_functions(device) ? "measured" : "assumed");
}

std::string device_text(const Device& device) {
    Sources sources;
    std::string text = fmt::format("{}: {}\n{}\n", device.name, device.product, device.description);
    const FigureSpec* before = nullptr;
    for (const FigureSpec& spec : models::figure_specs()) {
        if (before == nullptr || before->theme != spec.theme) {
            if (before != nullptr) text += conclusions(device, before->theme);
            text += fmt::format("\n{}\n", title(spec.theme));
        }
        text += figure_text(device, spec, sources);
        before = &spec;
    }
    if (before != nullptr) text += conclusions(device, before->theme);
    return text + functions_text(device) + "\nSources\n" + sources.text();
}

std::string list_text(const std::vector<Device>& devices) {
    constexpr std::size_t kColumns = 53;  // before the description
    std::string text = fmt::format("{:<14} {:>4} {:>4} {:>7} {:>5} {:>7} {:>4}  {}\n", "name", "CC", "SMs", "DRAM",
                                   "TB/s", "TFLOP/s", "time", "description");
    for (const Device& device : devices)
        text += fmt::format("{:<14} {:>4} {:>4} {:>3.0f} GiB {:>5.3f} {:>7.1f} {:>4}  {}\n", device.name,
                            capability(device), device.sm_count, static_cast<double>(device.dram_bytes) / (1 << 30),
                            device.dram_bandwidth / 1e12, device.peak.fp32 / 1e12,
                            models::missing_for_time(device).empty() ? "yes" : "no",
                            report::cut(device.description, kTextWidth - kColumns));
    return text + "\nTFLOP/s: peak in fp32. time: whether tilescope models how long kernels take on this GPU.\n";
}

std::size_t count_of(const Device& device, FigureKind kind) {
    return static_cast<std::size_t>(std::count_if(device.figures.begin(), device.figures.end(),
                                                  [&](const Figure& figure) { return figure.kind == kind; }));
}

// How many figures of each kind the devices have that come with tilescope; they say of every figure what it rests on.
std::string kinds_text(const std::vector<Device>& devices) {
    const auto kinds = models::figure_kind_names().first(static_cast<std::size_t>(FigureKind::kStated));
    std::string text = fmt::format("{:<14} {:>7}", "name", "figures");
    for (const auto& kind : kinds) text += fmt::format(" {:>9}", kind.name);
    text += "\n";
    for (const Device& device : devices) {
        text += fmt::format("{:<14} {:>7}", device.name, device.figures.size());
        for (const auto& kind : kinds) text += fmt::format(" {:>9}", count_of(device, kind.kind));
        text += "\n";
    }
    return text;
}

// One device's figures, kind by kind.
std::string kinds_text(const Device& device) {
    constexpr std::size_t kKey = 28;
    std::string text = fmt::format("{}: {} figures by what they rest on\n", device.name, device.figures.size());
    for (const auto& kind : models::figure_kind_names()) {
        const std::size_t count = count_of(device, kind.kind);
        if (count == 0) continue;
        text += fmt::format("\n{}, {}: {}\n", kind.name, count, kind.means);
        for (const Figure& figure : device.figures)
            if (figure.kind == kind.kind) text += fmt::format("  {:<{}} {}\n", figure.key, kKey, shown(figure));
    }
    return text;
}

struct DevicesCommand {
    std::string name;
    bool json = false, figures = false;
};

int list_devices(const DevicesCommand& command) {
    std::vector<Device> devices;
    for (const std::string& name : models::device_names()) {
        auto device = models::load_device(name);
        if (!device) return complain(device.errors()), kUsage;
        devices.push_back(std::move(*device));
    }
    if (command.figures) return std::cout << kinds_text(devices), kRan;
    if (!command.json) return std::cout << list_text(devices), kRan;
    auto all = nlohmann::ordered_json::array();
    for (const Device& device : devices) all.push_back(nlohmann::ordered_json::parse(models::device_file(device)));
    std::cout << all.dump(2) << "\n";
    return kRan;
}

int run_devices(const DevicesCommand& command) {
    if (command.name.empty()) return list_devices(command);
    const auto device = models::load_device(command.name);
    if (!device) return complain(device.errors()), kUsage;
    if (command.figures)
        std::cout << kinds_text(*device);
    else
        std::cout << (command.json ? models::device_file(*device) : device_text(*device));
    return kRan;
}

}  // namespace

Action add_devices(CLI::App& app) {
    auto command = std::make_shared<DevicesCommand>();
    app.add_option("NAME", command->name, "device name or JSON file; without it: list all devices");
    CLI::Option* const json = app.add_flag("--json", command->json, "write JSON, in the format that --device reads");
    app.add_flag("--figures", command->figures,
                 "show the source of each figure: measured, published, fitted, inferred or assumed")
        ->excludes(json);
    return [command](const Invocation&) { return run_devices(*command); };
}

}  // namespace tilescope::cli
