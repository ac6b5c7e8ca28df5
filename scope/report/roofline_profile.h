// Where a launch stands under the roofs of a device, and what that says about it.
//
// Owns: RooflineProfile and its parts. Guarantees: values only; the verdict's words follow from the profile alone
// (views/words/verdicts.h). Does not model: how any of it is found out (models/roofline.h).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scope/report/enums.h"
#include "scope/report/figures.h"
#include "scope/report/launch_binding.h"

namespace tilescope {

// How fast a launch can be as far as the bytes of one level are concerned. Rates are per second.
struct RooflinePoint {
    TrafficLevel level = TrafficLevel::kRequested;
    std::uint64_t bytes = 0;  // 0 when only the intensity is known
    double intensity = 0;     // operations per byte
    double bandwidth = 0;     // of the slope that these bytes run into; DRAM's for those requested
    double ridge = 0;         // the intensity at which that slope meets the peak
    double ceiling = 0;       // operations, at most
    // What sets the ceiling: the name of a MemoryLevel, or the type of arithmetic, which may be a mixture.
    std::string bound;
    bool operator==(const RooflinePoint&) const = default;
};

// What binds a launch: a flat roof, the bytes that its threads ask for, or those that pass L1 or shared memory.
enum class RooflineLimit : std::uint8_t { kCompute, kMemory, kOnChip };

// How tiles would get a launch that memory binds past the ridge.
enum class TilingOutlook : std::uint8_t {
    kUnknown,
    kTilesOfProduct,  // of a kernel that is only thought of: tiles of this width would do for a matrix product
    kOnceIsEnough,    // each block asking for each byte once would do
    kWiderTiles,      // that is not enough, tiles of this width would be
    kNotAtThisSize,   // that is not enough at this block size
    kAtNoSize,        // that is not enough, nor would it be if the whole grid asked for each byte once
    kHardlyTwice,     // blocks ask for hardly a byte twice; of the grid nothing is known
    kCannotHelp,      // ... nor do several blocks ask for the same one
    kTimesAsWide,     // ... but several blocks do: tiles so many times as wide and high would do
    kUpToAtBest,      // ... but several blocks do: wider tiles would give up to so much
    kNeverEnough,     // ... the same, and that is not enough
};

// How a launch whose time is known stands to what is attainable.
enum class RooflineStanding : std::uint8_t {
    kUnknown,
    kAtFlatRoof,
    kWaiting,  // far below the flat roof
    kOnSlope,
    kBandwidthLeft,  // far below the slope
    kCachesCaught,   // above, for caches caught what was asked for
    kAboveRoofs,     // above what these roofs allow
};

// Figures behind a verdict. A new one is a value here and a row below.
enum class RooflineFigure : std::uint8_t {
    kAllOperations,
    kPaddedShare,
    kOnceIntensity,
    kBestIntensity,
    kBlocksForEach,
    kTileWidth,
    kCarried,
    kCaughtShare,
    kNextShare,
    kRoom,
};

struct RooflineFacts {
    RooflineLimit limit = RooflineLimit::kCompute;
    std::optional<TrafficLevel> level;  // whose bytes bind; nothing where a flat roof does
    std::string unit = "FLOP";          // of the operations; or "OP"
    bool counted = false;               // of a launch that ran, rather than of a thought
    TilingOutlook tiling = TilingOutlook::kUnknown;
    RooflineStanding standing = RooflineStanding::kUnknown;
    std::string next_bound;  // of the roof above the one that caches lifted the launch over
    // Of a launch whose time is modelled: what it spends that on has the last word on what binds it.
    std::optional<LaunchBinding> time{};
    std::string room_bound{};  // of the first roof that a faster launch would meet, of the bytes that really move
    FigureSet<RooflineFigure> figures;
    bool operator==(const RooflineFacts&) const = default;
};

// Where a launch stands under the roofs of the modelled device.
struct RooflineProfile {
    std::string type;  // of its arithmetic: "fp32", or "fp32+fp64" for a mixture, the costlier first
    double peak = 0;   // of that type; a mixture's parts take turns
    double ridge = 0;  // against DRAM
    std::vector<RooflinePoint> points;
    std::string bound;                     // what sets the lowest ceiling, named as in points
    double attainable = 0;                 // the lowest ceiling: where the launch stands where its time is not known
    double of_peak = 0;                    // attainable / peak
    std::optional<double> achieved;        // operations per second, measured or modelled
    bool achieved_modelled = false;        // it follows from the modelled time
    std::string verdict;                   // in words, once they are spoken; kept of a profile that was read
    std::optional<RooflineFacts> facts{};  // nothing in profiles of earlier versions
    bool operator==(const RooflineProfile&) const = default;
};

}  // namespace tilescope

