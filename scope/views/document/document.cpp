#include "scope/views/document/document.h"

#include <algorithm>

#include "scope/report/caveats.h"
#include "scope/report/fold.h"
#include "scope/report/format.h"
#include "scope/views/document/groups.h"
#include "scope/views/document/launch_curves.h"
#include "scope/views/document/parts.h"

namespace tilescope::views {
namespace {

// Launches that were counted, or that ran without it.
std::size_t launch_count(const Profile& profile, bool observed) {
    std::size_t count = 0;
    for (const LaunchProfile& launch : profile.launches)
        if (launch.observed == observed) count += launch.folded;
    return count;
}

// Thread instructions a second of the emulation; 0 when times, or how many blocks ran, are not known.
double emulation_rate(const Profile& profile) {
    double instructions = 0, seconds = 0;
    for (std::size_t i = 0; i < profile.launches.size(); ++i) {
        const LaunchProfile& launch = profile.launches[i];
        if (!launch.observed) continue;
        if (launch.sampled && launch.folded > 1) return 0;
        const double blocks = static_cast<double>(launch.grid[0]) * launch.grid[1] * launch.grid[2];
        const double run = launch.sampled && blocks > 0 ? static_cast<double>(launch.blocks_run) / blocks : 1;
        instructions += run * static_cast<double>(launch.counters[Counter::kThreadInstructions]);
        seconds += profile.launches.marks(i).seconds;
    }
    return seconds > 0 ? instructions / seconds : 0;
}

// "checked: memory, barriers, streams; races and init in part (--check all)": the report ends with how many launches
// (trust.cpp).
std::string checks_of_run(const Profile& profile) {
    const std::optional<CheckedLaunches>& checked = profile.checked;
    const auto is_costly = [](Check check) { return check == Check::kRaces || check == Check::kInit; };
    const bool in_part = checked && checked->in_part != 0;
    std::string names, costly;
    for (const Check check : profile.checks) {
        std::string& list = in_part && is_costly(check) ? costly : names;
        list += (list.empty() ? "" : in_part && is_costly(check) ? " and " : ", ") + std::string(name_of(check));
    }
    if (names.empty() && costly.empty())
        return profile.launches.empty() ? std::string() : "hazards: not checked (--check none)";
    std::string text = "checked: " + names;
    if (in_part) text += (names.empty() ? "" : "; ") + costly + " in part (--check all)";
    return text;
}

// Kernels of a GPU whose description lacks figures have counts and caches, but no time.
bool lacks_time(const Profile& profile) {
    const auto is_modeled = [](const LaunchProfile& launch) { return launch.counters.modelled; };
    const auto is_timed = [](const LaunchProfile& launch) { return launch.time.has_value(); };
    return std::any_of(profile.launches.begin(), profile.launches.end(), is_modeled) &&
           std::none_of(profile.launches.begin(), profile.launches.end(), is_timed);
}

Section head(const Profile& profile) {
    Section section{SectionKind::kHead, printable(profile.program)};
    const auto fact = [&](std::string_view name, std::string text) {
        section.facts.push_back({name, std::move(text), Unit::kText});
    };
    if (!profile.compiler.empty()) fact("compiler", printable(profile.compiler));
    std::string ran = counted(launch_count(profile, true) + launch_count(profile, false), "launch", "launches");
    double seconds = 0;
    for (std::size_t i = 0; i < profile.launches.size(); ++i) seconds += profile.launches.marks(i).seconds;
    if (seconds > 0) {
        ran += " in " + duration(seconds) + " on " + counted(profile.jobs, "core", "cores");
        constexpr double kMeasurable = 1e-3;  // numeric: below, a rate says more about the clock than about the run
        if (const double rate = emulation_rate(profile); seconds > kMeasurable && rate > 0)
            ran += ", " + with_prefix(rate) + " thread instructions/s";
    }
    fact("ran", std::move(ran));
    fact("device", "modeled GPU: " + gpu_name(printable(profile.device)) +
                       (lacks_time(profile) ? " (no kernel times: see tilescope devices)" : ""));
    if (std::string checks = checks_of_run(profile); !checks.empty()) fact("checks", std::move(checks));
    for (const Diagnostic& diagnostic : profile.diagnostics)
        if (report::leads_report(diagnostic.code)) fact("caveat", printable(diagnostic.message));
    add_program_lead(profile, section.rows);
    return section;
}

void add_note(std::vector<Section>& sections, std::string text) {
    sections.push_back({SectionKind::kNote, std::move(text)});
}

// Which launches are whose, in the order of the list.
void add_processes(const Profile& profile, std::vector<Section>& sections) {
    constexpr std::size_t kShown = 12;  // geometry: lines that people read through
    std::uint64_t first = 0;
    for (std::size_t i = 0; i < profile.processes.size(); ++i) {
        const ProcessOfRun& process = profile.processes[i];
        const std::uint64_t next = first + process.launches;
        std::string text = "process " + std::to_string(i) + ", " + printable(process.program);
        if (process.how != ProcessBegin::kStarted) text += " (" + std::string(name_of(process.how)) + ")";
        text += ": " + counted(process.launches, "launch", "launches");
        if (process.launches == 1) text += ", number " + thousands(first);
        if (process.launches > 1) text += ", numbers " + thousands(first) + " to " + thousands(next - 1);
        first = next;
        if (i < kShown) add_note(sections, std::move(text));
    }
    if (profile.processes.size() > kShown)
        add_note(sections,
                 counted(profile.processes.size() - kShown, "more process", "more processes") + "; --json shows them");
}

// Nothing to say of a program that returned 0.
void add_end_of_program(const Profile& profile, std::vector<Section>& sections) {
    add_processes(profile, sections);
    if (profile.unfinished)
        add_note(sections, "launch " + std::to_string(profile.unfinished->index) + ", " +
                               printable(profile.unfinished->kernel) +
                               ", was running when the program ended: not counted");
    constexpr std::string_view kExit = "exit ", kSignal = "signal ";
    const std::string& ended = profile.ended;
    if (ended == "exit 0" || ended.empty()) return;
    if (ended.starts_with(kExit))
        add_note(sections, "the program itself returned " + printable(ended.substr(kExit.size())));
    else
        add_note(sections, "the program was ended by " + std::string(ended.starts_with(kSignal) ? "" : "the ") +
                               printable(ended));
}

// Of host code, so no block and no thread did it.
Section finding(const Hazard& hazard) {
    Row row = hazard_row(hazard);
    for (const Place& place : {Place{hazard.file, hazard.line}, Place{hazard.other_file, hazard.other_line}})
        if (place.line != 0) row.places.push_back(place);
    Section section{SectionKind::kFinding, {}};
    section.rows.push_back(std::move(row));
    return section;
}

void add_launches(const Profile& profile, const DocumentOptions& options, std::vector<Section>& sections) {
    // Past a screenful, launches of one kernel have one section together.
    constexpr std::size_t kScreen = 6, kShown = 24;  // geometry: sections that people read through
    const Profile* shown = &profile;
    Profile folded;
    auto groups = group_launches(profile);
    const std::size_t before = groups.size();
    if (!options.every_launch && before > kScreen) {
        folded = fold(profile);
        shown = &folded;
        groups = group_launches(folded);
    }
    SourceText sources(options.source_directories);
    DocumentContext context{*shown, options, sources, groups.empty() ? nullptr : groups.front().launch};
    std::size_t launches = 0;
    for (std::size_t i = 0; i < groups.size() && (options.every_launch || i < kShown); ++i) {
        sections.push_back(launch_section(context, groups[i]));
        launches += groups[i].count * groups[i].launch->folded;
    }
    const std::size_t observed = launch_count(profile, true);
    if (observed > launches)
        add_note(sections, counted(observed - launches, "more launch", "more launches") +
                               "; -v, --kernel, --launches or --json shows them");
    else if (groups.size() < before)
        add_note(sections, counted(observed, "launch", "launches") +
                               ", one summary for each kernel; -v or --json shows them one by one");
    if (const std::size_t others = launch_count(profile, false); others != 0)
        add_note(sections, counted(others, "launch", "launches") + " ran without being counted (--kernel, --launches)");
}

// Divisions use the special function unit, too, and give no reason for doubt; counters cannot tell them apart.
void add_assumed_functions(const Profile& profile, std::vector<Section>& sections) {
    for (std::size_t i = 0; i < profile.launches.size(); ++i) {
        if (profile.launches[i].counters[Counter::kFp32Special] == 0) continue;
        add_note(sections, "approximate functions (__sinf, rsqrtf, ...), if used, gave an H200's bits: those of the " +
                               printable(profile.device) + " are not known");
        return;
    }
}

}  // namespace

std::string_view name_of(RowSource source) {
    static constexpr std::string_view kNames[] = {"counted", "machine code", "modelled", "estimated"};
    return kNames[static_cast<std::size_t>(source)];
}

std::string_view words_of(RowSource source) { return origin_words(name_of(source)); }

std::string_view separator(ClauseJoin join) {
    static constexpr std::string_view kTexts[] = {"", "; ", ", "};
    return kTexts[static_cast<std::size_t>(join)];
}

std::string_view name_of(RowKind kind) {
    static constexpr std::string_view kNames[] = {"figures", "words",  "table",  "list",  "code",
                                                  "peaks",   "remedy", "advice", "hazard"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string_view name_of(SectionKind kind) {
    static constexpr std::string_view kNames[] = {"head", "launch", "work", "note", "finding"};
    return kNames[static_cast<std::size_t>(kind)];
}

Document document_of(const Profile& profile, const DocumentOptions& options) {
    Document document;
    document.sections.push_back(head(profile));
    add_launches(profile, options, document.sections);
    add_work(profile, document.sections);
    add_end_of_program(profile, document.sections);
    if (options.functions_assumed) add_assumed_functions(profile, document.sections);
    if (profile.suppressed != 0)
        add_note(document.sections,
                 counted(profile.suppressed, "hazard") + " suppressed by --suppress or comments in the source");
    for (const Hazard& hazard : profile.hazards) document.sections.push_back(finding(hazard));
    if (profile.hazards_passed_over != 0)
        add_note(document.sections,
                 counted(profile.hazards_passed_over, "more hazard") + " of the run: -v or --json shows them");
    document.charts = launch_curves(profile);
    return document;
}

}  // namespace tilescope::views
