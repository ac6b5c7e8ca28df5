#include "scope/views/render/ink.h"

namespace tilescope::views {

std::string ink(const ViewOptions& options, Ink ink, const std::string& text) {
    if (!options.color || text.empty()) return text;
    switch (ink) {
        case Ink::kPlain: return text;
        case Ink::kBold: return "\x1b[1m" + text + "\x1b[0m";
        case Ink::kDim: return "\x1b[2m" + text + "\x1b[0m";
        case Ink::kGood: return "\x1b[32m" + text + "\x1b[0m";
        case Ink::kBad: return "\x1b[31m" + text + "\x1b[0m";
    }
    return text;
}

}  // namespace tilescope::views
