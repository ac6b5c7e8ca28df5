// Caches: which sectors L1 and L2 have, and what device memory reads and writes.
//
// Each worker takes down what its blocks request (traffic.h); whoever brings the block that is next leads all that can
// go on through the caches (replay.h).
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "scope/machine/program.h"
#include "scope/observers/bank_rule.h"
#include "scope/observers/counting.h"
#include "scope/observers/hierarchy/followed_launch.h"
#include "scope/observers/hierarchy/record/addresses.h"
#include "scope/observers/hierarchy/record/cache_hints.h"
#include "scope/observers/hierarchy/record/constant_recorder.h"
#include "scope/observers/hierarchy/record/held_stores.h"
#include "scope/observers/hierarchy/record/issues.h"
#include "scope/observers/hierarchy/record/kept_shapes.h"
#include "scope/observers/hierarchy/record/spill_recorder.h"
#include "scope/observers/hierarchy/record/swap_meetings.h"
#include "scope/observers/hierarchy/record/texel_recorder.h"
#include "scope/observers/hierarchy/record/turn_groups.h"
#include "scope/observers/hierarchy/record/warp_position.h"
#include "scope/observers/hierarchy/results.h"
#include "scope/observers/swap_loop.h"

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::AccessKind;
using machine::Space;

constexpr std::uint32_t kNoShape = KeptShapes::kNone;
constexpr unsigned kWordBytes = 4;            // geometry: bytes of a word
constexpr std::uint32_t kMaxPasses = 0xffff;  // numeric: of Request::passes

class Caches final : public CountingObserver {
public:
    std::uint32_t wants(const machine::Site&) const override {
        if (!replay_) return 0;
        return machine::bit_of(Space::kGlobal) | machine::bit_of(Space::kLocal) | machine::bit_of(Space::kShared) |
               (constants_ ? machine::bit_of(Space::kConstant) : 0);
    }
    std::uint32_t events() const override {
        using machine::Event;
        return replay_ ? machine::bit_of(Event::kBarrierArrival) | machine::bit_of(Event::kBarrierPassed) |
                             machine::bit_of(Event::kFence) | machine::bit_of(Event::kPrefetch) |
                             machine::bit_of(Event::kWarpEnd) | machine::bit_of(Event::kTexels) |
                             machine::bit_of(Event::kCopyGroup)
                       : 0;
    }

    void prepare(const LaunchContext& context) override {
        if (!context.caches) return;
        context_ = context;
        rules_ = context.caches;
        second_ = context.second_level;
        addresses_ = context.cache_addresses;
        if (context.spills) tally_ = std::make_shared<SpillTally>();
        blocks_ = context.blocks;
    }

    void begin_block(const machine::BlockPlace& block) override {
        if (!replay_) return;
        traffic_.requests.clear();
        traffic_.words.clear();
        traffic_.meetings.clear();
        grown_ = 0;
        traffic_.block = block.number;
        held_.forget();  // of a block that faulted
        groups_.forget();
        traffic_.words.push_back(0);  // so that no shape has number 0
        ++epoch_;
        open_.fill(kNoMeeting);
        swaps_.forget();
        warps_.assign(warps_.size(), {});
        plain_shapes_ = {};
        if (spills_) spills_->begin_block();
        if (constants_) constants_->begin_block();
        prefetches_.forget_shapes();
        if (texels_) texels_->begin_block();
    }

    void on_access(const Access& access) override {
        SiteShapes& site = sites_[access.site];
        if (!access.same_pattern || site.kind != access.kind) kept_.forget(site.kept);
        if (!access.same_pattern || site.epoch != epoch_ || site.kind != access.kind) {
            site.epoch = epoch_;
            site.kind = access.kind;
            site.by_phase.fill(kNoShape);
        }
        if (access.space == Space::kShared) {
            if (!arrives_by_itself(access)) pass(access, site);
            return;
        }
        if (access.space == Space::kConstant) return look_up(access, site);
        const bool is_local = access.space == Space::kLocal;
        const unsigned phase = is_local ? access.first % kWordBytes : access.first % kPhases;
        if (!is_local && !site.range.holds(access.first)) {
            site.range = addresses_->find(access.first);
            if (site.policy != 0) site.by_phase.fill(kNoShape);  // their addresses are from elsewhere now
        }
        if (access.policy != site.policy) [[unlikely]] {
            site.policy = access.policy;
            site.by_phase.fill(kNoShape);
            kept_.forget(site.kept);
        }
        std::uint32_t& shape = site.by_phase[phase];
        if (shape == kNoShape) {
            shape = kept_.copy(site.kept, phase, traffic_.words);
            if (shape == kNoShape) {
                shape = make_shape(access, site.range.shift);
                // What has a policy says where the addresses are.
                if (access.same_pattern && !Shape::of(traffic_.words[shape]).has_policy)
                    kept_.keep(site.kept, phase, traffic_.words, shape);
            }
        }
        note(access.warp(), access.op, *access.clock, first_line(access, is_local ? 0 : site.range.shift), shape);
    }

