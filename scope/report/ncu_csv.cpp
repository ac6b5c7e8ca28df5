#include "scope/report/ncu_csv.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "scope/report/metrics.h"
#include "scope/report/profiler_names.h"

namespace tilescope::report {
namespace {

using Cells = std::vector<std::string>;

// Fields of RFC 4180: quoted where they hold commas, a quote doubled. Lines that are no table ("==PROF== ...") fall out
// later, for they have no such columns.
std::vector<Cells> rows_of(std::string_view text) {
    std::vector<Cells> rows;
    Cells row;
    std::string cell;
    bool quoted = false;
    const auto end_cell = [&] {
        row.push_back(std::move(cell));
        cell.clear();
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char letter = text[i];
        if (quoted) {
            if (letter != '"')
                cell += letter;
            else if (i + 1 < text.size() && text[i + 1] == '"')
                cell += text[++i];
            else
                quoted = false;
        } else if (letter == '"') {
            quoted = true;
        } else if (letter == ',') {
            end_cell();
        } else if (letter == '\n') {
            end_cell();
            rows.push_back(std::move(row));
            row.clear();
        } else if (letter != '\r') {
            cell += letter;
        }
    }
    if (!cell.empty() || !row.empty()) {
        end_cell();
        rows.push_back(std::move(row));
    }
    return rows;
}

std::optional<double> number(std::string text) {
    std::erase(text, ',');
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return value;
}

// "Kbyte" is 1000 bytes, "Minst" a million instructions; "register/thread" and "sector" are what they say. Times are
// microseconds, whatever they are given in.
double factor_of(const std::string& unit) {
    if (unit == "nsecond" || unit == "ns") return 1e-3;
    if (unit == "msecond" || unit == "ms") return 1e3;
    if (unit == "second" || unit == "s") return 1e6;
    if (unit.size() < 4) return 1;
    for (const char* plain : {"byte", "inst", "sector", "request"})
        if (unit.substr(1).starts_with(plain)) {
            if (unit[0] == 'K') return 1e3;
            if (unit[0] == 'M') return 1e6;
            if (unit[0] == 'G') return 1e9;
        }
    return 1;
}

std::optional<std::size_t> column(const Cells& header, std::string_view name) {
    const auto found = std::find(header.begin(), header.end(), name);
    if (found == header.end()) return std::nullopt;
    return static_cast<std::size_t>(found - header.begin());
}

const ProfilerName* read_metric(std::string_view theirs) {
    const ProfilerName* name = by_profiler_name(theirs);
    return name != nullptr && name->is_read ? name : nullptr;
}

std::string_view unit_of(std::string_view ours) {
    const Metric found = metric_by_name(ours);
    if (found.counter) return info(*found.counter).unit;
    if (found.fact != nullptr) return found.fact->unit;
    return found.ratio != nullptr ? found.ratio->unit : std::string_view{};
}

class MeasurementReader {
public:
    explicit MeasurementReader(std::vector<Cells> rows) : rows_(std::move(rows)) {}

    std::vector<MeasuredLaunch> read() {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const auto id = column(rows_[i], "ID"), kernel = column(rows_[i], "Kernel Name");
            if (!id || !kernel) continue;
            if (column(rows_[i], "Metric Name"))
                read_figures(i, *id, *kernel);
            else
                read_launches(i, *id, *kernel);
            break;
        }
        std::vector<MeasuredLaunch> launches;
        for (auto& [index, launch] : launches_)
            if (!launch.figures.empty()) launches.push_back(std::move(launch));
        return launches;
    }

private:
    void add(const Cells& row, std::size_t id, std::size_t kernel, const std::string& name, const std::string& unit,
             const std::string& text) {
        const ProfilerName* known = read_metric(name);
        const auto value = number(text), index = number(row[id]);
        constexpr double kMaxId = 4e9;
        if (known == nullptr || !value || !index || *index < 0 || *index > kMaxId) return;
        MeasuredLaunch& launch = launches_[static_cast<std::uint32_t>(*index)];
        launch.index = static_cast<std::uint32_t>(*index);
        launch.kernel = row[kernel];
        launch.figures.push_back({known->ours, unit_of(known->ours), *value * factor_of(unit)});
    }
    // One row for each figure.
    void read_figures(std::size_t header, std::size_t id, std::size_t kernel) {
        const auto name = column(rows_[header], "Metric Name"), unit = column(rows_[header], "Metric Unit"),
                   value = column(rows_[header], "Metric Value");
        if (!name || !unit || !value) return;
        for (std::size_t i = header + 1; i < rows_.size(); ++i)
            if (rows_[i].size() == rows_[header].size())
                add(rows_[i], id, kernel, rows_[i][*name], rows_[i][*unit], rows_[i][*value]);
    }
    // One row for each launch; the row below the header has the units.
    void read_launches(std::size_t header, std::size_t id, std::size_t kernel) {
        if (header + 1 >= rows_.size() || rows_[header + 1].size() != rows_[header].size()) return;
        const Cells &names = rows_[header], &units = rows_[header + 1];
        for (std::size_t i = header + 2; i < rows_.size(); ++i) {
            if (rows_[i].size() != names.size()) continue;
            for (std::size_t c = 0; c < names.size(); ++c) add(rows_[i], id, kernel, names[c], units[c], rows_[i][c]);
        }
    }

    std::vector<Cells> rows_;
    std::map<std::uint32_t, MeasuredLaunch> launches_;
};

}  // namespace

std::string ncu_metrics() {
    std::string text;
    for (const ProfilerName& name : profiler_names())
        if (name.is_read) text += (text.empty() ? "" : ",") + std::string(name.theirs);
    return text;
}

Result<std::vector<MeasuredLaunch>> read_ncu_csv(std::string_view text) {
    std::vector<MeasuredLaunch> launches = MeasurementReader(rows_of(text)).read();
    if (!launches.empty()) return launches;
    return error("ncu-csv", {}, "no counters of Nsight Compute that have a counterpart here",
                 "write it with: ncu --csv --page raw --print-units base --metrics " + ncu_metrics() + " PROGRAM");
}

}  // namespace tilescope::report
