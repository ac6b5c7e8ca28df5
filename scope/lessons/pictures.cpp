#include "scope/lessons/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "scope/report/format.h"

namespace tilescope::lessons {
namespace {

constexpr std::uint32_t kLanes = 32;

Diagnostic cannot(const Picture& picture, const std::string& what, const std::string& hint = {}) {
    return error("lessons-picture", {}, "pictures." + picture.name + ": " + what, hint);
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The indices of the first element of `array` in a text such as "Mds[0][1] * Nds[1][0]".
std::vector<std::uint64_t> indices_in(const std::string& text, const std::string& array) {
    for (std::size_t at = text.find(array + "["); at != std::string::npos; at = text.find(array + "[", at + 1)) {
        if (at != 0 && is_letter(text[at - 1])) continue;
        std::vector<std::uint64_t> indices;
        const char *here = text.data() + at + array.size(), *end = text.data() + text.size();
        while (here < end && *here == '[') {
            std::uint64_t index = 0;
            const auto [after, failed] = std::from_chars(here + 1, end, index);
            if (failed != std::errc() || after == end || *after != ']') break;
            indices.push_back(index);
            here = after + 1;
        }
        if (!indices.empty()) return indices;
    }
    return {};
}

std::optional<std::uint64_t> flat(const std::vector<std::uint64_t>& indices, const PhaseArray& array) {
    if (indices.empty()) return std::nullopt;
    if (indices.size() == 1) return indices[0];
    if (indices.size() != array.shape.size()) return std::nullopt;
    std::uint64_t place = 0;
    for (std::size_t i = 0; i < indices.size(); ++i) place = place * array.shape[i] + indices[i];
    return place;
}

bool is_marked(const PhaseColumn& column, const std::vector<std::uint32_t>& lines) {
    return std::any_of(column.lines.begin(), column.lines.end(),
                       [&](std::uint32_t line) { return std::find(lines.begin(), lines.end(), line) != lines.end(); });
}

// The first element of the array that a thread touches in the columns of these lines.
std::optional<std::uint64_t> first_touch(const PhaseTable& table, std::uint32_t thread, const PhaseArray& array,
                                         const std::vector<std::uint32_t>& lines) {
    for (const Phase& phase : table.phases)
        for (const PhaseRow& row : phase.rows) {
            if (row.thread != thread) continue;
            for (std::size_t i = 0; i < row.cells.size() && i < phase.columns.size(); ++i) {
                if (!is_marked(phase.columns[i], lines)) continue;
                for (const PhaseStatement& statement : row.cells[i]) {
                    if (const auto place = flat(indices_in(statement.target, array.name), array)) return place;
                    for (const std::string& term : statement.terms)
                        if (const auto place = flat(indices_in(term, array.name), array)) return place;
                }
            }
        }
    return std::nullopt;
}

std::uint64_t count(const AccessPicture& picture) {
    return static_cast<std::uint64_t>(
        std::count_if(picture.lanes.begin(), picture.lanes.end(), [](const auto& lane) { return lane.has_value(); }));
}

// Beside a point: as many digits as a reader takes in; the table of claims has all.
std::string label_of(double value) {
    constexpr double kFourDigits = 1000;
    if (value == std::floor(value) || std::abs(value) >= kFourDigits) return report::plain_number(std::round(value));
    return fmt::format("{:.3g}", value);
}

}  // namespace

Result<report::Chart> curve(const Picture& picture, const Answers& answers) {
    constexpr double kRoom = 1.1, kLogarithmicFrom = 16;
    report::Chart chart;
    chart.title = picture.title.empty() ? picture.y + " by " + picture.x : picture.title;
    report::Curve line;
    line.name = picture.y;
    line.strong = true;
    for (const CurvePoint& point : picture.points) {
        const auto found = evaluate(point.value, answers, subject_of(*answers.lesson, point.run));
        if (!found) return found.errors();
        const double* y = std::get_if<double>(&found->value);
        if (y == nullptr) return cannot(picture, "\"" + point.value.text + "\" is not a number");
        if (found->origin == "modelled") chart.subtitle = "modelled";
        line.points.emplace_back(point.x, *y);
        chart.marks.push_back({label_of(*y), point.x, *y, false});
    }
    std::sort(line.points.begin(), line.points.end());
    chart.x = {picture.x, false, line.points.front().first, line.points.back().first};
    if (!(chart.x.least < chart.x.most)) return cannot(picture, "all points have the same x");
    chart.x.logarithmic = chart.x.least > 0 && chart.x.most / chart.x.least >= kLogarithmicFrom;
    double low = 0, high = 0;
    for (const auto& [x, y] : line.points) {
        low = std::min(low, y);
        high = std::max(high, y);
    }
    chart.y = {picture.y, false, low * kRoom, high > low ? high * kRoom : low + 1};
    chart.curves.push_back(std::move(line));
    return chart;
}

Result<AccessPicture> access(const Picture& picture, const Answers& answers) {
    const std::string& run = picture.runs.front();
    const auto answer = answers.of.find(run);
    const std::string hint =
        "a load is traced where its value goes: name the line of the store; a trace command needs \"--threads\", "
        "\"0..31\"; local memory is not traced";
    if (answer == answers.of.end() || !answer->second->profile || !answer->second->profile->trace)
        return cannot(picture, "run \"" + run + "\" traced nothing", hint);
    const PhaseTable& table = *answer->second->profile->trace;
    const std::vector<std::uint32_t> lines = lines_with(answers.source, picture.line);
    if (lines.empty()) return cannot(picture, "no line of the program contains '" + picture.line + "'");
    AccessPicture drawn;
    drawn.banks = picture.kind == PictureKind::kBanks;
    const PhaseSpace space = drawn.banks ? PhaseSpace::kShared : PhaseSpace::kGlobal;
    for (const PhaseArray& array : table.arrays) {
        if (array.space != space || array.element_bytes == 0) continue;
        if (!picture.array.empty() && array.name != picture.array) continue;
        drawn.array = array.name;
        drawn.element_bytes = array.element_bytes;
        drawn.lanes.clear();
        for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
            const auto place = first_touch(table, lane, array, lines);
            drawn.lanes.push_back(place ? std::optional(*place * array.element_bytes) : std::nullopt);
        }
        if (count(drawn) != 0) break;
    }
    if (drawn.lanes.empty() || count(drawn) == 0)
        return cannot(picture,
                      "no access to " + (picture.array.empty() ? std::string("memory") : picture.array) +
                          " was traced on the lines with '" + picture.line + "'",
                      hint);
    drawn.title = picture.title;
    return drawn;
}

}  // namespace tilescope::lessons
