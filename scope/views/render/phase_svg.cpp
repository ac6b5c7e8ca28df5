// A phase table as an SVG document: phases side by side while the page is wide enough, barriers as heavy lines.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "scope/report/format.h"
#include "scope/views/render/phase_view.h"
#include "scope/views/render/svg_text.h"
#include "scope/views/words/phases.h"

namespace tilescope::views {

using namespace report;
namespace {

constexpr double kMargin = 28, kWidest = 1280, kNarrowest = 560;
constexpr double kCellSize = 13, kCharacter = 0.602 * kCellSize, kCellLine = 18;  // a fixed-width face
constexpr double kPad = 10, kRowPad = 7, kGroupGap = 26, kBarrierGap = 18;
constexpr std::size_t kCellColumns = 32;  // statements are broken beyond that
constexpr const char *kTableRule = "#d5dbe1", *kBarrierInk = "#b42318";
constexpr const char* kMono = "'DejaVu Sans Mono','Liberation Mono',Menlo,Consolas,monospace";

// Behind a column's cells and its title.
struct Tint {
    ColumnKind kind;
    const char *head, *cells;
};
constexpr Tint kTints[] = {{ColumnKind::kLoad, "#d6e6f7", "#f3f8fd"},
                           {ColumnKind::kStore, "#d5eddc", "#f3faf5"},
                           {ColumnKind::kCompute, "#fde8c4", "#fffaf0"},
                           {ColumnKind::kAtomic, "#f7d9d5", "#fdf5f4"},
                           {ColumnKind::kOther, "#e4e8ec", "#f7f9fa"}};

constexpr Tint kResults = {ColumnKind::kStore, "#ecdcf5", "#faf6fd"};  // stores that leave the block

const Tint& tint_of(ColumnKind kind) {
    for (const Tint& tint : kTints)
        if (tint.kind == kind) return tint;
    return kTints[std::size(kTints) - 1];
}

struct SvgColumn {
    const PhaseColumn* about = nullptr;
    std::vector<std::vector<std::string>> cells;  // by row, in lines
    double x = 0, width = 0;
    bool behind_barrier = false;
};

struct Panel {
    const Phase* phase = nullptr;
    std::vector<SvgColumn> columns;
    double width = 0;
};

class Picture {
public:
    Picture(const PhaseTable& table, bool everything) : table_(table), everything_(everything) {
        for (const PhaseRow& row : first_rows())
            threads_ = std::max(threads_, columns(thread_name(row.thread, table.block)));
        threads_ = std::max(threads_, columns(thread_heading(table.block)));
    }

    std::string draw() {
        head();
        std::vector<Panel> group;
        double used = 0;
        for (const Phase& phase : table_.phases) {
            Panel panel = make(phase);
            const double more = panel.width + (group.empty() ? 0 : kBarrierGap);
            if (phase.rows.empty() || (!group.empty() && left() + used + more > kWidest - kMargin)) {
                draw_group(group);
                group.clear();
                used = 0;
            }
            if (phase.rows.empty()) {
                line_of(phase_title(phase, table_) + ": " + thousands(phase.other_threads) + " threads, " +
                        counts_text(phase.others));
                y_ += kGroupGap / 2;
                continue;
            }
            used += panel.width + (group.empty() ? 0 : kBarrierGap);
            group.push_back(std::move(panel));
        }
        draw_group(group);
        foot();
        const double height = std::ceil(y_ + kMargin - kCellLine / 2);
        return fmt::format(
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 "
                   "{0:.0f} "
                   "{1:.0f}\" role=\"img\" font-family=\"sans-serif\">\n<title>{2}</title>\n"
                   "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#ffffff\"/>\n",
                   width_, height, svg_escaped(table_.kernel)) +
               body_ + "</svg>\n";
    }

private:
    const std::vector<PhaseRow>& first_rows() const {
        static const std::vector<PhaseRow> kNone;
        for (const Phase& phase : table_.phases)
            if (!phase.rows.empty()) return phase.rows;
        return kNone;
    }

