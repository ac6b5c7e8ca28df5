// Bank conflicts of shared memory.
//
// The cost of a pattern does not change when it moves by whole words, so each site computes it once per pattern. Where
// there are conflicts, the same pattern is tried with an unused element after every 32 words, as if i + i / 32 were the
// index: whether padding is a remedy is a matter of the addresses.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "scope/observers/address_set.h"
#include "scope/observers/bank_rule.h"
#include "scope/observers/counting.h"
#include "scope/observers/request_pictures.h"
#include "scope/observers/swap_loop.h"

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::AccessKind;
using machine::Space;

constexpr unsigned kWordBytes = 4;
constexpr std::size_t kNoVariable = ~std::size_t{0};
// Of matrices whose rows do not all lie as far apart.
constexpr std::uint32_t kUneven = ~std::uint32_t{0};
constexpr unsigned kMatrixRows = 8;

std::uint32_t joined_rows(std::uint32_t one, std::uint32_t other) {
    return one == 0 ? other : other == 0 || one == other ? one : kUneven;
}

bool moves_matrices(AccessKind kind) { return kind == AccessKind::kMatrixLoad || kind == AccessKind::kMatrixStore; }

// Bytes from row to row of each matrix: a lane has the address of a row.
std::uint32_t row_bytes_of(const std::uint32_t* offsets, std::uint32_t mask) {
    std::uint32_t all = 0;
    for (unsigned lane = 1; lane < machine::kWarpSize; ++lane) {
        const std::uint32_t both = 3U << (lane - 1);
        if (lane % kMatrixRows == 0 || (mask & both) != both) continue;
        const std::uint32_t bytes = offsets[lane] - offsets[lane - 1];
        all = bytes == 0 || bytes > kUneven / 2 ? kUneven : joined_rows(all, bytes);
    }
    return all;
}

// A load or a store, whose distinct addresses nobody asks for.
bool is_moved(AccessKind kind) { return use_of(kind) == BankUse::kLoad || use_of(kind) == BankUse::kStore; }

struct BankSiteCount {
    AccessKind kind = AccessKind::kLoad;
    std::uint64_t requests = 0, wavefronts = 0, conflicts = 0, bytes = 0, lanes = 0, addresses = 0, if_padded = 0;
    std::uint64_t tries = 0;             // of lanes, in loops that try to swap
    std::size_t variable = kNoVariable;  // that its conflicts lie in
    std::uint32_t row_bytes = 0;         // of matrices that conflict, or kUneven
    bool known[kWordBytes] = {};
    BankCost cost[kWordBytes];              // by the pattern's first byte within a word
    std::uint32_t padded[kWordBytes] = {};  // its conflicts with padding
    std::uint32_t pattern_lanes = 0, pattern_bytes = 0, pattern_addresses = 0, pattern_tries = 0;
    std::uint64_t times[kWordBytes] = {};  // of the pattern at hand that are in no sum yet
    RequestTally with_wavefronts{};

    void settle() {
        for (unsigned phase = 0; phase < kWordBytes; ++phase) {
            const std::uint64_t n = times[phase];
            if (n == 0) continue;
            times[phase] = 0;
            requests += n;
            wavefronts += n * cost[phase].wavefronts;
            with_wavefronts[std::min<std::size_t>(cost[phase].wavefronts, kMostUnits)] += n;
            conflicts += n * cost[phase].conflicts;
            bytes += n * pattern_bytes;
            lanes += n * pattern_lanes;
            addresses += n * pattern_addresses;
            tries += n * pattern_tries;
            if_padded += n * padded[phase];
        }
    }
    BankSiteCount settled() const {
        BankSiteCount all = *this;
        all.settle();
        return all;
    }
};

// Conflicts of the pattern with an unused element after every row of banks. from_low: offsets from the lowest lane's.
unsigned conflicts_if_padded(const Access& access, const std::uint32_t* from_low) {
    constexpr std::uint32_t kRow = 128;
    const std::uint32_t element = std::max<std::uint32_t>(access.width, kWordBytes);
    alignas(64) std::uint32_t offsets[machine::kWarpSize];
    for (unsigned lane = 0; lane < machine::kWarpSize; ++lane)
        offsets[lane] = from_low[lane] + from_low[lane] / kRow * element;
    return bank_cost(offsets, access.mask, access.width, use_of(access.kind)).conflicts;
}

