// Profile to JSON (schema 1 of the profile) and back.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "scope/base/result.h"
#include "scope/report/profile.h"

namespace tilescope::report {

// Deterministic: same profile, same bytes. Wall times are written only when `with_times` (a profile that is to be
// compared byte by byte leaves them out).
std::string to_json(const Profile& profile, bool with_times = false);
// The same piece by piece, for profiles of very many launches.
using TextSink = std::function<void(std::string_view)>;
void write_json(const Profile& profile, bool with_times, const TextSink& sink);
// Unknown keys are ignored, wrong types and a schema other than 1 are errors that name the key. Safe on any bytes.
Result<Profile> from_json(std::string_view text, const std::string& name);

// What a reader wants of a profile that may be larger than its memory.
struct ReadLimits {
    std::size_t hazards = 0;  // of each launch, and of the run: errors before warnings
};
// The same, byte by byte from a stream. What was passed over is counted: hazards_passed_over of launches and run.
Result<Profile> from_json(std::istream& text, const std::string& name, const ReadLimits& limits);

}  // namespace tilescope::report
