#include "scope/observers/trace_values.h"

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tilescope::observers {
namespace {

using machine::FlowKind;

constexpr std::size_t kMaxTerms = 64;
constexpr unsigned kMaxDepth = 8;
constexpr unsigned kMaxValuesPerTerm = 256;

bool is_result(const TraceNode& node) { return node.kind == TraceNodeKind::kResult; }

bool is_zero(const TraceNode& node) {
    const std::uint64_t sign = std::uint64_t{1} << (8 * std::clamp<unsigned>(node.bytes, 1, 8) - 1);
    return node.kind == TraceNodeKind::kConstant && node.bytes != 0 &&
           (node.bits == 0 || (node.is_float && node.bits == sign));
}

std::string number(const TraceNode& node, bool as_float) {
    if (node.is_float || as_float) {
        if (node.bytes == 4) return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(node.bits)));
        if (node.bytes == 8) return fmt::format("{}", std::bit_cast<double>(node.bits));
    }
    const unsigned unused = 64 - 8 * std::clamp<unsigned>(node.bytes, 1, 8);
    return fmt::format("{}", static_cast<std::int64_t>(node.bits << unused) >> unused);
}

// As C++ writes it between two operands; nothing for a function that it calls by name.
std::string symbol(machine::FlowFunction function) {
    using machine::FlowFunction;
    switch (function) {
        case FlowFunction::kDivide: return "/";
        case FlowFunction::kRemainder: return "%";
        case FlowFunction::kAnd: return "&";
        case FlowFunction::kOr: return "|";
        case FlowFunction::kXor: return "^";
        case FlowFunction::kShiftLeft: return "<<";
        case FlowFunction::kShiftRight: return ">>";
        default: break;
    }
    return {};
}

// "(a / b)" to "a / b".
void unwrap(std::string& text) {
    if (!text.starts_with('(') || !text.ends_with(')')) return;
    int depth = 0;
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0) return;
    }
    text = text.substr(1, text.size() - 2);
}

// The operand that a result adds to, when it is itself a result.
NodeId added_to(const std::vector<TraceNode>& nodes, NodeId id) {
    const TraceNode& node = nodes[id];
    auto result = [&](NodeId operand) { return is_result(nodes[operand]) ? operand : 0; };
    const auto [a, b, c] = node.operands;
    switch (node.what) {
        case FlowKind::kMultiplyAdd: return result(c);
        case FlowKind::kSubtract: return result(a);
        case FlowKind::kAdd:
            if (result(a) != 0 && result(b) != 0) return nodes[b].interval < nodes[a].interval ? b : a;
            return result(a) != 0 ? a : result(b);
        default: return 0;
    }
}

}  // namespace

TraceValues::TraceValues(const machine::Program& program, const TraceRecord& record, const TraceNames& names)
    : program_(program), record_(record), names_(names), marks_(record.nodes.size()), dropped_(record.threads.size()) {
    for (const TracedThread& thread : record.threads) mark(thread);
    find_dropped();
    for (const TracedThread& thread : record.threads) name_chains(thread);
    name_dropped();
    for (std::size_t i = 0; i < record.threads.size(); ++i) name_others(i);
}

void TraceValues::mark_from(NodeId top, std::uint32_t interval) {
    std::vector<NodeId> work;
    auto use = [&](NodeId id, std::uint32_t where) {
        if (id == 0) return;
        const TraceNode& node = record_.nodes[id];
        if (is_result(node) && node.interval != where) marks_[id] |= kKept;
        if (node.kind == TraceNodeKind::kElement && node.interval == where) marks_[id] |= kShown;
        if (marks_[id] & kUseful) return;
        marks_[id] |= kUseful;
        if (is_result(node)) work.push_back(id);
    };
    use(top, interval);
    while (!work.empty()) {
        const TraceNode& node = record_.nodes[work.back()];
        work.pop_back();
        for (NodeId operand : node.operands) use(operand, node.interval);
    }
}

