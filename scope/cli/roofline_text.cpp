#include "scope/cli/roofline_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "scope/models/verdicts.h"
#include "scope/report/format.h"
#include "scope/report/json_parts.h"
#include "scope/report/quantities.h"
#include "scope/views/words/binding.h"

namespace tilescope::cli {
namespace {

using models::ComputeRoof;
using models::MemoryRoof;
using models::Roofs;
using report::columns;
using report::padded;
using report::right_aligned;
using report::thousands;

constexpr std::size_t kRowLabel = 13;

std::string labelled_row(const std::string& label, const std::string& text) {
    return "  " + label + std::string(kRowLabel - std::min(kRowLabel, columns(label)), ' ') + text + "\n";
}

// Wrapped under its label.
std::string paragraph(const std::string& label, const std::string& text, std::size_t width) {
    std::string out, shown = label;
    for (const std::string& line : report::wrap(text, width - std::min(width, kRowLabel + 2))) {
        out += labelled_row(shown, line);
        shown.clear();
    }
    return out;
}

std::string giga(double value) {
    const double shown = value / 1e9;
    constexpr double kWhole = 1000;
    return shown >= kWhole ? thousands(static_cast<std::uint64_t>(std::llround(shown))) : report::plain_number(shown);
}

std::string unit_of(const Roofs& roofs, const std::string& type) {
    const ComputeRoof* roof = roofs.of_type(type);
    const std::string unit = roof != nullptr ? roof->unit : "FLOP/s";
    return unit.substr(0, unit.find('/'));
}

std::string level_name(TrafficLevel level) {
    if (level == TrafficLevel::kRequested) return "requested";
    return level == TrafficLevel::kShared ? "shared" : report::roof_name(models::slope_of(level));
}

std::string point_text(const RooflinePoint& point, const std::string& unit, std::size_t width) {
    std::string text = padded(report::with_exact(point.intensity, unit + "/B"), 24);
    if (point.bytes != 0) text += right_aligned(thousands(point.bytes) + " B", 19) + "  ";
    const bool is_own = point.bound == report::name_of(point.level);
    const bool flat = !is_own && point.bound != report::name_of(MemoryLevel::kDram);
    text += flat ? "flat roof: " : "at most ";
    const std::string by = flat || is_own ? "" : " by " + report::roof_name(point.bound);
    const std::string exact = report::rate_with_exact(point.ceiling, unit + "/s") + by;
    // Large counts leave room for the rounded rate only; `of the peak` and --json have it exactly.
    const std::string by_model = models::is_modelled(point.level) ? " (modeled)" : "";
    return text + (columns(text) + columns(exact) <= width ? exact : report::rate(point.ceiling, unit + "/s") + by) +
           by_model;
}

std::string ridge_text(const RooflineProfile& roofline, const Roofs& roofs, const std::string& unit) {
    std::string text = report::with_exact(roofline.ridge, unit + "/B");
    if (const ComputeRoof* roof = roofs.of_type(roofline.type)) {
        const double each = roofline.ridge * roof->value_bytes;
        text += ": about " + report::plain_number(std::round(each)) + " " + unit + " per " +
                std::to_string(roof->value_bytes) + "-byte value (" + report::plain_number(each) + ")";
    }
    return text;
}

// What can be said of a kernel that has no point.
std::string without_roofline(const Roofs& roofs, const models::RooflineWork& work) {
    std::string text = "no floating-point work: it has no place under these roofs";
    const MemoryRoof* dram = roofs.of_level(MemoryLevel::kDram);
    for (const models::LevelTraffic& traffic : work.traffic)
        if (traffic.level == TrafficLevel::kRequested && traffic.bytes != 0 && dram != nullptr)
            text += "; the " + thousands(traffic.bytes) + " B that its threads request take " +
                    report::rounded(1e6 * static_cast<double>(traffic.bytes) / dram->bandwidth) +
                    " µs of DRAM's time, less what caches catch";
    if (!work.time) return text;
    const LaunchBinding binding = models::binding_of(*work.time);
    return text + ". " + views::binding_words(binding) + " " + views::remedy_words(binding) + ".";
}

// "the rate of fp32 and the bandwidth of DRAM are not known", and what a user can do about it.
std::string what_is_unknown(const std::vector<std::string>& unknown) {
    std::string text;
    for (const std::string& rate : unknown) {
        if (!text.empty()) text += &rate == &unknown.back() ? " and " : ", ";
        text += rate == report::name_of(MemoryLevel::kDram) ? "the bandwidth of DRAM" : "the rate of " + rate;
    }
    text += unknown.size() == 1 ? " is not known" : " are not known";
    return text +
           ", so nothing can be said about what binds; --peak and --bandwidth take what the device's "
           "description leaves out";
}

// A kernel that computes, on a device of which too little is known: what can be said without it.
std::string unplaced_text(const Roofs& roofs, const models::RooflineWork& work, std::size_t width) {
    std::string text, types;
    for (const models::TypedWork& part : work.types)
        if (part.operations > 0) types += (types.empty() ? "" : "+") + part.type;
    const auto add_level = [&](TrafficLevel level, double intensity, std::uint64_t bytes) {
        std::string line = padded(report::with_exact(intensity, "FLOP/B"), 24);
        if (bytes != 0) line += right_aligned(thousands(bytes) + " B", 19);
        text += labelled_row(level_name(level), line.substr(0, line.find_last_not_of(' ') + 1));
    };
    if (work.intensity) add_level(TrafficLevel::kRequested, *work.intensity, 0);
    if (!work.traffic.empty())
        text += labelled_row(
            "work", thousands(static_cast<std::uint64_t>(std::llround(work.operations()))) + " FLOP, " + types);
    for (const models::LevelTraffic& traffic : work.traffic)
        if (traffic.bytes != 0)
            add_level(traffic.level, work.operations() / static_cast<double>(traffic.bytes), traffic.bytes);
    return text + paragraph("unknown", what_is_unknown(models::unknown_rates(roofs, work)), width);
}

}  // namespace

std::string roofs_text(const Roofs& roofs, const std::string& description, std::size_t width) {
    std::string text = roofs.of_level(MemoryLevel::kDram) == nullptr ? "DRAM not known" : "";
    for (const MemoryRoof& roof : roofs.memory)
        text += (text.empty() ? "" : " · ") + report::roof_name(roof.level) + " " + giga(roof.bandwidth) + " GB/s";
    return report::cut(roofs.device + (description.empty() ? "" : ": " + description), width) + "\n" +
           report::cut(text, width) + "\n";
}

std::string roofline_text(const Roofs& roofs, const RooflineSubject& subject, std::size_t width) {
    const std::string name = report::printable(subject.name);
    const std::size_t room = width - std::min(width, columns(subject.facts) + 2);
    std::string text = columns(name) <= room || subject.facts.empty()
                           ? padded(report::cut(name, width), room + 2) + subject.facts
                           : report::cut(name, width) + "\n  " + subject.facts;
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
    if (!subject.roofline && subject.work.operations() > 0) return text + unplaced_text(roofs, subject.work, width);
    if (!subject.roofline) return text + paragraph("", without_roofline(roofs, subject.work), width);
    const RooflineProfile& roofline = *subject.roofline;
    const std::string unit = unit_of(roofs, roofline.type);
    if (subject.work.counted || roofline.points.empty() || roofline.points.front().bytes != 0)
        text += labelled_row("work", thousands(static_cast<std::uint64_t>(std::llround(subject.work.operations()))) +
                                         " " + unit + ", " + roofline.type);
    for (const RooflinePoint& point : roofline.points)
        text += labelled_row(level_name(point.level), point_text(point, unit, width - std::min(width, kRowLabel + 2)));
    text += labelled_row("ridge", ridge_text(roofline, roofs, unit));
    text += labelled_row("of the peak", report::share_with_exact(roofline.of_peak) + " of " + giga(roofline.peak) +
                                            " G" + unit + "/s " + roofline.type);
    if (roofline.achieved)
        text += labelled_row(roofline.achieved_modelled ? "modelled" : "measured",
                             report::rate_with_exact(*roofline.achieved, unit + "/s"));
    const auto modelled = [](const RooflinePoint& point) { return models::is_modelled(point.level); };
    if (subject.work.counted && std::none_of(roofline.points.begin(), roofline.points.end(), modelled))
        text += labelled_row("L2, DRAM", "not placed here: the run did not model caches (--caches off, or --sample)");
    return text + paragraph("verdict", roofline.verdict, width);
}

std::string ceilings_text(const Roofs& roofs, const RooflineProfile& roofline, std::size_t width) {
    if (roofline.points.empty()) return {};
    const double intensity = roofline.points.front().intensity;
    const std::string unit = unit_of(roofs, roofline.type);
    const MemoryRoof* dram = roofs.of_level(MemoryLevel::kDram);
    if (dram == nullptr) return {};
    std::string text = fmt::format("  {:<{}}{:>10}{:>17}{:>19}{:>17}  {}\n", "ceilings", kRowLabel, "G" + unit + "/s",
                                   "ridge " + unit + "/B", unit + " per value", "here G" + unit + "/s", "of the peak");
    for (const ComputeRoof& roof : roofs.compute) {
        if (unit_of(roofs, roof.type) != unit) continue;
        const double ridge = roof.peak / dram->bandwidth, here = std::min(roof.peak, intensity * dram->bandwidth);
        const std::string line = fmt::format(
            "  {:<{}}{:>10}{:>17}{:>19}{:>17}  ", roof.type, kRowLabel, giga(roof.peak), report::rounded(ridge),
            report::rounded(ridge * roof.value_bytes) + " of " + std::to_string(roof.value_bytes) + " B", giga(here));
        const std::string exact = report::share_with_exact(here / roof.peak);
        text += line + (columns(line) + columns(exact) <= width ? exact : report::share(here / roof.peak)) + "\n";
    }
    return text;
}

std::string roofline_json(const Roofs& roofs, const std::vector<RooflineSubject>& subjects) {
    using Json = nlohmann::ordered_json;
    Json json = {
        {"device", roofs.device}, {"ceilings", Json::array()}, {"slopes", Json::array()}, {"kernels", Json::array()}};
    for (const ComputeRoof& roof : roofs.compute)
        json["ceilings"].push_back(
            {{"type", roof.type}, {"peak", roof.peak}, {"unit", roof.unit}, {"value_bytes", roof.value_bytes}});
    for (const MemoryRoof& roof : roofs.memory)
        json["slopes"].push_back({{"level", report::name_of(roof.level)}, {"bandwidth", roof.bandwidth}});
    for (const RooflineSubject& subject : subjects) {
        Json kernel = {{"name", subject.name}};
        if (subject.roofline)
            kernel["roofline"] = report::roofline_json(*subject.roofline);
        else if (const auto unknown = models::unknown_rates(roofs, subject.work); !unknown.empty())
            kernel["unknown"] = unknown;
        // Of what has no place under the roofs: there the facts of the verdict have it.
        if (subject.work.time && !subject.roofline) {
            const LaunchBinding binding = models::binding_of(*subject.work.time);
            kernel["time"] = {{"kind", report::name_of(binding.kind)},
                              {"bound", report::name_of(binding.bound)},
                              {"share", binding.share},
                              {"microseconds", binding.microseconds},
                              {"next_bound", report::name_of(binding.next_bound)},
                              {"next_microseconds", binding.next_microseconds}};
        }
        json["kernels"].push_back(std::move(kernel));
    }
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tilescope::cli
