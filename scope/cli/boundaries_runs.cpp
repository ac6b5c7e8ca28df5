#include "scope/cli/boundaries_runs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "scope/cli/exit_status.h"
#include "scope/cli/lesson_session.h"
#include "scope/cli/profile_file.h"
#include "scope/image/process.h"
#include "scope/report/source_text.h"

namespace tilescope::cli {
namespace {

constexpr std::string_view kPlaceholder = "{n}";

// What one run did.
struct BoundaryRun {
    int status = 0;
    std::string output;               // of the program
    std::vector<std::string> memory;  // by launch
    std::vector<BoundaryHazard> hazards;
    Profile profile;
    std::string trouble;  // why there is no profile
};

// The first error that a run told of, without what a diagnostic is wrapped in: "tilescope: ", and its code in brackets.
std::string error_line(const std::string& text) {
    constexpr std::string_view kProgram = "tilescope: ", kError = "error: ";
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t at = line.find(kError);
        if (at == std::string::npos) continue;
        line.erase(at, kError.size());
        if (line.starts_with(kProgram)) line.erase(0, kProgram.size());
        if (const std::size_t code = line.rfind(" ["); line.ends_with(']') && code != std::string::npos)
            line.erase(code);
        if (line.ends_with(':')) line.pop_back();  // more of it stands in the lines below
        return line;
    }
    return text.substr(0, text.find('\n'));
}

void add_hazards_of(const std::vector<Hazard>& hazards, std::vector<BoundaryHazard>& into) {
    for (const Hazard& hazard : hazards)
        if (hazard.severity != Severity::kNote && hazard.kind != HazardKind::kLeak)
            into.push_back({hazard.kind, hazard.file, hazard.line, hazard.message});
}

bool differs(const BoundaryRun& a, const BoundaryRun& b) {
    return a.memory != b.memory || a.output != b.output || a.status != b.status;
}

class BoundaryRuns {
public:
    BoundaryRuns(const BoundaryRequest& request, image::TemporaryFolder folder)
        : request_(request), folder_(std::move(folder)) {}

    Result<Boundaries> run() {
        boundaries_.program = request_.programs.front();
        boundaries_.arguments = request_.arguments;
        auto sizes = sizes_to_try();
        if (!sizes) return sizes.errors();
        std::vector<BoundaryRun> as_it_is;
        for (const std::string& size : *sizes) {
            BoundaryRun one = run_one(size, {});
            if (!one.trouble.empty()) return no_profile(one);
            boundaries_.sizes.push_back({size, one.status, one.profile.launches.size(), one.hazards});
            find_checks(one.profile);
            as_it_is.push_back(std::move(one));
        }
        for (BoundaryLine& line : boundaries_.lines) {
            if (line.kind != CheckKind::kGuards) continue;
            for (std::size_t i = 0; i < sizes->size(); ++i) {
                auto outcome = without(line, (*sizes)[i], as_it_is[i]);
                if (!outcome) return outcome.errors();
                line.outcomes.push_back(std::move(*outcome));
            }
        }
        return std::move(boundaries_);
    }

private:
    static Diagnostic no_profile(const BoundaryRun& run) {
        return error("boundaries-run", {}, "the program could not be run: " + run.trouble);
    }

    std::vector<std::string> words(const std::string& size, const std::string& without) const {
        std::vector<std::string> words = {"run", "-q", "--tell-checks", "--caches", "off"};
        words.insert(words.end(), request_.options.begin(), request_.options.end());
        if (!without.empty()) words.insert(words.end(), {"--without-check", without});
        words.insert(words.end(), {"--json", profile_file()});
        words.insert(words.end(), request_.programs.begin(), request_.programs.end());
        words.emplace_back("--");
        for (std::string argument : request_.arguments) {
            for (std::size_t at = 0; (at = argument.find(kPlaceholder, at)) != std::string::npos; at += size.size())
                argument.replace(at, kPlaceholder.size(), size);
            words.push_back(std::move(argument));
        }
        return words;
    }

    std::string profile_file() const { return (folder_.path() / "profile.json").string(); }

    BoundaryRun run_one(const std::string& size, const std::string& without) {
        ++boundaries_.runs;
        if (request_.progress)
            request_.progress(boundaries_.runs, (size.empty() ? std::string("as it is") : size) +
                                                    (without.empty() ? "" : " without " + without));
        BoundaryRun run;
        const auto ended = run_ourselves(words(size, without));
        if (!ended) {
            run.trouble = ended.errors().front().message;
            return run;
        }
        run.status = ended->status;
        run.output = ended->output;
        auto profile = load_profile(profile_file());
        if (!profile) {
            run.trouble = error_line(ended->errors);
            return run;
        }
        run.profile = std::move(*profile);
        if (run.profile.outcome == Outcome::kNotRun || run.profile.outcome == Outcome::kUnsupported)
            run.trouble = error_line(ended->errors);
        for (const LaunchProfile& launch : run.profile.launches) {
            add_hazards_of(launch.hazards, run.hazards);
            run.memory.push_back(launch.bounds ? launch.bounds->memory : std::string());
        }
        add_hazards_of(run.profile.hazards, run.hazards);
        return run;
    }