class Banks final : public CountingObserver {
public:
    std::uint32_t wants(const machine::Site&) const override { return machine::bit_of(Space::kShared); }

    void on_access(const Access& access) override {
        // What cp.async writes to shared memory the hardware counts nowhere here (tests/truth: tiled_async).
        if (access.kind == AccessKind::kAsyncCopyWrite) return;
        BankSiteCount& site = sites_[access.site];
        const unsigned phase = access.first % kWordBytes;
        if (!access.same_pattern || !site.known[phase]) look_at(site, access, phase);
        ++site.times[phase];
    }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<Banks>();
        shard->sites_.resize(program.sites.size());
        shard->examples_.resize(program.sites.size());
        shard->program_ = &program;
        return shard;
    }

    void merge(const Observer& other) override {
        const auto& shard = static_cast<const Banks&>(other).sites_;
        for (std::size_t i = 0; i < sites_.size(); ++i) {
            const BankSiteCount theirs = shard[i].settled();
            if (theirs.requests == 0) continue;
            sites_[i].settle();
            sites_[i].kind = theirs.kind;
            sites_[i].requests += theirs.requests;
            sites_[i].wavefronts += theirs.wavefronts;
            sites_[i].conflicts += theirs.conflicts;
            sites_[i].bytes += theirs.bytes;
            sites_[i].lanes += theirs.lanes;
            sites_[i].addresses += theirs.addresses;
            sites_[i].tries += theirs.tries;
            sites_[i].if_padded += theirs.if_padded;
            sites_[i].variable = std::min(sites_[i].variable, theirs.variable);
            sites_[i].row_bytes = joined_rows(sites_[i].row_bytes, theirs.row_bytes);
            for (std::size_t units = 0; units <= kMostUnits; ++units)
                sites_[i].with_wavefronts[units] += theirs.with_wavefronts[units];
            examples_[i].merge(static_cast<const Banks&>(other).examples_[i]);
        }
    }

    void finish(const machine::Program& program, OpCounters& counters) const override {
        for (std::size_t i = 0; i < sites_.size(); ++i) {
            const BankSiteCount site = sites_[i].settled();
            if (site.requests == 0) continue;
            CounterSet& op = counters[program.sites[i].op];
            if (site.kind == AccessKind::kFactorLoad) {
                op[Counter::kFactorLoadWavefronts] += site.wavefronts;
                op[Counter::kFactorLoadBytes] += site.bytes;
                continue;
            }
            if (site.kind == AccessKind::kLoad || site.kind == AccessKind::kMatrixLoad) {
                op[site.kind == AccessKind::kLoad ? Counter::kSharedLoadRequests : Counter::kMatrixLoadRequests] +=
                    site.requests;
                op[Counter::kSharedLoadWavefronts] += site.wavefronts;
                op[Counter::kSharedLoadBankConflicts] += site.conflicts;
                op[Counter::kSharedLoadBytesRequested] += site.bytes;
            } else if (site.kind == AccessKind::kStore || site.kind == AccessKind::kMatrixStore) {
                op[site.kind == AccessKind::kStore ? Counter::kSharedStoreRequests : Counter::kMatrixStoreRequests] +=
                    site.requests;
                op[Counter::kSharedStoreWavefronts] += site.wavefronts;
                op[Counter::kSharedStoreBankConflicts] += site.conflicts;
                op[Counter::kSharedStoreBytesRequested] += site.bytes;
            } else {
                op[Counter::kSharedAtomicRequests] += site.requests;
                op[Counter::kSharedAtomicBankConflicts] += site.conflicts;
                op[Counter::kSharedAtomicThreadOperations] += site.lanes;
                op[Counter::kSharedAtomicAddresses] += site.addresses;
                const Counter each_try = program.facts[program.sites[i].op].each_try;
                if (each_try != Counter::kCount) op[each_try] += site.tries;
                op[Counter::kSharedSwapTries] += site.tries;
                continue;
            }
            op[Counter::kSharedConflictsIfPadded] += site.if_padded;
        }
    }

    void add_to_profile(const machine::Program& program, LaunchProfile& launch) const override {
        // By line: conflicts of each variable.
        std::map<std::pair<std::string, std::uint32_t>, std::map<std::size_t, std::uint64_t>> by_line;
        for (std::size_t i = 0; i < sites_.size(); ++i) {
            const machine::SourcePlace& place = program.facts[program.sites[i].op].place;
            if (sites_[i].variable != kNoVariable && place.line != 0)
                by_line[{program.files[place.file], place.line}][sites_[i].variable] += sites_[i].settled().conflicts;
        }
        std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> rows_by_line;
        for (std::size_t i = 0; i < sites_.size(); ++i) {
            const machine::SourcePlace& place = program.facts[program.sites[i].op].place;
            if (sites_[i].row_bytes == 0 || place.line == 0) continue;
            std::uint32_t& rows = rows_by_line[{program.files[place.file], place.line}];
            rows = joined_rows(rows, sites_[i].row_bytes);
        }
        for (LineProfile& line : launch.lines) {
            const auto rows = rows_by_line.find({line.file, line.line});
            if (rows != rows_by_line.end() && rows->second != kUneven) line.matrix_row_bytes = rows->second;
            const auto found = by_line.find({line.file, line.line});
            if (found == by_line.end()) continue;
            const auto most = std::max_element(found->second.begin(), found->second.end(),
                                               [](const auto& a, const auto& b) { return a.second < b.second; });
            line.shared_variable = program.shared_variables[most->first].name;
        }
        std::vector<RequestTally> tallies(sites_.size());
        std::vector<SeenRequests> seen;
        for (std::uint32_t i = 0; i < sites_.size(); ++i) {
            if (!is_moved(sites_[i].kind)) continue;
            tallies[i] = sites_[i].settled().with_wavefronts;
            seen.push_back({i, sites_[i].kind, &tallies[i], &examples_[i], {}, {}});
            const std::int32_t variable = program.sites[i].shared_variable;
            if (variable >= 0) seen.back().variable = program.shared_variables[static_cast<std::size_t>(variable)].name;
        }
        add_pictures(program, std::move(seen), /*banks=*/true, launch);
    }

