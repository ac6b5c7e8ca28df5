// What a page shows of one launch beside its profile: figures, flow of bytes, buffers, lines, pictures.
#pragma once

#include "scope/report/profile.h"
#include "scope/views/page/json_tools.h"

namespace tilescope::views::page {

Json kernel_json(const LaunchProfile& launch, const PageLimits& limits);

}  // namespace tilescope::views::page
