#include "scope/isa/table/special_registers.h"

namespace tilescope::isa {
namespace {

using machine::LaunchValue;
using machine::Special;

struct WarpRow {
    std::string_view name, component;
    Special value;
};
constexpr WarpRow kWarpRows[] = {
    {"%tid", "x", Special::kTidX},
    {"%tid", "y", Special::kTidY},
    {"%tid", "z", Special::kTidZ},
    {"%ctaid", "x", Special::kCtaidX},
    {"%ctaid", "y", Special::kCtaidY},
    {"%ctaid", "z", Special::kCtaidZ},
    {"%laneid", "", Special::kLaneId},
    {"%warpid", "", Special::kWarpId},
    {"%smid", "", Special::kSmId},
    {"%lanemask_eq", "", Special::kLaneMaskEq},
    {"%lanemask_le", "", Special::kLaneMaskLe},
    {"%lanemask_lt", "", Special::kLaneMaskLt},
    {"%lanemask_ge", "", Special::kLaneMaskGe},
    {"%lanemask_gt", "", Special::kLaneMaskGt},
    // Without clusters every block is a cluster of its own.
    {"%clusterid", "x", Special::kCtaidX},
    {"%clusterid", "y", Special::kCtaidY},
    {"%clusterid", "z", Special::kCtaidZ},
};

struct LaunchRow {
    std::string_view name, component;
    LaunchValue value;
    std::uint8_t bytes = 4;
};
constexpr LaunchRow kLaunchRows[] = {
    {"%ntid", "x", LaunchValue::kNtidX},
    {"%ntid", "y", LaunchValue::kNtidY},
    {"%ntid", "z", LaunchValue::kNtidZ},
    {"%nctaid", "x", LaunchValue::kNctaidX},
    {"%nctaid", "y", LaunchValue::kNctaidY},
    {"%nctaid", "z", LaunchValue::kNctaidZ},
    {"%nclusterid", "x", LaunchValue::kNctaidX},
    {"%nclusterid", "y", LaunchValue::kNctaidY},
    {"%nclusterid", "z", LaunchValue::kNctaidZ},
    {"%cluster_ctaid", "x", LaunchValue::kZero},
    {"%cluster_ctaid", "y", LaunchValue::kZero},
    {"%cluster_ctaid", "z", LaunchValue::kZero},
    {"%cluster_nctaid", "x", LaunchValue::kOne},
    {"%cluster_nctaid", "y", LaunchValue::kOne},
    {"%cluster_nctaid", "z", LaunchValue::kOne},
    {"%cluster_ctarank", "", LaunchValue::kZero},
    {"%cluster_nctarank", "", LaunchValue::kOne},
    {"%nwarpid", "", LaunchValue::kNwarps},
    {"%nsmid", "", LaunchValue::kNsmId},
    {"%gridid", "", LaunchValue::kGridId, 8},
    {"%dynamic_smem_size", "", LaunchValue::kDynamicShared},
    {"%total_smem_size", "", LaunchValue::kTotalShared},
    {"%aggr_smem_size", "", LaunchValue::kAggregateShared},
    // Of the shared memory that is reserved at the start of the window: where what CUDA's own code uses begins and
    // ends, where all of it ends, and where the two users' parts are.
    {"%reserved_smem_offset_begin", "", LaunchValue::kZero},
    {"%reserved_smem_offset_end", "", LaunchValue::kReservedUsed},
    {"%reserved_smem_offset_cap", "", LaunchValue::kReservedEnd},
    {"%reserved_smem_offset_0", "", LaunchValue::kZero},
    {"%reserved_smem_offset_1", "", LaunchValue::kZero},
    // What cooperative groups' grid_group reads (CUDA 11 to 13): where the grid's workspace lies.
    {"%envreg1", "", LaunchValue::kWorkspaceHigh},
    {"%envreg2", "", LaunchValue::kWorkspaceLow},
};

struct DynamicRow {
    std::string_view name, instruction;
    std::uint8_t bytes;
};
constexpr DynamicRow kDynamicRows[] = {
    {"%clock", "%read_clock", 4},
    {"%clock64", "%read_clock64", 8},
    {"%globaltimer", "%read_globaltimer", 8},
    {"%globaltimer_lo", "%read_globaltimer_lo", 4},
};

}  // namespace

std::optional<SpecialRegister> special_register(std::string_view name, std::string_view component) {
    SpecialRegister found;
    for (const WarpRow& row : kWarpRows)
        if (row.name == name && row.component == component) {
            found.warp = row.value;
            return found;
        }
    for (const LaunchRow& row : kLaunchRows)
        if (row.name == name && row.component == component) {
            found.kind = SpecialRegisterKind::kLaunch;
            found.launch = row.value;
            found.bytes = row.bytes;
            return found;
        }
    for (const DynamicRow& row : kDynamicRows)
        if (row.name == name && component.empty()) {
            found.kind = SpecialRegisterKind::kDynamic;
            found.instruction = row.instruction;
            found.bytes = row.bytes;
            return found;
        }
    return std::nullopt;
}

}  // namespace tilescope::isa
