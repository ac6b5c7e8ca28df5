#include "scope/observers/hazards/race_checker.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tilescope::observers {
namespace {

using machine::AccessKind;
using machine::Order;
using machine::Scope;

// Readers and atomics that are kept of a unit: of other blocks, where blocks know of each other and where they do not,
// and of the block at hand.
constexpr std::size_t kFarAcross = 16, kFar = 2, kNear = 64;

Deed deed_of(const machine::Access& access) {
    const bool is_strong = access.order != Order::kWeak;
    switch (access.kind) {
        case AccessKind::kLoad: return is_strong ? Deed::kStrongRead : Deed::kRead;
        case AccessKind::kAsyncCopyRead:
        case AccessKind::kFactorLoad: return Deed::kRead;
        case AccessKind::kStore: return is_strong ? Deed::kStrongWrite : Deed::kWrite;
        case AccessKind::kAsyncCopyWrite: return Deed::kAsyncCopy;
        default: return Deed::kAtomic;
    }
}

unsigned lowest(std::uint32_t lanes) { return static_cast<unsigned>(std::countr_zero(lanes)); }

}  // namespace

RaceChecker::RaceChecker(const Checked& checked, BlockClock& clock, const machine::Access& access)
    : checked_(checked),
      clock_(clock),
      access_(access),
      deed_(deed_of(access)),
      warp_(access.warp()),
      writes_(is_writing(deed_)),
      is_strong_(deed_ >= Deed::kAtomic && deed_ <= Deed::kStrongWrite),
      is_spread_(is_spread()),
      scope_(access.order == Order::kVolatile ? Scope::kSystem : access.scope),
      round_(clock.round_of(warp_, access.mask, access.op)) {}

bool RaceChecker::is_spread() const {
    if (access_.order != Order::kVolatile || checked_.space != HazardSpace::kShared || deed_ == Deed::kAtomic)
        return false;
    const std::int64_t first = access_.deltas[lowest(access_.mask)];
    for (std::uint32_t left = access_.mask; left != 0; left &= left - 1)
        if (access_.deltas[lowest(left)] != first) return true;
    return false;
}

std::uint32_t RaceChecker::make_record() {
    Record record;
    record.block = clock_.number();
    record.op = access_.op;
    record.time = clock_.now(warp_);
    record.round = round_;
    record.warp = static_cast<std::uint8_t>(warp_);
    record.deed = deed_;
    record.scope = scope_;
    record.is_strong = is_strong_;
    record.is_fixed = checked_.stores_fixed;
    record.is_spread = is_spread_;
    record.is_read_only = checked_.is_read_only;
    record.is_product = access_.kind == AccessKind::kFactorLoad;
    record.products = clock_.meetings().products(warp_);
    if (is_strong_ && writes_) record.serial = checked_.serial;
    return record_ = checked_.records->add(record);
}

// Whether an access was before the last barrier of this block, or there was none. Cheap, and no more than a start.
inline bool RaceChecker::is_settled(std::uint32_t number) const {
    if (number < checked_.live) return true;
    const Record& record = (*checked_.records)[number];
    return record.block == clock_.number() && record.time < clock_.base() && record.deed != Deed::kAsyncCopy;
}

inline bool RaceChecker::is_mine(std::uint32_t number, unsigned other, std::uint32_t lanes) const {
    const Record& record = (*checked_.records)[number];
    return lanes == 1u << other && record.warp == warp_ && record.block == clock_.number() &&
           record.deed != Deed::kAsyncCopy;
}

Extension& RaceChecker::extend(Cell& cell) {
    Extensions& all = *checked_.extensions;
    if (cell.flags & Cell::kExtended) return all[cell.first];
    const std::uint32_t number = all.make();
    Extension& extension = all[number];
    if (cell.first >= checked_.live) extension.reads.push_back({cell.first, 1u << cell.first_lane});
    if (cell.second >= checked_.live) extension.reads.push_back({cell.second, 1u << cell.second_lane});
    cell.first = number;
    cell.second = 0;
    cell.flags = static_cast<std::uint8_t>((cell.flags | Cell::kExtended) & ~Cell::kManyBlocks);
    return extension;
}

