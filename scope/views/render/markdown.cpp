// A document as Markdown: for the comment on a change, or a page of notes.
#include <algorithm>

#include "scope/report/format.h"
#include "scope/views/document/document.h"
#include "scope/views/view.h"

namespace tilescope::views {

using namespace report;
namespace markdown {
namespace {

// A comment may have 64 KiB; what does not fit is said, for which some room is kept.
constexpr std::size_t kMaxBytes = 60'000, kNoteBytes = 200;

// Everything that Markdown or HTML would take for markup is text.
std::string escaped(std::string_view text) {
    constexpr std::string_view kMarkup = "\\`*_{}[]#|<>&~$@";
    std::string out;
    for (const char c : text) {
        if (kMarkup.find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

// In a code span; a backtick would end it.
std::string code_span(std::string text) {
    std::replace(text.begin(), text.end(), '`', '\'');
    std::string out;
    for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
    return "`" + out + "`";
}

std::string place_text(const Place& place) {
    const std::string at =
        place.line == 0 ? "" : code_span(printable(file_name(place.file)) + ":" + std::to_string(place.line));
    return place.who.empty() ? at : at + (at.empty() ? "" : " ") + escaped(place.who);
}

std::string places_text(const std::vector<Place>& places) {
    std::string text;
    for (const Place& place : places) text += (text.empty() ? "" : ", ") + place_text(place);
    return text;
}

std::string mark(const Row& row) {
    const bool is_marked = (row.source == RowSource::kModelled || row.source == RowSource::kEstimated) && !row.is_part;
    return is_marked ? " (" + std::string(words_of(row.source)) + ")" : "";
}

// What a row of a table of rows says: figures one after another, or its sentence.
std::string said_text(const Row& row) {
    std::string text = escaped(row.text);
    for (const Clause& clause : row.clauses) text += std::string(separator(clause.join)) + escaped(clause.text);
    if (row.kind == RowKind::kFigures || row.kind == RowKind::kList)
        for (const Value& value : row.values) text += (text.empty() ? "" : ", ") + escaped(text_of(value));
    if (row.verdict.is_poor()) text = "**" + text + "**";
    return text + mark(row);
}

// Lines that lead, each with its label and a break at its end. What the remedy is follows in the list of advice.
std::string lead_text(const Section& section) {
    std::string text;
    for (const Row& row : section.rows) {
        if (!row.leads) continue;
        std::string values;
        for (const Value& value : row.values) {
            const std::string one = escaped(text_of(value));
            values += (values.empty() ? "" : ", ") + (value.matters ? "**" + one + "**" : one);
        }
        std::string said = row.kind == RowKind::kPeaks ? values : said_text(row);
        if (row.kind == RowKind::kRemedy && !values.empty())
            said = values + (row.places.empty() ? "" : " at ") + places_text(row.places);
        text += "**" + escaped(row.label) + "** " + said + "\\\n";
    }
    // No break behind the last.
    return text.empty() ? text : text.substr(0, text.size() - 2) + "\n\n";
}

bool is_in_table(const Row& row) {
    if (row.leads) return false;
    return row.kind == RowKind::kFigures || row.kind == RowKind::kWords || row.kind == RowKind::kList;
}

std::string table_text(const Section& section) {
    std::string text;
    for (const Row& row : section.rows) {
        if (!is_in_table(row) || row.shown != Shown::kAlways) continue;
        if (text.empty()) text = "| | | where |\n|---|---|---|\n";
        text += "| " + escaped(row.label) + " | " + said_text(row) + " | " + places_text(row.places) + " |\n";
    }
    return text.empty() ? text : text + "\n";
}

// Tables of figures with a heading; what a row says besides stands behind its figures.
std::string figure_tables(const Section& section) {
    std::string text;
    for (const Row& table : section.rows) {
        if (table.kind != RowKind::kTable || table.columns.empty() || table.shown == Shown::kInFull) continue;
        text += "|";
        for (const std::string& column : table.columns)
            text += " " +
                    (column.empty() && &column == &table.columns.front() ? escaped(table.label) : escaped(column)) +
                    " |";
        text += " |\n|---|";
        for (std::size_t i = 1; i < table.columns.size(); ++i) text += "---:|";
        text += "---|";
        text += "\n";
        for (const Row& row : table.rows) {
            text += "| " + escaped(row.label) + " |";
            for (const Value& value : row.values) text += " " + escaped(amount_text(value)) + " |";
            text += " ";
            for (const Row& part : row.rows) text += escaped(part.text) + " ";
            text += "|\n";
        }
        text += "\n";
    }
    return text;
}

std::string code_text(const Section& section) {
    std::string text;
    for (const Row& row : section.rows) {
        if (row.kind != RowKind::kCode) continue;
        if (text.empty()) text = "| hot line | | share |\n|---|---|---|\n";
        text += "| " + places_text(row.places) + " | " + code_span(row.text) + " | " +
                escaped(text_of(row.values.front())) + " |\n";
    }
    return text.empty() ? text : text + "\n";
}

std::string worth_text(const Row& row) {
    std::string worth;
    for (const Value& value : row.values) worth += ", " + escaped(text_of(value));
    return worth + (worth.empty() ? "" : mark(row));
}

std::string item_text(const Row& row) {
    std::string text = "- ";
    if (row.kind == RowKind::kAdvice)
        text += "**" + escaped(row.key) + "**" + worth_text(row) + (row.places.empty() ? "" : " at ") +
                places_text(row.places) + ": " + escaped(row.text);
    else
        text += "**" + escaped(row.label.empty() ? name_of(row.kind) : row.label) + "** " + escaped(row.text) +
                (row.places.empty() ? "" : " — ") + places_text(row.places);
    if (!row.remedy.empty()) text += ". Fix: " + escaped(row.remedy);
    return text + "\n";
}

std::string items_text(const Section& section) {
    std::string text;
    std::uint64_t left_out = 0;
    for (const Row& row : section.rows) {
        left_out += row.left_out;
        if (row.kind != RowKind::kAdvice && row.kind != RowKind::kHazard) continue;
        if (row.shown == Shown::kAlways)
            text += item_text(row);
        else
            ++left_out;
    }
    if (left_out != 0) text += "- and " + thousands(left_out) + " more, in the profile\n";
    return text.empty() ? text : text + "\n";
}

std::string section_text(const Section& section) {
    std::string facts;
    for (const Value& fact : section.facts) facts += (facts.empty() ? "" : " · ") + escaped(text_of(fact));
    const std::string under = facts.empty() ? "" : facts + "\n\n";
    const std::string times = section.times.empty() ? "" : " " + escaped(section.times);
    switch (section.kind) {
        case SectionKind::kHead: return "## " + escaped(section.title) + "\n\n" + under + lead_text(section);
        case SectionKind::kLaunch:
        case SectionKind::kWork:
            return "### " + escaped(section.title) + times + "\n\n" + under + lead_text(section) + items_text(section) +
                   table_text(section) + figure_tables(section) + code_text(section);
        case SectionKind::kNote: return escaped(section.title) + "\n\n";
        case SectionKind::kFinding: return items_text(section);
    }
    return {};
}

}  // namespace
}  // namespace markdown

std::string document_markdown(const Document& document) {
    std::string text;
    std::size_t left_out = 0;
    for (const Section& section : document.sections) {
        std::string part = markdown::section_text(section);
        if (text.size() + part.size() > markdown::kMaxBytes - markdown::kNoteBytes)
            ++left_out;
        else
            text += part;
    }
    if (left_out != 0) text += counted(left_out, "section") + " left out: a comment would not hold them\n";
    return text;
}

std::string markdown_view(const Profile& profile, const ViewOptions& options) {
    return document_markdown(document_of(profile, options.document()));
}

}  // namespace tilescope::views
