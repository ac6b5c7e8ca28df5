#include "scope/views/words/phases.h"

#include <algorithm>

#include <fmt/format.h>

#include "scope/report/format.h"

namespace tilescope::views {
namespace {

std::string sum_text(const PhaseStatement& statement, std::size_t max_terms) {
    constexpr std::size_t kFirst = 2;
    const auto& terms = statement.terms;
    const bool all = terms.size() <= max_terms && statement.term_count == terms.size();
    std::string text;
    auto add = [&](std::string_view term) {
        const bool minus = term.starts_with('-') && !text.empty();
        if (!text.empty()) text += minus ? " - " : " + ";
        text += term.substr(minus ? 1 : 0);
    };
    for (std::size_t i = 0; i < terms.size(); ++i)
        if (all || i < kFirst || i + 1 == terms.size() || (max_terms == kAllTerms && i + 1 < terms.size())) {
            if (!all && i + 1 == terms.size()) add("…");
            add(terms[i]);
        }
    if (!all) text += fmt::format(" ({} terms)", statement.term_count);
    return text;
}

std::string lines_text(const std::vector<std::uint32_t>& lines) {
    if (lines.empty()) return {};
    if (lines.size() == 1) return fmt::format(" :{}", lines[0]);
    return fmt::format(" :{}–{}", lines.front(), lines.back());
}

// Words, with signs and arrows in front of what they belong to.
std::vector<std::string> pieces(const std::string& text) {
    std::vector<std::string> result;
    std::string sign;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::string word = text.substr(at, end - at);
        at = end + 1;
        if (word == "+" || word == "-" || word == "→") {
            sign += word + " ";
        } else if ((word == "+=" || word == "=" || word == "terms)") && !result.empty()) {
            result.back() += " " + word;
        } else {
            result.push_back(sign + word);
            sign.clear();
        }
    }
    if (!sign.empty()) result.push_back(sign);
    return result;
}

constexpr std::size_t kHanging = 2;

struct CountName {
    std::uint64_t PhaseCounts::*count;
    const char *one, *many;
};
constexpr CountName kCountNames[] = {{&PhaseCounts::global_loads, "global load", "global loads"},
                                     {&PhaseCounts::global_stores, "global store", "global stores"},
                                     {&PhaseCounts::shared_stores, "shared store", "shared stores"},
                                     {&PhaseCounts::shared_loads, "shared load", "shared loads"},
                                     {&PhaseCounts::atomics, "atomic", "atomics"},
                                     {&PhaseCounts::flop, "FLOP", "FLOP"}};

bool is_line(const Dim3& extent) { return extent[1] == 1 && extent[2] == 1; }

}  // namespace

std::string statement_text(const PhaseStatement& statement, std::size_t max_terms) {
    const std::string value = sum_text(statement, max_terms);
    if (statement.kind == StatementKind::kCompute)
        return statement.target + (statement.accumulates ? " += " : " = ") + value;
    if (statement.kind == StatementKind::kAtomic)
        return fmt::format("atomic {}: {} → {}", statement.operation, value, statement.target);
    return statement.target.empty() ? value : value + " → " + statement.target;
}

std::vector<std::string> cell_lines(const PhaseCell& cell, bool everything) {
    std::vector<std::string> lines;
    const bool all = everything || cell.size() <= kShownStatements;
    const std::size_t shown = all ? cell.size() : kShownStatements - 2;
    const std::size_t terms = everything ? kAllTerms : kShownTerms;
    for (std::size_t i = 0; i < shown; ++i) lines.push_back(statement_text(cell[i], terms));
    if (all) return lines;
    lines.push_back(fmt::format("… {} more …", cell.size() - shown - 1));
    lines.push_back(statement_text(cell.back(), terms));
    return lines;
}

std::string column_title(const PhaseColumn& column) {
    const auto title = [&]() -> std::string {
        switch (column.kind) {
            case ColumnKind::kLoad: return column.array.empty() ? "loads" : "loads " + column.array;
            case ColumnKind::kStore: return column.array.empty() ? "stores" : "to " + column.array;
            case ColumnKind::kCompute: return "computes";
            case ColumnKind::kAtomic: return column.array.empty() ? "atomics" : "atomics on " + column.array;
            case ColumnKind::kOther: break;
        }
        return "also";
    };
    return title() + lines_text(column.lines);
}

