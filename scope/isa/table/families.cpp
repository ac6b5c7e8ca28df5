#include "scope/isa/table/families.h"

#include <cstdlib>

#include "target_list.h"  // written by CMake: X(baseline) X(v3) X(v4), as far as this build has them

namespace tilescope::isa {

#define TILESCOPE_DECLARE_LIST(target) std::size_t list_families_##target(const Family** out);
TILESCOPE_TARGET_LIST(TILESCOPE_DECLARE_LIST)
#undef TILESCOPE_DECLARE_LIST

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

struct TargetList {
    std::string_view name;
    std::vector<const Family*> families;
};

// Never destroyed, like all tables that a launch needs: a program's exit handlers may launch.
const std::vector<TargetList>& all_targets() {
    static const auto* const kTargets = new std::vector<TargetList>([] {
        std::vector<TargetList> targets;
        auto add = [&](std::string_view name, std::size_t (*list)(const Family**)) {
            if (!can_run(name)) return;
            TargetList target{name, std::vector<const Family*>(list(nullptr))};
            list(target.families.data());
            targets.push_back(std::move(target));
        };
#define TILESCOPE_ADD_LIST(target) add(#target, &list_families_##target);
        TILESCOPE_TARGET_LIST(TILESCOPE_ADD_LIST)
#undef TILESCOPE_ADD_LIST
        return targets;
    }());
    return *kTargets;
}

}  // namespace

std::vector<std::string_view> runnable_targets() {
    std::vector<std::string_view> names;
    for (const TargetList& target : all_targets()) names.push_back(target.name);
    return names;
}

std::span<const Family* const> families(std::string_view name) {
    for (const TargetList& target : all_targets())
        if (target.name == name) return target.families;
    return {};
}

std::span<const Family* const> families() {
    static const std::span<const Family* const> kChosen = [] {
        if (const char* wanted = std::getenv("TILESCOPE_SIMD"))
            if (auto chosen = families(wanted); !chosen.empty()) return chosen;
        return std::span<const Family* const>(all_targets().back().families);
    }();
    return kChosen;
}

}  // namespace tilescope::isa
