// A chart for a terminal: braille curves with their names beside them, axes with ticks, marks with letters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "scope/report/format.h"
#include "scope/views/render/chart.h"
#include "scope/views/render/chart_canvas.h"
#include "scope/views/render/chart_scale.h"

namespace tilescope::views {

using namespace report;
namespace {

constexpr std::size_t kLeastColumns = 20, kLeastRows = 6;

std::string inked(bool color, const Paint& paint, const std::string& text) {
    return !color || paint.empty() || text.empty() ? text : "\x1b[" + paint + "m" + text + "\x1b[0m";
}

Paint paint_of(std::size_t curve, bool strong) {
    constexpr const char* kColors[] = {"36", "33", "35", "32", "34"};
    return std::string(strong ? "1;" : "") + kColors[curve % std::size(kColors)];
}
constexpr const char* kMarkPaint = "1;31";

class TextDrawing {
public:
    TextDrawing(const Chart& chart, const ChartTextOptions& options)
        : chart_(chart), options_(options), x_(chart.x), y_(chart.y) {}

    // Names for which the picture has no room go below it, `reserved` lines of them.
    std::string draw(std::size_t reserved) {
        if (!chart_.title.empty()) lines(chart_.title, "1");
        if (!chart_.subtitle.empty()) lines(chart_.subtitle, "2");
        lay_out(reserved);
        Canvas canvas(columns_, rows_);
        fill(canvas);
        axes(canvas);
        text_ += below_;
        for (const std::string& note : chart_.notes) lines(note, {});
        return std::move(text_);
    }
    // Lines of names that the last drawing put below.
    std::size_t keys() const { return keys_; }

private:
    void line(const std::string& text) {
        const std::size_t end = text.find_last_not_of(' ');
        text_ += text.substr(0, end == std::string::npos ? 0 : end + 1) + "\n";
    }
    // Wrapped, each line in the same ink.
    void lines(const std::string& text, const Paint& paint) {
        for (const std::string& part : wrap(printable(text), options_.width))
            text_ += inked(options_.color, paint, cut(part, options_.width)) + "\n";
    }

    // How many columns and rows the canvas has: what titles, ticks and legend leave.
    void lay_out(std::size_t reserved) {
        constexpr std::size_t kMaxTicks = 40;
        legend();
        const auto above = static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '\n'));
        const auto below = static_cast<std::size_t>(std::count(below_.begin(), below_.end(), '\n'));
        const std::size_t fixed =
            above + below + reserved + 3 + (chart_.y.title.empty() ? 0 : 1) - (chart_.x.title.empty() ? 1 : 0);
        rows_ = std::max(kLeastRows, options_.height - std::min(options_.height, fixed));
        y_ticks_ = y_.ticks(std::min(kMaxTicks, std::max<std::size_t>(rows_ / 2, 2)));
        for (const Tick& tick : y_ticks_) margin_ = std::max(margin_, columns(tick.label));
        margin_ += 2;
        columns_ = std::max(kLeastColumns, options_.width - std::min(options_.width, margin_ + 1));
        x_ticks_ = x_.ticks(std::max<std::size_t>(columns_ / 8, 2));
    }

    // Marks in the order given, several on a line; what is not in the picture says so.
    void legend() {
        std::string current;
        for (std::size_t i = 0; i < chart_.marks.size(); ++i) {
            const Mark& mark = chart_.marks[i];
            std::string entry = letter_of(i) + "  " + printable(mark.name);
            if (!visible(mark)) entry += " (outside the picture)";
            entry = cut(entry, options_.width - std::min<std::size_t>(options_.width, 2));
            if (!current.empty() && columns(current) + 4 + columns(entry) > options_.width) {
                below_ += current + "\n";
                current.clear();
            }
            current += (current.empty() ? "  " : "    ") + entry;
        }
        if (!current.empty()) below_ += current + "\n";
    }
    bool visible(const Mark& mark) const { return x_.holds(mark.x) && y_.holds(mark.y); }

