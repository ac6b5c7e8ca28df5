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

enum class SharedUse : std::uint8_t { kRead, kWrite, kBoth };

SharedUse shared_use_of(AccessKind kind) {
    switch (kind) {
        case AccessKind::kLoad:
        case AccessKind::kMatrixLoad:
        case AccessKind::kFactorLoad:
        case AccessKind::kAsyncCopyRead: return SharedUse::kRead;
        case AccessKind::kMatrixStore:
        case AccessKind::kStore:
        case AccessKind::kAsyncCopyWrite: return SharedUse::kWrite;
        case AccessKind::kAtomic:
        case AccessKind::kReduction:
        case AccessKind::kIncrement:
        case AccessKind::kSwapLoop:
        case AccessKind::kCombined:
        case AccessKind::kCombinedAtomic: break;
    }
    return SharedUse::kBoth;
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

struct SharedReuseSite {
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
        used_ = true;
        if (!handed_on_) [[unlikely]]
            note_move(access);
        if (open_ != 0 || shared_use_of(access.kind) != SharedUse::kRead) return follow(access);
        if (!access.same_pattern) sites_[access.site].known = false;
    }

    void begin_block(const machine::BlockPlace&) override { steady_.begin_block(); }

    void end_block(const machine::BlockPlace&) override {
        if (!used_) return;
        used_ = false;
        for (Stretch& stretch : stretches_) {
            const std::uint64_t from = stretch.from >> unit_shift_, to = units_up_to(stretch.to);
            std::uint64_t written = 0;
            for (std::uint64_t unit = from; unit < to; ++unit) written += units_[unit] != 0 ? 1 : 0;
            if (written == 0) continue;
            const std::uint64_t others = bits_between(read_, from, to);
            stretch.written += written << unit_shift_;
            stretch.read_by_others += others << unit_shift_;
        }
        std::fill(units_.begin(), units_.end(), std::uint16_t{0});
        std::fill(read_.begin(), read_.end(), 0u);
        open_ = 0;
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

    void add_to_profile(const machine::Program&, LaunchProfile& launch) const override {
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
    // A read that may be news, or a write.
    __attribute__((noinline)) void follow(const Access& access) {
        SharedReuseSite& site = sites_[access.site];
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

    void note_move(const Access& access) {
        if (steady_.follow(access).moved == 0) return;
        for (Stretch& stretch : stretches_)
            if (access.first >= stretch.from && access.first < stretch.to) stretch.moves = true;
    }

    static std::uint64_t bits_between(const std::vector<std::uint32_t>& bits, std::uint64_t from, std::uint64_t to) {
        std::uint64_t count = 0;
        while (from < to) {
            const std::uint64_t end = std::min(to, (from / 32 + 1) * 32);
            const std::uint64_t kept = (std::uint64_t{1} << (end - from)) - 1;
            count += static_cast<std::uint64_t>(std::popcount(bits[from / 32] >> from % 32 & kept));
            from = end;
        }
        return count;
    }
    static unsigned alignment_shift(std::uint64_t bytes) {
        return static_cast<unsigned>(std::countr_zero(bytes | std::uint64_t{1} << kUsualUnitShift));
    }
    std::uint64_t units_up_to(std::uint64_t byte) const {
        return (byte + (std::uint64_t{1} << unit_shift_) - 1) >> unit_shift_;
    }
    void make_room() {
        const std::uint64_t granules = units_up_to(shared_bytes_) / kGranuleUnits + 1;
        units_.assign(granules * kGranuleUnits, 0);
        read_.assign(granules, 0);
    }

    // An access narrower than the unit: smaller units from now on, with what is known of the block at hand.
    void refine(unsigned unit_shift) {
        const std::vector<std::uint16_t> writer = std::move(units_);
        const std::vector<std::uint32_t> read = std::move(read_);
        const unsigned finer = unit_shift_ - unit_shift;
        open_ <<= finer;
        unit_shift_ = unit_shift;
        make_room();
        for (std::size_t unit = 0; unit < units_.size() && unit >> finer < writer.size(); ++unit) {
            const std::size_t old = unit >> finer;
            units_[unit] = writer[old];
            read_[unit / kGranuleUnits] |= (read[old / kGranuleUnits] >> old % kGranuleUnits & 1)
                                           << unit % kGranuleUnits;
        }
    }

    void learn(SharedReuseSite& site, const Access& access) {
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
        std::uint16_t* units = units_.data() + (access.first >> unit_shift_);
        const auto me = static_cast<std::uint16_t>(access.thread + 1);
        switch (shared_use_of(access.kind)) {
            case SharedUse::kWrite:
                for (unsigned i = 0; i < kWarpSize; ++i) open_ += units[i] == 0 ? 1 : 0;
                for (unsigned i = 0; i < kWarpSize; ++i)
                    units[i] = static_cast<std::uint16_t>((units[i] & kRead) | static_cast<std::uint16_t>(me + i));
                return true;
            case SharedUse::kRead: {
                unsigned foreign = 0;
                for (unsigned i = 0; i < kWarpSize; ++i)
                    foreign |= (units[i] & (kRead - 1u)) ^ static_cast<std::uint16_t>(me + i);
                return foreign == 0;
            }
            case SharedUse::kBoth: break;
        }
        return false;
    }

    void follow_lanes(const Access& access) {
        if (const unsigned needed = alignment_shift(access.width); needed < unit_shift_) refine(needed);
        const unsigned count = access.width >> unit_shift_;
        alignas(64) std::uint32_t units[kWarpSize];  // a block has less than 4 GiB
        for (unsigned i = 0; i < kWarpSize; ++i)
            units[i] = static_cast<std::uint32_t>(access.address(i) >> unit_shift_);
        switch (shared_use_of(access.kind)) {
            case SharedUse::kRead:
                for (unsigned k = 0; k < count; ++k) read_lanes(access, units, k);
                return;
            case SharedUse::kWrite:
                for (unsigned k = 0; k < count; ++k) write_lanes(access, units, k);
                return;
            case SharedUse::kBoth: break;
        }
        for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            for (unsigned k = 0; k < count; ++k) {
                std::uint16_t& unit = units_[units[lane] + k];
                const auto me = static_cast<std::uint16_t>(access.thread + lane + 1);
                if (is_news(unit, me)) note_read(units[lane] + k);
                open_ += unit == 0 ? 1 : 0;
                unit = static_cast<std::uint16_t>((unit & kRead) | me);
            }
        }
    }

    // The k-th unit of each lane. All lanes are looked at first: most often there is no news among them.
    void read_lanes(const Access& access, const std::uint32_t* units, unsigned k) {
        std::uint32_t news = 0;
        for (unsigned i = 0; i < kWarpSize; ++i) {
            const auto me = static_cast<std::uint16_t>(access.thread + i + 1);
            news |= static_cast<std::uint32_t>(is_news(units_[units[i] + k], me)) << i;
        }
        for (news &= access.mask; news != 0; news &= news - 1) note_read(units[std::countr_zero(news)] + k);
    }

    void write_lanes(const Access& access, const std::uint32_t* units, unsigned k) {
        const auto write = [&](unsigned lane) {
            std::uint16_t& unit = units_[units[lane] + k];
            open_ += unit == 0 ? 1 : 0;
            unit = static_cast<std::uint16_t>((unit & kRead) | (access.thread + lane + 1));
        };
        if (access.mask == machine::kFullMask) {
            for (unsigned i = 0; i < kWarpSize; ++i) write(i);
            return;
        }
        for (std::uint32_t left = access.mask; left != 0; left &= left - 1)
            write(static_cast<unsigned>(std::countr_zero(left)));
    }

    // Whether it was written by another thread and that is not known yet to have been read.
    static bool is_news(std::uint16_t unit, std::uint16_t me) { return (unit != 0) & (unit < kRead) & (unit != me); }
    void note_read(std::uint32_t unit) {
        if (units_[unit] & kRead) return;  // several lanes read it
        units_[unit] |= kRead;
        --open_;
        read_[unit / kGranuleUnits] |= 1u << unit % kGranuleUnits;
        handed_on_ = true;
    }

    std::uint64_t shared_bytes_ = 0;
    unsigned unit_shift_ = kUsualUnitShift;
    std::vector<SharedReuseSite> sites_;
    std::vector<Stretch> stretches_;
    // The block at hand.
    static constexpr std::uint16_t kRead = 1u << 15;  // above the thread numbers of any block
    std::vector<std::uint16_t> units_;                // its writer, thread + 1 (0: nobody), and kRead as in read_
    std::vector<std::uint32_t> read_;                 // bit by unit: somebody other than its writer read it
    std::uint64_t open_ = 0;  // units that were written and not read by another thread: only they can make news
    bool used_ = false;
    bool handed_on_ = false;  // in any block: a thread read what another wrote
    SteadySites steady_;
};

}  // namespace

std::unique_ptr<CountingObserver> make_sharing() { return std::make_unique<Sharing>(); }

}  // namespace tilescope::observers
