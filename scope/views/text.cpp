// The report that `run` prints: a head, then one paragraph for each launch that differs from the one before.
#include <fmt/format.h>

#include "scope/report/fold.h"
#include "scope/report/format.h"
#include "scope/views/groups.h"
#include "scope/views/text_launch.h"
#include "scope/views/text_timeline.h"
#include "scope/views/view.h"

namespace tilescope::views {

using namespace report;
namespace {

// Launches that were counted, or that ran without it.
std::size_t launch_count(const Profile& profile, bool observed) {
    std::size_t count = 0;
    for (const LaunchProfile& launch : profile.launches)
        if (launch.observed == observed) count += launch.folded;
    return count;
}

// Thread instructions a second of the emulation; 0 when times, or how many blocks ran, are not known.
double rate(const Profile& profile) {
    double instructions = 0, seconds = 0;
    for (const LaunchProfile& launch : profile.launches) {
        if (!launch.observed) continue;
        if (launch.sampled && launch.folded > 1) return 0;
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
    std::string ran = counted(launch_count(profile, true) + launch_count(profile, false), "launch", "launches");
    double seconds = 0;
    for (const LaunchProfile& launch : profile.launches) seconds += launch.seconds;
    if (seconds > 0) {
        ran += " in " + duration(seconds) + " on " + counted(profile.jobs, "core", "cores");
        constexpr double kMeasurable = 1e-3;  // below, a rate says more about the clock than about the run
        if (seconds > kMeasurable && rate(profile) > 0)
            ran += ", " + with_prefix(rate(profile)) + " thread instructions/s";
    }
    parts.push_back(ran);
    parts.push_back("modelled on " + printable(profile.device));
    std::string checks;
    for (const Check check : profile.checks)
        checks += (checks.empty() ? "checked: " : ", ") + std::string(name_of(check));
    if (!checks.empty()) parts.push_back(checks);
    return join(parts, options);
}

// Nothing to say of a program that returned 0.
std::string end_of_program(const Profile& profile) {
    std::string text;
    if (profile.unfinished)
        text += "\nlaunch " + std::to_string(profile.unfinished->index) + ", " + printable(profile.unfinished->kernel) +
                ", was running when the program ended: not counted\n";
    constexpr std::string_view kExit = "exit ", kSignal = "signal ";
    if (profile.ended == "exit 0" || profile.ended.empty()) return text;
    if (profile.ended.starts_with(kExit))
        return text + "\nthe program itself returned " + printable(profile.ended.substr(kExit.size())) + "\n";
    if (profile.ended.starts_with(kSignal))
        return text + "\nthe program was ended by " + printable(profile.ended) + "\n";
    return text + "\nthe program was ended by the " + printable(profile.ended) + "\n";
}

// Of host code, so no block and no thread did it.
std::string hazard_of_run(const Hazard& hazard, const ViewOptions& options) {
    const bool is_error = hazard.severity == Severity::kError;
    const auto place = [](const std::string& file, std::uint32_t line) {
        return line == 0 ? std::string() : "  " + printable(file) + ":" + std::to_string(line) + "\n";
    };
    std::string words = std::string(name_of(hazard.kind));
    if (hazard.order != RaceOrder::kNone) words += ", " + std::string(name_of(hazard.order));
    if (hazard.count > 1 && hazard.kind != HazardKind::kLeak) words += " (" + thousands(hazard.count) + " times)";
    std::string text =
        "\n" + ink(options, is_error ? Ink::kBad : Ink::kPlain, words + ": " + printable(hazard.message)) + "\n";
    text += place(hazard.file, hazard.line) + place(hazard.other_file, hazard.other_line);
    if (!hazard.hint.empty()) text += "  fix: " + printable(hazard.hint) + "\n";
    return text;
}

}  // namespace

std::string text_view(const Profile& profile, const ViewOptions& options) {
    // Past a screenful, launches of one kernel have one paragraph together.
    constexpr std::size_t kScreen = 6, kShown = 24;
    const Profile* shown = &profile;
    Profile folded;
    auto groups = group_launches(profile);
    const std::size_t before = groups.size();
    if (!options.verbose && before > kScreen) {
        folded = fold(profile);
        shown = &folded;
        groups = group_launches(folded);
    }
    std::string text = head(profile, options);
    SourceText sources(options.source_directories);
    TextContext context{*shown, options, sources, groups.empty() ? nullptr : groups.front().launch};
    std::size_t launches = 0;
    for (std::size_t i = 0; i < groups.size() && (options.verbose || i < kShown); ++i) {
        text += "\n" + describe(context, *groups[i].launch, groups[i].count);
        launches += groups[i].count * groups[i].launch->folded;
    }
    const std::size_t observed = launch_count(profile, true);
    if (observed > launches)
        text += "\n" + counted(observed - launches, "more launch", "more launches") +
                "; -v, --kernel, --launches or --json shows them\n";
    else if (groups.size() < before)
        text += "\n" + counted(observed, "launch", "launches") +
                ", one summary for each kernel; -v or --json shows them one by one\n";
    if (const std::size_t others = launch_count(profile, false); others != 0)
        text += "\n" + counted(others, "launch", "launches") + " ran without being counted (--kernel, --launches)\n";
    text += work_text(profile, options);
    text += end_of_program(profile);
    if (profile.suppressed != 0)
        text += "\n" + counted(profile.suppressed, "hazard", "hazards") +
                " hidden by --suppress or comments in the source\n";
    for (const Hazard& hazard : profile.hazards) text += hazard_of_run(hazard, options);
    return text;
}

}  // namespace tilescope::views