    void fill(Canvas& canvas) {
        for (const Tick& across : x_ticks_)
            for (const Tick& up : y_ticks_)
                if (!across.label.empty() && !up.label.empty() && across.at > 0 && up.at > 0)
                    canvas.grid_point({across.at, up.at});
        // The heavy ones last, over the others.
        std::vector<std::size_t> order(chart_.curves.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return !chart_.curves[i].strong; });
        std::vector<std::vector<Path>> paths(chart_.curves.size());
        for (std::size_t i : order) {
            const Curve& curve = chart_.curves[i];
            paths[i] = visible_paths(curve, x_, y_);
            canvas.set_paint(i, paint_of(i, curve.strong));
            for (const Path& path : paths[i])
                for (std::size_t p = 0; p + 1 < path.size(); ++p) canvas.line(path[p], path[p + 1], i, curve.strong);
        }
        marks(canvas);
        for (auto at = order.rbegin(); at != order.rend(); ++at) name_curve(canvas, paths[*at], *at);
    }

    void name_curve(Canvas& canvas, const std::vector<Path>& paths, std::size_t curve) {
        const std::string name = cut(printable(chart_.curves[curve].name), columns_ / 2);
        if (paths.empty() || name.empty()) return;
        if (canvas.label_curve(paths, curve, name, paint_of(curve, chart_.curves[curve].strong))) return;
        // No room beside it: a digit on the curve, its name below.
        const std::string key = std::to_string(++keys_);
        const Path& path = paths.back();
        const Point at = path[path.size() - 1];
        canvas.mark(at, key.substr(0, 1), key.substr(1), paint_of(curve, chart_.curves[curve].strong));
        below_ += "  " + key + "  " + name + "\n";
    }

    // Marks that share a cell share a sign.
    void marks(Canvas& canvas) {
        struct Shared {
            Point at;
            std::string letters;
            bool strong = false;
        };
        std::map<std::pair<std::size_t, std::size_t>, Shared> by_cell;
        for (std::size_t i = 0; i < chart_.marks.size(); ++i) {
            const Mark& mark = chart_.marks[i];
            if (!visible(mark)) continue;
            const Point at{std::clamp(x_.unit(mark.x), 0.0, 1.0), std::clamp(y_.unit(mark.y), 0.0, 1.0)};
            Shared& shared = by_cell[{canvas.row_of(at.y), canvas.column_of(at.x)}];
            shared.at = at;
            shared.letters += letter_of(i);
            shared.strong = shared.strong || mark.strong;
        }
        for (const auto& [cell, shared] : by_cell)
            canvas.mark(shared.at, shared.strong ? "●" : "○", shared.letters, kMarkPaint);
    }

    void axes(const Canvas& canvas) {
        if (!chart_.y.title.empty())
            line(std::string(margin_ - 2, ' ') + cut(printable(chart_.y.title), options_.width - margin_ + 2));
        std::vector<std::string> labels(rows_);
        for (const Tick& tick : y_ticks_) {
            std::string& label = labels[canvas.row_of(tick.at)];
            if (label.empty()) label = tick.label;
        }
        for (std::size_t r = 0; r < rows_; ++r)
            line(std::string(margin_ - 2 - columns(labels[r]), ' ') + labels[r] + (labels[r].empty() ? " │" : " ┤") +
                 canvas.row(r, options_.color));
        x_axis(canvas);
    }

    void x_axis(const Canvas& canvas) {
        std::vector<std::string> rule(columns_, "─");
        std::string numbers;
        for (const Tick& tick : x_ticks_) {
            if (tick.label.empty()) continue;
            const std::size_t column = canvas.column_of(tick.at);
            rule[column] = "┴";
            const std::size_t length = columns(tick.label), width = margin_ + columns_;
            std::size_t start = margin_ + column - std::min(margin_ + column, length / 2);
            start = std::min(start, width - std::min(width, length));
            // One that would touch the number before it goes unnamed.
            if (!numbers.empty() && start < columns(numbers) + 1) continue;
            numbers += std::string(start - columns(numbers), ' ') + tick.label;
        }
        std::string axis = std::string(margin_ - 1, ' ') + "└";
        for (const std::string& piece : rule) axis += piece;
        line(axis);
        line(numbers);
        if (chart_.x.title.empty()) return;
        const std::string title = cut(printable(chart_.x.title), options_.width);
        const std::size_t width = margin_ + columns_;
        line(std::string(width - std::min(width, columns(title)), ' ') + title);
    }

    const Chart& chart_;
    const ChartTextOptions& options_;
    Scale x_, y_;
    std::vector<Tick> x_ticks_, y_ticks_;
    std::size_t columns_ = 0, rows_ = 0, margin_ = 0;
    std::size_t keys_ = 0;
    std::string text_, below_;
};

}  // namespace

std::string chart_text(const Chart& chart, const ChartTextOptions& options) {
    // A smaller picture may have room for fewer names yet; it settles at once or nearly so.
    std::size_t reserved = 0;
    for (int attempt = 0;; ++attempt) {
        constexpr int kEnough = 4;
        TextDrawing drawing(chart, options);
        std::string text = drawing.draw(reserved);
        if (drawing.keys() <= reserved || attempt == kEnough) return text;
        reserved = std::max(reserved, drawing.keys());
    }
}

}  // namespace tilescope::views
