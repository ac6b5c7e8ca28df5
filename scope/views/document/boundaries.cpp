#include "scope/views/document/boundaries.h"

#include <fmt/format.h>

#include <set>
#include <string>

#include "scope/report/format.h"
#include "scope/views/words/boundaries.h"

namespace tilescope::views {
namespace {

Row boundary_words(std::string_view key, std::string label, std::string text) {
    Row row;
    row.key = key;
    row.label = std::move(label);
    row.text = std::move(text);
    return row;
}

Value boundary_told(std::string_view name, std::string text) {
    Value value;
    value.name = name;
    value.amount = std::move(text);
    value.unit = Unit::kText;
    return value;
}

std::string check_place(const BoundaryLine& line) {
    return fmt::format("{}:{}", report::printable(report::file_name(line.file)), line.line);
}

Row verdict_table(const Boundaries& boundaries) {
    Row table;
    table.kind = RowKind::kTable;
    table.key = "checks";
    table.label = "checks";
    table.columns = {"without"};
    for (const BoundarySize& size : boundaries.sizes)
        table.columns.push_back(size.size.empty() ? "verdict" : report::printable(size.size));
    for (const BoundaryLine& line : boundaries.lines) {
        if (line.outcomes.empty()) continue;
        Row row;
        row.label = check_place(line);
        for (const BoundaryOutcome& outcome : line.outcomes)
            row.values.push_back(boundary_told("verdict", std::string(report::name_of(outcome.verdict))));
        table.rows.push_back(std::move(row));
    }
    return table;
}

// What was reported without the check, each sentence once.
void add_messages(const BoundaryLine& line, std::vector<Row>& rows) {
    std::set<std::string> told;
    for (const BoundaryOutcome& outcome : line.outcomes)
        for (const BoundaryHazard& hazard : outcome.hazards)
            if (told.insert(hazard.message).second)
                rows.push_back(boundary_words("message", "", report::printable(hazard.message)));
}

}  // namespace

Document boundaries_document(const Boundaries& boundaries, bool in_full) {
    Section head;
    head.kind = SectionKind::kHead;
    head.title = report::printable(boundaries.program);
    head.facts = {boundary_told("runs", report::counted(boundaries.runs, "run"))};
    head.rows.push_back(boundary_words("summary", "summary", boundaries_summary(boundaries)));
    std::string label = "as it is";
    for (const BoundarySize& size : boundaries.sizes) {
        const std::string what = boundary_size_text(size);
        head.rows.push_back(
            boundary_words("as_it_is", label, size.size.empty() ? what : report::printable(size.size) + ": " + what));
        label.clear();
        if (!in_full) continue;
        for (const BoundaryHazard& hazard : size.hazards)
            head.rows.push_back(boundary_words("message", "", report::printable(hazard.message)));
    }
    if (Row table = verdict_table(boundaries); !table.rows.empty()) head.rows.push_back(std::move(table));
    for (const BoundaryLine& line : boundaries.lines) {
        head.rows.push_back(boundary_words("check", "check", check_place(line) + "  " + line.text));
        head.rows.back().may_cut = true;
        head.rows.push_back(boundary_words("outcome", "", boundary_line_text(boundaries, line)));
        if (in_full) add_messages(line, head.rows);
    }
    return {{head}, {}};
}

}  // namespace tilescope::views
