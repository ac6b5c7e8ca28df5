#include "scope/views/render/table_text.h"

#include <algorithm>
#include <numeric>

#include "scope/report/format.h"

namespace tilescope::views {

using namespace report;
namespace {

// Columns of figures by what they hold; texts are left-aligned, the last one without an end.
constexpr std::size_t kCountCell = 13, kShareCell = 7, kBytesCell = 15, kTextCell = 10;
constexpr std::size_t kLongestName = 24, kPartIndent = 2;

std::size_t width_of(Unit unit) {
    if (unit == Unit::kShare) return kShareCell;
    return unit == Unit::kBytes ? kBytesCell : kCountCell;
}

// The unit stands in the heading.
std::string cell_text(const Value& value) {
    if (const auto* whole = std::get_if<std::uint64_t>(&value.amount)) return thousands(*whole);
    return amount_text(value);
}

// Each column as wide as its widest figure needs, and, unless `is_tight`, as wide as figures of its unit usually are.
std::vector<std::size_t> widths_of(const Row& table, bool is_tight) {
    constexpr std::size_t kBetween = 2;
    std::vector<std::size_t> widths;
    for (std::size_t i = 1; i < table.columns.size(); ++i) {
        std::size_t width = columns(table.columns[i]) + kBetween;
        for (const Row& row : table.rows) {
            if (i > row.values.size()) continue;
            const Value& value = row.values[i - 1];
            const bool is_usual = !is_tight && value.unit != Unit::kText && value.unit != Unit::kPlain;
            width = std::max({width, columns(cell_text(value)) + kBetween, is_usual ? width_of(value.unit) : 0});
        }
        widths.push_back(width);
    }
    return widths;
}

// With a heading the columns are figures; without one they are texts, behind which figures only stand for programs.
std::string row_text(const Row& row, std::size_t name_width, bool has_heading, const std::vector<std::size_t>& widths) {
    std::string text = padded(cut(row.label, name_width), name_width) + (has_heading ? " " : "  ");
    for (std::size_t i = 0; i < row.values.size(); ++i) {
        const Value& value = row.values[i];
        // Figures behind the last column only stand for programs.
        if (has_heading && i >= widths.size()) break;
        if (has_heading)
            text += right_aligned(cell_text(value), i < widths.size() ? widths[i] : width_of(value.unit));
        else if (value.unit == Unit::kText)
            text += i == 0 ? padded(amount_text(value), kTextCell) : amount_text(value);
    }
    if (has_heading) text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

}  // namespace

std::vector<std::string> table_lines(const Row& table, std::size_t width) {
    const bool has_heading = !table.columns.empty();
    std::vector<std::size_t> widths = widths_of(table, /*is_tight=*/false);
    if (has_heading && width < std::accumulate(widths.begin(), widths.end(), columns(table.columns.front()) + 1))
        widths = widths_of(table, /*is_tight=*/true);
    std::size_t name_width = has_heading ? columns(table.columns.front()) : 0, longest = kLongestName;
    if (has_heading) {
        longest = width - std::min(width, std::accumulate(widths.begin(), widths.end(), std::size_t{1}));
        longest = std::max(longest, name_width);
    }
    for (const Row& row : table.rows) name_width = std::max(name_width, std::min(columns(row.label), longest));
    std::vector<std::string> lines;
    if (has_heading && !table.rows.empty()) {
        std::string heading = padded(table.columns.front(), name_width) + " ";
        for (std::size_t i = 1; i < table.columns.size(); ++i)
            heading += right_aligned(table.columns[i], widths[i - 1]);
        heading.erase(heading.find_last_not_of(' ') + 1);
        lines.push_back(cut(heading, width));
    }
    for (const Row& row : table.rows) {
        lines.push_back(cut(row_text(row, name_width, has_heading, widths), width));
        for (const Row& part : row.rows)
            for (const std::string& text : wrap(part.text, width - std::min(width, kPartIndent)))
                lines.push_back(std::string(kPartIndent, ' ') + text);
    }
    return lines;
}

}  // namespace tilescope::views
