// All that `tilescope occupancy` found out, and its three forms: text, JSON and SVG.
//
// Owns: OccupancyAnswer. Guarantees: the forms are pure functions of it; the text is at most 100 columns wide.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scope/cli/kernel_figures.h"
#include "scope/models/device.h"
#include "scope/models/occupancy_curves.h"
#include "scope/models/resident.h"
#include "scope/report/profile.h"

namespace tilescope::cli {

struct OccupancyAnswer {
    models::Device device;
    KernelFigures kernel;
    models::SharedScaling scaling = models::SharedScaling::kPerBlock;
    bool threads_suggested = false;  // nobody said a block size: it is the best of the sweep
    models::Occupancy found;
    OccupancyProfile profile;
    std::vector<models::BlockSize> sizes;
    std::vector<models::OccupancyCurve> curves;  // those to draw
    std::optional<models::ResidentSm> resident;  // likewise
};

struct OccupancyTextOptions {
    bool color = false;
    bool sweep = false;  // every block size
};

std::string occupancy_text(const OccupancyAnswer& answer, const OccupancyTextOptions& options);
// `with_pictures`: with what a page draws them from, too.
std::string occupancy_json(const OccupancyAnswer& answer, bool with_pictures);
// The curves below each other in one picture.
std::string occupancy_svg(const OccupancyAnswer& answer);

// One SM, its places for warps, its registers and its shared memory by the block that has them; empty where none fits.
std::string resident_text(const models::ResidentSm& sm);

// "3 registers fewer a thread: 8 blocks instead of 7, 100 %"
std::string step_text(const OccupancyAnswer& answer, const OccupancyStep& step);
// Why not one block fits; empty when one does.
std::string refusal_text(const OccupancyAnswer& answer);

}  // namespace tilescope::cli