    void on_barrier(const machine::BarrierArrival& event) override {
        if (!replay_) return;
        std::uint32_t& meeting = open_[event.barrier % open_.size()];
        if (meeting == kNoMeeting) {
            meeting = static_cast<std::uint32_t>(traffic_.meetings.size());
            traffic_.meetings.push_back(0);
        }
        ++traffic_.meetings[meeting];
        const bool waits = event.kind != machine::BarrierKind::kArrive;
        note(event.warp(), event.op, *event.clock, meeting,
             shape_of(waits ? RequestKind::kBarrier : RequestKind::kArrival));
    }
    void on_barrier_passed(const machine::BarrierPassed& event) override {
        open_[event.barrier % open_.size()] = kNoMeeting;
        swaps_.forget();
    }
    void on_fence(const machine::Fence& event) override {
        if (!replay_ || event.kind != machine::FenceKind::kMemory ||
            (event.scope != machine::Scope::kGpu && event.scope != machine::Scope::kSystem))
            return;
        note(event.warp(), event.op, *event.clock, 0, shape_of(RequestKind::kForgetFirst));
    }

    void on_prefetch(const machine::Prefetch& event) override {
        if (!replay_) return;
        prefetches_.take(event, *addresses_, traffic_.words, [&](std::uint64_t line, std::uint32_t shape) {
            note(event.warp(), event.op, *event.clock, line, shape);
        });
    }

    void on_texels(const machine::Texels& event) override {
        if (!texels_) return;
        texels_->take(
            event, issues_[event.op].follows_loads, *addresses_, traffic_.words,
            [&](std::uint64_t line, std::uint32_t shape) { note(event.warp(), event.op, *event.clock, line, shape); });
    }

    void on_copy_group(const machine::CopyGroup& event) override {
        if (!replay_) return;
        if (event.kind != machine::CopyGroupKind::kCommit && event.pending == 0)
            warps_[event.warp()].awaits_copies = true;
    }

    void on_warp_end(const machine::WarpEnd& event) override {
        if (replay_) note(event.warp(), event.op, *event.clock, 0, shape_of(RequestKind::kEnd));
    }

    void end_block(const machine::BlockPlace&) override {
        if (!replay_) return;
        held_.release(traffic_.requests);
        if (spills_) spills_->end_block(traffic_);
        replay_->deliver(std::move(traffic_), grown_);
    }

