#include <cmath>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "scope/report/format.h"
#include "scope/views/render/comparison_view.h"
#include "scope/views/render/ink.h"

namespace tilescope::views {

using namespace report;
namespace {

constexpr std::size_t kComparedWidth = 42, kValueWidth = 18, kChangeWidth = 12;

std::string value_text(const std::optional<double>& value) {
    if (!value) return "-";
    constexpr double kExact = 9007199254740992.0;  // 2^53: a double counts up to here
    if (*value == std::floor(*value) && *value >= 0 && *value < kExact)
        return thousands(static_cast<std::uint64_t>(*value));
    return plain_number(*value);
}

std::string figure_change_text(const ComparedFigure& figure) {
    if (figure.equal()) return "same";
    if (!figure.before || *figure.before == 0) return "new";
    if (!figure.after || *figure.after == 0) return "gone";
    const double ratio = *figure.after / *figure.before;
    constexpr double kTimes = 2;
    if (ratio >= kTimes || ratio <= 1 / kTimes)
        return ratio >= 1 ? times_text(ratio) + "× more" : times_text(1 / ratio) + "× less";
    return fmt::format("{:+.1f} %", 100 * (ratio - 1));
}

std::string name_text(const ComparedFigure& figure) {
    std::string text(figure.name);
    if (!figure.origin.empty()) text += " (" + std::string(figure.origin) + ")";
    return text;
}

std::string header_of(const Comparison& comparison, const ComparedLaunch& launch) {
    std::string text = printable(launch.kernel);
    if (!launch.other_kernel.empty()) text += "  →  " + printable(launch.other_kernel);
    return text + fmt::format("   (launch {} of {}, launch {} of {})", launch.before, printable(comparison.before),
                              launch.after, printable(comparison.after));
}

std::string launch_text(const Comparison& comparison, const ComparedLaunch& launch, const ViewOptions& options) {
    std::string text;
    bool first = true;
    for (const std::string& line : wrap(header_of(comparison, launch), options.width)) {
        text += first ? ink(options, Ink::kBold, line) + "\n" : "  " + line + "\n";
        first = false;
    }
    std::size_t equal = 0;
    for (const ComparedFigure& figure : launch.figures) {
        equal += figure.equal();
        if (figure.equal() && !options.verbose) continue;
        text += "  " + padded(cut(name_text(figure), kComparedWidth), kComparedWidth) +
                right_aligned(value_text(figure.before), kValueWidth) +
                right_aligned(value_text(figure.after), kValueWidth) +
                right_aligned(figure_change_text(figure), kChangeWidth) + "\n";
    }
    if (launch.figures.empty()) return text + "  no figure to compare\n";
    const std::string count = thousands(equal) + " of " + thousands(launch.figures.size()) +
                              (launch.figures.size() == 1 ? " figure" : " figures");
    return text + "  " + count + (equal == 1 ? " is equal" : " are equal") +
           (equal == 0 || options.verbose ? "\n" : "; -v shows them\n");
}

std::string lonely(const std::vector<std::string>& launches, const std::string& side) {
    std::string text;
    for (const std::string& launch : launches) text += "only in " + side + ": " + printable(launch) + "\n";
    return text.empty() ? text : "\n" + text;
}

nlohmann::ordered_json figure_json(const ComparedFigure& figure) {
    nlohmann::ordered_json json = {{"name", figure.name}, {"unit", figure.unit}};
    json["before"] = figure.before ? nlohmann::ordered_json(*figure.before) : nlohmann::ordered_json();
    json["after"] = figure.after ? nlohmann::ordered_json(*figure.after) : nlohmann::ordered_json();
    json["equal"] = figure.equal();
    if (!figure.origin.empty()) json["origin"] = figure.origin;
    return json;
}

}  // namespace

std::string comparison_text(const Comparison& comparison, const ViewOptions& options) {
    std::string text = printable(comparison.before) + "  →  " + printable(comparison.after) + "\n";
    for (const ComparedLaunch& launch : comparison.launches) text += "\n" + launch_text(comparison, launch, options);
    text += lonely(comparison.only_before, comparison.before) + lonely(comparison.only_after, comparison.after);
    if (comparison.launches.empty()) text += "\nno launches that belong together\n";
    return text;
}

std::string comparison_json(const Comparison& comparison) {
    nlohmann::ordered_json json = {{"before", comparison.before}, {"after", comparison.after}};
    json["launches"] = nlohmann::ordered_json::array();
    for (const ComparedLaunch& launch : comparison.launches) {
        nlohmann::ordered_json one = {{"kernel", launch.kernel}};
        if (!launch.other_kernel.empty()) one["other_kernel"] = launch.other_kernel;
        one["before"] = launch.before;
        one["after"] = launch.after;
        one["figures"] = nlohmann::ordered_json::array();
        for (const ComparedFigure& figure : launch.figures) one["figures"].push_back(figure_json(figure));
        json["launches"].push_back(std::move(one));
    }
    json["only_before"] = comparison.only_before;
    json["only_after"] = comparison.only_after;
    return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace tilescope::views
