#include "scope/observers/hazards/effort.h"

#include <bit>
#include <utility>

namespace tilescope::observers {
namespace {

// Estimated cost of one access under --check races, in nanoseconds of one core. Measured on six programs of
// bench/caches/programs.py, 28 November 2026: 170 to 300 in shared memory and where loads repeat, 890 to 1,380 where
// each access of global memory is to another place, which is what is assumed of all of it (bench/README.md).
constexpr double kOfAccess = 60, kOfSharedLane = 7, kOfGlobalLane = 32;

double cost_of(const machine::Access& access) {
    const double lane = access.space == machine::Space::kShared ? kOfSharedLane : kOfGlobalLane;
    return kOfAccess + std::popcount(access.mask) * lane;
}

class Curbed final : public HazardObserver {
public:
    Curbed(std::unique_ptr<HazardObserver> inner, CheckEffort& effort) : inner_(std::move(inner)), effort_(effort) {}

    std::uint32_t wants(const machine::Site& site) const override { return inner_->wants(site); }
    std::uint32_t events() const override { return inner_->events(); }
    bool sees_all_blocks() const override { return inner_->sees_all_blocks(); }
    void prepare(const HazardContext& context) override { inner_->prepare(context); }
    void look_at_counts(const machine::Program& program, std::span<const machine::BlockCount> counts) override {
        inner_->look_at_counts(program, counts);
    }
    std::uint64_t table_bytes() const override { return inner_->table_bytes(); }
    std::string note() const override { return inner_->note(); }
    void report_hazards(const machine::Program& program, HazardList& list) const override {
        inner_->report_hazards(program, list);
    }
    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = inner_->make_shard(program);
        return std::make_unique<Curbed>(std::unique_ptr<HazardObserver>(static_cast<HazardObserver*>(shard.release())),
                                        effort_);
    }
    void merge(const Observer& other) override { inner_->merge(*static_cast<const Curbed&>(other).inner_); }

    void begin_block(const machine::BlockPlace& place) override { inner_->begin_block(place); }
    void end_block(const machine::BlockPlace& place) override { inner_->end_block(place); }
    void end_work() override { inner_->end_work(); }
    void on_access(const machine::Access& access) override {
        if (effort_.is_over) return;
        ++(access.space == machine::Space::kShared ? effort_.shared : effort_.global);
        effort_.spent += cost_of(access);
        effort_.is_over = effort_.spent > effort_.granted + effort_.share * static_cast<double>(effort_.global);
        inner_->on_access(access);
    }
    void on_barrier(const machine::BarrierArrival& event) override { pass(&Observer::on_barrier, event); }
    void on_barrier_passed(const machine::BarrierPassed& event) override { pass(&Observer::on_barrier_passed, event); }
    void on_warp_barrier(const machine::WarpBarrier& event) override { pass(&Observer::on_warp_barrier, event); }
    void on_fence(const machine::Fence& event) override { pass(&Observer::on_fence, event); }
    void on_copy_group(const machine::CopyGroup& event) override { pass(&Observer::on_copy_group, event); }
    void on_barrier_object(const machine::BarrierObjectUse& event) override {
        pass(&Observer::on_barrier_object, event);
    }
    void on_prefetch(const machine::Prefetch& event) override { pass(&Observer::on_prefetch, event); }
    void on_warp_end(const machine::WarpEnd& event) override { pass(&Observer::on_warp_end, event); }
    void on_heap_block(const machine::HeapBlock& event) override { pass(&Observer::on_heap_block, event); }
    void on_grid_dependency(const machine::GridDependency& event) override {
        pass(&Observer::on_grid_dependency, event);
    }
    void on_texels(const machine::Texels& event) override { pass(&Observer::on_texels, event); }
    void on_product_group(const machine::ProductGroup& event) override { pass(&Observer::on_product_group, event); }

private:
    template <class E>
    void pass(void (Observer::*call)(const E&), const E& event) {
        if (!effort_.is_over) (inner_.get()->*call)(event);
    }

    std::unique_ptr<HazardObserver> inner_;
    CheckEffort& effort_;
};

}  // namespace

std::unique_ptr<HazardObserver> curbed(std::unique_ptr<HazardObserver> inner, CheckEffort& effort) {
    return std::make_unique<Curbed>(std::move(inner), effort);
}

}  // namespace tilescope::observers
