#include "scope/views/text_launch.h"

#include <algorithm>
#include <set>

#include "scope/base/names.h"
#include "scope/report/format.h"
#include "scope/report/ratios.h"
#include "scope/views/groups.h"
#include "scope/views/text_caches.h"
#include "scope/views/text_findings.h"
#include "scope/views/text_intensity.h"
#include "scope/views/text_time.h"

namespace tilescope::views {

using namespace report;
namespace {

using C = Counter;

constexpr std::size_t kLabelWidth = 15;  // after the two of indentation
constexpr std::size_t kFigureWidth = 38;
constexpr std::size_t kCountWidth = 24;
constexpr std::size_t kFileWidth = 14;
constexpr unsigned kWarpLanes = 32;

class Writer {
public:
    Writer(TextContext& context, const LaunchProfile& launch)
        : context_(context), options_(context.options), launch_(launch), c_(launch.counters) {}

    std::string write(std::size_t count) {
        header(count);
        if (launch_.sampled)
            row("sampled", launch_.folded > 1
                               ? "counts are scaled from " + thousands(launch_.blocks_run) + " blocks in all"
                               : "counts are scaled from " + thousands(launch_.blocks_run) + " of " +
                                     thousands(blocks()) + " blocks");
        // A launch that ended in a fault has no counts: how far its blocks came is a matter of chance.
        if (launch_.hazards.empty() || !c_.empty()) figures();
        // A screenful; each is as good as the next.
        constexpr std::size_t kShownHazards = 20;
        const std::size_t shown =
            options_.verbose ? launch_.hazards.size() : std::min(launch_.hazards.size(), kShownHazards);
        for (std::size_t i = 0; i < shown; ++i) fault(launch_.hazards[i]);
        if (shown < launch_.hazards.size())
            row("", report::counted(launch_.hazards.size() - shown, "more hazard") + ": -v or --json shows them");
        hottest();
        advice();
        return std::move(text_);
    }

private:
    void figures() {
        intensity();
        global("global loads", C::kGlobalLoadRequests, C::kGlobalLoadSectors, C::kGlobalLoadIdealSectors);
        global("global stores", C::kGlobalStoreRequests, C::kGlobalStoreSectors, C::kGlobalStoreIdealSectors);
        atomics("global atomics", C::kGlobalAtomicRequests, C::kGlobalAtomicSectors);
        atomics("reductions", C::kGlobalReductionRequests, C::kGlobalReductionSectors);
        shared();
        tiling();
        local();
        if (const std::string text = spills_text(launch_); !text.empty()) row("spills", text);
        caches();
        constant();
        lanes();
        residency();
        if (launch_.time) row("time", time_text(*launch_.time));
        variables();
    }

    std::uint64_t blocks() const { return std::uint64_t{launch_.grid[0]} * launch_.grid[1] * launch_.grid[2]; }
    std::uint64_t sum(std::initializer_list<C> counters) const {
        std::uint64_t total = 0;
        for (C counter : counters) total += c_[counter];
        return total;
    }

    void row(const std::string& label, const std::string& text) {
        text_ += "  " + padded(label, kLabelWidth) + text + "\n";
    }
    // Label, figures, a count in its own column and the line where most of it comes from.
    void figure_row(const std::string& label, const std::string& figures, bool bad, const std::string& count, C where) {
        std::string text = padded(figures, kFigureWidth);
        if (bad) text = ink(options_, Ink::kBad, figures) + text.substr(figures.size());
        text += right_aligned(count, kCountWidth);
        if (const LineProfile* line = line_of_most(launch_, where))
            text += "  " + ink(options_, Ink::kDim, place(line->file, line->line));
        row(label, text);
    }
    static std::string place(const std::string& file, std::uint32_t line) {
        return cut(printable(file_name(file)), kFileWidth) + ":" + std::to_string(line);
    }

