// The part of the text report that speaks of one launch.
#pragma once

#include <cstddef>
#include <string>

#include "scope/report/source_text.h"
#include "scope/views/view.h"

namespace tilescope::views {

using namespace report;  // what is printed

// What the texts of a report share.
struct TextContext {
    const Profile& profile;
    const ViewOptions& options;
    SourceText& sources;
    const LaunchProfile* baseline = nullptr;  // the first launch shown, to compare the later ones with
};

enum class Ink : unsigned char { kPlain, kBold, kDim, kGood, kBad };
std::string ink(const ViewOptions& options, Ink ink, const std::string& text);

// Ends with a line feed.
std::string describe(TextContext& context, const LaunchProfile& launch, std::size_t count);

}  // namespace tilescope::views
