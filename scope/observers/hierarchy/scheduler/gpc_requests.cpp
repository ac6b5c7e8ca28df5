// The way of a request through a GPC's L1s, and out to L2.
#include <algorithm>
#include <bit>

#include "scope/observers/hierarchy/scheduler/gpc.h"

namespace tilescope::observers {
namespace {

// Of the clocks of ways to and from L2.
constexpr std::uint64_t kPortTicks = 16;  // numeric: steps of a cycle

// Cycles that L1 looks up the lines of a load for.
unsigned lookup_cycles(const L1Rules& rules, unsigned lines, unsigned missed) {
    constexpr unsigned kTenths = 10;  // numeric: L1Rules has tenths of a cycle
    return (rules.hit_tenths * (lines - missed) + rules.miss_tenths * missed + kTenths - 1) / kTenths;
}

// Tells the lines of a store from those of others.
std::uint64_t name_of(std::uint64_t base, const std::uint64_t* word, unsigned pieces) {
    std::uint64_t name = pieces;
    for (unsigned i = 0; i < pieces; ++i) {
        const Piece piece = Piece::of(*word);
        word += 1 + sector_count(piece.in_part());
        name = (name ^ (base + static_cast<std::uint64_t>(piece.line))) * kHash;
    }
    return name | 1;
}

// Whether a load is one that others may go along with.
bool wants_few(const std::uint64_t* word, unsigned pieces, unsigned max_sectors) {
    if (pieces * kSectorsPerLine <= max_sectors) return true;
    if (pieces > max_sectors) return false;
    unsigned sectors = 0;
    for (unsigned i = 0; i < pieces; ++i) {
        const Piece piece = Piece::of(*word);
        word += 1 + sector_count(piece.in_part());
        sectors += sector_count(piece.sectors);
    }
    return sectors <= max_sectors;
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

void Gpc::arrives(std::uint32_t warp, std::uint64_t time, bool is_local) {
    WarpRun& run = warps_[warp];
    if ((time & kUnknown) == 0) {
        time += behind_;
        run.loads_arrive = std::max(run.loads_arrive, time);
        if (!is_local) run.others_arrive = std::max(run.others_arrive, time);
        return;
    }
    run.awaits = true;
    joined_.push_back({static_cast<std::uint32_t>(time), warp, 0, kNobody, 0, 0, behind_});
}

// The rest of it, and of requesters_.back(), is for the caller to fill in.
L2Request& Gpc::request_l2(std::uint64_t line, L2RequestKind kind, std::uint64_t time, std::uint32_t counts) {
    const SecondLevel::Place place = second_.place_of(line);
    Times& times = times_[place.slice()];
    times.first = std::min(times.first, time);
    times.last = std::max(times.last, time);
    L2Request& made = requests_[place.slice()].emplace_back();
    made.line = line;
    made.time = time;
    made.set = place.set;
    made.number = static_cast<std::uint32_t>(requesters_.size());
    made.op = traffic_[counts].op;
    made.kind = kind;
    if (is_special_) {
        made.eviction = eviction_of(line);
        made.whole_line = reach_ != Reach::kPair;
    }
    requesters_.emplace_back().counts = counts;
    return made;
}

machine::Eviction Gpc::eviction_of(std::uint64_t line) const {
    if (policy_ != nullptr)
        return machine::CachePolicy(policy_[0]).eviction_of((line << kLineShift) - policy_[1], line);
    for (const AccessWindow& window : rules_.l2.windows)
        if (window.holds(line)) return window.eviction_of(line);
    return machine::Eviction::kNormal;
}

// Nobody waits for it.
void Gpc::prefetch(std::uint32_t warp, std::uint32_t op, std::uint64_t line, unsigned sectors, L2RequestKind kind,
                   std::uint64_t time) {
    L2Request& read = request_l2(line, kind, time, counts_of(op, line));
    read.part = rules_.l2.near_part[numbers_[sm_of(warp)]] & 1u;
    read.sectors = sectors & kAllSectors;
}

// The other lines of the aligned 256 bytes. Each takes one more read: of one sector where the request has missed that
// line, too, and of two where it has not.
void Gpc::prefetch_neighbours(std::uint32_t warp, std::uint32_t op, std::uint64_t time, bool passes) {
    for (const std::uint64_t line : missed_) {
        const bool both = std::find(missed_.begin(), missed_.end(), line ^ 1) != missed_.end();
        if (both && (line & 1) == 0) continue;
        const unsigned sectors = both ? 1 : 3;  // geometry: the first pair
        const std::uint64_t requested = both ? line : line ^ 1;
        prefetch(warp, op, requested, sectors, L2RequestKind::kRead, time);
        const std::uint32_t at = counts_of(op, requested);
        (passes ? passed_of(at) : traffic_[at].traffic).l2_reads += sector_count(sectors);
    }
    missed_.clear();
}

// Along with what the SM's last load requested of the line.
std::uint64_t Gpc::join_misses_in_flight(const SmMissesInFlight::Place& place, Joined joined, unsigned sectors) {
    Multiprocessor& sm = sms_[joined.sm];
    L2Request& read = requests_[place.slice][place.index];
    read.sectors = (read.sectors | sectors) & kAllSectors;
    sm.port += std::uint64_t{rules_.misses.port_sector} * sector_count(sectors);
    sm.reads.put(place);
    joined.number = read.number;
    joined.behind = behind_;
    joined.sectors = static_cast<std::uint8_t>(sectors);
    joined_.push_back(joined);
    warps_[joined.warp].awaits = true;
    requesters_[read.number].least =
        std::max(requesters_[read.number].least, sm.port / kPortTicks + rules_.l2.near_latency);
    return kUnknown | read.number;
}

// For a warp, and for a line of its SM's L1, if `slot` is one.
std::uint64_t Gpc::read_second(std::uint32_t warp, std::uint32_t counts, std::uint32_t slot, std::uint64_t line,
                               unsigned sectors, std::uint64_t time) {
    const std::uint32_t sm = sm_of(warp);
    if (const SmMissesInFlight::Place* const place = sms_[sm].reads.find(line, time);
        place != nullptr && (requests_[place->slice][place->index].sectors & sectors) == 0)
        return join_misses_in_flight(*place, {0, warp, sm, slot, counts, 0, 0}, sectors);
    std::uint64_t& port = sms_[sm].port;
    port = std::max(port, time * kPortTicks) + rules_.misses.port_line +
           std::uint64_t{rules_.misses.port_sector} * sector_count(sectors);
    if (rules_.misses.gpc_reads > 1) {
        const std::uint64_t ticks = sector_count(sectors) * kPortTicks;
        leaves_ = std::max(leaves_, time * kPortTicks) +
                  (rules_.misses.gpc_sectors != 0 ? ticks / rules_.misses.gpc_sectors : 0);
        time = leaves_ / kPortTicks;
    }
    L2Request& read = request_l2(line, L2RequestKind::kRead, time, counts);
    read.part = rules_.l2.near_part[numbers_[sm]] & 1u;
    read.sectors = sectors & kAllSectors;
    read.gpc = gpc_ & L2Request::kAlone;
    if (is_special_ && reach_ == Reach::kTwoLines) missed_.push_back(line);
    const unsigned slice = read.set % SecondLevel::kSlices;
    sms_[sm].reads.put({line, slice, static_cast<std::uint32_t>(requests_[slice].size() - 1)});
    const std::uint64_t until = kUnknown | read.number;
    Requester& requester = requesters_.back();
    requester.warp = warp;
    requester.sm = static_cast<std::uint16_t>(sm);
    requester.slot = slot;
    requester.sectors = static_cast<std::uint8_t>(sectors);
    requester.least = port / kPortTicks + rules_.l2.near_latency;
    requester.behind = behind_;
    warps_[warp].awaits = true;
    return until;
}

bool Gpc::load(std::uint32_t warp, std::uint64_t line, const Piece& piece, const std::uint64_t* masks,
               const Shape& shape, std::uint64_t time) {
    const std::uint32_t at = counts_of(shape.op, line);
    CacheTraffic& counts = traffic_[at].traffic;
    asked(counts, shape.kind) += shape.by_places ? piece.counted : sector_count(piece.sectors);
    if (shape.kind == RequestKind::kLoadPastL1 || rules_.l1.bytes == 0) {
        counts.first_misses[static_cast<std::size_t>(FirstMiss::kBypass)] +=
            shape.by_places ? piece.counted : sector_count(piece.sectors);
        counts.untouched += piece.untouched;
        read_second(warp, at, kNobody, line, piece.sectors, time);
        return true;
    }
    FirstLevel& cache = first(sm_of(warp));
    const FirstLevel::Response response = cache.load(line, piece, masks, now_, shape.rank, is_texel_read(shape.kind));
    hits(counts, shape) += sector_count(piece.sectors & ~response.missing);
    arrives(warp, time + rules_.l1.latency, shape.is_local);
    if (response.ready != 0) arrives(warp, response.ready, shape.is_local);
    if (response.missing == 0) return false;
    response.count(counts.first_misses);
    counts.untouched += untouched_of(piece, response.missing, masks);
    cache.arrives_at(response.slot, read_second(warp, at, response.slot, line, response.missing, time));
    return true;
}

// Most of the work of a scattered request is waiting for the host's own memory: it is told of all pieces beforehand.
void Gpc::expect(std::uint32_t sm, std::uint64_t base, const std::uint64_t* word, unsigned pieces, bool stores) {
    std::array<std::uint64_t, machine::kWarpSize * 2> lines;
    pieces = std::min<unsigned>(pieces, lines.size());
    for (unsigned i = 0; i < pieces; ++i) {
        const Piece piece = Piece::of(*word);
        word += 1 + sector_count(piece.in_part());
        lines[i] = base + static_cast<std::uint64_t>(piece.line);
    }
    first(sm).expect(lines.data(), pieces, stores);
    first(sm).expect_replaced(pieces);
}

const StoresSent& Gpc::stores() {
    for (Multiprocessor& sm : sms_) sm.stores.end(rules_.stores, stores_);
    return stores_;
}

std::uint64_t Gpc::begin_access(std::uint32_t warp, const RunningBlock& block, const Request& request,
                                const Shape& shape, const std::uint64_t*& word) {
    word = &block.traffic.words[request.shape] + 1;
    std::uint64_t base = request.line;
    policy_ = shape.has_policy ? word : nullptr;
    reach_ = shape.reach;
    is_special_ = shape.has_policy || shape.reach != Reach::kPair || !rules_.l2.windows.empty();
    if (shape.has_policy) word += 2;
    // geometry: a line for each word of a thread
    if (shape.is_local)
        base += kLocalLines +
                (std::uint64_t{block.place} * rules_.warps + warp % rules_.warps) * (rules_.local_bytes / 4 + 1);
    return base;
}

void Gpc::access(std::uint32_t warp, const RunningBlock& block, const Request& request, const Shape& shape) {
    const std::uint32_t sm = sm_of(warp);
    const std::uint64_t* word = nullptr;
    const std::uint64_t base = begin_access(warp, block, request, shape, word);
    if (shape.pieces > 1 && rules_.l1.bytes != 0)
        expect(sm, base, word, shape.pieces, shape.kind == RequestKind::kStore);
    std::uint64_t& pipe = sms_[sm].pipe;
    pipe = std::max(pipe, now_);
    const unsigned scheduler = warps_[warp].scheduler;
    if (shape.kind == RequestKind::kStore)
        sms_[sm].stores.begin(scheduler, name_of(base, word, shape.pieces), pipe + 1);
    const bool loads = shape.kind == RequestKind::kLoad || shape.kind == RequestKind::kLoadPastL1;
    if (loads)
        sms_[sm].reads.begin(!is_special_ && !shape.by_places &&
                             wants_few(word, shape.pieces, sms_[sm].reads.max_sectors()));
    const unsigned passes = shape.passes != 0 ? shape.passes : shape.pieces;
    unsigned missed = 0;
    const auto taken = [&](unsigned pieces) {
        const unsigned part = pieces * passes / std::max(1u, unsigned{shape.pieces});
        return loads ? std::max(part, lookup_cycles(rules_.l1, pieces, missed)) : part;
    };
    for (unsigned i = 0; i < shape.pieces; ++i) {
        const Piece piece = Piece::of(*word++);
        const std::uint64_t line = base + static_cast<std::uint64_t>(piece.line);
        const std::uint64_t time = pipe + taken(i);
        if (loads) {
            missed += load(warp, line, piece, word, shape, time) ? 1 : 0;
        } else if (shape.kind == RequestKind::kPrefetch) {
            prefetch(warp, shape.op, line, piece.sectors, L2RequestKind::kPrefetch, time);
        } else {
            const bool stores = shape.kind == RequestKind::kStore;
            const std::uint32_t at = counts_of(shape.op, line);
            CacheTraffic& counts = traffic_[at].traffic;
            L2Request& change = request_l2(line, stores ? L2RequestKind::kWrite : L2RequestKind::kUpdate, time, at);
            change.part = rules_.l2.near_part[numbers_[sm]] & 1u;
            change.sectors = piece.sectors & kAllSectors;
            change.whole = piece.whole & kAllSectors;
            change.masks = word;
            if (stores) {
                if (rules_.l1.bytes != 0) {
                    const unsigned leaving = sms_[sm].stores.leaving(rules_.stores, stores_, line, time);
                    counts.store_hits += first(sm).store(line, piece, word, time, leaving, shape.is_local);
                }
                const StorePath::Taken taken_in =
                    sms_[sm].stores.take(rules_.stores, stores_, scheduler, line, piece, word, time);
                counts.l2_writes += taken_in.new_sectors;
                counts.stored += sector_count(piece.sectors);
                pipe += taken_in.time - time;
            } else {
                if (rules_.l1.bytes != 0) first(sm).drop(line);
                counts.updates += sector_count(piece.sectors);
                requesters_.back().warp = warp;
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

// When a line of the GPC's constant cache has come; requests it of L2 if it is the first time.
std::uint64_t Gpc::second_constants(std::uint32_t sm, std::uint32_t counts, std::uint64_t line) {
    const auto [found, is_new] = constants_.try_emplace(line, 0);
    CacheTraffic& traffic = traffic_[counts].traffic;
    traffic.second_constant_hits += is_new ? 0 : 1;
    if (!is_new) return found->second;
    const unsigned shift = rules_.constants.second_shift;
    const unsigned lines = shift > kLineShift ? 1u << (shift - kLineShift) : 1;
    const unsigned bytes = std::min(1u << shift, 1u << kLineShift);
    const std::uint64_t address = line << shift;
    for (unsigned i = 0; i < lines; ++i) {
        L2Request& read = request_l2((address >> kLineShift) + i, L2RequestKind::kConstant, now_, counts);
        const auto first = static_cast<unsigned>(address % (1u << kLineShift) / kSectorBytes);
        read.part = rules_.l2.near_part[numbers_[sm]] & 1u;
        read.sectors = ((1u << bytes / kSectorBytes) - 1) << first & kAllSectors;
        traffic.constant_sectors += sector_count(read.sectors);
        if (i == 0) found->second = kUnknown | read.number;
    }
    constants_coming_.emplace_back(static_cast<std::uint32_t>(found->second), line);
    return found->second;
}

void Gpc::look_up_constants(std::uint32_t warp, const RunningBlock& block, const Request& request, const Shape& shape) {
    const std::uint32_t sm = sm_of(warp);
    auto& cache = sms_[sm].constants;
    if (!cache) cache = std::make_unique<ConstantLevel>(rules_.constants.sets, rules_.constants.ways);
    const std::uint64_t* word = &block.traffic.words[request.shape] + 1;
    const std::uint64_t later = now_ + rules_.constants.miss_cycles;
    for (unsigned i = 0; i < shape.pieces; ++i) {
        const ConstantPiece piece = ConstantPiece::of(*word++);
        const std::uint64_t line = request.line + static_cast<std::uint64_t>(piece.line);
        const std::uint64_t address = line << rules_.constants.line_shift;
        const std::uint32_t counts = counts_of(shape.op, address >> kLineShift);
        const std::uint64_t beyond = address >> rules_.constants.second_shift;
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

// What was requested for an instruction's sake, of a line.
void Gpc::count_reads(std::uint32_t counts, const L2Response& response, unsigned sectors) {
    CacheTraffic& traffic = traffic_[counts].traffic;
    (response.joined ? traffic.merged : traffic.l2_reads) += sector_count(sectors);
    traffic.l2_read_hits += sector_count(response.found & sectors);
    response.why.count(traffic.second_misses, sectors);
}

// The host is told of what a response will change.
void Gpc::expect_response(std::size_t number) const {
    if (number >= requesters_.size() || requesters_[number].warp == kNobody) return;
    const Requester& requester = requesters_[number];
    warps_[requester.warp].expect_turn();
    if (requester.slot != kNobody) sms_[requester.sm].first->expect_slot(requester.slot);
}

void Gpc::take_responses() {
    const auto settle = [this](std::uint32_t number, std::uint64_t ready, std::uint32_t behind, std::uint32_t warp,
                               std::uint32_t sm, std::uint32_t slot, std::uint32_t counts) {
        if (warp == kNobody) return;
        WarpRun& run = warps_[warp];
        run.awaits = false;
        run.loads_arrive = std::max(run.loads_arrive, ready + behind);
        if (traffic_[counts].buffer != buffers_.local())
            run.others_arrive = std::max(run.others_arrive, ready + behind);
        if (slot != kNobody) sms_[sm].first->settle(slot, kUnknown | number, ready);
    };
    constexpr std::size_t kAhead = 12;  // numeric: by time that it took here
    for (std::uint32_t number = 0; number < requesters_.size(); ++number) {
        expect_response(number + kAhead);
        const Requester& requester = requesters_[number];
        L2Response& response = responses_[number];
        CacheTraffic& counts = traffic_[requester.counts].traffic;
        count_reads(requester.counts, response, requester.sectors);
        counts.over_fabric += response.over_fabric;
        counts.fetched += response.fetched;
        response.ready = std::max(response.ready, requester.least);
        settle(number, response.ready, requester.behind, requester.warp, requester.sm, requester.slot,
               requester.counts);
    }
    for (const auto& [number, line] : constants_coming_) constants_[line] = responses_[number].ready;
    for (const Joined& joined : joined_) {
        const L2Response& response = responses_[joined.number];
        if (joined.sectors != 0) count_reads(joined.counts, response, joined.sectors);
        settle(joined.number, response.ready, joined.behind, joined.warp, joined.sm, joined.slot, joined.counts);
    }
    end_window();
    for (const std::uint32_t warp : blocked_) wait_for_loads(warp);
    blocked_.clear();
}

void Gpc::end_window() {
    for (Multiprocessor& sm : sms_) sm.reads.forget();
    requesters_.clear();
    responses_.clear();
    joined_.clear();
    constants_coming_.clear();
    for (auto& requests : requests_) requests.clear();
    times_.fill({});
}

}  // namespace tilescope::observers
