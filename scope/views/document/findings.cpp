// Rows on what somebody should act on: hazards, hot lines, advice.
#include <algorithm>

#include "scope/report/format.h"
#include "scope/report/suppressions.h"
#include "scope/views/document/groups.h"
#include "scope/views/document/parts.h"

namespace tilescope::views {
namespace {

std::string exact(const Dim3& at) {
    return "(" + std::to_string(at[0]) + ", " + std::to_string(at[1]) + ", " + std::to_string(at[2]) + ")";
}

Place end_of(const Hazard& hazard) {
    if (!report::is_of_thread(hazard)) return {hazard.file, hazard.line};
    return {hazard.file, hazard.line, "block " + exact(hazard.block) + " thread " + exact(hazard.thread)};
}

Place other_end_of(const Hazard& hazard) {
    if (!report::is_of_thread(hazard)) return {hazard.other_file, hazard.other_line};
    return {hazard.other_file, hazard.other_line,
            "block " + exact(hazard.other_block) + " thread " + exact(hazard.other_thread)};
}

// What lines of machine code missed, below the line itself.
void add_line_misses(const LaunchProfile& launch, const LineProfile& line, Row& row) {
    if (!launch.counters.modelled) return;
    const std::string why = misses_text(line.counters);
    if (why.empty()) return;
    // Where all misses are one line's, the row of misses has said it.
    row.rows.push_back({.key = "misses",
                        .label = "",
                        .text = "misses: " + why,
                        .is_part = true,
                        .shown = is_worth_reasons(launch, line) ? Shown::kAlways : Shown::kInFull});
}

}  // namespace

Row hazard_row(const Hazard& hazard, bool is_of_some) {
    std::string text = std::string(name_of(hazard.kind));
    if (hazard.order != RaceOrder::kNone) text += ", " + std::string(name_of(hazard.order));
    // A leak's count is of bytes, and its message says it.
    if (hazard.count > 1 && hazard.kind != HazardKind::kLeak)
        text += (is_of_some ? " (at least " : " (") + thousands(hazard.count) + " times)";
    if (!hazard.message.empty()) text += ": " + printable(hazard.message);
    const bool is_error = hazard.severity == Severity::kError;
    Row row{.kind = RowKind::kHazard, .key = name_of(hazard.kind), .label = std::string(name_of(hazard.severity))};
    if (is_error) row.label = "hazard";
    row.severity = hazard.severity;
    row.text = std::move(text);
    row.values = {{"count", hazard.count, Unit::kNone}};
    row.remedy = printable(hazard.hint);
    return row;
}

void add_hazards(const LaunchProfile& launch, std::vector<Row>& rows) {
    // geometry: a screenful; each is as good as the next
    constexpr std::size_t kShown = 20;
    for (std::size_t i = 0; i < launch.hazards.size(); ++i) {
        const Hazard& hazard = launch.hazards[i];
        Row row = hazard_row(hazard, launch.folded > 1 && launch.hazards_passed_over != 0);
        row.places = {end_of(hazard)};
        if (hazard.other_line != 0) row.places.push_back(other_end_of(hazard));
        if (i >= kShown) row.shown = Shown::kInFull;
        rows.push_back(std::move(row));
    }
    const std::uint64_t more =
        launch.hazards.size() - std::min(launch.hazards.size(), kShown) + launch.hazards_passed_over;
    if (more == 0) return;
    rows.push_back({.key = "more_hazards",
                    .label = "",
                    .text = counted(more, "more hazard") + ": -v or --json shows them",
                    .shown = Shown::kInShort,
                    .values = {{"hazards", more, Unit::kNone}},
                    .left_out = launch.hazards_passed_over});
}

void add_hot_lines(DocumentContext& context, const LaunchProfile& launch, std::vector<Row>& rows) {
    constexpr std::size_t kShown = 3;  // geometry: lines, of which the first is most of it
    for (const HotLine& hot : hot_lines(launch, kShown)) {
        const LineProfile& line = *hot.line;
        Row row{.kind = RowKind::kCode, .key = "hot_line", .label = "hot lines"};
        row.text = line.from == LinesFrom::kPtx ? printable(line.text) : context.sources.line(line.file, line.line);
        row.values = {{"share", hot.share, Unit::kShare, {}, "", hot.of_traffic ? "of traffic" : "of instructions"}};
        row.places = {{line.file, line.line}};
        if (line.from == LinesFrom::kPtx && (rows.empty() || rows.back().key != row.key))
            row.rows.push_back({.key = "lines_from",
                                .label = "",
                                .text = "lines of the PTX, which has no source lines",
                                .is_part = true});
        add_line_misses(launch, line, row);
        rows.push_back(std::move(row));
    }
}

Value saved_of(const Advice& advice, std::optional<double> microseconds) {
    const std::string of = microseconds ? "of " + microseconds_text(*microseconds) : "";
    return {"saves_microseconds", advice.saves_microseconds.value_or(0), Unit::kMicroseconds, {}, "saves ≈", of};
}

void add_advice(const std::vector<Advice>& all, std::optional<double> microseconds, std::vector<Row>& rows) {
    const std::string* said = nullptr;
    for (const Advice& advice : all) {
        Row row{.kind = RowKind::kAdvice, .key = name_of(advice.rule), .label = "advice"};
        // Of places that are alike the sentence is said once.
        if (said == nullptr || *said != advice.message) row.text = printable(advice.message);
        said = &advice.message;
        // One figure: of the modelled time, else of the least that the device's peak rates allow.
        if (models::tells_time(advice)) {
            row.values.push_back(saved_of(advice, microseconds));
            row.source = RowSource::kModelled;
        } else if (!advice.saves_microseconds && models::promises_speed(advice)) {
            row.values.push_back({"speedup", advice.speedup, Unit::kTimes, {}, "", "faster at peak rates"});
            row.source = RowSource::kModelled;
        } else if (!advice.saves_microseconds && advice.saves_bytes != 0) {
            row.values.push_back({"saves_bytes", advice.saves_bytes, Unit::kBytesShort, {}, "saves"});
        }
        if (advice.line != 0) row.places = {{advice.file, advice.line}};
        rows.push_back(std::move(row));
    }
}

}  // namespace tilescope::views