namespace tilescope::report {

template <>
inline constexpr NameTable<RooflineLimit, 3> kNames<RooflineLimit> = {
    {{RooflineLimit::kCompute, "compute"}, {RooflineLimit::kMemory, "memory"}, {RooflineLimit::kOnChip, "on-chip"}}};
template <>
inline constexpr NameTable<TilingOutlook, 11> kNames<TilingOutlook> = {
    {{TilingOutlook::kUnknown, ""},
     {TilingOutlook::kTilesOfProduct, "tiles-of-product"},
     {TilingOutlook::kOnceIsEnough, "once-is-enough"},
     {TilingOutlook::kWiderTiles, "wider-tiles"},
     {TilingOutlook::kNotAtThisSize, "not-at-this-size"},
     {TilingOutlook::kAtNoSize, "at-no-size"},
     {TilingOutlook::kHardlyTwice, "hardly-twice"},
     {TilingOutlook::kCannotHelp, "cannot-help"},
     {TilingOutlook::kTimesAsWide, "times-as-wide"},
     {TilingOutlook::kUpToAtBest, "up-to-at-best"},
     {TilingOutlook::kNeverEnough, "never-enough"}}};
template <>
inline constexpr NameTable<RooflineStanding, 7> kNames<RooflineStanding> = {
    {{RooflineStanding::kUnknown, ""},
     {RooflineStanding::kAtFlatRoof, "at-flat-roof"},
     {RooflineStanding::kWaiting, "waiting"},
     {RooflineStanding::kOnSlope, "on-slope"},
     {RooflineStanding::kBandwidthLeft, "bandwidth-left"},
     {RooflineStanding::kCachesCaught, "caches-caught"},
     {RooflineStanding::kAboveRoofs, "above-roofs"}}};

template <>
inline constexpr std::array<FigureRow<RooflineFigure>, 10> kFigureRows<RooflineFigure> = {{
    {RooflineFigure::kAllOperations, "all_operations", "operations", "those on padding too; there where some are"},
    {RooflineFigure::kPaddedShare, "padded_share", "share", "of these, those on padding"},
    {RooflineFigure::kOnceIntensity, "once_intensity", "operations/byte", "if each block asked for each byte once"},
    {RooflineFigure::kBestIntensity, "best_intensity", "operations/byte", "if the whole grid did"},
    {RooflineFigure::kBlocksForEach, "blocks_for_each", "blocks", "that ask for each byte"},
    {RooflineFigure::kTileWidth, "tile_width", "elements", "that would do, or times the tiles that there are"},
    {RooflineFigure::kCarried, "carried", "times", "the bytes asked for that the sectors carry; there from 1.3"},
    {RooflineFigure::kCaughtShare, "caught_share", "share", "of the bytes asked for, that caches caught at least"},
    {RooflineFigure::kNextShare, "next_share", "share", "of the next roof"},
    {RooflineFigure::kRoom, "room", "times", "as fast it could be before it met a roof of the bytes that really move"},
}};

}  // namespace tilescope::report
