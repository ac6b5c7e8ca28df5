#include "scope/models/roofline_verdict.h"

#include <algorithm>

namespace tilescope::models {
namespace {

using RF = RooflineFigure;

// From here on a kernel counts as being at its roof: copies reach some nine tenths of a DRAM's rate.
constexpr double kAtTheRoof = 0.75;
constexpr double kMoreThanRounding = 1.02;
constexpr unsigned kWidestTile = 1024;

// The point that sets what is attainable; null when a flat roof does.
const RooflinePoint* binding_point(const RooflineProfile& roofline) {
    const RooflinePoint* least = nullptr;
    for (const RooflinePoint& point : roofline.points)
        if (!is_modelled(point.level) && point.bound == roofline.bound &&
            (least == nullptr || point.ceiling < least->ceiling))
            least = &point;
    return least != nullptr && least->bound != roofline.type ? least : nullptr;
}

// "FLOP" or "OP".
std::string unit_of(const Roofs& roofs, const RooflineWork& work) {
    std::string unit = "FLOP";
    for (const TypedWork& part : work.types)
        if (const ComputeRoof* roof = roofs.of_type(part.type); roof != nullptr && part.operations > 0)
            unit = roof->unit.substr(0, roof->unit.find('/'));
    return unit;
}

class Judge {
public:
    Judge(const Roofs& roofs, const RooflineWork& work, const RooflineProfile& roofline)
        : work_(work), roofline_(roofline), point_(binding_point(roofline)) {
        facts_.unit = unit_of(roofs, work);
        facts_.counted = work.counted;
    }

    RooflineFacts judge() {
        padding();
        if (point_ != nullptr) {
            facts_.level = point_->level;
            facts_.limit = point_->level == TrafficLevel::kRequested ? RooflineLimit::kMemory : RooflineLimit::kOnChip;
        }
        if (facts_.limit == RooflineLimit::kMemory) tiling();
        if (facts_.limit == RooflineLimit::kOnChip && point_->level != TrafficLevel::kShared) waste();
        if (roofline_.achieved) standing(*roofline_.achieved);
        return std::move(facts_);
    }

private:
    void padding() {
        constexpr double kWorthSaying = 0.01;
        const double all = work_.operations() + work_.padded;
        if (work_.padded < kWorthSaying * all) return;
        facts_.figures.set(RF::kAllOperations, all);
        facts_.figures.set(RF::kPaddedShare, work_.padded / all);
    }

    // How tiles would get past the ridge, as far as what is known of the kernel says so.
    void tiling() {
        const double factor = point_->ridge / point_->intensity;
        if (!work_.counted) {
            facts_.tiling = TilingOutlook::kTilesOfProduct;
            facts_.figures.set(RF::kTileWidth, tile_width_for(factor));
            return;
        }
        if (!work_.loaded_bytes) return;
        const double others = static_cast<double>(point_->bytes) - *work_.loaded_bytes;
        const double once = work_.operations() / (others + *work_.loaded_once_bytes);
        constexpr double kGain = 1.05;
        if (once < kGain * point_->intensity) return wider_tiles(others, factor);
        facts_.figures.set(RF::kOnceIntensity, once);
        facts_.tiling = once >= point_->ridge ? TilingOutlook::kOnceIsEnough : beyond_once(others);
    }

    // Where each block asking for each byte once is not enough.
    TilingOutlook beyond_once(double others) {
        if (work_.tile_width) {
            // Reuse grows with the tile, stores stay.
            for (unsigned width = 2 * *work_.tile_width; width <= kWidestTile; width *= 2)
                if (work_.operations() / (others + *work_.loaded_bytes / width) >= point_->ridge) {
                    facts_.figures.set(RF::kTileWidth, width);
                    return TilingOutlook::kWiderTiles;
                }
        }
        if (!work_.loaded_by_grid_bytes) return TilingOutlook::kNotAtThisSize;
        const double at_best = work_.operations() / (others + *work_.loaded_by_grid_bytes);
        if (at_best >= point_->ridge) return TilingOutlook::kNotAtThisSize;
        facts_.figures.set(RF::kBestIntensity, at_best);
        return TilingOutlook::kAtNoSize;
    }

    // For blocks that ask for hardly a byte twice: whether larger ones could share what blocks ask for now. A tile that
    // is n times as wide and as high asks for an n-th.
    void wider_tiles(double others, double factor) {
        facts_.tiling = TilingOutlook::kHardlyTwice;
        if (!work_.loaded_by_grid_bytes || *work_.loaded_by_grid_bytes <= 0) return;
        constexpr double kWorthWider = 1.5;
        const double blocks = *work_.loaded_once_bytes / *work_.loaded_by_grid_bytes;
        facts_.tiling = TilingOutlook::kCannotHelp;
        if (blocks < kWorthWider) return;
        facts_.figures.set(RF::kBlocksForEach, blocks);
        const unsigned wider = tile_width_for(factor);
        if (wider <= blocks && work_.operations() / (others + *work_.loaded_once_bytes / wider) >= point_->ridge) {
            facts_.figures.set(RF::kTileWidth, wider);
            facts_.tiling = TilingOutlook::kTimesAsWide;
            return;
        }
        const double at_best = work_.operations() / (others + *work_.loaded_by_grid_bytes);
        facts_.figures.set(RF::kBestIntensity, at_best);
        facts_.tiling = at_best < point_->ridge ? TilingOutlook::kNeverEnough : TilingOutlook::kUpToAtBest;
    }

    // Sectors that bring more than was asked for can be saved by asking in order.
    void waste() {
        constexpr double kWorthSaying = 1.3;
        for (const RooflinePoint& other : roofline_.points) {
            if (other.level != TrafficLevel::kRequested) continue;
            const double carried = static_cast<double>(point_->bytes) / static_cast<double>(other.bytes);
            if (carried > kWorthSaying) return facts_.figures.set(RF::kCarried, carried);
        }
    }

    void standing(double achieved) {
        const double part = achieved / roofline_.attainable;
        const bool is_near = part >= kAtTheRoof;
        if (part > kMoreThanRounding)
            above(achieved);
        else if (point_ == nullptr)
            facts_.standing = is_near ? RooflineStanding::kAtFlatRoof : RooflineStanding::kWaiting;
        else
            facts_.standing = is_near ? RooflineStanding::kOnSlope : RooflineStanding::kBandwidthLeft;
    }
    void above(double achieved) {
        facts_.standing = RooflineStanding::kAboveRoofs;
        const bool asked = point_ != nullptr && point_->level == TrafficLevel::kRequested;
        if (!asked || !work_.counted) return;
        facts_.standing = RooflineStanding::kCachesCaught;
        facts_.figures.set(RF::kCaughtShare, 1 - roofline_.attainable / achieved);
        const RooflinePoint* next = nullptr;
        for (const RooflinePoint& other : roofline_.points)
            if (other.level != TrafficLevel::kRequested && (next == nullptr || other.ceiling < next->ceiling))
                next = &other;
        if (next == nullptr) return;
        facts_.figures.set(RF::kNextShare, achieved / next->ceiling);
        facts_.next_bound = next->bound;
    }

    const RooflineWork& work_;
    const RooflineProfile& roofline_;
    const RooflinePoint* point_;
    RooflineFacts facts_;
};

}  // namespace

RooflineFacts verdict(const Roofs& roofs, const RooflineWork& work, const RooflineProfile& roofline) {
    return Judge(roofs, work, roofline).judge();
}

}  // namespace tilescope::models
