#include "scope/views/text_time.h"

#include <cmath>
#include <cstdint>

#include "scope/report/format.h"

namespace tilescope::views {
namespace {

const char* words_of(TimeBound bound) {
    switch (bound) {
        case TimeBound::kLaunch: return "launching";
        case TimeBound::kIssue: return "issuing";
        case TimeBound::kFp32: return "multiply-adds";
        case TimeBound::kInteger: return "integers";
        case TimeBound::kFp64: return "fp64";
        case TimeBound::kSpecial: return "special functions";
        case TimeBound::kL1: return "L1 and shared memory";
        case TimeBound::kConstant: return "constant passes";
        case TimeBound::kWrites: return "writing to L2";
        case TimeBound::kL2: return "L2";
        case TimeBound::kDram: return "DRAM";
        case TimeBound::kAtomics: return "atomics";
        case TimeBound::kLatency: return "latency";
        case TimeBound::kImbalance: return "imbalance";
    }
    return "";
}

}  // namespace

std::string microseconds_text(double value) {
    constexpr double kWhole = 1000;
    return (value < kWhole ? report::per_request(value)
                           : report::thousands(static_cast<std::uint64_t>(std::llround(value)))) +
           " µs";
}

std::string time_text(const TimeProfile& time) {
    std::string long_block;
    if (time.longest_warp && time.average_warp)
        long_block = ": one block is long, its longest warp takes " + microseconds_text(*time.longest_warp) +
                     " where the average one takes " + microseconds_text(*time.average_warp);
    return microseconds_text(time.microseconds) + ", mostly " + words_of(time.bound) + long_block + "; without that " +
           microseconds_text(time.next_microseconds) + ", mostly " + words_of(time.next_bound) + " (modelled)";
}

}  // namespace tilescope::views
