// Pictures of lessons: where a request's lanes go, and any of our pictures for light and dark pages.
#pragma once

#include <string>

#include "scope/report/access_picture.h"

namespace tilescope::views {

// Lanes across, sectors or banks down, a filled cell where a lane goes. A complete SVG document.
std::string access_svg(const AccessPicture& picture);

// The same request as data, for pages that draw it themselves: {"kind": "sectors" or "banks", "title", "array",
// "element_bytes", "lanes": offsets in bytes from the array's begin, null of a lane that asks for none}.
std::string access_data(const AccessPicture& picture);

// The same picture with colours that follow the reader's choice of light or dark (prefers-color-scheme). Takes what
// chart_svg(), phase_svg_view() and access_svg() draw; `title`, when there is one, is what a screen reader says.
std::string for_light_and_dark(std::string svg, const std::string& title = {});

}  // namespace tilescope::views
