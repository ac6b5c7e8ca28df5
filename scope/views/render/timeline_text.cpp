// The time line for a terminal: a row for the host and each engine, whose places say which stream keeps it busy.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "scope/report/format.h"
#include "scope/views/render/ink.h"
#include "scope/views/view.h"

namespace tilescope::views {

using namespace report;
namespace {

constexpr std::size_t kLaneLabel = 12, kLeastPlaces = 20;
constexpr std::array<SpanLane, 4> kLaneOrder = {SpanLane::kHost, SpanLane::kToDevice, SpanLane::kCompute,
                                                SpanLane::kToHost};

std::string_view lane_label(SpanLane lane) {
    switch (lane) {
        case SpanLane::kHost: return "host";
        case SpanLane::kCompute: return "SMs";
        case SpanLane::kToDevice: return "to device";
        case SpanLane::kToHost: return "to host";
    }
    return "";
}

// A digit or letter; streams beyond those share one.
char sign_of(std::uint32_t stream) {
    constexpr std::string_view kSigns = "0123456789abcdefghijklmnopqrstuvxyz";
    return stream < kSigns.size() ? kSigns[stream] : '#';
}

constexpr char kWaits = 'w';

// Of each place of a lane the time that every sign has of it.
class LanePicture {
public:
    LanePicture(std::size_t places, double all) : shares_(places), all_(all) {}

    void add(const TimelineSpan& span, char sign) {
        const double scale = static_cast<double>(shares_.size()) / all_;
        const double begin = std::clamp(span.begin * scale, 0.0, static_cast<double>(shares_.size()));
        const double end =
            std::clamp((span.begin + span.microseconds) * scale, begin, static_cast<double>(shares_.size()));
        for (auto place = static_cast<std::size_t>(begin); place < shares_.size(); ++place) {
            const auto at = static_cast<double>(place);
            if (at >= end && at > begin) break;
            shares_[place][sign] += std::max(0.0, std::min(end, at + 1) - std::max(begin, at));
        }
        used_ = true;
    }
    bool is_used() const { return used_; }
    // The sign with most of a place has it, however little that is: nothing that happens goes unseen.
    std::string text() const {
        std::string text;
        for (const auto& signs : shares_) {
            const auto most = std::max_element(signs.begin(), signs.end(),
                                               [](const auto& a, const auto& b) { return a.second < b.second; });
            text += most == signs.end() ? "·" : std::string(1, most->first);
        }
        return text;
    }

private:
    std::vector<std::map<char, double>> shares_;
    double all_ = 0;
    bool used_ = false;
};

// Times below the places that they belong to, as round as they can be.
std::string axis_text(std::size_t places, double all) {
    constexpr double kBetween = 16;  // places from one time to the next at least
    const double least = all * kBetween / static_cast<double>(places);
    double step = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1., 2., 5., 10.})
        if (step * factor >= least) {
            step *= factor;
            break;
        }
    std::string text;
    for (double at = 0; at <= all; at += step) {
        const auto place = static_cast<std::size_t>(at / all * static_cast<double>(places));
        const std::string label = at == 0 ? "0" : microseconds_text(at);
        if (columns(text) > place || place + columns(label) > places) continue;
        text += std::string(place - columns(text), ' ') + label;
    }
    return text;
}

}  // namespace

std::string time_line_view(const Profile& profile, const ViewOptions& options) {
    if (profile.timeline.empty()) return {};
    double all = 0;
    for (const TimelineSpan& span : profile.timeline) all = std::max(all, span.begin + span.microseconds);
    if (!(all > 0) || !std::isfinite(all)) return {};
    const std::size_t places =
        std::max(kLeastPlaces, options.width - std::min(options.width, kLaneLabel + 2));  // as wide as there is room
    std::map<SpanLane, LanePicture> lanes;
    for (const TimelineSpan& span : profile.timeline) {
        const char sign = span.kind == SpanKind::kWait ? kWaits : sign_of(span.stream);
        lanes.try_emplace(span.lane, places, all).first->second.add(span, sign);
    }
    std::string text = ink(options, Ink::kBold, "timeline") + ", " + microseconds_text(all) + " (modeled)\n";
    for (const SpanLane lane : kLaneOrder)
        if (const auto found = lanes.find(lane); found != lanes.end())
            text += fmt::format("  {:<{}}", lane_label(lane), kLaneLabel) + found->second.text() + "\n";
    text += std::string(kLaneLabel + 2, ' ') + axis_text(places, all) + "\n";
    std::string key = "a digit: the stream that keeps it busy, 0 the default one; w: the host waits; ·: nothing";
    if (profile.timeline_totals && profile.timeline_totals->left_out != 0)
        key += "; " + thousands(profile.timeline_totals->left_out) + " more pieces behind these are left out";
    for (const std::string& line : wrap(key, options.width - std::min<std::size_t>(options.width, 2)))
        text += "  " + line + "\n";
    return text;
}

}  // namespace tilescope::views
