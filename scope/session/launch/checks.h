// --check in one launch: its hazard observers, and what they found as hazards of the profile.
//
// Guarantees: observers stand behind the counting ones in the launch's request, and are gone from its result when
// end() is over. Of a launch that faulted only those that saw all blocks tell: how far the others came depends on the
// workers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scope/observers/hazards/effort.h"
#include "scope/observers/hazards/hazards.h"
#include "scope/report/profile.h"
#include "scope/session/launch/prepare.h"

namespace tilescope {

class LaunchChecks {
public:
    LaunchChecks(const LaunchChecks&) = delete;  // the grid's request refers to it
    LaunchChecks& operator=(const LaunchChecks&) = delete;
    // Of a launch that is not counted nothing is told; what it writes is written all the same.
    LaunchChecks(Prepared& launch, Recording& recording);

    // Why what was noted does not fit into what the run may keep, if so.
    std::optional<std::string> end(const Prepared& launch, machine::GridResult& result, LaunchProfile& profile);

private:
    bool wants(const observers::HazardRow& row, const Prepared& launch) const;
    void end_auto(const machine::GridResult& result, LaunchProfile& profile);

    Recording& recording_;
    bool is_auto_ = false, has_costly_ = false;
    observers::CheckEffort effort_;  // under --check auto
    std::vector<std::unique_ptr<observers::HazardObserver>> prototypes_;
};

}  // namespace tilescope
