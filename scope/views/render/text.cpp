// A document for a terminal: the report that `run` prints. Rows by kind, labels in a column of their own.
#include <algorithm>
#include <set>

#include "scope/report/format.h"
#include "scope/views/document/document.h"
#include "scope/views/render/chart.h"
#include "scope/views/render/ink.h"
#include "scope/views/render/table_text.h"
#include "scope/views/view.h"

namespace tilescope::views {

namespace {

constexpr std::size_t kIndent = 2, kLabelWidth = 15;
constexpr std::size_t kFigureWidth = 38, kCountWidth = 24, kFileWidth = 14;
constexpr std::size_t kListWidth = 15, kListFigure = 17, kListFile = 16;
constexpr std::size_t kLineNumber = 4, kRuleWidth = 15, kRemedyFile = 24;

std::string place_text(const Place& place, std::size_t width) {
    return cut(printable(file_name(place.file)), width) + ":" + std::to_string(place.line);
}

// The rows of one section.
class SectionText {
public:
    SectionText(const Section& section, const ViewOptions& options) : section_(section), options_(options) {}

    std::string write() {
        for (const Row& row : section_.rows)
            if (is_shown(row)) write(row);
        return std::move(text_);
    }

private:
    bool is_shown(const Row& row) const {
        return row.shown == Shown::kAlways || (row.shown == Shown::kInFull) == options_.verbose;
    }
    std::size_t room() const { return options_.width - std::min(options_.width, kIndent + kLabelWidth); }

    void write(const Row& row) {
        switch (row.kind) {
            case RowKind::kFigures: return figures(row);
            case RowKind::kWords: return words(row);
            case RowKind::kTable: return table(row);
            case RowKind::kList: return list(row);
            case RowKind::kCode: return code(row);
            case RowKind::kPeaks: return peaks(row);
            case RowKind::kRemedy: return remedy(row);
            case RowKind::kAdvice: return advice(row);
            case RowKind::kHazard: return hazard(row);
        }
    }

    void line(const std::string& label, const std::string& text) {
        text_ += std::string(kIndent, ' ') + padded(label, kLabelWidth) + text + "\n";
        label_ = label.empty() ? label_ : label;
    }
    // The label once, and a line for each text.
    void lines(std::string label, const std::vector<std::string>& texts) {
        for (const std::string& text : texts) {
            line(label, text);
            label.clear();
        }
    }
    // Of neighbours with one label only the first shows it.
    std::string first_label(const Row& row) const { return row.label == label_ ? "" : row.label; }

    // What a request takes, how many in all in a column of their own, and the line where most of it is.
    void figures(const Row& row) {
        const std::string each = text_of(row.values.front());
        std::string text = padded(each, kFigureWidth);
        if (row.verdict.is_poor()) text = ink(options_, Ink::kBad, each) + text.substr(each.size());
        for (std::size_t i = 1; i < row.values.size(); ++i) text += right_aligned(text_of(row.values[i]), kCountWidth);
        for (const Place& place : row.places) text += "  " + ink(options_, Ink::kDim, place_text(place, kFileWidth));
        line(row.label, text);
    }

    void words(const Row& row) {
        const bool is_marked = row.source == RowSource::kModelled && !row.is_part;
        const std::string mark = is_marked ? " (" + std::string(words_of(row.source)) + ")" : "";
        std::string text = row.text;
        std::vector<std::string> all;
        for (const Clause& clause : row.clauses) {
            const std::string between(separator(clause.join));
            if (columns(text + between + clause.text + mark) <= room()) {
                text += between + clause.text;
            } else if (!between.empty()) {
                all.push_back(text + between.substr(0, between.find(' ')));
                text = clause.text;
            }
        }
        text += mark;
        if (row.may_cut)
            all.push_back(cut(text, room()));
        else
            for (std::string& part : wrap(text, room())) all.push_back(std::move(part));
        lines(row.label, all);
    }

    void table(const Row& row) { lines(row.label, table_lines(row, room())); }