private:
    __attribute__((noinline)) void look_at(BankSiteCount& site, const Access& access, unsigned phase) {
        if (!access.same_pattern) {
            site.settle();
            site.kind = access.kind;
            site.pattern_lanes = access.lanes();
            site.pattern_bytes = site.pattern_lanes * access.width;
            site.pattern_tries = site.kind == AccessKind::kSwapLoop ? swap_loop(access).lanes : 0;
            for (bool& known : site.known) known = false;
            site.pattern_addresses = is_moved(access.kind) ? 0 : AddressKeys(access).count_distinct();
        }
        alignas(64) std::uint32_t from_low[machine::kWarpSize], offsets[machine::kWarpSize];
        const machine::LaneSets::Span span = machine::lane_sets().offsets(access.deltas, from_low);
        const auto low = static_cast<std::uint32_t>(access.first + static_cast<std::uint64_t>(span.low));
        for (unsigned lane = 0; lane < machine::kWarpSize; ++lane) offsets[lane] = low + from_low[lane];
        // Of lanes that are combined the lowest goes out.
        const bool combined = access.kind == AccessKind::kCombined || access.kind == AccessKind::kCombinedAtomic;
        const std::uint32_t mask = combined ? access.mask & (0u - access.mask) : access.mask;
        site.cost[phase] = bank_cost(offsets, mask, access.width, use_of(access.kind));
        site.known[phase] = true;
        site.padded[phase] = 0;
        if (is_moved(access.kind)) {
            const BankCost& cost = site.cost[phase];
            examples_[access.site].offer(access, phase, cost.wavefronts, cost.wavefronts - cost.conflicts);
        }
        if (site.cost[phase].conflicts == 0) return;
        if (moves_matrices(access.kind)) site.row_bytes = joined_rows(site.row_bytes, row_bytes_of(offsets, mask));
        site.padded[phase] = std::min(site.cost[phase].conflicts, conflicts_if_padded(access, from_low));
        site.variable = std::min(site.variable, variable_at(access.first));
    }

    std::size_t variable_at(std::uint64_t offset) const {
        const auto& variables = program_->shared_variables;
        for (std::size_t i = variables.size(); i-- > 0;)
            if (variables[i].offset <= offset &&
                (variables[i].bytes == 0 || offset - variables[i].offset < variables[i].bytes))
                return i;
        return kNoVariable;
    }

    const machine::Program* program_ = nullptr;
    std::vector<BankSiteCount> sites_;
    std::vector<RequestExamples> examples_;  // parallel to these
};

}  // namespace

std::unique_ptr<CountingObserver> make_banks() { return std::make_unique<Banks>(); }

}  // namespace tilescope::observers
