#include "scope/observers/hierarchy/store_path/store_path.h"

#include <algorithm>

namespace tilescope::observers {
namespace {

constexpr std::uint32_t kAllBytes = 0xffffffffu;  // geometry: 32 bytes a sector

}  // namespace

void StorePath::begin(unsigned scheduler, std::uint64_t lines, std::uint64_t time) {
    if (last_[scheduler] == lines) return;
    last_[scheduler] = lines;
    for (unsigned i = begin_; i < end_; ++i)
        if (waiting_[i].scheduler == scheduler) waiting_[i].may_leave = std::min(waiting_[i].may_leave, time);
}

std::uint64_t StorePath::leaves_at(unsigned place) const {
    return std::max(static_cast<std::uint64_t>(free_), waiting_[place].may_leave);
}

// The first that may leave when the way is free; if none may, the one that may soonest.
unsigned StorePath::next() const {
    const auto free = static_cast<std::uint64_t>(free_);
    unsigned best = begin_;
    for (unsigned i = begin_; i < end_; ++i) {
        if (waiting_[i].may_leave <= free) return i;  // none leaves sooner, and those before it leave later
        if (waiting_[i].may_leave < waiting_[best].may_leave) best = i;
    }
    return best;
}

void StorePath::send(const StorePathRules& rules, StoresSent& sent, unsigned place) {
    const Waiting& waiting = waiting_[place];
    unsigned whole = 0;
    for (const std::uint32_t bytes : waiting.bytes) whole += bytes == kAllBytes ? 1 : 0;
    const unsigned in_part = sector_count(waiting.sectors) - whole;
    sent.take(lines_[place], in_part);
    free_ = std::max(free_, static_cast<double>(waiting.may_leave)) + rules.line_cycles + whole * rules.sector_cycles +
            in_part * rules.part_cycles;
    left_[last_left_] = {lines_[place], static_cast<std::uint64_t>(free_), waiting_[place].sectors};
    last_left_ = (last_left_ + 1) % left_.size();
    --alike_[hash(lines_[place])];
    // The fewer of those before it and those behind it move.
    if (place - begin_ < end_ - place) {
        std::copy_backward(lines_.begin() + begin_, lines_.begin() + place, lines_.begin() + place + 1);
        std::copy_backward(waiting_.begin() + begin_, waiting_.begin() + place, waiting_.begin() + place + 1);
        ++begin_;
    } else {
        std::copy(lines_.begin() + place + 1, lines_.begin() + end_, lines_.begin() + place);
        std::copy(waiting_.begin() + place + 1, waiting_.begin() + end_, waiting_.begin() + place);
        --end_;
    }
}

// At the end; gives its place.
unsigned StorePath::enter(std::uint64_t line) {
    if (end_ == lines_.size()) {
        std::copy(lines_.begin() + begin_, lines_.begin() + end_, lines_.begin());
        std::copy(waiting_.begin() + begin_, waiting_.begin() + end_, waiting_.begin());
        end_ = count();
        begin_ = 0;
    }
    lines_[end_] = line;
    waiting_[end_] = {};
    ++alike_[hash(line)];
    return end_++;
}

// end_: it does not wait.
unsigned StorePath::find(std::uint64_t line) const {
    if (alike_[hash(line)] == 0) return end_;
    return static_cast<unsigned>(std::find(lines_.begin() + begin_, lines_.begin() + end_, line) - lines_.begin());
}

void StorePath::leave(const StorePathRules& rules, StoresSent& sent, std::uint64_t time) {
    while (count() != 0) {
        const unsigned place = next();
        if (leaves_at(place) > time) return;
        send(rules, sent, place);
    }
}

StorePath::Taken StorePath::take(const StorePathRules& rules, StoresSent& sent, unsigned scheduler, std::uint64_t line,
                                 const Piece& piece, const std::uint64_t* masks, std::uint64_t time) {
    leave(rules, sent, time);
    unsigned place = find(line);
    bool is_new = place == end_;
    if (!is_new && waiting_[place].scheduler != scheduler && free_ <= static_cast<double>(time)) {
        // It waits for its own scheduler alone.
        waiting_[place].may_leave = std::min(waiting_[place].may_leave, time);
        send(rules, sent, place);
        is_new = true;
    }
    if (is_new) {
        if (count() == std::clamp(rules.lines, 1u, kMaxLines)) {
            // Nothing may leave yet: what came first has waited long enough.
            const unsigned gone = next();
            if (waiting_[gone].may_leave > time) waiting_[gone].may_leave = time;
            time = std::max(time, leaves_at(gone));
            send(rules, sent, gone);
        }
        place = enter(line);
    }
    Waiting& waiting = waiting_[place];
    const unsigned added = piece.sectors & ~unsigned{waiting.sectors};
    waiting.sectors = static_cast<std::uint8_t>(waiting.sectors | piece.sectors);
    waiting.scheduler = static_cast<std::uint8_t>(scheduler);
    waiting.may_leave = time + rules.wait;
    for (unsigned sector = 0; sector < kSectorsPerLine; ++sector) {
        if ((piece.whole >> sector & 1) != 0)
            waiting.bytes[sector] = kAllBytes;
        else if ((piece.sectors >> sector & 1) != 0)
            waiting.bytes[sector] |= static_cast<std::uint32_t>(*masks++);
    }
    return {time, sector_count(added)};
}

unsigned StorePath::leaving(const StorePathRules& rules, StoresSent& sent, std::uint64_t line, std::uint64_t time) {
    leave(rules, sent, time);
    unsigned sectors = 0;
    if (const unsigned place = find(line); place != end_) sectors = waiting_[place].sectors;
    for (const Left& left : left_)
        if (left.line == line && left.time + rules.settle > time) sectors |= left.sectors;
    return sectors;
}

void StorePath::end(const StorePathRules& rules, StoresSent& sent) {
    while (count() != 0) send(rules, sent, next());
    free_ = 0;
    last_ = {};
    left_ = {};
}

}  // namespace tilescope::observers
