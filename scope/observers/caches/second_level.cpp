#include "scope/observers/caches/second_level.h"

#include <algorithm>
#include <bit>

namespace tilescope::observers {
namespace {

constexpr unsigned kPageShift = 21;

unsigned count(unsigned sectors) { return static_cast<unsigned>(std::popcount(sectors)); }

}  // namespace

SecondLevel::SecondLevel(const CacheFigures& figures) : figures_(figures) {
    const std::uint64_t lines = (figures.l2_bytes / figures.l2_parts) >> kLineShift;
    sets_ = std::max<std::uint64_t>(1, lines / figures.l2_ways);
    parts_.resize(figures.l2_parts);
    for (Part& part : parts_) {
        part.ways.resize(sets_ * figures.l2_ways);
        part.is_used.resize(sets_);
    }
}

unsigned SecondLevel::pairs(unsigned sectors) {
    return ((sectors & 3) != 0 ? 3u : 0u) | ((sectors & 12) != 0 ? 12u : 0u);
}

// Within a page by the bits that were measured; which way round a page lies is up to where it was put.
unsigned SecondLevel::home_of(std::uint64_t line) const {
    if (figures_.l2_parts == 1) return 0;
    const std::uint64_t address = line << kLineShift;
    const std::uint64_t page = (address >> kPageShift) * 0x9e3779b97f4a7c15ull;
    return (static_cast<unsigned>(std::popcount(address & figures_.home_mask)) ^ static_cast<unsigned>(page >> 63)) & 1;
}

// Neighbours fill all sets evenly; strides are spread by how often the sets have been gone round. The lowest bit that
// tells the parts apart follows from the others and the part, so it tells no lines of one part apart.
std::uint64_t SecondLevel::set_of(std::uint64_t line) const {
    std::uint64_t index = line;
    if (figures_.l2_parts > 1) {
        const std::uint64_t bit = (figures_.home_mask & -figures_.home_mask) >> kLineShift;
        index = line / (2 * bit) * bit + line % bit;
    }
    return (index + index / sets_ * 7919) % sets_;
}

SecondLevel::Way* SecondLevel::find(unsigned part, std::uint64_t line) {
    Way* const ways = &parts_[part].ways[set_of(line) * figures_.l2_ways];
    for (unsigned i = 0; i < figures_.l2_ways; ++i)
        if (ways[i].line == line && !ways[i].is_free()) {
            ways[i].used = ++clock_;
            return &ways[i];
        }
    return nullptr;
}

// The way of a line, which may have nothing of it yet.
SecondLevel::Way& SecondLevel::take(unsigned part, std::uint64_t line, Answer& answer) {
    if (Way* way = find(part, line)) return *way;
    const std::uint64_t set = set_of(line);
    if (parts_[part].is_used[set] == 0) {
        parts_[part].is_used[set] = 1;
        parts_[part].in_use.push_back(static_cast<std::uint32_t>(set));
    }
    Way* const ways = &parts_[part].ways[set * figures_.l2_ways];
    Way* victim = ways;
    for (unsigned i = 0; i < figures_.l2_ways; ++i) {
        if (ways[i].is_free()) {
            victim = &ways[i];
            break;
        }
        if (ways[i].used < victim->used) victim = &ways[i];
    }
    if (victim->partial != 0) complete(*victim, 0, victim->partial, answer);
    if (victim->dirty != 0) write_back(*victim, victim->dirty);
    *victim = {};
    victim->line = line;
    victim->used = ++clock_;
    return *victim;
}

unsigned SecondLevel::arrived(const Way& way, std::uint64_t time) const {
    return way.valid & (way.asked | (way.ready[0] <= time ? 3u : 0u) | (way.ready[1] <= time ? 12u : 0u));
}

std::uint64_t SecondLevel::from_memory(std::uint64_t time, unsigned bytes, Answer& answer) {
    answer.fetched += bytes;
    memory_free_ = std::max(memory_free_, static_cast<double>(time)) + bytes / figures_.dram_bytes_per_cycle;
    return static_cast<std::uint64_t>(memory_free_) + figures_.dram_latency;
}

void SecondLevel::write_back(Way& way, unsigned sectors) {
    written_back_ += std::uint64_t{kSectorBytes} * count(sectors);
    way.dirty = static_cast<std::uint8_t>(way.dirty & ~sectors);
}

// Sectors that were written in part get the rest of their bytes.
void SecondLevel::complete(Way& way, std::uint64_t time, unsigned sectors, Answer& answer) {
    from_memory(time, kSectorBytes * count(sectors), answer);
    way.partial = static_cast<std::uint8_t>(way.partial & ~sectors);
    way.valid = static_cast<std::uint8_t>(way.valid | sectors);
    way.dirty = static_cast<std::uint8_t>(way.dirty | sectors);
}

// Pairs of sectors from device memory, as far as they are not there.
void SecondLevel::fetch(Way& way, std::uint64_t time, unsigned sectors, Answer& answer) {
    if ((sectors & way.partial) != 0) complete(way, time, sectors & way.partial, answer);
    for (unsigned pair = 0; pair < 2; ++pair) {
        const unsigned both = 3u << 2 * pair;
        if ((sectors & both & ~way.valid) == 0) continue;
        const unsigned missing = both & ~way.valid & ~way.partial;
        way.ready[pair] = from_memory(time, kSectorBytes * count(missing), answer);
        way.valid = static_cast<std::uint8_t>(way.valid | missing);
    }
}

SecondLevel::Answer SecondLevel::read(std::uint64_t time, unsigned part, std::uint64_t line, unsigned sectors) {
    Answer answer;
    const unsigned home = home_of(line);
    Way& near = take(part, line, answer);
    answer.hits = count(sectors & arrived(near, time));
    answer.ready = time + figures_.near_latency;
    const unsigned missing = sectors & ~near.valid;
    near.asked = static_cast<std::uint8_t>(near.asked | sectors);
    if (missing != 0 && home == part) {
        fetch(near, time, missing, answer);
        near.asked = static_cast<std::uint8_t>(near.asked | pairs(missing));
    } else if (missing != 0) {
        const unsigned asked = pairs(missing) & ~near.valid;
        const unsigned farther = figures_.far_latency - figures_.near_latency;
        answer.over_fabric = count(asked);
        Answer beyond;
        Way& far = take(home, line, beyond);
        fetch(far, time, asked, beyond);
        for (unsigned pair = 0; pair < 2; ++pair)
            if ((asked & 3u << 2 * pair) != 0)
                near.ready[pair] = std::max(far.ready[pair], time + figures_.near_latency) + farther;
        near.valid = static_cast<std::uint8_t>(near.valid | asked);
        answer.fetched += beyond.fetched;
    }
    for (unsigned pair = 0; pair < 2; ++pair)
        if ((sectors & 3u << 2 * pair) != 0) answer.ready = std::max(answer.ready, near.ready[pair]);
    return answer;
}

// No more of a set's ways wait to be written back than may.
void SecondLevel::make_room(unsigned part, std::uint64_t line, std::uint64_t time, Answer& answer) {
    Way* const ways = &parts_[part].ways[set_of(line) * figures_.l2_ways];
    unsigned dirty = 0, partial = 0;
    Way *oldest_dirty = nullptr, *oldest_partial = nullptr;
    for (unsigned i = 0; i < figures_.l2_ways; ++i) {
        Way& way = ways[i];
        if (way.partial != 0) {
            ++partial;
            if (oldest_partial == nullptr || way.used < oldest_partial->used) oldest_partial = &way;
        }
        if ((way.dirty | way.partial) != 0) {
            ++dirty;
            if (way.partial == 0 && (oldest_dirty == nullptr || way.used < oldest_dirty->used)) oldest_dirty = &way;
        }
    }
    if (partial > figures_.partial_ways) complete(*oldest_partial, time, oldest_partial->partial, answer);
    if (dirty > figures_.dirty_ways && oldest_dirty != nullptr) write_back(*oldest_dirty, oldest_dirty->dirty);
}

SecondLevel::Answer SecondLevel::write(std::uint64_t time, unsigned part, std::uint64_t line, const Piece& piece,
                                       const std::uint64_t* masks) {
    Answer answer;
    answer.hits = count(piece.sectors);
    answer.ready = time + figures_.near_latency;
    const unsigned home = home_of(line);
    if (home != part) {
        answer.over_fabric = count(piece.sectors);
        Way& copy = take(part, line, answer);
        copy.valid = static_cast<std::uint8_t>(copy.valid | piece.whole);
    } else if (parts_.size() > 1) {
        if (Way* copy = find(1 - part, line)) copy->valid = static_cast<std::uint8_t>(copy->valid & ~piece.sectors);
    }
    Way& way = take(home, line, answer);
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
    make_room(home, line, time, answer);
    return answer;
}

SecondLevel::Answer SecondLevel::update(std::uint64_t time, unsigned part, std::uint64_t line, unsigned sectors) {
    Answer answer;
    const unsigned home = home_of(line);
    answer.ready = time + (home == part ? figures_.near_latency : figures_.far_latency);
    if (home != part) answer.over_fabric = count(sectors);
    if (parts_.size() > 1)
        if (Way* copy = find(1 - home, line)) copy->valid = static_cast<std::uint8_t>(copy->valid & ~sectors);
    Way& way = take(home, line, answer);
    answer.hits = count(sectors & arrived(way, time));
    fetch(way, time, sectors, answer);
    way.dirty = static_cast<std::uint8_t>(way.dirty | sectors);
    make_room(home, line, time, answer);
    return answer;
}

void SecondLevel::clear() {
    for (Part& part : parts_) {
        for (std::uint32_t set : part.in_use) {
            std::fill_n(&part.ways[std::uint64_t{set} * figures_.l2_ways], figures_.l2_ways, Way{});
            part.is_used[set] = 0;
        }
        part.in_use.clear();
    }
    memory_free_ = 0;
}

void SecondLevel::settle() {
    for (Part& part : parts_)
        for (std::uint32_t set : part.in_use)
            for (unsigned i = 0; i < figures_.l2_ways; ++i)
                part.ways[std::uint64_t{set} * figures_.l2_ways + i].ready = {};
    memory_free_ = 0;
}

}  // namespace tilescope::observers
