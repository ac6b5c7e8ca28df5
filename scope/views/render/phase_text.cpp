// A phase table for a terminal: one table for each phase, a row for each thread.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "scope/report/format.h"
#include "scope/views/render/ink.h"
#include "scope/views/render/phase_view.h"
#include "scope/views/words/phases.h"

namespace tilescope::views {

using namespace report;
namespace {

constexpr std::string_view kBorder = " │ ", kBarrier = " ║ ";
constexpr std::size_t kBorderWidth = 3, kTextMargin = 2;

std::string wrapped_lines(const std::string& text, std::size_t width) {
    std::string result;
    for (const std::string& line : wrap(text, width - kTextMargin))
        result += (result.empty() ? "" : "  ") + line + "\n";
    return result;
}

// A column of the picture: its width and, for each row, its lines.
struct TextColumn {
    std::string title;
    bool behind_barrier = false;
    std::vector<std::vector<std::string>> statements;  // by row
    std::size_t natural = 0, least = 0, width = 0;
};

class PhaseText {
public:
    PhaseText(const PhaseTable& table, const Phase& phase, const ViewOptions& options)
        : table_(table), phase_(phase), options_(options) {
        for (std::size_t c = 0; c < phase.columns.size(); ++c) columns_.push_back(make(c));
        threads_ = columns(thread_heading(table.block));
        for (const PhaseRow& row : phase.rows)
            threads_ = std::max(threads_, columns(thread_name(row.thread, table.block)));
    }

    std::string draw() {
        std::string text = ink(options_, Ink::kBold, phase_title(phase_, table_)) + "\n";
        // As many columns side by side as have room at their narrowest.
        for (std::size_t from = 0; from < columns_.size();) {
            std::size_t to = from, used = kTextMargin + threads_;
            while (to < columns_.size() && (to == from || used + kBorderWidth + columns_[to].least <= options_.width))
                used += kBorderWidth + columns_[to++].least;
            share(from, to);
            text += draw_columns(from, to);
            from = to;
            if (from < columns_.size()) text += "\n";
        }
        if (phase_.other_threads != 0)
            text += "  " + wrapped_lines(fmt::format("{} more {}: {}", thousands(phase_.other_threads),
                                                     phase_.other_threads == 1 ? "thread" : "threads",
                                                     counts_text(phase_.others)),
                                         options_.width);
        return text;
    }

private:
    TextColumn make(std::size_t index) const {
        TextColumn column;
        column.title = column_title(phase_.columns[index]);
        column.behind_barrier = index > 0 && phase_.columns[index].interval != phase_.columns[index - 1].interval;
        column.natural = column.least = columns(column.title);
        for (const PhaseRow& row : phase_.rows) {
            column.statements.push_back(cell_lines(row.cells[index], options_.verbose));
            for (std::string& statement : column.statements.back()) {
                statement = printable(statement);
                column.natural = std::max(column.natural, columns(statement));
                column.least = std::max(column.least, narrowest(statement));
            }
        }
        return column;
    }

    // Widths for the columns [from, to): natural ones, the widest cut down until all fit.
    void share(std::size_t from, std::size_t to) {
        std::size_t used = kTextMargin + threads_;
        for (std::size_t c = from; c < to; ++c) {
            columns_[c].width = columns_[c].natural;
            used += kBorderWidth + columns_[c].width;
        }
        while (used > options_.width) {
            TextColumn* widest = nullptr;
            for (std::size_t c = from; c < to; ++c)
                if (columns_[c].width > columns_[c].least && (!widest || columns_[c].width > widest->width))
                    widest = &columns_[c];
            if (!widest) return;
            --widest->width;
            --used;
        }
    }

    std::string_view border(std::size_t c) const { return columns_[c].behind_barrier ? kBarrier : kBorder; }

    std::string draw_columns(std::size_t from, std::size_t to) const {
        std::string head = "  " + padded(thread_heading(table_.block), threads_), rule = "  ";
        for (std::size_t i = 0; i < threads_; ++i) rule += "─";
        for (std::size_t c = from; c < to; ++c) {
            head += std::string(border(c)) + padded(columns_[c].title, columns_[c].width);
            rule += columns_[c].behind_barrier ? "─╫─" : "─┼─";
            for (std::size_t i = 0; i < columns_[c].width; ++i) rule += "─";
        }
        std::string text = trimmed(head) + "\n" + ink(options_, Ink::kDim, rule) + "\n";
        for (std::size_t r = 0; r < phase_.rows.size(); ++r) text += draw_row(r, from, to);
        return text;
    }

    std::string draw_row(std::size_t r, std::size_t from, std::size_t to) const {
        std::vector<std::vector<std::string>> cells;
        std::size_t height = 1;
        for (std::size_t c = from; c < to; ++c) {
            cells.emplace_back();
            for (const std::string& statement : columns_[c].statements[r])
                for (std::string& line : wrap_statement(statement, columns_[c].width))
                    cells.back().push_back(std::move(line));
            height = std::max(height, cells.back().size());
        }
        std::string text;
        for (std::size_t l = 0; l < height; ++l) {
            std::string line = "  " + padded(l == 0 ? thread_name(phase_.rows[r].thread, table_.block) : "", threads_);
            for (std::size_t c = from; c < to; ++c) {
                const auto& cell = cells[c - from];
                line += std::string(border(c)) + padded(l < cell.size() ? cell[l] : "", columns_[c].width);
            }
            text += trimmed(line) + "\n";
        }
        return text;
    }

    static std::string trimmed(std::string line) {
        line.erase(line.find_last_not_of(' ') + 1);
        return line;
    }

    const PhaseTable& table_;
    const Phase& phase_;
    const ViewOptions& options_;
    std::vector<TextColumn> columns_;
    std::size_t threads_ = 0;
};

}  // namespace

std::string phase_text_view(const PhaseTable& table, const ViewOptions& options) {
    std::string text = ink(options, Ink::kBold, printable(table.kernel)) + "\n";
    std::string about = table_title(table);
    if (!table.file.empty()) about += " · lines of " + printable(file_name(table.file));
    text += "  " + wrapped_lines(about, options.width);
    for (const std::string& line : array_lines(table)) text += "  " + cut(line, options.width - kTextMargin) + "\n";
    bool barriers = false;
    for (const Phase& phase : table.phases) {
        text += "\n";
        if (phase.rows.empty())
            text +=
                ink(options, Ink::kBold, phase_title(phase, table)) + "\n  " +
                wrapped_lines(fmt::format("{} threads: {}", thousands(phase.other_threads), counts_text(phase.others)),
                              options.width);
        else
            text += PhaseText(table, phase, options).draw();
        barriers |= phase.last_interval != phase.first_interval && !phase.rows.empty();
    }
    text += "\n" + wrapped_lines(summary(table), options.width);
    if (barriers)
        text += wrapped_lines("║ is a barrier: nobody passes before all threads of the block are there", options.width);
    for (const std::string& note : table.notes) text += wrapped_lines(printable(note), options.width);
    return text;
}

}  // namespace tilescope::views