void RaceChecker::drop_extension(Cell& cell) {
    if (cell.flags & Cell::kExtended) checked_.extensions->free(cell.first);
    cell.first = cell.second = 0;
    cell.flags = 0;
}

// Where blocks know nothing of each other, readers of two blocks say all: any writer meets one of them.
inline bool RaceChecker::become_two_blocks(Cell& cell, std::uint32_t lanes) {
    if (checked_.forms.is_across || checked_.space != HazardSpace::kGlobal) return false;
    Ref far{cell.first, 1u << cell.first_lane};
    if (cell.flags & Cell::kExtended) {
        const Extension& extension = (*checked_.extensions)[cell.first];
        if (extension.reads.empty() || !extension.strong_writes.empty() || !extension.handed.empty()) return false;
        far = extension.reads.front();
    }
    if (far.record == 0 || (*checked_.records)[far.record].block == clock_.number() ||
        (*checked_.records)[far.record].is_strong)
        return false;
    const auto unchanged = static_cast<std::uint8_t>(cell.flags & Cell::kUnchanged);
    drop_extension(cell);
    cell.first = far.record;
    cell.first_lane = static_cast<std::uint8_t>(lowest(far.lanes));
    cell.second = me();
    cell.second_lane = static_cast<std::uint8_t>(lowest(lanes));
    cell.flags = static_cast<std::uint8_t>(unchanged | Cell::kManyBlocks);
    return true;
}

inline void RaceChecker::read(Cell& cell, std::uint32_t lanes) {
    if (checked_.is_read_only) read_stale(cell, lanes);
    if (!is_settled(cell.write)) meet(cell.write, cell.write_lane, lanes, write_left_all(cell));
    if (cell.flags & Cell::kManyBlocks) return;
    if (cell.flags & Cell::kExtended) {
        Extension& extension = (*checked_.extensions)[cell.first];
        meet_all(extension.strong_writes, lanes);
        if (!become_two_blocks(cell, lanes)) add(extension.reads, lanes);
        return;
    }
    if (checked_.forms.is_simple) return read_simple(cell, lanes);
    if (become_two_blocks(cell, lanes)) return;
    const bool is_one = (lanes & (lanes - 1)) == 0;
    if (is_one && (is_settled(cell.first) || is_mine(cell.first, cell.first_lane, lanes))) {
        cell.first = me();
        cell.first_lane = static_cast<std::uint8_t>(lowest(lanes));
        return;
    }
    add(extend(cell).reads, lanes);
}

// Two readers of different threads.
inline void RaceChecker::read_simple(Cell& cell, std::uint32_t lanes) {
    if (cell.flags & Cell::kManyBlocks) return;
    const auto lane = static_cast<std::uint8_t>(lowest(lanes));
    const std::uint32_t others = lanes & (lanes - 1);
    if (is_settled(cell.first) || is_mine(cell.first, cell.first_lane, lanes)) {
        // A second one that is live stays: the first one's is older.
        cell.first = me();
        cell.first_lane = lane;
        if (others != 0) {
            cell.second = me();
            cell.second_lane = static_cast<std::uint8_t>(lowest(others));
        }
        return;
    }
    const std::uint32_t second = others != 0 && lane == cell.first_lane ? lowest(others) : lane;
    if (is_settled(cell.second) || is_mine(cell.second, cell.second_lane, lanes)) {
        const bool is_far = (*checked_.records)[cell.first].block != clock_.number();
        cell.second = me();
        cell.second_lane = static_cast<std::uint8_t>(second);
        if (is_far) cell.flags |= Cell::kManyBlocks;
        return;
    }
    const std::uint64_t block = (*checked_.records)[cell.second].block;
    if (block == clock_.number()) return;
    cell.first = cell.second;
    cell.first_lane = cell.second_lane;
    cell.second = me();
    cell.second_lane = lane;
    cell.flags |= Cell::kManyBlocks;
}

