#include "scope/observers/trace_table.h"

#include <algorithm>
#include <map>
#include <set>

#include "scope/observers/trace_statements.h"
#include "scope/observers/trace_values.h"

namespace tilescope::observers {
namespace {

ColumnKind shown_kind(ColumnKeyKind kind) {
    switch (kind) {
        case ColumnKeyKind::kLoad: return ColumnKind::kLoad;
        case ColumnKeyKind::kStoreShared:
        case ColumnKeyKind::kStoreGlobal: return ColumnKind::kStore;
        case ColumnKeyKind::kCompute: return ColumnKind::kCompute;
        case ColumnKeyKind::kAtomic: return ColumnKind::kAtomic;
        case ColumnKeyKind::kOther: break;
    }
    return ColumnKind::kOther;
}

// What all shown threads together did in one interval.
struct Interval {
    std::map<ColumnKey, std::set<std::uint32_t>> columns;  // with their source lines
    bool computes = false;                                 // anything but loads, copies and fills
    bool has(ColumnKeyKind kind) const {
        return std::any_of(columns.begin(), columns.end(), [&](const auto& c) { return c.first.kind == kind; });
    }
    bool reads_shared = false;
};

struct IntervalSpan {
    std::uint32_t first = 0, last = 0;  // intervals
    std::uint32_t number = 0;           // of the phase; 0: after the last
};

PhaseCounts less(const PhaseCounts& a, const PhaseCounts& b) {
    return {a.global_loads - b.global_loads, a.global_stores - b.global_stores,
            a.shared_loads - b.shared_loads, a.shared_stores - b.shared_stores,
            a.atomics - b.atomics,           a.flop - b.flop};
}

template <class Choose>
PhaseCounts each(const PhaseCounts& a, const PhaseCounts& b, Choose choose) {
    return {choose(a.global_loads, b.global_loads), choose(a.global_stores, b.global_stores),
            choose(a.shared_loads, b.shared_loads), choose(a.shared_stores, b.shared_stores),
            choose(a.atomics, b.atomics),           choose(a.flop, b.flop)};
}

class Builder {
public:
    Builder(const machine::Program& program, const TraceRecord& record, const TraceNames& names)
        : program_(program), record_(record), names_(names), values_(program, record, names) {}

    PhaseTable run(const PhaseRange& shown) {
        for (const TraceArray& array : names_.arrays) table_.arrays.push_back(array.shown);
        for (std::size_t i = 0; i < record_.threads.size(); ++i)
            statements_.push_back(trace_statements(program_, record_, names_, values_, i));
        find_file();
        describe_intervals();
        find_phases();
        for (const IntervalSpan& span : spans_) {
            const bool followed = !record_.full_in || span.last < *record_.full_in;
            const bool wanted = span.number == 0 || (span.number >= shown.first && span.number <= shown.last);
            if (followed && wanted && has_columns(span))
                table_.phases.push_back(detailed(span));
            else
                add_counted(span);
        }
        add_totals();
        return std::move(table_);
    }

private:
    // Lines are told of one file: the first that is known.
    void find_file() {
        for (const auto& list : statements_)
            for (const TraceStatement& statement : list) {
                const machine::SourcePlace& place = program_.facts[statement.op].place;
                if (place.line == 0) continue;
                file_ = place.file;
                table_.file = program_.files[place.file];
                return;
            }
    }

    void describe_intervals() {
        intervals_.resize(record_.intervals.size());
        for (const auto& list : statements_)
            for (const TraceStatement& statement : list) {
                Interval& interval = intervals_[statement.column.interval];
                auto& lines = interval.columns[statement.column];
                const machine::SourcePlace& place = program_.facts[statement.op].place;
                if (place.line != 0 && place.file == file_) lines.insert(place.line);
                const StatementKind kind = statement.shown.kind;
                interval.computes |=
                    kind == StatementKind::kStore || kind == StatementKind::kCompute || kind == StatementKind::kAtomic;
            }
        for (const TracedThread& thread : record_.threads)
            for (const TraceEvent& event : thread.events)
                if (event.kind == TraceEventKind::kLoad && event.space == machine::Space::kShared)
                    intervals_[event.interval].reads_shared = true;
    }

    bool is_empty(std::uint32_t interval) const {
        return intervals_[interval].columns.empty() && record_.intervals[interval] == PhaseCounts{};
    }
    bool only_fills(std::uint32_t interval) const {
        const Interval& found = intervals_[interval];
        return found.has(ColumnKeyKind::kStoreShared) && !found.computes && !found.has(ColumnKeyKind::kStoreGlobal) &&
               !found.reads_shared;
    }
    bool only_uses(std::uint32_t interval) const {
        return intervals_[interval].reads_shared && !intervals_[interval].has(ColumnKeyKind::kStoreShared) &&
               !intervals_[interval].has(ColumnKeyKind::kAtomic);
    }
    bool only_stores(std::uint32_t interval) const {
        const Interval& found = intervals_[interval];
        return found.has(ColumnKeyKind::kStoreGlobal) && !found.has(ColumnKeyKind::kStoreShared) &&
               !found.has(ColumnKeyKind::kCompute) && !found.has(ColumnKeyKind::kLoad) && !found.reads_shared &&
               record_.intervals[interval].global_loads == 0;
    }

