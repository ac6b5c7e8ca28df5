#include "scope/observers/hierarchy/l2/second_level.h"

#include <algorithm>
#include <bit>

#include "scope/observers/hierarchy/l2/way_order.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tilescope::observers {
namespace {

using machine::Eviction;

constexpr unsigned kPageShift = 21;      // geometry: pages of 2 MB
constexpr std::uint64_t kSpread = 7919;  // numeric: a prime
constexpr unsigned kPair = 3;            // geometry: both sectors of the first pair

bool is_last(Eviction eviction) { return eviction == Eviction::kLast; }

std::uint8_t tag_of(std::uint64_t line) {
    return static_cast<std::uint8_t>(line * kHash >> 56);  // numeric: the upper eight bits
}

unsigned way_count(unsigned ways) {
    // numeric: four ways at a time
    return sector_count(ways) + sector_count(ways >> 4) + sector_count(ways >> 8) + sector_count(ways >> 12);
}

}  // namespace

SecondLevel::SecondLevel(const HierarchyRules& rules) : rules_(rules.l2), dram_(rules.dram) {
    rules_.ways = std::clamp(rules_.ways, 1u, kMaxWays);
    const std::uint64_t lines = (rules_.bytes / rules_.parts) >> kLineShift;
    sets_ = std::max<std::uint64_t>(1, lines / rules_.ways);
    set_part_ = sets_ == 1 ? 0 : ~std::uint64_t{0} / sets_ + 1;
    if (const std::uint64_t bits = rules_.home_mask >> kLineShift; bits != 0) part_shift_ = std::countr_zero(bits);
    parts_.resize(rules_.parts);
    for (Part& part : parts_) {
        part.ways.resize(sets_ * rules_.ways);
        part.sets.resize(sets_);
        part.left.resize(sets_);
    }
    for (std::uint64_t part = 0; part < parts_.size(); ++part)
        for (std::uint64_t set = 0; set < sets_; ++set) parts_[part].left[set] = begins_dirty(part, set);
    begin_launch(1, buffers_);
}

bool SecondLevel::begins_dirty(std::uint64_t part, std::uint64_t set) const {
    const std::uint64_t all = sets_ * parts_.size(), number = set * parts_.size() + part;
    const std::uint64_t lines = std::min<std::uint64_t>(rules_.launch_dirty >> kLineShift, all);
    return (number + 1) * lines / all != number * lines / all;
}

unsigned SecondLevel::pairs(unsigned sectors) {
    // geometry: two pairs of sectors a line
    return ((sectors & 3) != 0 ? 3u : 0u) | ((sectors & 12) != 0 ? 12u : 0u);
}

// Within a page by the bits that were measured; which way round a page lies is up to where it was put.
unsigned SecondLevel::home_of(std::uint64_t line) const {
    if (rules_.parts == 1) return 0;
    const std::uint64_t address = line << kLineShift;
    const std::uint64_t page = (address >> kPageShift) * kHash;
    // numeric: the highest bit of the product
    return static_cast<unsigned>(__builtin_parityll(address & rules_.home_mask)) ^ static_cast<unsigned>(page >> 63);
}

// Neighbours fill all sets evenly; strides are spread by how often the sets have been gone round. The lowest bit that
// tells the parts apart follows from the others and the part, so it tells no lines of one part apart.
std::uint32_t SecondLevel::set_of(std::uint64_t line) const {
    std::uint64_t index = line;
    if (rules_.parts > 1) {
        const std::uint64_t below = (std::uint64_t{1} << part_shift_) - 1;
        index = (line >> 1 & ~below) | (line & below);
    }
    index += rounds_of(index) * kSpread;
    return static_cast<std::uint32_t>(index - rounds_of(index) * sets_);
}

unsigned SecondLevel::alike(const Set& set, std::uint64_t line) {
    const std::uint8_t tag = tag_of(line);
    unsigned ways = 0;
#if defined(__SSE2__)
    const __m128i tags = _mm_loadu_si128(reinterpret_cast<const __m128i*>(set.tags.data()));
    ways = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(tags, _mm_set1_epi8(static_cast<char>(tag)))));
