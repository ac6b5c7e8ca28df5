// The report that `run` prints: a head, then one paragraph for each launch that differs from the one before.
#include <fmt/format.h>

#include "scope/report/format.h"
#include "scope/report/views/groups.h"
#include "scope/report/views/text_launch.h"
#include "scope/report/views/view.h"

namespace tilescope::report {
namespace {

std::string plural(std::uint64_t count, const std::string& one, const std::string& many) {
    return thousands(count) + " " + (count == 1 ? one : many);
}

// Thread instructions a second of the emulation; 0 when times are not known.
double rate(const Profile& profile) {
    double instructions = 0, seconds = 0;
    for (const LaunchProfile& launch : profile.launches) {
        if (!launch.observed) continue;
        const double blocks = static_cast<double>(launch.grid[0]) * launch.grid[1] * launch.grid[2];
        const double run = launch.sampled && blocks > 0 ? static_cast<double>(launch.blocks_run) / blocks : 1;
        instructions += run * static_cast<double>(launch.counters[Counter::kThreadInstructions]);
        seconds += launch.seconds;
    }
    return seconds > 0 ? instructions / seconds : 0;
}

// One line, or as many as the width asks for, broken between parts. The first part is the title.
std::string join(const std::vector<std::string>& parts, const ViewOptions& options) {
    std::string text = ink(options, Ink::kBold, parts[0]);
    std::size_t used = columns(parts[0]);
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::size_t more = columns(parts[i]);
        const bool fits = used + 3 + more <= options.width;
        text += (fits ? " · " : "\n  ") + parts[i];
        used = fits ? used + 3 + more : 2 + more;
    }
    return text + "\n";
}

std::string head(const Profile& profile, const ViewOptions& options) {
    std::vector<std::string> parts = {printable(profile.program)};
    if (!profile.compiler.empty()) parts.push_back(printable(profile.compiler));
    std::string ran = plural(profile.launches.size(), "launch", "launches");
    double seconds = 0;
    for (const LaunchProfile& launch : profile.launches) seconds += launch.seconds;
    if (seconds > 0) {
        ran += " in " + duration(seconds) + " on " + plural(profile.jobs, "core", "cores");
        constexpr double kMeasurable = 1e-3;  // below, a rate says more about the clock than about the run
        if (seconds > kMeasurable && rate(profile) > 0)
            ran += ", " + with_prefix(rate(profile)) + " thread instructions/s";
    }
    parts.push_back(ran);
    parts.push_back("modelled on " + printable(profile.device));
    return join(parts, options);
}

}  // namespace

std::string text_view(const Profile& profile, const ViewOptions& options) {
    std::string text = head(profile, options);
    SourceText sources(options.source_directories);
    const auto groups = group_launches(profile);
    TextContext context{profile, options, sources, groups.empty() ? nullptr : groups.front().launch};
    constexpr std::size_t kShown = 24;
    const std::size_t shown = options.verbose ? groups.size() : std::min(groups.size(), kShown);
    std::size_t launches = 0;
    for (std::size_t i = 0; i < shown; ++i) {
        text += "\n" + describe(context, *groups[i].launch, groups[i].count);
        launches += groups[i].count;
    }
    std::size_t observed = 0;
    for (const LaunchProfile& launch : profile.launches) observed += launch.observed;
    if (observed > launches)
        text += "\n" + plural(observed - launches, "more launch", "more launches") +
                "; -v, --kernel, --launches or --json shows them\n";
    if (profile.launches.size() > observed)
        text += "\n" + plural(profile.launches.size() - observed, "launch", "launches") +
                " ran without being counted (--kernel, --launches)\n";
    for (const Hazard& hazard : profile.hazards)
        text += "\n" + ink(options, Ink::kBad, printable(hazard.kind) + ": " + printable(hazard.message)) + "\n";
    return text;
}

}  // namespace tilescope::report
