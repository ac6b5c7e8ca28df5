#include "scope/models/roofline_verdict.h"

#include <algorithm>

#include "scope/models/verdicts.h"

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
        if (work_.time) time(*work_.time);
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

    // What the time is spent on, and how much faster the launch could be before it met a roof. Where caches were
    // modelled, what threads ask for is no roof: the bytes that reach each level are known.
    void time(const TimeProfile& time) {
        facts_.time = binding_of(time);
        if (!roofline_.achieved || *roofline_.achieved <= 0) return;
        const auto& points = roofline_.points;
        const bool is_cached =
            std::any_of(points.begin(), points.end(), [](const auto& point) { return is_modelled(point.level); });
        double ceiling = roofline_.peak;
        facts_.room_bound = roofline_.type;
        for (const RooflinePoint& point : points) {
            if (point.ceiling >= ceiling || (is_cached && point.level == TrafficLevel::kRequested)) continue;
            ceiling = point.ceiling;
            facts_.room_bound = point.bound;
        }
        if (ceiling > *roofline_.achieved)
            facts_.figures.set(RF::kRoom, ceiling / *roofline_.achieved);
        else
            facts_.room_bound.clear();
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
