#include "scope/cli/command.h"
#include "scope/models/device.h"

namespace tilescope::cli {
namespace {

constexpr Command kCommands[] = {
    {"run", "run a CUDA program on the CPU and report where its bytes went", add_run, true},
    {"check", "find races, bad accesses and missing barriers in a CUDA program", add_check, true},
    {"launch", "run one kernel with no host program", add_launch},
    {"devices", "list the known devices, or one in full with the source of each figure", add_devices, false, false,
     models::device_names},
    {"report", "print or convert a profile", add_report},
    {"occupancy", "blocks that fit on an SM, and what limits them", add_occupancy},
    {"roofline", "where kernels stand under a device's ceilings", add_roofline},
    {"compare", "what changed, or how far counts are from the hardware", add_compare},
    {"explain", "what a counter, rule, hazard or word of the report means", add_explain, false, false, explained_names},
    {"trace", "what each thread of a block did between barriers", add_trace, true},
    {"sweep", "a program's variants on all cores, side by side", nullptr},
    {"grade", "results, budgets and hazards of a class's submissions", nullptr},
    {"lesson", "list the lessons, or run one and check its claims", add_lesson, false, false, lesson_names},
    {"pattern", "lanes to banks and sectors of an index, and what cures it", add_pattern},
    {"tile", "which tile of a matrix product: occupancy, requests, padding, time", add_tile},
    {"boundaries", "each check of an index taken out in turn: found, silent or harmless", add_boundaries, true},
    {"claims", "the lessons' engine for anybody's notes: run, compare, judge", add_claims},
    {"generate-completion", "write the completions of a shell", add_generate_completion, false, true},
    {"generate-man", "write the man page", add_generate_man, false, true},
    {"generate-metrics", "write what metrics are called, and the figures of a profile", add_generate_metrics, false,
     true},
    {"generate-names", "write what a command's arguments may name", add_generate_names, false, true},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

}  // namespace tilescope::cli
