#include "scope/views/document/comparison.h"

#include <algorithm>
#include <utility>

#include "scope/base/names.h"
#include "scope/report/format.h"
#include "scope/views/document/comparison_parts.h"

namespace tilescope::views {
namespace {

constexpr std::string_view kLeadsTo = " → ";

// What a kernel's row says beside its times: where it is, how often it was launched, what binds it, what was found.
std::string about(const Comparison& comparison, const ComparedKernel& kernel) {
    std::string text;
    const auto say = [&](const std::string& more) { text += (text.empty() || more.empty() ? "" : "; ") + more; };
    if (kernel.presence() == Presence::kGone) say("only in " + printable(comparison.before));
    if (kernel.presence() == Presence::kNew) say("only in " + printable(comparison.after));
    if (kernel.launches_before != kernel.launches_after && kernel.presence() == Presence::kBoth)
        say(thousands(kernel.launches_before) + std::string(kLeadsTo) +
            counted(kernel.launches_after, "launch", "launches"));
    else if (const std::size_t launches = std::max(kernel.launches_before, kernel.launches_after); launches > 1)
        say(counted(launches, "launch", "launches"));
    say(bound_text(kernel.time));
    const auto found = [&](std::size_t before, std::size_t after, const std::string& what) {
        if (before == after && kernel.presence() == Presence::kBoth) return;
        if (before + after == 0) return;
        say(what + ": " + both_text(thousands(before), thousands(after)));
    };
    found(kernel.hazards_before, kernel.hazards_after, "hazards");
    found(kernel.advice_before, kernel.advice_after, "advice");
    return text;
}

std::string names_of(const ComparedKernel& kernel) {
    const std::string before(short_kernel_name(kernel.kernel)), after(short_kernel_name(kernel.other_kernel));
    return printable(kernel.other_kernel.empty() ? before : both_text(before, after));
}

Row table_of(std::string_view key, std::string label, std::vector<std::string> columns) {
    Row table{.kind = RowKind::kTable, .key = key, .label = std::move(label)};
    table.source = RowSource::kModelled;
    table.columns = std::move(columns);
    return table;
}

std::string label_of(std::string_view name) {
    std::string label(name);
    std::replace(label.begin(), label.end(), '_', ' ');
    return label;
}

void add_program(const Comparison& comparison, Document& document) {
    Section section{SectionKind::kWork, "time (modeled)"};
    if (!comparison.program.empty()) {
        Row table = table_of("program", "program", {"", "before", "after", "change", ""});
        for (const NamedTime& named : comparison.program)
            table.rows.push_back({.kind = RowKind::kFigures,
                                  .key = named.name,
                                  .label = label_of(named.name),
                                  .values = values_of(named.time),
                                  .source = RowSource::kModelled});
        section.rows.push_back(std::move(table));
    }
    Row kernels = table_of("kernels", "kernels", {"", "before", "after", "change", ""});
    bool is_timed = false;
    for (const ComparedKernel& kernel : comparison.kernels) {
        is_timed = is_timed || kernel.time.is_known();
        Row row{.kind = RowKind::kFigures, .key = "kernel", .label = names_of(kernel)};
        row.values = values_of(kernel.time);
        if (kernel.presence() != Presence::kBoth)
            row.values.back() = {"ratio", word_of(kernel.presence()), Unit::kText};
        else if (!kernel.time.is_known())
            row.values.back() = {"ratio", std::string(), Unit::kText};
        if (std::string text = about(comparison, kernel); !text.empty())
            row.rows.push_back({.key = "about", .label = "", .text = std::move(text), .is_part = true});
        kernels.rows.push_back(std::move(row));
    }
    const bool differs =
        std::any_of(comparison.kernels.begin(), comparison.kernels.end(), [](const ComparedKernel& kernel) {
            return kernel.presence() != Presence::kBoth || kernel.launches_before != kernel.launches_after;
        });
    if (!is_timed) section.title = "kernels";
    if (is_timed || differs) section.rows.push_back(std::move(kernels));
    if (!section.rows.empty()) document.sections.push_back(std::move(section));
}

// Whether a reader would call two pairs the same.
bool alike(const ComparedLaunch& a, const ComparedLaunch& b) {
    const auto same = [](const ComparedFigure& one, const ComparedFigure& other) {
        return one.name == other.name && one.before == other.before && one.after == other.after;
    };
    return a.kernel == b.kernel && a.other_kernel == b.other_kernel && a.grid_before == b.grid_before &&
           a.grid_after == b.grid_after && a.block_before == b.block_before && a.block_after == b.block_after &&
           a.hazards.empty() && b.hazards.empty() && !a.hazards_not_compared.is_any() &&
           !b.hazards_not_compared.is_any() &&
           std::equal(a.figures.begin(), a.figures.end(), b.figures.begin(), b.figures.end(), same);
}

void add_launches(const Comparison& comparison, Document& document) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < comparison.launches.size(); i += count) {
        count = 1;
        while (i + count < comparison.launches.size() && alike(comparison.launches[i], comparison.launches[i + count]))
            ++count;
        Section section = compared_section(comparison.launches[i]);
        if (count > 1) section.times = "(" + thousands(count) + " times)";
        document.sections.push_back(std::move(section));
    }
}

void add_note(Document& document, std::string text) {
    document.sections.push_back({SectionKind::kNote, std::move(text)});
}

// What looks gone and new may be one kernel under another name.
void add_hint(const Comparison& comparison, Document& document) {
    const auto first = [&](Presence presence) -> const ComparedKernel* {
        for (const ComparedKernel& kernel : comparison.kernels)
            if (kernel.presence() == presence) return &kernel;
        return nullptr;
    };
    const ComparedKernel *gone = first(Presence::kGone), *come = first(Presence::kNew);
    if (gone == nullptr || come == nullptr) return;
    add_note(document, "renamed? --kernels " + printable(short_kernel_name(gone->kernel)) + "," +
                           printable(short_kernel_name(come->kernel)) + " compares two kernels");
}

}  // namespace

Document document_of(const Comparison& comparison) {
    Document document;
    Section head{SectionKind::kHead,
                 printable(comparison.before) + std::string(kLeadsTo) + printable(comparison.after)};
    if (!comparison.device_before.empty())
        head.facts.push_back({"device",
                              "modeled GPU: " + both_text(report::gpu_name(printable(comparison.device_before)),
                                                          report::gpu_name(printable(comparison.device_after))),
                              Unit::kText});
    document.sections.push_back(std::move(head));
    add_program(comparison, document);
    add_launches(comparison, document);
    add_hint(comparison, document);
    const NotCompared& others = comparison.hazards_not_compared;
    if (!comparison.hazards.empty() || others.is_any() || !comparison.advice.empty()) {
        Section section{SectionKind::kWork, "host and device"};
        add_compared_hazards(comparison.hazards, others, section.rows);
        add_compared_advice(comparison.advice, section.rows);
        document.sections.push_back(std::move(section));
    }
    if (comparison.launches.empty()) add_note(document, "no matching launches");
    return document;
}

}  // namespace tilescope::views
