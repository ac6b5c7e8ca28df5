#include "scope/observers/hierarchy/l1/first_level.h"

#include <algorithm>
#include <bit>

namespace tilescope::observers {

FirstLevel::FirstLevel(const L1Rules& rules, std::uint64_t seed)
    : lines_(std::clamp<std::uint64_t>(rules.bytes >> kLineShift, 4, kTable / 2)),  // numeric: some to choose from
      victims_(rules.victims),
      random_(seed * 2 + 1) {
    slots_.resize(std::clamp<std::size_t>(rules.tags, lines_, kTable / 2));
    bytes_.resize(slots_.size());
    // Where shared memory leaves little of L1, some lines are left to others.
    max_last_ = static_cast<std::size_t>(std::min(static_cast<double>(slots_.size()) * rules.last_of_tags,
                                                  static_cast<double>(lines_) * rules.last_of_lines));
}

void FirstLevel::enter(std::uint16_t slot) {
    const std::uint64_t line = slots_[slot].line;
    std::uint32_t at = hash(line) % kTable;
    while (table_[at].slot != kNone) at = (at + 1) % kTable;
    table_[at] = {hash(line), slot};
}

// Those behind it that would be looked for in vain move up.
void FirstLevel::leave(std::uint16_t slot) {
    std::uint32_t gap = hash(slots_[slot].line) % kTable;
    while (table_[gap].slot != slot) gap = (gap + 1) % kTable;
    for (std::uint32_t at = (gap + 1) % kTable; table_[at].slot != kNone; at = (at + 1) % kTable) {
        if ((at - table_[at].hash) % kTable < (at - gap) % kTable) continue;
        table_[gap] = table_[at];
        gap = at;
    }
    table_[gap] = {};
}

// Those that say nothing any more go; there is room for so many that this is seldom.
void FirstLevel::forget_touches() {
    constexpr std::size_t kRoom = 3;  // numeric: touches for each slot
    std::vector<Touch>& all = ages_.touches;
    if (all.capacity() < kRoom * slots_.size()) all.reserve(kRoom * slots_.size());
    auto kept = all.begin();
    for (auto one = all.begin() + static_cast<std::ptrdiff_t>(ages_.first); one != all.end(); ++one)
        if (slots_[one->slot].touched == one->number) *kept++ = *one;
    all.erase(kept, all.end());
    ages_.first = 0;
}

// There is one.
std::uint16_t FirstLevel::oldest_young() {
    while (true) {
        const Touch oldest = ages_.touches[ages_.first];
        if (slots_[oldest.slot].touched == oldest.number) return oldest.slot;
        ++ages_.first;
    }
}

void FirstLevel::make_old() {
    const std::size_t wanted = std::min<std::size_t>((ages_.young + ages_.old.size()) / 2, victims_);
    while (ages_.old.size() < wanted) {
        const std::uint16_t oldest = oldest_young();
        unlink_young(oldest);
        slots_[oldest].old_at = static_cast<std::uint16_t>(ages_.old.size());
        ages_.old.push_back(oldest);
    }
}

std::uint16_t FirstLevel::Ranked::take_oldest(const FirstLevel& cache) {
    while (!lines.empty()) {
        const UnderWay oldest = lines.front();
        lines.pop_front();
        if (is_one(cache, oldest)) return oldest.slot;
    }
    return kNone;
}

bool FirstLevel::Ranked::is_one(const FirstLevel& cache, const UnderWay& line) const {
    return cache.find(line.line) == line.slot && cache.slots_[line.slot].rank == static_cast<unsigned>(rank);
}

void FirstLevel::Ranked::add(const FirstLevel& cache, const UnderWay& line) {
    if (lines.size() >= 2 * cache.slots_.size())
        std::erase_if(lines, [&](const auto& one) { return !is_one(cache, one); });
    lines.push_back(line);
    ++count;
}

std::uint16_t FirstLevel::next_to_go(Rank comes) {
    // Where all are of that rank, which of them goes is the same question as ever.
    if (comes == Rank::kFirst && firsts_.count != 0 && firsts_.count < ages_.young + ages_.old.size())
        if (const std::uint16_t slot = firsts_.take_oldest(*this); slot != kNone) return slot;
    for (std::size_t passed = 0;; ++passed) {
        make_old();
        random_ = next_random(random_);
        const std::uint16_t slot = ages_.old.empty() ? oldest_young() : ages_.old[random_ % ages_.old.size()];
        const bool stays = slots_[slot].rank == static_cast<unsigned>(Rank::kLast) && comes != Rank::kLast;
        if (!stays || passed >= lasts_.count) return slot;
        unlink(slot);
        push_young(slot);
    }
}

std::uint16_t FirstLevel::give_way(Rank comes) {
    const std::uint16_t slot = next_to_go(comes);
    unlink(slot);
    leave(slot);
    set_rank(slot, Rank::kNormal);
    Slot& it = slots_[slot];
    lines_under_way_ -= it.is_under_way;
    it.whole = it.coming = 0;
    it.in_part = it.is_under_way = 0;
    return slot;
}

void FirstLevel::change_rank(std::uint16_t slot, Rank rank) {
    Slot& it = slots_[slot];
    const auto before = static_cast<Rank>(it.rank);
    if (before != Rank::kNormal) --ranked(before).count;
    it.rank = static_cast<unsigned>(rank) & 3u;  // numeric: its two bits
    if (rank == Rank::kNormal) return;
    ranked(rank).add(*this, {it.line, slot});
    if (lasts_.count <= max_last_) return;
    if (const std::uint16_t oldest = lasts_.take_oldest(*this); oldest != kNone) set_rank(oldest, Rank::kNormal);
}

void FirstLevel::make_room(Rank comes) {
    while (resident() > lines_) ages_.free.push_back(give_way(comes));
}

void FirstLevel::let_in_next(std::uint64_t now) {
    for (; first_under_way_ != under_way_.size(); ++first_under_way_) {
        const UnderWay& next = under_way_[first_under_way_];
        Slot& it = slots_[next.slot];
        if (it.line != next.line || it.is_under_way == 0) continue;  // it had to give way meanwhile
        if (it.ready > now) break;
        it.is_under_way = 0;
        --lines_under_way_;
        make_room(static_cast<Rank>(it.rank));
    }
    if (first_under_way_ < under_way_.size() / 2) return;
    under_way_.erase(under_way_.begin(), under_way_.begin() + static_cast<std::ptrdiff_t>(first_under_way_));
    first_under_way_ = 0;
}

void FirstLevel::remove_old(std::uint16_t slot) {
    const std::uint16_t at = slots_[slot].old_at;
    ages_.old[at] = ages_.old.back();
    slots_[ages_.old[at]].old_at = at;
    ages_.old.pop_back();
}

void FirstLevel::expect(const std::uint64_t* lines, unsigned count, bool in_part) const {
    std::uint64_t random = random_;
    const bool replaces = resident() + count > lines_ && !ages_.old.empty();
    for (unsigned i = 0; i < count; ++i) {
        __builtin_prefetch(&table_[hash(lines[i]) % kTable], 1);
        past_.expect(lines[i]);
        if (!replaces) continue;
        random = next_random(random);
        const std::uint16_t slot = ages_.old[random % ages_.old.size()];
        __builtin_prefetch(&slots_[slot], 1);
        if (in_part) __builtin_prefetch(&bytes_[slot], 1);
    }
}

void FirstLevel::expect_replaced(unsigned count) const {
    std::uint64_t random = random_;
    if (resident() + count <= lines_ || ages_.old.empty()) return;
    for (unsigned i = 0; i < count; ++i) {
        random = next_random(random);
        __builtin_prefetch(&table_[hash(slots_[ages_.old[random % ages_.old.size()]].line) % kTable], 1);
    }
}

// A slot for a line that is not there.
std::uint16_t FirstLevel::take(std::uint64_t line, Rank rank) {
    std::uint16_t slot;
    if (!ages_.free.empty()) {
        slot = ages_.free.back();
        ages_.free.pop_back();
    } else if (ages_.used < slots_.size()) {
        slot = ages_.used++;
    } else {
        slot = give_way(rank);
    }
    Slot& it = slots_[slot];
    it.line = line;
    it.ready = 0;
    it.whole = it.coming = 0;
    it.in_part = 0;
    enter(slot);
    push_young(slot);
    set_rank(slot, rank);
    return slot;
}

FirstLevel::Response FirstLevel::load(std::uint64_t line, const Piece& piece, const std::uint64_t* masks,
                                      std::uint64_t now, Rank rank, bool in_place) {
    Response response;
    let_in(now);
    std::uint16_t slot = find(line);
    if (slot == kNone) {
        slot = take(line, rank);
        if (in_place) {
            make_room(rank);
        } else {
            slots_[slot].is_under_way = 1;
            ++lines_under_way_;
            under_way_.push_back({line, slot});
        }
    } else {
        touch(slot);
        set_rank(slot, rank);
    }
    Slot& it = slots_[slot];
    response.slot = slot;
    unsigned there = piece.sectors & it.whole;
    // Bytes that a store of this SM left.
    for (unsigned left = piece.in_part() & it.in_part; left != 0; left &= left - 1) {
        const auto sector = static_cast<unsigned>(std::countr_zero(left));
        const auto wanted = masks[sector_count(piece.in_part() & ((1u << sector) - 1))];
        if ((wanted & ~std::uint64_t{bytes_[slot][sector]}) == 0) there |= 1u << sector;
    }
    response.missing = piece.sectors & ~there;
    if (there != 0) response.ready = it.ready;
    if (response.missing == 0) return response;
    response.in_part = static_cast<std::uint8_t>(response.missing & it.in_part);
    // Should it be missing again, it will have been replaced, unless something else is noted of it.
    response.past = note(line, response.missing, Past::kReplaced);
    it.whole = (it.whole | response.missing) & kAllSectors;
    it.coming = ((it.ready > now ? it.coming : 0u) | response.missing) & kAllSectors;
    it.in_part = it.in_part & ~response.missing & kAllSectors;
    return response;
}

void FirstLevel::take_passed(std::uint64_t line, unsigned sectors, std::uint64_t last, std::uint64_t now) {
    let_in(last);
    std::uint16_t slot = find(line);
    if (slot == kNone)
        slot = take(line, Rank::kNormal);
    else
        touch(slot);
    make_room(Rank::kNormal);
    Slot& it = slots_[slot];
    it.whole = (it.whole | sectors) & kAllSectors;
    it.in_part = it.in_part & ~sectors & kAllSectors;
    if (it.ready > now) it.ready = now;
}

unsigned FirstLevel::store(std::uint64_t line, const Piece& piece, const std::uint64_t* masks, std::uint64_t now,
                           unsigned leaving, bool is_local) {
    std::uint16_t slot = find(line);
    const bool is_new = slot == kNone;
    if (is_new)
        slot = take(line, Rank::kNormal);
    else
        touch(slot);
    Slot& it = slots_[slot];
    make_room(Rank::kNormal);
    const unsigned moves = is_local ? 0 : leaving | (it.ready > now ? it.coming : 0u);
    const unsigned hits = is_new ? 0 : sector_count(piece.sectors & (it.whole | it.in_part) & ~moves);
    const unsigned before = it.whole, stays = before & ~moves;
    const unsigned had = it.in_part & ~moves;
    unsigned whole = (it.whole & ~piece.sectors) | piece.whole | (stays & piece.sectors);
    unsigned in_part = it.in_part;
    for (unsigned left = piece.in_part(); left != 0; left &= left - 1) {
        const auto sector = static_cast<unsigned>(std::countr_zero(left));
        const auto stored = static_cast<std::uint32_t>(*masks++);
        if ((stays >> sector & 1) != 0) continue;
        std::uint32_t& bytes = bytes_[slot][sector];
        bytes = ((had >> sector & 1) != 0 ? bytes : 0) | stored;
        if (bytes == ~std::uint32_t{0})
            whole |= 1u << sector;
        else
            in_part |= 1u << sector;
    }
    it.whole = whole & kAllSectors;
    it.in_part = in_part & ~whole & kAllSectors;
    it.coming = it.coming & ~piece.sectors & kAllSectors;
    if (const unsigned fresh = it.whole & ~before; fresh != 0) note(line, fresh, Past::kReplaced);
    return hits;
}

void FirstLevel::drop(std::uint64_t line) {
    const std::uint16_t slot = find(line);
    if (slot == kNone) return;
    Slot& it = slots_[slot];
    if (const unsigned lost = it.whole | it.in_part; lost != 0) note(line, lost, Past::kAtomic);
    it.whole = it.coming = 0;
    it.in_part = 0;
}

void FirstLevel::clear() {
    for (std::uint16_t slot = 0; slot < ages_.used; ++slot)
        if (const unsigned lost = slots_[slot].whole | slots_[slot].in_part; lost != 0)
            note(slots_[slot].line, lost, Past::kFence);
    for (std::uint16_t slot = 0; slot < ages_.used; ++slot) slots_[slot].rank = 0;
    for (Ranked* const all : {&firsts_, &lasts_}) {
        all->lines.clear();
        all->count = 0;
    }
    ages_.used = ages_.young = 0;
    ages_.free.clear();
    under_way_.clear();
    first_under_way_ = lines_under_way_ = 0;
    ages_.newest = kNone;
    ages_.touches.clear();
    ages_.first = 0;
    ages_.old.clear();
    table_.fill({});
}

}  // namespace tilescope::observers