#else
    for (unsigned i = 0; i < kMaxWays; ++i) ways |= static_cast<unsigned>(set.tags[i] == tag) << i;
#endif
    return ways & set.taken;
}

SecondLevel::Found SecondLevel::find(unsigned part, Place place) {
    Set& set = parts_[part].sets[place.set];
    for (unsigned left = alike(set, place.line); left != 0; left &= left - 1) {
        const auto number = static_cast<unsigned>(std::countr_zero(left));
        Way& way = parts_[part].ways[std::uint64_t{place.set} * rules_.ways + number];
        if (way.line != place.line) continue;
        set.order = used_now(set.order, number);
        return {&set, &way, number};
    }
    return {&set, nullptr, 0};
}

// The way of a line, which may have nothing of it yet.
SecondLevel::Found SecondLevel::take(unsigned part, Place place, Serving& serving) {
    Found found = find(part, place);
    if (found.way != nullptr) return found;
    Set& set = *found.set;
    if (set.order == 0) {
        serving.slice.in_use.emplace_back(static_cast<std::uint8_t>(part), place.set);
        set.order = kAnyOrder;
    }
    const unsigned all = (1u << rules_.ways) - 1;
    const unsigned free = all & ~unsigned{set.taken};
    found.number = free != 0          ? static_cast<unsigned>(std::countr_zero(free))
                   : set.special == 0 ? oldest_of(set.order, all)
                                      : special_victim(part, place);
    Way& way = parts_[part].ways[std::uint64_t{place.set} * rules_.ways + found.number];
    if (std::uint8_t& left = parts_[part].left[place.set]; std::has_single_bit(free) && left != 0) {
        left = 0;  // the line that others left there is the one used longest ago
        const unsigned bytes = 1u << kLineShift;
        to_memory(~std::uint64_t{place.set}, bytes, serving);
    }
    if (free == 0) {
        if (way.partial != 0) complete(way, way.partial, serving);
        if (way.dirty != 0) write_back(way, way.dirty, serving);
    }
    way = {};
    way.line = place.line;
    found.way = &way;
    set.tags[found.number] = tag_of(place.line);
    set.order = used_now(set.order, found.number);
    set.taken = static_cast<std::uint16_t>(set.taken | 1u << found.number);
    if (set.special != 0) set.special = static_cast<std::uint16_t>(set.special & ~(1u << found.number));
    settle_marks(found);
    return found;
}

// A part's copy of sectors that are written elsewhere.
void SecondLevel::forget(unsigned part, Place place, unsigned sectors, Slice& slice) {
    const Found copy = find(part, place);
    if (copy.way == nullptr) return;
    if (const unsigned lost = copy.way->valid & sectors; lost != 0) {
        std::uint8_t& outdated = slice.notes.of(place.line).outdated[part];
        outdated = static_cast<std::uint8_t>(outdated | lost);
        copy.way->noted = static_cast<std::uint8_t>(copy.way->noted & ~lost);
    }
    copy.way->valid = static_cast<std::uint8_t>(copy.way->valid & ~sectors);
    free_if_empty(copy);
}

void SecondLevel::free_if_empty(const Found& found) {
    if ((found.way->valid | found.way->partial) != 0) return;
    found.set->taken = static_cast<std::uint16_t>(found.set->taken & ~(1u << found.number));
}

void SecondLevel::expect(unsigned part, Place place) const {
    for (unsigned number : {part, home_of(place.line)}) {
        const Set& set = parts_[number].sets[place.set];
        __builtin_prefetch(&set, 1);
    }
}

