// A chart as an SVG document: log or linear grid, curves with their names along them, marks with names on leaders.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "scope/report/format.h"
#include "scope/views/render/chart.h"
#include "scope/views/render/chart_labels.h"
#include "scope/views/render/chart_scale.h"
#include "scope/views/render/svg_text.h"

namespace tilescope::views {

using namespace report;
namespace {

constexpr double kWidth = 960, kPlotHeight = 500;
constexpr double kChartSide = 24, kRight = 30;
constexpr double kTitleSize = 19, kSubtitleSize = 13.5, kAxisSize = 13.5, kTickSize = 12.5, kLabelSize = 13,
                 kNoteSize = 12.5;
constexpr double kDrop = 0.35;  // of the size: how far the baseline lies below the middle of the letters
constexpr double kBoldWider = 1.1;
constexpr double kLine = 18;  // from one line of text to the next
constexpr const char* kMarkColor = "#b42318";

// Dark enough to read as text on white, and told apart by their dashes where there is no colour.
struct Pen {
    const char* color;
    const char* dashes;
};
constexpr Pen kPens[] = {{"#1f5a99", ""},         {"#8a5a00", "9 4"}, {"#1b7a5a", "2 3"},
                         {"#7a3e7a", "12 3 2 3"}, {"#52606d", "5 3"}, {"#a13d63", "12 3 2 3 2 3"}};

class SvgDrawing {
public:
    explicit SvgDrawing(const Chart& chart)
        : chart_(chart), x_(chart.x), y_(chart.y), x_ticks_(x_.ticks(12)), y_ticks_(y_.ticks(10)) {
        top_ = kChartSide + (chart.title.empty() ? 0 : kTitleSize + 4);
        subtitle_ = wrapped(chart.subtitle, kSubtitleSize);
        top_ += kLine * static_cast<double>(subtitle_.size()) + 10;
        double widest = 0;
        for (const Tick& tick : y_ticks_) widest = std::max(widest, text_width(tick.label, kTickSize));
        left_ = kChartSide + (chart.y.title.empty() ? 0 : kLine + 4) + widest + 8;
        bottom_ = top_ + kPlotHeight;
        right_ = kWidth - kRight;
    }

    std::string draw() {
        grid();
        Placer placer(plot_box());
        curves(placer);
        marks(placer);
        axes();
        const double height = below();
        return fmt::format(
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
                   "{0:.0f} "
                   "{1:.0f}\" role=\"img\" font-family=\"sans-serif\">\n<title>{2}</title>\n"
                   "<rect x=\"0\" y=\"0\" width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#ffffff\"/>\n",
                   kWidth, height, svg_escaped(chart_.title)) +
               body_ + "</svg>\n";
    }

private:
    struct Text {
        double size = kLabelSize;
        const char* color = kSvgInk;
        const char* anchor = "start";
        double angle = 0;  // radians
        bool bold = false, halo = false;
    };

    std::vector<std::string> wrapped(const std::string& text, double size) const {
        // Columns of average width; each line is checked by the estimate that guards the border.
        const std::string clean = printable(text);
        for (auto columns = static_cast<std::size_t>((kWidth - 2 * kChartSide) / (size * 0.5));; columns -= 4) {
            std::vector<std::string> lines = wrap(clean, columns);
            const bool fits = std::all_of(lines.begin(), lines.end(), [&](const std::string& l) {
                return text_width(l, size) <= kWidth - 2 * kChartSide;
            });
            if (fits) return lines;
            if (columns > 44) continue;
            for (std::string& line : lines) line = fitting(line, kWidth - 2 * kChartSide, size);
            return lines;
        }
    }
    static std::string fitting(const std::string& text, double width, double size) {
        std::size_t room = columns(text);
        std::string shown = text;
        while (room > 1 && text_width(shown, size) > width) shown = cut(text, --room);
        return shown;
    }

    Point place(Point unit) const { return {left_ + unit.x * (right_ - left_), bottom_ - unit.y * (bottom_ - top_)}; }
    Box plot_box() const {
        constexpr double kInset = 2;
        return {{(left_ + right_) / 2, (top_ + bottom_) / 2},
                (right_ - left_) / 2 - kInset,
                (bottom_ - top_) / 2 - kInset,
                0};
    }

    void text(Point at, const std::string& words, const Text& style) {
        if (words.empty()) return;
        body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\" fill=\"{}\"", at.x, at.y, style.size,
                             style.color);
        if (std::string_view(style.anchor) != "start") body_ += fmt::format(" text-anchor=\"{}\"", style.anchor);
        if (style.bold) body_ += " font-weight=\"bold\"";
        if (style.halo)
            body_ += " stroke=\"#ffffff\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"";
        if (style.angle != 0)
            body_ += fmt::format(" transform=\"rotate({:.2f} {:.1f} {:.1f})\"", style.angle * 180 / std::numbers::pi,
                                 at.x, at.y);
        body_ += ">" + svg_escaped(words) + "</text>\n";
    }
    // Text whose middle is the box' middle.
    void text_in(const Box& box, const std::string& words, Text style) {
        style.anchor = "middle";
        style.angle = box.angle;
        style.halo = true;
        const double drop = kDrop * style.size;
        text({box.centre.x - drop * std::sin(box.angle), box.centre.y + drop * std::cos(box.angle)}, words, style);
    }
    void line(Point a, Point b, const char* color, double width) {
        body_ += fmt::format(
            "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{:g}\"/>\n",
            a.x, a.y, b.x, b.y, color, width);
    }

