// Textures and surfaces: requests and sectors, and which sectors an SM had fetched before. What L1 has no room for is
// not modelled: a sector that came once stays for the launch.
#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>

#include "scope/observers/counting.h"

namespace tilescope::observers {
namespace {

using machine::Texels;
using machine::TexelsKind;

class TexelCounts final : public CountingObserver {
public:
    std::uint32_t wants(const machine::Site&) const override { return 0; }
    std::uint32_t events() const override { return machine::bit_of(machine::Event::kTexels); }

    void on_texels(const Texels& event) override {
        Count& count = counts_[event.op][static_cast<unsigned>(event.kind)];
        count.requests += event.requests;
        count.sectors += event.count;
        if (event.kind == TexelsKind::kFetch)
            fetched_[event.block->multiprocessor].insert(event.sectors, event.sectors + event.count);
    }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<TexelCounts>();
        shard->counts_.resize(program.ops.size());
        return shard;
    }

    void merge(const Observer& other) override {
        const auto& theirs = static_cast<const TexelCounts&>(other);
        for (std::size_t i = 0; i < counts_.size(); ++i)
            for (std::size_t kind = 0; kind < kKinds; ++kind) {
                counts_[i][kind].requests += theirs.counts_[i][kind].requests;
                counts_[i][kind].sectors += theirs.counts_[i][kind].sectors;
            }
        for (const auto& [multiprocessor, sectors] : theirs.fetched_)
            fetched_[multiprocessor].insert(sectors.begin(), sectors.end());
    }

    std::uint64_t table_bytes() const override {
        constexpr std::uint64_t kEach = 4 * sizeof(std::uint64_t);  // numeric: of a hash table's node
        return first_fetches() * kEach;
    }

    // Which instruction found a sector there hangs on the order of blocks, so hits are shared out by sectors.
    void finish(const machine::Program&, OpCounters& counters) const override {
        std::uint64_t left = 0;
        for (std::size_t op = 0; op < counts_.size(); ++op) left += of(op, TexelsKind::kFetch).sectors;
        std::uint64_t hits = left - std::min(left, first_fetches());
        for (std::size_t op = 0; op < counts_.size(); ++op) {
            CounterSet& set = counters[op];
            const Count fetches = of(op, TexelsKind::kFetch), reads = of(op, TexelsKind::kSurfaceRead),
                        writes = of(op, TexelsKind::kSurfaceWrite);
            set[Counter::kTextureRequests] += fetches.requests;
            set[Counter::kTextureSectors] += fetches.sectors;
            set[Counter::kSurfaceLoadRequests] += reads.requests;
            set[Counter::kSurfaceLoadSectors] += reads.sectors;
            set[Counter::kSurfaceStoreRequests] += writes.requests;
            set[Counter::kSurfaceStoreSectors] += writes.sectors;
            if (fetches.sectors == 0) continue;
            const double share = static_cast<double>(fetches.sectors) / static_cast<double>(left);
            const bool is_last = fetches.sectors == left;
            const std::uint64_t mine = is_last ? hits : static_cast<std::uint64_t>(static_cast<double>(hits) * share);
            set[Counter::kTextureHitSectors] += mine;
            hits -= mine;
            left -= fetches.sectors;
        }
    }

private:
    static constexpr std::size_t kKinds = 3;  // numeric: of TexelsKind
    struct Count {
        std::uint64_t requests = 0, sectors = 0;
    };
    Count of(std::size_t op, TexelsKind kind) const { return counts_[op][static_cast<unsigned>(kind)]; }
    std::uint64_t first_fetches() const {
        std::uint64_t sum = 0;
        for (const auto& [multiprocessor, sectors] : fetched_) sum += sectors.size();
        return sum;
    }

    std::vector<std::array<Count, kKinds>> counts_;                       // by op
    std::map<std::uint32_t, std::unordered_set<std::uint64_t>> fetched_;  // by SM
};

}  // namespace

std::unique_ptr<CountingObserver> make_texels() { return std::make_unique<TexelCounts>(); }

}  // namespace tilescope::observers