    Result<std::vector<std::string>> sizes_to_try() {
        if (!request_.sizes.empty()) return request_.sizes;
        if (!has_size(request_.arguments)) return std::vector<std::string>{std::string()};
        constexpr std::uint32_t kFirst = 64;  // any size will do to see how wide its blocks are
        const BoundaryRun first = run_one(std::to_string(kFirst), {});
        if (!first.trouble.empty()) return no_profile(first);
        if (first.profile.launches.empty())
            return error("boundaries-no-launch", {},
                         "the program launched no kernel with " + std::to_string(kFirst) + " in place of {n}",
                         "name sizes that it takes: --sizes 15,16,17");
        const std::uint32_t width = first.profile.launches.begin()->block[0];
        std::set<std::uint32_t> around{width, width + 1, 2 * width + 1};
        if (width > 1) around.insert(width - 1);
        std::vector<std::string> sizes;
        sizes.reserve(around.size());
        for (const std::uint32_t size : around) sizes.push_back(std::to_string(size));
        return sizes;
    }

    void find_checks(const Profile& profile) {
        for (const LaunchProfile& launch : profile.launches) {
            if (!launch.bounds) continue;
            for (const CheckedLine& check : launch.bounds->checks) {
                const auto at = std::lower_bound(boundaries_.lines.begin(), boundaries_.lines.end(), check,
                                                 [](const BoundaryLine& a, const CheckedLine& b) {
                                                     return std::tie(a.file, a.line) < std::tie(b.file, b.line);
                                                 });
                auto known = at;
                if (at == boundaries_.lines.end() || at->file != check.file || at->line != check.line) {
                    BoundaryLine line;
                    line.file = check.file;
                    line.line = check.line;
                    line.text = sources_.line(check.file, check.line);
                    line.kind = check.kind;
                    known = boundaries_.lines.insert(at, std::move(line));
                }
                auto& kernels = known->kernels;
                if (std::find(kernels.begin(), kernels.end(), launch.kernel) != kernels.end()) continue;
                kernels.push_back(launch.kernel);
                known->accesses += check.accesses;
                if (check.kind == CheckKind::kGuards) known->kind = check.kind;
            }
        }
    }

    Result<BoundaryOutcome> without(const BoundaryLine& line, const std::string& size, const BoundaryRun& with) {
        const BoundaryRun run = run_one(size, line.file + ":" + std::to_string(line.line));
        if (!run.trouble.empty()) return no_profile(run);
        BoundaryOutcome outcome;
        using Key = std::tuple<HazardKind, std::string, std::uint32_t>;
        std::set<Key> known;
        for (const BoundaryHazard& hazard : with.hazards) known.insert({hazard.kind, hazard.file, hazard.line});
        for (const BoundaryHazard& hazard : run.hazards)
            if (known.insert({hazard.kind, hazard.file, hazard.line}).second) outcome.hazards.push_back(hazard);
        outcome.memory_differs = run.memory != with.memory;
        outcome.output_differs = run.output != with.output;
        outcome.status_differs = run.status != with.status;
        outcome.is_endless = run.status == kLimit && with.status != kLimit;
        if (!outcome.hazards.empty())
            outcome.verdict = CheckVerdict::kFound;
        else if (differs(run, with))
            outcome.verdict = repeats(size, with) ? CheckVerdict::kSilent : CheckVerdict::kUnclear;
        return outcome;
    }

    // Whether a second run as it is comes out as the first; asked once for each size, when it matters.
    bool repeats(const std::string& size, const BoundaryRun& with) {
        const auto known = repeats_.find(size);
        if (known != repeats_.end()) return known->second;
        return repeats_[size] = !differs(run_one(size, {}), with);
    }

    const BoundaryRequest& request_;
    image::TemporaryFolder folder_;
    report::SourceText sources_{{}};
    Boundaries boundaries_;
    std::map<std::string, bool> repeats_;
};

}  // namespace

bool has_size(const std::vector<std::string>& arguments) {
    return std::any_of(arguments.begin(), arguments.end(),
                       [](const std::string& argument) { return argument.find(kPlaceholder) != std::string::npos; });
}

Result<Boundaries> run_boundaries(const BoundaryRequest& request) {
    auto folder = image::TemporaryFolder::create();
    if (!folder) return folder.errors();
    return BoundaryRuns(request, std::move(*folder)).run();
}

}  // namespace tilescope::cli