void RaceChecker::write(Cell& cell, std::uint32_t lanes) {
    if (checked_.forms.has_read_only) write_under_readers(cell, lanes);
    // Shared memory that nobody wrote holds anything: only here is it zeros.
    const bool is_unchanged = cell.write >= checked_.first && changes_nothing(lanes);
    bool is_race = false;
    if (!is_settled(cell.write)) {
        const std::uint64_t before = reported_;
        meet(cell.write, cell.write_lane, lanes, is_unchanged);
        is_race = reported_ != before;
    }
    if (cell.flags & Cell::kExtended) {
        Extension& extension = (*checked_.extensions)[cell.first];
        meet_all(extension.reads, lanes);
        meet_all(extension.strong_writes, lanes);
    } else {
        if (!is_settled(cell.first)) meet(cell.first, cell.first_lane, lanes, is_unchanged);
        if (!is_settled(cell.second)) meet(cell.second, cell.second_lane, lanes, is_unchanged);
    }
    const std::uint8_t unchanged = unchanged_by(cell, is_unchanged, is_race);
    // Readers that met a write which changes nothing are still to meet one that does.
    if (is_unchanged && (cell.flags & Cell::kExtended)) {
        std::vector<Ref> reads = std::move((*checked_.extensions)[cell.first].reads);
        (*checked_.extensions)[cell.first].reset();
        (*checked_.extensions)[cell.first].reads = std::move(reads);
    } else if (!is_unchanged) {
        drop_extension(cell);
    }
    cell.write = me();
    cell.write_lane = static_cast<std::uint8_t>(31 - std::countl_zero(lanes));
    cell.flags = static_cast<std::uint8_t>((cell.flags & ~Cell::kUnchanged) | unchanged);
}

// What is said of a cell's new write. One that changes nothing does not hide a change before it from those who know
// neither: who does not know the one may well not know the other. Within one step of a warp nobody can know only the
// first; the block's other warps know what was before its last barrier; blocks that cannot know of each other, nothing.
std::uint8_t RaceChecker::unchanged_by(const Cell& cell, bool is_unchanged, bool is_race) const {
    if (!is_unchanged) return 0;
    if (cell.write < checked_.live) return Cell::kUnchanged;
    const Record& before = (*checked_.records)[cell.write];
    const bool is_own_block = before.block == clock_.number();
    const bool is_unknown = checked_.space == HazardSpace::kGlobal && !checked_.forms.is_across;
    std::uint8_t hidden = is_race ? Cell::kUnchanged : 0;
    if (is_own_block && before.warp == warp_ && before.time == clock_.now(warp_)) hidden |= Cell::kUnchangedWarp;
    if (is_own_block && before.time >= clock_.base()) hidden |= Cell::kUnchangedBlock | Cell::kUnchangedFar;
    if (is_own_block && is_unknown) hidden |= Cell::kUnchangedFar;
    return static_cast<std::uint8_t>((Cell::kUnchanged & ~hidden) | (cell.flags & hidden));
}

// Whether the write of a cell is no change to who meets it now.
bool RaceChecker::write_left_all(const Cell& cell) const {
    const Record& write = (*checked_.records)[cell.write];
    const std::uint8_t near = write.warp == warp_ ? Cell::kUnchangedWarp : Cell::kUnchangedBlock;
    return (cell.flags & (write.block == clock_.number() ? near : Cell::kUnchangedFar)) != 0;
}

void RaceChecker::strong(Cell& cell, std::uint32_t lanes) {
    if (!is_settled(cell.write)) meet(cell.write, cell.write_lane, lanes, write_left_all(cell));
    if (writes_ && checked_.forms.has_read_only) write_under_readers(cell, lanes);
    Extension& extension = extend(cell);
    if (writes_) meet_all(extension.reads, lanes);
    meet_all(extension.strong_writes, lanes);
    add(writes_ ? extension.strong_writes : extension.reads, lanes);
}

// Whether two accesses, one of them a write, are a race when nothing orders them.
bool RaceChecker::may_race(const Record& other) const {
    if (!is_strong_ || !other.is_strong) return true;
    // Volatile makes each access happen and orders none. A flag may be asked for again and again; data of many threads,
    // by many threads, are what a barrier was left out for. Within a warp, that is how its last steps used to be
    // written.
    if (other.block == clock_.number()) return is_spread_ && other.is_spread && other.warp != warp_;
    return !is_wide(scope_) || !is_wide(other.scope);
}