void SecondLevel::expect_way(unsigned part, Place place, bool writes) const {
    const unsigned home = home_of(place.line);
    const std::uint64_t first = std::uint64_t{place.set} * rules_.ways;
    __builtin_prefetch(&parts_[home].ways[first + way_of(parts_[home].sets[place.set], place.line)], 1);
    if (home != part)
        __builtin_prefetch(&parts_[part].ways[first + way_of(parts_[part].sets[place.set], place.line)], 1);
    slices_[place.slice()].notes.expect(place.line);
    const Set& set = parts_[home].sets[place.set];
    if (writes && way_count(set.dirty) >= rules_.dirty_ways)
        __builtin_prefetch(&parts_[home].ways[first + oldest_of(set.order, set.dirty)], 1);
}

unsigned SecondLevel::way_of(const Set& set, std::uint64_t line) const {
    const unsigned all = (1u << rules_.ways) - 1;
    if (const unsigned found = alike(set, line); found != 0) return static_cast<unsigned>(std::countr_zero(found));
    const unsigned free = all & ~unsigned{set.taken};
    return free != 0 ? static_cast<unsigned>(std::countr_zero(free)) : oldest_of(set.order, all);
}

// What the set knows of a way that has changed.
void SecondLevel::settle_marks(const Found& found) {
    const auto mark = [&](std::uint16_t& ways, bool is) {
        ways = static_cast<std::uint16_t>((ways & ~(1u << found.number)) | static_cast<unsigned>(is) << found.number);
    };
    mark(found.set->partial, found.way->partial != 0);
    mark(found.set->dirty, (found.way->dirty | found.way->partial) != 0);
}

std::uint64_t SecondLevel::from_memory(std::uint64_t line, unsigned bytes, Serving& serving) const {
    Slice& slice = serving.slice;
    serving.response.fetched += bytes;
    traffic_of(line, slice).fetched += bytes;
    slice.read += bytes;
    if (clock_stands_) return serving.time;
    slice.read_in_time += bytes;
    return slice.memory.read(line, bytes, serving.time);
}

void SecondLevel::to_memory(std::uint64_t line, unsigned bytes, Serving& serving) const {
    Slice& slice = serving.slice;
    slice.written_back += bytes;
    slice.written += bytes;
    if (clock_stands_) return;
    slice.written_in_time += bytes;
    slice.memory.write(line, bytes, serving.time);
}

void SecondLevel::write_back(Way& way, unsigned sectors, Serving& serving) {
    const unsigned bytes = kSectorBytes * sector_count(sectors);
    to_memory(way.line, bytes, serving);
    traffic_of(way.line, serving.slice).written += bytes;
    way.dirty = static_cast<std::uint8_t>(way.dirty & ~sectors);
}

// Sectors that were written in part get the rest of their bytes.
void SecondLevel::complete(Way& way, unsigned sectors, Serving& serving) {
    from_memory(way.line, kSectorBytes * sector_count(sectors), serving);
    way.partial = static_cast<std::uint8_t>(way.partial & ~sectors);
    way.valid = static_cast<std::uint8_t>(way.valid | sectors);
    way.dirty = static_cast<std::uint8_t>(way.dirty | sectors);
}

// Pairs of sectors from device memory, as far as they are not there; gives those that came.
unsigned SecondLevel::fetch(Way& way, unsigned sectors, Serving& serving) {
    unsigned fetched = 0;
    if ((sectors & way.partial) != 0) complete(way, sectors & way.partial, serving);
    for (unsigned pair = 0; pair < 2; ++pair) {
        const unsigned both = kPair << 2 * pair;
        if ((sectors & both & ~way.valid) == 0) continue;
        const unsigned missing = both & ~way.valid & ~way.partial;
        way.ready[pair] = from_memory(way.line, kSectorBytes * sector_count(missing), serving);
        way.valid = static_cast<std::uint8_t>(way.valid | missing);
        way.op[pair] = serving.op;
        fetched |= missing;
    }
    return fetched;
}

