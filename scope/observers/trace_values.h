// Values of a trace as a reader would write them: sums of products of named elements.
//
// A value that is kept in a register across a barrier gets a name: that of the array it finally goes to, when it only
// grows by additions until then, else v1, v2, .... What is computed between two barriers is one expression.
// Guarantees: only values that reach memory are written out, and floating-point results that nobody uses. Terms stand
// in the order of the additions, factors in the order of their arrays, so that compilers cannot change the text. Long
// expressions end in an ellipsis.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scope/observers/trace_names.h"
#include "scope/observers/trace_record.h"
#include "scope/report/phase_table.h"

namespace tilescope::observers {

class TraceValues {
public:
    TraceValues(const machine::Program& program, const TraceRecord& record, const TraceNames& names);

    // Results that nothing stored depends on, each the last of its sum: a thread without an output of its own computes,
    // too.
    const std::vector<NodeId>& dropped(std::size_t thread) const { return dropped_[thread]; }
    // A result that is needed after the interval in which it was found: it has a name.
    bool is_kept(NodeId node) const { return marks_[node] & kKept; }
    // An element that an expression of its own interval shows.
    bool is_shown(NodeId node) const { return marks_[node] & kShown; }

    // What was added up to the value within its interval. kGrowth, for kept values: what it grew by, where it did.
    enum class Sum : bool { kWhole, kGrowth };
    // Fills terms, term_count and accumulates.
    void write_sum(NodeId node, Sum how, bool as_float, PhaseStatement& into) const;
    std::string name(NodeId node) const;
    // Kept values of one thread in the order to show them.
    std::uint64_t order(NodeId node) const;
    // A value that is no result: an element, a number or an argument.
    std::string leaf(NodeId node, bool as_float) const;

private:
    enum : std::uint8_t { kUseful = 1, kKept = 2, kShown = 4, kOperand = 8, kWalked = 16 };
    struct Sink {
        std::size_t array = 0;
        std::uint64_t address = 0;
        std::string element;
    };
    struct Writing {
        std::uint32_t interval = 0;
        bool as_float = false;
        unsigned budget = 0;  // values that may yet be written
    };

    void mark(const TracedThread& thread);
    void mark_from(NodeId node, std::uint32_t interval);
    void find_dropped();
    void name_chains(const TracedThread& thread);
    void name_dropped();
    void name_others(std::size_t thread);
    bool expands(NodeId node, const Writing& writing) const;
    std::string sum(NodeId node, Writing& writing, unsigned depth) const;
    std::string product(const TraceNode& node, Writing& writing, unsigned depth) const;
    std::string factor(NodeId node, Writing& writing, unsigned depth) const;
    std::string atom(NodeId node, Writing& writing, unsigned depth) const;
    std::string function(const TraceNode& node, Writing& writing, unsigned depth) const;
    template <class Visit>
    void for_each_term(NodeId node, const Writing& writing, Visit visit) const;

    const machine::Program& program_;
    const TraceRecord& record_;
    const TraceNames& names_;
    // Steps along sums that may yet be made: where thousands of results each continue the one before, writing out every
    // one would take their square.
    mutable std::uint64_t work_ = std::uint64_t{1} << 26;
    std::vector<std::uint8_t> marks_;
    std::vector<std::vector<NodeId>> dropped_;  // by thread
    std::vector<Sink> sinks_;
    std::map<NodeId, std::size_t> chains_;  // results that only grow until they are stored: index into sinks_
    std::map<std::size_t, bool> single_;    // arrays that get one such value of each thread
    std::map<NodeId, std::string> other_names_;
};

}  // namespace tilescope::observers
