#include "scope/cli/command.h"
#include "scope/models/device.h"

namespace tilescope::cli {
namespace {

constexpr Command kCommands[] = {
    {"run", "run a CUDA program on the CPU and report its memory behavior", add_run, true},
    {"check", "find races, bad accesses and missing barriers in a CUDA program", add_check, true},
    {"launch", "run one kernel without a host program", add_launch},
    {"devices", "list the known GPUs, or show one with the source of each figure", add_devices, false, false,
     models::device_names},
    {"report", "print or convert a profile", add_report},
    {"occupancy", "compute how many blocks fit on an SM, and what limits them", add_occupancy},
    {"roofline", "place kernels under the roofline of a GPU", add_roofline},
    {"compare", "compare two profiles, or a profile with hardware counters", add_compare},
    {"explain", "explain a counter, rule, hazard or term of the report", add_explain, false, false, explained_names},
    {"trace", "show what each thread of a block does between barriers", add_trace, true},
    {"sweep", "a program's variants on all cores, side by side", nullptr},
    {"grade", "results, budgets and hazards of a class's submissions", nullptr},
    {"lesson", "list the lessons, or run one and check its claims", add_lesson, false, false, lesson_names},
    {"pattern", "show the banks and sectors of an index expression, and fixes", add_pattern},
    {"tile", "choose the tile size of a matrix product", add_tile},
    {"boundaries", "remove each bounds check in turn and report if it is detected", add_boundaries, true},
    {"claims", "check the claims of a file by running them", add_claims},
    {"generate-completion", "write shell completions", add_generate_completion, false, true},
    {"generate-man", "write the man page", add_generate_man, false, true},
    {"generate-metrics", "write the names of metrics and profile figures", add_generate_metrics, false, true},
    {"generate-names", "write the valid names for a command's arguments", add_generate_names, false, true},
};

}  // namespace

std::span<const Command> commands() { return kCommands; }

}  // namespace tilescope::cli
