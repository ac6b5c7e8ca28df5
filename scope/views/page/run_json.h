// One run as a page has it: its profile, its document, and what is worked out beside them
// (docs/reference/page-data.md).
#pragma once

#include "scope/report/device_sheet.h"
#include "scope/report/profile.h"
#include "scope/views/page/json_tools.h"
#include "scope/views/page/page_source.h"
#include "scope/views/view.h"

namespace tilescope::views::page {

// What a run's part of a page is made of.
struct PageRun {
    const PageSource& source;
    Profile kept;  // kept_profile() of it, with the launches that have sections alone
    Document document;
};
PageRun page_run(const PageSource& source, const ViewOptions& options, const PageLimits& limits, LeftOut& left);

// `sheet`: of the device that was modelled; null: not known.
Json run_json(const PageRun& run, const ViewOptions& options, const report::DeviceSheet* sheet,
              const PageLimits& limits, LeftOut& left);

}  // namespace tilescope::views::page