    // "(30 times)"; of launches that differ, the shape beside it is that of the largest.
    std::string times_text_of(std::size_t count) const {
        if (launch_.folded > 1)
            return "  (" + report::counted(launch_.folded, "launch", "launches") +
                   (launch_.folded_shapes > 1 ? " of " + thousands(launch_.folded_shapes) + " shapes, the largest:)"
                                              : ")");
        return count > 1 ? "  (" + thousands(count) + " times)" : "";
    }
    void header(std::size_t count) {
        std::string facts = "grid " + dimensions(launch_.grid) + "  block " + dimensions(launch_.block);
        if (launch_.registers_per_thread != 0)
            facts += std::string("  ") + (launch_.registers_from == RegistersFrom::kEstimate ? "about " : "") +
                     report::counted(launch_.registers_per_thread, "register");
        if (const auto shared = launch_.static_shared_bytes + launch_.dynamic_shared_bytes; shared != 0)
            facts += "  " + thousands(shared) + " B shared";
        std::string name = printable(launch_.kernel);
        const std::string times = times_text_of(count);
        const std::size_t room = options_.width - std::min(options_.width, columns(facts) + columns(times) + 2);
        if (columns(name) <= room) {
            text_ +=
                ink(options_, Ink::kBold, name) + times + std::string(room + 2 - columns(name), ' ') + facts + "\n";
            return;
        }
        name = cut(name, options_.width - std::min(options_.width - 1, columns(times)));
        text_ += ink(options_, Ink::kBold, name) + times + "\n  " + facts + "\n";
    }

    void intensity() {
        std::string label = "intensity";
        for (const std::string& line :
             intensity_lines(context_, launch_, options_.width - std::min(options_.width, kLabelWidth + 2))) {
            row(label, line);
            label.clear();
        }
    }

    void global(const char* label, C requests, C sectors, C ideal) {
        if (c_[requests] == 0) return;
        const double count = static_cast<double>(c_[requests]);
        const double actual = static_cast<double>(c_[sectors]) / count;
        const double best = static_cast<double>(c_[ideal]) / count;
        std::string text = per_request(actual) + " sectors a request";
        if (best > 0) text += " (ideal " + per_request(best) + ")";
        figure_row(label, text, best > 0 && actual > 1.25 * best, report::counted(c_[sectors], "sector"), sectors);
    }
    void atomics(const char* label, C requests, C sectors) {
        if (c_[requests] == 0) return;
        const double actual = static_cast<double>(c_[sectors]) / static_cast<double>(c_[requests]);
        figure_row(label, per_request(actual) + " sectors a request", false, report::counted(c_[sectors], "sector"),
                   sectors);
    }

    void banks(const char* label, C requests, C wavefronts, C conflicts) {
        if (c_[requests] == 0) return;
        const double count = static_cast<double>(c_[requests]);
        const std::uint64_t ideal = c_[wavefronts] - std::min(c_[wavefronts], c_[conflicts]);
        const std::string text = per_request(static_cast<double>(c_[wavefronts]) / count) +
                                 " wavefronts a request (ideal " + per_request(static_cast<double>(ideal) / count) +
                                 ")";
        if (c_[conflicts] == 0)
            figure_row(label, text, false, report::counted(0, "conflict"), wavefronts);
        else
            figure_row(label, text, true, report::counted(c_[conflicts], "conflict"), conflicts);
    }
    void shared() {
        if (sum({C::kSharedLoadRequests, C::kSharedStoreRequests, C::kSharedAtomicRequests}) == 0)
            return row("shared", "not used" + (tiling_text(launch_).empty() ? "" : "; " + tiling_text(launch_)));
        banks("shared loads", C::kSharedLoadRequests, C::kSharedLoadWavefronts, C::kSharedLoadBankConflicts);
        banks("shared stores", C::kSharedStoreRequests, C::kSharedStoreWavefronts, C::kSharedStoreBankConflicts);
        if (c_[C::kSharedAtomicRequests] != 0)
            figure_row("shared atomics", report::counted(c_[C::kSharedAtomicRequests], "request"), false,
                       report::counted(c_[C::kSharedAtomicBankConflicts], "conflict"), C::kSharedAtomicRequests);
    }

    // Beside shared memory that is used; else the row of shared memory says it.
    void tiling() {
        if (sum({C::kSharedLoadRequests, C::kSharedStoreRequests, C::kSharedAtomicRequests}) != 0 && can_tile(launch_))
            row("tiling", tiling_text(launch_));
    }

