// Sharing: which bytes of shared memory are read by a thread other than the one that wrote them.
//
// That is what shared memory is for: bytes that only their writer reads could be registers. For each unit of the
// block's shared memory the last writer is kept, and a bit says that another thread has read it; once all units of an
// access have that bit, the access is over after a comparison for each 32 units. An atomic reads, then writes. Bytes
// that nobody wrote (they start as zeros) count nowhere.
#include <algorithm>
#include <bit>

#include "scope/observers/counting.h"
#include "scope/observers/reuse_pattern.h"
#include "scope/observers/steady_sites.h"
#include "scope/report/profile.h"

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::AccessKind;
using machine::kWarpSize;

constexpr unsigned kUsualUnitShift = 2;  // words of 4 bytes, until something narrower comes along

enum class Use : std::uint8_t { kRead, kWrite, kBoth };

Use use_of(AccessKind kind) {
    switch (kind) {
        case AccessKind::kLoad:
        case AccessKind::kAsyncCopyRead: return Use::kRead;
        case AccessKind::kStore:
        case AccessKind::kAsyncCopyWrite: return Use::kWrite;
        case AccessKind::kAtomic:
        case AccessKind::kReduction:
        case AccessKind::kIncrement:
        case AccessKind::kCombined:
        case AccessKind::kCombinedAtomic: break;
    }
    return Use::kBoth;
}

// A stretch of shared memory with sums over the blocks that ended.
struct Stretch {
    std::string name;  // empty: between variables
    std::uint64_t from = 0, to = 0;
    std::uint64_t written = 0, read_by_others = 0;  // bytes
    bool moves = false;                             // an instruction of one thread went to several places in it
};

std::vector<Stretch> stretches_of(const machine::Program& program, std::uint64_t shared_bytes) {
    std::vector<Stretch> list;
    std::uint64_t at = 0;
    for (const machine::SharedVariable& variable : program.shared_variables) {
        const std::uint64_t from = std::min<std::uint64_t>(variable.offset, shared_bytes);
        const std::uint64_t to = variable.bytes == 0 ? shared_bytes : std::min(from + variable.bytes, shared_bytes);
        if (from < at || to == from) continue;  // another name of the dynamic array, or one that got no bytes
        if (from > at) list.push_back({"", at, from});
        list.push_back({variable.name, from, to});
        at = to;
    }
    if (at < shared_bytes) list.push_back({"", at, shared_bytes});
    return list;
}

struct SiteState {
    bool known = false;       // the pattern repeated: `pattern` is its own
    bool contiguous = false;  // ... and lane i's bytes follow those of lane i - 1, from lane 0 on
    unsigned unit_shift = 0;  // that `pattern` was made for
    GranulePattern pattern;
};

class Sharing final : public CountingObserver {
public:
    std::uint32_t wants(const machine::Site&) const override { return machine::bit_of(machine::Space::kShared); }
    void prepare(const LaunchContext& context) override { shared_bytes_ = context.shared_bytes; }

    void on_access(const Access& access) override {
        SiteState& site = sites_[access.site];
        used_ = true;
        if (!handed_on_) note_move(access);
        if (!access.same_pattern) {
            site.known = false;
            follow_lanes(access);
            return;
        }
        if (!site.known || site.unit_shift != unit_shift_) [[unlikely]]
            learn(site, access);
        const std::uint64_t granule = access.first >> (unit_shift_ + kGranuleShift);
        std::uint32_t news = 0;
        for (const GranulePart& part : site.pattern.parts(access, unit_shift_))
            news |= part.units & ~read_[granule + static_cast<std::uint64_t>(std::int64_t{part.granule})];
        if (news == 0) return;
        if (site.contiguous && follow_row(access)) return;
        follow_lanes(access);
    }

    void begin_block(const machine::BlockPlace&) override { steady_.begin_block(); }

    void end_block(const machine::BlockPlace&) override {
        if (!used_) return;
        used_ = false;
        for (Stretch& stretch : stretches_) {
            std::uint64_t written = 0, others = 0;
            for (std::uint64_t unit = stretch.from >> unit_shift_; unit < units_up_to(stretch.to); ++unit)
                written += writer_[unit] != 0 ? 1 : 0;
            if (written == 0) continue;
            for (std::uint64_t unit = stretch.from >> unit_shift_; unit < units_up_to(stretch.to); ++unit)
                others += read_[unit / kGranuleUnits] >> unit % kGranuleUnits & 1;
            stretch.written += written << unit_shift_;
            stretch.read_by_others += others << unit_shift_;
        }
        std::fill(writer_.begin(), writer_.end(), std::uint16_t{0});
        std::fill(read_.begin(), read_.end(), 0u);
    }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<Sharing>();
        shard->shared_bytes_ = shared_bytes_;
        shard->sites_.resize(program.sites.size());
        shard->steady_ = SteadySites(program.sites.size());
        shard->stretches_ = stretches_of(program, shared_bytes_);
        shard->unit_shift_ = kUsualUnitShift;
        for (const Stretch& stretch : shard->stretches_)
            shard->unit_shift_ = std::min(shard->unit_shift_, alignment_shift(stretch.from));
        shard->make_room();
        return shard;
    }

    void merge(const Observer& other) override {
        const auto& theirs = static_cast<const Sharing&>(other).stretches_;
        for (std::size_t i = 0; i < stretches_.size(); ++i) {
            stretches_[i].written += theirs[i].written;
            stretches_[i].read_by_others += theirs[i].read_by_others;
            stretches_[i].moves |= theirs[i].moves;
        }
    }

    void conclude(const machine::Program&, LaunchProfile& launch) const override {
        // Where threads read what others wrote, nobody went on looking for moves.
        const bool handed_on = std::any_of(stretches_.begin(), stretches_.end(),
                                           [](const Stretch& stretch) { return stretch.read_by_others != 0; });
        for (const Stretch& stretch : stretches_) {
            if (stretch.written == 0 && stretch.name.empty()) continue;
            SharedReuse reuse;
            reuse.name = stretch.name;
            reuse.offset = stretch.from;
            reuse.bytes = stretch.to - stretch.from;
            reuse.written_bytes = scaled(launch, stretch.written);
            reuse.read_by_others_bytes = scaled(launch, stretch.read_by_others);
            reuse.indexed_at_run_time = stretch.moves && !handed_on;
            launch.shared_reuse.push_back(std::move(reuse));
        }
    }

