#include "scope/views/render/chart_labels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tilescope::views {

using namespace report;
namespace {

constexpr double kGap = 3;  // between a text and what is beside it

Point axis_of(double angle) { return {std::cos(angle), std::sin(angle)}; }
double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
Point moved(Point from, Point direction, double by) { return {from.x + by * direction.x, from.y + by * direction.y}; }

// Whether two sets of corners are apart when seen along `axis`.
template <class A, class B>
bool apart(const A& a, const B& b, Point axis) {
    double a_least = std::numeric_limits<double>::max(), a_max = -a_least, b_least = a_least, b_max = -a_least;
    for (Point p : a) a_least = std::min(a_least, dot(p, axis)), a_max = std::max(a_max, dot(p, axis));
    for (Point p : b) b_least = std::min(b_least, dot(p, axis)), b_max = std::max(b_max, dot(p, axis));
    return a_max <= b_least || b_max <= a_least;
}

}  // namespace

std::array<Point, 4> Box::corners() const {
    const Point along = axis_of(angle), up{-along.y, along.x};
    std::array<Point, 4> all;
    std::size_t i = 0;
    for (double w : {-half_width, half_width})
        for (double h : {-half_height, half_height}) all[i++] = moved(moved(centre, along, w), up, h);
    return all;
}

bool overlap(const Box& a, const Box& b) {
    const auto first = a.corners(), second = b.corners();
    for (const Box* box : {&a, &b}) {
        const Point along = axis_of(box->angle);
        if (apart(first, second, along) || apart(first, second, {-along.y, along.x})) return false;
    }
    return true;
}

bool crosses(const Box& box, Point a, Point b) {
    const auto corners = box.corners();
    const std::array<Point, 2> line = {a, b};
    const Point along = axis_of(box.angle);
    if (apart(corners, line, along) || apart(corners, line, {-along.y, along.x})) return false;
    return !apart(corners, line, {a.y - b.y, b.x - a.x});
}

double text_width(std::string_view text, double size) {
    constexpr std::string_view kNarrow = "ijlI.,:;'|![]()", kWide = "mwMW@%";
    constexpr double kNarrowWidth = 0.40, kWideWidth = 0.98, kUpperWidth = 0.75, kUsualWidth = 0.63, kOtherWidth = 0.85,
                     kFullWidth = 1.05;
    double width = 0;
    for (char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xC0U) == 0x80U) continue;
        if (byte >= 0xE3)
            width += kFullWidth;
        else if (byte >= 0x80)
            width += kOtherWidth;
        else if (kNarrow.find(c) != std::string_view::npos)
            width += kNarrowWidth;
        else if (kWide.find(c) != std::string_view::npos)
            width += kWideWidth;
        else
            width += c >= 'A' && c <= 'Z' ? kUpperWidth : kUsualWidth;
    }
    return width * size;
}

bool Placer::inside(const Box& box) const {
    for (Point p : box.corners())
        if (std::abs(p.x - bounds_.centre.x) > bounds_.half_width ||
            std::abs(p.y - bounds_.centre.y) > bounds_.half_height)
            return false;
    return true;
}

bool Placer::is_free(const Box& box) const {
    if (!inside(box)) return false;
    for (const Box& other : boxes_)
        if (overlap(box.grown(kGap), other)) return false;
    for (const auto* lines : {&lines_, &leaders_})
        for (const Line& line : *lines)
            if (crosses(box, line.a, line.b)) return false;
    return true;
}

double Placer::crowding(const Box& box, std::size_t curve) const {
    constexpr double kNear = 9, kEach = 12;
    double cost = 0;
    for (const Line& line : lines_)
        if (line.curve != curve && crosses(box.grown(kNear), line.a, line.b)) cost += kEach;
    return cost;
}