void TraceValues::mark(const TracedThread& thread) {
    for (const TraceEvent& event : thread.events)
        if (event.kind != TraceEventKind::kLoad) mark_from(event.value, event.interval);
}

void TraceValues::find_dropped() {
    for (const TraceNode& node : record_.nodes)
        if (is_result(node))
            for (NodeId operand : node.operands) marks_[operand] |= kOperand;
    for (NodeId id = 1; id < record_.nodes.size(); ++id) {
        const TraceNode& node = record_.nodes[id];
        if (!is_result(node) || marks_[id] & (kUseful | kOperand)) continue;
        if (!program_.facts[node.op].computes) continue;
        marks_[id] |= kKept;
        mark_from(id, node.interval);
        dropped_[node.thread].push_back(id);
    }
}

void TraceValues::name_chains(const TracedThread& thread) {
    std::map<std::size_t, std::set<std::uint64_t>> stored;
    for (const TraceEvent& event : thread.events) {
        if (event.kind != TraceEventKind::kStore) continue;
        std::vector<NodeId> chain;
        bool keeps = false;
        // What another chain went along has its name, or needs none.
        for (NodeId id = event.value; is_result(record_.nodes[id]) && !(marks_[id] & kWalked);
             id = added_to(record_.nodes, id)) {
            marks_[id] |= kWalked;
            chain.push_back(id);
            keeps |= is_kept(id);
        }
        if (!keeps) continue;
        const std::size_t array = names_.find(event.space, event.address);
        for (NodeId id : chain) chains_.emplace(id, sinks_.size());
        sinks_.push_back({array, event.address, names_.element(event.space, event.address, event.bytes)});
        stored[array].insert(event.address);
    }
    for (const auto& [array, addresses] : stored) {
        const bool one = array < names_.arrays.size() && addresses.size() == 1;
        const auto [at, fresh] = single_.emplace(array, one);
        if (!fresh) at->second = at->second && one;
    }
}

// A sum that is dropped here and stored by another thread has the name that it has there.
void TraceValues::name_dropped() {
    std::map<std::uint32_t, std::size_t> by_op;
    for (const auto& [id, sink] : chains_) by_op.emplace(record_.nodes[id].op, sink);
    for (const auto& tops : dropped_)
        for (NodeId top : tops)
            for (NodeId id = top; is_result(record_.nodes[id]); id = added_to(record_.nodes, id)) {
                const auto found = by_op.find(record_.nodes[id].op);
                if (found == by_op.end()) break;
                const auto single = single_.find(sinks_[found->second].array);
                if (single == single_.end() || !single->second) break;
                chains_.emplace(id, found->second);
            }
}

void TraceValues::name_others(std::size_t thread) {
    unsigned count = 0;
    std::set<NodeId> seen;
    std::vector<NodeId> work = dropped_[thread], found;
    for (const TraceEvent& event : record_.threads[thread].events)
        if (event.kind != TraceEventKind::kLoad) work.push_back(event.value);
    while (!work.empty()) {
        const NodeId id = work.back();
        work.pop_back();
        if (!is_result(record_.nodes[id]) || !seen.insert(id).second) continue;
        if (is_kept(id) && !chains_.contains(id)) found.push_back(id);
        for (NodeId operand : record_.nodes[id].operands) work.push_back(operand);
    }
    // Operands come before what is made of them: a sum that grows keeps its name, whoever takes it up first.
    std::sort(found.begin(), found.end());
    std::set<NodeId> grown;
    for (NodeId id : found) {
        NodeId before = added_to(record_.nodes, id);
        while (before != 0 && !other_names_.contains(before)) before = added_to(record_.nodes, before);
        const bool grows = before != 0 && grown.insert(before).second;
        other_names_[id] = grows ? other_names_[before] : "v" + std::to_string(++count);
    }
}