SecondLevel::Response SecondLevel::read(std::uint64_t time, unsigned part, Place place, unsigned sectors,
                                        std::uint32_t op, Wish wish) {
    Serving serving{slices_[place.slice()], time, {}, op};
    Response& response = serving.response;
    const unsigned home = home_of(place.line);
    const Found found = take(part, place, serving);
    Way& near = *found.way;
    const unsigned missing = sectors & ~unsigned{near.valid};
    Looked looked{sectors, missing};
    response.found = sectors & ~missing;
    response.ready = time + rules_.near_latency;
    settle_eviction(part, found, home == part || !is_last(wish.eviction) ? wish.eviction : Eviction::kNormal);
    const unsigned wanted = wish.whole_line && missing != 0 ? kAllSectors & ~unsigned{near.valid} : missing;
    if (missing != 0 && home == part) {
        looked.in_part = missing & near.partial;
        looked.fetched = fetch(near, wanted, serving);
        settle_marks(found);
    } else if (missing != 0) {
        const unsigned requested = pairs(wanted) & ~near.valid;
        const unsigned farther = rules_.far_latency - rules_.near_latency;
        response.over_fabric = sector_count(requested);
        const Found there = take(home, place, serving);
        Way& far = *there.way;
        looked.elsewhere = missing & far.valid;
        looked.in_part = missing & far.partial;
        looked.fetched = fetch(far, requested, serving);
        settle_marks(there);
        settle_eviction(home, there, wish.eviction);
        for (unsigned pair = 0; pair < 2; ++pair) {
            if ((requested & kPair << 2 * pair) == 0) continue;
            near.ready[pair] = std::max(far.ready[pair], time + rules_.near_latency) + farther;
            near.op[pair] = far.op[pair];
        }
        near.valid = static_cast<std::uint8_t>(near.valid | requested);
    }
    if (missing != 0 || (sectors & ~unsigned{near.noted}) != 0) note_read(part, near, looked, serving);
    for (unsigned pair = 0; pair < 2; ++pair)
        if ((sectors & kPair << 2 * pair) != 0) response.ready = std::max(response.ready, near.ready[pair]);
    return response;
}

// No more of a set's ways wait to be written back than may.
void SecondLevel::make_room(unsigned part, const Found& found, Serving& serving) {
    settle_marks(found);
    Set& set = *found.set;
    const auto first = static_cast<std::uint64_t>(&set - parts_[part].sets.data()) * rules_.ways;
    if (way_count(set.partial) > rules_.partial_ways) {
        const unsigned oldest = oldest_of(set.order, set.partial);
        Way& way = parts_[part].ways[first + oldest];
        complete(way, way.partial, serving);
        settle_marks({&set, &way, oldest});
    }
    const unsigned whole = set.dirty & ~unsigned{set.partial};
    if (way_count(set.dirty) > rules_.dirty_ways && whole != 0) {
        const unsigned oldest = oldest_of(set.order, whole);
        Way& way = parts_[part].ways[first + oldest];
        write_back(way, way.dirty, serving);
        settle_marks({&set, &way, oldest});
    }
}

SecondLevel::Response SecondLevel::write(std::uint64_t time, unsigned part, Place place, const Piece& piece,
                                         const std::uint64_t* masks, Eviction eviction) {
    Serving serving{slices_[place.slice()], time, {}};
    Response& response = serving.response;
    response.found = piece.sectors;
    response.ready = time + rules_.near_latency;
    if (!clock_stands_)
        serving.slice.memory.take_in(kSectorBytes * sector_count(piece.sectors), static_cast<double>(time));
    const unsigned home = home_of(place.line);
    unsigned copied = 0;
    if (home != part) {
        response.over_fabric = sector_count(piece.sectors);
        const Found copy = take(part, place, serving);
        copied = piece.whole & ~unsigned{copy.way->valid};
        copy.way->valid = static_cast<std::uint8_t>(copy.way->valid | piece.whole);
        settle_eviction(part, copy, is_last(eviction) ? Eviction::kNormal : eviction);
        free_if_empty(copy);
    } else if (parts_.size() > 1) {
        forget(1 - part, place, piece.sectors, serving.slice);
    }
    const Found found = take(home, place, serving);
    Way& way = *found.way;
    if (copied != 0 || (piece.sectors & ~unsigned{way.noted}) != 0) note_write(part, way, piece, copied, serving.slice);
    for (unsigned left = piece.sectors; left != 0; left &= left - 1) {
        const auto bit = left & -left;
        const auto sector = static_cast<unsigned>(std::countr_zero(left));
        if ((piece.whole & bit) == 0) {
            const auto mask = static_cast<std::uint32_t>(*masks++);
            const std::uint32_t before = (way.partial & bit) != 0 ? way.bytes[sector] : 0;
            way.bytes[sector] = before | mask;
            if ((way.valid & bit) == 0 && way.bytes[sector] != ~std::uint32_t{0}) {
                way.partial = static_cast<std::uint8_t>(way.partial | bit);
                continue;
            }
        }
        way.partial = static_cast<std::uint8_t>(way.partial & ~bit);
        way.valid = static_cast<std::uint8_t>(way.valid | bit);
        way.dirty = static_cast<std::uint8_t>(way.dirty | bit);
    }
    settle_eviction(home, found, eviction);
    make_room(home, found, serving);
    return response;
}