std::vector<std::string> wrap_statement(const std::string& text, std::size_t width) {
    std::vector<std::string> lines;
    for (const std::string& piece : pieces(text)) {
        const std::size_t room = lines.empty() ? 0 : report::columns(lines.back());
        if (!lines.empty() && room + 1 + report::columns(piece) <= width)
            lines.back() += " " + piece;
        else
            lines.push_back(std::string(lines.empty() ? 0 : kHanging, ' ') + piece);
    }
    return lines;
}

std::size_t narrowest(const std::string& text) {
    std::size_t width = 0, indent = 0;
    for (const std::string& piece : pieces(text)) {
        width = std::max(width, indent + report::columns(piece));
        indent = kHanging;
    }
    return width;
}

std::string thread_name(std::uint32_t thread, const Dim3& block) {
    if (is_line(block)) return std::to_string(thread);
    const std::uint32_t x = std::max(1u, block[0]), y = std::max(1u, block[1]);
    std::string name = fmt::format("{}, {}", thread % x, thread / x % y);
    if (block[2] > 1) name += fmt::format(", {}", thread / x / y);
    return name;
}

std::string thread_heading(const Dim3& block) { return is_line(block) ? "x" : block[2] > 1 ? "x, y, z" : "x, y"; }

std::string counts_text(const PhaseCounts& least, const PhaseCounts& most) {
    std::string text;
    for (const CountName& row : kCountNames) {
        const std::uint64_t low = least.*row.count, high = most.*row.count;
        if (high == 0) continue;
        text += text.empty() ? "" : ", ";
        if (low != high) text += report::thousands(low) + " to ";
        text += report::thousands(high) + " " + (high == 1 ? row.one : row.many);
    }
    return text.empty() ? "nothing" : text;
}

std::string counts_text(const PhaseCounts& counts) { return counts_text(counts, counts); }

std::string phase_title(const Phase& phase, const PhaseTable& table) {
    if (phase.first == 0) return "after the last phase";
    if (phase.last > phase.first)
        return fmt::format("phases {} to {} of {}", phase.first, phase.last, table.phase_count);
    return fmt::format("phase {} of {}", phase.first, table.phase_count);
}

std::string table_title(const PhaseTable& table) {
    const auto& at = table.block_index;
    std::string block = std::to_string(at[0]);
    if (!is_line(table.grid)) block += ", " + std::to_string(at[1]);
    if (table.grid[2] > 1) block += ", " + std::to_string(at[2]);
    const bool alone = table.block == Dim3{1, 1, 1};
    std::string text =
        fmt::format("launch {} · block ({}) of {} · {} {}", table.launch, block, report::dimensions(table.grid),
                    report::dimensions(table.block), alone ? "thread" : "threads");
    if (!is_line(table.block)) text += ", named " + thread_heading(table.block);
    return text;
}

std::vector<std::string> array_lines(const PhaseTable& table) {
    std::vector<std::string> lines;
    for (const PhaseSpace space : {PhaseSpace::kGlobal, PhaseSpace::kConstant, PhaseSpace::kShared}) {
        std::string line;
        for (const PhaseArray& array : table.arrays) {
            if (array.space != space) continue;
            line += (line.empty() ? "" : "  ") + report::printable(array.name);
            if (array.shape.empty() && array.element_bytes != 0)
                line += fmt::format("[{}]", array.bytes / array.element_bytes);
            for (std::uint64_t size : array.shape) line += fmt::format("[{}]", size);
        }
        if (!line.empty()) lines.push_back(fmt::format("{:<9} {}", report::name_of(space), line));
    }
    return lines;
}

std::string summary(const PhaseTable& table) {
    std::string text = "each thread: " + counts_text(table.least, table.most);
    return text + fmt::format("; {} {}", table.phase_count, table.phase_count == 1 ? "phase" : "phases");
}

}  // namespace tilescope::views
