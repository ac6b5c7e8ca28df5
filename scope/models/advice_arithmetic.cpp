// Rules about arithmetic: double precision that nobody asked for.
#include <algorithm>

#include "scope/models/advice_rules.h"

namespace tilescope::models {
namespace {

using C = Counter;

double fp64_flop(const CounterSet& c) {
    return as_double(c[C::kFp64Add]) + as_double(c[C::kFp64Mul]) + 2 * as_double(c[C::kFp64Fma]);
}

}  // namespace

// Floats that become doubles, are computed with and become floats again, all on one line: a constant without an f, or a
// function of double. Sums that are kept in double on purpose are narrowed elsewhere, or never.
std::vector<Finding> find_stray_doubles(const Case& about) {
    std::vector<Finding> findings;
    for (const LineProfile& line : about.lines) {
        const CounterSet& c = line.counters;
        const double flop = fp64_flop(c);
        const std::uint64_t widened = c[C::kFp32ToFp64], narrowed = c[C::kFp64ToFp32];
        if (flop == 0 || widened == 0 || narrowed == 0) continue;
        Finding finding{line.file, line.line, 0, about.work};
        finding.after.fp64 = std::max(0.0, about.work.fp64 - flop);
        finding.after.fp32 += flop;
        finding.after.instructions -= as_double(widened + narrowed) / about.device.warp_size;
        finding.is_effort = true;
        finding.facts.figures = {{AdviceFigure::kWidened, as_double(widened)},
                                 {AdviceFigure::kNarrowed, as_double(narrowed)},
                                 {AdviceFigure::kFlop, flop}};
        if (const PeakRates& peak = about.device.peak; peak.fp64 > 0 && peak.fp32 > 0)
            finding.facts.figures.set(AdviceFigure::kRateRatio, peak.fp32 / peak.fp64);
        findings.push_back(std::move(finding));
    }
    return findings;
}

}  // namespace tilescope::models