// Whether whoever races with an earlier access of this block, which this one comes behind, races with this one, too.
bool RaceChecker::stands_for(const Record& earlier) const {
    if (checked_.space == HazardSpace::kShared) return is_strong_ == earlier.is_strong;
    if (!is_strong_ || !earlier.is_strong) return !is_strong_;
    return is_wide(earlier.scope) || !is_wide(scope_);
}

void RaceChecker::meet(std::uint32_t number, unsigned other, std::uint32_t lanes, bool is_unchanged) {
    const Record record = (*checked_.records)[number];
    if (!may_race(record)) return;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const unsigned lane = lowest(left);
        if (clock_.knows(warp_, lane, record, number, other, place_)) {
            const bool may_be_stale = deed_ == Deed::kRead && !checked_.passes_l1 && is_writing(record.deed);
            if (may_be_stale && clock_.lacks_acquire(record, other)) return report_no_acquire(record, other, lane);
            continue;
        }
        if (number == record_ && writes_ && is_writing(record.deed)) is_unchanged = store_the_same(lane, other);
        return report(record, other, lane, is_unchanged);
    }
}

void RaceChecker::meet_all(const std::vector<Ref>& refs, std::uint32_t lanes) {
    for (const Ref& ref : refs) {
        if (is_settled(ref.record)) continue;
        const Record& record = (*checked_.records)[ref.record];
        if (!may_race(record)) continue;
        const bool is_unchanged = writes_ && !is_strong_ && changes_nothing(lanes);
        for (std::uint32_t left = ref.lanes; left != 0; left &= left - 1) {
            const std::uint64_t before = reported_;
            meet(ref.record, lowest(left), lanes, is_unchanged);
            if (reported_ != before) break;
        }
    }
}

// Several lanes of one instruction write one place.
void RaceChecker::meet_each_other(std::uint32_t lanes) {
    const unsigned first = lowest(lanes);
    const Record record = (*checked_.records)[me()];
    bool is_same = true;
    for (std::uint32_t left = lanes & (lanes - 1); left != 0; left &= left - 1)
        is_same = is_same && store_the_same(first, lowest(left));
    report(record, first, lowest(lanes & (lanes - 1)), is_same);
}

void RaceChecker::add(std::vector<Ref>& refs, std::uint32_t lanes) {
    std::size_t far = 0, kept = 0, last_far = refs.size();
    for (std::size_t i = 0; i < refs.size(); ++i) {
        Ref ref = refs[i];
        if (ref.record < checked_.live) continue;
        const Record& record = (*checked_.records)[ref.record];
        const bool stands = record.block == clock_.number() && stands_for(record);
        if (stands && is_settled(ref.record)) continue;
        if (record.block == clock_.number()) {
            // The latest access of a thread stands for its earlier ones.
            if (record.warp == warp_ && stands) ref.lanes &= ~lanes;
            if (ref.lanes == 0) continue;
        } else {
            ++far;
            last_far = kept;
        }
        refs[kept++] = ref;
    }
    refs.resize(kept);
    const std::size_t far_bound = checked_.forms.is_across ? kFarAcross : kFar;
    if (far > far_bound) refs.erase(refs.begin() + static_cast<std::ptrdiff_t>(last_far));
    // Simple programs need two of different threads.
    if (refs.size() > kNear || (checked_.forms.is_simple && refs.size() > 2 * kFar)) return;
    refs.push_back({me(), lanes});
}

bool RaceChecker::changes_nothing(std::uint32_t lanes) const {
    if (access_.stored == nullptr || access_.bytes_now == nullptr) return false;
    // Lanes that go together go to one place, and the highest one's value stays.
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const unsigned lane = lowest(left);
        const std::byte* const stored = access_.stored + std::size_t{lane} * access_.width;
        const std::byte* const now = access_.bytes_now + access_.deltas[lane];
        if (access_.width == 4) {  // nearly always
            std::uint32_t one, other;
            std::memcpy(&one, stored, sizeof one);
            std::memcpy(&other, now, sizeof other);
            if (one != other) return false;
        } else if (std::memcmp(stored, now, access_.width) != 0) {
            return false;
        }
    }
    return true;
}

