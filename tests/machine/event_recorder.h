// The reference observer: writes down everything that it is told, one line each, in the order in which it is told.
//
// RunRecorder follows a run and looks into its launches with an EventRecorder; both write into one list. Addresses of
// global and constant memory are told as "#id+offset" of their allocation, those of other spaces as offsets.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scope/machine/program.h"
#include "scope/machine/run_observer.h"

namespace tilescope::test {

using Lines = std::vector<std::string>;

// What a recorder asks for.
struct Wanted {
    std::uint32_t spaces = machine::kEverySpace;
    std::uint32_t events = machine::kEveryEvent;
    machine::View view = machine::View::kWritten;
    bool blocks = true;  // lines for their begin and end
    bool host = true;    // lines for what the host does
    bool sees_all_blocks = true;
};

class EventRecorder final : public machine::Observer {
public:
    EventRecorder(Lines& lines, const Wanted& wanted, const machine::Memory* memory = nullptr)
        : lines_(lines), wanted_(wanted), memory_(memory) {}

    std::uint32_t wants(const machine::Site& site) const override;
    machine::View view() const override { return wanted_.view; }
    std::uint32_t events() const override { return wanted_.events; }
    bool sees_all_blocks() const override { return wanted_.sees_all_blocks; }
    void begin_block(const machine::BlockPlace& block) override;
    void end_block(const machine::BlockPlace& block) override;
    void on_access(const machine::Access& access) override;
    void on_barrier(const machine::BarrierArrival& arrival) override;
    void on_barrier_passed(const machine::BarrierPassed& passed) override;
    void on_warp_barrier(const machine::WarpBarrier& barrier) override;
    void on_fence(const machine::Fence& fence) override;
    void on_copy_group(const machine::CopyGroup& group) override;
    void on_barrier_object(const machine::BarrierObjectUse& use) override;
    void on_prefetch(const machine::Prefetch& prefetch) override;
    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override;
    void merge(const Observer& other) override;

private:
    void add(const machine::BlockPlace& block, const std::string& text) const;
    void add(const machine::WarpEvent& event, const std::string& text) const;

    Lines& lines_;
    Wanted wanted_;
    const machine::Memory* memory_ = nullptr;
    const machine::Program* program_ = nullptr;
};

class RunRecorder final : public machine::RunObserver {
public:
    explicit RunRecorder(Lines& lines, const Wanted& wanted = {}) : lines_(lines), wanted_(wanted) {}

    void on_allocate(const machine::AllocationEvent& event) override;
    void on_release(const machine::AllocationEvent& event) override;
    void on_set(const machine::SetEvent& event) override;
    void on_copy(const machine::CopyEvent& event) override;
    void on_stream(const machine::StreamEvent& event) override;
    void on_graph_launch(const machine::GraphLaunchEvent& event) override;
    std::unique_ptr<machine::Observer> on_launch_begin(const machine::LaunchEvent& event) override;
    void on_launch_end(const machine::LaunchEvent& event, const machine::Observer* seen) override;

private:
    void add(const std::string& text) const;
    std::string place(std::uint64_t address) const;

    Lines& lines_;
    Wanted wanted_;
    std::vector<machine::Allocation> allocations_;
};

// All lines, each ended.
std::string joined(const Lines& lines);

}  // namespace tilescope::test