std::string TraceValues::name(NodeId node) const {
    if (const auto chain = chains_.find(node); chain != chains_.end()) {
        const Sink& sink = sinks_[chain->second];
        const auto single = single_.find(sink.array);
        return single != single_.end() && single->second ? names_.arrays[sink.array].shown.name : sink.element;
    }
    const auto other = other_names_.find(node);
    return other != other_names_.end() ? other->second : "…";
}

std::uint64_t TraceValues::order(NodeId node) const {
    const auto chain = chains_.find(node);
    return chain != chains_.end() ? sinks_[chain->second].address : node;
}

std::string TraceValues::leaf(NodeId id, bool as_float) const {
    const TraceNode& node = record_.nodes[id];
    switch (node.kind) {
        case TraceNodeKind::kElement: return names_.element(node.space, node.bits, node.bytes);
        case TraceNodeKind::kParameter: return names_.parameter(node.bits);
        case TraceNodeKind::kConstant: return id == 0 ? "?" : number(node, as_float);
        case TraceNodeKind::kUnknown: return "?";
        case TraceNodeKind::kResult: break;
    }
    return name(id);
}

bool TraceValues::expands(NodeId id, const Writing& writing) const {
    const TraceNode& node = record_.nodes[id];
    return is_result(node) && node.interval == writing.interval;
}

// Calls visit(node, is_product, minus) for each term, in the order of the additions.
template <class Visit>
void TraceValues::for_each_term(NodeId top, const Writing& writing, Visit visit) const {
    struct Item {
        NodeId node;
        bool is_product, minus;
    };
    std::vector<Item> stack{{top, false, false}};
    while (!stack.empty()) {
        if (work_ == 0) return;
        --work_;
        const Item item = stack.back();
        stack.pop_back();
        const TraceNode& node = record_.nodes[item.node];
        const auto [a, b, c] = node.operands;
        const FlowKind what = item.is_product || !expands(item.node, writing) ? FlowKind::kOther : node.what;
        switch (what) {
            case FlowKind::kMultiplyAdd: {
                // a·b - c, and not -c + a·b.
                const bool negated = expands(c, writing) && record_.nodes[c].what == FlowKind::kNegate;
                if (negated) stack.push_back({c, false, item.minus});
                stack.push_back({item.node, true, item.minus});
                if (!negated) stack.push_back({c, false, item.minus});
                break;
            }
            case FlowKind::kAdd: {
                // What was there before stands first, on whichever side the compiler put it.
                const bool swap = added_to(record_.nodes, item.node) == b;
                stack.push_back({swap ? a : b, false, item.minus});
                stack.push_back({swap ? b : a, false, item.minus});
                break;
            }
            case FlowKind::kSubtract:
                stack.push_back({b, false, !item.minus});
                stack.push_back({a, false, item.minus});
                break;
            case FlowKind::kNegate: stack.push_back({a, false, !item.minus}); break;
            case FlowKind::kMultiply: visit(item.node, true, item.minus); break;
            default: visit(item.node, item.is_product, item.minus); break;
        }
    }
}

void TraceValues::write_sum(NodeId top, Sum how, bool as_float, PhaseStatement& into) const {
    Writing writing{record_.nodes[top].interval, as_float, 0};
    const std::string own = how == Sum::kGrowth ? name(top) : std::string();
    bool from_zero = false;
    into.term_count = 0;
    for_each_term(top, writing, [&](NodeId id, bool is_product, bool minus) {
        const TraceNode& node = record_.nodes[id];
        if (!is_product && is_zero(node)) {
            from_zero = true;
            return;
        }
        if (!is_product && !minus && is_result(node) && !own.empty() && node.interval < writing.interval &&
            name(id) == own) {
            into.accumulates = true;
            return;
        }
        // The first ones and the very last are enough to say how it goes on.
        writing.budget = kMaxValuesPerTerm;
        if (into.terms.size() == kMaxTerms) into.terms.pop_back();
        into.terms.push_back((minus ? "-" : "") + (is_product ? product(node, writing, 0) : atom(id, writing, 0)));
        ++into.term_count;
    });
    if (work_ == 0) {
        into.terms = {"…"};
        into.term_count = 1;
    }
    if (into.terms.empty()) {
        into.terms.emplace_back("0");
        into.term_count = 1;
    }
    if (into.terms.size() == 1) unwrap(into.terms[0]);
    // A sum that starts from nothing and goes on after a barrier reads like its later parts.
    if (from_zero && chains_.contains(top) && !own.empty()) into.accumulates = true;
}

