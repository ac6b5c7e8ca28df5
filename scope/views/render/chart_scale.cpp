#include "scope/views/render/chart_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace tilescope::views {

using namespace report;
namespace {

constexpr double kFar = 1e300;     // beyond it differences overflow
constexpr double kSmall = 1e-300;  // below it quotients do
constexpr double kSlack = 1e-9;    // of an axis: rounding may not cost a tick at its end
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// The part of a straight line within the unit square (Liang and Barsky).
std::optional<std::pair<Point, Point>> clipped(Point a, Point b) {
    double from = 0, to = 1;
    const auto edge = [&](double direction, double distance) {
        if (direction == 0) return distance >= 0;
        const double at = distance / direction;
        if (direction < 0)
            from = std::max(from, at);
        else
            to = std::min(to, at);
        return true;
    };
    const double dx = b.x - a.x, dy = b.y - a.y;
    if (!edge(-dx, a.x) || !edge(dx, 1 - a.x) || !edge(-dy, a.y) || !edge(dy, 1 - a.y) || from > to) return {};
    const auto place = [&](double at) {
        return Point{std::clamp(a.x + at * dx, 0.0, 1.0), std::clamp(a.y + at * dy, 0.0, 1.0)};
    };
    return std::pair(place(from), place(to));
}

bool same_point(Point a, Point b) { return std::abs(a.x - b.x) < kSlack && std::abs(a.y - b.y) < kSlack; }

// The smallest of 1, 2, 5, 10, 20, ... that is not below `raw`.
double round_step(double raw) {
    const double decade = std::pow(10.0, std::floor(std::log10(raw)));
    for (double digit : {1.0, 2.0, 5.0})
        if (digit * decade >= raw * (1 - kSlack)) return digit * decade;
    return 10 * decade;
}

// Sizes that come in powers of two (threads, registers, warps) are read in powers of two.
bool counts_in_twos(double least, double most) {
    constexpr double kLeast = 64, kMax = 65536, kMultiple = 32;
    const double over = std::fmod(most, kMultiple);  // 255 registers are all that fit 8 bits
    return most >= kLeast && most <= kMax && (over == 0 || over == kMultiple - 1) && std::fmod(least, kMultiple) == 0;
}

// From 1, 2, 4, ... to another of these, not far off: strides and counts that were doubled from point to point.
bool doubles(double least, double most) {
    constexpr double kWidest = 1024;
    const auto power = [](double value) { return value >= 1 && std::exp2(std::round(std::log2(value))) == value; };
    return power(least) && power(most) && most / least > 1 && most / least <= kWidest;
}

}  // namespace

Scale::Scale(const Axis& axis) : logarithmic_(axis.logarithmic), least_(axis.least), most_(axis.most) {
    if (!std::isfinite(least_) || !std::isfinite(most_)) least_ = most_ = 1;
    const double floor = logarithmic_ ? kSmall : -kFar;
    least_ = std::clamp(least_, floor, kFar);
    most_ = std::clamp(most_, floor, kFar);
    if (least_ > most_) std::swap(least_, most_);
    if (logarithmic_) {
        // A limit of 0 has no place: show some decades below the other.
        constexpr double kShown = 1e3, kWidest = 1e60, kNarrowest = 1 + 1e-6;
        if (least_ <= kSmall) least_ = std::max(most_ / kShown, kSmall);
        if (most_ / least_ > kWidest) least_ = most_ / kWidest;
        if (most_ / least_ < kNarrowest) {
            least_ = std::max(least_ / std::sqrt(10.0), kSmall);
            most_ = least_ * 10;
        }
    } else if (most_ - least_ <= kSlack * std::max(std::abs(least_), std::abs(most_))) {
        const double half = least_ == 0 ? 0.5 : std::abs(least_) / 2;
        least_ -= half;
        most_ += half;
    }
}

double Scale::unit(double value) const {
    if (!std::isfinite(value) || (logarithmic_ && value <= 0)) return kNone;
    if (logarithmic_) return std::log(value / least_) / std::log(most_ / least_);
    return (std::clamp(value, -kFar, kFar) - least_) / (most_ - least_);
}

bool Scale::holds(double value) const {
    const double at = unit(value);
    return at >= -kSlack && at <= 1 + kSlack;
}

std::vector<Tick> Scale::ticks(std::size_t max_labels) const {
    max_labels = std::max<std::size_t>(max_labels, 2);
    return logarithmic_ ? logarithmic_ticks(max_labels) : linear_ticks(max_labels);
}

