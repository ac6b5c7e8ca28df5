// Where words go in a drawn chart: boxes at any angle that keep clear of lines, marks and each other.
//
// Owns: Box and Placer. Guarantees: a place that is found lies within the bounds and overlaps nothing that was reserved
// before; the same calls give the same places. Does not model: fonts (text widths are estimates on the wide side).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "scope/views/render/chart_scale.h"

namespace tilescope::views {

using namespace report;  // what is printed

// A rectangle turned about its centre; the angle in radians, as in SVG clockwise because y grows downwards.
struct Box {
    Point centre;
    double half_width = 0, half_height = 0;
    double angle = 0;

    std::array<Point, 4> corners() const;
    Box grown(double by) const { return {centre, half_width + by, half_height + by, angle}; }
};
bool overlap(const Box& a, const Box& b);
bool crosses(const Box& box, Point a, Point b);

// Width of a text in a sans-serif font, at least what common fonts take.
double text_width(std::string_view text, double size);

class Placer {
public:
    explicit Placer(const Box& bounds) : bounds_(bounds) {}

    void add_line(Point a, Point b, std::size_t curve) { lines_.push_back({a, b, curve}); }
    void add_box(const Box& box) { boxes_.push_back(box); }
    void add_leader(Point a, Point b) { leaders_.push_back({a, b, 0}); }

    // Along the curve that these paths (in pixels) are, above it if there is room; else level beside it.
    std::optional<Box> place_along(const std::vector<Path>& paths, std::size_t curve, double width, double height);
    // Near a point, level. `leader` is where a line from the point meets the box.
    struct Near {
        Box box;
        Point leader;
        bool needs_leader = false;
        int side = 0;  // of the point: 1 right of it, -1 left, 0 above or below
    };
    std::optional<Near> place_near(Point at, double radius, double width, double height);

private:
    struct Line {
        Point a, b;
        std::size_t curve;
    };
    bool inside(const Box& box) const;
    bool is_free(const Box& box) const;
    // How many other curves run close to it: a label there could be taken for theirs.
    double crowding(const Box& box, std::size_t curve) const;
    bool leader_is_free(Point from, Point to, Point mark) const;

    Box bounds_;
    std::vector<Line> lines_, leaders_;
    std::vector<Box> boxes_;
};

}  // namespace tilescope::views
