// What the threads of one block did, step by step, as values that know where they came from.
//
// Owns: TraceRecord and TraceRecorder, which fills one while the block runs.
// Guarantees: of the threads in range every load, store and atomic is there with the value's provenance, in program
// order; of all threads there are counts. Memory is bounded: past kMaxTraceSteps the record says where it stopped.
// A value is followed through registers and local memory; a register whose content is not what the trace last put there
// counts as unknown, so nothing is attributed wrongly.
// Does not model: values that pass through calls that were not inlined are unknown from there on; a value out of
// another lane (a shuffle) is a function of the thread's own.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scope/machine/stepper.h"
#include "scope/machine/worker.h"
#include "scope/report/phase_table.h"

namespace tilescope::observers {

inline constexpr std::uint64_t kMaxTraceSteps = std::uint64_t{1} << 21;

// Index into TraceRecord::nodes; 0: nothing is known of the value.
using NodeId = std::uint32_t;

enum class TraceNodeKind : std::uint8_t { kConstant, kParameter, kElement, kResult, kUnknown };

// A value: read from memory, given, or computed from others.
struct TraceNode {
    TraceNodeKind kind = TraceNodeKind::kConstant;
    machine::FlowKind what = machine::FlowKind::kOther;  // results
    machine::Space space = machine::Space::kGlobal;      // elements
    std::uint8_t bytes = 4;
    bool is_float = false;
    std::uint32_t interval = 0;  // the earliest in which it can be known: that of the latest load it depends on
    std::uint32_t ran = 0;       // in which the op ran
    std::uint32_t op = 0;
    std::uint32_t thread = 0;  // index into TraceRecord::threads; of constants and parameters it means nothing
    std::array<NodeId, 3> operands{};
    std::uint64_t bits = 0;  // constant: pattern; parameter: offset in the buffer; element: address
};

enum class TraceEventKind : std::uint8_t { kLoad, kStore, kAtomic };

struct TraceEvent {
    TraceEventKind kind = TraceEventKind::kLoad;
    machine::Space space = machine::Space::kGlobal;
    std::uint32_t interval = 0, op = 0;
    std::uint32_t bytes = 0;
    std::uint64_t address = 0;
    NodeId value = 0;  // loads: the element read
};

struct TracedThread {
    std::uint32_t number = 0;
    std::vector<TraceEvent> events;                                         // in program order
    std::vector<PhaseCounts> intervals;                                     // may end early: zeros follow
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> flop;  // (interval, op): executions that do FLOP
};

struct TraceRecord {
    bool ran = false;                                     // the block was met
    std::vector<TraceNode> nodes{TraceNode{.bytes = 0}};  // the first is the unknown value
    std::vector<TracedThread> threads;
    std::vector<PhaseCounts> intervals{PhaseCounts{}};  // of the block
    std::vector<PhaseCounts> totals;                    // by thread
    std::optional<std::uint32_t> full_in;               // the interval in which the record was full
};

struct TraceTarget {
    std::array<std::uint32_t, 3> block{};
    std::uint32_t threads = 1;          // of a block
    std::uint32_t first = 0, last = 0;  // threads to follow
    std::uint64_t max_steps = kMaxTraceSteps;
};

class TraceRecorder final : public machine::Stepper {
public:
    // program: steppable, with flow; outlives the recorder.
    TraceRecorder(const machine::Program& program, const TraceTarget& target);

    void step(machine::Warp& warp, const machine::Op& op, machine::OpFn run) override;
    void on_barrier(const machine::Worker& worker) override;
    const TraceRecord& record() const { return record_; }

private:
    struct Value {
        NodeId node = 0;
        std::uint64_t bits = 0;
    };
    // What is read before an op runs, for one thread.
    struct Inputs {
        std::vector<Value> sources;
        machine::Space space = machine::Space::kGlobal;
        std::uint64_t address = 0, from = 0;
        std::uint32_t copied = 0;  // bytes that a copy reads
        bool chosen = false;       // the predicate holds
    };
    struct Shadows {
        std::vector<Value> registers;                    // by place in the warp's register bank
        std::unordered_map<std::uint64_t, Value> local;  // by address
    };

    bool follows(const machine::Worker& worker) const;
    void count(const machine::Warp& warp, const machine::Op& op, std::uint32_t lanes);
    void add_counts(const machine::Warp& warp, std::uint32_t lanes, const PhaseCounts& counts);
    std::uint32_t followed_lanes(const machine::Warp& warp) const;
    std::size_t slot(const machine::Warp& warp, machine::Operand place) const;
    Value read(const machine::Warp& warp, unsigned lane, const machine::FlowValue& value);
    void write(const machine::Warp& warp, unsigned lane, const machine::FlowValue& value, NodeId node);
    std::uint64_t locate(const machine::Warp& warp, unsigned lane, const machine::FlowAddress& address,
                         machine::Space& space) const;
    void take_inputs(const machine::Warp& warp, unsigned lane, const machine::OpFlow& flow);
    void follow(const machine::Warp& warp, unsigned lane, const machine::Op& op, const machine::OpFlow& flow);
    void follow_load(const machine::Warp& warp, unsigned lane, const machine::Op& op, const machine::OpFlow& flow);
    void follow_store(const machine::Warp& warp, unsigned lane, const machine::Op& op, const machine::OpFlow& flow);
    void follow_copy(const machine::Warp& warp, unsigned lane, const machine::Op& op, const machine::OpFlow& flow);
    void follow_atomic(const machine::Warp& warp, unsigned lane, const machine::Op& op, const machine::OpFlow& flow);
    NodeId result(const machine::Op& op, const machine::OpFlow& flow, const Inputs& inputs);
    NodeId add(const TraceNode& node);
    NodeId element(const machine::Op& op, machine::Space space, std::uint64_t address, unsigned bytes);
    NodeId constant(const Value& value, unsigned bytes, bool is_float);
    NodeId parameter(std::uint32_t offset, unsigned bytes);
    NodeId unknown();
    TracedThread& thread(const machine::Warp& warp, unsigned lane);
    Shadows& shadows(const machine::Warp& warp, unsigned lane);
    void note(const machine::Warp& warp, unsigned lane, const TraceEvent& event);
    bool depends(NodeId node) const;
    void spend(std::uint64_t steps);

    const machine::Program& program_;
    TraceTarget target_;
    TraceRecord record_;
    std::uint32_t interval_ = 0;
    std::uint64_t spent_ = 0;
    std::uint32_t thread_ = 0;              // whose values are followed just now
    std::vector<const std::byte*> frames_;  // by warp: the kernel's own frame
    std::vector<Shadows> shadows_;          // by followed thread
    std::array<Inputs, machine::kWarpSize> inputs_;
    std::unordered_map<std::uint32_t, const machine::LaunchSlot*> parameters_;  // by place in the launch bank
    std::map<std::uint32_t, NodeId> parameter_nodes_;
};

}  // namespace tilescope::observers
