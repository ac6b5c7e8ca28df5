#include "scope/observers/hazards/stream_races.h"

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>
#include <utility>

#include "scope/machine/program.h"

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::AllocationKind;
using machine::Space;

// What is kept of work that later work may meet.
constexpr std::uint64_t kMaxRecordBytes = std::uint64_t{256} << 20U;
constexpr std::size_t kMaxRecords = 4096;

Touch touch_of(const Access& access) {
    const bool changes = writes(access.kind);
    if (access.order == machine::Order::kWeak && !(reads(access.kind) && changes))
        return changes ? Touch::kWrite : Touch::kRead;
    if (access.order == machine::Order::kVolatile || access.scope == machine::Scope::kSystem)
        return changes ? Touch::kSystem : Touch::kSystemRead;
    return changes ? Touch::kStrong : Touch::kStrongRead;
}

// The bytes of global memory that a launch touches. Of one that begins early, also those that warps touch before they
// have waited for the grid before.
class TouchedByLaunch : public machine::Observer {
public:
    explicit TouchedByLaunch(bool begins_early) : begins_early_(begins_early) {}

    std::uint32_t wants(const machine::Site&) const override { return bit_of(Space::kGlobal); }
    std::uint32_t events() const override { return bit_of(machine::Event::kGridDependency); }
    void end_block(const machine::BlockPlace& place) override {
        if (!waited_.empty()) waited_.erase(place.number);
    }
    void on_grid_dependency(const machine::GridDependency& event) override {
        if (event.waits && begins_early_) waited_[event.block->number] |= 1u << event.warp();
        lets_begin_ = lets_begin_ || !event.waits;
    }
    void on_access(const Access& access) override {
        mark(access, touched_);
        if (!begins_early_) return;
        const auto waited = waited_.find(access.block->number);
        if (waited == waited_.end() || (waited->second >> access.warp() & 1) == 0) mark(access, early_);
    }
    std::unique_ptr<Observer> make_shard(const machine::Program&) const override {
        return std::make_unique<TouchedByLaunch>(begins_early_);
    }
    void merge(const Observer& other) override {
        const auto& shard = static_cast<const TouchedByLaunch&>(other);
        touched_.merge(shard.touched_);
        early_.merge(shard.early_);
        lets_begin_ = lets_begin_ || shard.lets_begin_;
    }

    const TouchedPages& touched() const { return touched_; }
    const TouchedPages& early() const { return early_; }
    bool lets_begin() const { return lets_begin_; }

private:
    static void mark(const Access& access, TouchedPages& into) {
        const Touch touch = touch_of(access);
        // Neighbouring lanes mostly touch neighbouring bytes.
        std::uint64_t from = 0, bytes = 0;
        for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            const std::uint64_t address = access.address(lane);
            const unsigned width = access.bytes(lane);
            if (bytes != 0 && address == from + bytes) {
                bytes += width;
                continue;
            }
            if (bytes != 0) into.mark(from, bytes, touch, access.op);
            from = address;
            bytes = width;
        }
        if (bytes != 0) into.mark(from, bytes, touch, access.op);
    }

    bool begins_early_, lets_begin_ = false;
    TouchedPages touched_, early_;
    std::unordered_map<std::uint64_t, std::uint32_t> waited_;  // warps, by block
};

void mark_rows(const machine::Rows& rows, const machine::RowsExtent& extent, Touch touch, TouchedPages& into) {
    for (std::uint64_t z = 0; z < extent.slices; ++z)
        for (std::uint64_t y = 0; y < extent.rows; ++y)
            into.mark(rows.address + z * rows.slice + y * rows.pitch, extent.width, touch);
}

SourceLine source_line_of(const machine::Program* program, std::uint32_t op) {
    if (program == nullptr || op >= program->facts.size()) return {};
    const machine::SourcePlace& place = program->facts[op].place;
    return place.line == 0 ? SourceLine{} : SourceLine{program->files[place.file], place.line};
}

}  // namespace

StreamFindings StreamRaces::take() {
    const std::lock_guard lock(mutex_);
    has_news_.store(false, std::memory_order_release);
    return std::exchange(found_, {});
}

void StreamRaces::on_stream(const machine::StreamEvent& event) {
    order_.on_stream(event);
    // What comes behind a point that others wait for begins behind all before it.
    if (event.kind == machine::StreamEventKind::kRecord || event.kind == machine::StreamEventKind::kWait)
        letting_.erase(event.stream);
    forget();
}

void StreamRaces::on_allocate(const machine::AllocationEvent& event) {
    if (!event.issue.is_async || event.allocation.size == 0) return;
    TouchedPages touched;
    touched.mark(event.allocation.base, event.allocation.size, Touch::kWrite);
    add(event.issue, WorkKind::kAllocation, {}, nullptr, std::move(touched));
}

