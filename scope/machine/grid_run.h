// GridRun: one launch under way. Internal to scope/machine.
//
// Owns: the workers of a launch with what each needs, and what came of their blocks so far.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "scope/machine/grid.h"
#include "scope/machine/guarded_arena.h"

namespace tilescope::machine {

// One worker with what it owns.
struct WorkerSlot {
    Worker worker;
    std::vector<std::unique_ptr<Observer>> shards;  // as the request's observers; null where the first slot's is shared
    std::unique_ptr<GuardedArena> shared;
    FaultLog faults;
    std::unique_ptr<BlockRunner> runner;
    // Of the first slot: whom its worker tells, and what it keeps of each site, once the first blocks are over.
    struct Later {
        Audience audience;
        std::vector<SiteMemo> memos;
    };
    std::unique_ptr<Later> later;
};

// Whether the blocks of a launch take turns, as they may wait for each other.
bool runs_together(const GridRequest& request);

class GridRun {
public:
    explicit GridRun(const GridRequest& request);
    GridResult run();

private:
    std::unique_ptr<WorkerSlot> make_slot();
    void add_observers(WorkerSlot& slot);
    std::vector<SiteMemo> make_memos(Audience& audience) const;
    void end_first_blocks(WorkerSlot& slot);
    std::unique_ptr<BlockRunner> make_runner(Worker& worker);
    std::uint64_t take_block();
    void index_of(std::uint64_t block, std::uint32_t index[3]) const;
    void prepare_block(WorkerSlot& slot, std::uint64_t block, std::uint32_t multiprocessor) const;
    void place(Fault& fault, std::uint64_t block) const;
    void note_fault(Fault& fault, std::uint64_t block);
    void report_progress(std::uint64_t blocks, std::uint64_t instructions);
    std::vector<FaultPlace> merged_places();
    GridResult merge();

    // Blocks that know nothing of each other: over all workers, each to its end (grid.cpp).
    void run_apart(unsigned workers);
    bool work_on(WorkerSlot& slot);
    static void end_work(WorkerSlot& slot);
    void run_block(WorkerSlot& slot, std::uint64_t block);

    // Blocks that may wait for each other (together.cpp). One is resident from when an SM has taken it until it has
    // ended; it has a slot from its first turn on.
    struct Resident {
        std::uint64_t block = 0;
        std::uint32_t sm = 0;
        WorkerSlot* slot = nullptr;
        bool has_ended = false;
    };
    class Together;

    const GridRequest& request_;
    const Program& program_;
    std::uint64_t blocks_ = 0;
    double sample_ = 1.0;
    bool alone_ = true;
    HangHelp hang_help_;
    GuardedArena parameters_;
    std::vector<std::byte> launch_bank_;
    std::unique_ptr<ProgressBoard> board_;
    std::vector<std::unique_ptr<WorkerSlot>> slots_;
    std::unique_ptr<WorkerSlot::Later> old_first_;  // the audience of the first blocks, when they are over
    std::uint64_t first_ = ~std::uint64_t{0};       // blocks that GridRequest::first sees
    std::uint64_t seen_first_ = 0;                  // of those, the ones that have run
    std::atomic<std::uint64_t> next_{0}, done_{0};
    std::atomic<std::uint64_t> first_fault_{~std::uint64_t{0}};
    std::mutex mutex_;
    std::optional<Fault> fault_;
};

}  // namespace tilescope::machine
