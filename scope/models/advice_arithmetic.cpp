// Rules about arithmetic: double precision that nobody asked for.
#include <algorithm>

#include "scope/models/advice_rules.h"
#include "scope/report/format.h"

namespace tilescope::models {
namespace {

using C = Counter;
using report::thousands;

double fp64_flop(const CounterSet& c) {
    return as_double(c[C::kFp64Add]) + as_double(c[C::kFp64Mul]) + 2 * as_double(c[C::kFp64Fma]);
}

// "half", "a 64th": how fast double precision is beside single.
std::string rate_of_doubles(const Device& device) {
    if (device.peak.fp64 <= 0 || device.peak.fp32 <= 0) return {};
    const double times = device.peak.fp32 / device.peak.fp64;
    return "; the " + device.name + " computes fp32 " + report::times_text(times) + " times as fast as fp64";
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
        finding.message = thousands(widened) + " floats become double here and " + thousands(narrowed) +
                          " results float again, with " + thousands(static_cast<std::uint64_t>(flop)) +
                          " FLOP of fp64 in between: unless that is meant, write constants with an f (0.1f) and call "
                          "the functions of float (sqrtf)" +
                          rate_of_doubles(about.device);
        findings.push_back(std::move(finding));
    }
    return findings;
}

}  // namespace tilescope::models
