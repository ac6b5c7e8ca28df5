#include "scope/isa/families.h"

#include <algorithm>

#include "scope/machine/simd/targets.h"
#include "target_list.h"  // written by CMake: X(baseline) X(v3) X(v4), as far as this build has them

namespace tilescope::isa {

#define TILESCOPE_DECLARE_LIST(target) std::size_t list_families_##target(const Family** out);
TILESCOPE_TARGET_LIST(TILESCOPE_DECLARE_LIST)
#undef TILESCOPE_DECLARE_LIST

namespace {

struct TargetList {
    std::string_view name;
    std::vector<const Family*> families;
};

// Never destroyed, like all tables that a launch needs: a program's exit handlers may launch.
const std::vector<TargetList>& all_targets() {
    static const auto* const kTargets = new std::vector<TargetList>([] {
        std::vector<TargetList> targets;
        auto add = [&](std::string_view name, std::size_t (*list)(const Family**)) {
            const std::vector<std::string_view>& runnable = machine::runnable_targets();
            if (std::find(runnable.begin(), runnable.end(), name) == runnable.end()) return;
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

std::span<const Family* const> families(std::string_view name) {
    for (const TargetList& target : all_targets())
        if (target.name == name) return target.families;
    return {};
}

std::span<const Family* const> families() {
    static const std::span<const Family* const> kChosen = families(machine::chosen_target());
    return kChosen;
}

}  // namespace tilescope::isa
