// Textures and surfaces: requests and sectors. Which of them L1 has is the model's of the caches (hierarchy).
#include <array>

#include "scope/observers/counting.h"
#include "scope/observers/texel_walks.h"

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
        walks_.take(event);
    }

    void end_block(const machine::BlockPlace& block) override { walks_.end_block(block.number); }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<TexelCounts>();
        shard->counts_.resize(program.ops.size());
        shard->walks_.begin(program);
        return shard;
    }

    void merge(const Observer& other) override {
        const auto& theirs = static_cast<const TexelCounts&>(other);
        walks_.merge(theirs.walks_);
        for (std::size_t i = 0; i < counts_.size(); ++i)
            for (std::size_t kind = 0; kind < kKinds; ++kind) {
                counts_[i][kind].requests += theirs.counts_[i][kind].requests;
                counts_[i][kind].sectors += theirs.counts_[i][kind].sectors;
            }
    }

    void finish(const machine::Program&, OpCounters& counters) const override {
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
        }
    }

    void add_to_profile(const machine::Program& program, LaunchProfile& launch) const override {
        walks_.add_to(program, launch);
    }

private:
    static constexpr std::size_t kKinds = 3;  // numeric: of TexelsKind
    struct Count {
        std::uint64_t requests = 0, sectors = 0;
    };
    Count of(std::size_t op, TexelsKind kind) const { return counts_[op][static_cast<unsigned>(kind)]; }

    std::vector<std::array<Count, kKinds>> counts_;  // by op
    TexelWalks walks_;
};

}  // namespace

std::unique_ptr<CountingObserver> make_texels() { return std::make_unique<TexelCounts>(); }

}  // namespace tilescope::observers