    void find_phases() {
        const auto count = static_cast<std::uint32_t>(intervals_.size());
        table_.interval_count = count;
        for (std::uint32_t i = 0; i < count; ++i) {
            if (is_empty(i)) continue;
            IntervalSpan span{i, i, 0};
            if (only_fills(i) && i + 1 < count && only_uses(i + 1)) span.last = ++i;
            spans_.push_back(span);
        }
        for (std::size_t i = 0; i < spans_.size(); ++i) {
            const bool trails = i > 0 && i + 1 == spans_.size() && only_stores(spans_[i].first);
            if (!trails) spans_[i].number = ++table_.phase_count;
        }
    }

    bool has_columns(const IntervalSpan& span) const {
        for (std::uint32_t i = span.first; i <= span.last; ++i)
            if (!intervals_[i].columns.empty()) return true;
        return false;
    }

    PhaseCounts sum(const IntervalSpan& span, const std::vector<PhaseCounts>& intervals) const {
        PhaseCounts counts;
        for (std::uint32_t i = span.first; i <= span.last && i < intervals.size(); ++i) counts += intervals[i];
        return counts;
    }

    Phase detailed(const IntervalSpan& span) const {
        Phase phase;
        phase.first = phase.last = span.number;
        phase.first_interval = span.first;
        phase.last_interval = span.last;
        std::map<ColumnKey, std::size_t> places;
        for (std::uint32_t i = span.first; i <= span.last; ++i)
            for (const auto& [key, lines] : intervals_[i].columns) {
                places.emplace(key, phase.columns.size());
                const bool named = key.array < names_.arrays.size();
                phase.columns.push_back({shown_kind(key.kind),
                                         named ? names_.arrays[key.array].shown.name : std::string(), i,
                                         std::vector<std::uint32_t>(lines.begin(), lines.end())});
            }
        PhaseCounts shown;
        for (std::size_t t = 0; t < record_.threads.size(); ++t) {
            PhaseRow row;
            row.thread = record_.threads[t].number;
            row.counts = sum(span, record_.threads[t].intervals);
            row.cells.resize(phase.columns.size());
            auto at = std::lower_bound(statements_[t].begin(), statements_[t].end(), span.first,
                                       [](const TraceStatement& s, std::uint32_t i) { return s.column.interval < i; });
            for (; at != statements_[t].end() && at->column.interval <= span.last; ++at)
                row.cells[places.at(at->column)].push_back(at->shown);
            shown += row.counts;
            phase.rows.push_back(std::move(row));
        }
        phase.others = less(sum(span, record_.intervals), shown);
        phase.other_threads = static_cast<std::uint32_t>(record_.totals.size() - record_.threads.size());
        return phase;
    }

    // Phases that are only counted join their neighbours.
    void add_counted(const IntervalSpan& span) {
        const PhaseCounts counts = sum(span, record_.intervals);
        if (span.number != 0 && !table_.phases.empty() && table_.phases.back().rows.empty()) {
            Phase& before = table_.phases.back();
            before.last = span.number;
            before.last_interval = span.last;
            before.others += counts;
            return;
        }
        Phase phase;
        phase.first = phase.last = span.number;
        phase.first_interval = span.first;
        phase.last_interval = span.last;
        phase.others = counts;
        phase.other_threads = static_cast<std::uint32_t>(record_.totals.size());
        table_.phases.push_back(std::move(phase));
    }

    void add_totals() {
        if (!record_.totals.empty()) table_.least = table_.most = record_.totals[0];
        for (const PhaseCounts& counts : record_.totals) {
            table_.least = each(table_.least, counts, [](auto a, auto b) { return std::min(a, b); });
            table_.most = each(table_.most, counts, [](auto a, auto b) { return std::max(a, b); });
            table_.total += counts;
        }
        if (record_.full_in)
            table_.notes.push_back("the record was full after " + std::to_string(kMaxTraceSteps) +
                                   " steps: what follows is only counted; trace fewer threads (--threads)");
    }

    const machine::Program& program_;
    const TraceRecord& record_;
    const TraceNames& names_;
    TraceValues values_;
    std::vector<std::vector<TraceStatement>> statements_;  // by thread
    std::vector<Interval> intervals_;
    std::vector<IntervalSpan> spans_;
    std::uint32_t file_ = 0;
    PhaseTable table_;
};

}  // namespace

PhaseTable phase_table(const machine::Program& program, const TraceRecord& record, const TraceNames& names,
                       const PhaseRange& shown) {
    return Builder(program, record, names).run(shown);
}

}  // namespace tilescope::observers
