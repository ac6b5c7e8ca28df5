// How far to trust a run: what was counted, what is a model's, what was sampled, estimated, refused or not looked at.
#pragma once

#include <vector>

#include "scope/report/device_sheet.h"
#include "scope/views/document/document.h"

namespace tilescope::views {

// `device`: that was modelled; null: its description is not at hand.
std::vector<Row> trust_rows(const Profile& profile, const report::DeviceSheet* device);

}  // namespace tilescope::views
