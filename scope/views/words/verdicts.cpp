#include "scope/views/words/verdicts.h"

#include <algorithm>
#include <utility>

#include "scope/report/format.h"
#include "scope/report/quantities.h"
#include "scope/views/words/binding.h"

namespace tilescope::views {

using namespace report;
namespace {

using Roof = RooflineFigure;
using Room = OccupancyFigure;

constexpr int kExactDigits = 6, kTimesDigits = 2;  // geometry: digits

std::string times_as_many(double factor) { return digits(factor, kTimesDigits) + "×"; }

class RooflineSpeaker {
public:
    RooflineSpeaker(const RooflineProfile& roofline, const RooflineFacts& facts)
        : roofline_(roofline),
          facts_(facts),
          figures_(facts.figures),
          unit_(facts.unit),
          point_(facts.level ? point_of(*facts.level) : nullptr) {}

    std::string speak() {
        // What is said of operations behind this is said of those that are of use.
        if (figures_.find(Roof::kPaddedShare))
            say("Of " + digits(figures_[Roof::kAllOperations], kExactDigits) + " " + unit_ + " " +
                share(figures_[Roof::kPaddedShare]) + " multiply padding; the others:");
        if (facts_.time) return by_time(*facts_.time);
        if (point_ == nullptr)
            compute_bound();
        else if (facts_.limit == RooflineLimit::kMemory)
            memory_bound();
        else
            chip_bound();
        if (roofline_.achieved) achieved(*roofline_.achieved);
        return std::move(text_);
    }

private:
    void say(const std::string& sentence) { text_ += (text_.empty() ? "" : " ") + sentence; }
    std::string speed(double value) const { return rate(value, unit_ + "/s"); }
    std::string per_byte(double value) const { return rounded(value) + " " + unit_ + "/B"; }
    std::string of_peak() const { return share(roofline_.of_peak) + " of the " + roofline_.type + " peak"; }
    const RooflinePoint* point_of(TrafficLevel level) const {
        for (const RooflinePoint& point : roofline_.points)
            if (point.level == level) return &point;
        return nullptr;
    }

    void compute_bound() {
        const std::string flat_roof =
            "the flat roof of " + speed(roofline_.peak) + " (" + roofline_.type + ") is the limit";
        const RooflinePoint* asked = point_of(TrafficLevel::kRequested);
        if (asked == nullptr) return say("Compute-bound: nothing is requested from global memory; " + flat_roof + ".");
        say("Compute-bound: " + per_byte(asked->intensity) + " is " + times_as_many(asked->intensity / asked->ridge) +
            " the ridge of " + rounded(asked->ridge) + "; " + flat_roof + ", and more " + unit_ +
            " per byte do not help.");
    }

    std::string of_bytes_asked() const {
        return (facts_.counted ? rounded(point_->intensity) + " " + unit_ + " per requested byte allow "
                               : per_byte(point_->intensity) + " allows ") +
               speed(point_->ceiling) + " at " + rate_of_roof(point_->bandwidth, "B/s") + " of DRAM, " + of_peak();
    }
    void memory_bound() {
        say("Memory-bound: " + of_bytes_asked() + ".");
        ridge();
        if (!bytes_of_dram() && facts_.counted && !roofline_.achieved)
            say("Cache hits are not included: this run did not model caches.");
    }
    void ridge() {
        say("The ridge is at " + per_byte(point_->ridge) + ": reaching it takes " +
            times_as_many(point_->ridge / point_->intensity) + " more " + unit_ + " per byte" + by_tiling() + ".");
    }
    bool bytes_of_dram() {
        const RooflinePoint* dram = point_of(TrafficLevel::kDram);
        if (dram == nullptr) return false;
        say("Of those bytes " + share(static_cast<double>(dram->bytes) / static_cast<double>(point_->bytes)) +
            " reach DRAM (modeled), which allows " + speed(dram->ceiling) + ".");
        return true;
    }

    std::string by_tiling() const {
        const std::string width = whole(figures_[Roof::kTileWidth]);
        const std::string once =
            "; requesting each byte once per block would give " + per_byte(figures_[Roof::kOnceIntensity]);
        const std::string hardly = ", and its blocks request few bytes twice";
        switch (facts_.tiling) {
            case TilingOutlook::kUnknown: return {};
            case TilingOutlook::kTilesOfProduct:
                return "; T × T tiles raise the intensity of a matrix product T times: " + width + " × " + width +
                       " would suffice";
            case TilingOutlook::kOnceIsEnough: return once + ", which suffices";
            case TilingOutlook::kWiderTiles: return once + ", tiles of " + width + " × " + width + " would suffice";
            case TilingOutlook::kNotAtThisSize: return once + ", which is not enough at this block size";
            case TilingOutlook::kAtNoSize:
                return once +
                       ", which is not enough at any block size: if the whole grid requested each byte once, it "
                       "would be " +
                       per_byte(figures_[Roof::kBestIntensity]);
            case TilingOutlook::kHardlyTwice: return hardly;
            case TilingOutlook::kCannotHelp:
                return hardly + ", and different blocks request different bytes: tiling cannot help";
            default: return hardly + wider_tiles(width);
        }
    }
    static std::string whole(double count) { return std::to_string(static_cast<std::uint64_t>(count)); }

