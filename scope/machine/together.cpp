#include "scope/machine/together.h"

#include <algorithm>
#include <map>

namespace tilescope::machine {
namespace {

// Warp instructions of a turn: enough that changing between blocks, whose registers have to come back into the cache,
// costs little.
constexpr std::uint64_t kTurnInstructions = 100'000;
// Rounds of a polling loop that a warp gets in a turn. While nothing but polls happens anywhere they get more, as
// somebody may be counting his tries.
constexpr std::uint32_t kTurnPolls = 8, kMaxTurnPolls = 4096;
// Rounds of nothing but polls before anybody asks whether all this ends; the next time comes after twice as many. The
// same in instructions for each block, for loops that wait but are not seen to poll.
constexpr std::uint64_t kStillRounds = 4;
constexpr std::uint64_t kSuspiciousPerBlock = 2'000'000;

}  // namespace

bool runs_together(const GridRequest& request) {
    const auto& grid = request.shape.grid;
    return (request.cooperative || request.program->may_wait) && std::uint64_t{grid[0]} * grid[1] * grid[2] > 1;
}

GridRun::Together::Together(GridRun& run)
    : run_(run), sms_(run.request_.shape.multiprocessors, run.request_.blocks_per_sm) {
    run_.hang_help_.blocks_left = [this] { return blocks_left(); };
}

GridRun::Together::~Together() {
    run_.hang_help_.blocks_left = nullptr;
    run_.request_.memory->budget().give(Kept::kBlocks, kept_);
}

// Fills the SMs with the next blocks of the grid.
void GridRun::Together::place_blocks() {
    while (run_.next_.load() < run_.blocks_) {
        const auto sm = sms_.place();
        if (!sm) break;
        const std::uint64_t block = run_.take_block();
        if (block >= run_.blocks_) {
            sms_.leave(*sm);
            break;
        }
        resident_.push_back({block, *sm});
    }
    max_resident_ = std::max<std::uint64_t>(max_resident_, resident_.size());
}

// Runs something of a block, whose fault ends the launch.
template <class Action>
void GridRun::Together::guarded(Resident& resident, Action action) {
    const std::uint64_t before = resident.slot->worker.executed;
    try {
        action(*resident.slot->runner);
    } catch (Fault& fault) {
        run_.note_fault(fault, resident.block);
    }
    executed_ += resident.slot->worker.executed - before;
}

// False when the memory limit leaves no room for one more block while others run.
bool GridRun::Together::begin(Resident& resident) {
    if (free_.empty()) {
        MemoryBudget& budget = run_.request_.memory->budget();
        const std::uint64_t bytes = working_bytes(run_.program_, run_.request_.shape);
        // The first one's were taken before the launch (working_bytes of the request).
        if (!run_.slots_.empty()) {
            if (!budget.take(Kept::kBlocks, bytes)) return false;
            kept_ += bytes;
        }
        run_.slots_.push_back(run_.make_slot());
        free_.push_back(run_.slots_.back().get());
    }
    WorkerSlot& slot = *free_.back();
    free_.pop_back();
    resident.slot = &slot;
    run_.prepare_block(slot, resident.block, resident.sm);
    slot.runner->begin();
    return true;
}

void GridRun::Together::end(Resident& resident) {
    resident.slot->worker.audience.end_block(resident.slot->worker.block);
    free_.push_back(resident.slot);
    resident.has_ended = true;
    sms_.leave(resident.sm);
    ++run_.done_;
    place_blocks();
}

// A block's turn. False when it only polled, or could not begin.
bool GridRun::Together::has_moved(Resident& resident) {
    if (!resident.slot && !begin(resident)) {
        ++held_back_;
        return false;
    }
    Turn turn = Turn::kOver;
    guarded(resident, [&](BlockRunner& runner) { turn = runner.take_turn(kTurnInstructions, polls_); });
    if (turn == Turn::kEnded) end(resident);  // may move the list's elements
    return turn != Turn::kWaits;
}

// A turn for each resident block. False when all of them only polled.
bool GridRun::Together::run_round() {
    bool moved = false;
    held_back_ = 0;
    for (std::size_t i = 0; i < resident_.size() && !run_.fault_; ++i) moved |= has_moved(resident_[i]);
    std::erase_if(resident_, [](const Resident& resident) { return resident.has_ended; });
    return moved;
}

void GridRun::Together::run_all() {
    place_blocks();
    polls_ = kTurnPolls;
    std::uint64_t still = 0, next_still = kStillRounds, next_executed = 0, done = run_.done_;
    std::uint64_t told_blocks = run_.done_, told_executed = executed_;
    while (!resident_.empty() && !run_.fault_) {
        if (run_round()) {
            still = 0;
            next_still = kStillRounds;
            polls_ = kTurnPolls;
        } else {
            ++still;
            polls_ = std::min(polls_ * 2, kMaxTurnPolls);
        }
        run_.report_progress(run_.done_ - told_blocks, executed_ - told_executed);
        told_blocks = run_.done_;
        told_executed = executed_;
        if (done != run_.done_ || next_executed == 0) {
            done = run_.done_;
            next_executed = executed_ + kSuspiciousPerBlock * resident_.size();
        }
        if (resident_.empty() || run_.fault_ || (still < next_still && executed_ < next_executed)) continue;
        // Lanes that wait at a join may be what the others poll for.
        if (still < next_still || !release_waiting()) look_for_hang();
        if (still >= next_still) next_still *= 2;
        if (executed_ >= next_executed) next_executed = executed_ * 2;
    }
}

bool GridRun::Together::release_waiting() {
    bool released = false;
    for (Resident& resident : resident_)
        if (resident.slot) released |= resident.slot->runner->release_waiting();
    return released;
}

// Whether one block reads what another one changes from turn to turn.
bool GridRun::Together::is_changed_by_another(const std::vector<std::pair<Resident*, Stuck>>& all) const {
    std::map<std::uint64_t, const Resident*> changed_by;  // word; null: by several
    for (const auto& [resident, stuck] : all)
        for (const std::uint64_t word : stuck.changes) {
            const auto [at, is_new] = changed_by.try_emplace(word, resident);
            if (!is_new && at->second != resident) at->second = nullptr;
        }
    for (const auto& [resident, stuck] : all)
        for (const std::uint64_t word : stuck.reads) {
            const auto at = changed_by.find(word);
            if (at != changed_by.end() && at->second != resident) return true;
        }
    return false;
}

// When each block only repeats itself, and none reads what another one changes, nobody ever ends.
void GridRun::Together::look_for_hang() {
    std::vector<std::pair<Resident*, Stuck>> all;
    for (Resident& resident : resident_) {
        if (!resident.slot) continue;  // held back: it can change nothing
        std::optional<Stuck> stuck;
        guarded(resident, [&](BlockRunner& runner) { stuck = runner.find_stuck(); });
        if (!stuck || run_.fault_) return;
        all.emplace_back(&resident, std::move(*stuck));
    }
    if (all.empty() || is_changed_by_another(all) || release_waiting()) return;
    for (auto& [resident, stuck] : all) {
        bool is_stuck = true;
        if (stuck.asks_time) guarded(*resident, [&](BlockRunner& runner) { is_stuck = runner.is_stuck_later(); });
        if (!is_stuck || run_.fault_) return;
    }
    auto polling = std::find_if(all.begin(), all.end(), [](const auto& one) { return !one.second.polls.empty(); });
    if (polling == all.end()) polling = all.begin();
    guarded(*polling->first, [&](BlockRunner& runner) { runner.raise_endless(polling->second.polls); });
}

// For the message of a block that waits in vain.
std::string GridRun::Together::blocks_left() const {
    const std::uint64_t left = run_.blocks_ - std::min(run_.blocks_, run_.next_.load());
    if (run_.sample_ < 1.0) return "only a sample of the grid's blocks runs";
    if (left == 0 && held_back_ == 0) return {};
    const std::string all = "needs all " + std::to_string(run_.blocks_) + " blocks resident at once; ";
    if (held_back_ != 0)
        return "if it waits for the rest of the grid, the kernel " + all +
               std::to_string(resident_.size() - held_back_) + " fit in the memory limit";
    return std::to_string(left) + (left == 1 ? " block of the grid has" : " blocks of the grid have") +
           " not started; if it waits for one of them, the kernel " + all + std::to_string(max_resident_) +
           " fit on the device";
}

}  // namespace tilescope::machine