    // Where the first panel of a group begins: behind the column of threads.
    double left() const { return kMargin + static_cast<double>(threads_) * kCharacter + 2 * kPad; }

    void text(double x, double y, const std::string& words, double size, const char* color,
              std::string_view more = {}) {
        body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\" fill=\"{}\"{}{}>{}</text>\n", x, y,
                             size, color, more.empty() ? "" : " ", more, svg_escaped(words));
    }
    void cell_text(double x, double y, const std::string& words, const char* color = kSvgInk) {
        text(x, y, words, kCellSize, color, fmt::format("font-family=\"{}\" xml:space=\"preserve\"", kMono));
    }
    void box(double x, double y, double width, double height, const char* fill) {
        body_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", x, y,
                             width, height, fill);
    }
    void rule(double x1, double y1, double x2, double y2, const char* color, double width) {
        body_ += fmt::format(
            "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{:g}\"/>\n", x1,
            y1, x2, y2, color, width);
    }
    // A barrier between what stands left and right of x.
    void barrier(double x, double from, double to) {
        rule(x - 2, from, x - 2, to, kBarrierInk, 1.6);
        rule(x + 2, from, x + 2, to, kBarrierInk, 1.6);
    }

    // A line of plain text, broken where it is too long for the page.
    void line_of(const std::string& words, double size = kCellSize, const char* color = kSvgInk) {
        constexpr double kAverage = 0.56;  // of the size: width of a letter of ordinary text
        const auto room = static_cast<std::size_t>((kWidest - 2 * kMargin) / (size * kAverage));
        for (const std::string& part : wrap(printable(words), room)) {
            text(kMargin, y_, part, size, color);
            widen(kMargin + static_cast<double>(columns(part)) * size * kAverage);
            y_ += kCellLine;
        }
    }
    void widen(double to) { width_ = std::clamp(to + kMargin, width_, kWidest); }

    void head() {
        constexpr double kTitleSize = 17;
        y_ = kMargin + kTitleSize / 2;
        text(kMargin, y_, cut(printable(table_.kernel), 120), kTitleSize, kSvgInk, "font-weight=\"bold\"");
        y_ += kCellLine + 4;
        std::string about = table_title(table_);
        if (!table_.file.empty()) about += " · lines of " + std::string(file_name(table_.file));
        line_of(about, kCellSize, kSvgQuiet);
        for (const std::string& line : array_lines(table_)) {
            cell_text(kMargin, y_, cut(printable(line), 150), kSvgQuiet);
            widen(kMargin + static_cast<double>(std::min<std::size_t>(150, columns(line))) * kCharacter);
            y_ += kCellLine;
        }
        y_ += 8;
    }

    void foot() {
        line_of(summary(table_), kCellSize, kSvgInk);
        if (has_barrier_)
            line_of("Red double lines are barriers: nobody passes before all threads of the block are there.",
                    kCellSize, kSvgQuiet);
        for (const std::string& note : table_.notes) line_of(note, kCellSize, kSvgQuiet);
    }

    Panel make(const Phase& phase) const {
        Panel panel{&phase, {}, 0};
        for (std::size_t c = 0; c < phase.columns.size(); ++c) {
            SvgColumn column;
            column.about = &phase.columns[c];
            column.behind_barrier = c > 0 && phase.columns[c].interval != phase.columns[c - 1].interval;
            std::vector<std::vector<std::string>> statements;
            std::size_t room = kCellColumns;
            for (const PhaseRow& row : phase.rows) {
                statements.push_back(cell_lines(row.cells[c], everything_));
                for (std::string& statement : statements.back()) {
                    statement = printable(statement);
                    room = std::max(room, narrowest(statement));
                }
            }
            std::size_t widest = columns(column_title(phase.columns[c]));
            for (const auto& cell : statements) {
                auto& lines = column.cells.emplace_back();
                for (const std::string& statement : cell)
                    for (std::string& line : wrap_statement(statement, room)) {
                        widest = std::max(widest, columns(line));
                        lines.push_back(std::move(line));
                    }
            }
            if (column.behind_barrier) panel.width += kBarrierGap;
            column.x = panel.width;
            column.width = static_cast<double>(widest) * kCharacter + 2 * kPad;
            panel.width += column.width;
            panel.columns.push_back(std::move(column));
        }
        return panel;
    }

