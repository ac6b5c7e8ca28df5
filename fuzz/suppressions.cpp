// Any bytes as a file of suppressions: rules or errors. Rules are held against hazards with and without places, and
// hide the same ones at once that they hide one by one.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "scope/report/suppressions.h"

namespace {

tilescope::Profile profile_with_hazards() {
    using namespace tilescope;
    Profile profile;
    LaunchProfile& launch = profile.launches.emplace_back();
    launch.kernel = "void ns::tiled<16>(float*, int)";
    launch.entry = "_ZN2ns5tiledILi16EEEvPfi";
    for (const auto& row : report::kNames<HazardKind>) {
        Hazard hazard;
        hazard.kind = row.value;
        hazard.severity = Severity::kWarning;
        hazard.kernel = launch.kernel;
        launch.hazards.push_back(hazard);
        hazard.file = "/work/a.cu";
        hazard.line = 12;
        hazard.other_file = "b.cuh";
        hazard.other_line = 40;
        launch.hazards.push_back(hazard);
        profile.hazards.push_back(hazard);
    }
    return profile;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace tilescope;
    const auto rules = report::parse_suppressions({reinterpret_cast<const char*>(data), size}, "fuzz.txt");
    if (!rules) return 0;
    report::SourceText source({});
    Profile all = profile_with_hazards();
    const std::size_t before = all.hazards.size() + all.launches[0].hazards.size();
    report::hide(*rules, source, all);
    if (all.hazards.size() + all.launches[0].hazards.size() + all.suppressed != before) std::abort();
    Profile each = profile_with_hazards();
    for (const report::Suppression& rule : *rules) report::hide({rule}, source, each);
    if (each.suppressed != all.suppressed) std::abort();
    return 0;
}
