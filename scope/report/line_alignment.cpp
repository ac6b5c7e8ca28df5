#include "scope/report/line_alignment.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "scope/report/format.h"

namespace tilescope::report {
namespace {

using Lines = std::vector<const LineProfile*>;
struct Sides {
    Lines before, after;
};
using Files = std::map<std::string, Sides>;

// Of a file that has another name now.
void join_renamed(Files& files) {
    std::vector<Files::iterator> gone, come;
    for (auto file = files.begin(); file != files.end(); ++file) {
        if (file->second.after.empty()) gone.push_back(file);
        if (file->second.before.empty()) come.push_back(file);
    }
    if (gone.size() != 1 || come.size() != 1) return;
    come.front()->second.before = std::move(gone.front()->second.before);
    files.erase(gone.front());
}

// How much speaks for two lines being one; 0: nothing. What they count weighs most, the number decides among equals.
double alikeness(const LineProfile& before, const LineProfile& after) {
    constexpr double kNoise = 1e-3, kHalf = 0.5, kSameNumber = 0.25, kMostOther = 0.3;
    std::size_t both = 0, either = 0, equal = 0;
    for (std::size_t i = 0; i < kCounterCount; ++i) {
        if (is_modelled(static_cast<Counter>(i))) continue;
        const auto a = static_cast<double>(before.counters.values[i]),
                   b = static_cast<double>(after.counters.values[i]);
        if (a <= 0 && b <= 0) continue;
        ++either;
        if (a <= 0 || b <= 0) continue;
        ++both;
        equal += std::fabs(a - b) <= kNoise * std::max(a, b) ? 1 : 0;
    }
    if (both == 0) return 0;
    const double shared = static_cast<double>(both) / static_cast<double>(either);
    const bool is_same_number = before.line == after.line;
    if (shared < (is_same_number ? kMostOther : kHalf)) return 0;
    return shared + static_cast<double>(equal) / static_cast<double>(either) + (is_same_number ? kSameNumber : 0);
}

// The pairs with most alikeness of all that keep the order.
void align(const Lines& before, const Lines& after, std::vector<LinePair>& pairs) {
    const std::size_t rows = before.size(), columns = after.size();
    std::vector<double> best((rows + 1) * (columns + 1), 0), alike(rows * columns, 0);
    const auto at = [&](std::size_t i, std::size_t j) -> double& { return best[i * (columns + 1) + j]; };
    for (std::size_t i = rows; i-- > 0;)
        for (std::size_t j = columns; j-- > 0;) {
            const double value = alike[i * columns + j] = alikeness(*before[i], *after[j]);
            at(i, j) = std::max({at(i + 1, j), at(i, j + 1), value > 0 ? value + at(i + 1, j + 1) : 0});
        }
    std::size_t i = 0, j = 0;
    while (i < rows || j < columns) {
        if (i < rows && j < columns && alike[i * columns + j] > 0 &&
            at(i, j) <= alike[i * columns + j] + at(i + 1, j + 1)) {
            pairs.emplace_back(before[i++], after[j++]);
        } else if (j == columns || (i < rows && at(i + 1, j) >= at(i, j + 1))) {
            pairs.emplace_back(before[i++], nullptr);
        } else {
            pairs.emplace_back(nullptr, after[j++]);
        }
    }
}

// Too many for the table of all pairs: by their numbers alone.
void align_by_number(const Lines& before, const Lines& after, std::vector<LinePair>& pairs) {
    std::size_t i = 0, j = 0;
    while (i < before.size() || j < after.size()) {
        if (j == after.size() || (i < before.size() && before[i]->line < after[j]->line))
            pairs.emplace_back(before[i++], nullptr);
        else if (i == before.size() || after[j]->line < before[i]->line)
            pairs.emplace_back(nullptr, after[j++]);
        else
            pairs.emplace_back(before[i++], after[j++]);
    }
}

}  // namespace

std::vector<LinePair> align_lines(const std::vector<LineProfile>& before, const std::vector<LineProfile>& after) {
    Files files;
    const auto add = [&](const std::vector<LineProfile>& lines, Lines Sides::*side) {
        for (const LineProfile& line : lines)
            if (line.line != 0 && !line.counters.empty())
                (files[std::string(file_name(line.file))].*side).push_back(&line);
    };
    add(before, &Sides::before);
    add(after, &Sides::after);
    join_renamed(files);
    std::vector<LinePair> pairs;
    for (auto& [name, sides] : files) {
        constexpr std::size_t kMostPairs = 250'000;
        for (Lines* lines : {&sides.before, &sides.after})
            std::stable_sort(lines->begin(), lines->end(),
                             [](const LineProfile* a, const LineProfile* b) { return a->line < b->line; });
        if (sides.before.size() * sides.after.size() > kMostPairs)
            align_by_number(sides.before, sides.after, pairs);
        else
            align(sides.before, sides.after, pairs);
    }
    return pairs;
}

}  // namespace tilescope::report
