// Rules about arithmetic: double precision that nobody asked for.
#include <algorithm>

#include "scope/models/advice_rules.h"

namespace tilescope::models {
namespace {

using C = Counter;

// Warp instructions of double-precision arithmetic, and the FLOP of these.
double fp64_operations(const CounterSet& c) {
    return as_double(c[C::kFp64Add]) + as_double(c[C::kFp64Mul]) + as_double(c[C::kFp64Fma]);
}

}  // namespace

// Floats that become doubles, are computed with and become floats again, all on one line: a constant without an f, or a
// function of double. Sums that are kept in double on purpose are narrowed elsewhere, or never.
std::vector<Finding> find_stray_doubles(const Case& about) {
    Finding finding(about);
    double widened = 0, narrowed = 0, flop = 0, operations = 0, special = 0;
    for (const LineProfile& line : about.lines) {
        const CounterSet& c = line.counters;
        const double its = fp64_operations(c);
        if (its == 0 || c[C::kFp32ToFp64] == 0 || c[C::kFp64ToFp32] == 0) continue;
        finding.at(line, its);
        widened += as_double(c[C::kFp32ToFp64]);
        narrowed += as_double(c[C::kFp64ToFp32]);
        operations += its;
        special += as_double(c[C::kFp64Special]);
        flop += its + as_double(c[C::kFp64Fma]);
    }
    if (operations == 0) return {};
    const auto lanes = static_cast<double>(about.device.warp_size);
    const double all = fp64_operations(about.launch.counters);
    // Of what the machine code has on that pipe, those lines' share.
    const double share = all > 0 ? operations / all : 0;
    const double piped = about.launch.work ? (*about.launch.work)[Pipe::kFp64] * share : operations / lanes;
    // Functions of double are many operations for a value that is converted; those of float take half of them.
    constexpr double kOfFunction = 4, kOfFloat = 0.5;
    const bool is_function = operations > kOfFunction * (widened + narrowed);
    finding.change.narrow(piped, (widened + narrowed + special) / lanes,
                          operations / lanes * (is_function ? kOfFloat : 1));
    finding.is_effort = true;
    finding.facts.figures = {
        {AdviceFigure::kWidened, widened}, {AdviceFigure::kNarrowed, narrowed}, {AdviceFigure::kFlop, flop}};
    if (const PeakRates& peak = about.device.peak; peak.fp64 > 0 && peak.fp32 > 0)
        finding.facts.figures.set(AdviceFigure::kRateRatio, peak.fp32 / peak.fp64);
    return {std::move(finding)};
}

}  // namespace tilescope::models