    void grid() {
        constexpr const char *kMinor = "#eef1f4", *kMajor = "#cfd6dd";
        for (bool major : {false, true}) {
            for (const Tick& tick : x_ticks_)
                if (tick.label.empty() != major)
                    line(place({tick.at, 0}), place({tick.at, 1}), major ? kMajor : kMinor, 1);
            for (const Tick& tick : y_ticks_)
                if (tick.label.empty() != major)
                    line(place({0, tick.at}), place({1, tick.at}), major ? kMajor : kMinor, 1);
        }
    }

    void curves(Placer& placer) {
        std::vector<std::vector<Path>> all;
        for (const Curve& curve : chart_.curves) {
            all.push_back(visible_paths(curve, x_, y_));
            for (Path& path : all.back()) {
                for (Point& point : path) point = place(point);
                for (std::size_t i = 0; i + 1 < path.size(); ++i) placer.add_line(path[i], path[i + 1], all.size() - 1);
            }
        }
        for (bool strong : {false, true})
            for (std::size_t i = 0; i < all.size(); ++i)
                if (chart_.curves[i].strong == strong)
                    for (const Path& path : all[i]) polyline(path, i);
        for (const Mark& mark : chart_.marks)
            if (visible(mark)) placer.add_box({place_of(mark), kRadius + 3, kRadius + 3, 0});
        for (bool strong : {true, false})
            for (std::size_t i = 0; i < all.size(); ++i)
                if (chart_.curves[i].strong == strong && !all[i].empty()) name_curve(placer, all[i], i);
    }
    // A curve without a name is a help line.
    const Pen& pen(std::size_t curve) const {
        constexpr static Pen kStrong = {kSvgInk, ""}, kHelp = {kSvgQuiet, ""};
        if (chart_.curves[curve].strong) return kStrong;
        return chart_.curves[curve].name.empty() ? kHelp : kPens[curve % std::size(kPens)];
    }
    const char* color_of(std::size_t curve) const { return pen(curve).color; }

    void polyline(const Path& path, std::size_t curve) {
        const bool strong = chart_.curves[curve].strong;
        body_ += "<polyline points=\"";
        for (std::size_t i = 0; i < path.size(); ++i)
            body_ += fmt::format("{}{:.1f},{:.1f}", i == 0 ? "" : " ", path[i].x, path[i].y);
        body_ += fmt::format("\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\" stroke-linejoin=\"round\"",
                             color_of(curve),
                             strong                              ? 3
                             : chart_.curves[curve].name.empty() ? 1.0
                                                                 : 1.6);
        if (*pen(curve).dashes != '\0') body_ += fmt::format(" stroke-dasharray=\"{}\"", pen(curve).dashes);
        body_ += "/>\n";
    }
    void name_curve(Placer& placer, const std::vector<Path>& paths, std::size_t curve) {
        const std::string name = fitting(printable(chart_.curves[curve].name), (right_ - left_) / 2, kLabelSize);
        if (name.empty()) return;
        Text style;
        style.color = color_of(curve);
        style.bold = chart_.curves[curve].strong;
        const double width = text_width(name, kLabelSize) * (style.bold ? kBoldWider : 1);
        if (const auto box = placer.place_along(paths, curve, width, kLabelSize + 2)) return text_in(*box, name, style);
        unnamed_.push_back(curve);  // no room in the picture: below it
    }

    bool visible(const Mark& mark) const { return x_.holds(mark.x) && y_.holds(mark.y); }
    Point place_of(const Mark& mark) const {
        return place({std::clamp(x_.unit(mark.x), 0.0, 1.0), std::clamp(y_.unit(mark.y), 0.0, 1.0)});
    }

