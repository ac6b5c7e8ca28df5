#include "scope/machine/grid.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

#include "scope/base/rounding.h"
#include "scope/machine/grid_run.h"
#include "scope/machine/launch_bank.h"
#include "scope/machine/together.h"

namespace tilescope::machine {
namespace {

// Coordinates of a thread, given its number within the block.
void place_thread(std::uint32_t number, const std::uint32_t block[3], std::uint32_t thread[3]) {
    thread[0] = number % block[0];
    thread[1] = number / block[0] % block[1];
    thread[2] = number / block[0] / block[1];
}

unsigned workers_of(const GridRequest& request) {
    const auto& grid = request.shape.grid;
    const std::uint64_t blocks = std::uint64_t{grid[0]} * grid[1] * grid[2];
    const bool one = request.program->order_dependent || runs_together(request) ||
                     std::any_of(request.observers.begin(), request.observers.end(), [&](const Observer* observer) {
                         return observer->sees_all_blocks() && !request.first.has(observer);
                     });
    const unsigned wanted = one ? 1 : std::max(1u, request.workers);
    return static_cast<unsigned>(std::min<std::uint64_t>(wanted, std::max<std::uint64_t>(1, blocks)));
}

}  // namespace

bool FirstBlocks::has(const Observer* observer) const {
    return count && std::find(observers.begin(), observers.end(), observer) != observers.end();
}

GridRun::GridRun(const GridRequest& request)
    : request_(request),
      program_(*request.program),
      parameters_(std::vector<GuardedArena::Region>{{request.parameters.size()}}, {0, request.parameters}) {
    const auto& grid = request.shape.grid;
    blocks_ = std::uint64_t{grid[0]} * grid[1] * grid[2];
    sample_ = request.cooperative ? 1.0 : request.sample;  // the blocks of a cooperative launch all meet
    launch_bank_ = fill_launch_bank(request, parameters_.place(0).data);
    hang_help_ = request.hang_help;
    hang_help_.blocks_left = [this]() -> std::string {
        const std::uint64_t left = blocks_ - std::min(blocks_, next_.load(std::memory_order_relaxed));
        if (left == 0) return {};
        return std::to_string(left) + (left == 1 ? " block of the grid has" : " blocks of the grid have") +
               " not started, as blocks run one after another here";
    };
}

GridResult GridRun::run() {
    const unsigned workers = workers_of(request_);
    alone_ = workers == 1;
    board_ = std::make_unique<ProgressBoard>(1);
    if (request_.progress != nullptr) request_.progress->set_blocks(sample_ * static_cast<double>(blocks_));
    if (runs_together(request_))
        Together(*this).run_all();
    else
        run_apart(workers);
    return merge();
}

std::unique_ptr<BlockRunner> GridRun::make_runner(Worker& worker) {
    // Linux gives a process some 65,000 pieces of address space: thousands of resident blocks have to share.
    constexpr std::size_t kRunnersApart = 512;
    return std::make_unique<BlockRunner>(worker, request_.shape, launch_bank_.data(), *request_.budget, *board_,
                                         slots_.size() < kRunnersApart);
}

std::unique_ptr<WorkerSlot> GridRun::make_slot() {
    auto slot = std::make_unique<WorkerSlot>();
    Worker& worker = slot->worker;
    worker.program = &program_;
    worker.memory = request_.memory;
    worker.shared_own = program_.shared_reserved;
    worker.shared_bytes = worker.shared_own + request_.shape.shared_bytes;
    worker.shared_window = kSharedWindow + program_.shared_base;
    worker.local_bytes = request_.shape.local_bytes;
    // Whole words: atomics on a byte swap the word around it (isa/families/memory_bounds.cpp).
    const std::uint64_t words = round_up(worker.shared_bytes, sizeof(std::uint32_t));
    slot->shared = std::make_unique<GuardedArena>(std::vector<GuardedArena::Region>{{words}});
    worker.shared = slot->shared->place(0).data;
    worker.parameters = parameters_.place(0).data;
    worker.parameter_bytes = request_.parameters.size();
    worker.alone = alone_;
    worker.hang_help = &hang_help_;
    worker.faults = &slot->faults;
    worker.on_after_faults = request_.on_after_faults;
    worker.shared_bytes_reserved = request_.shared_bytes_reserved;
    worker.stepper = request_.stepper;
    worker.guarded_lanes.resize(program_.sites.size());
    worker.counts.resize(program_.blocks.size());
    if (request_.paces.size() == program_.blocks.size()) worker.paces = request_.paces.data();
    add_observers(*slot);
    worker.print_context = this;
    worker.print = [](void* self, const char* text, std::size_t size) {
        auto* run = static_cast<GridRun*>(self);
        std::lock_guard lock(run->mutex_);
        if (run->request_.print) run->request_.print(text, size);
    };
    slot->runner = make_runner(worker);
    return slot;
}

void GridRun::add_observers(WorkerSlot& slot) {
    Worker& worker = slot.worker;
    const bool together = runs_together(request_);
    const bool has_first = !together && slots_.empty() && request_.first.count && !request_.first.observers.empty();
    if (has_first) slot.later = std::make_unique<WorkerSlot::Later>();
    for (std::size_t i = 0; i < request_.observers.size(); ++i) {
        const Observer* const prototype = request_.observers[i];
        const bool is_first = !together && request_.first.has(prototype);
        const bool shares = !slots_.empty() && (prototype->sees_all_blocks() || is_first);
        slot.shards.push_back(shares ? nullptr : prototype->make_shard(program_));
        if (shares && is_first) continue;  // its blocks are over when a second worker comes
        Observer& shard = shares ? *slots_[0]->shards[i] : *slot.shards.back();
        worker.audience.add(shard);
        if (has_first && !is_first) slot.later->audience.add(shard);
        if (Follower* const follower = shard.follower()) worker.follower = follower;
    }
    worker.memos = make_memos(worker.audience);
    if (has_first) slot.later->memos = make_memos(slot.later->audience);
}

std::vector<SiteMemo> GridRun::make_memos(Audience& audience) const {
    std::vector<SiteMemo> memos(program_.sites.size());
    for (std::size_t i = 0; i < program_.sites.size(); ++i) {
        const Site& site = program_.sites[i];
        SiteMemo& memo = memos[i];
        memo.counted_width = site.counted_width;
        memo.counted_shift = site.counted_shift;
        memo.more_pieces = site.more_pieces;
        memo.order = site.order;
        memo.scope = site.scope;
        if (!site.is_announced) continue;
        memo.written = &audience.listeners(site, View::kWritten);
        memo.counted = &audience.listeners(site, View::kCounted);
        memo.written_spaces = static_cast<std::uint8_t>(memo.written->spaces);
        // What machine code leaves out or has as a part of another access counts nothing here.
        if (site.counted_width != 0) memo.counted_spaces = static_cast<std::uint8_t>(memo.counted->spaces);
    }
    return memos;
}

// From here on the worker's blocks have no more observers than those of other workers.
void GridRun::end_first_blocks(WorkerSlot& slot) {
    Worker& worker = slot.worker;
    std::swap(worker.audience, slot.later->audience);
    std::swap(worker.memos, slot.later->memos);
    for (std::size_t i = 0; i < request_.observers.size(); ++i)
        if (request_.first.has(request_.observers[i]) && slot.shards[i]->follower() != nullptr)
            worker.follower = nullptr;
    old_first_ = std::move(slot.later);  // the runner may still look at where its last block's accesses lay
}

void GridRun::run_apart(unsigned workers) {
    std::vector<std::thread> threads;
    slots_.push_back(make_slot());
    WorkerSlot& first = *slots_[0];
    const auto begin = std::chrono::steady_clock::now();
    // Called by the first worker, and by the others when there is nothing left to do.
    const auto call_others = [&] {
        if (first.later || slots_.size() == workers || next_.load(std::memory_order_relaxed) >= blocks_ ||
            std::chrono::steady_clock::now() - begin < request_.alone)
            return;
        while (slots_.size() < workers) slots_.push_back(make_slot());
        for (unsigned i = 1; i < workers; ++i) {
            board_->moves_again();
            threads.emplace_back([this, slot = slots_[i].get()] {
                while (work_on(*slot)) {
                }
                board_->stops_moving();
                end_work(*slot);
            });
        }
    };
    if (workers > 1) board_->set_between_slices(call_others);
    while (work_on(first)) {
        call_others();
    }
    board_->stops_moving();
    end_work(first);
    for (std::thread& thread : threads) thread.join();
}

void GridRun::end_work(WorkerSlot& slot) {
    for (const auto& shard : slot.shards)
        if (shard) shard->end_work();
}

// The next block, if there is one.
bool GridRun::work_on(WorkerSlot& slot) {
    if (slot.later && seen_first_ >= first_) end_first_blocks(slot);
    const std::uint64_t block = take_block();
    if (block >= blocks_ || block > first_fault_.load(std::memory_order_relaxed)) return false;
    const std::uint64_t before = slot.worker.executed;
    run_block(slot, block);
    done_.fetch_add(1, std::memory_order_relaxed);
    report_progress(1, slot.worker.executed - before);
    if (slot.later && ++seen_first_ == 1) first_ = request_.first.count(slot.worker.executed - before);
    return true;
}

// What came since the last time.
void GridRun::report_progress(std::uint64_t blocks, std::uint64_t instructions) {
    if (request_.progress == nullptr) return;
    request_.progress->add(blocks, instructions);
    request_.progress->tell();
}

// The next block of the sample that nobody has; blocks_ or more when there is none.
std::uint64_t GridRun::take_block() {
    if (sample_ >= 1.0) return next_.fetch_add(1, std::memory_order_relaxed);
    std::uint64_t from = next_.load(std::memory_order_relaxed);
    while (true) {
        if (from >= blocks_) return from;
        const std::uint64_t block = next_in_sample(from, blocks_, sample_);
        if (next_.compare_exchange_weak(from, block + 1, std::memory_order_relaxed)) return block;
    }
}

void GridRun::index_of(std::uint64_t block, std::uint32_t index[3]) const {
    const auto& grid = request_.shape.grid;
    index[0] = static_cast<std::uint32_t>(block % grid[0]);
    index[1] = static_cast<std::uint32_t>(block / grid[0] % grid[1]);
    index[2] = static_cast<std::uint32_t>(block / grid[0] / grid[1]);
}

// Block and thread as coordinates.
void GridRun::place(Fault& fault, std::uint64_t block) const {
    const auto& shape = request_.shape.block;
    index_of(block, fault.block);
    place_thread(fault.lane, shape, fault.thread);
}

void GridRun::note_fault(Fault& fault, std::uint64_t block) {
    place(fault, block);
    std::lock_guard lock(mutex_);
    if (block >= first_fault_.load()) return;
    first_fault_ = block;
    fault_ = fault;
}

// A block is about to run with what the slot has.
void GridRun::prepare_block(WorkerSlot& slot, std::uint64_t block, std::uint32_t multiprocessor) const {
    Worker& worker = slot.worker;
    worker.block.number = block;
    index_of(block, worker.block.index);
    worker.block.multiprocessor = multiprocessor;
    // Shared memory starts alike in every block: hardware leaves leftovers, but a run must repeat.
    std::memset(worker.shared, request_.fill, worker.shared_bytes);
    std::memset(worker.shared, 0, worker.shared_own);
    slot.faults.begin_block(block);
    worker.audience.begin_block(worker.block);
}

void GridRun::run_block(WorkerSlot& slot, std::uint64_t block) {
    prepare_block(slot, block, static_cast<std::uint32_t>(block % request_.shape.multiprocessors));
    try {
        slot.runner->run();
        slot.worker.audience.end_block(slot.worker.block);
    } catch (Fault& fault) {
        note_fault(fault, block);
        slot.runner = make_runner(slot.worker);
    }
}

std::vector<FaultPlace> GridRun::merged_places() {
    for (std::size_t i = 1; i < slots_.size(); ++i) slots_[0]->faults.merge(slots_[i]->faults);
    std::vector<FaultPlace> places = slots_[0]->faults.places();
    if (fault_) {
        std::erase_if(places, [&](const FaultPlace& place) { return place.block > first_fault_; });
        for (FaultPlace& place : places) place.count = 1;
    }
    for (FaultPlace& found : places) place(found.first, found.block);
    return places;
}

GridResult GridRun::merge() {
    GridResult result;
    result.fault = fault_;
    result.places = merged_places();
    result.blocks_run = done_;
    result.blocks_first = slots_[0]->later || !old_first_ ? result.blocks_run : seen_first_;
    Worker& first = slots_[0]->worker;
    for (std::size_t i = 1; i < slots_.size(); ++i) {
        const Worker& other = slots_[i]->worker;
        for (std::size_t b = 0; b < first.counts.size(); ++b) {
            first.counts[b].runs += other.counts[b].runs;
            first.counts[b].lanes += other.counts[b].lanes;
            first.counts[b].divergent += other.counts[b].divergent;
        }
        for (std::size_t s = 0; s < first.guarded_lanes.size(); ++s) first.guarded_lanes[s] += other.guarded_lanes[s];
        for (std::size_t o = 0; o < slots_[0]->shards.size(); ++o)
            if (slots_[i]->shards[o]) slots_[0]->shards[o]->merge(*slots_[i]->shards[o]);
        first.executed += other.executed;
        first.findings.merge(other.findings);
    }
    for (auto& [key, finding] : first.findings.all()) place_thread(finding.lane, request_.shape.block, finding.thread);
    result.findings = std::move(first.findings);
    result.counts = std::move(first.counts);
    result.guarded_lanes = std::move(first.guarded_lanes);
    result.observers = std::move(slots_[0]->shards);
    result.executed = first.executed;
    return result;
}

bool in_sample(std::uint64_t block, double fraction) {
    if (fraction >= 1.0) return true;
    return block == 0 ||
           std::floor(static_cast<double>(block + 1) * fraction) > std::floor(static_cast<double>(block) * fraction);
}

std::uint64_t next_in_sample(std::uint64_t block, std::uint64_t end, double fraction) {
    if (block >= end || in_sample(block, fraction)) return block;
    // Where the share of the blocks before it passes the next whole number; rounding may put it a little off.
    const double next = std::floor(static_cast<double>(block) * fraction) + 1;
    const double guess = std::ceil(next / fraction) - 3;
    if (guess >= static_cast<double>(end)) return end;
    if (guess > static_cast<double>(block)) block = static_cast<std::uint64_t>(guess);
    while (block < end && !in_sample(block, fraction)) ++block;
    return block;
}

std::uint64_t working_bytes(const GridRequest& request) {
    return workers_of(request) * working_bytes(*request.program, request.shape);
}

GridResult run_grid(const GridRequest& request) {
    GridRun run(request);
    return run.run();
}

}  // namespace tilescope::machine