    void local() {
        const std::uint64_t requests = sum({C::kLocalLoadRequests, C::kLocalStoreRequests});
        if (requests == 0) return;
        const std::uint64_t sectors = sum({C::kLocalLoadSectors, C::kLocalStoreSectors});
        if (launch_.registers_from != RegistersFrom::kEstimate && launch_.local_bytes_per_thread == 0)
            return row("local",
                       "in PTX only (" + report::counted(sectors, "sector") + "): the assembler keeps it in registers");
        figure_row("local",
                   per_request(static_cast<double>(sectors) / static_cast<double>(requests)) + " sectors a request",
                   false, report::counted(sectors, "sector"), C::kLocalLoadSectors);
    }
    // What a model says is marked as such.
    void caches() {
        if (!c_.modelled) return;
        std::string text;
        if (const auto l1 = ratio_by_name("l1_hit_rate")->value(c_))
            text = "L1 has " + percent(*l1) + " of global loads";
        if (const auto l2 = ratio_by_name("l2_hit_rate")->value(c_))
            text += (text.empty() ? "" : ", ") + std::string("L2 ") + percent(*l2) + " of " +
                    report::counted(c_[C::kL2ReadSectors], "sector") + " read";
        if (!text.empty()) row("caches", text + " (modelled)");
        misses();
        row("DRAM", memory_text(c_) + " (modelled)");
        if (options_.verbose) buffers();
    }
    void misses() {
        std::string why = misses_text(c_);
        if (why.empty()) return;
        const std::size_t room = options_.width - std::min(options_.width, kLabelWidth + 2);
        const std::string most = missed_buffer_text(launch_);
        if (most.empty() || columns(why) + columns(most) + 2 > room) return row("misses", cut(why, room));
        row("misses", why + "; " + most);
    }
    void buffers() {
        std::string label = "buffers";
        for (const std::string& line :
             buffers_table(launch_, options_.width - std::min(options_.width, kLabelWidth + 2))) {
            row(label, line);
            label.clear();
        }
    }
    void constant() {
        const std::uint64_t requests = c_[C::kConstantRequests], passes = c_[C::kConstantPasses];
        if (requests == 0) return;
        const double each = static_cast<double>(passes) / static_cast<double>(requests);
        figure_row("constant", per_request(each) + " passes a request (ideal 1.0)", each > 1.25,
                   report::counted(passes, "pass", "passes"), C::kConstantPasses);
        constant_caches();
    }
    void constant_caches() {
        const std::uint64_t hits = c_[C::kConstantL1Hits], misses = c_[C::kConstantL1Misses];
        if (!c_.modelled || hits + misses == 0) return;
        const double hit = static_cast<double>(hits) / static_cast<double>(hits + misses);
        figure_row("constant cache", percent(hit) + " of lookups hit", hit < 0.5,
                   report::counted(misses, "miss", "misses"), C::kConstantL1Misses);
    }
    // Only where lanes idle: full warps are what everybody expects.
    void lanes() {
        const auto active = ratio_by_name("lane_efficiency")->value(c_);
        constexpr double kNearlyAll = 0.9;
        if (!active || (*active >= kNearlyAll && 20 * c_[C::kDivergentBranches] <= c_[C::kBranches])) return;
        figure_row("lanes", percent(*active) + " active", *active < kNearlyAll,
                   report::counted(c_[C::kDivergentBranches], "divergent branch", "divergent branches"),
                   C::kDivergentBranches);
    }
    void residency() {
        if (launch_.blocks_per_sm == 0) return;
        std::string text = report::counted(launch_.blocks_per_sm, "block") + ", " +
                           report::counted(launch_.warps_per_sm, "warp") + " an SM, " + percent(launch_.occupancy);
        for (std::size_t i = 0; i < launch_.limiters.size(); ++i)
            text += (i == 0                             ? "; limited by "
                     : i + 1 == launch_.limiters.size() ? " and "
                                                        : ", ") +
                    std::string(name_of(launch_.limiters[i]));
        row("occupancy", text);
        if (launch_.occupancy_profile) {
            const std::uint64_t threads = launch_.occupancy_profile->threads_per_sm;
            const std::uint64_t lanes = std::uint64_t{kWarpLanes} * launch_.warps_per_sm;
            if (threads != 0 && threads < lanes)
                row("", "its warps have " + thousands(threads) + " threads in " + thousands(lanes) + " lanes: " +
                            percent(static_cast<double>(threads) / static_cast<double>(lanes)) + " of them work");
            if (const auto& waves = launch_.occupancy_profile->waves)
                row("waves", thousands(blocks()) + (blocks() == 1 ? " block: " : " blocks: ") + waves_text(*waves));
        }
        if (const std::string step = next_step_text(launch_); !step.empty()) row("", step);
    }