    void list(const Row& row) {
        std::string text = padded(row.text, kListWidth);
        for (std::size_t i = 0; i < row.values.size(); ++i) {
            const Value& value = row.values[i];
            if (i == 0)
                text += right_aligned(text_of(value), kListFigure);
            else
                text += (value.lead.empty() ? ", " : " ") + text_of(value);
        }
        if (row.source == RowSource::kModelled) text += " (" + std::string(words_of(row.source)) + ")";
        for (const Place& place : row.places) text += "  " + place_text(place, kListFile);
        line(first_label(row), text);
    }

    // The file's name only where not all of the section's lines are of one.
    bool is_one_file() const {
        const std::string* file = nullptr;
        for (const Row& row : section_.rows) {
            if (row.kind != RowKind::kCode) continue;
            if (file != nullptr && *file != row.places.front().file) return false;
            file = &row.places.front().file;
        }
        return true;
    }
    void code(const Row& row) {
        const Place& place = row.places.front();
        const std::string at = is_one_file() ? std::to_string(place.line) : place_text(place, kFileWidth);
        const std::string share = text_of(row.values.front());
        const std::size_t left = kIndent + kLabelWidth + std::max(columns(at), kLineNumber) + 2;
        const std::size_t width = options_.width - std::min(options_.width, left + columns(share) + 2);
        line(first_label(row), ink(options_, Ink::kDim, right_aligned(at, kLineNumber)) + "  " +
                                   padded(cut(row.text, width), width) + "  " + share);
        for (const Row& part : row.rows) {
            if (!is_shown(part)) continue;
            for (const std::string& text : wrap(part.text, options_.width - std::min(options_.width, left)))
                line("", std::string(left - kIndent - kLabelWidth, ' ') + text);
        }
    }

    // One after another, as many as fit a line; those that matter are bold.
    void peaks(const Row& row) {
        std::vector<std::string> all;
        std::size_t used = 0;
        for (const Value& value : row.values) {
            const std::string plain = text_of(value);
            const std::string shown = value.matters ? ink(options_, Ink::kBold, plain) : plain;
            if (all.empty() || used + 2 + columns(plain) > room()) {
                if (!all.empty()) all.back() += ",";
                all.push_back(shown);
                used = columns(plain);
            } else {
                all.back() += ", " + shown;
                used += 2 + columns(plain);
            }
        }
        lines(row.label, all);
    }

    // The rule, its place, what it saves, and as much of the sentence as fits.
    void remedy(const Row& row) {
        std::string rule, before;
        for (const Value& value : row.values) {
            const std::string part = text_of(value);
            if (rule.empty())
                rule = part;
            else
                before += ", " + part;
        }
        for (const Place& place : row.places) before = " at " + place_text(place, kRemedyFile) + before;
        if (!rule.empty()) before += ": ";
        const std::size_t used = columns(rule + before), left = room() - std::min(room(), used + 1);
        const std::vector<std::string> said = wrap(row.text, left);
        const std::string sentence = said.empty() ? "" : said.size() == 1 ? said.front() : said.front() + "…";
        line(row.label, ink(options_, Ink::kBold, rule) + before + sentence);
    }

    // A line with rule, worth and place, then its sentences.
    void advice(const Row& row) {
        std::string worth;
        for (const Value& value : row.values) worth += (worth.empty() ? "" : ", ") + text_of(value);
        if (row.source == RowSource::kModelled) worth += " (" + std::string(words_of(row.source)) + ")";
        const std::string rule(row.key);
        std::string head = ink(options_, Ink::kBold, rule);
        if (!row.places.empty() || !worth.empty())
            head += std::string(rule.size() < kRuleWidth ? kRuleWidth - rule.size() : 1, ' ');
        head += worth;
        for (const Place& place : row.places)
            head += (worth.empty() ? "" : "  ") +
                    ink(options_, Ink::kDim, printable(file_name(place.file)) + ":" + std::to_string(place.line));
        std::vector<std::string> all = {head};
        for (std::string& text : wrap(row.text, room())) all.push_back(std::move(text));
        lines(first_label(row), all);
    }