bool RaceChecker::store_the_same(unsigned one, unsigned other) const {
    if (access_.stored == nullptr) return false;
    return std::memcmp(access_.stored + std::size_t{one} * access_.width,
                       access_.stored + std::size_t{other} * access_.width, access_.width) == 0;
}

// A plain read of a simple program, of a unit whose two readers say all already.
inline bool RaceChecker::has_nothing_new(const Cell& cell) const {
    if (cell.write >= checked_.live) return false;
    if (cell.flags & Cell::kManyBlocks) return true;
    const bool is_shared = checked_.space == HazardSpace::kShared;
    return is_shared && cell.flags < Cell::kManyBlocks && (cell.flags & Cell::kExtended) == 0 &&
           cell.first >= checked_.live && cell.second >= checked_.live;
}

// Whether nothing has to be noted or reported of the access.
template <class Pages>
bool RaceChecker::is_old_news(Pages& pages) const {
    std::uint64_t known = ~std::uint64_t{0};
    const ShadowPage* page = nullptr;
    std::int64_t last = -1;
    for (std::uint32_t left = access_.mask; left != 0; left &= left - 1) {
        const unsigned lane = lowest(left);
        if (access_.deltas[lane] == last) continue;
        last = access_.deltas[lane];
        const std::uint64_t address = access_.address(lane);
        const std::uint64_t number = address >> ShadowPage::kShift, at = address & (ShadowPage::kBytes - 1);
        if (number != known) {
            known = number;
            page = &pages.page(number);
        }
        const std::uint64_t end = at + access_.width;
        if (end > ShadowPage::kBytes || (page->unit_shift != 0 && ((at | end) & 3) != 0)) return false;
        for (std::uint64_t unit = at >> page->unit_shift; unit < end >> page->unit_shift; ++unit)
            if (!has_nothing_new(page->cells[unit])) return false;
    }
    return true;
}

// Lanes side by side at one address go together.
template <class Pages>
void RaceChecker::follow(Pages& pages) {
    const bool may_be_old =
        checked_.forms.is_simple || (!checked_.forms.is_across && checked_.space == HazardSpace::kGlobal);
    if (deed_ == Deed::kRead && may_be_old && access_.sizes == nullptr && is_old_news(pages)) return;
    std::uint32_t left = access_.mask;
    while (left != 0) {
        const unsigned lane = lowest(left);
        const unsigned bytes = access_.bytes(lane);
        std::uint32_t lanes = 1u << lane;
        left &= left - 1;
        while (left != 0) {
            const unsigned next = lowest(left);
            if (access_.deltas[next] != access_.deltas[lane] || access_.bytes(next) != bytes) break;
            lanes |= 1u << next;
            left &= left - 1;
        }
        touch(pages, access_.address(lane), bytes, lanes);
    }
}

template <class Pages>
inline void RaceChecker::touch(Pages& pages, std::uint64_t address, std::uint64_t bytes, std::uint32_t lanes) {
    address_ = address;
    reported_ = ~0ull;
    if (writes_ && (lanes & (lanes - 1)) != 0 && !is_strong_) meet_each_other(lanes);
    for (std::uint64_t at = address; at < address + bytes;) {
        const std::uint64_t number = at >> ShadowPage::kShift, start = number << ShadowPage::kShift;
        const std::uint64_t end = std::min(address + bytes, start + ShadowPage::kBytes);
        ShadowPage& page = pages.page(number);
        if (((at | end) & 3) != 0) page.split(*checked_.extensions);
        for (std::uint64_t unit = (at - start) >> page.unit_shift; unit < (end - start) >> page.unit_shift; ++unit) {
            Cell& cell = page.cells[unit];
            place_ = cell.flags & Cell::kExtended ? (*checked_.extensions)[cell.first].place : 0;
            if (is_strong_)
                strong(cell, lanes);
            else if (writes_)
                write(cell, lanes);
            else
                read(cell, lanes);
        }
        at = end;
    }
}

template void RaceChecker::follow(SharedShadow&);
template void RaceChecker::follow(Shadow&);

}  // namespace tilescope::observers