    void variables() {
        if (!options_.verbose) {
            const std::string text = variables_summary(launch_);
            if (!text.empty()) row("variables", cut(text, options_.width - std::min(options_.width, kLabelWidth + 2)));
            return;
        }
        std::string label = "variables";
        for (const std::string& line :
             variables_table(launch_, options_.width - std::min(options_.width, kLabelWidth + 2))) {
            row(label, line);
            label.clear();
        }
    }

    void advice() {
        std::string label = "advice";
        for (const Advice& advice : launch_.advice)
            for (const std::string& line :
                 advice_lines(advice, options_, options_.width - std::min(options_.width, kLabelWidth + 2))) {
                row(label, line);
                label.clear();
            }
    }

    void fault(const Hazard& hazard) {
        const std::size_t room = options_.width - std::min(options_.width, kLabelWidth + 2);
        std::string text = std::string(name_of(hazard.kind));
        if (hazard.order != RaceOrder::kNone) text += ", " + std::string(name_of(hazard.order));
        if (hazard.count > 1) text += " (" + thousands(hazard.count) + " times)";
        if (!hazard.message.empty()) text += ": " + printable(hazard.message);
        const bool is_error = hazard.severity == Severity::kError;
        std::string label = is_error ? "hazard" : std::string(name_of(hazard.severity));
        for (const std::string& line : wrap(text, room)) {
            row(label, ink(options_, is_error ? Ink::kBad : Ink::kPlain, line));
            label.clear();
        }
        row("", end_of(hazard.file, hazard.line, hazard.block, hazard.thread));
        if (hazard.other_line != 0)
            row("", end_of(hazard.other_file, hazard.other_line, hazard.other_block, hazard.other_thread));
        if (hazard.hint.empty()) return;
        const bool is_new = hints_.insert(hazard.hint).second;
        for (const std::string& line : wrap("fix: " + (is_new ? printable(hazard.hint) : "the same"), room))
            row("", line);
    }
    std::string end_of(const std::string& file, std::uint32_t line, const Dim3& block, const Dim3& thread) {
        const std::string who = "block " + exact(block) + " thread " + exact(thread);
        return line == 0 ? who : place(file, line) + "  " + who;
    }
    static std::string exact(const Dim3& at) {
        return "(" + std::to_string(at[0]) + ", " + std::to_string(at[1]) + ", " + std::to_string(at[2]) + ")";
    }

    void hottest() {
        constexpr std::size_t kShown = 3;
        const auto lines = hot_lines(launch_, kShown);
        const bool one_file = std::all_of(lines.begin(), lines.end(), [&](const HotLine& line) {
            return line.line->file == lines.front().line->file;
        });
        std::string label = "hot lines";
        for (const HotLine& line : lines) {
            const std::string at = one_file ? std::to_string(line.line->line) : place(line.line->file, line.line->line);
            const std::string share = percent(line.share) + (line.of_traffic ? " of traffic" : " of instructions");
            const std::size_t left = 2 + kLabelWidth + std::max<std::size_t>(columns(at), 4) + 2;
            const std::size_t room = options_.width - std::min(options_.width, left + columns(share) + 2);
            const std::string source = cut(context_.sources.line(line.line->file, line.line->line), room);
            row(label, ink(options_, Ink::kDim, right_aligned(at, 4)) + "  " + padded(source, room) + "  " + share);
            label.clear();
            // Where all misses are one line's, the row of misses has said it.
            if (!c_.modelled || !(options_.verbose || is_worth_reasons(launch_, *line.line))) continue;
            const std::string why = misses_text(line.line->counters);
            for (const std::string& part :
                 wrap(why.empty() ? why : "misses: " + why, options_.width - std::min(options_.width, left)))
                if (!part.empty()) row("", std::string(left - 2 - kLabelWidth, ' ') + part);
        }
    }

    TextContext& context_;
    const ViewOptions& options_;
    const LaunchProfile& launch_;
    std::set<std::string> hints_;  // of hazards, said already
    const CounterSet& c_;
    std::string text_;
};

}  // namespace

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

std::string describe(TextContext& context, const LaunchProfile& launch, std::size_t count) {
    return Writer(context, launch).write(count);
}

}  // namespace tilescope::views
