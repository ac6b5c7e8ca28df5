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
        case TimeBound::kLaunch: return {"launch overhead", "more work per launch, or fewer launches"};
        case TimeBound::kIssue: return {"issue slots", "fewer instructions: wider accesses, unrolled loops"};
        case TimeBound::kFp32: return {"fp32", "fewer operations, or a faster unit"};
        case TimeBound::kInteger: return {"integer", "fewer integer operations"};
        case TimeBound::kFp64: return {"fp64", "fewer operations, or a narrower type"};
        case TimeBound::kTensor: return {"tensor", "narrower types, or wgmma instead of mma.sync"};
        case TimeBound::kSpecial: return {"special", "fewer square roots, divisions and conversions"};
        case TimeBound::kL1:
            return {"L1/shared", "fewer wavefronts: full sectors, no bank conflicts, values kept in registers"};
        case TimeBound::kTexture:
            return {"textures", "fewer fetches, or neighboring threads that read neighboring texels"};
        case TimeBound::kConstant: return {"constants", "one address for all lanes of a warp"};
        case TimeBound::kWrites: return {"L2 writes", "fewer sectors and cache lines stored"};
        case TimeBound::kL2: return {"L2", "fewer sectors read from L2"};
        case TimeBound::kDram: return {"DRAM", "fewer DRAM bytes per operation"};
        case TimeBound::kAtomics: return {"atomics", "fewer updates of the same addresses"};
        case TimeBound::kLatency:
            return {"latency",
                    "more accesses in flight: more warps or blocks, or more independent loads in each thread"};
        case TimeBound::kImbalance: return {"imbalance", "blocks of equal length, and enough blocks for all SMs"};
    }
    return {"", ""};
}

std::string kind_words(const LaunchBinding& binding) {
    switch (binding.kind) {
        case BoundKind::kMemory: return "Memory-bound";
        case BoundKind::kCompute: return "Compute-bound";
        case BoundKind::kLatency: return "Latency-bound";
        case BoundKind::kLaunch: return "Launch-bound, too small to reach any roof";
        case BoundKind::kImbalance: return "Limited by imbalance";
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
           " (modeled).";
}

std::string remedy_words(const LaunchBinding& binding) {
    return "What helps first: " + std::string(bound_remedy(binding.bound));
}

}  // namespace tilescope::views