// cudaFree waits for all work; what comes to lie at these addresses later is another thing.
void StreamRaces::on_release(const machine::AllocationEvent& event) {
    if (event.allocation.kind == AllocationKind::kHeap) return;
    if (!event.issue.is_async) {
        order_.finish_all();
        return forget();
    }
    if (event.allocation.size == 0) return;
    TouchedPages touched;
    touched.mark(event.allocation.base, event.allocation.size, Touch::kWrite);
    add(event.issue, WorkKind::kRelease, {}, nullptr, std::move(touched));
    // Whoever gets these addresses next has other memory, and CUDA sees to the order of the two.
    for (Record& record : records_) record.touched.clear(event.allocation.base, event.allocation.size);
}

void StreamRaces::on_set(const machine::SetEvent& event) {
    TouchedPages touched;
    mark_rows(event.target, event.extent, Touch::kWrite, touched);
    add(event.issue, WorkKind::kSet, {}, nullptr, std::move(touched));
    const auto allocation = memory_.find(event.target.address);
    // A set of memory that the host sees is over when the call returns.
    if (!event.issue.is_async && allocation && allocation->shift == 0) order_.finish(event.issue.stream);
    forget();
}

void StreamRaces::on_copy(const machine::CopyEvent& event) {
    const auto target = memory_.find(event.target.address), source = memory_.find(event.source.address);
    TouchedPages touched;
    // Memory that the run does not know is pageable: it goes through a buffer of the driver's before the call returns.
    if (source) mark_rows(event.source, event.extent, Touch::kRead, touched);
    if (target) mark_rows(event.target, event.extent, Touch::kWrite, touched);
    add(event.issue, WorkKind::kCopy, {}, nullptr, std::move(touched));
    const bool has_pageable = !source || !target;
    const bool touches_host = has_pageable || source->shift == 0 || target->shift == 0;
    // A graph that copies pageable memory lets the host go on.
    const bool is_call = event.issue.graph == 0;
    if (is_call && event.issue.is_async && has_pageable && (source || target)) {
        const std::lock_guard lock(mutex_);
        found_.copies.push_back({site_ ? site_() : 0, event.extent.bytes(), event.issue.stream});
        has_news_.store(true, std::memory_order_release);
    }
    // Between two places of the device a copy does not keep the host.
    if ((!event.issue.is_async && touches_host) || (is_call && event.issue.is_async && !target))
        order_.finish(event.issue.stream);
    forget();
}

std::unique_ptr<machine::Observer> StreamRaces::on_launch_begin(const machine::LaunchEvent& event) {
    return std::make_unique<TouchedByLaunch>(event.issue.begins_early);
}

void StreamRaces::on_launch_end(const machine::LaunchEvent& event, const machine::Observer* seen) {
    if (seen == nullptr || event.has_faulted) return;
    const auto& launch = *static_cast<const TouchedByLaunch*>(seen);
    // What malloc in kernels gave lies here where another kernel's lies, which on a device runs at the same time.
    const auto [heap, heap_end] = memory_.heap().range();
    const auto touched_of = [&, first = heap, bytes = heap_end - heap](const TouchedPages& pages) {
        TouchedPages touched;
        touched.merge(pages);
        touched.clear(first, bytes);
        return touched;
    };
    Record own;
    own.work = {WorkKind::kKernel,
                std::string(event.kernel),
                event.issue.stream,
                event.issue.graph,
                site_ ? site_() : 0,
                Touch::kRead,
                {}};
    own.program = event.program;
    const std::uint32_t stream = event.issue.stream;
    if (const auto before = letting_.find(stream);
        before != letting_.end() && event.issue.begins_early && !order_.is_over(stream, before->second.last)) {
        own.touched = touched_of(launch.early());
        compare_bytes(before->second, own, true);
    }
    add(event.issue, WorkKind::kKernel, std::string(event.kernel), event.program, touched_of(launch.touched()));
    if (!launch.lets_begin()) return;
    own.touched = touched_of(launch.touched());
    own.last = order_.before(stream).at(stream);
    letting_[stream] = std::move(own);
}

void StreamRaces::add(const machine::Issue& issue, WorkKind kind, std::string kernel, const machine::Program* program,
                      TouchedPages touched) {
    touched.compact();
    version_.fetch_add(1, std::memory_order_acq_rel);
    const std::uint64_t number = order_.issue(issue.stream);
    letting_.erase(issue.stream);
    if (touched.empty()) return;
    Record record;
    record.work = {kind, std::move(kernel), issue.stream, issue.graph, site_ ? site_() : 0, Touch::kRead, {}};
    record.first = record.last = number;
    record.cut = order_.cuts(issue.stream);
    record.program = program;
    record.touched = std::move(touched);
    for (const Record& earlier : records_) compare(earlier, record);
    const auto like = std::find_if(records_.rbegin(), records_.rend(), [&](const Record& other) {
        return other.work.stream == issue.stream && other.cut == record.cut && other.work.site == record.work.site &&
               other.work.kind == kind && other.work.graph == issue.graph && other.program == program;
    });
    if (like != records_.rend()) {
        record_bytes_ -= like->bytes;
        like->touched.merge(record.touched);
        like->last = number;
        like->bytes = like->touched.table_bytes();
        record_bytes_ += like->bytes;
        return;
    }
    record.bytes = record.touched.table_bytes();
    record_bytes_ += record.bytes;
    records_.push_back(std::move(record));
    while (records_.size() > kMaxRecords || (record_bytes_ > kMaxRecordBytes && records_.size() > 1)) {
        record_bytes_ -= records_.front().bytes;
        records_.pop_front();
        ++forgotten_;
    }
}

