// UndefinedUses: --check init in one launch. Which bits of shared, local and device memory and of registers are
// undefined, and where such bits decide something.
//
// Owns: what is undefined of the blocks at hand; of device memory it is the run's (UndefinedMemory). Guarantees:
// nothing is told of values that are only read, moved or stored; what is told is where they decide: a branch, a guard
// of an access, an address, a barrier, a call. A warp without undefined bits runs as fast as it can. Does not model:
// blocks on several workers: one shard sees all.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "scope/machine/follower.h"
#include "scope/observers/hazards/dead_frames.h"
#include "scope/observers/hazards/hazards.h"
#include "scope/observers/hazards/undefined_bytes.h"
#include "scope/observers/hazards/undefined_memory.h"
#include "scope/observers/hazards/undefined_registers.h"

namespace tilescope::observers {

class UndefinedUses final : public HazardObserver, public machine::Follower {
public:
    std::uint32_t wants(const machine::Site&) const override {
        return machine::bit_of(machine::Space::kShared) | machine::bit_of(machine::Space::kGlobal) |
               machine::bit_of(machine::Space::kLocal);
    }
    bool sees_all_blocks() const override { return true; }
    machine::Follower* follower() override;
    void prepare(const HazardContext& context) override { context_ = context; }
    void begin_block(const machine::BlockPlace& place) override;
    void end_block(const machine::BlockPlace& place) override;
    std::uint32_t events() const override { return machine::bit_of(machine::Event::kTexels); }
    void on_access(const machine::Access& access) override;
    void on_texels(const machine::Texels& event) override;
    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override;
    void merge(const Observer& other) override { hazards_.merge(static_cast<const UndefinedUses&>(other).hazards_); }
    std::uint64_t table_bytes() const override { return context_.undefined->table_bytes(); }
    void report_hazards(const machine::Program&, HazardList& list) const override { list.merge(hazards_); }

    void begin_warp(const machine::Warp& warp, std::span<const std::byte> registers) override;
    void run(machine::Warp& warp, const machine::Op* first, const machine::Op* end) override;
    void at_end(machine::Warp& warp, std::uint32_t lanes, const machine::Terminator& end) override;
    void meet(machine::Warp& warp, const machine::Op& op, machine::OpFn run) override;
    void enter(const machine::Warp& warp, std::uint64_t local_frame, std::uint32_t bytes) override;
    void copied(const machine::Warp& warp, const std::byte* to, const std::byte* from, std::size_t bytes,
                bool is_predicate) override;
    void forget(const machine::Warp& warp) override;

private:
    static constexpr unsigned kWidest = 32;  // bytes of a lane's access

    struct WarpState {
        UndefinedRegisters registers;
        std::unique_ptr<UndefinedBytes> local;  // interleaved as the machine has it
        DeadFrames frames;
    };
    struct BlockState {
        explicit BlockState(std::uint64_t shared_bytes) : shared(shared_bytes) {}
        std::uint64_t number = 0;
        UndefinedBytes shared;
        std::vector<WarpState> warps;
    };
    // How the lanes of a site's last access lay, and the allocation that they lay in.
    struct SiteState {
        std::int64_t low = 0;  // least delta
        std::uint64_t extent = 0;
        bool is_known = false, is_gapless = false;
        std::uint64_t from = 0, bytes = 0, version = 0;
        std::shared_ptr<UndefinedMemory::Region> region;
    };
    // What the lanes of an access touch.
    struct Target {
        UndefinedBytes* bytes = nullptr;
        std::uint64_t base = 0;  // address of its first byte
        HazardSpace space = HazardSpace::kGlobal;
    };
    // Undefined bits of what lanes load or store, byte by byte.
    struct Moved {
        std::uint32_t lanes = 0;
        std::uint8_t bits[machine::kWarpSize][kWidest] = {};
        std::uint32_t value[machine::kWarpSize] = {};

        void clear();
    };

    BlockState& block_of(std::uint64_t number);
    WarpState& state_of(const machine::Warp& warp);
    void measure(SiteState& site, const machine::Access& access) const;
    bool find_region(SiteState& site, std::uint64_t low);
    void access_local(const machine::Access& access);
    void look_at_frames(const machine::Access& access, const DeadFrames& frames);
    void access_apart(const machine::Access& access);
    void access_run(const machine::Access& access, const Target& target, const SiteState& site);
    void load(const machine::Access& access, const Target& target);
    void store(const machine::Access& access, const Target& target);
    // A store of values that are all defined.
    void note_data(std::uint32_t op) {
        if (stores_data_[op] != 0) return;
        stores_data_[op] = 1;
        values().note_data(program_, op);
    }
    void update(const machine::Access& access, const Target& target);
    void copy_in(const machine::Access& access);
    void store_lane(const machine::Access& access, const Target& target, unsigned lane, const std::uint8_t* bits,
                    std::uint32_t value);
    std::uint32_t load_lane(const machine::Access& access, const Target& target, unsigned lane, std::uint8_t* bits);
    template <class Visit>
    static void for_each_run(const machine::Access& access, const Target& target, unsigned lane, unsigned bytes,
                             Visit visit);
    static std::uint64_t index_of(const machine::Access& access, const Target& target, unsigned lane, unsigned byte);

    void step(machine::Warp& warp, const machine::Op& op, WarpState& state);
    void step_memory(machine::Warp& warp, const machine::Op& op, WarpState& state, std::uint32_t acting);
    void take_loaded(const machine::Warp& warp, const machine::Op& op, WarpState& state, std::uint32_t acting);
    void give_stored(const machine::Warp& warp, const machine::Op& op, const WarpState& state, std::uint32_t acting);
    void shuffle(machine::Warp& warp, const machine::Op& op, machine::OpFn run, WarpState& state);
    void take_absent(const machine::Warp& warp, const machine::Op& op, WarpState& state);
    void exchange(machine::Warp& warp, const machine::Op& op, machine::OpFn run, WarpState& state);
    void use(const machine::Warp& warp, std::uint32_t op, WarpState& state, const machine::FlowValue& value,
             std::uint32_t lanes, Deed deed);
    void tell(const machine::Warp& warp, std::uint32_t op, unsigned lane, std::uint32_t value, Deed deed);
    UndefinedValues& values() const { return context_.undefined->values(); }

    HazardContext context_;
    const machine::Program* program_ = nullptr;
    HazardList hazards_;
    std::vector<SiteState> sites_;
    std::vector<char> stores_data_;  // by op: it has stored what is defined
    FunctionsByOp functions_;        // of programs that call any
    std::unordered_map<std::uint64_t, std::unique_ptr<BlockState>> blocks_;
    std::unique_ptr<BlockState> spare_;
    BlockState* current_ = nullptr;
    Moved loaded_, stored_;
    std::uint64_t copy_to_[machine::kWarpSize] = {};  // of the asynchronous copy at hand
};

}  // namespace tilescope::observers