std::string TraceValues::sum(NodeId top, Writing& writing, unsigned depth) const {
    std::string text;
    std::size_t count = 0;
    for_each_term(top, writing, [&](NodeId id, bool is_product, bool minus) {
        const TraceNode& node = record_.nodes[id];
        if (!is_product && is_zero(node)) return;
        if (++count > kMaxDepth) return;
        if (minus)
            text += text.empty() ? "-" : " - ";
        else if (!text.empty())
            text += " + ";
        text += is_product ? product(node, writing, depth) : atom(id, writing, depth);
    });
    if (count > kMaxDepth) text += " + …";
    return text.empty() ? "0" : text;
}

std::string TraceValues::product(const TraceNode& node, Writing& writing, unsigned depth) const {
    NodeId first = node.operands[0], second = node.operands[1];
    auto rank = [&](NodeId id) {
        const TraceNode& factor = record_.nodes[id];
        const bool element = factor.kind == TraceNodeKind::kElement;
        return std::tuple(static_cast<int>(factor.kind), element ? names_.find(factor.space, factor.bits) : 0,
                          element ? factor.bits : 0);
    };
    if (rank(second) < rank(first)) std::swap(first, second);
    const std::string left = factor(first, writing, depth);
    return left + "·" + factor(second, writing, depth);
}

std::string TraceValues::factor(NodeId id, Writing& writing, unsigned depth) const {
    const TraceNode& node = record_.nodes[id];
    if (!expands(id, writing)) return leaf(id, writing.as_float);
    if (depth >= kMaxDepth || writing.budget == 0) return "…";
    --writing.budget;
    if (node.what == FlowKind::kMultiply) return product(node, writing, depth + 1);
    if (node.what == FlowKind::kApply || node.what == FlowKind::kOther) return function(node, writing, depth + 1);
    return "(" + sum(id, writing, depth + 1) + ")";
}

std::string TraceValues::atom(NodeId id, Writing& writing, unsigned depth) const {
    const TraceNode& node = record_.nodes[id];
    if (!expands(id, writing)) return leaf(id, writing.as_float);
    if (depth >= kMaxDepth || writing.budget == 0) return "…";
    --writing.budget;
    if (node.what == FlowKind::kApply || node.what == FlowKind::kOther) return function(node, writing, depth + 1);
    return sum(id, writing, depth + 1);
}

std::string TraceValues::function(const TraceNode& node, Writing& writing, unsigned depth) const {
    const std::string_view opcode = program_.flow[node.op].opcode;
    const std::string infix = symbol(program_.flow[node.op].function);
    std::vector<std::string> parts;
    for (NodeId operand : node.operands) {
        if (operand == 0) continue;
        const TraceNodeKind kind = record_.nodes[operand].kind;
        if (node.what != FlowKind::kOther)
            parts.push_back(infix.empty() ? atom(operand, writing, depth) : factor(operand, writing, depth));
        else if (kind != TraceNodeKind::kConstant)  // of what is not known in detail only the data matter
            parts.push_back(expands(operand, writing) ? "…" : leaf(operand, writing.as_float));
    }
    if (!infix.empty() && parts.size() == 2) return "(" + parts[0] + " " + infix + " " + parts[1] + ")";
    return fmt::format("{}({})", opcode, fmt::join(parts, ", "));
}

}  // namespace tilescope::observers