    void end_work() override {
        if (replay_) replay_->leave();
    }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<Caches>();
        if (!rules_) return shard;
        if (!shared_) {
            const LaunchTerms terms{.rules = rules_,
                                    .blocks = blocks_,
                                    .ops = program.ops.size() + 1,
                                    .buffers = addresses_->buffers(),
                                    .state = context_.cache_state,
                                    .is_kept = context_.keeps_caches};
            shared_ = std::make_shared<FollowedLaunch>(terms, second_, context_.known_launches, context_.progress);
        }
        shard->context_ = context_;
        shard->rules_ = rules_;
        shard->addresses_ = addresses_;
        shard->replay_ = shared_;
        shared_->enter();
        shard->program_ = &program;
        shard->sites_.resize(program.sites.size());
        shard->issues_ = issues_of(program, rules_->paces);
        shard->warps_.resize(rules_->warps);
        shard->held_.set_warps(rules_->warps);
        shard->groups_.set_warps(rules_->warps);
        shard->swaps_.set_rules(rules_->swaps, rules_->l2.near_latency, rules_->warps);
        if (context_.spills)
            shard->spills_.emplace(context_.spills, tally_, static_cast<std::uint32_t>(program.ops.size()));
        shard->tally_ = tally_;
        if (program.touches_texels) shard->texels_.emplace(rules_->textures);
        if (rules_->constants.sets != 0) shard->constants_.emplace(*rules_, context_.constants, program);
        return shard;
    }

    // All shards share one replay.
    void merge(const Observer& other) override {
        const auto& its = static_cast<const Caches&>(other);
        if (constants_ && its.constants_) constants_->merge(*its.constants_);
        if (texels_ && its.texels_) texels_->merge(*its.texels_);
    }

    void finish(const machine::Program&, OpCounters& counters) const override {
        const auto answer = replay_ ? replay_->answer() : nullptr;
        if (!answer) return;
        // The last ones are of spills, which are no op's.
        for (const BufferTraffic& one : answer->traffic)
            if (one.op < counters.size()) add(one.traffic, counters[one.op]);
        for (std::size_t i = 0; i < counters.size(); ++i) {
            counters[i][Counter::kDramUnaskedBytes] += answer->unasked[i];
            if (constants_) counters[i][Counter::kConstantL1Hits] += constants_->hit_lookups()[i];
        }
    }
    void add_to_profile(const machine::Program& program, LaunchProfile& launch) const override {
        const auto answer = replay_ ? replay_->answer() : nullptr;
        if (!answer) return;
        launch.counters.modelled = true;
        launch.counters[Counter::kDramReadBytes] += rules_->launch_bytes;
        launch.launch_read_bytes = rules_->launch_bytes;
        launch.caches_replayed = answer->share_replayed;
        launch.counters[Counter::kDramWriteBytes] += answer->written_back;
        if (tally_) add_spills(*answer, program.ops.size(), launch);
        store_buffers(context_, *addresses_->buffers(), *answer, launch);
        launch.replay = clock_of(*answer);
        if (!launch.work) launch.work.emplace();
        launch.work->hottest_stores = static_cast<double>(answer->hottest_stores);
        launch.work->sent_lines = static_cast<double>(answer->sent_lines);
        launch.work->sent_in_part = static_cast<double>(answer->sent_in_part);
        if (!texels_) return;
        launch.work->texture_passes = static_cast<double>(texels_->passes());
        launch.work->texture_lines = static_cast<double>(texels_->lines());
    }

