// Pictures of lessons: where a request's lanes go, and any of our pictures for light and dark pages.
#pragma once

#include <string>

#include "scope/report/access_picture.h"
#include "scope/report/pattern.h"
#include "scope/views/view.h"

namespace tilescope::views {

// Lanes across, sectors or banks down, a filled cell where a lane goes. A complete SVG document. In which wavefront the
// banks serve a lane is `service`'s where it is known; else words of a bank take turns in the order of the lanes.
std::string access_svg(const AccessPicture& picture, const BankService* service = nullptr);

// The same for a terminal: lanes across and sectors down; of banks, which are across, a line for each wavefront with
// the lane that each bank serves, a + behind it where others share its word. Long ones are cut short but in full
// reports.
std::string sectors_text(const AccessPicture& picture, const ViewOptions& options);
std::string banks_text(const AccessPicture& picture, const BankService& service, const ViewOptions& options);

// The same request as data, for pages that draw it themselves: {"kind": "sectors" or "banks", "title", "array",
// "element_bytes", "lanes": offsets in bytes from the array's begin, null of a lane that asks for none}.
std::string access_data(const AccessPicture& picture);

// The same picture with colours that follow the reader's choice of light or dark (prefers-color-scheme). Takes what
// chart_svg(), phase_svg_view() and access_svg() draw; `title`, when there is one, is what a screen reader says.
std::string for_light_and_dark(std::string svg, const std::string& title = {});

}  // namespace tilescope::views
