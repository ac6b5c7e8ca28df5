#include "scope/report/views/text_launch.h"

#include <algorithm>
#include <cmath>

#include "scope/base/names.h"
#include "scope/report/format.h"
#include "scope/report/ratios.h"
#include "scope/report/views/groups.h"
#include "scope/report/views/text_findings.h"

namespace tilescope::report {
namespace {

using C = Counter;

constexpr std::size_t kLabelWidth = 15;  // after the two of indentation
constexpr std::size_t kFigureWidth = 38;
constexpr std::size_t kCountWidth = 24;
constexpr std::size_t kFileWidth = 14;

class Writer {
public:
    Writer(TextContext& context, const LaunchProfile& launch)
        : context_(context), options_(context.options), launch_(launch), c_(launch.counters) {}

    std::string write(std::size_t count) {
        header(count);
        if (launch_.sampled)
            row("sampled",
                "counts are scaled from " + thousands(launch_.blocks_run) + " of " + thousands(blocks()) + " blocks");
        // A launch that ended in a fault has no counts: how far its blocks came is a matter of chance.
        if (launch_.hazards.empty() || !c_.empty()) figures();
        for (const Hazard& hazard : launch_.hazards) fault(hazard);
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
        constant();
        lanes();
        residency();
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
    void counted(const std::string& label, const std::string& figures, bool bad, std::uint64_t count,
                 const std::string& unit, C where) {
        std::string text = padded(figures, kFigureWidth);
        if (bad) text = ink(options_, Ink::kBad, figures) + text.substr(figures.size());
        text += right_aligned(thousands(count) + " " + unit, kCountWidth);
        if (const LineProfile* line = line_of_most(launch_, where))
            text += "  " + ink(options_, Ink::kDim, place(line->file, line->line));
        row(label, text);
    }
    static std::string place(const std::string& file, std::uint32_t line) {
        return cut(printable(file_name(file)), kFileWidth) + ":" + std::to_string(line);
    }

    void header(std::size_t count) {
        std::string facts = "grid " + dimensions(launch_.grid) + "  block " + dimensions(launch_.block);
        if (launch_.registers_per_thread != 0)
            facts += std::string("  ") + (launch_.registers_from == RegistersFrom::kEstimate ? "about " : "") +
                     std::to_string(launch_.registers_per_thread) + " registers";
        if (const auto shared = launch_.static_shared_bytes + launch_.dynamic_shared_bytes; shared != 0)
            facts += "  " + thousands(shared) + " B shared";
        std::string name = printable(launch_.kernel);
        const std::string times = count > 1 ? "  (" + thousands(count) + " times)" : "";
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
        const auto value = ratio_by_name("intensity")->value(c_);
        if (flop(c_) == 0) {
            const std::uint64_t bytes = requested_bytes(c_);
            row("intensity", bytes == 0 ? "no floating-point work, nothing asked of global memory"
                                        : "no floating-point work; " + thousands(bytes) + " B asked for");
            return;
        }
        if (!value) return row("intensity", thousands(flop(c_)) + " FLOP, nothing asked of global memory");
        std::string text = plain_intensity(*value) + " FLOP/B asked for";
        const std::uint64_t doubles = sum({C::kFp64Add, C::kFp64Mul, C::kFp64Fma, C::kFp64Fma});
        const double ridge = 2 * doubles > flop(c_) ? options_.ridge_fp64 : options_.ridge_fp32;
        if (ridge > 0)
            text += "; the " + printable(context_.profile.device) + " " +
                    (*value < ridge ? "needs " + plain_intensity(ridge) + " to be compute-bound"
                                    : "is compute-bound from " + plain_intensity(ridge));
        // The comparison is left out where it would not fit the line.
        const std::string compared = against_baseline(*value), asked = " asked for";
        if (kLabelWidth + 2 + columns(text) + columns(compared) <= options_.width)
            text.insert(text.find(asked) + asked.size(), compared);
        row("intensity", text);
    }
    static std::string plain_intensity(double value) {
        char buffer[32];
        // Halves go up, as people round: 1 FLOP for 8 bytes is 0.13, not printf's 0.12.
        constexpr double kUp = 1 + 1e-9;
        std::snprintf(buffer, sizeof buffer, value < 10 ? "%.2f" : "%.1f", value * kUp);
        return buffer;
    }
    // "(16.0× naive)" where the first launch did the same work with other traffic.
    std::string against_baseline(double value) const {
        const LaunchProfile* base = context_.baseline;
        if (base == nullptr || base == &launch_ || base->kernel == launch_.kernel) return {};
        const auto other = ratio_by_name("intensity")->value(base->counters);
        const auto work = static_cast<double>(flop(c_)), base_work = static_cast<double>(flop(base->counters));
        constexpr double kSameWork = 0.02, kSameFactor = 0.05;
        if (!other || *other <= 0 || std::abs(work - base_work) > kSameWork * base_work) return {};
        const double factor = value / *other;
        constexpr double kWorthTenths = 0.1;  // below it "0.0×" would stand there
        if (std::abs(factor - 1) < kSameFactor || factor < kWorthTenths) return {};
        return " (" + per_request(factor) + "× " + printable(short_kernel_name(base->kernel)) + ")";
    }

    void global(const char* label, C requests, C sectors, C ideal) {
        if (c_[requests] == 0) return;
        const double count = static_cast<double>(c_[requests]);
        const double actual = static_cast<double>(c_[sectors]) / count;
        const double best = static_cast<double>(c_[ideal]) / count;
        std::string text = per_request(actual) + " sectors a request";
        if (best > 0) text += " (ideal " + per_request(best) + ")";
        counted(label, text, best > 0 && actual > 1.25 * best, c_[sectors], "sectors", sectors);
    }
    void atomics(const char* label, C requests, C sectors) {
        if (c_[requests] == 0) return;
        const double actual = static_cast<double>(c_[sectors]) / static_cast<double>(c_[requests]);
        counted(label, per_request(actual) + " sectors a request", false, c_[sectors], "sectors", sectors);
    }

    void banks(const char* label, C requests, C wavefronts, C conflicts) {
        if (c_[requests] == 0) return;
        const double count = static_cast<double>(c_[requests]);
        const std::uint64_t ideal = c_[wavefronts] - std::min(c_[wavefronts], c_[conflicts]);
        const std::string text = per_request(static_cast<double>(c_[wavefronts]) / count) +
                                 " wavefronts a request (ideal " + per_request(static_cast<double>(ideal) / count) +
                                 ")";
        if (c_[conflicts] == 0)
            counted(label, text, false, 0, "conflicts", wavefronts);
        else
            counted(label, text, true, c_[conflicts], "conflicts", conflicts);
    }
    void shared() {
        if (sum({C::kSharedLoadRequests, C::kSharedStoreRequests, C::kSharedAtomicRequests}) == 0)
            return row("shared", "not used" + (tiling_text(launch_).empty() ? "" : "; " + tiling_text(launch_)));
        banks("shared loads", C::kSharedLoadRequests, C::kSharedLoadWavefronts, C::kSharedLoadBankConflicts);
        banks("shared stores", C::kSharedStoreRequests, C::kSharedStoreWavefronts, C::kSharedStoreBankConflicts);
        if (c_[C::kSharedAtomicRequests] != 0)
            counted("shared atomics", thousands(c_[C::kSharedAtomicRequests]) + " requests", false,
                    c_[C::kSharedAtomicBankConflicts], "conflicts", C::kSharedAtomicRequests);
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
                       "in PTX only (" + thousands(sectors) + " sectors): the assembler keeps it in registers");
        counted("local",
                per_request(static_cast<double>(sectors) / static_cast<double>(requests)) + " sectors a request", false,
                sectors, "sectors", C::kLocalLoadSectors);
    }
    void constant() {
        const std::uint64_t requests = c_[C::kConstantRequests], passes = c_[C::kConstantPasses];
        if (requests == 0) return;
        const double each = static_cast<double>(passes) / static_cast<double>(requests);
        counted("constant", per_request(each) + " passes a request (ideal 1.0)", each > 1.25, passes, "passes",
                C::kConstantPasses);
    }
    // Only where lanes idle: full warps are what everybody expects.
    void lanes() {
        const auto active = ratio_by_name("lane_efficiency")->value(c_);
        constexpr double kNearlyAll = 0.9;
        if (!active || (*active >= kNearlyAll && 20 * c_[C::kDivergentBranches] <= c_[C::kBranches])) return;
        counted("lanes", percent(*active) + " active", *active < kNearlyAll, c_[C::kDivergentBranches],
                "divergent branches", C::kDivergentBranches);
    }
    void residency() {
        if (launch_.blocks_per_sm == 0) return;
        std::string text = thousands(launch_.blocks_per_sm) + (launch_.blocks_per_sm == 1 ? " block, " : " blocks, ") +
                           thousands(launch_.warps_per_sm) + " warps an SM, " + percent(launch_.occupancy);
        for (std::size_t i = 0; i < launch_.limiters.size(); ++i)
            text += (i == 0                             ? "; limited by "
                     : i + 1 == launch_.limiters.size() ? " and "
                                                        : ", ") +
                    printable(launch_.limiters[i]);
        row("occupancy", text);
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
        std::string text =
            printable(hazard.kind) + (hazard.count > 1 ? " (" + thousands(hazard.count) + " times)" : "");
        if (!hazard.message.empty()) text += ": " + printable(hazard.message);
        std::string label = "hazard";
        for (const std::string& line : wrap(text, options_.width - std::min(options_.width, kLabelWidth + 2))) {
            row(label, ink(options_, Ink::kBad, line));
            label.clear();
        }
        std::string where = "block " + exact(hazard.block) + " thread " + exact(hazard.thread);
        if (hazard.line != 0) where = place(hazard.file, hazard.line) + "  " + where;
        row("", where);
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
        }
    }

    TextContext& context_;
    const ViewOptions& options_;
    const LaunchProfile& launch_;
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

}  // namespace tilescope::report
