// RunPages: follows managed memory through a run: what kernels and the host touch, and what therefore moves.
//
// Owns: RunPages. Guarantees: nothing is told on a system that does not say what the host touches
// (machine/host_touch.h), or of a sample of blocks. Does not model: what the host touches while a kernel runs; whether
// the host read or wrote, except where it changed what is advised to be read mostly; managed variables in the program's
// own memory.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "scope/machine/run_observer.h"
#include "scope/models/pages/residency.h"
#include "scope/report/profile.h"
#include "scope/session/run_work.h"

namespace tilescope {

class RunPages : public machine::RunObserver {
public:
    static constexpr std::size_t kMaxLaunches = 64;

    // `work` gets what prefetches move, and lives as long.
    RunPages(const machine::Memory& memory, RunWork& work, bool is_wanted);

    // Puts what is known by now into the profile; now and then of a program that launches very often.
    void tell(Profile& profile, bool at_end);

    void on_allocate(const machine::AllocationEvent& event) override;
    void on_release_begin(const machine::AllocationEvent& event) override;
    void on_release(const machine::AllocationEvent& event) override;
    void on_set(const machine::SetEvent& event) override;
    void on_copy(const machine::CopyEvent& event) override;
    void on_changed() override;
    void on_prefetch(const machine::PrefetchEvent& event) override;
    void on_advice(const machine::AdviceEvent& event) override;
    std::unique_ptr<machine::Observer> on_launch_begin(const machine::LaunchEvent& event) override;
    void on_launch_end(const machine::LaunchEvent& event, const machine::Observer* seen) override;

private:
    bool follows() const { return is_wanted_ && !ranges_.empty(); }
    void see_host();
    void forget_host();
    void touch(const machine::Rows& rows, const machine::RowsExtent& extent, bool writes, bool by_host);
    // Runs what touches pages, and says how long whoever does it stands still.
    template <class Touches>
    double stalled(Touches&& touches);
    void note_room();
    void stall(double microseconds);
    PageMoves take_moves();

    const machine::Memory& memory_;
    RunWork& work_;
    bool is_wanted_;
    models::Residency residency_;
    std::map<std::uint64_t, std::uint64_t> ranges_;  // size by base, of those that are followed
    std::map<std::uint64_t, std::uint64_t> sums_;    // of what leaves held when the device got them, where mostly read
    PageReport report_;
    std::uint64_t managed_ = 0, launches_ = 0;
    double device_stall_ = 0, host_stall_ = 0;  // microseconds since take_moves()
    bool has_managed_ = false;
};

}  // namespace tilescope
