#include "scope/machine/simd/targets.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "scope/machine/simd/lane_sets.h"
#include "target_list.h"  // written by CMake: X(baseline) X(v3) X(v4), as far as this build has them

namespace tilescope::machine {

#define TILESCOPE_DECLARE_SETS(target)    \
    namespace target {                    \
    const LaneSets& compiled_lane_sets(); \
    }
TILESCOPE_TARGET_LIST(TILESCOPE_DECLARE_SETS)
#undef TILESCOPE_DECLARE_SETS

namespace {

bool can_run(std::string_view target) {
#if defined(__x86_64__)
    if (target == "v3")
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    if (target == "v4")
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512cd");
#endif
    return target == "baseline";
}

}  // namespace

const std::vector<std::string_view>& compiled_targets() {
    static const auto* const kCompiled = new std::vector<std::string_view>{
#define TILESCOPE_NAME_TARGET(target) #target,
        TILESCOPE_TARGET_LIST(TILESCOPE_NAME_TARGET)
#undef TILESCOPE_NAME_TARGET
    };
    return *kCompiled;
}

const std::vector<std::string_view>& runnable_targets() {
    // Never destroyed: a program's exit handlers may launch.
    static const auto* const kRunnable = new std::vector<std::string_view>([] {
        std::vector<std::string_view> names;
#define TILESCOPE_ADD_TARGET(target) \
    if (can_run(#target)) names.push_back(#target);
        TILESCOPE_TARGET_LIST(TILESCOPE_ADD_TARGET)
#undef TILESCOPE_ADD_TARGET
        if (names.empty()) {
            std::fputs(
                "tilescope: built for the processor of another machine (TILESCOPE_SIMD_TARGETS=native), which this one "
                "is "
                "not: build it here\n",
                stderr);
            std::_Exit(1);
        }
        return names;
    }());
    return *kRunnable;
}

std::string_view chosen_target() {
    const std::vector<std::string_view>& runnable = runnable_targets();
    const char* const wanted = std::getenv("TILESCOPE_SIMD");
    if (wanted != nullptr && std::find(runnable.begin(), runnable.end(), wanted) != runnable.end()) return wanted;
    return runnable.back();
}

const LaneSets& lane_sets(std::string_view target) {
#define TILESCOPE_FIND_SETS(name) \
    if (target == #name) return name::compiled_lane_sets();
    TILESCOPE_TARGET_LIST(TILESCOPE_FIND_SETS)
#undef TILESCOPE_FIND_SETS
    std::abort();  // not one of runnable_targets()
}

const LaneSets& lane_sets() {
    static const LaneSets& kChosen = lane_sets(chosen_target());
    return kChosen;
}

}  // namespace tilescope::machine