std::optional<Box> Placer::place_along(const std::vector<Path>& paths, std::size_t curve, double width, double height) {
    std::optional<Box> best;
    double best_cost = std::numeric_limits<double>::max();
    const auto consider = [&](const Box& box, double cost) {
        if (cost >= best_cost || !is_free(box)) return;
        cost += crowding(box, curve);
        if (cost >= best_cost) return;
        best = box;
        best_cost = cost;
    };
    constexpr double kBelow = 6, kLevel = 10, kAway = 0.5, kSteepest = 1.1, kStep = 6, kEdge = 6;
    const double off = height / 2 + kGap;
    for (const Path& path : paths)
        for (std::size_t i = 0; i + 1 < path.size(); ++i) {
            const Point a = path[i], b = path[i + 1];
            const double length = std::hypot(b.x - a.x, b.y - a.y);
            if (length < 1) continue;
            double angle = std::atan2(b.y - a.y, b.x - a.x);
            if (angle > std::numbers::pi / 2) angle -= std::numbers::pi;
            if (angle <= -std::numbers::pi / 2) angle += std::numbers::pi;
            const Point along = axis_of(angle), up{along.y, -along.x};  // away from the line, upwards
            const bool flat = std::abs(angle) < 0.01, readable = std::abs(angle) < kSteepest;
            for (double at = 0; at <= length; at += kStep) {
                const Point on = moved(a, {(b.x - a.x) / length, (b.y - a.y) / length}, at);
                // Flat lines are named at their right end, slopes in their middle.
                const double place = flat ? length - at - width / 2 : std::abs(at - length / 2);
                const double cost = 0.03 * std::abs(place);
                if (readable && at >= width / 2 + kEdge && at <= length - width / 2 - kEdge) {
                    consider({moved(on, up, off), width / 2, height / 2, angle}, cost);
                    consider({moved(on, up, -off), width / 2, height / 2, angle}, cost + kBelow);
                }
                for (double away : {0.0, 6.0, 14.0}) {
                    const double level = cost + kLevel + kAway * away;
                    for (double side : {-1.0, 1.0}) {
                        const double right = on.x + side * (width / 2 + 2 * kGap + away);
                        consider({{right, on.y}, width / 2, height / 2, 0}, level);
                        consider({{right, on.y - off}, width / 2, height / 2, 0}, level);
                        consider({{right, on.y + off}, width / 2, height / 2, 0}, level + kBelow);
                        consider({{on.x, on.y + side * (off + away)}, width / 2, height / 2, 0}, level);
                    }
                }
            }
        }
    if (best) add_box(*best);
    return best;
}

bool Placer::leader_is_free(Point from, Point to, Point mark) const {
    for (const Box& box : boxes_) {
        const bool own = std::abs(box.centre.x - mark.x) < 1 && std::abs(box.centre.y - mark.y) < 1;
        if (!own && crosses(box, from, to)) return false;
    }
    for (const Line& other : leaders_) {
        const auto side = [](Point a, Point b, Point c) {
            return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        };
        if (side(from, to, other.a) * side(from, to, other.b) < 0 &&
            side(other.a, other.b, from) * side(other.a, other.b, to) < 0)
            return false;
    }
    return true;
}

std::optional<Placer::Near> Placer::place_near(Point at, double radius, double width, double height) {
    constexpr int kDirections = 24;
    constexpr double kLeaderFrom = 9;  // a label closer than this needs no line
    std::optional<Near> best;
    double best_cost = std::numeric_limits<double>::max();
    for (double distance : {7.0, 14.0, 24.0, 36.0, 52.0, 72.0, 96.0, 120.0})
        for (int d = 0; d < kDirections; ++d) {
            const double angle = 2 * std::numbers::pi * d / kDirections;
            const Point way = axis_of(angle);
            const Point end = moved(at, way, radius + distance);
            // The box touches `end` with the side that faces the mark.
            const int side = std::abs(way.x) < 0.3 ? 0 : way.x > 0 ? 1 : -1;
            const double x = end.x + side * width / 2;
            const double y = side == 0 ? end.y + (way.y > 0 ? height / 2 : -height / 2) : end.y;
            const Box box{{x, y}, width / 2, height / 2, 0};
            // To the right and level is where one looks first; then below right, where a roofline leaves room.
            const double cost =
                distance + 4 * (1 - way.x) + (way.y < -0.3 ? 3 : 0) + 0.5 * crowding(box, ~std::size_t{0});
            if (cost >= best_cost || !is_free(box)) continue;
            const bool needs_leader = distance > kLeaderFrom;
            if (needs_leader && !leader_is_free(moved(at, way, radius), end, at)) continue;
            best = Near{box, end, needs_leader, side};
            best_cost = cost;
        }
    if (best) {
        add_box(best->box);
        if (best->needs_leader) add_leader(at, best->leader);
    }
    return best;
}

}  // namespace tilescope::views
