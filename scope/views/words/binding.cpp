#include "scope/views/words/binding.h"

#include "scope/report/format.h"
#include "scope/report/quantities.h"

namespace tilescope::views {
namespace {

struct BoundWords {
    const char *part, *remedy;
};

BoundWords words_for(TimeBound bound) {
    switch (bound) {
        case TimeBound::kLaunch: return {"launching", "more work in one launch, or fewer launches"};
        case TimeBound::kIssue: return {"issue", "fewer instructions: wider accesses, unrolled loops"};
        case TimeBound::kFp32: return {"fp32", "fewer operations, or a faster unit"};
        case TimeBound::kInteger: return {"integer", "fewer operations on integers"};
        case TimeBound::kFp64: return {"fp64", "fewer operations, or a narrower type"};
        case TimeBound::kTensor: return {"tensor", "smaller types, or wgmma, which is faster than mma.sync"};
        case TimeBound::kSpecial: return {"special", "fewer roots, quotients and conversions"};
        case TimeBound::kL1:
            return {"L1/shared", "fewer wavefronts: whole sectors, no bank conflicts, values kept in registers"};
        case TimeBound::kTexture:
            return {"textures", "fewer fetches, or such whose neighbouring threads read neighbouring texels"};
        case TimeBound::kConstant: return {"constants", "lanes of a warp that ask for one address"};
        case TimeBound::kWrites: return {"writes to L2", "fewer sectors and lines stored"};
        case TimeBound::kL2: return {"L2", "fewer sectors asked of L2"};
        case TimeBound::kDram: return {"DRAM", "fewer bytes of DRAM for each operation"};
        case TimeBound::kAtomics: return {"atomics", "fewer updates of the same places"};
        case TimeBound::kLatency:
            return {"latency", "more under way at once: more warps or blocks, more independent loads in each"};
        case TimeBound::kImbalance: return {"imbalance", "blocks of equal length, and enough of them for all SMs"};
    }
    return {"", ""};
}

std::string kind_words(const LaunchBinding& binding) {
    switch (binding.kind) {
        case BoundKind::kMemory: return "Memory-bound";
        case BoundKind::kCompute: return "Compute-bound";
        case BoundKind::kLatency: return "Latency-bound";
        case BoundKind::kLaunch: return "Launch-bound, too small for any roof";
        case BoundKind::kImbalance: return "Bound by imbalance";
    }
    return {};
}

}  // namespace

const char* bound_words(TimeBound bound) { return words_for(bound).part; }
const char* bound_remedy(TimeBound bound) { return words_for(bound).remedy; }

std::string binding_words(const LaunchBinding& binding) {
    return kind_words(binding) + ": " + report::share(binding.share) + " of its " +
           report::microseconds_text(binding.microseconds) + " is " + bound_words(binding.bound) + "; without that " +
           report::microseconds_text(binding.next_microseconds) + ", mostly " + bound_words(binding.next_bound) +
           " (modelled).";
}

std::string remedy_words(const LaunchBinding& binding) {
    return "What helps first is " + std::string(bound_remedy(binding.bound));
}

}  // namespace tilescope::views
