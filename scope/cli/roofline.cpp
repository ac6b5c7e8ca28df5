// `tilescope roofline`: where kernels stand under a device's ceilings.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <iostream>
#include <memory>
#include <optional>

#include "scope/base/names.h"
#include "scope/cli/command.h"
#include "scope/cli/exit_status.h"
#include "scope/cli/finish.h"
#include "scope/cli/help.h"
#include "scope/cli/profile_file.h"
#include "scope/cli/roofline_text.h"
#include "scope/cli/run_options.h"
#include "scope/cli/values.h"
#include "scope/models/device.h"
#include "scope/models/roofline_chart.h"
#include "scope/models/time/on_device.h"
#include "scope/report/format.h"
#include "scope/views/document/groups.h"
#include "scope/views/render/chart.h"
#include "scope/views/words/verdicts.h"

namespace tilescope::cli {
namespace {

struct RooflineCommand {
    std::string profile, flop, bytes, device, type, peak, bandwidth, microseconds, achieved, svg, json;
    std::string color = "auto";
    std::vector<std::string> intensities, kernels;
};

// The roofs, and one line on whose they are.
struct Machine {
    models::Roofs roofs;
    std::string description;
};

Diagnostic usage(const std::string& what, const std::string& hint = {}) { return error("cli-usage", {}, what, hint); }

// A number above 0 where the option was given.
Result<std::optional<double>> quantity(const std::string& text, const std::string& option) {
    if (text.empty()) return std::optional<double>();
    auto value = parse_quantity(text, option);
    if (!value) return value.errors();
    return std::optional<double>(*value);
}

// Both --peak and --bandwidth make a machine of their own; one of them changes the device.
Result<Machine> machine_of(const RooflineCommand& command, const std::string& device_name) {
    const auto peak = quantity(command.peak, "--peak"), bandwidth = quantity(command.bandwidth, "--bandwidth");
    if (!peak) return peak.errors();
    if (!bandwidth) return bandwidth.errors();
    const std::string type = command.type.empty() ? "fp32" : command.type;
    Machine machine;
    if (*peak && *bandwidth && command.device.empty()) {
        machine.roofs.device = "this machine";
    } else {
        const auto device = models::load_device(device_name);
        if (!device) return device.errors();
        machine.roofs = models::roofs_of(*device);
        machine.description = device->description;
        if (*peak || *bandwidth) machine.roofs.device += ", changed";
    }
    const auto change = [](auto& roofs, auto matches, auto made) {
        const auto at = std::find_if(roofs.begin(), roofs.end(), matches);
        if (at == roofs.end())
            roofs.insert(roofs.begin(), made);
        else
            *at = made;
    };
    if (*peak) {
        models::ComputeRoof made = models::roof_of_type(type);
        made.peak = **peak;
        change(
            machine.roofs.compute, [&](const auto& roof) { return roof.type == type; }, made);
    }
    if (*bandwidth)
        change(
            machine.roofs.memory, [](const auto& roof) { return roof.level == MemoryLevel::kDram; },
            models::MemoryRoof{MemoryLevel::kDram, **bandwidth});
    return machine;
}

// "naive=0.25" or "0.25".
Result<RooflineSubject> subject_of_intensity(const std::string& text, const std::string& type) {
    const std::size_t equals = text.rfind('=');
    const std::string number = equals == std::string::npos ? text : text.substr(equals + 1);
    const auto value = parse_quantity(number, "--intensity");
    if (!value) return value.errors();
    RooflineSubject subject;
    subject.brief = equals == std::string::npos ? number + " FLOP/B" : text.substr(0, equals);
    subject.name = equals == std::string::npos ? subject.brief : subject.brief + ": " + number + " FLOP/B";
    subject.work.types = {{type, 1}};
    subject.work.intensity = *value;
    return subject;
}

Result<RooflineSubject> subject_of_counts(const RooflineCommand& command, const std::string& type) {
    if (command.flop.empty() || command.bytes.empty())
        return usage("--flop and --bytes go together", "--flop 36 --bytes 28, or --intensity 1.29");
    const auto flop = parse_quantity(command.flop, "--flop");
    if (!flop) return flop.errors();
    const auto bytes = parse_amount(command.bytes, "--bytes", 1000);
    if (!bytes) return bytes.errors();
    RooflineSubject subject;
    subject.name = subject.brief = command.flop + " FLOP, " + command.bytes + " B";
    subject.work.types = {{type, *flop}};
    subject.work.traffic = {{TrafficLevel::kRequested, *bytes}};
    return subject;
}

Result<std::vector<RooflineSubject>> subjects_of_profile(const RooflineCommand& command, Profile profile) {
    profile.launches.erase_if([&](const LaunchProfile& launch) {
        return !command.kernels.empty() &&
               std::none_of(command.kernels.begin(), command.kernels.end(),
                            [&](const std::string& glob) { return kernel_matches(glob, launch.kernel, launch.entry); });
    });
    std::vector<RooflineSubject> subjects;
    for (const views::LaunchGroup& group : views::group_launches(profile)) {
        const LaunchProfile& launch = *group.launch;
        // A launch that ended in a fault has no counts.
        if (launch.counters.empty()) continue;
        RooflineSubject subject;
        subject.name =
            launch.kernel + (group.count > 1 ? fmt::format("  ({} times)", report::thousands(group.count)) : "");
        subject.brief = std::string(short_kernel_name(launch.kernel));
        subject.facts = "grid " + report::dimensions(launch.grid) + "  block " + report::dimensions(launch.block);
        subject.work = models::roofline_work(launch);
        if (!command.type.empty()) subject.work.types = {{command.type, subject.work.operations()}};
        subjects.push_back(std::move(subject));
    }
    if (subjects.empty())
        return error(
            "cli-nothing", {command.profile},
            command.kernels.empty() ? "holds no launch with counts" : "holds no counted launch that --kernel selects");
    return subjects;
}

// The profile as it would be under the roofs that were asked for: on another device with that one's time, under roofs
// of one's own without a time, which would be of another machine.
Status move_to(const RooflineCommand& command, Profile& profile, std::string& device) {
    if (command.device.empty()) {
        device = profile.device;
    } else if (command.device != profile.device) {
        const auto other = models::load_device(command.device);
        if (!other) return other.errors();
        profile = models::on_device(profile, *other);
    }
    if (!command.peak.empty() || !command.bandwidth.empty())
        for (LaunchProfile& launch : profile.launches) launch.time.reset();
    return Success{};
}

// What was measured, for the one kernel that it can mean.
Status add_measurement(const RooflineCommand& command, std::vector<RooflineSubject>& subjects) {
    const auto achieved = quantity(command.achieved, "--achieved");
    const auto microseconds = quantity(command.microseconds, "--microseconds");
    if (!achieved) return achieved.errors();
    if (!microseconds) return microseconds.errors();
    if (!*achieved && !*microseconds) return Success{};
    const std::string option = *achieved ? "--achieved" : "--microseconds";
    if (*achieved && *microseconds) return usage("--achieved and --microseconds say the same: give one of them");
    if (subjects.size() != 1)
        return usage(option + " is of one kernel, and there are " + std::to_string(subjects.size()),
                     "choose one with --kernel");
    models::RooflineWork& work = subjects.front().work;
    if (*microseconds && work.intensity) return usage("--microseconds needs --flop and --bytes, or a profile");
    // A bare number is GFLOP/s; "5G" and "1.2T" are FLOP/s and say so themselves.
    const bool bare = *achieved && std::isalpha(static_cast<unsigned char>(command.achieved.back())) == 0;
    work.achieved_modelled = false;
    work.achieved = *achieved ? **achieved * (bare ? 1e9 : 1) : work.operations() / (**microseconds * 1e-6);
    return Success{};
}

Status check_type(const RooflineCommand& command) {
    const std::vector<std::string> types = models::roof_types();
    if (command.type.empty() || std::find(types.begin(), types.end(), command.type) != types.end()) return Success{};
    std::string all;
    for (const std::string& type : types) all += (all.empty() ? "" : ", ") + type;
    return error("cli-value", {}, "--type: unknown type \"" + command.type + "\"", "one of " + all);
}

struct Gathered {
    Machine machine;
    std::vector<RooflineSubject> subjects;
};

Result<std::vector<RooflineSubject>> subjects_of_numbers(const RooflineCommand& command) {
    const std::string type = command.type.empty() ? "fp32" : command.type;
    std::vector<RooflineSubject> subjects;
    if (!command.flop.empty() || !command.bytes.empty()) {
        auto subject = subject_of_counts(command, type);
        if (!subject) return subject.errors();
        subjects.push_back(std::move(*subject));
    }
    for (const std::string& text : command.intensities) {
        auto subject = subject_of_intensity(text, type);
        if (!subject) return subject.errors();
        subjects.push_back(std::move(*subject));
    }
    return subjects;
}

Result<Gathered> gather(const RooflineCommand& command) {
    const bool numbers = !command.flop.empty() || !command.bytes.empty() || !command.intensities.empty();
    if (numbers != command.profile.empty())
        return usage(numbers ? "a profile, or numbers, but not both" : "nothing to place under the roofs",
                     "give a profile that `run --json` wrote, or --intensity X, or --flop N --bytes N");
    if (const Status checked = check_type(command); !checked) return checked.errors();
    Gathered all;
    std::string device = command.device.empty() ? "h200" : command.device;
    auto subjects = [&]() -> Result<std::vector<RooflineSubject>> {
        if (numbers) return subjects_of_numbers(command);
        auto profile = load_profile(command.profile);
        if (!profile) return profile.errors();
        if (const Status moved = move_to(command, *profile, device); !moved) return moved.errors();
        return subjects_of_profile(command, std::move(*profile));
    }();
    if (!subjects) return subjects.errors();
    all.subjects = std::move(*subjects);
    auto machine = machine_of(command, device);
    if (!machine) return machine.errors();
    all.machine = std::move(*machine);
    if (!command.type.empty() && all.machine.roofs.of_type(command.type) == nullptr)
        return error("cli-value", {}, "unknown rate of " + command.type + " on " + all.machine.roofs.device,
                     "give it with --peak");
    if (const Status measured = add_measurement(command, all.subjects); !measured) return measured.errors();
    for (RooflineSubject& subject : all.subjects) {
        subject.roofline = models::roofline(all.machine.roofs, subject.work);
        if (subject.roofline) subject.roofline->verdict = views::roofline_verdict(*subject.roofline);
    }
    return all;
}

report::Chart chart_of(const Gathered& all) {
    std::vector<models::Standing> standings;
    for (const RooflineSubject& subject : all.subjects)
        if (subject.roofline) standings.push_back({subject.brief, *subject.roofline});
    report::Chart chart = models::roofline_chart(all.machine.roofs, standings);
    chart.subtitle = all.machine.description;
    if (chart.at_ceilings) chart.notes.push_back(views::ceilings_note());
    return chart;
}

std::string text_of(const Gathered& all, const report::Chart& chart, bool color) {
    const models::Roofs& roofs = all.machine.roofs;
    std::string text = roofs_text(roofs, all.machine.description, kTextWidth) + "\n";
    for (const RooflineSubject& subject : all.subjects) text += roofline_text(roofs, subject, kTextWidth) + "\n";
    // One kernel leaves room for what each ceiling would make of it.
    if (all.subjects.size() == 1 && all.subjects.front().roofline)
        text += ceilings_text(roofs, *all.subjects.front().roofline, kTextWidth) + "\n";
    constexpr std::size_t kHeight = 26;
    if (chart.marks.empty()) return text.substr(0, text.size() - 1);
    report::Chart shown = chart;
    shown.subtitle.clear();  // it stands above
    return text + views::chart_text(shown, {kTextWidth, kHeight + chart.marks.size() / 2, color});
}

int run_roofline(const RooflineCommand& command) {
    const auto all = gather(command);
    if (!all) return complain(all.errors()), kUsage;
    const report::Chart chart = chart_of(*all);
    const bool alone = command.json == "-" || command.svg == "-";
    if (!alone) std::cout << text_of(*all, chart, wants_color(command.color, STDOUT_FILENO));
    if (!command.json.empty())
        if (const Status written = write_text(command.json, roofline_json(all->machine.roofs, all->subjects)); !written)
            return complain(written.errors()), kUsage;
    if (!command.svg.empty() && chart.curves.empty())
        return complain({error("cli-nothing", {command.svg}, "not written: no roof of this device is known")}), kUsage;
    if (!command.svg.empty())
        if (const Status written = write_text(command.svg, views::chart_svg(chart)); !written)
            return complain(written.errors()), kUsage;
    return kRan;
}

}  // namespace

Action add_roofline(CLI::App& app) {
    auto command = std::make_shared<RooflineCommand>();
    const auto option = [&](const char* name, std::string& into, const char* value, const char* text) {
        return app.add_option(name, into, text)->type_name(value);
    };
    app.add_option("PROFILE", command->profile, "a profile that `run --json` wrote");
    app.add_option("--intensity", command->intensities,
                   "FLOP per byte of a hypothetical kernel, with an optional name: naive=0.25 (repeat)")
        ->allow_extra_args(false)
        ->type_name("[NAME=]X");
    option("--flop", command->flop, "N", "FLOP of such a kernel, with --bytes");
    option("--bytes", command->bytes, "N", "bytes of global memory that it requests");
    option("--device", command->device, "NAME", "a device, by name or JSON file (the profile's, else h200)")
        ->check(not_empty());
    option("--type", command->type, "TYPE",
           "treat all operations as this type: fp32, fp64, fp16, bf16, tf32, fp16-tensor, ...");
    option("--peak", command->peak, "RATE", "FLOP/s of that type, instead of the device's: 200G");
    option("--bandwidth", command->bandwidth, "RATE",
           "DRAM bandwidth in bytes/s instead of the device's; with --peak and without --device: a custom machine");
    app.add_option("--kernel", command->kernels, "show only kernels whose name matches (repeat)")
        ->allow_extra_args(false)
        ->type_name("GLOB");
    option("--microseconds", command->microseconds, "N", "measured time of one launch of the kernel");
    option("--achieved", command->achieved, "GFLOPS",
           "measured GFLOP/s of the kernel, or FLOP/s with a suffix: 389, 389G");
    option("--svg", command->svg, "FILE", "write the chart as a picture; - for standard output");
    option("--json", command->json, "FILE", "write roofs, points and verdicts; - for standard output");
    add_color_option(app, command->color);
    return [command](const Invocation&) { return run_roofline(*command); };
}

}  // namespace tilescope::cli
