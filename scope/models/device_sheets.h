// What a page says of devices: the profile's own, and each other one that it could have been modelled on.
//
// Owns: device_sheets() and occupancy_table(). Guarantees: pure functions; the least entry of a table is what
// occupancy() says for every block size, every number of registers and every amount of shared memory, where a block has
// no carve-out of its own; figures of the profile's own device are the profile's. Does not model: anything that
// on_device() does not.
#pragma once

#include <cstddef>

#include "scope/models/device.h"
#include "scope/report/device_sheet.h"
#include "scope/report/profile.h"

namespace tilescope::models {

report::OccupancyTable occupancy_table(const Device& device);

struct SheetLimits {
    std::size_t devices = 64;
    std::size_t launches = 12;  // on other devices: those that take longest; the profile's own has all
};
// `shown` has the launches that are told of, as they are in `profile` or folded (report/fold.h). The first sheet is
// that of `own`, the device that was modelled; null: nobody knows it.
report::DeviceSheets device_sheets(const Profile& profile, const Profile& shown, const Device* own,
                                   const SheetLimits& limits);

}  // namespace tilescope::models