    std::string wider_tiles(const std::string& width) const {
        const std::string shared =
            ", but " + digits(figures_[Roof::kBlocksForEach], kTimesDigits) + " blocks request each: ";
        if (facts_.tiling == TilingOutlook::kTimesAsWide)
            return shared + "tiles " + width + " times as wide and high would suffice";
        return shared + "wider tiles would give up to " + per_byte(figures_[Roof::kBestIntensity]) +
               (facts_.tiling == TilingOutlook::kNeverEnough ? ", which is not enough at any block size" : "");
    }

    void chip_bound() {
        say("Limited by " + roof_name(point_->bound) + ": " + through_chip() + ".");
        beyond_chip();
        if (const RooflinePoint* asked = point_of(TrafficLevel::kRequested); asked != nullptr)
            say("For the requested bytes, " + roof_name(asked->bound) + " would allow " + speed(asked->ceiling) + ".");
    }
    bool is_shared() const { return point_->level == TrafficLevel::kShared; }
    std::string through_chip() const {
        return rounded(point_->intensity) + " " + unit_ + " per byte through " +
               (is_shared() ? "its banks (128 B per wavefront)" : "it (32 B per sector)") + " allow " +
               speed(point_->ceiling) + " at " + rate_of_roof(point_->bandwidth, "B/s") + ", " + of_peak();
    }
    void beyond_chip() {
        const std::string needed = times_as_many(point_->ridge / point_->intensity);
        if (is_shared())
            say("Reaching the ridge takes " + needed +
                " fewer wavefronts: keep values in registers instead of reading them again.");
        else
            say("Reaching the ridge takes " + needed + " fewer sectors" + waste() + ".");
    }
    std::string waste() const {
        const auto carried = figures_.find(Roof::kCarried);
        return carried ? ": they carry " + times_as_many(*carried) + " the requested bytes" : std::string();
    }

    // The time says what binds, the roofs how far away they are.
    std::string by_time(const LaunchBinding& time) {
        say(binding_words(time));
        say("Its lowest roof is " + lowest_roof() + ".");
        if (point_ != nullptr && time.fewer_bytes_help) {
            if (facts_.limit == RooflineLimit::kMemory)
                ridge();
            else
                beyond_chip();
        }
        if (facts_.limit == RooflineLimit::kMemory && point_ != nullptr) bytes_of_dram();
        if (roofline_.achieved) reached(*roofline_.achieved);
        say(remedy_words(time) + room(time) + ".");
        return std::move(text_);
    }
    std::string lowest_roof() const {
        if (point_ == nullptr) return "the flat one of " + speed(roofline_.peak) + " (" + roofline_.type + ")";
        if (facts_.limit == RooflineLimit::kMemory) return "DRAM's: " + of_bytes_asked();
        return "that of " + roof_name(point_->bound) + ": " + through_chip();
    }
    void reached(double value) {
        const double part = value / roofline_.attainable;
        const std::string head = (roofline_.achieved_modelled ? "Modeled: " : "Measured: ") + speed(value) + ", ";
        if (facts_.standing == RooflineStanding::kCachesCaught)
            say(head + times_as_many(part) + " this roof: caches caught at least " +
                share(figures_[Roof::kCaughtShare]) + " of the requested bytes.");
        else if (facts_.standing == RooflineStanding::kAboveRoofs)
            say(head + times_as_many(part) + " this roof.");
        else
            say(head + share(part) + " of this roof.");
    }
    // Of what binds though it is no roof: how far away the roofs are.
    std::string room(const LaunchBinding& time) const {
        const auto times = figures_.find(Roof::kRoom);
        if (!times || time.fewer_bytes_help) return {};
        const RooflinePoint* point = nullptr;
        for (const RooflinePoint& other : roofline_.points)
            if (other.bound == facts_.room_bound) point = &other;
        const bool is_flat = point == nullptr || facts_.room_bound == roofline_.type;
        return "; it could be " + times_as_many(*times) + " as fast before it reached a roof, " +
               (is_flat ? "the flat one" : "that of " + roof_name(facts_.room_bound));
    }