SecondLevel::Response SecondLevel::update(std::uint64_t time, unsigned part, Place place, unsigned sectors,
                                          std::uint32_t op, Eviction eviction) {
    Serving serving{slices_[place.slice()], time, {}, op};
    Response& response = serving.response;
    const unsigned home = home_of(place.line);
    response.ready = time + (home == part ? rules_.near_latency : rules_.far_latency);
    if (home != part) response.over_fabric = sector_count(sectors);
    if (parts_.size() > 1) forget(1 - home, place, sectors, serving.slice);
    const Found found = take(home, place, serving);
    Way& way = *found.way;
    response.found = sectors & unsigned{way.valid};
    const unsigned fetched = fetch(way, sectors, serving);
    if (fetched != 0 || (sectors & ~unsigned{way.noted}) != 0)
        note_asked(serving.slice.notes.of(place.line), way, sectors, fetched, serving);
    way.dirty = static_cast<std::uint8_t>(way.dirty | sectors);
    settle_eviction(home, found, eviction);
    make_room(home, found, serving);
    return response;
}

SecondLevel::RowBytes SecondLevel::opening_bytes() const {
    // Where some bytes moved without a clock, they opened as many rows as the others.
    const auto of_all = [](std::int64_t opening, std::uint64_t moved, std::uint64_t moved_in_time) {
        if (opening <= 0) return std::uint64_t{0};
        if (moved == moved_in_time || moved_in_time == 0) return static_cast<std::uint64_t>(opening);
        return static_cast<std::uint64_t>(static_cast<double>(opening) * static_cast<double>(moved) /
                                          static_cast<double>(moved_in_time));
    };
    std::int64_t opening_read = 0, opening_written = 0;
    std::uint64_t read = 0, read_in_time = 0, written = 0, written_in_time = 0;
    for (const Slice& slice : slices_) {
        opening_read += slice.memory.opening_read();
        opening_written += slice.memory.opening_written();
        read += slice.read;
        read_in_time += slice.read_in_time;
        written += slice.written;
        written_in_time += slice.written_in_time;
    }
    return {of_all(opening_read, read, read_in_time), of_all(opening_written, written, written_in_time)};
}

std::uint64_t SecondLevel::written_back() const {
    std::uint64_t bytes = 0;
    for (const Slice& slice : slices_) bytes += slice.written_back;
    return bytes;
}

void SecondLevel::clear() {
    for (Slice& slice : slices_) {
        for (const auto& [part, set] : slice.in_use) {
            parts_[part].sets[set] = {};
            parts_[part].left[set] = begins_dirty(part, set);
        }
        slice.in_use.clear();
        slice.memory.clear();
    }
}

void SecondLevel::settle() {
    for (Slice& slice : slices_) {
        for (const auto& [part, set] : slice.in_use)
            for (unsigned i = 0; i < rules_.ways; ++i) {
                Way& way = parts_[part].ways[std::uint64_t{set} * rules_.ways + i];
                way.ready = {};
                way.noted = 0;
                way.op = {};
            }
        slice.memory.clear();
    }
}

}  // namespace tilescope::observers