// `second` is the latest piece of its stream.
void StreamRaces::compare(const Record& first, const Record& second) {
    if (first.work.stream == second.work.stream) return;
    if (order_.before(second.work.stream).at(first.work.stream) >= first.last) return;
    compare_bytes(first, second, false);
}

void StreamRaces::compare_bytes(const Record& first, const Record& second, bool is_early) {
    const auto conflict = first.touched.conflict(second.touched);
    if (!conflict) return;
    StreamRace race;
    race.is_early = is_early;
    race.first = first.work;
    race.second = second.work;
    race.first.touch = conflict->first;
    race.second.touch = conflict->second;
    race.first.line = source_line_of(first.program, conflict->first_op);
    race.second.line = source_line_of(second.program, conflict->second_op);
    if (const machine::Place place = memory_.classify(conflict->address); place.kind != machine::PlaceKind::kDevice)
        race.allocation = place.allocation;
    if (race.allocation) race.offset = conflict->address - race.allocation->base;
    const std::lock_guard lock(mutex_);
    found_.races.push_back(std::move(race));
    has_news_.store(true, std::memory_order_release);
}

// What the host has waited for is before all that comes.
void StreamRaces::forget() {
    std::erase_if(records_, [&](const Record& record) {
        const bool is_over = order_.is_over(record.work.stream, record.last);
        if (!is_over) return false;
        record_bytes_ -= record.bytes;
        version_.fetch_add(1, std::memory_order_acq_rel);
        return true;
    });
}

// What is allowed beside the work of others: nothing of what these change, and no change of what they read. A byte that
// the work changes with the host in mind is a message perhaps: whoever has read it may know that the work is done.
void StreamRaces::on_host_access(const machine::HostAccessEvent& event) {
    constexpr unsigned kMessages = bit_of(Touch::kSystem);
    constexpr unsigned kChanges = bit_of(Touch::kWrite) | bit_of(Touch::kStrong);
    constexpr unsigned kReads = bit_of(Touch::kRead) | bit_of(Touch::kStrongRead);
    bool is_told = false;
    for (const Record& record : records_)
        if (!event.stream && record.touched.meeting(event.address, event.bytes, kMessages)) {
            order_.finish(record.work.stream);
            is_told = true;
        }
    if (is_told) forget();
    for (const Record& record : records_) {
        if (event.stream && is_before(record, *event.stream)) continue;
        const auto met = record.touched.meeting(event.address, event.bytes, kChanges | (event.writes ? kReads : 0));
        if (!met) continue;
        HostRace race{record.work, event.site, event.writes, 0, memory_.find(met->address), event.stream.has_value()};
        race.work.touch = met->touch;
        race.work.line = source_line_of(record.program, met->op);
        if (race.allocation) race.offset = met->address - race.allocation->base;
        note(std::move(race));
    }
}

void StreamRaces::note(HostRace race) {
    const std::lock_guard lock(mutex_);
    found_.host_races.push_back(std::move(race));
    has_news_.store(true, std::memory_order_release);
}

// A function that a stream calls comes behind what the stream was given before, and what that waits for.
bool StreamRaces::is_before(const Record& record, std::uint32_t stream) {
    return record.work.stream == stream || order_.before(stream).at(record.work.stream) >= record.last;
}

std::vector<machine::UsedPages> StreamRaces::pages_in_use(std::optional<std::uint32_t> stream) {
    const std::vector<machine::UsedPages> seen = memory_.pages_of_host();
    std::vector<machine::UsedPages> used;
    if (seen.empty()) return used;
    std::map<std::uint64_t, bool> pages;  // whether the host may read there
    const auto by_end = [](std::uint64_t address, const machine::UsedPages& range) { return address < range.end; };
    if (stream) order_.arrive(*stream);
    for (const Record& record : records_) {
        if (stream && is_before(record, *stream)) continue;
        record.touched.each_page([&](std::uint64_t page, unsigned ways) {
            const auto range = std::upper_bound(seen.begin(), seen.end(), page, by_end);
            if (range == seen.end() || page < range->first) return;
            constexpr unsigned kChanges = bit_of(Touch::kWrite) | bit_of(Touch::kStrong) | bit_of(Touch::kSystem);
            const auto [known, is_new] = pages.try_emplace(page, true);
            if ((ways & kChanges) != 0) known->second = false;
        });
    }
    for (const auto& [page, may_read] : pages) {
        if (!used.empty() && used.back().end == page && used.back().may_read == may_read)
            used.back().end += TouchedPages::kPage;
        else
            used.push_back({page, page + TouchedPages::kPage, may_read});
    }
    return used;
}

}  // namespace tilescope::observers
