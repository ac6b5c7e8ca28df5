#include "scope/views/render/chart_canvas.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "scope/report/format.h"

namespace tilescope::views {

using namespace report;
namespace {

constexpr long kDotsAcross = 2, kDotsDown = 4;  // of a braille cell

// Bit of a dot within its cell: Unicode counts the upper six by column, the lowest two after them.
constexpr std::array<std::array<std::uint8_t, 2>, 4> kBits = {{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};

std::string braille(std::uint8_t dots) {
    // U+2800 and up: three bytes of UTF-8.
    const unsigned code = 0x2800U + dots;
    return {static_cast<char>(0xE0U | (code >> 12U)), static_cast<char>(0x80U | ((code >> 6U) & 0x3FU)),
            static_cast<char>(0x80U | (code & 0x3FU))};
}

}  // namespace

Canvas::Canvas(std::size_t columns, std::size_t rows) : columns_(columns), rows_(rows), cells_(columns * rows) {}

std::size_t Canvas::column_of(double x) const {
    return static_cast<std::size_t>(std::lround(x * static_cast<double>(columns_ * kDotsAcross - 1))) / kDotsAcross;
}
std::size_t Canvas::row_of(double y) const {
    return static_cast<std::size_t>(std::lround((1 - y) * static_cast<double>(rows_ * kDotsDown - 1))) / kDotsDown;
}

void Canvas::grid_point(Point at) {
    Cell& target = cell(column_of(at.x), row_of(at.y));
    target.glyph = "·";
    target.paint = "2";
}

void Canvas::dot(long x, long y, std::size_t curve) {
    if (x < 0 || y < 0) return;
    const auto column = static_cast<std::size_t>(x / kDotsAcross), row = static_cast<std::size_t>(y / kDotsDown);
    if (column >= columns_ || row >= rows_) return;
    Cell& target = cell(column, row);
    target.dots |= kBits[static_cast<std::size_t>(y % kDotsDown)][static_cast<std::size_t>(x % kDotsAcross)];
    target.mixed = target.mixed || (target.curve != kNobody && target.curve != curve);
    target.curve = curve;
    target.glyph.clear();
}

void Canvas::line(Point a, Point b, std::size_t curve, bool heavy) {
    const auto width = static_cast<double>(columns_ * kDotsAcross - 1);
    const auto height = static_cast<double>(rows_ * kDotsDown - 1);
    const double x0 = a.x * width, x1 = b.x * width, y0 = (1 - a.y) * height, y1 = (1 - b.y) * height;
    const long steps = std::max(1L, std::lround(std::max(std::abs(x1 - x0), std::abs(y1 - y0))));
    const bool steep = std::abs(y1 - y0) > std::abs(x1 - x0);
    for (long i = 0; i <= steps; ++i) {
        const double at = static_cast<double>(i) / static_cast<double>(steps);
        const long x = std::lround(x0 + at * (x1 - x0)), y = std::lround(y0 + at * (y1 - y0));
        dot(x, y, curve);
        if (!heavy) continue;
        // The second row of dots lies inward at the lower and right border, where it would be lost.
        if (steep)
            dot(x + 1 < static_cast<long>(columns_) * kDotsAcross ? x + 1 : x - 1, y, curve);
        else
            dot(x, y + 1 < static_cast<long>(rows_) * kDotsDown ? y + 1 : y - 1, curve);
    }
}

// What it costs to put a word there: nothing when it may not stand there at all, less the closer it is to its own curve
// and the farther from all others.
std::optional<long> Canvas::cost_of(long column, long row, long length, std::size_t curve) const {
    const auto width = static_cast<long>(columns_), height = static_cast<long>(rows_);
    if (column < 0 || row < 0 || row >= height || column + length > width) return {};
    const auto at = [&](long c, long r) -> const Cell& {
        return cell(static_cast<std::size_t>(c), static_cast<std::size_t>(r));
    };
    // Into its own line if need be, which is then broken there; never over another.
    constexpr long kBreaks = 24, kBrokenCell = 1;
    long cost = 0;
    for (long c = column; c < column + length; ++c) {
        if (at(c, row).taken) return {};
        if (at(c, row).dots == 0) continue;
        if (at(c, row).curve != curve || at(c, row).mixed) return {};
        cost += cost == 0 ? kBreaks : kBrokenCell;
    }
    // A gap to the next word.
    for (long c : {column - 1, column + length})
        if (c >= 0 && c < width && at(c, row).taken) return {};
    constexpr long kForeign = 4, kOwn = 1, kAboveAnother = 3;
    for (long r = row - 1; r <= row + 1; ++r) {
        if (r < 0 || r >= height) continue;
        for (long c = std::max(0L, column - 1); c < std::min(width, column + length + 1); ++c) {
            if (at(c, r).dots != 0) cost += at(c, r).curve == curve ? -kOwn : kForeign;
            if (r != row && at(c, r).taken) cost += kAboveAnother;
        }
    }
    return cost;
}

void Canvas::write(std::size_t column, std::size_t row, const std::string& word, const Paint& paint) {
    for (std::size_t i = 0; i < word.size();) {
        std::size_t end = i + 1;
        while (end < word.size() && (static_cast<unsigned char>(word[end]) & 0xC0U) == 0x80U) ++end;
        Cell& target = cell(column++, row);
        target.glyph = word.substr(i, end - i);
        target.paint = paint;
        target.taken = true;
        i = end;
    }
}

bool Canvas::label_curve(const std::vector<Path>& paths, std::size_t curve, const std::string& word,
                         const Paint& paint) {
    const auto length = static_cast<long>(report::columns(word));
    if (length == 0) return true;
    std::optional<Place> best;
    const auto consider = [&](long column, long row, long extra) {
        const auto cost = cost_of(column, row, length, curve);
        if (cost && (!best || *cost + extra < best->cost)) best = Place{column, row, *cost + extra};
    };
    for (const Path& path : paths)
        for (std::size_t i = 0; i + 1 < path.size(); ++i) {
            constexpr int kSamples = 64;
            for (int s = 0; s <= kSamples; ++s) {
                const double t = static_cast<double>(s) / kSamples;
                const auto column = static_cast<long>(column_of(path[i].x + t * (path[i + 1].x - path[i].x)));
                const auto row = static_cast<long>(row_of(path[i].y + t * (path[i + 1].y - path[i].y)));
                // Above rather than below, and rather towards the right end of a flat line.
                const long early = (kSamples - s) / 16;
                consider(column - length, row - 1, early);
                consider(column - length / 2, row - 1, early);
                consider(column + 1, row - 1, early);
                consider(column - length / 2, row + 1, early + 2);
                consider(column - length + 1, row + 1, early + 2);
                consider(column + 1, row + 1, early + 2);
                consider(column + 2, row, early + 1);
                consider(column - 1 - length, row, early + 1);
                consider(column - length / 2, row, early + 1);
            }
        }
    if (!best) return false;
    write(static_cast<std::size_t>(best->column), static_cast<std::size_t>(best->row), word, paint);
    return true;
}

void Canvas::mark(Point at, const std::string& sign, const std::string& letter, const Paint& paint) {
    const std::size_t column = column_of(at.x), row = row_of(at.y);
    write(column, row, sign, paint);
    const std::size_t length = report::columns(letter);
    const auto fits = [&](std::size_t from) {
        for (std::size_t c = from; c < from + length; ++c)
            if (c >= columns_ || cell(c, row).taken) return false;
        return true;
    };
    if (fits(column + 1))
        write(column + 1, row, letter, paint);
    else if (column >= length && fits(column - length))
        write(column - length, row, letter, paint);
    else
        write(column, row, letter.substr(0, 1), paint);  // no room beside it: the letter is the sign
}

void Canvas::set_paint(std::size_t curve, const Paint& paint) {
    if (paints_.size() <= curve) paints_.resize(curve + 1);
    paints_[curve] = paint;
}

std::string Canvas::row(std::size_t index, bool color) const {
    std::string text;
    Paint current;
    std::size_t blanks = 0;
    const auto change = [&](const Paint& paint) {
        if (!color || paint == current) return;
        if (!current.empty()) text += "\x1b[0m";
        if (!paint.empty()) text += "\x1b[" + paint + "m";
        current = paint;
    };
    for (std::size_t column = 0; column < columns_; ++column) {
        const Cell& here = cell(column, index);
        if (here.dots == 0 && here.glyph.empty()) {
            ++blanks;
            continue;
        }
        if (blanks > 0) change({});
        text.append(blanks, ' ');
        blanks = 0;
        const bool plain = here.glyph.empty();
        change(plain ? (here.curve < paints_.size() ? paints_[here.curve] : Paint()) : here.paint);
        text += plain ? braille(here.dots) : here.glyph;
    }
    change({});
    return text;
}

}  // namespace tilescope::views