std::vector<Tick> Scale::linear_ticks(std::size_t max_labels) const {
    const double raw = (most_ - least_) / static_cast<double>(max_labels);
    if (!(raw > 0)) return {};
    const double step = counts_in_twos(least_, most_) ? std::exp2(std::ceil(std::log2(raw))) : round_step(raw);
    std::vector<Tick> ticks;
    const double first = std::ceil((least_ - kSlack * (most_ - least_)) / step);
    for (std::size_t i = 0; i <= max_labels + 1; ++i) {
        const double value = (first + static_cast<double>(i)) * step;
        if (!holds(value)) break;
        ticks.push_back({std::clamp(unit(value), 0.0, 1.0), tick_label(value)});
    }
    return ticks;
}

std::vector<Tick> Scale::logarithmic_ticks(std::size_t max_labels) const {
    if (doubles(least_, most_)) {
        std::vector<Tick> ticks;
        for (double value = least_; value <= most_; value *= 2) ticks.push_back({unit(value), tick_label(value)});
        if (ticks.size() <= max_labels) return ticks;
    }
    const int first = static_cast<int>(std::floor(std::log10(least_))) - 1;
    const int last = static_cast<int>(std::ceil(std::log10(most_))) + 1;
    int decades = 0;
    for (int exponent = first; exponent <= last; ++exponent) decades += holds(std::pow(10.0, exponent)) ? 1 : 0;
    const int stride = std::max(1, (decades + static_cast<int>(max_labels) - 1) / static_cast<int>(max_labels));
    // Few decades leave room for digits between them.
    const auto labelled = [&](int exponent, int digit) {
        if (digit == 1) return exponent % stride == 0;
        if (decades <= 0) return true;
        if (decades * 3 <= static_cast<int>(max_labels) && decades <= 3) return digit == 2 || digit == 5;
        return false;
    };
    std::vector<Tick> ticks;
    for (int exponent = first; exponent <= last; ++exponent)
        for (int digit = 1; digit <= 9; ++digit) {
            if (stride > 1 && digit > 1) break;
            const double value = digit * std::pow(10.0, exponent);
            if (!holds(value)) continue;
            ticks.push_back(
                {std::clamp(unit(value), 0.0, 1.0), labelled(exponent, digit) ? tick_label(value) : std::string()});
        }
    // Less than a digit wide: logarithmic in name only.
    return ticks.size() < 2 ? linear_ticks(max_labels) : ticks;
}

std::string tick_label(double value) {
    constexpr std::array<std::pair<double, const char*>, 5> kPrefixes = {
        {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
    constexpr double kLongest = 1e4, kMax = 1e18, kLeast = 1e-4;
    const double size = std::abs(value);
    if (value == 0) return "0";
    if (size >= kMax || size < kLeast * (1 - kSlack)) return fmt::format("{:.3g}", value);
    for (const auto& [scale, name] : kPrefixes) {
        if (size < scale * (1 - kSlack)) continue;
        const double tenths = 10 * value / scale;
        // 1024 stays 1024; 1500 is 1.5k; what is longer has a prefix in any case.
        if (size >= kLongest || std::abs(tenths - std::round(tenths)) < kSlack * std::abs(tenths))
            return fmt::format("{:.4g}{}", value / scale, name);
        break;
    }
    return fmt::format("{:.4g}", value);
}

std::vector<Path> visible_paths(const Curve& curve, const Scale& x, const Scale& y) {
    std::vector<Path> pieces;
    const auto add = [&](Point a, Point b) {
        const auto inside = clipped(a, b);
        if (!inside) return;
        if (pieces.empty() || pieces.back().empty() || !same_point(pieces.back().back(), inside->first))
            pieces.push_back({inside->first});
        if (!same_point(inside->first, inside->second)) pieces.back().push_back(inside->second);
    };
    for (std::size_t i = 0; i + 1 < curve.points.size(); ++i) {
        const Point a{x.unit(curve.points[i].first), y.unit(curve.points[i].second)};
        const Point b{x.unit(curve.points[i + 1].first), y.unit(curve.points[i + 1].second)};
        if (!std::isfinite(a.x) || !std::isfinite(a.y) || !std::isfinite(b.x)) continue;
        if (curve.stepped) {
            add(a, {b.x, a.y});
            if (std::isfinite(b.y)) add({b.x, a.y}, b);
        } else if (std::isfinite(b.y)) {
            add(a, b);
        }
    }
    std::erase_if(pieces, [](const Path& piece) { return piece.size() < 2; });
    return pieces;
}

std::string letter_of(std::size_t index) {
    constexpr std::size_t kLetters = 26;
    if (index < kLetters) return std::string(1, static_cast<char>('A' + index));
    if (index < 2 * kLetters) return std::string(1, static_cast<char>('a' + index - kLetters));
    return "*";
}

}  // namespace tilescope::views