private:
    static constexpr std::uint64_t kGrowth = 1 << 20;  // numeric: bytes of the host
    static constexpr unsigned kPhases = KeptShapes::kPhases;
    static constexpr std::uint32_t kNoMeeting = 0xffffffffu;  // numeric: all bits

    // Shapes of a site's pattern, by where in a line it begins.
    struct SiteShapes {
        std::uint64_t epoch = 0;
        AccessKind kind = AccessKind::kLoad;
        CacheAddresses::Range range;  // where its last access was
        std::uint64_t to_bank = 0;    // of constants
        std::uint64_t policy = 0;     // that its last access brought
        std::array<std::uint8_t, kWordBytes>
            tries{};  // turns of a loop of compare-and-swap, by where in a word it begins
        std::array<std::uint32_t, kPhases> by_phase{};
        KeptShapes::Site kept;
    };

    // They are no instructions of the PTX, and so no line's.
    void add_spills(const ReplayAnswer& answer, std::size_t op, LaunchProfile& launch) const {
        CounterSet counters;
        for (const BufferTraffic& one : answer.traffic)
            if (one.op == op) add(one.traffic, counters);
        counters[Counter::kDramUnaskedBytes] += answer.unasked.back();
        auto& spills = launch.spill_traffic;
        const bool is_exact = spills && spills->counted && spills->loads.requests == tally_->loads &&
                              spills->stores.requests == tally_->stores;
        if (!is_exact) counters[Counter::kLocalLoadL1HitSectors] = 0;  // of loads that are not among the counters
        launch.counters += counters;
        launch.counters.modelled = true;
        if (spills) spills->in_caches = is_exact ? SpillsInCaches::kExact : SpillsInCaches::kEstimate;
    }

    // What a copy past L1 writes to shared memory: as it comes, without a wavefront
    // (docs/internals/rules/async-copies.md).
    bool arrives_by_itself(const Access& access) const {
        return access.kind == AccessKind::kAsyncCopyWrite && goes_past_first(program_->sites[access.site].cache);
    }

    static RequestKind kind_of(const Access& access, const machine::CacheHints& hints) {
        if (access.kind == AccessKind::kStore) return RequestKind::kStore;
        if (access.kind != AccessKind::kLoad && access.kind != AccessKind::kAsyncCopyRead) return RequestKind::kAtomic;
        return access.order != machine::Order::kWeak || goes_past_first(hints) ? RequestKind::kLoadPastL1
                                                                               : RequestKind::kLoad;
    }

    __attribute__((noinline)) std::uint32_t make_shape(const Access& access, std::uint64_t shift) {
        const machine::CacheHints& hints = program_->sites[access.site].cache;
        Shape shape;
        shape.op = access.op;
        shape.kind = kind_of(access, hints);
        shape.waits = issues_[access.op].follows_loads;
        shape.is_copy = access.kind == AccessKind::kAsyncCopyRead;
        if (access.space == Space::kLocal) return add_shape(traffic_.words, shape, access);
        const machine::CachePolicy policy = policy_of(hints, access.policy);
        shape.has_policy = policy.asks();
        shape.reach = reach_of(hints);
        shape.rank = rank_of(hints);
        return add_shape(traffic_.words, shape, access, policy.bits(), shift, rules_->l1.hit_tenths);
    }

    // A load of constants by an address that is worked out.
    void look_up(const Access& access, SiteShapes& site) {
        if (!constants_->asks(access.op)) return;
        if (!site.range.holds(access.first)) {
            site.range = addresses_->find(access.first);
            site.to_bank = constants_->to_bank(access.first, site.range);
            site.by_phase.fill(kNoShape);
        }
        std::uint32_t& shape = site.by_phase[access.first % kPhases];
        if (shape == kNoShape) {
            Shape made;
            made.op = access.op;
            made.kind = RequestKind::kConstant;
            made.waits = issues_[access.op].follows_loads;
            made.blocks = constants_->stops(access.op);
            shape = constants_->add_shape(traffic_.words, made, access, site.range, site.to_bank);
        }
        const std::uint64_t line = constants_->line_of(access.first + site.range.shift);
        if (!constants_->hits(access.warp(), &traffic_.words[shape], line, site.to_bank))
            note(access.warp(), access.op, *access.clock, line, shape);
    }

    // Of requests without an address; `waits`: they take what loads of their basic block bring.
    std::uint32_t shape_of(RequestKind kind, bool waits = true) {
        std::uint32_t& shape = plain_shapes_[static_cast<unsigned>(kind) + (waits ? 0 : kRequestKinds)];
        if (shape == 0) {
            shape = static_cast<std::uint32_t>(traffic_.words.size());
            traffic_.words.push_back(Shape{0, kind, false, waits}.packed());
        }
        return shape;
    }

    // The warp is at an op that takes its time.
    WarpPosition& come_to(unsigned warp, std::uint32_t op, const machine::WarpClock& clock) {
        WarpPosition& at = warps_[warp];
        const Issue& here = issues_[op];
        const bool is_new = at.op == WarpPosition::kNowhere || issues_[at.op].block != here.block || op <= at.op;
        if (spills_) spills_->come_to(warp, is_new, here.block, op, traffic_);
        at.apart = at.apart || is_new;
        const bool goes_back = op <= at.op;
        at.op = op;
        if (!keeps_time()) return at;
        if (groups_.come_to(warp, here, goes_back, traffic_.requests)) at.charge_turn();
        at.advance(here, clock, rules_->paces[here.block]);
        return at;
    }

    bool keeps_time() const { return !rules_->paces.empty(); }

    void note(unsigned warp, std::uint32_t op, const machine::WarpClock& clock, std::uint64_t line,
              std::uint32_t shape) {
        const std::uint32_t before = warps_[warp].op;
        put(come_to(warp, op, clock), warp, before, line, shape);
    }

    // The request of a warp that has come to its op from op `before`.
    void put(WarpPosition& at, unsigned warp, std::uint32_t before, std::uint64_t line, std::uint32_t shape) {
        const std::uint32_t op = at.op;
        const Shape of = Shape::of(traffic_.words[shape]);
        Request request;
        request.line = line & kMaxLine;
        request.passes = static_cast<std::uint16_t>(std::min(at.passes, kMaxPasses));
        request.shape = shape;
        request.warp = warp % kMaxWarps;
        const bool meets = of.kind == RequestKind::kBarrier || of.kind == RequestKind::kArrival;
        const bool has_waited = at.has_waited();
        request.waits = at.needs_loads(of.waits, meets, keeps_time()) || has_waited;
        // The assembler brings loads of a basic block together; what else is done comes before those that wait, and
        // before all that is no load.
        const bool is_load = of.kind == RequestKind::kLoad || of.kind == RequestKind::kLoadPastL1 ||
                             of.kind == RequestKind::kConstant || of.kind == RequestKind::kPrefetch ||
                             is_texel_read(of.kind);
        const bool all = at.apart || request.waits != 0 || !is_load;
        at.charge(request, all, op - before);
        at.passes = 0;
        at.apart = false;
        held_.put(warp, op, issues_[op], of.kind, request, traffic_.requests);
        groups_.put(warp, of.waits && !meets, traffic_.requests);
        if (traffic_.bytes() > grown_ + kGrowth) grow();
    }

    // Shared memory is in no cache, but its accesses go through the same pipe.
    void pass(const Access& access, SiteShapes& site) {
        std::uint32_t& passes = site.by_phase[access.first % kWordBytes];
        if (passes == kNoShape) {
            if (access.kind == AccessKind::kSwapLoop) {
                const SwapLoop loop = swap_loop(access);
                site.tries[access.first % kWordBytes] = static_cast<std::uint8_t>(loop.turns);
                passes = loop.passes;
            } else {
                passes = shared_passes(access);
            }
        }
        const std::uint32_t before = warps_[access.warp()].op;
        WarpPosition& at = come_to(access.warp(), access.op, *access.clock);
        if (access.kind == AccessKind::kSwapLoop && keeps_time())
            return swap(access, at, before, site.tries[access.first % kWordBytes], passes);
        at.passes += passes;
    }

    void swap(const Access& access, WarpPosition& at, std::uint32_t before, unsigned tries, unsigned passes) {
        const SwapMeetings::Loop loop = swaps_.meet(access.warp(), access, at.now, tries, passes);
        for (std::uint64_t i = 0; i < loop.requests; ++i) {
            at.passes += loop.passes;
            at.loop(loop.clock);
            const bool waits = i == 0 && issues_[access.op].follows_loads;
            put(at, access.warp(), i == 0 ? before : at.op, loop.due(i), shape_of(RequestKind::kSwaps, waits));
        }
    }

    // Where there is no room for more, what was taken down is dropped, and so is what comes.
    __attribute__((noinline)) void grow() {
        const std::uint64_t bytes = traffic_.bytes();
        const bool has_room = replay_->grow(bytes - std::min(bytes, grown_));
        grown_ = bytes;
        if (has_room) return;
        traffic_.requests = {};
        held_.forget();
        groups_.forget();
        traffic_.words = std::vector<std::uint64_t>(1, 0);
        traffic_.meetings = std::vector<std::uint16_t>(traffic_.meetings.size(), 0);
        ++epoch_;
        plain_shapes_ = {};
        if (spills_) spills_->forget_shapes();
        prefetches_.forget_shapes();
    }

    LaunchContext context_;
    std::shared_ptr<const HierarchyRules> rules_;
    std::shared_ptr<SecondLevel> second_;
    std::shared_ptr<const CacheAddresses> addresses_;
    std::uint64_t blocks_ = 0;
    mutable std::shared_ptr<FollowedLaunch> shared_;

    std::shared_ptr<FollowedLaunch> replay_;
    const machine::Program* program_ = nullptr;
    std::vector<SiteShapes> sites_;
    KeptShapes kept_;
    std::vector<Issue> issues_;
    std::vector<WarpPosition> warps_;
    HeldStores held_;
    TurnGroups groups_;
    SwapMeetings swaps_;
    std::optional<SpillRecorder> spills_;
    std::optional<ConstantRecorder> constants_;
    PrefetchRecorder prefetches_;
    std::optional<TexelRecorder> texels_;
    std::shared_ptr<SpillTally> tally_;
    std::uint64_t epoch_ = 0;
    BlockTraffic traffic_;
    std::uint64_t grown_ = 0;                                      // bytes of it that the replay knows of
    std::array<std::uint32_t, 16> open_{};                         // geometry: by barrier: the meeting under way
    std::array<std::uint32_t, 2 * kRequestKinds> plain_shapes_{};  // those that wait for loads, and those that do not
};

}  // namespace

std::unique_ptr<CountingObserver> make_caches() { return std::make_unique<Caches>(); }

}  // namespace tilescope::observers
