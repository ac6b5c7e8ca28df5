// A terminal's cells as a picture: curves of braille dots, letters over them, and free places for words.
//
// Guarantees: nothing is drawn outside the cells. Does not model: axes (chart_text draws them around it).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scope/views/render/chart_scale.h"

namespace tilescope::views {

using namespace report;  // what is printed

// Escape sequence of a colour, "" for none: what stands behind "\x1b[".
using Paint = std::string;

class Canvas {
public:
    Canvas(std::size_t columns, std::size_t rows);

    // A faint dot where grid lines meet; anything else covers it.
    void grid_point(Point at);
    // Straight from a to b, both in units of the canvas (0 to 1, y upwards). Heavy ones are two dots thick.
    void line(Point a, Point b, std::size_t curve, bool heavy);
    // Puts a word beside the path of a curve where it covers nothing; false when there is no such place.
    bool label_curve(const std::vector<Path>& paths, std::size_t curve, const std::string& word, const Paint& paint);
    // The sign at the point itself, the letter behind it or before it.
    void mark(Point at, const std::string& sign, const std::string& letter, const Paint& paint);
    void set_paint(std::size_t curve, const Paint& paint);

    // One row, without spaces at its end.
    std::string row(std::size_t index, bool color) const;

    std::size_t columns() const { return columns_; }
    std::size_t rows() const { return rows_; }
    // Column and row of a point.
    std::size_t column_of(double x) const;
    std::size_t row_of(double y) const;

private:
    static constexpr std::size_t kNobody = ~std::size_t{0};
    struct Cell {
        std::uint8_t dots = 0;
        std::size_t curve = kNobody;
        bool mixed = false;  // dots of several curves
        std::string glyph;   // over the dots
        Paint paint;         // of the glyph
        bool taken = false;  // by a word or a mark
    };
    struct Place {
        long column = 0, row = 0;
        long cost = 0;
    };

    Cell& cell(std::size_t column, std::size_t row) { return cells_[row * columns_ + column]; }
    const Cell& cell(std::size_t column, std::size_t row) const { return cells_[row * columns_ + column]; }
    void dot(long x, long y, std::size_t curve);
    std::optional<long> cost_of(long column, long row, long length, std::size_t curve) const;
    void write(std::size_t column, std::size_t row, const std::string& word, const Paint& paint);

    std::size_t columns_, rows_;
    std::vector<Cell> cells_;
    std::vector<Paint> paints_;  // by curve
};

}  // namespace tilescope::views