    void hazard(const Row& row) {
        const Ink color = row.severity == Severity::kError ? Ink::kBad : Ink::kPlain;
        std::vector<std::string> all;
        for (const std::string& text : wrap(row.text, room())) all.push_back(ink(options_, color, text));
        for (const Place& place : row.places)
            all.push_back(place.line == 0 ? place.who : place_text(place, kFileWidth) + "  " + place.who);
        if (!row.remedy.empty()) {
            const bool is_new = remedies_.insert(row.remedy).second;
            for (std::string& text : wrap("fix: " + (is_new ? row.remedy : "the same"), room()))
                all.push_back(std::move(text));
        }
        lines(row.label, all);
    }

    const Section& section_;
    const ViewOptions& options_;
    std::set<std::string> remedies_;  // said already
    std::string label_;               // the last that was shown
    std::string text_;
};

// One line, or as many as the width asks for, broken between facts.
std::string head_text(const Section& section, const ViewOptions& options) {
    std::string text = ink(options, Ink::kBold, section.title);
    std::size_t used = columns(section.title);
    for (const Value& fact : section.facts) {
        const std::string part = text_of(fact);
        const std::size_t more = columns(part);
        const bool fits = used + 3 + more <= options.width;
        text += (fits ? " · " : "\n  ") + part;
        used = fits ? used + 3 + more : 2 + more;
    }
    return text + "\n";
}

// The kernel's name and how it was launched, on one line where both fit.
std::string title_text(const Section& section, const ViewOptions& options) {
    std::string facts;
    for (const Value& fact : section.facts) facts += (facts.empty() ? "" : "  ") + text_of(fact);
    const std::string times = section.times.empty() ? "" : "  " + section.times;
    std::string name = section.title;
    const std::size_t room = options.width - std::min(options.width, columns(facts) + columns(times) + 2);
    if (columns(name) <= room)
        return ink(options, Ink::kBold, name) + times +
               (facts.empty() ? "" : std::string(room + 2 - columns(name), ' ') + facts) + "\n";
    name = cut(name, options.width - std::min(options.width - 1, columns(times)));
    return ink(options, Ink::kBold, name) + times + "\n  " + facts + "\n";
}

// Of host code: not beneath any launch.
std::string finding_text(const Row& row, const ViewOptions& options) {
    const Ink color = row.severity == Severity::kError ? Ink::kBad : Ink::kPlain;
    std::string text = ink(options, color, row.text) + "\n";
    for (const Place& place : row.places)
        text += "  " + printable(place.file) + ":" + std::to_string(place.line) + "\n";
    return row.remedy.empty() ? text : text + "  fix: " + row.remedy + "\n";
}

std::string section_text(const Section& section, const ViewOptions& options) {
    switch (section.kind) {
        case SectionKind::kHead: return head_text(section, options) + SectionText(section, options).write();
        case SectionKind::kLaunch:
        case SectionKind::kWork: return "\n" + title_text(section, options) + SectionText(section, options).write();
        case SectionKind::kNote: return "\n" + section.title + "\n";
        case SectionKind::kFinding: return "\n" + finding_text(section.rows.front(), options);
    }
    return {};
}

}  // namespace

std::string document_text(const Document& document, const ViewOptions& options) {
    std::string text;
    for (const Section& section : document.sections) text += section_text(section, options);
    for (const report::Chart& chart : document.charts) {
        constexpr std::size_t kHeight = 12;
        text += "\n" + chart_text(chart, {options.width, kHeight, options.color});
    }
    return text;
}

std::string text_view(const Profile& profile, const ViewOptions& options) {
    std::string text = document_text(document_of(profile, options.document()), options);
    if (!options.verbose) return text;
    const std::string picture = time_line_view(profile, options);
    return picture.empty() ? text : text + "\n" + picture;
}

}  // namespace tilescope::views
