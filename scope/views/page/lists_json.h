// Lists that every page has: what its words and figures mean, and what the profiler calls them.
#pragma once

#include "scope/report/device_sheet.h"
#include "scope/views/page/json_tools.h"

namespace tilescope::views::page {

Json figures_list();
Json glossary_list();
Json time_parts_list();
Json stalls_list();
Json devices_json(const report::DeviceSheets& sheets);
Json tables_json(const report::DeviceSheets& sheets);

}  // namespace tilescope::views::page