    static std::size_t height_of(const std::vector<Panel>& group, std::size_t row) {
        std::size_t lines = 1;
        for (const Panel& panel : group)
            for (const SvgColumn& column : panel.columns) lines = std::max(lines, column.cells[row].size());
        return lines;
    }

    void draw_group(const std::vector<Panel>& group) {
        if (group.empty()) return;
        constexpr double kHead = 26;
        const double titles = y_ + 6, head = y_ + 16, top = head + kHead;
        const std::vector<PhaseRow>& rows = group[0].phase->rows;
        std::vector<double> tops{top};
        for (std::size_t r = 0; r < rows.size(); ++r)
            tops.push_back(tops.back() + static_cast<double>(height_of(group, r)) * kCellLine + 2 * kRowPad);
        double x = left();
        cell_text(kMargin, head + kCellLine, thread_heading(table_.block), kSvgQuiet);
        for (std::size_t p = 0; p < group.size(); ++p) {
            if (p > 0) {
                barrier(x + kBarrierGap / 2, titles - 10, tops.back());
                has_barrier_ = true;
                x += kBarrierGap;
            }
            draw_panel(group[p], x, titles, head, tops);
            x += group[p].width;
        }
        for (std::size_t r = 0; r < rows.size(); ++r)
            cell_text(kMargin, tops[r] + kRowPad + kCellLine - 5, thread_name(rows[r].thread, table_.block));
        for (double at : tops) rule(kMargin, at, x, at, kTableRule, 1);
        widen(x);
        y_ = tops.back() + kCellLine + 2;
        for (const Panel& panel : group)
            if (panel.phase->other_threads != 0)
                line_of(phase_title(*panel.phase, table_) + ", " + thousands(panel.phase->other_threads) +
                            " more threads: " + counts_text(panel.phase->others),
                        kCellSize, kSvgQuiet);
        y_ += kGroupGap / 2;
    }

    bool leaves_block(const PhaseColumn& column) const {
        if (column.kind != ColumnKind::kStore) return false;
        return std::none_of(table_.arrays.begin(), table_.arrays.end(), [&](const PhaseArray& array) {
            return array.name == column.array && array.space == PhaseSpace::kShared;
        });
    }

    void draw_panel(const Panel& panel, double x, double titles, double head, const std::vector<double>& tops) {
        text(x, titles, phase_title(*panel.phase, table_), kCellSize + 0.5, kSvgInk, "font-weight=\"bold\"");
        for (const SvgColumn& column : panel.columns) {
            const Tint& tint = leaves_block(*column.about) ? kResults : tint_of(column.about->kind);
            box(x + column.x, head, column.width, tops[0] - head, tint.head);
            box(x + column.x, tops[0], column.width, tops.back() - tops[0], tint.cells);
            if (column.behind_barrier) {
                barrier(x + column.x - kBarrierGap / 2, titles - 10, tops.back());
                has_barrier_ = true;
            } else if (column.x > 0) {
                rule(x + column.x, head, x + column.x, tops.back(), "#ffffff", 2);
            }
            cell_text(x + column.x + kPad, head + kCellLine, column_title(*column.about));
            for (std::size_t r = 0; r < column.cells.size(); ++r)
                for (std::size_t l = 0; l < column.cells[r].size(); ++l)
                    cell_text(x + column.x + kPad, tops[r] + kRowPad + kCellLine * static_cast<double>(l + 1) - 5,
                              column.cells[r][l]);
        }
    }

    const PhaseTable& table_;
    bool everything_;
    std::size_t threads_ = 0;
    std::string body_;
    double y_ = 0, width_ = kNarrowest;
    bool has_barrier_ = false;
};

}  // namespace

std::string phase_svg_view(const PhaseTable& table, bool everything) { return Picture(table, everything).draw(); }

}  // namespace tilescope::views
