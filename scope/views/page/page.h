// One page that shows a profile, or two side by side: a file for a browser that needs nothing else.
//
// Owns: html_view()'s page, comparison_page(), and their data as JSON (docs/reference/page-data.md). Guarantees: the
// same profile gives the same bytes; at most kMostBytes of them, whatever the profile holds, and the page says what it
// leaves out; no text of a profile is ever markup. Does not model: anything; its tables come from models, its rows from
// the document.
#pragma once

#include <optional>
#include <string>

#include "scope/report/comparison.h"
#include "scope/report/profile.h"
#include "scope/views/view.h"

namespace tilescope::views {

// What a comparison was made of. `after` is missing where the other side is a profiler's file, or where two kernels of
// one profile are compared.
struct ComparedProfiles {
    const report::Comparison& comparison;
    const Profile& before;
    const Profile* after = nullptr;
};
// `options.device`, where it is set, is that of `after`, or of `before` where there is no other.
std::string comparison_page(const ComparedProfiles& compared, const ViewOptions& options);

namespace page {

// The data alone, as the script element of a page holds it, in at most so many bytes.
std::string report_data(const Profile& profile, const ViewOptions& options, std::size_t most_bytes);
std::string comparison_data_text(const ComparedProfiles& compared, const ViewOptions& options, std::size_t most_bytes);
// The built page of web/, without data; its marker is where the data goes.
const std::string& page_template();
inline constexpr std::string_view kDataMarker = "<!--tilescope-data-->";

}  // namespace page
}  // namespace tilescope::views
