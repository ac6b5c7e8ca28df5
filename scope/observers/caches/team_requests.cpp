// The way of a request through a team's L1s, and out to L2.
#include <algorithm>
#include <bit>

#include "scope/observers/caches/team.h"

namespace tilescope::observers {
namespace {

// Of an SM's way from L2, in sixteenths of a cycle: of a line asked for, and of each sector. An H200's SM gets single
// sectors every 1.7 cycles (bench/hardware/scattered.cu), and whole lines at L2's bandwidth every 3.6.
constexpr std::uint64_t kRequestPort = 17, kSectorPort = 10;

// Cycles that L1 looks up the lines of a load for: a third of one for a line that it has, a whole one for one that it
// misses (bench/hardware/gathers.cu, November 2026, an H200: 32 lines in 10.4 and 33 cycles).
unsigned lookup_cycles(unsigned lines, unsigned missed) { return (3 * lines + 7 * missed + 9) / 10; }

// Tells the lines of a store from those of others.
std::uint64_t name_of(std::uint64_t base, const std::uint64_t* word, unsigned pieces) {
    std::uint64_t name = pieces;
    for (unsigned i = 0; i < pieces; ++i) {
        const Piece piece = Piece::of(*word);
        word += 1 + sector_count(piece.in_part());
        name = (name ^ (base + static_cast<std::uint64_t>(piece.line))) * 0x9e3779b97f4a7c15ull;
    }
    return name | 1;
}

// Whether a load is one that others may go along with.
bool wants_few(const std::uint64_t* word, unsigned pieces) {
    if (pieces * kSectorsPerLine <= LastReads::kMostSectors) return true;
    if (pieces > LastReads::kMostSectors) return false;
    unsigned sectors = 0;
    for (unsigned i = 0; i < pieces; ++i) {
        const Piece piece = Piece::of(*word);
        word += 1 + sector_count(piece.in_part());
        sectors += sector_count(piece.sectors);
    }
    return sectors <= LastReads::kMostSectors;
}

// Bytes of some of a piece's sectors that nobody wants.
unsigned untouched_of(const Piece& piece, unsigned sectors, const std::uint64_t* masks) {
    const unsigned in_part = piece.in_part();
    if ((in_part & ~sectors) == 0) return piece.untouched;
    unsigned bytes = 0;
    for (unsigned left = in_part; left != 0; left &= left - 1, ++masks)
        if ((left & -left & sectors) != 0)
            bytes += static_cast<unsigned>(std::popcount(~static_cast<std::uint32_t>(*masks)));
    return bytes;
}

}  // namespace

void Team::arrives(std::uint32_t warp, std::uint64_t time, bool is_local) {
    WarpRun& run = warps_[warp];
    if ((time & kUnknown) == 0) {
        run.loads_arrive = std::max(run.loads_arrive, time);
        if (!is_local) run.others_arrive = std::max(run.others_arrive, time);
        return;
    }
    run.awaits = true;
    joined_.push_back({static_cast<std::uint32_t>(time), warp, 0, kNobody, 0, 0});
}

// The rest of it, and of askers_.back(), is for who asks to fill in.
Ask& Team::ask(std::uint64_t line, Ask::Kind kind, std::uint64_t time, std::uint32_t counts) {
    const SecondLevel::Place place = second_.place_of(line);
    Ask& ask = asks_[place.slice()].emplace_back();
    ask.line = line;
    ask.time = time;
    ask.set = place.set;
    ask.number = static_cast<std::uint32_t>(askers_.size());
    ask.op = traffic_[counts].op;
    ask.kind = kind;
    if (is_special_) {
        ask.eviction = eviction_of(line);
        ask.whole_line = reach_ != Reach::kPair;
    }
    askers_.emplace_back().counts = counts;
    return ask;
}

machine::Eviction Team::eviction_of(std::uint64_t line) const {
    if (policy_ != nullptr)
        return machine::CachePolicy(policy_[0]).eviction_of((line << kLineShift) - policy_[1], line);
    for (const AccessWindow& window : figures_.windows)
        if (window.holds(line)) return window.eviction_of(line);
    return machine::Eviction::kNormal;
}

// Nobody waits for it.
void Team::prefetch(std::uint32_t warp, std::uint32_t op, std::uint64_t line, unsigned sectors, Ask::Kind kind,
                    std::uint64_t time) {
    Ask& read = ask(line, kind, time, counts_of(op, line));
    read.part = figures_.near_part[numbers_[sm_of(warp)]] & 1u;
    read.sectors = sectors & 15u;
}

// The other lines of the aligned 256 bytes. Each takes one more read: of one sector where the request has missed that
// line, too, and of two where it has not.
void Team::prefetch_neighbours(std::uint32_t warp, std::uint32_t op, std::uint64_t time) {
    for (const std::uint64_t line : missed_) {
        const bool both = std::find(missed_.begin(), missed_.end(), line ^ 1) != missed_.end();
        if (both && (line & 1) == 0) continue;
        const unsigned sectors = both ? 1 : 3;
        const std::uint64_t asked = both ? line : line ^ 1;
        prefetch(warp, op, asked, sectors, Ask::Kind::kRead, time);
        traffic_[counts_of(op, asked)].traffic.l2_reads += sector_count(sectors);
    }
    missed_.clear();
}

// Along with what the SM's last load asked for of the line.
std::uint64_t Team::join_last_reads(const LastReads::Place& place, Joined joined, unsigned sectors) {
    Multiprocessor& sm = sms_[joined.sm];
    Ask& read = asks_[place.slice][place.index];
    read.sectors = (read.sectors | sectors) & 15u;
    sm.port += kSectorPort * sector_count(sectors);
    sm.reads.put(place);
    joined.number = read.number;
    joined.sectors = static_cast<std::uint8_t>(sectors);
    joined_.push_back(joined);
    warps_[joined.warp].awaits = true;
    askers_[read.number].least = std::max(askers_[read.number].least, sm.port / 16 + figures_.near_latency);
    return kUnknown | read.number;
}

// For a warp, and for a line of its SM's L1, if `slot` is one.
std::uint64_t Team::read_second(std::uint32_t warp, std::uint32_t counts, std::uint32_t slot, std::uint64_t line,
                                unsigned sectors, std::uint64_t time) {
    const std::uint32_t sm = sm_of(warp);
    if (const LastReads::Place* const place = sms_[sm].reads.find(line, time);
        place != nullptr && (asks_[place->slice][place->index].sectors & sectors) == 0)
        return join_last_reads(*place, {0, warp, sm, slot, counts}, sectors);
    std::uint64_t& port = sms_[sm].port;
    port = std::max(port, time * 16) + kRequestPort + kSectorPort * sector_count(sectors);
    if (figures_.merged_reads > 1) {
        // In sixteenths of a cycle.
        leaves_ = std::max(leaves_, time * 16) + sector_count(sectors) * 16 / figures_.group_sectors;
        time = leaves_ / 16;
    }
    Ask& read = ask(line, Ask::Kind::kRead, time, counts);
    read.part = figures_.near_part[numbers_[sm]] & 1u;
    read.sectors = sectors & 15u;
    read.group = group_ & 63u;
    if (is_special_ && reach_ == Reach::kTwoLines) missed_.push_back(line);
    const unsigned slice = read.set % SecondLevel::kSlices;
    sms_[sm].reads.put({line, slice, static_cast<std::uint32_t>(asks_[slice].size() - 1)});
    const std::uint64_t until = kUnknown | read.number;
    Asker& asker = askers_.back();
    asker.warp = warp;
    asker.sm = sm;
    asker.slot = slot;
    asker.sectors = static_cast<std::uint8_t>(sectors);
    asker.least = port / 16 + figures_.near_latency;
    warps_[warp].awaits = true;
    return until;
}

bool Team::load(std::uint32_t warp, std::uint64_t line, const Piece& piece, const std::uint64_t* masks,
                const Shape& shape, std::uint64_t time) {
    const std::uint32_t at = counts_of(shape.op, line);
    CacheTraffic& counts = traffic_[at].traffic;
    counts.loads += sector_count(piece.sectors);
    if (shape.kind == RequestKind::kLoadPastL1 || figures_.l1_bytes == 0) {
        counts.first_misses[static_cast<std::size_t>(FirstMiss::kBypass)] += sector_count(piece.sectors);
        counts.untouched += piece.untouched;
        read_second(warp, at, kNobody, line, piece.sectors, time);
        return true;
    }
    FirstLevel& cache = first(sm_of(warp));
    const FirstLevel::Answer answer = cache.load(line, piece, masks, now_, shape.rank);
    (shape.is_local ? counts.local_hits : counts.global_hits) += sector_count(piece.sectors & ~answer.missing);
    arrives(warp, time + figures_.l1_latency, shape.is_local);
    if (answer.ready != 0) arrives(warp, answer.ready, shape.is_local);
    if (answer.missing == 0) return false;
    answer.count(counts.first_misses);
    counts.untouched += untouched_of(piece, answer.missing, masks);
    cache.arrives_at(answer.slot, read_second(warp, at, answer.slot, line, answer.missing, time));
    return true;
}

// Most of the work of a scattered request is waiting for the host's own memory: it is told of all pieces beforehand.
void Team::expect(std::uint32_t sm, std::uint64_t base, const std::uint64_t* word, unsigned pieces) {
    std::array<std::uint64_t, machine::kWarpSize * 2> lines;
    pieces = std::min<unsigned>(pieces, lines.size());
    for (unsigned i = 0; i < pieces; ++i) {
        const Piece piece = Piece::of(*word);
        word += 1 + sector_count(piece.in_part());
        lines[i] = base + static_cast<std::uint64_t>(piece.line);
    }
    first(sm).expect(lines.data(), pieces);
    first(sm).expect_replaced(pieces);
}

const StoresSent& Team::stores() {
    for (Multiprocessor& sm : sms_) sm.stores.end(figures_, stores_);
    return stores_;
}

void Team::access(std::uint32_t warp, const RunningBlock& block, const Request& request, const Shape& shape) {
    const std::uint32_t sm = sm_of(warp);
    const std::uint64_t* word = &block.traffic.words[request.shape] + 1;
    std::uint64_t base = request.line;
    policy_ = shape.has_policy ? word : nullptr;
    reach_ = shape.reach;
    is_special_ = shape.has_policy || shape.reach != Reach::kPair || !figures_.windows.empty();
    if (shape.has_policy) word += 2;
    if (shape.is_local)
        base += kLocalLines +
                (std::uint64_t{block.place} * figures_.warps + warp % figures_.warps) * (figures_.local_bytes / 4 + 1);
    if (shape.pieces > 1 && figures_.l1_bytes != 0) expect(sm, base, word, shape.pieces);
    std::uint64_t& pipe = sms_[sm].pipe;
    pipe = std::max(pipe, now_);
    const unsigned scheduler = shape.kind == RequestKind::kStore ? scheduler_of(warp) : 0;
    if (shape.kind == RequestKind::kStore)
        sms_[sm].stores.begin(scheduler, name_of(base, word, shape.pieces), pipe + 1);
    const bool loads = shape.kind == RequestKind::kLoad || shape.kind == RequestKind::kLoadPastL1;
    if (loads) sms_[sm].reads.begin(!is_special_ && wants_few(word, shape.pieces));
    const unsigned passes = shape.passes != 0 ? shape.passes : shape.pieces;
    unsigned missed = 0;
    const auto taken = [&](unsigned pieces) {
        const unsigned part = pieces * passes / std::max(1u, unsigned{shape.pieces});
        return loads ? std::max(part, lookup_cycles(pieces, missed)) : part;
    };
    for (unsigned i = 0; i < shape.pieces; ++i) {
        const Piece piece = Piece::of(*word++);
        const std::uint64_t line = base + static_cast<std::uint64_t>(piece.line);
        const std::uint64_t time = pipe + taken(i);
        if (loads) {
            missed += load(warp, line, piece, word, shape, time) ? 1 : 0;
        } else if (shape.kind == RequestKind::kPrefetch) {
            prefetch(warp, shape.op, line, piece.sectors, Ask::Kind::kPrefetch, time);
        } else {
            const bool stores = shape.kind == RequestKind::kStore;
            const std::uint32_t at = counts_of(shape.op, line);
            CacheTraffic& counts = traffic_[at].traffic;
            Ask& change = ask(line, stores ? Ask::Kind::kWrite : Ask::Kind::kUpdate, time, at);
            change.part = figures_.near_part[numbers_[sm]] & 1u;
            change.sectors = piece.sectors & 15u;
            change.whole = piece.whole & 15u;
            change.masks = word;
            if (stores) {
                if (figures_.l1_bytes != 0) {
                    const unsigned leaving = sms_[sm].stores.leaving(figures_, stores_, line, time);
                    counts.store_hits += first(sm).store(line, piece, word, time, leaving, shape.is_local);
                }
                const StoreWay::Taken taken_in =
                    sms_[sm].stores.take(figures_, stores_, scheduler, line, piece, word, time);
                counts.l2_writes += taken_in.new_sectors;
                pipe += taken_in.time - time;
            } else {
                if (figures_.l1_bytes != 0) first(sm).drop(line);
                counts.updates += sector_count(piece.sectors);
                askers_.back().warp = warp;
                warps_[warp].awaits = true;
            }
        }
        word += sector_count(piece.in_part());
    }
    if (!missed_.empty()) prefetch_neighbours(warp, shape.op, pipe);
    is_special_ = false;
    pipe += std::max(1u, taken(shape.pieces));
    if (loads) sms_[sm].reads.end(pipe);
}

// When a line of the GPC's constant cache has come; asks L2 for it if it is the first time.
std::uint64_t Team::second_constants(std::uint32_t sm, std::uint32_t counts, std::uint64_t line) {
    const auto [found, is_new] = constants_.try_emplace(line, 0);
    CacheTraffic& traffic = traffic_[counts].traffic;
    traffic.second_constant_hits += is_new ? 0 : 1;
    if (!is_new) return found->second;
    const unsigned shift = figures_.constant_second_shift;
    const unsigned lines = shift > kLineShift ? 1u << (shift - kLineShift) : 1;
    const unsigned bytes = std::min(1u << shift, 1u << kLineShift);
    const std::uint64_t address = line << shift;
    for (unsigned i = 0; i < lines; ++i) {
        Ask& read = ask((address >> kLineShift) + i, Ask::Kind::kConstant, now_, counts);
        const auto first = static_cast<unsigned>(address % (1u << kLineShift) / kSectorBytes);
        read.part = figures_.near_part[numbers_[sm]] & 1u;
        read.sectors = ((1u << bytes / kSectorBytes) - 1) << first & 15u;
        traffic.constant_sectors += sector_count(read.sectors);
        if (i == 0) found->second = kUnknown | read.number;
    }
    askers_[found->second & ~kUnknown].constant_line = line;
    return found->second;
}

void Team::look_up_constants(std::uint32_t warp, const RunningBlock& block, const Request& request,
                             const Shape& shape) {
    const std::uint32_t sm = sm_of(warp);
    auto& cache = sms_[sm].constants;
    if (!cache) cache = std::make_unique<ConstantLevel>(figures_.constant_sets, figures_.constant_ways);
    const std::uint64_t* word = &block.traffic.words[request.shape] + 1;
    const std::uint64_t later = now_ + figures_.constant_miss_cycles;
    for (unsigned i = 0; i < shape.pieces; ++i) {
        const ConstantPiece piece = ConstantPiece::of(*word++);
        const std::uint64_t line = request.line + static_cast<std::uint64_t>(piece.line);
        const std::uint64_t address = line << figures_.constant_line_shift;
        const std::uint32_t counts = counts_of(shape.op, address >> kLineShift);
        const std::uint64_t beyond = address >> figures_.constant_second_shift;
        const auto [kept, is_there] = cache->look_up(line, piece.set);
        if (is_there && (kept.ready & kUnknown) != 0) kept.ready = constants_[beyond];
        const bool hits = is_there && kept.ready <= now_;
        traffic_[counts].traffic.constant_hits += piece.lookups - (hits ? 0 : 1);
        if (hits) continue;
        ++traffic_[counts].traffic.constant_misses;
        const std::uint64_t ready = second_constants(sm, counts, beyond);
        if (!is_there) kept.ready = std::max(ready, later);
        arrives(warp, is_there ? std::min(kept.ready, later) : later);
        if ((ready & kUnknown) != 0 || ready > later) arrives(warp, ready);
        warps_[warp].stops = warps_[warp].stops || shape.blocks;
    }
}

// What was asked for an instruction's sake, of a line.
void Team::count_reads(std::uint32_t counts, const Told& told, unsigned sectors) {
    CacheTraffic& traffic = traffic_[counts].traffic;
    (told.joined ? traffic.merged : traffic.l2_reads) += sector_count(sectors);
    traffic.l2_read_hits += sector_count(told.found & sectors);
    told.why.count(traffic.second_misses, sectors);
}

void Team::take_answers() {
    const auto settle = [this](std::uint32_t number, std::uint64_t ready, std::uint32_t warp, std::uint32_t sm,
                               std::uint32_t slot, std::uint32_t counts) {
        if (warp == kNobody) return;
        WarpRun& run = warps_[warp];
        run.awaits = false;
        run.loads_arrive = std::max(run.loads_arrive, ready);
        if (traffic_[counts].buffer != buffers_.local()) run.others_arrive = std::max(run.others_arrive, ready);
        if (slot != kNobody) sms_[sm].first->settle(slot, kUnknown | number, ready);
    };
    for (std::uint32_t number = 0; number < askers_.size(); ++number) {
        const Asker& asker = askers_[number];
        Told& told = told_[number];
        CacheTraffic& counts = traffic_[asker.counts].traffic;
        count_reads(asker.counts, told, asker.sectors);
        counts.over_fabric += told.over_fabric;
        counts.fetched += told.fetched;
        told.ready = std::max(told.ready, asker.least);
        settle(number, told.ready, asker.warp, asker.sm, asker.slot, asker.counts);
        if (asker.constant_line != kUnknown) constants_[asker.constant_line] = told.ready;
    }
    for (const Joined& joined : joined_) {
        const Told& told = told_[joined.number];
        if (joined.sectors != 0) count_reads(joined.counts, told, joined.sectors);
        settle(joined.number, told.ready, joined.warp, joined.sm, joined.slot, joined.counts);
    }
    for (Multiprocessor& sm : sms_) sm.reads.forget();
    askers_.clear();
    told_.clear();
    joined_.clear();
    ended_.clear();
    for (auto& asks : asks_) asks.clear();
    for (const std::uint32_t warp : blocked_) wait_for_loads(warp);
    blocked_.clear();
}

}  // namespace tilescope::observers