private:
    void note_move(const Access& access) {
        if (steady_.follow(access).moved == 0) return;
        for (Stretch& stretch : stretches_)
            if (access.first >= stretch.from && access.first < stretch.to) stretch.moves = true;
    }

    static unsigned alignment_shift(std::uint64_t bytes) {
        return static_cast<unsigned>(std::countr_zero(bytes | std::uint64_t{1} << kUsualUnitShift));
    }
    std::uint64_t units_up_to(std::uint64_t byte) const {
        return (byte + (std::uint64_t{1} << unit_shift_) - 1) >> unit_shift_;
    }
    void make_room() {
        const std::uint64_t granules = units_up_to(shared_bytes_) / kGranuleUnits + 1;
        writer_.assign(granules * kGranuleUnits, 0);
        read_.assign(granules, 0);
    }

    // An access narrower than the unit: smaller units from now on, with what is known of the block at hand.
    void refine(unsigned unit_shift) {
        const std::vector<std::uint16_t> writer = std::move(writer_);
        const std::vector<std::uint32_t> read = std::move(read_);
        const unsigned finer = unit_shift_ - unit_shift;
        unit_shift_ = unit_shift;
        make_room();
        for (std::size_t unit = 0; unit < writer_.size() && unit >> finer < writer.size(); ++unit) {
            const std::size_t old = unit >> finer;
            writer_[unit] = writer[old];
            read_[unit / kGranuleUnits] |= (read[old / kGranuleUnits] >> old % kGranuleUnits & 1)
                                           << unit % kGranuleUnits;
        }
    }

    void learn(SiteState& site, const Access& access) {
        site.pattern.clear();
        site.unit_shift = unit_shift_;
        site.known = true;
        site.contiguous = access.mask == machine::kFullMask;
        for (unsigned i = 0; i < kWarpSize; ++i)
            site.contiguous = site.contiguous && access.deltas[i] == std::int64_t{i} * access.width;
    }

    // Reads and writes of one unit each by neighbouring lanes: all lanes at once where they agree.
    bool follow_row(const Access& access) {
        if (access.width >> unit_shift_ != 1) return false;
        std::uint16_t* writer = writer_.data() + (access.first >> unit_shift_);
        const auto me = static_cast<std::uint16_t>(access.thread + 1);
        switch (use_of(access.kind)) {
            case Use::kWrite:
                for (unsigned i = 0; i < kWarpSize; ++i) writer[i] = static_cast<std::uint16_t>(me + i);
                return true;
            case Use::kRead: {
                unsigned foreign = 0;
                for (unsigned i = 0; i < kWarpSize; ++i) foreign |= writer[i] ^ static_cast<std::uint16_t>(me + i);
                return foreign == 0;
            }
            case Use::kBoth: break;
        }
        return false;
    }

    void follow_lanes(const Access& access) {
        if (const unsigned needed = alignment_shift(access.width); needed < unit_shift_) refine(needed);
        const unsigned count = access.width >> unit_shift_;
        const Use use = use_of(access.kind);
        for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            const std::uint64_t first = access.address(lane) >> unit_shift_;
            const auto me = static_cast<std::uint16_t>(access.thread + lane + 1);
            for (std::uint64_t unit = first; unit < first + count; ++unit) {
                std::uint16_t& writer = writer_[unit];
                if (use != Use::kWrite && writer != 0 && writer != me) {
                    read_[unit / kGranuleUnits] |= 1u << unit % kGranuleUnits;
                    handed_on_ = true;
                }
                if (use != Use::kRead) writer = me;
            }
        }
    }

    std::uint64_t shared_bytes_ = 0;
    unsigned unit_shift_ = kUsualUnitShift;
    std::vector<SiteState> sites_;
    std::vector<Stretch> stretches_;
    // The block at hand.
    std::vector<std::uint16_t> writer_;  // by unit: thread + 1, 0: nobody
    std::vector<std::uint32_t> read_;    // bit by unit: somebody other than its writer read it
    bool used_ = false;
    bool handed_on_ = false;  // in any block: a thread read what another wrote
    SteadySites steady_;
};

}  // namespace

std::unique_ptr<CountingObserver> make_sharing() { return std::make_unique<Sharing>(); }

}  // namespace tilescope::observers
