#include "scope/models/advice_program.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>

#include "scope/models/advice.h"
#include "scope/models/timeline/host_link.h"

namespace tilescope::models {
namespace {

// Launches of one kernel, one right behind the other.
struct Run {
    const TimelineSpan* first = nullptr;
    const TimelineSpan* last = nullptr;
    std::uint64_t launches = 0;
    double work = 0;     // microseconds, without what each launch takes
    double longest = 0;  // of one
    double alone = 0;    // microseconds that the work would take in one launch
};

// All of a kernel's: sums, in microseconds.
struct Runs {
    double launches = 0, all = 0, work = 0, saved = 0;
};

class ProgramAdvice {
public:
    ProgramAdvice(const Profile& profile, const Device& device)
        : profile_(profile), device_(device), all_(profile.timeline_totals->microseconds) {
        for (std::size_t i = 0; i < profile.launches.size(); ++i)
            launches_.emplace(profile.launches.marks(i).index, &profile.launches[i]);
    }

    std::vector<Advice> find() {
        copies();
        launches();
        std::stable_sort(found_.begin(), found_.end(),
                         [](const Advice& a, const Advice& b) { return a.speedup > b.speedup; });
        if (found_.size() > kMaxAdvice) found_.resize(kMaxAdvice);
        return std::move(found_);
    }

private:
    void add(AdviceKind rule, const std::string& file, std::uint32_t line, double saved, AdviceFacts facts) {
        if (all_ <= 0 || saved < kLeastShare * all_) return;
        Advice advice;
        advice.rule = rule;
        advice.file = file;
        advice.line = line;
        advice.saves_microseconds = std::min(saved, all_);
        advice.speedup = saved < all_ ? all_ / (all_ - saved) : 1;
        advice.facts = std::move(facts);
        found_.push_back(std::move(advice));
    }

    // By the line that makes them: inlined code makes one line's copies from several places.
    void copies() {
        const auto link = link_figures(device_);
        if (!link) return;
        std::map<std::tuple<std::string, std::uint32_t, CopyDirection, HostMemory>, Transfer> by_line;
        for (const Transfer& transfer : profile_.transfers) {
            if (!transfer.microseconds || transfer.count == 0) continue;
            Transfer& sum = by_line[{transfer.file, transfer.line, transfer.direction, transfer.host_memory}];
            sum.count += transfer.count;
            sum.bytes += transfer.bytes;
            sum.repeated += transfer.repeated;
            sum.microseconds = sum.microseconds.value_or(0) + *transfer.microseconds;
        }
        for (const auto& [place, sum] : by_line) {
            const auto& [file, line, direction, memory] = place;
            AdviceFacts facts;
            facts.figures = {{AdviceFigure::kBytes, static_cast<double>(sum.bytes)},
                             {AdviceFigure::kMicroseconds, *sum.microseconds},
                             {AdviceFigure::kShare, std::min(1.0, *sum.microseconds / all_)}};
            // One of them is needed, unless another line's came before.
            const std::uint64_t spared = std::min(sum.repeated, sum.count - 1);
            if (spared > 0) {
                facts.variant = AdviceVariant::kRepeated;
                const double share = static_cast<double>(spared) / static_cast<double>(sum.count);
                facts.figures.set(AdviceFigure::kBytes, static_cast<double>(sum.bytes) * share);
                facts.figures.set(AdviceFigure::kTimes, static_cast<double>(spared));
                add(AdviceKind::kCopies, file, line, *sum.microseconds * share, std::move(facts));
            } else if (memory == HostMemory::kPageable) {
                facts.variant = AdviceVariant::kPageable;
                const std::uint64_t each = sum.bytes / sum.count;
                const double pinned =
                    static_cast<double>(sum.count) * copy_microseconds(*link, direction, HostMemory::kPinned, each);
                add(AdviceKind::kCopies, file, line, *sum.microseconds - pinned, std::move(facts));
            }
        }
    }

    const LaunchProfile* launch_of(const TimelineSpan& span) const {
        if (!span.launch) return nullptr;
        const auto found = launches_.find(*span.launch);
        return found == launches_.end() ? nullptr : found->second;
    }

    void take(Run& run, const TimelineSpan& span) {
        if (run.first == nullptr) run.first = &span;
        run.last = &span;
        ++run.launches;
        const LaunchProfile* launch = launch_of(span);
        const double overhead = device_.pace.launch / device_.cycles_per_microsecond();
        const double work = std::max(0.0, span.microseconds - overhead);
        double share = 1;  // of the device, that its blocks fill
        if (launch != nullptr && launch->blocks_per_sm != 0) {
            const double blocks = static_cast<double>(launch->grid[0]) * launch->grid[1] * launch->grid[2];
            share = std::min(1.0, blocks / (double{1} * launch->blocks_per_sm * device_.sm_count));
        }
        run.work += work;
        run.alone += work * share;
        run.longest = std::max(run.longest, span.microseconds);
    }

    // What follows one another of a kernel again and again is told once.
    void end(Run& run) {
        constexpr std::uint64_t kMany = 8;
        if (run.launches >= kMany) {
            Runs& runs = runs_[run.first->name];
            const double all = run.last->begin + run.last->microseconds - run.first->begin;
            runs.launches += static_cast<double>(run.launches);
            runs.all += all;
            runs.work += run.work;
            runs.saved += std::max(0.0, all - run.longest - run.alone);
        }
        run = {};
    }

    void tell_launches() {
        for (const auto& [kernel, runs] : runs_) {
            if (runs.work > runs.all / 2) continue;  // they are no small ones
            AdviceFacts facts;
            facts.kernel = kernel;
            facts.figures = {{AdviceFigure::kLaunches, runs.launches},
                             {AdviceFigure::kMicroseconds, runs.all},
                             {AdviceFigure::kAverage, runs.work / runs.launches}};
            add(AdviceKind::kSmallLaunch, {}, 0, runs.saved, std::move(facts));
        }
    }

    void launches() {
        Run run;
        for (const TimelineSpan& span : profile_.timeline) {
            const bool goes_on = span.kind == SpanKind::kKernel && span.graph == 0;
            if (run.first != nullptr && (!goes_on || span.name != run.first->name || span.stream != run.first->stream))
                end(run);
            if (goes_on) take(run, span);
        }
        end(run);
        tell_launches();
    }

    const Profile& profile_;
    const Device& device_;
    const double all_;
    std::unordered_map<std::uint32_t, const LaunchProfile*> launches_;
    std::map<std::string, Runs> runs_;  // by kernel
    std::vector<Advice> found_;
};

}  // namespace

std::vector<Advice> advise_program(const Profile& profile, const Device& device) {
    if (!profile.timeline_totals || profile.timeline_totals->until || device.sm_count == 0) return {};
    return ProgramAdvice(profile, device).find();
}

}  // namespace tilescope::models