    void marks(Placer& placer) {
        for (bool strong : {true, false})
            for (std::size_t i = 0; i < chart_.marks.size(); ++i) {
                const Mark& mark = chart_.marks[i];
                if (mark.strong != strong) continue;
                if (!visible(mark)) {
                    listed_.push_back(mark.name + " (outside the picture)");
                    continue;
                }
                mark_and_name(placer, mark, letter_of(i));
            }
    }
    void mark_and_name(Placer& placer, const Mark& mark, const std::string& letter) {
        constexpr double kMaxWidth = 330;
        const Point at = place_of(mark);
        Text style;
        style.bold = mark.strong;
        const auto placed = [&](const std::string& name) {
            const double width = text_width(name, kLabelSize) * (mark.strong ? kBoldWider : 1);
            return placer.place_near(at, kRadius, width, kLabelSize + 2);
        };
        std::string name = printable(mark.name);
        auto near = text_width(name, kLabelSize) > kMaxWidth ? std::nullopt : placed(name);
        if (!near) {
            listed_.push_back(letter + ": " + name);
            name = letter;
            near = placed(name);
        }
        if (near && near->needs_leader) line(at, near->leader, kSvgQuiet, 0.8);
        body_ += fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:g}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"2\"/>\n", at.x,
            at.y, kRadius, mark.strong ? kMarkColor : "#ffffff", kMarkColor);
        if (!near) return text_in({at, kRadius, kRadius, 0}, name, style);  // crowded out: the letter on the mark
        if (near->side == 0) return text_in(near->box, name, style);
        style.halo = true;
        style.anchor = near->side > 0 ? "start" : "end";
        text({near->box.centre.x - near->side * near->box.half_width, near->box.centre.y + kDrop * kLabelSize}, name,
             style);
    }

    void axes() {
        body_ += fmt::format(
            "<path d=\"M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}\" fill=\"none\" stroke=\"{4}\" stroke-width=\"1.2\"/>\n", left_,
            top_, bottom_, right_, kSvgInk);
        Text tick_style;
        tick_style.size = kTickSize;
        tick_style.color = kSvgQuiet;
        tick_style.anchor = "middle";
        double used = 0;  // numbers that would touch go unnamed
        for (const Tick& tick : x_ticks_) {
            if (tick.label.empty()) continue;
            const Point at = place({tick.at, 0});
            const double half = text_width(tick.label, kTickSize) / 2;
            line(at, {at.x, at.y + 5}, kSvgInk, 1);
            if (at.x - half < used || at.x + half > kWidth) continue;
            text({at.x, at.y + 19}, tick.label, tick_style);
            used = at.x + half + 4;
        }
        tick_style.anchor = "end";
        for (const Tick& tick : y_ticks_) {
            if (tick.label.empty()) continue;
            const Point at = place({0, tick.at});
            line({at.x - 5, at.y}, at, kSvgInk, 1);
            text({at.x - 9, at.y + 4}, tick.label, tick_style);
        }
        Text title;
        title.size = kAxisSize;
        title.anchor = "middle";
        text({(left_ + right_) / 2, bottom_ + 42}, fitting(printable(chart_.x.title), right_ - left_, kAxisSize),
             title);
        title.angle = -std::numbers::pi / 2;
        text({kChartSide + 8, (top_ + bottom_) / 2}, fitting(printable(chart_.y.title), bottom_ - top_, kAxisSize),
             title);
        Text head;
        head.size = kTitleSize;
        head.bold = true;
        text({kChartSide, kChartSide + kTitleSize - 4},
             fitting(printable(chart_.title), (kWidth - 2 * kChartSide) / kBoldWider, kTitleSize), head);
        Text under;
        under.size = kSubtitleSize;
        under.color = kSvgQuiet;
        double y = kChartSide + (chart_.title.empty() ? 0 : kTitleSize + 4) + kSubtitleSize - 2;
        for (const std::string& part : subtitle_) text({kChartSide, y}, part, under), y += kLine;
    }

    // Names without a place, and the notes. Yields the height of the document.
    double below() {
        double y = bottom_ + (chart_.x.title.empty() ? 24 : 46);
        Text style;
        style.size = kNoteSize;
        for (std::size_t curve : unnamed_) {
            y += kLine;
            const double middle = y - 4;
            polyline({{left_, middle}, {left_ + 36, middle}}, curve);
            text({left_ + 44, y},
                 fitting(printable(chart_.curves[curve].name), kWidth - left_ - 44 - kChartSide, kNoteSize), style);
        }
        // Letters in order; marks outside the picture have none, and come where their names do.
        std::sort(listed_.begin(), listed_.end());
        for (const std::string& entry : listed_) {
            y += kLine;
            text({left_, y}, fitting(printable(entry), kWidth - left_ - kChartSide, kNoteSize), style);
        }
        style.color = kSvgQuiet;
        if (!chart_.notes.empty()) y += 6;
        for (const std::string& note : chart_.notes)
            for (const std::string& part : wrapped(note, kNoteSize)) text({kChartSide, y += kLine}, part, style);
        return std::ceil(y + kChartSide - 4);
    }

    static constexpr double kRadius = 5.5;

    const Chart& chart_;
    Scale x_, y_;
    std::vector<Tick> x_ticks_, y_ticks_;
    std::vector<std::string> subtitle_, listed_;
    std::vector<std::size_t> unnamed_;
    double left_ = 0, top_ = 0, right_ = 0, bottom_ = 0;
    std::string body_;
};

}  // namespace

std::string chart_svg(const Chart& chart) { return SvgDrawing(chart).draw(); }

}  // namespace tilescope::views
