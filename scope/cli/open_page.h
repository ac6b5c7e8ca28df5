// A page in the user's browser.
#pragma once

#include <string>

#include "scope/base/diagnostic.h"

namespace tilescope::cli {

// Hands the file to xdg-open and does not wait for what that starts. Where there is none, or it cannot, a note says
// where the page is.
void open_page(const std::string& file);

// --open without a page that is written to a file.
Diagnostic nothing_to_open();

}  // namespace tilescope::cli
