#include "scope/observers/trace_statements.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace tilescope::observers {
namespace {

using machine::Space;

class Statements {
public:
    Statements(const machine::Program& program, const TraceRecord& record, const TraceNames& names,
               const TraceValues& values, std::size_t index)
        : program_(program),
          record_(record),
          names_(names),
          values_(values),
          index_(index),
          thread_(record.threads[index]) {}

    std::vector<TraceStatement> run() {
        for (const TraceEvent& event : thread_.events) {
            if (event.kind == TraceEventKind::kLoad)
                add_load(event);
            else
                add_change(event);
        }
        add_kept();
        add_others();
        std::stable_sort(found_.begin(), found_.end(), [](const TraceStatement& a, const TraceStatement& b) {
            return std::tie(a.column, a.order) < std::tie(b.column, b.order);
        });
        return merge_repeats();
    }

private:
    void add(const ColumnKey& column, std::uint64_t order, PhaseStatement shown, std::uint32_t op) {
        if (shown.term_count == 0) shown.term_count = shown.terms.size();
        found_.push_back({column, order, std::move(shown), op});
    }

    // Loads whose value an expression of the same interval shows are there already.
    void add_load(const TraceEvent& event) {
        if (event.value != 0 && values_.is_shown(event.value)) return;
        PhaseStatement shown;
        shown.kind = StatementKind::kLoad;
        shown.terms = {names_.element(event.space, event.address, event.bytes)};
        add({event.interval, ColumnKeyKind::kLoad, names_.find(event.space, event.address)}, event.address,
            std::move(shown), event.op);
    }

    bool holds_floats(const TraceEvent& event) const {
        const std::size_t array = names_.find(event.space, event.address);
        return array < names_.arrays.size() && names_.arrays[array].is_float;
    }

    void add_change(const TraceEvent& event) {
        const TraceNode& node = record_.nodes[event.value];
        const bool atomic = event.kind == TraceEventKind::kAtomic;
        const bool is_result = node.kind == TraceNodeKind::kResult;
        PhaseStatement shown;
        shown.target = names_.element(event.space, event.address, event.bytes);
        const bool as_float = holds_floats(event);
        if (is_result && node.interval == event.interval) {
            values_.write_sum(event.value, TraceValues::Sum::kWhole, as_float, shown);
        } else {
            shown.terms = {is_result ? values_.name(event.value) : values_.leaf(event.value, as_float)};
        }
        shown.kind = atomic                                 ? StatementKind::kAtomic
                     : is_result                            ? StatementKind::kStore
                     : node.kind == TraceNodeKind::kElement ? StatementKind::kCopy
                                                            : StatementKind::kFill;
        if (atomic) shown.operation = program_.flow[event.op].name;
        const ColumnKeyKind kind = atomic                          ? ColumnKeyKind::kAtomic
                                   : event.space == Space::kShared ? ColumnKeyKind::kStoreShared
                                                                   : ColumnKeyKind::kStoreGlobal;
        add({event.interval, kind, names_.find(event.space, event.address)}, event.address, std::move(shown), event.op);
    }

    // Results that later intervals need.
    void add_kept() {
        std::set<NodeId> seen;
        std::vector<NodeId> work = values_.dropped(index_);
        for (const TraceEvent& event : thread_.events)
            if (event.kind != TraceEventKind::kLoad) work.push_back(event.value);
        while (!work.empty()) {
            const NodeId id = work.back();
            work.pop_back();
            const TraceNode& node = record_.nodes[id];
            if (node.kind != TraceNodeKind::kResult || !seen.insert(id).second) continue;
            if (program_.facts[node.op].computes) ++followed_[{node.ran, node.op}];
            for (NodeId operand : node.operands) work.push_back(operand);
            if (!values_.is_kept(id)) continue;
            PhaseStatement shown;
            shown.kind = StatementKind::kCompute;
            shown.target = values_.name(id);
            values_.write_sum(id, TraceValues::Sum::kGrowth, false, shown);
            add({node.interval, ColumnKeyKind::kCompute, names_.arrays.size()}, values_.order(id), std::move(shown),
                node.op);
        }
    }

    // Floating-point instructions that no expression accounts for, by name.
    void add_others() {
        std::map<std::pair<std::uint32_t, std::string_view>, std::pair<std::uint64_t, std::uint32_t>> left;
        for (const auto& [at, count] : thread_.flop) {
            const auto found = followed_.find(at);
            const std::uint32_t followed = found == followed_.end() ? 0 : found->second;
            if (count <= followed) continue;
            auto& entry = left[{at.first, program_.flow[at.second].opcode}];
            entry.first += count - followed;
            entry.second = at.second;
        }
        for (const auto& [key, entry] : left) {
            PhaseStatement shown;
            shown.kind = StatementKind::kOther;
            shown.terms = {std::to_string(entry.first) + " " + std::string(key.second)};
            add({key.first, ColumnKeyKind::kOther, names_.arrays.size()}, 0, std::move(shown), entry.second);
        }
    }

    // The same thing done several times reads better as one.
    std::vector<TraceStatement> merge_repeats() {
        std::vector<TraceStatement> merged;
        std::uint64_t times = 1;
        auto close = [&] {
            if (times > 1) merged.back().shown.terms.back() += " (" + std::to_string(times) + " times)";
            times = 1;
        };
        for (TraceStatement& statement : found_) {
            if (!merged.empty() && merged.back().column == statement.column && merged.back().shown == statement.shown &&
                statement.shown.kind == StatementKind::kLoad) {
                ++times;
                continue;
            }
            close();
            merged.push_back(std::move(statement));
        }
        if (!merged.empty()) close();
        return merged;
    }

    const machine::Program& program_;
    const TraceRecord& record_;
    const TraceNames& names_;
    const TraceValues& values_;
    std::size_t index_;
    const TracedThread& thread_;
    std::vector<TraceStatement> found_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> followed_;  // (interval, op)
};

}  // namespace

std::vector<TraceStatement> trace_statements(const machine::Program& program, const TraceRecord& record,
                                             const TraceNames& names, const TraceValues& values, std::size_t thread) {
    return Statements(program, record, names, values, thread).run();
}

}  // namespace tilescope::observers
