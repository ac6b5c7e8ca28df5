// Meetings: whether the barriers of a kernel without shared memory order anything.
//
// They do where threads of a block meet at bytes of global memory that one of them wrote, where there are atomics or
// accesses that other blocks are meant to see in order, and where a barrier itself hands a vote on. A store that these
// data never led to might meet a thread with others. For each byte the block's last writer and its readers are kept;
// other kernels are not looked at.
#include <bit>
#include <map>
#include <vector>

#include "scope/observers/counting.h"
#include "scope/observers/zeroed_array.h"

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::AccessKind;

bool has_barriers_alone(const machine::Program& program) {
    if (!program.shared_variables.empty()) return false;
    for (const machine::BasicBlock& block : program.blocks)
        if (block.end.kind == machine::TerminatorKind::kBarrier) return true;
    return false;
}
bool barriers_vote(const machine::Program& program) {
    for (const machine::BasicBlock& block : program.blocks)
        if (block.end.kind == machine::TerminatorKind::kBarrier && block.end.op->extra != nullptr &&
            static_cast<const machine::BarrierSite*>(block.end.op->extra)->has_predicate)
            return true;
    return false;
}

// Who of the block at hand used a unit: thread + 1 below the block's number, so that blocks need no clearing.
class Users {
public:
    explicit Users(const machine::Allocation& allocation)
        : allocation(allocation), writers_(units()), readers_(units()) {}

    // True when the access meets another thread's.
    bool read(std::uint64_t unit, std::uint32_t block, std::uint32_t me) {
        const std::uint32_t writer = who(writers_[unit], block), reader = who(readers_[unit], block);
        readers_[unit] = tag(block, reader == 0 || reader == me ? me : kSeveral);
        return writer != 0 && writer != me;
    }
    bool write(std::uint64_t unit, std::uint32_t block, std::uint32_t me) {
        const std::uint32_t writer = who(writers_[unit], block), reader = who(readers_[unit], block);
        writers_[unit] = tag(block, me);
        return (writer != 0 && writer != me) || (reader != 0 && reader != me);
    }
    void forget() {
        writers_ = ZeroedArray<std::uint32_t>(units());
        readers_ = ZeroedArray<std::uint32_t>(units());
    }

    static constexpr unsigned kThreadBits = 12;
    static constexpr std::uint32_t kSeveral = (1u << kThreadBits) - 1;
    static constexpr std::uint32_t kLastBlock = (1u << (32 - kThreadBits)) - 1;

    machine::Allocation allocation;

private:
    std::size_t units() const { return allocation.size + 1; }
    static std::uint32_t tag(std::uint32_t block, std::uint32_t who) { return block << kThreadBits | who; }
    static std::uint32_t who(std::uint32_t tag, std::uint32_t block) {
        return tag >> kThreadBits == block ? tag & kSeveral : 0;
    }
    ZeroedArray<std::uint32_t> writers_, readers_;
};

class Meetings final : public CountingObserver {
public:
    std::uint32_t wants(const machine::Site&) const override {
        return looks_ ? machine::bit_of(machine::Space::kGlobal) : 0;
    }
    void prepare(const LaunchContext& context) override { memory_ = context.memory; }

    void begin_block(const machine::BlockPlace&) override {
        if (!looks_ || met_ || block_++ < Users::kLastBlock) return;
        for (auto& [base, users] : users_) users.forget();
        block_ = 1;
    }

    void on_access(const Access& access) override {
        ran_[access.op] = true;
        if (met_) return;
        const bool reads = access.kind == AccessKind::kLoad || access.kind == AccessKind::kAsyncCopyRead;
        if (program_->facts[access.op].order != machine::Order::kWeak ||
            (!reads && access.kind != AccessKind::kStore)) {
            met_ = true;
            return;
        }
        for (std::uint32_t left = access.mask; left != 0 && !met_; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            const std::uint64_t address = access.address(lane);
            Users* users = find(address);
            if (users == nullptr) continue;
            for (unsigned byte = 0; byte < access.width && !met_; ++byte) {
                const std::uint64_t unit = address + byte - users->allocation.base;
                const std::uint32_t me = access.thread + lane + 1;
                met_ = reads ? users->read(unit, block_, me) : users->write(unit, block_, me);
            }
        }
    }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<Meetings>();
        shard->memory_ = memory_;
        shard->program_ = &program;
        shard->ran_.resize(program.ops.size());
        shard->looks_ = has_barriers_alone(program);
        shard->met_ = shard->looks_ && barriers_vote(program);
        return shard;
    }

    void merge(const Observer& other) override {
        const auto& theirs = static_cast<const Meetings&>(other);
        met_ |= theirs.met_;
        for (std::size_t i = 0; i < ran_.size(); ++i) ran_[i] = ran_[i] || theirs.ran_[i];
    }

    void add_to_profile(const machine::Program& program, LaunchProfile& launch) const override {
        if (looks_) launch.threads_meet = met_ || has_idle_stores(program);
    }

private:
    bool has_idle_stores(const machine::Program& program) const {
        for (std::size_t op = 0; op < program.ops.size(); ++op)
            if (program.facts[op].memory == Counter::kGlobalStoreInstructions && !ran_[op]) return true;
        return false;
    }
    Users* find(std::uint64_t address) {
        auto after = users_.upper_bound(address);
        if (after != users_.begin()) {
            Users& before = std::prev(after)->second;
            if (before.allocation.contains(address, 1)) return &before;
        }
        const auto allocation = memory_->find(address);
        if (!allocation) return nullptr;  // released meanwhile, by a host thread
        return &users_.insert_or_assign(allocation->base, Users(*allocation)).first->second;
    }

    const machine::Memory* memory_ = nullptr;
    const machine::Program* program_ = nullptr;
    bool looks_ = false, met_ = false;
    std::uint32_t block_ = 0;
    std::vector<bool> ran_;                 // by op: it ran
    std::map<std::uint64_t, Users> users_;  // by base
};

}  // namespace

std::unique_ptr<CountingObserver> make_meetings() { return std::make_unique<Meetings>(); }

}  // namespace tilescope::observers
