// Floating-point work on padding: products of zeros that the kernel put into shared memory itself, where an edge left
// nothing to load.
//
// Each unit of a block's shared memory is marked while it holds such a zero: one that a store brought from a lane that
// went through none of the loads the store may take its value from. A zero that was loaded is data and never marked. A
// load of a marked unit marks the lane's value, and the products behind it count those lanes. Where no unit is marked,
// as in blocks that lie within all edges, accesses are passed over.
#include <algorithm>
#include <bit>
#include <cstring>

#include "scope/machine/padding.h"
#include "scope/machine/program.h"
#include "scope/observers/counting.h"

namespace tilescope::observers {
namespace {

using machine::Access;
using machine::AccessKind;
using machine::kWarpSize;
using machine::PaddingPlan;
using machine::Space;

// What is followed at one op.
struct PaddingRole {
    std::vector<std::uint32_t> feeds;     // fills that a load of global memory may give a value
    std::vector<std::uint32_t> fills;     // of a store
    std::vector<std::uint32_t> values;    // of a load of shared memory
    std::vector<std::uint32_t> products;  // that run after it
};

class Padding final : public CountingObserver {
public:
    machine::View view() const override { return machine::View::kWritten; }

    std::uint32_t wants(const machine::Site& site) const override {
        if (roles_.empty()) return 0;
        const PaddingRole& role = roles_[site.op];
        if (!role.feeds.empty() && site.kind == AccessKind::kLoad) return machine::bit_of(Space::kGlobal);
        const bool loads = site.kind == AccessKind::kLoad;
        return !loads || !role.values.empty() ? machine::bit_of(Space::kShared) : 0;
    }
    void prepare(const LaunchContext& context) override {
        shared_bytes_ = context.shared_bytes;
        plan_ = context.padding;
    }

    void begin_block(const machine::BlockPlace&) override {
        if (!used_) return;
        used_ = has_marked_values_ = false;
        marked_ = 0;
        std::fill(marks_.begin(), marks_.end(), std::uint8_t{0});
        std::fill(loaded_.begin(), loaded_.end(), 0u);
        std::fill(values_.begin(), values_.end(), 0u);
    }

    void on_access(const Access& access) override {
        const PaddingRole& role = roles_[access.op];
        used_ = true;
        if (access.space == Space::kGlobal) {
            for (const std::uint32_t fill : role.feeds) at(loaded_, fill, access) |= access.mask;
        } else if (writes(access.kind)) {
            store(access, role);
        } else if (marked_ != 0 || has_marked_values_) {
            load(access, role);
        }
    }

    std::unique_ptr<Observer> make_shard(const machine::Program& program) const override {
        auto shard = std::make_unique<Padding>();
        shard->plan_ = plan_;
        if (plan_ == nullptr || plan_->products.empty()) return shard;
        const PaddingPlan& plan = *plan_;
        shard->lanes_.assign(plan.products.size(), 0);
        std::vector<PaddingRole>& roles = shard->roles_;
        roles.resize(program.ops.size());
        for (std::uint32_t i = 0; i < plan.fills.size(); ++i) {
            roles[plan.fills[i].op].fills.push_back(i);
            for (const std::uint32_t op : plan.fills[i].loads) roles[op].feeds.push_back(i);
        }
        for (std::uint32_t i = 0; i < plan.values.size(); ++i) roles[plan.values[i].op].values.push_back(i);
        for (std::uint32_t i = 0; i < plan.products.size(); ++i) roles[plan.products[i].after].products.push_back(i);
        shard->marks_.assign(shared_bytes_ / plan.granule + 1, 0);
        shard->loaded_.assign(plan.fills.size() * kMaxWarps, 0);
        shard->values_.assign(plan.values.size() * kMaxWarps, 0);
        return shard;
    }

    void merge(const Observer& other) override {
        const auto& theirs = static_cast<const Padding&>(other).lanes_;
        lanes_.resize(std::max(lanes_.size(), theirs.size()), 0);
        for (std::size_t i = 0; i < theirs.size(); ++i) lanes_[i] += theirs[i];
    }

    void add_to_profile(const machine::Program&, LaunchProfile& launch) const override {
        PaddedFlop padded;
        for (std::size_t i = 0; i < lanes_.size(); ++i) {
            const PaddingPlan::Product& product = plan_->products[i];
            const std::uint64_t flop = product.flop * lanes_[i];
            switch (product.type) {
                case PaddingPlan::Type::kFp16: padded.fp16 += flop; break;
                case PaddingPlan::Type::kFp32: padded.fp32 += flop; break;
                case PaddingPlan::Type::kFp64: padded.fp64 += flop; break;
            }
        }
        launch.padded_flop = {scaled(launch, padded.fp16), scaled(launch, padded.fp32), scaled(launch, padded.fp64)};
    }

private:
    static constexpr unsigned kMaxWarps = 32;  // of a block
    static std::uint32_t& at(std::vector<std::uint32_t>& lanes, std::uint32_t which, const Access& access) {
        return lanes[which * kMaxWarps + access.warp() % kMaxWarps];
    }