    void achieved(double value) {
        const double part = value / roofline_.attainable;
        const std::string head = (roofline_.achieved_modelled ? "Modeled: " : "Measured: ") + speed(value) + ", ";
        const std::string so_far = head + share(part) + " of this roof: ";
        switch (facts_.standing) {
            case RooflineStanding::kUnknown: return;
            case RooflineStanding::kAtFlatRoof:
                return say(so_far + "it is at the flat roof; only fewer operations or a faster unit help.");
            case RooflineStanding::kWaiting:
                return say(so_far +
                           "neither arithmetic nor bandwidth is the limit; reduce waiting first (few warps, chains of "
                           "dependent instructions).");
            case RooflineStanding::kOnSlope:
                return say(so_far + "it is on the slope; only more " + unit_ + " per byte help.");
            case RooflineStanding::kBandwidthLeft:
                return say(so_far + "at least " + share(1 - part) +
                           " of the bandwidth is unused; use it first (more bytes in flight), before you raise the "
                           "intensity.");
            case RooflineStanding::kAboveRoofs:
                return say(head + times_as_many(part) +
                           " this roof: more than these roofs allow; check the time, the device and the type.");
            case RooflineStanding::kCachesCaught:
                return say(head + times_as_many(part) + " this roof: caches caught at least " +
                           share(figures_[Roof::kCaughtShare]) + " of the requested bytes" + next_roof() + ".");
        }
    }
    std::string next_roof() const {
        if (facts_.next_bound.empty()) return {};
        return "; it is at " + share(figures_[Roof::kNextShare]) + " of the next roof, " + roof_name(facts_.next_bound);
    }

    const RooflineProfile& roofline_;
    const RooflineFacts& facts_;
    const FigureSet<Roof>& figures_;
    const std::string& unit_;
    const RooflinePoint* point_;  // whose bytes bind
    std::string text_;
};

// Of an OccupancyReason: "100 threads take 4 whole warps, room for 128".
std::string reason_text(const OccupancyReason& reason) {
    const auto count = [&](Room figure) { return thousands(reason.figures.count(figure)); };
    const std::string limit = count(Room::kLimit), taken = count(Room::kTaken), asked = count(Room::kAsked);
    switch (reason.rule) {
        case OccupancyRule::kWholeWarps:
            return asked + " threads take " + count(Room::kHeld) + " whole warps, room for " + taken;
        case OccupancyRule::kRegistersOfThread: return "at most " + limit + " per thread";
        case OccupancyRule::kRegisterUnits:
            return "a warp's " + asked + " registers are rounded up to " + taken + " (units of " + count(Room::kUnit) +
                   ")";
        case OccupancyRule::kSubPartitions:
            return "each of the " + count(Room::kParts) + " sub-partitions of the SM holds " + count(Room::kHeld) +
                   " whole warps of " + taken + " registers";
        case OccupancyRule::kRegistersOfBlock:
            return "a block may have at most " + limit + " registers and counts for " + taken;
        case OccupancyRule::kSharedOfBlock: return "at most " + limit + " bytes per block";
        case OccupancyRule::kSharedOfDriver:
            return "the driver reserves " + count(Room::kKept) +
                   " bytes of shared memory per block, so a block takes " + taken;
        case OccupancyRule::kSharedUnits:
            return "shared memory is allocated in units of " + count(Room::kUnit) + " bytes, so " + asked + " take " +
                   taken;
        case OccupancyRule::kCarveout:
            return "the carve-out leaves " + taken + " of the SM's " + limit + " bytes for shared memory";
        case OccupancyRule::kBarriers: return "a block uses " + asked + " of the SM's " + limit + " barriers";
    }
    return {};
}

}  // namespace

std::string roofline_verdict(const RooflineProfile& roofline) {
    return roofline.facts ? RooflineSpeaker(roofline, *roofline.facts).speak() : std::string();
}

std::string ceilings_note() { return "Without a measured time, points are drawn at their ceilings."; }

std::string occupancy_difference(const std::vector<OccupancyReason>& reasons) {
    std::string text;
    for (std::size_t i = 0; i < reasons.size(); ++i)
        text += (i == 0 ? "" : i + 1 == reasons.size() ? ", and " : ", ") + reason_text(reasons[i]);
    return text;
}

void speak_verdicts(LaunchProfile& launch) {
    if (launch.roofline && launch.roofline->verdict.empty())
        launch.roofline->verdict = roofline_verdict(*launch.roofline);
    if (launch.occupancy_profile && launch.occupancy_profile->difference.empty())
        launch.occupancy_profile->difference = occupancy_difference(launch.occupancy_profile->reasons);
}

}  // namespace tilescope::views