    static bool is_zero(const Access& access, unsigned lane, unsigned from, unsigned bytes) {
        constexpr std::byte kZeros[16] = {};
        return std::memcmp(access.stored + lane * access.width + from, kZeros, bytes) == 0;
    }

    void store(const Access& access, const PaddingRole& role) {
        // Lanes that bring a zero of the kernel's own, by element.
        std::uint32_t zeros[kMaxElements] = {};
        std::uint32_t any = 0;
        const unsigned elements = elements_of(role);
        const unsigned bytes = access.width / elements;
        if (access.kind == AccessKind::kStore && access.stored != nullptr)
            for (const std::uint32_t fill : role.fills) {
                std::uint32_t& loaded = at(loaded_, fill, access);
                std::uint32_t candidates = access.mask & ~loaded;
                loaded &= ~access.mask;
                const std::uint32_t element = plan_->fills[fill].element;
                for (std::uint32_t left = candidates; left != 0; left &= left - 1) {
                    const auto lane = static_cast<unsigned>(std::countr_zero(left));
                    if (!is_zero(access, lane, element * bytes, bytes)) candidates &= ~(1u << lane);
                }
                zeros[element] = candidates;
                any |= candidates;
            }
        if (any == 0 && marked_ == 0) return;
        for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            for (unsigned element = 0; element < elements; ++element)
                mark(access.address(lane) + element * bytes, bytes, (zeros[element] >> lane & 1) != 0);
        }
    }

    // How many elements a store is looked at in: whole, or as many as its last fill says there are.
    static constexpr unsigned kMaxElements = 16;
    unsigned elements_of(const PaddingRole& role) const {
        unsigned elements = 1;
        for (const std::uint32_t fill : role.fills) elements = std::max(elements, plan_->fills[fill].elements);
        return elements;
    }

    void mark(std::uint64_t address, unsigned bytes, bool is_padding) {
        const std::uint64_t end = (address + bytes + plan_->granule - 1) / plan_->granule;
        for (std::uint64_t unit = address / plan_->granule; unit < end && unit < marks_.size(); ++unit) {
            marked_ += (is_padding ? 1u : 0u) - marks_[unit];
            marks_[unit] = is_padding ? 1 : 0;
        }
    }

    bool is_marked(std::uint64_t address, unsigned bytes) const {
        for (std::uint64_t unit = address / plan_->granule; unit * plan_->granule < address + bytes; ++unit)
            if (unit >= marks_.size() || marks_[unit] == 0) return false;
        return true;
    }

    void load(const Access& access, const PaddingRole& role) {
        for (const std::uint32_t value : role.values) {
            const PaddingPlan::Value& what = plan_->values[value];
            const unsigned bytes = access.width / what.elements;
            std::uint32_t lanes = 0;
            for (std::uint32_t left = marked_ == 0 ? 0 : access.mask; left != 0; left &= left - 1) {
                const auto lane = static_cast<unsigned>(std::countr_zero(left));
                if (is_marked(access.address(lane) + what.element * bytes, bytes)) lanes |= 1u << lane;
            }
            std::uint32_t& known = at(values_, value, access);
            known = (known & ~access.mask) | lanes;
            has_marked_values_ = has_marked_values_ || lanes != 0;
        }
        for (const std::uint32_t index : role.products) {
            const PaddingPlan::Product& product = plan_->products[index];
            std::uint32_t lanes = 0;
            for (const std::int32_t factor : product.factors)
                if (factor != PaddingPlan::kNoValue) lanes |= at(values_, static_cast<std::uint32_t>(factor), access);
            lanes_[index] += static_cast<std::uint64_t>(std::popcount(lanes & access.mask));
        }
    }

    const PaddingPlan* plan_ = nullptr;
    std::uint64_t shared_bytes_ = 0;
    std::vector<PaddingRole> roles_;    // by op
    std::vector<std::uint64_t> lanes_;  // by product: that took padding
    // Of the block at hand.
    std::vector<std::uint8_t> marks_;    // by unit of shared memory
    std::uint64_t marked_ = 0;           // units
    std::vector<std::uint32_t> loaded_;  // by fill and warp: lanes that went through a load since they last stored
    std::vector<std::uint32_t> values_;  // by value and warp: lanes whose value is padding
    bool used_ = false, has_marked_values_ = false;
};

}  // namespace

std::unique_ptr<CountingObserver> make_padding() { return std::make_unique<Padding>(); }

}  // namespace tilescope::observers
